"""Sampled worlds a second, from an opening and from a late turn with known and excluded tiles."""

from __future__ import annotations

import harness
import tasks

from solstis_ai import benchmark


def main() -> None:
    """Assert the signature of 10,000 worlds, then time or compare."""
    arguments = harness.parser(__doc__, against=()).parse_args()
    signature = benchmark.determinization_signature()
    harness.require("signature", signature, benchmark.DETERMINIZATION_SIGNATURE)
    for observation in tasks.observations():
        name, options = f"determinization, {observation}", {"observation": observation}
        result: harness.Figure | harness.Comparison
        if arguments.against:
            result = harness.compare(name, "worlds", "determinization", options, arguments)
        else:
            piece = tasks.determinization(observation)
            result = harness.measure(name, "worlds", piece, arguments.seconds)
        harness.show(result, arguments.json)


if __name__ == "__main__":
    main()
