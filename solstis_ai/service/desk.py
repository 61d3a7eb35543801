"""Answers questions with as little searching as possible.

A forced move and an ending that is solved at once need no slot, a repeated question is answered
from the cache, and a question that is being searched already shares that search. Whatever takes
the GIL for longer than a moment (the beginning of a search and its first answer, the list of
moves) happens on a thread of its own, so that the event loop stays free. Where there is no room,
questions are read on the event loop, one at a time between its other work: a refusal needs no
other thread that would have to get a processor first. A desk whose pool is closed answers
nothing any more, whether it would have to search for it or not.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TypeVar

from solstis_ai.errors import OverloadedError
from solstis_ai.notation import format_observation
from solstis_ai.observation import Observation
from solstis_ai.search.levels import Level
from solstis_ai.search.types import Analysis, Limits
from solstis_ai.service import budget
from solstis_ai.service.admission import RETRY_AFTER_SECONDS, Admission
from solstis_ai.service.calls import Call, Source, current_call
from solstis_ai.service.config import ServerConfig
from solstis_ai.service.engine_port import Engine, RunningSearch
from solstis_ai.service.job import Job, Outcome, Viewer
from solstis_ai.service.pool import SearchPool
from solstis_ai.vocabulary import Move

__all__ = ["Question", "SearchDesk"]

_PREPARE_QUEUE = 64
"""Questions that may wait for preparation, half of them of one client."""

_PATIENCE_SECONDS = 0.004
"""How long after its time the answer of a search thread is waited for."""

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Attributes:
        observation: Makes the observation; may raise FieldError.
        limits: The limits as asked; those of the level, if there is one.
        seed: The seed as asked.
        level: The level to play at; None plays as well as the limits allow.
    """

    observation: Callable[[], Observation]
    limits: Limits
    seed: int | None
    level: Level | None = None


@dataclass(slots=True)
class _Prepared:
    search: RunningSearch | None  # until a job takes it
    settled: Source | None  # of an answer that needs no search
    limits: Limits
    key: Hashable
    first: Analysis | None  # before any search, all of it when settled; None without room


class SearchDesk:
    """Prepares, shares and remembers searches; belongs to one event loop.

    Args:
        engine: The engine.
        config: What a request gets at most.
        pool: Runs the searches.
    """

    def __init__(self, engine: Engine, config: ServerConfig, pool: SearchPool) -> None:
        self._engine = engine
        self._config = config
        self._pool = pool
        self._preparing = Admission(1, _PREPARE_QUEUE, _PREPARE_QUEUE // 2)
        self._executor = ThreadPoolExecutor(1, "prepare")
        self._jobs: dict[Hashable, Job] = {}
        self._drivers: dict[Job, asyncio.Task[None]] = {}
        self._cache: OrderedDict[Hashable, Analysis] = OrderedDict()

    async def answer(self, question: Question, viewer: Viewer) -> Analysis:
        """The answer of ``question``, with ``truncated`` as this question means it.

        Raises:
            FieldError: For a bad observation, limit or seed.
            OverloadedError: If there is no room.
            ServiceUnavailableError: If the server is shutting down.
        """
        call = current_call()
        prepared = await self._prepared(question, call, viewer)
        self._pool.check_open()
        outcome = await self._known(prepared, viewer) or await self._searched(prepared, viewer)
        capped = budget.reached_cap(outcome.analysis, question.limits, self._config)
        analysis = replace(outcome.analysis, truncated=capped or not outcome.finished)
        call.iterations, call.truncated = analysis.iterations, analysis.truncated
        call.search_seconds = analysis.elapsed_seconds
        return analysis

    async def legal_moves(self, observation: Callable[[], Observation]) -> list[Move]:
        """All legal moves.

        Raises:
            InvalidObservationError: For a bad observation.
            OverloadedError: If there is no room.
            ServiceUnavailableError: If the server is shutting down.
        """
        call = current_call()
        return await self._aside(lambda: self._list_moves(observation(), call))

    def shutdown(self) -> None:
        """End the thread."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def _prepared(self, question: Question, call: Call, viewer: Viewer) -> _Prepared:
        """Read a question when its turn comes."""
        await self._turn(viewer.answer_by)
        if self._pool.has_room(call.client):
            return await self._off_loop(lambda: self._prepare(question, call, room=True))
        asyncio.get_running_loop().call_soon(self._preparing.release, 1)
        return self._prepare(question, call, room=False)

    async def _aside(self, work: Callable[[], _Result], until: float = math.inf) -> _Result:
        """Run ``work`` on the thread for it when its turn comes."""
        await self._turn(until)
        return await self._off_loop(work)

    async def _turn(self, until: float) -> None:
        """Wait until the current call may be prepared; clients take turns there too."""
        self._pool.check_open()
        left = None if math.isinf(until) else max(until - time.monotonic(), 0.001)
        try:
            await self._preparing.acquire(1, left, current_call().client)
        except TimeoutError:
            raise OverloadedError("no time is left for a search", RETRY_AFTER_SECONDS) from None

    async def _off_loop(self, work: Callable[[], _Result]) -> _Result:
        """Run ``work`` on the thread for it, and let the next one have its turn."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, work)
        finally:
            self._preparing.release(1)

    def _prepare(self, question: Question, call: Call, room: bool) -> _Prepared:
        """Read the question and begin its search.

        The first answer takes as long as all the rest. Where there is no ``room`` it is left
        out, since nobody will want it.
        """
        observation = question.observation()
        call.phase = observation.phase
        limits = budget.granted(question.limits, self._config)
        constants = budget.constants(question.level, self._config)
        search = self._engine.Search(observation, limits, question.seed, constants)
        line = self._note(observation, call)
        settled = _source_at_once(search) if search.settle() else None
        first = search.analysis() if room else None
        key = (line, limits, question.seed, question.level)
        return _Prepared(search, settled, limits, key, first)

    def _list_moves(self, observation: Observation, call: Call) -> list[Move]:
        call.phase = observation.phase
        moves = self._engine.legal_moves(observation)
        self._note(observation, call)
        return moves

    def _note(self, observation: Observation, call: Call) -> str:
        """The canonical line of a valid observation, kept for the log where that is wanted."""
        line = format_observation(observation)
        call.observation = line if self._config.log_observations else ""
        return line

    async def _known(self, prepared: _Prepared, viewer: Viewer) -> Outcome | None:
        """The answer that needs no slot, if there is one."""
        if prepared.settled is not None:
            first = await self._first_answer(prepared, viewer)
            current_call().source = prepared.settled
            return Outcome(first, finished=True)
        if (cached := self._cache.get(prepared.key)) is not None:
            self._cache.move_to_end(prepared.key)
            current_call().source = Source.CACHE
            return Outcome(cached, finished=True)
        return None

    async def _first_answer(self, prepared: _Prepared, viewer: Viewer) -> Analysis:
        if prepared.first is not None:
            return prepared.first
        assert prepared.search is not None
        return await self._aside(prepared.search.analysis, viewer.answer_by)

    async def _searched(self, prepared: _Prepared, viewer: Viewer) -> Outcome:
        job = self._joined(prepared, viewer) or self._begun(prepared, viewer)
        timers = _timers(job, viewer)
        try:
            return await viewer.outcome
        finally:
            for timer in timers:
                timer.cancel()
            current_call().queue_seconds = job.queue_seconds
            self._leave(job, viewer)

    def _joined(self, prepared: _Prepared, viewer: Viewer) -> Job | None:
        job = self._jobs.get(prepared.key)
        if job is None or not job.join(viewer):
            return None
        current_call().source = Source.SHARED
        return job

    def _begun(self, prepared: _Prepared, viewer: Viewer) -> Job:
        call = current_call()
        self._pool.check_room(call.client)
        assert prepared.first is not None  # there was room for it
        call.source = Source.SEARCH
        seconds = self._config.max_time_seconds
        job = Job(
            prepared.search, prepared.limits, seconds, call.client, prepared.key, prepared.first
        )
        prepared.search = None
        job.join(viewer)
        if self._config.share:
            self._jobs[job.key] = job
        self._drivers[job] = asyncio.create_task(self._drive(job))
        return job

    async def _drive(self, job: Job) -> None:
        """See ``job`` through, and tell those who wait."""
        try:
            outcome = await self._pool.run(job)
        except Exception as error:  # everybody who waits gets it
            job.fail(error)
        else:
            self._remember(job, outcome)
            job.finish(outcome)
        finally:
            self._forget(job)
            self._drivers.pop(job, None)

    def _leave(self, job: Job, viewer: Viewer) -> None:
        if job.leave(viewer):
            self._forget(job)
            if not job.started and job in self._drivers:
                self._drivers[job].cancel()

    def _forget(self, job: Job) -> None:
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]

    def _remember(self, job: Job, outcome: Outcome) -> None:
        """Keep an answer that the same question gets again whenever it is asked."""
        whole = outcome.analysis.iterations == job.limits.iterations
        if outcome.finished and (whole or outcome.analysis.solved):
            self._cache[job.key] = outcome.analysis
            while len(self._cache) > self._config.cache_size:
                self._cache.popitem(last=False)


def _source_at_once(search: RunningSearch) -> Source:
    return Source.FORCED if search.forced else Source.SOLVED


def _timers(job: Job, viewer: Viewer) -> list[asyncio.TimerHandle]:
    """What happens when the answer of ``viewer`` is due."""
    if math.isinf(viewer.answer_by):
        return []
    loop = asyncio.get_running_loop()
    return [
        loop.call_at(viewer.answer_by, _when_due, job, viewer),
        loop.call_at(viewer.answer_by + _PATIENCE_SECONDS, _when_late, job, viewer),
    ]


def _when_due(job: Job, viewer: Viewer) -> None:
    """Answer a question before its turn came, with a legal move, or end the last one's search.

    The search itself looks at the clock, but not in the middle of a growing tree.
    """
    if not job.started:
        _when_late(job, viewer)
    elif job.is_due():
        job.stop()


def _when_late(job: Job, viewer: Viewer) -> None:
    """Do not wait for a search thread that gets no processor."""
    viewer.finish(Outcome(job.newest, finished=False))
