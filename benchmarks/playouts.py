"""Random games a second: dealt, played to the end, both sides scored."""

from __future__ import annotations

import harness
import tasks

from solstis_ai import benchmark


def main() -> None:
    """Assert the signature of 10,000 games, then time or compare."""
    parser = harness.parser(__doc__, against=(harness.ORACLE,))
    parser.add_argument("--variant", choices=benchmark.VARIANTS, default="base")
    arguments = parser.parse_args()
    variant = arguments.variant
    signature = benchmark.playout_signature(variant)
    harness.require("signature", signature, benchmark.PLAYOUT_SIGNATURES[variant])
    name, options = f"playouts of {variant}", {"variant": variant}
    result: harness.Figure | harness.Comparison
    if arguments.against:
        result = harness.compare(name, "games", "playouts", options, arguments)
    else:
        piece = tasks.playouts(variant)
        result = harness.measure(
            name, "games", piece, arguments.seconds, signature=f"{signature:016x}"
        )
    harness.show(result, arguments.json)


if __name__ == "__main__":
    main()
