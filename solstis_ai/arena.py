"""Matches between players over paired deals, with confidence intervals and SPRT.

A pair is one deal, shuffle included, played twice with the seats swapped, so that a good hand
favours neither player. Pairs are independent of each other, the two games of a pair are
not: all statistics take the pair as one observation.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from solstis_ai.errors import ArenaError
from solstis_ai.game import Game
from solstis_ai.players import Player, player_from_spec
from solstis_ai.vocabulary import Rules
from solstis_ai.workers import worker_pool

__all__ = [
    "GameResult",
    "Match",
    "PairResult",
    "Sprt",
    "Summary",
    "play_match",
    "play_pair",
    "summarize",
]

LEAST_PAIRS = 10
"""Pairs that a sequential test waits for."""

MOST_ELO = 10_000
"""The largest difference that a sequential test is asked for; no match could show a larger one."""

_SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # that a pair can have

_CONFIDENCE = 1.959964  # standard errors of a two-sided interval of 95 %


@dataclass(frozen=True, slots=True)
class Match:
    """What is played.

    Attributes:
        first: Spec of player A.
        second: Spec of player B.
        rules: The variant.
        seeds: Seeds of the deals, one for each pair.
    """

    first: str
    second: str
    rules: Rules
    seeds: Sequence[int]

    def __post_init__(self) -> None:
        player_from_spec(self.first)
        player_from_spec(self.second)
        if self.rules.fireflies and not self.rules.evil_spirit:
            raise ArenaError("the beginner's game does not go together with Fireflies (R5)")
        if not self.seeds:
            raise ArenaError("a match needs at least one deal")


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game, told from players A and B.

    Attributes:
        points: Of player A: 1 win, 0.5 draw, 0 loss.
        stars: Stars of A and of B.
        a_began: Whether A had the first turn.
        decisions: Decisions with a choice, of A and of B.
        iterations: Search iterations of A and of B.
        seconds: Time for those decisions, of A and of B.
    """

    points: float
    stars: tuple[int, int]
    a_began: bool
    decisions: tuple[int, int]
    iterations: tuple[int, int]
    seconds: tuple[float, float]


@dataclass(frozen=True, slots=True)
class PairResult:
    """Both games of one deal."""

    seed: int
    games: tuple[GameResult, GameResult]

    @property
    def score(self) -> float:
        """Share of the points that A has got, 0 to 1."""
        return (self.games[0].points + self.games[1].points) / 2


class _Effort:
    """What one player has spent in a game."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.decisions = 0
        self.iterations = 0
        self.seconds = 0.0

    def decide(self, game: Game) -> None:
        """Take one decision; a forced one costs nothing and is not counted."""
        if len(game.legal_moves) == 1:
            game.push(next(iter(game.legal_moves)))
            return
        observation = game.observation(game.player)
        begin = time.perf_counter()
        choice = self.player.choose(observation)
        self.seconds += time.perf_counter() - begin
        self.decisions += 1
        self.iterations += choice.iterations
        game.push(choice.move)


def _play_game(match: Match, seed: int, a_begins: bool) -> GameResult:
    game = Game(match.rules, seed=seed)
    a, b = _Effort(player_from_spec(match.first)), _Effort(player_from_spec(match.second))
    seats = (a, b) if a_begins else (b, a)
    while not game.over:
        seats[game.player].decide(game)
    seat_of_a = 0 if a_begins else 1
    points = 0.5 if game.winner is None else float(game.winner == seat_of_a)
    return GameResult(
        points=points,
        stars=(game.score(seat_of_a).total, game.score(1 - seat_of_a).total),
        a_began=a_begins,
        decisions=(a.decisions, b.decisions),
        iterations=(a.iterations, b.iterations),
        seconds=(a.seconds, b.seconds),
    )


def play_pair(match: Match, seed: int) -> PairResult:
    """Play the deal of ``seed`` twice, A first in the first game."""
    return PairResult(seed, (_play_game(match, seed, True), _play_game(match, seed, False)))


# ---- statistics --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures of a match, told from player A; ranges are 95 % confidence intervals.

    Attributes:
        pairs: Number of pairs.
        score: Share of points of A, 0 to 1.
        score_range: Its interval, from the variance of pairs.
        elo: Difference in Elo; infinite for a score of 0 or 1.
        elo_range: Its interval.
        wins: Games won by A.
        draws: Games drawn.
        losses: Games lost by A.
        stars: Mean stars of A and of B.
        first_player_score: Share of points of whoever began.
        seconds_per_decision: Of A and of B.
        iterations_per_decision: Of A and of B.
    """

    pairs: int
    score: float
    score_range: tuple[float, float]
    elo: float
    elo_range: tuple[float, float]
    wins: int
    draws: int
    losses: int
    stars: tuple[float, float]
    first_player_score: float
    seconds_per_decision: tuple[float, float]
    iterations_per_decision: tuple[float, float]


def elo(score: float) -> float:
    """Elo difference of an expected score (Elo 1978), in points."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else 400 * math.log10(score / (1 - score))


def expected_score(difference: float) -> float:
    """Expected score of an Elo difference."""
    return 1 / (1 + 10 ** (-difference / 400))


def summarize(results: Iterable[PairResult]) -> Summary:
    """The figures of these pairs, at least one.

    Raises:
        ArenaError: If there is no pair.
    """
    pairs = sorted(results, key=lambda result: result.seed)
    if not pairs:
        raise ArenaError("no pair has been played")
    games = [game for pair in pairs for game in pair.games]
    scores = np.array([pair.score for pair in pairs])
    mean = float(scores.mean())
    low, high = _interval(scores)
    points = [game.points for game in games]
    return Summary(
        pairs=len(pairs),
        score=mean,
        score_range=(low, high),
        elo=elo(mean),
        elo_range=(elo(low), elo(high)),
        wins=points.count(1.0),
        draws=points.count(0.5),
        losses=points.count(0.0),
        stars=_means([game.stars for game in games]),
        first_player_score=float(
            np.mean([game.points if game.a_began else 1 - game.points for game in games])
        ),
        seconds_per_decision=_ratios(
            [game.seconds for game in games], [game.decisions for game in games]
        ),
        iterations_per_decision=_ratios(
            [game.iterations for game in games], [game.decisions for game in games]
        ),
    )


def _interval(scores: np.ndarray[Any, np.dtype[np.float64]]) -> tuple[float, float]:
    """95 % confidence interval of the mean: normal, or by the rule of three where all are equal."""
    mean, pairs = float(scores.mean()), len(scores)
    if scores.min() == scores.max():
        unseen = min(3 / pairs, 1.0)  # share of others, at most (Hanley & Lippman-Hand 1983)
        return mean * (1 - unseen), mean + (1 - mean) * unseen
    margin = _CONFIDENCE * float(scores.std(ddof=1)) / math.sqrt(pairs)
    return max(mean - margin, 0.0), min(mean + margin, 1.0)


def _means(values: Sequence[tuple[float, float]]) -> tuple[float, float]:
    first, second = np.mean(np.array(values, dtype=float), axis=0)
    return float(first), float(second)


def _ratios(
    values: Sequence[tuple[float, float]], counts: Sequence[tuple[int, int]]
) -> tuple[float, float]:
    totals = np.sum(np.array(values, dtype=float), axis=0)
    divisors = np.maximum(np.sum(np.array(counts, dtype=float), axis=0), 1)
    first, second = totals / divisors
    return float(first), float(second)


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of Elo difference ``low`` against ``high`` (Wald 1945).

    The log likelihood ratio of pairs is taken with their own variance (generalized SPRT,
    Van den Bergh), as in the testing of chess engines. What a few pairs that happen to end alike
    say about the variance is little: it begins with that of one pair of each possible score, and
    nothing is decided by fewer than ``LEAST_PAIRS``.

    Attributes:
        low: Elo difference of the null hypothesis.
        high: Elo difference of the alternative, above ``low``.
        error: Probability of each kind of error.

    Raises:
        ArenaError: If a difference is beyond ``MOST_ELO``, or no number; if ``low`` is not below
            ``high``; or if ``error`` is not between 0 and 0.5.
    """

    low: float
    high: float
    error: float = 0.05

    def __post_init__(self) -> None:
        for difference in (self.low, self.high):
            if not abs(difference) <= MOST_ELO:  # nan is not
                raise ArenaError(
                    f"SPRT: {difference:g} is no Elo difference from {-MOST_ELO} to {MOST_ELO}"
                )
        if not self.low < self.high:
            raise ArenaError(
                f"SPRT: the lower difference, {self.low:g}, is not below the higher, {self.high:g}"
            )
        if not 0 < self.error < 0.5:
            raise ArenaError(f"SPRT: the error, {self.error:g}, is not between 0 and 0.5")

    @property
    def bound(self) -> float:
        """The log likelihood ratio that decides, in either direction."""
        return math.log((1 - self.error) / self.error)

    def log_likelihood_ratios(self, scores: Sequence[float]) -> np.ndarray[Any, Any]:
        """Evidence for ``high`` over ``low``, after each pair."""
        values = np.array(scores, dtype=float)
        pairs = np.arange(1, len(values) + 1)
        means = np.cumsum(values) / pairs
        squares = np.cumsum(values**2) - pairs * means**2
        prior = (_SCORES - 0.5) ** 2
        variances = (squares + prior.sum()) / (pairs + len(prior) - 1)
        low, high = expected_score(self.low), expected_score(self.high)
        ratios: np.ndarray[Any, Any] = (
            pairs * (high - low) * (2 * means - low - high) / (2 * variances)
        )
        return ratios

    def decided(self, scores: Sequence[float]) -> int | None:
        """How many pairs, from the first, decide; None when they do not."""
        ratios = np.abs(self.log_likelihood_ratios(scores))
        ratios[: LEAST_PAIRS - 1] = 0.0
        beyond = np.flatnonzero(ratios >= self.bound)
        return int(beyond[0]) + 1 if len(beyond) else None

    def verdict(self, scores: Sequence[float]) -> str | None:
        """``"high"`` or ``"low"`` when one is accepted, whatever comes after it; else None."""
        pairs = self.decided(scores)
        if pairs is None:
            return None
        return "high" if self.log_likelihood_ratios(scores[:pairs])[-1] > 0 else "low"


# ---- playing many pairs ------------------------------------------------------------------


def play_match(
    match: Match, *, workers: int, done: Sequence[PairResult] = (), sprt: Sprt | None = None
) -> Iterator[PairResult]:
    """Play what is not ``done`` yet; yields pairs in the order of their deals.

    With ``sprt`` it ends with the first pair that decides. The order makes the result
    independent of the number of workers.
    """
    finished = {result.seed: result for result in done}
    scores: list[float] = []
    with worker_pool(workers) as pool:
        results = _in_order(pool, match, finished, ahead=4 * workers)
        try:
            for result in results:
                if result.seed not in finished:
                    yield result
                scores.append(result.score)
                if sprt is not None and sprt.decided(scores):
                    return
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _in_order(
    pool: Executor, match: Match, finished: dict[int, PairResult], ahead: int
) -> Iterator[PairResult]:
    """All pairs by deal, with at most ``ahead`` of them under way."""
    waiting: dict[int, Future[PairResult]] = {}
    todo = iter([seed for seed in match.seeds if seed not in finished])
    for seed in match.seeds:
        while len(waiting) < ahead and (following := next(todo, None)) is not None:
            waiting[following] = pool.submit(play_pair, match, following)
        if seed in finished:
            yield finished[seed]
        else:
            wait([waiting[seed]], return_when=FIRST_COMPLETED)
            yield waiting.pop(seed).result()
