"""The facts behind an answer, in plain sentences built from its numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from solstis_ai.observation import Observation
from solstis_ai.search.effects import series
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
_RARELY = 0.1  # of the visits of the best move

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
        f"The search puts the chance to win at {_percent(best.win_probability)}; "
        f"sampled games end at {own:.1f} to {other:.1f} stars on average."
    )


def exact_reasons(
    observation: Observation,
    rows: Sequence[MoveStatistics],
    line: Sequence[Move],
) -> tuple[str, ...]:
    """Why the first of ``rows`` is recommended in an ending that was solved; see ``reasons``.

    Args:
        observation: What the seat sees; nothing else is told.
        rows: All legal moves with their expected stars, the recommended one first.
        line: The rest of the turn, beginning with the recommended move.
    """
    stars = [(row.expected_stars or 0.0, row.opponent_expected_stars or 0.0) for row in rows]
    (own, other), wins = stars[0], rows[0].win_probability
    foe = _best_play(observation)
    said = list(board_facts(observation, line))
    said.append(f"Worked out to the end: {_verdict(wins, foe)}.")
    said.append(f"Against {foe} it ends at {own:.1f} to {other:.1f} stars on average.")
    said.extend(_exact_comparison(rows, [own - other for own, other in stars]))
    return tuple(said)


def _best_play(observation: Observation) -> str:
    """What the numbers of a solved ending hold against (see ``search/exact.py``)."""
    covered = any(place.covers for place in observation.queue)
    return "an opponent who sees every hand" if covered else "best play"


def _verdict(wins: float, foe: str) -> str:
    """The exact chance in words, a draw counted half: one half is as many wins as losses."""
    if wins == 1:
        return "a sure win"
    if wins == 0:
        return f"lost against {foe}"
    if wins == 0.5:
        return f"even against {foe}, a draw or won as often as lost"
    return f"a chance to win of {_percent(wins)} against {foe} (a draw counts half)"


def _exact_comparison(rows: Sequence[MoveStatistics], leads: Sequence[float]) -> Iterator[str]:
    if len(rows) == 1:
        yield "It is the only legal move."
        return
    wins, margin = rows[0].win_probability - rows[1].win_probability, leads[0] - leads[1]
    if wins > 0:
        yield f"That is {_points(wins)} more than {rows[1].move}."
    elif margin >= _LEAST_MARGIN:
        yield f"The chance is the same with {rows[1].move}, but it ends {margin:.1f} stars worse."
    else:
        yield f"With {rows[1].move} it comes to the same."


def _percent(share: float) -> str:
    """A share in whole percent; what is not certain is never told as 0% or 100%."""
    if 0 < share < 0.005:
        return "under 1%"
    if 0.995 <= share < 1:
        return "over 99%"
    return f"{share:.0%}"


def _points(difference: float) -> str:
    """A difference of two shares."""
    points = 100 * difference
    return f"{points:.1f} percentage points" if points >= 0.05 else "a little"


def _comparison(rows: Sequence[MoveStatistics], forced: bool) -> Iterator[str]:
    if len(rows) == 1:
        yield "It is the only legal move." if forced else "No other move was noticed."
        return
    best, second = rows[0], rows[1]
    if better := _clearly_better(rows):
        yield (
            f"The search has begun to prefer {better.move}, "
            "but has not looked at it often enough to change its mind."
        )
    elif not second.visits:
        return
    elif second.visits < _LEAST_VISITS:
        yield f"The search looked at {second.move} too rarely to compare the two."
    elif _lead(best, second) > _TIE:
        wins = best.win_probability - second.win_probability
        # A tree that is rarely visited has not learned to play on, and its move looks worse.
        most = "up to " if second.visits < _RARELY * best.visits else ""
        yield f"That is {most}{_points(wins)} more than {second.move}."
        yield from _differences(best, second)
    else:
        yield f"The search sees no clear difference from {second.move}."


def _clearly_better(rows: Sequence[MoveStatistics]) -> MoveStatistics | None:
    """The move with the highest share among those that beat the first clearly, if any."""
    tried = [row for row in rows[1:] if row.visits >= _LEAST_VISITS]
    better = [row for row in tried if _lead(row, rows[0]) > _TIE]
    return max(better, key=lambda row: row.win_probability, default=None)


def _lead(one: MoveStatistics, other: MoveStatistics) -> float:
    """By how many standard errors ``one`` wins more often."""
    lead = one.win_probability - other.win_probability
    error = math.hypot(one.standard_error, other.standard_error)
    return lead / error if error else math.copysign(math.inf, lead) if lead else 0.0


def _differences(best: MoveStatistics, second: MoveStatistics) -> Iterator[str]:
    """Where the stars of two moves differ, by parts of R24."""
    one, two = best.outlook, second.outlook
    if one is None or two is None:
        return
    samples = min(one.samples, two.samples)
    sides = [
        ("It brings you", _parts(one.you, two.you, samples, good=1)),
        ("It leaves the opponent", _parts(one.opponent, two.opponent, samples, good=-1)),
    ]
    # What speaks for the move comes first, so that nobody takes the rest for a reason.
    sides.sort(key=lambda side: not side[1][0])
    for words, (favour, against) in sides:
        if favour or against:
            begin = words if favour else f"But {words[0].lower()}{words[1:]}"
            told = ", but ".join(filter(None, (favour, against)))
            yield f"{begin} {told} than {second.move}."


def _parts(one: StarsOutlook, two: StarsOutlook, samples: int, good: int) -> tuple[str, str]:
    """The largest sure differences, in words: those for ``one`` and those against it.

    Args:
        one: The stars of a side after the one move.
        two: The stars of the same side after the other move.
        samples: Sampled games of each.
        good: 1 where more stars are better, -1 where fewer are.
    """
    pairs = [(words, getattr(one, part), getattr(two, part)) for part, words in _PARTS.items()]
    sure = [
        (first.mean - second.mean, words)
        for words, first, second in pairs
        if _differ(first, second, samples)
    ]
    sure.sort(key=lambda entry: -abs(entry[0]))
    largest = sure[:_MOST_PARTS]
    favour = [_part(by, words) for by, words in largest if by * good > 0]
    against = [_part(by, words) for by, words in largest if by * good < 0]
    return _in_series(favour), _in_series(against)


def _part(by: float, words: str) -> str:
    return f"{abs(by):.1f} stars {'more' if by > 0 else 'fewer'} from {words}"


def _in_series(told: Sequence[str]) -> str:
    return series(told) if told else ""


def _differ(one: StarsEstimate, two: StarsEstimate, samples: int) -> bool:
    by = abs(one.mean - two.mean)
    return by >= _LEAST_STARS and by > _SURE * math.hypot(one.spread, two.spread) / samples**0.5


def _doubt(outlook: Outlook) -> Iterator[str]:
    """How the doubt about the end splits."""
    if not outlook.splits_doubt:
        return
    if outlook.hand_share < 0.005:
        yield "The doubt is in future draws and decisions, hardly in the other hand."
    elif outlook.hand_share >= 0.995:
        yield "The doubt is in the other hand, hardly in future draws and decisions."
    else:
        share = f"{outlook.hand_share:.0%}"
        yield f"{share} of the doubt is the other hand, the rest future draws and decisions."
