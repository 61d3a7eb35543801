"""The facts behind an answer, in plain sentences built from its numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from solstis_ai.observation import Observation
from solstis_ai.search.facts import board_facts
from solstis_ai.search.types import MoveStatistics, Outlook, StarsEstimate, StarsOutlook
from solstis_ai.vocabulary import Move

__all__ = ["exact_reasons", "reasons"]

_TIE = 2.0
"""Standard errors of a difference below which two moves count as equally good."""

_SURE = 3.0
"""Standard errors below which a part of the stars is not told: ten of them are compared."""

_LEAST_STARS = 0.2  # smaller differences are true, but nothing to decide by
_MOST_PARTS = 3
_LEAST_MARGIN = 0.05  # a smaller one is told as none
_LEAST_VISITS = 20  # of a move that is compared with another
_LEAST_SAMPLES = 512  # of which the split of the doubt is told

_PARTS = {
    "area": "the largest area",
    "fires": "fires",
    "spirits": "spirits",
    "bonuses": "bonuses of spirits",
    "fireflies": "fireflies",
}


def reasons(
    observation: Observation,
    rows: Sequence[MoveStatistics],
    line: Sequence[Move],
    forced: bool,
) -> tuple[str, ...]:
    """Why the first of ``rows`` is recommended.

    Args:
        observation: What the seat sees; nothing else is told.
        rows: The moves that are considered, the recommended one first; nothing is told of others.
        line: The likely rest of the turn, beginning with the recommended move.
        forced: Whether there is only one legal move.
    """
    best = rows[0]
    said = list(_told_of_board(observation, tuple(line)))
    if best.outlook:
        said.append(_result(best, best.outlook))
    said.extend(_comparison(rows, forced))
    if best.outlook and observation.opponent_hand_size:
        said.extend(_doubt(best.outlook))
    return tuple(said)


@lru_cache(maxsize=64)
def _told_of_board(observation: Observation, line: tuple[Move, ...]) -> tuple[str, ...]:
    """``board_facts``, worked out once for all the answers of a growing search."""
    return tuple(board_facts(observation, line))


def _result(best: MoveStatistics, outlook: Outlook) -> str:
    own, other = outlook.you.total.mean, outlook.opponent.total.mean
    return (
        f"Wins {best.win_probability:.0%} of the simulated games; "
        f"sampled games end at {own:.1f} to {other:.1f} stars on average."
    )


def exact_reasons(
    observation: Observation,
    rows: Sequence[MoveStatistics],
    line: Sequence[Move],
    stars: Sequence[tuple[float, float]],
) -> tuple[str, ...]:
    """Why the first of ``rows`` is recommended in an ending that was solved; see ``reasons``.

    Args:
        observation: What the seat sees; nothing else is told.
        rows: All legal moves, the recommended one first.
        line: The rest of the turn, beginning with the recommended move.
        stars: Expected stars of the seat and of the opponent after each of ``rows``.
    """
    best, (own, other) = rows[0], stars[0]
    said = list(board_facts(observation, line))
    said.append(
        f"Worked out to the end: it wins {best.win_probability:.0%} at least, with {own:.1f} "
        f"stars to {other:.1f} on average, whatever the opponent does."
    )
    said.extend(_exact_comparison(rows, [own - other for own, other in stars]))
    return tuple(said)


def _exact_comparison(rows: Sequence[MoveStatistics], leads: Sequence[float]) -> Iterator[str]:
    if len(rows) == 1:
        yield "It is the only legal move."
        return
    wins, margin = rows[0].win_probability - rows[1].win_probability, leads[0] - leads[1]
    if wins > 0:
        yield f"That is {100 * wins:.1f} percentage points more than {rows[1].move}."
    elif margin >= _LEAST_MARGIN:
        yield f"{rows[1].move} wins as often, but leads by {margin:.1f} stars less."
    else:
        yield f"{rows[1].move} wins as often and leads by as much."


def _comparison(rows: Sequence[MoveStatistics], forced: bool) -> Iterator[str]:
    if len(rows) == 1:
        yield "It is the only legal move." if forced else "No other move was noticed."
        return
    best, second = rows[0], rows[1]
    if not second.visits:
        return
    if second.visits < _LEAST_VISITS:
        yield f"The search looked at {second.move} too rarely to compare the two."
        return
    lead = best.win_probability - second.win_probability
    if lead > _TIE * math.hypot(best.standard_error, second.standard_error):
        yield f"That is {100 * lead:.1f} percentage points more than {second.move}."
        yield from _differences(best, second)
    else:
        yield f"The search sees no clear difference from {second.move}."


def _differences(best: MoveStatistics, second: MoveStatistics) -> Iterator[str]:
    """Where the stars of two moves differ, by parts of R24."""
    one, two = best.outlook, second.outlook
    if one is None or two is None:
        return
    samples = min(one.samples, two.samples)
    if own := _parts(one.you, two.you, samples):
        yield f"It brings you {own} than {second.move}."
    if other := _parts(one.opponent, two.opponent, samples):
        yield f"It leaves the opponent {other} than {second.move}."


def _parts(one: StarsOutlook, two: StarsOutlook, samples: int) -> str:
    """The largest sure differences, in words; empty when there are none."""
    pairs = [(words, getattr(one, part), getattr(two, part)) for part, words in _PARTS.items()]
    sure = [
        (first.mean - second.mean, words)
        for words, first, second in pairs
        if _differ(first, second, samples)
    ]
    sure.sort(key=lambda entry: -abs(entry[0]))
    told = [
        f"{abs(by):.1f} stars {'more' if by > 0 else 'fewer'} from {words}"
        for by, words in sure[:_MOST_PARTS]
    ]
    return " and ".join(filter(None, (", ".join(told[:-1]), *told[-1:])))


def _differ(one: StarsEstimate, two: StarsEstimate, samples: int) -> bool:
    by = abs(one.mean - two.mean)
    return by >= _LEAST_STARS and by > _SURE * math.hypot(one.spread, two.spread) / samples**0.5


def _doubt(outlook: Outlook) -> Iterator[str]:
    """How the doubt about the end splits."""
    if outlook.lead.spread == 0 or outlook.samples < _LEAST_SAMPLES:
        return
    if outlook.hand_share < 0.005:
        yield "The doubt is in future draws and decisions, hardly in the other hand."
    else:
        share = f"{outlook.hand_share:.0%}"
        yield f"{share} of the doubt is the other hand, the rest future draws and decisions."
