"""When an ending is worth solving, how much may be spent on it, and its answer.

The values are those of ``Endgame``: the chance to win that the seat can guarantee against an
opponent who sees every hand, and then the margin in stars. Where nothing lies face down, both
sides know all hands anyway, and it is the value of the game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from solstis_ai import bridge
from solstis_ai._fast import Knowledge
from solstis_ai.search.endgame import Endgame, forms_of, most_forms
from solstis_ai.search.types import Limits, MoveStatistics, SearchConfig

__all__ = ["AT_ONCE_SECONDS", "ExactSearch", "ExactValue", "exact_search"]

AT_ONCE_SECONDS = 0.001
"""What may be spent on an ending outside the search proper, in seconds."""

_SHARE = 0.2  # most of the limits that is spent, so that a search in vain costs little strength
_MOVES_PER_ITERATION = 2.5  # moves tried exactly in the time of an iteration
_MOVES_OF_FORCED = 5_000  # tried for the outlook of a forced move


@dataclass(frozen=True, slots=True)
class ExactValue:
    """What a move brings.

    Attributes:
        code: Its move code.
        win_probability: Chance to win, a draw counted half; 0 to 1.
        stars: Expected stars of the seat at the end.
        opponent_stars: Expected stars of the other seat at the end.
    """

    code: int
    win_probability: float
    stars: float
    opponent_stars: float

    def row(self) -> MoveStatistics:
        """The row of the table of alternatives: no visits, and no error."""
        return MoveStatistics(
            move=bridge.move_from_code(self.code),
            visits=0,
            available=0,
            win_probability=self.win_probability,
            standard_error=0.0,
            expected_stars=self.stars,
            opponent_expected_stars=self.opponent_stars,
        )


class ExactSearch:
    """An ending that is being solved within its share of the limits.

    Args:
        endgame: The ending.
        seconds: Most time to spend, in seconds.
    """

    def __init__(self, endgame: Endgame, seconds: float) -> None:
        self._endgame = endgame
        self._time_left = seconds

    @property
    def solved(self) -> bool:
        """Whether the values are there."""
        return self._endgame.solved

    @property
    def given_up(self) -> bool:
        """Whether the share is used up, and no values will come."""
        return not self.solved and (self._endgame.finished or self._time_left <= 0)

    def run(self, seconds: float) -> None:
        """Go on for ``seconds`` at most, or to the end of the share."""
        self._endgame.run(_or_negative(seconds), _or_negative(self._time_left))

    def spend(self, seconds: float) -> None:
        """Take time off the share."""
        self._time_left -= seconds

    def stop(self) -> None:
        """End ``run`` at once, from any thread."""
        self._endgame.stop()

    def values(self) -> list[ExactValue]:
        """What each legal move brings, once solved; the best first, then in order of codes."""
        found = zip(self._endgame.root_codes, self._endgame.values(), strict=True)
        ranked = sorted(found, key=lambda pair: (-pair[1][0], -pair[1][1]))
        return [_value(code, sums, self._endgame.unit) for code, sums in ranked]

    def line(self) -> list[int]:
        """The best move and what follows it for certain in the same turn, once solved."""
        return self._endgame.line()


def _value(code: int, sums: Sequence[int], unit: int) -> ExactValue:
    half_points, margin, own = sums
    return ExactValue(code, half_points / (2 * unit), own / unit, (own - margin) / unit)


def _or_negative(seconds: float) -> float:
    """The way to say "no limit" to an ``Endgame``."""
    return -1.0 if math.isinf(seconds) else max(seconds, 0.0)


def exact_search(knowledge: Knowledge, limits: Limits, config: SearchConfig) -> ExactSearch | None:
    """The exact search of an ending, if it is one and ``config`` wants it.

    It gets a fifth of the time, and of the iterations the moves that take a fifth of their
    time, so that the answer does not depend on the machine where iterations alone limit.
    """
    if not config.endgame or not 1 <= forms_of(knowledge) <= most_forms:
        return None
    seconds = math.inf if limits.time_seconds is None else _SHARE * limits.time_seconds
    return ExactSearch(Endgame(knowledge, _budget(knowledge, limits)), seconds)


def _budget(knowledge: Knowledge, limits: Limits) -> int:
    """Most moves to try."""
    if knowledge.legal_count() == 1:
        return _MOVES_OF_FORCED
    if limits.iterations is None:
        return 1 << 40
    return math.ceil(_SHARE * _MOVES_PER_ITERATION * limits.iterations)
