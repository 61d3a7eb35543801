"""A search from an observation: limits, threads and the answer so far.

The tree itself is grown by ``Searcher`` without the GIL. Several threads grow one tree each and
tell each other what they have found (``Team``) after fixed numbers of iterations, so that an
answer depends on observation, limits and seed alone, for any number of threads.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import partial

from solstis_ai import bridge
from solstis_ai._fast import ChanceFeed
from solstis_ai.observation import Observation
from solstis_ai.search import helpers
from solstis_ai.search.exact import AT_ONCE_SECONDS, ExactSearch, exact_search
from solstis_ai.search.reasons import exact_reasons, reasons
from solstis_ai.search.searcher import WIN_REWARD, Searcher
from solstis_ai.search.stars import OutlookTable, hand_is_certain
from solstis_ai.search.team import Team
from solstis_ai.search.types import (
    DEFAULT_TIME_SECONDS,
    MAX_ITERATIONS,
    Analysis,
    Evaluation,
    Limits,
    MoveStatistics,
    Outlook,
    SearchConfig,
    check_seed,
    default_seed,
    mixed_seed,
)
from solstis_ai.search.weights import evaluator_for
from solstis_ai.validation import validate
from solstis_ai.vocabulary import Move, MoveKind

__all__ = ["Search"]

_SLICE_SECONDS = 0.1

_FEW_ITERATIONS = 400  # one thread grows all trees: it takes as long to hand work over

_SPREAD = {Evaluation.PLAYOUTS: 1.0, Evaluation.NETWORK: 0.5}
"""Standard error, as a part of that of games won or lost: judgements lie closer together.

``benchmarks/standard_error.py`` compares it with the answers of other seeds.
"""

_OVERTAKING_PART = 0.1  # of the most visits
_OVERTAKING_ERRORS = 3.0

FORCED_SAMPLE = 100
"""Iterations that estimate the outlook when there is only one legal move."""

_FLIP = 1  # number of the chance event kind, see ChanceFeed


class Search:
    """One search; ``run`` may be called again to go on where it stopped.

    Args:
        observation: What the seat sees. Nothing else enters the search.
        limits: When to stop; a second of time when neither iterations nor time are given.
        seed: 0 to 2**64 - 1; derived from the observation by default.
        config: Constants of the search.

    Raises:
        InvalidObservationError: If the observation contradicts the rules or itself.
        InvalidSearchError: If limits or seed are out of range.
    """

    def __init__(
        self,
        observation: Observation,
        limits: Limits | None = None,
        seed: int | None = None,
        config: SearchConfig | None = None,
    ) -> None:
        validate(observation)
        limits = (limits or Limits()).or_time(DEFAULT_TIME_SECONDS)
        config = config or SearchConfig()
        self._observation = observation
        self._seed = default_seed(observation) if seed is None else check_seed(seed)
        self._knowledge = bridge.knowledge_of_observation(observation)
        self._one_hand = hand_is_certain(observation)
        self._outlooks = OutlookTable(observation, self._knowledge, self._seed)
        self._forced = self._knowledge.legal_count() == 1
        self._exact = exact_search(self._knowledge, limits, config)
        self._shares = self._split(limits)
        self._time_left = self._time(limits)
        self._elapsed = 0.0
        self._stopped = False
        evaluation = config.evaluation_within(limits)
        network = evaluation is Evaluation.NETWORK
        self._spread = _SPREAD[evaluation]
        self._overtaking = config.overtaking
        evaluator = evaluator_for(observation.rules) if network else None
        self._failure: BaseException | None = None
        team = Team(len(self._shares)) if len(self._shares) > 1 else None
        self._searchers = [
            Searcher(
                self._knowledge,
                self._seed,
                stream,
                config.exploration_for(evaluation),
                evaluator,
                config.lookahead,
                config.max_nodes,
                share,
                team,
            )
            for stream, share in enumerate(self._shares)
        ]
        self._noticed = self._notice(config.overlooks)

    def _notice(self, overlooks: float) -> Sequence[int]:
        """Indices of the root moves that are noticed."""
        searcher = self._searchers[0]
        if overlooks == 0:
            return range(len(searcher.root_codes))
        return searcher.noticed(mixed_seed(self._observation, self._seed), overlooks)

    def _split(self, limits: Limits) -> list[int]:
        if self._forced:
            return [min(limits.iterations or FORCED_SAMPLE, FORCED_SAMPLE)]
        if limits.iterations is None:
            return [MAX_ITERATIONS] * limits.threads
        threads = min(limits.threads, limits.iterations)
        whole, rest = divmod(limits.iterations, threads)
        return [whole + (stream < rest) for stream in range(threads)]

    def _time(self, limits: Limits) -> float:
        return math.inf if limits.time_seconds is None else limits.time_seconds

    @property
    def forced(self) -> bool:
        """Whether there is only one legal move; ``run`` then takes no time worth mention."""
        return self._forced

    @property
    def solved(self) -> bool:
        """Whether the answer is that of an ending solved to its end."""
        return self._exact is not None and self._exact.solved

    def settle(self) -> bool:
        """Find an answer that takes no time worth mention: forced, or quickly solved.

        Returns:
            Whether there is one; it is final, and ``run`` has nothing to add.
        """
        if self._forced:
            return self.run()
        if self._exact is not None:
            self._run_exact(self._exact, AT_ONCE_SECONDS)
        return self.solved

    @property
    def iterations(self) -> int:
        """Iterations done, by all threads."""
        return sum(searcher.iterations for searcher in self._searchers)

    @property
    def finished(self) -> bool:
        """Whether a limit is reached."""
        done = all(
            searcher.iterations >= share
            for searcher, share in zip(self._searchers, self._shares, strict=True)
        )
        return self.solved or done or self._time_left <= 0

    def run(self, max_seconds: float | None = None) -> bool:
        """Search until a limit, ``stop`` or ``max_seconds``, without the GIL.

        The search comes back to Python a few times a second, so that Ctrl-C is heard.

        Returns:
            Whether a limit is reached.
        """
        until = time.monotonic() + (math.inf if max_seconds is None else max_seconds)
        while (exact := self._exact) is not None:
            self._run_exact(exact, min(_SLICE_SECONDS, max(until - time.monotonic(), 0.0)))
            if self.finished or self._stopped or time.monotonic() >= until:
                return self.finished
        self._run_threads(until)
        return self.finished

    def _run_exact(self, exact: ExactSearch, seconds: float) -> None:
        begin = time.monotonic()
        exact.run(seconds)
        exact.spend(self._spend_since(begin))
        self._exact = None if exact.given_up else exact

    def _run_threads(self, until: float) -> None:
        begin = time.monotonic()
        self._failure = None
        works = [
            partial(self._run_one, stream, begin, until) for stream in range(len(self._searchers))
        ]
        works[1:] = [partial(self._watched, work) for work in works[1:]]
        try:
            if sum(self._shares) <= _FEW_ITERATIONS:
                for work in works:
                    work()
            else:
                helpers.together(works, self._fail)
        finally:
            self._spend_since(begin)
        if self._failure is not None:
            raise self._failure

    def _fail(self, failure: BaseException) -> None:
        """Have all threads leave."""
        self._failure = failure

    def _watched(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as failure:  # raised where all threads end
            self._fail(failure)

    def _spend_since(self, begin: float) -> float:
        """Take the time since ``begin`` off the limit; returns it."""
        spent = time.monotonic() - begin
        self._elapsed += spent
        self._time_left -= spent
        return spent

    def _run_one(self, stream: int, begin: float, until: float) -> None:
        """Grow one tree in slices, at least one; all threads leave when one has failed."""
        searcher, share = self._searchers[stream], self._shares[stream]
        now, end = time.monotonic(), begin + self._time_left  # a helper may begin late
        while True:
            seconds = min(_SLICE_SECONDS, max(until - now, 0.0))
            searcher.run(share, seconds, _or_negative(end - now))
            now = time.monotonic()
            done = searcher.iterations >= share or now >= min(until, end)
            if done or searcher.stopped or self._failure is not None:
                return

    def stop(self) -> None:
        """End ``run`` at once, from any thread; the answer is then truncated."""
        self._stopped = True
        if (exact := self._exact) is not None:
            exact.stop()
        for searcher in self._searchers:
            searcher.stop()

    def best_move(self) -> Move:
        """The move of ``analysis``, without the rest of it."""
        if self._exact is not None and self._exact.solved:
            return bridge.move_from_code(self._exact.values()[0].code)
        best = self._ranking(self._table())[0]
        return bridge.move_from_code(self._searchers[0].root_codes[best])

    def analysis(self) -> Analysis:
        """The answer so far; a legal one even before ``run``."""
        if self._exact is not None and self._exact.solved:
            return self._exact_analysis(self._exact)
        table = self._table()
        codes = self._searchers[0].root_codes
        order = self._ranking(table)
        visited = [codes[i] for i in order if table[i][0]]
        outlooks = self._outlooks.outlooks(visited, self.iterations, self._stopped)
        rows = [self._row(codes[i], table[i], outlooks.get(codes[i])) for i in order]
        line = tuple(bridge.move_from_code(code) for code in self._line(codes[order[0]]))
        return Analysis(
            move=rows[0].move,
            win_probability=rows[0].win_probability,
            expected_stars=rows[0].expected_stars or 0.0,
            opponent_expected_stars=rows[0].opponent_expected_stars or 0.0,
            alternatives=tuple(rows),
            line=line,
            iterations=self.iterations,
            elapsed_seconds=self._elapsed,
            solved=self._forced,
            truncated=not self.finished,
            seed=self._seed,
            reasons=reasons(self._observation, rows, line, self._forced),
        )

    def _exact_analysis(self, exact: ExactSearch) -> Analysis:
        values = exact.values()
        best, rows = values[0], tuple(value.row() for value in values)
        line = tuple(bridge.move_from_code(code) for code in exact.line())
        return Analysis(
            move=rows[0].move,
            win_probability=best.win_probability,
            expected_stars=best.stars,
            opponent_expected_stars=best.opponent_stars,
            alternatives=rows,
            line=line,
            iterations=0,
            elapsed_seconds=self._elapsed,
            solved=True,
            truncated=False,
            seed=self._seed,
            reasons=exact_reasons(self._observation, rows, line),
        )

    def _table(self) -> list[list[int]]:
        """Sums over all threads, one row for each root move (columns: ``statistics``)."""
        tables = [searcher.statistics() for searcher in self._searchers]
        return [
            [sum(column) for column in zip(*rows, strict=True)]
            for rows in zip(*tables, strict=True)
        ]

    def _row(self, code: int, sums: list[int], outlook: Outlook | None) -> MoveStatistics:
        visits, available, reward = sums
        return MoveStatistics(
            move=bridge.move_from_code(code),
            visits=visits,
            available=available,
            win_probability=_share(reward, visits),
            standard_error=self._spread * _standard_error(reward, visits),
            expected_stars=outlook.you.total.mean if outlook else None,
            opponent_expected_stars=outlook.opponent.total.mean if outlook else None,
            outlook=outlook,
        )

    def _ranking(self, table: list[list[int]]) -> list[int]:
        """Indices of the noticed root moves: most visits first, then the better share of wins.

        A move that has clearly a better share than the most visited one stands before it.
        """
        order = sorted(
            self._noticed, key=lambda i: (-table[i][0], -_share(table[i][2], table[i][0]), i)
        )
        if not self._overtaking:
            return order
        better = [i for i in order if self._overtakes(table[i], table[order[0]])]
        best = max(better, key=lambda i: _share(table[i][2], table[i][0]), default=order[0])
        return sorted(order, key=lambda i: i != best)

    def _overtakes(self, one: list[int], other: list[int]) -> bool:
        (visits, _, reward), (most, _, other_reward) = one, other
        if visits < _OVERTAKING_PART * most:
            return False
        errors = _standard_error(reward, visits), _standard_error(other_reward, most)
        ahead = _share(reward, visits) - _share(other_reward, most)
        return ahead > _OVERTAKING_ERRORS * self._spread * math.hypot(*errors)

    def _line(self, code: int) -> list[int]:
        """The likely rest of the turn: most visited moves, until chance or the other decides.

        It is read off one sampled world, and ends before a decision about tiles that the seat
        does not know yet.
        """
        world = self._knowledge.sample(ChanceFeed.random(self._seed))
        feed = ChanceFeed.random(self._seed)
        line = [code]
        turned_up: set[int] = set()
        while True:
            world.apply(line[-1], feed)
            turned_up.update(value for kind, value in feed.events if kind == _FLIP)
            by_chance = any(kind != _FLIP for kind, _ in feed.events)
            if by_chance or world.mover != 0 or world.legal_count() == 0:
                return line
            code = max(world.legal_codes(), key=lambda code: self._visits([*line, code]))
            untried = world.legal_count() > 1 and self._visits([*line, code]) == 0
            if untried or self._takes_hidden(code, turned_up):
                return line
            line.append(code)

    def _takes_hidden(self, code: int, turned_up: set[int]) -> bool:
        """Whether a tile is taken that was turned up on the way, or one that the fox shows."""
        forces = bridge.move_from_code(code).kind is MoveKind.FORCE
        return bridge.added_tile(code) in turned_up or (forces and not self._one_hand)

    def _visits(self, path: list[int]) -> int:
        first, *others = self._searchers
        return first.visits_after(path) + sum(
            searcher.further_visits_after(path, first) for searcher in others
        )


def _or_negative(seconds: float) -> float:
    """The way to say "no limit" to a ``Searcher``."""
    return -1.0 if math.isinf(seconds) else max(seconds, 0.0)


def _share(reward: int, visits: int) -> float:
    return reward / (WIN_REWARD * visits) if visits else 0.5


def _standard_error(reward: int, visits: int) -> float:
    """Of a share of games, as if two more had been won and two lost (Agresti & Coull 1998).

    Without them a few visits that all end alike would seem to leave no doubt.
    """
    share = (reward / WIN_REWARD + 2) / (visits + 4)
    return math.sqrt(share * (1 - share) / (visits + 4))
