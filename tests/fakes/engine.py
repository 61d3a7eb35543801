"""An engine that needs no core: it waits instead of searching and remembers what it saw."""

from __future__ import annotations

import os
import threading
import time

from solstis_ai.errors import InvalidObservationError
from solstis_ai.observation import Observation
from solstis_ai.search.types import (
    Analysis,
    Limits,
    MoveStatistics,
    Outlook,
    SearchConfig,
    StarsEstimate,
    StarsOutlook,
    check_seed,
)
from solstis_ai.validation import validate
from solstis_ai.vocabulary import Move, MoveKind, Phase

ITERATIONS_A_SECOND = 10_000
DEFAULT_SEED = 17

OUTLOOK = Outlook(
    samples=16,
    you=StarsOutlook(*(StarsEstimate(n, n + 0.5) for n in (21.5, 12, 3.5, 3, 2, 1))),
    opponent=StarsOutlook(*(StarsEstimate(n, n + 0.25) for n in (17.25, 11, 2, 3.25, 1, 0))),
    lead=StarsEstimate(4.25, 7.5),
    hand_share=0.125,
)
"""The outlook of the first move: every figure is different."""


class FakeSearch:
    """A search that gains iterations by waiting; one run at a time, as the real one."""

    settled = False  # whether the answer is there at once, as that of a small ending

    def __init__(
        self,
        observation: Observation,
        limits: Limits,
        seed: int | None,
        config: SearchConfig | None = None,
    ) -> None:
        self.config = config
        self.moves = fake_moves(observation)
        self.limits = limits
        self.seed = DEFAULT_SEED if seed is None else seed
        self.elapsed = 0.0
        self.runs = 0
        self.niceness: int | None = None
        self.answered_on: list[str] = []
        self.stopped = threading.Event()
        self._in_run = threading.Lock()

    @property
    def forced(self) -> bool:
        return len(self.moves) == 1

    def settle(self) -> bool:
        return self.settled or (self.forced and self.run())

    def run(self, max_seconds: float | None = None) -> bool:
        assert self._in_run.acquire(blocking=False), "two runs at the same time"
        try:
            self.runs += 1
            self.niceness = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
            return self._run(max_seconds)
        finally:
            self._in_run.release()

    def stop(self) -> None:
        self.stopped.set()

    def analysis(self) -> Analysis:
        assert not self._in_run.locked(), "the answer is taken during a run"
        self.answered_on.append(threading.current_thread().name)
        count = self.iterations
        return Analysis(
            move=self.moves[0],
            win_probability=0.625,
            expected_stars=21.5,
            opponent_expected_stars=17.25,
            alternatives=tuple(
                MoveStatistics(
                    move,
                    count // (n + 1),
                    count,
                    0.5 / (n + 1),
                    0.03125,
                    expected_stars=None if n else OUTLOOK.you.total.mean,
                    opponent_expected_stars=None if n else OUTLOOK.opponent.total.mean,
                    outlook=None if n else OUTLOOK,
                )
                for n, move in enumerate(self.moves)
            ),
            line=(self.moves[0],),
            iterations=count,
            elapsed_seconds=self.elapsed,
            solved=self.forced or self.settled,
            truncated=not (self.settled or self._finished()),
            seed=self.seed,
            reasons=("It is the first in the alphabet.",),
        )

    @property
    def iterations(self) -> int:
        return min(round(self.elapsed * ITERATIONS_A_SECOND), self.limits.iterations or 2**62)

    def _run(self, max_seconds: float | None) -> bool:
        begin = time.monotonic()
        self.stopped.wait(min(self._seconds_to_limit(), max_seconds or float("inf")))
        self.elapsed += time.monotonic() - begin
        return self._finished()

    def _seconds_to_limit(self) -> float:
        if self.forced:
            return 0.0
        by_count = (self.limits.iterations or 2**62) / ITERATIONS_A_SECOND
        by_time = self.limits.time_seconds or float("inf")
        return max(0.0, min(by_count, by_time) - self.elapsed)

    def _finished(self) -> bool:
        return self._seconds_to_limit() <= 0


class FakeEngine:
    """The engine; ``searches`` are all that it began, ``failure`` makes the next ones fail.

    With ``settles`` the next searches have an exact answer at once.
    """

    RULES_VERSION = "fake-rules"

    def __init__(self) -> None:
        self.searches: list[FakeSearch] = []
        self.failure: Exception | None = None
        self.settles = False

    def legal_moves(self, observation: Observation) -> list[Move]:
        if self.failure is not None:
            raise self.failure
        return fake_moves(observation)

    def Search(  # noqa: N802 - a class in solstis_ai.engine
        self,
        observation: Observation,
        limits: Limits,
        seed: int | None = None,
        config: SearchConfig | None = None,
    ) -> FakeSearch:
        if self.failure is not None:
            raise self.failure
        if seed is not None:
            check_seed(seed)
        search = FakeSearch(observation, limits, seed, config)
        search.settled = self.settles
        self.searches.append(search)
        return search

    def recommend(
        self, observation: Observation, limits: Limits, seed: int | None = None
    ) -> Analysis:
        search = self.Search(observation, limits, seed)
        search.run()
        return search.analysis()

    def processor_level(self) -> str:
        return "fake-v2"

    def available_processor_levels(self) -> list[str]:
        return ["fake-v1", "fake-v2"]


def fake_moves(observation: Observation) -> list[Move]:
    """Plays of the hand, sorted by words; the fake knows no other phase."""
    validate(observation)
    if observation.phase is not Phase.PLAY:
        raise InvalidObservationError("observation.phase", "the fake engine knows play alone")
    tiles = observation.your_hand
    if observation.turn.forced_tile:
        tiles = (observation.turn.forced_tile,)
    return sorted((Move(MoveKind.PLAY, tile) for tile in tiles), key=str)
