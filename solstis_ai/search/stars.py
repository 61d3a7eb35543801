"""From sampled endings to what is told about them: how much to sample, means, spreads, doubt."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence

from solstis_ai._fast import Knowledge
from solstis_ai.observation import Observation
from solstis_ai.search.outlook import FUTURES_PER_HAND, sample_outlook
from solstis_ai.search.types import Outlook, StarsEstimate, StarsOutlook

__all__ = ["BEST", "LEAST_HANDS", "OutlookTable", "hand_is_certain", "hand_share", "hands_for"]

BEST = 4
"""Most moves of a position whose outlook grows with the search."""

LEAST_HANDS = 4
"""Hands that are sampled for each of the other moves: enough to see roughly where they lead."""

_ITERATIONS_PER_PLAYOUT = 32  # keeps the outlook at a few percent of the search
_LEAST_PLAYOUTS, _MOST_PLAYOUTS = 128, 4096  # of the best moves together
_STOPPED_PLAYOUTS = 256  # about a millisecond: who stops a search does not wait for more

_Sums = list[int]
"""What ``sample_outlook`` returns, as one list."""

_PARTS = 6


def hands_for(iterations: int, moves: int, stopped: bool) -> int:
    """Hands to sample for each of the best moves.

    It depends on counts alone, not on time, so that an answer can be repeated.

    Args:
        iterations: Done by the search, at least 1.
        moves: Legal moves.
        stopped: Whether somebody waits for the end of the search.
    """
    most = _STOPPED_PLAYOUTS if stopped else _MOST_PLAYOUTS
    playouts = min(max(iterations // _ITERATIONS_PER_PLAYOUT, _LEAST_PLAYOUTS), most)
    return playouts // (FUTURES_PER_HAND * min(moves, BEST))


class OutlookTable:
    """The outlooks of the moves of one position; each call samples what is missing.

    Args:
        observation: What the seat sees.
        knowledge: The same for the core.
        seed: Seed of the search.
    """

    def __init__(self, observation: Observation, knowledge: Knowledge, seed: int) -> None:
        self._knowledge = knowledge
        self._seed = seed
        self._one_hand = hand_is_certain(observation)
        self._moves = knowledge.legal_count()
        self._hands: dict[int, int] = {}
        self._sums: dict[int, _Sums] = {}
        self._lock = threading.Lock()

    def outlooks(
        self, codes: Sequence[int], iterations: int, stopped: bool = False
    ) -> dict[int, Outlook]:
        """Outlooks of these moves, by their codes.

        Without ``stopped`` they do not depend on the calls before.

        Args:
            codes: Move codes, best first.
            iterations: Done by the search; the more, the more is sampled for the ``BEST``.
            stopped: Whether somebody waits for the end of the search; nothing that has been
                sampled already is left out then.
        """
        hands = hands_for(iterations, self._moves, stopped)
        with self._lock:
            return {
                code: self._outlook(code, hands if rank < BEST else LEAST_HANDS, stopped)
                for rank, code in enumerate(codes)
            }

    def _outlook(self, code: int, hands: int, stopped: bool) -> Outlook:
        first = self._hands.get(code, 0)
        if first > hands and not stopped:  # it was one of the best before
            first = 0
        if first < hands:
            added = _flat(sample_outlook(self._knowledge, code, self._seed, first, hands))
            before = self._sums[code] if first else [0] * len(added)
            self._sums[code] = [old + new for old, new in zip(before, added, strict=True)]
            self._hands[code] = hands
        return _outlook_of(self._sums[code], self._hands[code], self._one_hand)


def hand_share(hands: int, lead: int, lead_squares: int, hand_squares: int) -> float:
    """The share of the hidden hand in the variance of the lead, 0 to 1.

    One-way random effects with ``FUTURES_PER_HAND`` futures a hand: the mean square between
    hands expects the variance within them plus the number of futures times that of the hands;
    both variances are estimated without bias, and a negative one counts as none (Searle,
    Casella & McCulloch 1992, section 3.6).

    Args:
        hands: Sampled hands, at least 2.
        lead: Sum of the lead over all playouts.
        lead_squares: Sum of its squares.
        hand_squares: Sum over the hands of the squared sum over the futures of each.
    """
    futures = FUTURES_PER_HAND
    squares_within = lead_squares - hand_squares / futures
    squares_between = hand_squares / futures - lead * lead / (hands * futures)
    within = squares_within / (hands * (futures - 1))
    of_hands = max((squares_between / (hands - 1) - within) / futures, 0.0)
    return of_hands / (of_hands + within) if of_hands + within > 0 else 0.0


def hand_is_certain(observation: Observation) -> bool:
    """Whether only one hand fits what the seat knows."""
    hidden = observation.opponent_hand_size - len(observation.opponent_known_tiles)
    covered = sum(entry.covers for entry in observation.queue)
    unseen = observation.deck_size + covered + hidden
    return hidden in (0, unseen - len(observation.opponent_excluded_tiles))


def _flat(sums: tuple[Sequence[int] | int, ...]) -> _Sums:
    return [
        number for entry in sums for number in (entry if isinstance(entry, Sequence) else (entry,))
    ]


def _outlook_of(sums: _Sums, hands: int, one_hand: bool) -> Outlook:
    games = hands * FUTURES_PER_HAND
    sides = [_stars_of(sums[start : start + 2 * _PARTS], games) for start in (0, 2 * _PARTS)]
    lead, lead_squares, hand_squares = sums[4 * _PARTS :]
    return Outlook(
        samples=games,
        you=sides[0],
        opponent=sides[1],
        lead=_estimate(lead, lead_squares, games),
        hand_share=0.0 if one_hand else hand_share(hands, lead, lead_squares, hand_squares),
    )


def _stars_of(sums: _Sums, games: int) -> StarsOutlook:
    stars, squares = sums[:_PARTS], sums[_PARTS:]
    return StarsOutlook(*(_estimate(*pair, games) for pair in zip(stars, squares, strict=True)))


def _estimate(total: int, squares: int, games: int) -> StarsEstimate:
    """Mean and standard deviation; the sums are whole numbers, so nothing is lost."""
    spread = math.sqrt((games * squares - total * total) / (games * (games - 1)))
    return StarsEstimate(total / games, spread)
