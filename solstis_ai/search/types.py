"""What a search is asked and what it answers; plain values, no search in here.

Fields are named as on the wire, so that the field of an error is a path that a client of
the service understands too: ``"limits.iterations"``, ``"seed"``.
"""

from __future__ import annotations

import hashlib
import math
import sys
from dataclasses import dataclass, replace
from enum import StrEnum

from solstis_ai.errors import InvalidSearchError
from solstis_ai.notation import format_observation
from solstis_ai.observation import Observation
from solstis_ai.vocabulary import Move

__all__ = [
    "DEFAULT_TIME_SECONDS",
    "LEAST_SAMPLES",
    "MAX_ITERATIONS",
    "MAX_NODES",
    "MAX_SEED",
    "MAX_THREADS",
    "NETWORK_ITERATIONS",
    "STAR_PARTS",
    "TEXTBOOK_EXPLORATION",
    "Analysis",
    "Evaluation",
    "Limits",
    "MoveStatistics",
    "Outlook",
    "SearchConfig",
    "StarsEstimate",
    "StarsOutlook",
    "check_seed",
    "default_seed",
    "is_finite",
    "is_whole",
    "mixed_seed",
]

DEFAULT_TIME_SECONDS = 1.0
"""Thinking time where neither iterations nor a time are asked for, in seconds."""

MAX_ITERATIONS = 10**9
"""Most iterations of a search, also where only time limits it; the counts in a node hold them."""

MAX_THREADS = 256
"""Most threads of a search."""

MAX_NODES = 2**31
"""Most nodes of a tree."""

MAX_SEED = 2**64 - 1
"""The largest seed; seeds are unsigned 64-bit numbers."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends a search; whatever comes first ends it.

    Attributes:
        iterations: Number of search iterations, 1 to ``MAX_ITERATIONS``; None does not limit.
        time_seconds: Thinking time in seconds, finite and above 0; None does not limit.
        threads: Number of search threads, 1 to ``MAX_THREADS``.

    Raises:
        InvalidSearchError: If a value is out of range; names ``limits.<attribute>``.
    """

    iterations: int | None = None
    time_seconds: float | None = None
    threads: int = 1

    def __post_init__(self) -> None:
        if self.iterations is not None:
            _check_count("limits.iterations", self.iterations, MAX_ITERATIONS)
        if self.time_seconds is not None:
            _check_duration("limits.time_seconds", self.time_seconds)
        _check_count("limits.threads", self.threads, MAX_THREADS)

    def or_time(self, seconds: float) -> Limits:
        """These limits, or ``seconds`` of thinking time when nothing ends the search."""
        if self.iterations is None and self.time_seconds is None:
            return replace(self, time_seconds=seconds)
        return self


@dataclass(frozen=True, slots=True)
class StarsEstimate:
    """A number of stars at the end of the game.

    Attributes:
        mean: The expected number.
        spread: Standard deviation from game to game, not the error of ``mean``.
    """

    mean: float
    spread: float


@dataclass(frozen=True, slots=True)
class StarsOutlook:
    """The stars of one side at the end, and the parts that they come from (R24).

    Attributes:
        total: All of them; the means of the parts add up to it.
        area: Land tiles in the largest area.
        fires: Lit fire icons.
        spirits: Spirits that are not covered.
        bonuses: What blue spirits add.
        fireflies: Lit fireflies.
    """

    total: StarsEstimate
    area: StarsEstimate
    fires: StarsEstimate
    spirits: StarsEstimate
    bonuses: StarsEstimate
    fireflies: StarsEstimate


STAR_PARTS = ("area", "fires", "spirits", "bonuses", "fireflies")
"""The parts in a ``StarsOutlook``, in the order of R24."""


LEAST_SAMPLES = 512
"""Sampled games of which the split of the doubt is told."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """How the game may end after one move, by sampled games that go on plausibly after it.

    Attributes:
        samples: Sampled games.
        you: Stars of the searching seat.
        opponent: Stars of the other seat.
        lead: Stars of ``you`` minus stars of ``opponent``.
        hand_share: Share of the variance of ``lead`` that comes from the hidden tiles of the
            other hand, 0 to 1; the rest comes from what is still drawn and decided.
    """

    samples: int
    you: StarsOutlook
    opponent: StarsOutlook
    lead: StarsEstimate
    hand_share: float

    @property
    def splits_doubt(self) -> bool:
        """Whether ``hand_share`` is worth telling: there is doubt, and it is more than noise."""
        return self.lead.spread > 0 and self.samples >= LEAST_SAMPLES


@dataclass(frozen=True, slots=True)
class MoveStatistics:
    """What the search found about one legal move.

    Attributes:
        move: The move.
        visits: Iterations that chose it.
        available: Iterations in which it was legal (availability count).
        win_probability: Share of iterations won after it, draws counted half; 0 to 1. In a
            solved ending the exact chance.
        standard_error: Standard error of ``win_probability``, 0 where that is exact: about how far
            the answers of other seeds lie from it. It cannot tell of what the search has yet to
            find, above all after moves with a small part of the visits.
        expected_stars: Stars that the searching seat is expected to have at the end: the mean of
            ``outlook``, in a solved ending the exact one; None where the move was never tried.
        opponent_expected_stars: Stars that the other seat is expected to have; likewise.
        outlook: How the game may end after it, by more samples for the best four moves; None
            where the move was never tried, and in a solved ending.
    """

    move: Move
    visits: int
    available: int
    win_probability: float
    standard_error: float
    expected_stars: float | None = None
    opponent_expected_stars: float | None = None
    outlook: Outlook | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer of a search.

    Attributes:
        move: The recommended move.
        win_probability: Share of iterations won after it, draws counted half; 0 to 1.
        expected_stars: Stars that the searching seat is expected to have at the end; 0 where
            nothing has been searched.
        opponent_expected_stars: Stars that the other seat is expected to have; likewise.
        alternatives: All legal moves, most visits first; in a solved ending the best first. Of
            a search that overlooks moves, those that it notices.
        line: The likely rest of the turn, beginning with ``move``.
        iterations: Iterations done.
        elapsed_seconds: Time spent searching, in seconds.
        solved: Whether the move is certain: forced, or the best one of an ending (deck empty)
            that was solved to the end. A solved ending took no iterations; its numbers are
            exact: the chance to win, and then the margin, that the seat can guarantee against
            an opponent who sees every hand. Where nothing lies face down, both know all
            hands, and they are the value of the game.
        truncated: Whether the search ended before its limit.
        seed: The seed used; with the same limits it repeats the answer.
        reasons: Why, in plain sentences.
    """

    move: Move
    win_probability: float
    expected_stars: float
    opponent_expected_stars: float
    alternatives: tuple[MoveStatistics, ...]
    line: tuple[Move, ...]
    iterations: int
    elapsed_seconds: float
    solved: bool
    truncated: bool
    seed: int
    reasons: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Whether the numbers are those of an ending solved to its end, and no estimates."""
        return self.solved and not any(row.standard_error for row in self.alternatives)

    @property
    def outlook(self) -> Outlook | None:
        """How the game may end after the recommended move; None where nothing was searched."""
        return next((row.outlook for row in self.alternatives if row.move == self.move), None)


class Evaluation(StrEnum):
    """How a leaf of the search tree is evaluated."""

    NETWORK = "network"
    """By the network that comes with the package."""
    PLAYOUTS = "playouts"
    """By a uniformly random playout to the end, as published."""


TEXTBOOK_EXPLORATION = 0.7
"""Exploration constant of the published algorithm (Cowling, Powley & Whitehouse 2012)."""

NETWORK_ITERATIONS = 2000
"""Most iterations for which the network plays better than playouts; see docs/strength.md."""

DEFAULT_LOOKAHEAD = 2
"""Decisions between a leaf and its judgement; see docs/strength.md."""

MAX_LOOKAHEAD = 100
"""No playout has more decisions by far."""

_TUNED_EXPLORATION = {Evaluation.NETWORK: 0.4, Evaluation.PLAYOUTS: TEXTBOOK_EXPLORATION}


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """Constants of the search.

    Attributes:
        evaluation: How leaves are evaluated. None takes what is stronger within the limits: the
            network where they ask for at most ``NETWORK_ITERATIONS``, else playouts.
        exploration: Constant of UCB1 for rewards in 0..1, finite and at least 0. None takes
            the one that is tuned for the evaluation.
        lookahead: Decisions between the end of a leaf's turn and its judgement by the
            network, 0 to 100; playouts have none.
        max_nodes: Most nodes of one tree, 24 bytes each. A full tree stays as it is: the
            search goes on and refines the statistics of the nodes that it has.
        endgame: Whether to solve endings exactly (``search/exact.py``) before searching, with
            a fifth of the limits.
        overtaking: Whether a move that has clearly a better share of wins than the most visited
            one is recommended in its place: by three standard errors, after a tenth of its
            visits at least. A late find of the search has not caught up in visits then.
        overlooks: Probability of each legal move to go unnoticed, 0 to 1. One move, chosen at
            random, is always noticed; the answer is the best of those that are, and tells of no
            other. Which ones depends on observation and seed. Above 0, ``endgame`` must be
            off: nobody solves an ending and overlooks its moves.

    Raises:
        InvalidSearchError: If a value is out of range, or two do not go together; names
            ``config.<attribute>``.
    """

    evaluation: Evaluation | None = None
    exploration: float | None = None
    lookahead: int = DEFAULT_LOOKAHEAD
    max_nodes: int = 1 << 22
    endgame: bool = True
    overtaking: bool = True
    overlooks: float = 0.0

    def __post_init__(self) -> None:
        if self.exploration is not None and not 0 <= self.exploration < math.inf:
            raise InvalidSearchError(
                "config.exploration", f"{self.exploration} is not a finite number from 0 up"
            )
        if not is_whole(self.lookahead) or not 0 <= self.lookahead <= MAX_LOOKAHEAD:
            raise InvalidSearchError(
                "config.lookahead",
                f"{self.lookahead!r} is not a whole number from 0 to {MAX_LOOKAHEAD}",
            )
        _check_count("config.max_nodes", self.max_nodes, MAX_NODES)
        if not 0 <= self.overlooks <= 1:
            raise InvalidSearchError(
                "config.overlooks", f"{self.overlooks} is not a probability from 0 to 1"
            )
        if self.overlooks > 0 and self.endgame:
            raise InvalidSearchError(
                "config.endgame", "a search that overlooks moves solves no endings; switch it off"
            )

    def evaluation_within(self, limits: Limits) -> Evaluation:
        """How leaves are evaluated in a search with these limits."""
        if self.evaluation is not None:
            return self.evaluation
        few = limits.iterations is not None and limits.iterations <= NETWORK_ITERATIONS
        return Evaluation.NETWORK if few else Evaluation.PLAYOUTS

    def exploration_for(self, evaluation: Evaluation) -> float:
        """The constant of UCB1 with this evaluation."""
        if self.exploration is not None:
            return self.exploration
        return _TUNED_EXPLORATION[evaluation]


def check_seed(seed: int) -> int:
    """Return a seed that is an unsigned 64-bit number; refuse another.

    Raises:
        InvalidSearchError: With field ``seed``.
    """
    if not is_whole(seed) or not 0 <= seed <= MAX_SEED:
        raise InvalidSearchError(
            "seed", f"{seed!r} is no seed; a whole number from 0 to {MAX_SEED}"
        )
    return seed


def default_seed(observation: Observation) -> int:
    """A seed that depends on what the seat sees and on nothing else."""
    digest = hashlib.blake2b(format_observation(observation).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def mixed_seed(observation: Observation, seed: int) -> int:
    """A seed that depends on what the seat sees and on ``seed``."""
    return (default_seed(observation) + seed * 0x9E3779B97F4A7C15) % (MAX_SEED + 1)


def is_whole(value: object) -> bool:
    """Whether ``value`` is a whole number; True and False are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_finite(value: object) -> bool:
    """Whether ``value`` is a number that a float can hold; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= sys.float_info.max


def _check_count(field: str, value: int, most: int) -> None:
    if not is_whole(value) or not 1 <= value <= most:
        raise InvalidSearchError(field, f"{value!r} is not a whole number from 1 to {most:,}")


def _check_duration(field: str, value: float) -> None:
    if not is_finite(value) or value <= 0:
        raise InvalidSearchError(field, f"{value!r} is no thinking time; a finite number above 0")
