"""What text and picture tell of a position and an answer, where both say the same."""

from __future__ import annotations

from solstis_ai.search.types import Analysis, MoveStatistics

__all__ = ["best_of", "counted", "was_tried"]


def counted(number: int, one: str) -> str:
    """A number of things, such as ``1 tile`` or ``2,000 iterations``."""
    return f"{number:,} {one}{'' if number == 1 else 's'}"


def best_of(analysis: Analysis) -> MoveStatistics:
    """What is known of the recommended move."""
    rows = analysis.alternatives
    return next((row for row in rows if row.move == analysis.move), rows[0])


def was_tried(analysis: Analysis, row: MoveStatistics) -> bool:
    """Whether there is anything to tell of a move: a solved ending has numbers without visits."""
    return row.visits > 0 or analysis.exact
