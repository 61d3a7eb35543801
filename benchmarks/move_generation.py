"""Lists of legal decisions a second, over every position of the recorded games of the tests."""

from __future__ import annotations

import harness
import tasks

from solstis_ai.search.loops import list_all_moves

MOVES = 3_024
"""Legal decisions of all positions of the recorded games."""


def main() -> None:
    """Assert that every recorded legal decision is listed, then time or compare."""
    parser = harness.parser(__doc__, against=(harness.ORACLE,))
    arguments = parser.parse_args()
    states, legal = tasks.recorded_states()
    for state, number in zip(states, legal, strict=True):
        harness.require("legal decisions", state.legal_count(), number or state.legal_count())
    moves, hash_ = list_all_moves(states, 1)
    harness.require("legal decisions of all positions", moves, MOVES)
    result: harness.Figure | harness.Comparison
    if arguments.against:
        result = harness.compare("move generation", "lists", "move_generation", {}, arguments)
    else:
        result = harness.measure(
            "move generation",
            "lists",
            tasks.move_generation(),
            arguments.seconds,
            positions=len(states),
            moves=moves,
            signature=f"{hash_:016x}",
        )
    harness.show(result, arguments.json)


if __name__ == "__main__":
    main()
