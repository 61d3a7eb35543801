"""Runs searches on threads, one slot for each, and gives the slots back.

A slot belongs to the thread that searches, not to the call that asked: it is free again
when the thread has left the search, whatever became of the call.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from solstis_ai.search.types import Analysis
from solstis_ai.service.admission import Admission
from solstis_ai.service.engine_port import RunningSearch

__all__ = ["Job", "SearchPool"]

_NICENESS = 5
"""Of the search threads; threads that they start inherit it."""


@dataclass(slots=True, eq=False)
class Job:
    """One search to run.

    Attributes:
        search: The search.
        threads: Slots that it takes.
        max_seconds: Longest time on the slot, in seconds.
        answer_by: Time on the monotonic clock when the answer has to be there, else None.
        interval: Seconds between two calls of ``publish``; None never calls it.
        publish: Takes the growing answer; called on the event loop.
    """

    search: RunningSearch
    threads: int
    max_seconds: float
    answer_by: float | None = None
    interval: float | None = None
    publish: Callable[[Analysis], None] | None = None
    stopped: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        """End the search within about a millisecond; callable from any thread."""
        self.stopped.set()
        self.search.stop()

    def seconds_left(self) -> float | None:
        """Seconds until the answer has to be there; None without a deadline."""
        return None if self.answer_by is None else self.answer_by - time.monotonic()


class SearchPool:
    """Search threads behind an admission.

    Args:
        admission: Who may search.
        threads: Searches that run at the same time; as many as the admission has slots.
    """

    def __init__(self, admission: Admission, threads: int) -> None:
        self._admission = admission
        self._executor = ThreadPoolExecutor(threads, "search", initializer=_step_back)
        self._running: set[Job] = set()
        self._pending = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def running(self) -> int:
        """Number of searches under way."""
        return len(self._running)

    async def run(self, job: Job) -> bool:
        """Wait for a slot and search.

        On cancellation the search is stopped and its slot is free within milliseconds.

        Returns:
            Whether the search reached its limits.

        Raises:
            OverloadedError: If every slot is taken and the queue is full.
            ServiceUnavailableError: If the server is shutting down.
        """
        if not await self._admitted(job):
            return False
        future = self._submit(job)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            job.stop()
            raise

    def close(self) -> None:
        """Take no new searches; those that run or wait go on."""
        self._admission.close()

    def stop(self) -> None:
        """Refuse what waits and stop what runs."""
        self._admission.dismiss()
        for job in self._running:
            job.stop()

    async def idle(self) -> None:
        """Wait until no search runs or waits."""
        await self._idle.wait()

    def shutdown(self) -> None:
        """End the threads; call it when nothing runs any more."""
        self._executor.shutdown(wait=True)

    async def _admitted(self, job: Job) -> bool:
        """Take slots for ``job``; False when its answer is due before it is its turn."""
        self._begin()
        try:
            await self._admission.acquire(job.threads, job.seconds_left())
        except TimeoutError:
            self._end()
            return False
        except BaseException:
            self._end()
            raise
        return True

    def _submit(self, job: Job) -> Future[bool]:
        loop = asyncio.get_running_loop()
        self._running.add(job)
        future = self._executor.submit(_search, job, loop)
        future.add_done_callback(lambda _: loop.call_soon_threadsafe(self._finished, job))
        return future

    def _finished(self, job: Job) -> None:
        self._running.discard(job)
        self._admission.release(job.threads)
        self._end()

    def _begin(self) -> None:
        self._pending += 1
        self._idle.clear()

    def _end(self) -> None:
        self._pending -= 1
        if not self._pending:
            self._idle.set()


def _step_back() -> None:
    """Let the event loop go first when all cores are busy; where threads have priorities."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


def _search(job: Job, loop: asyncio.AbstractEventLoop) -> bool:
    """Search in slices of ``job.interval``; runs on a search thread."""
    end = _end_of(job)
    while not job.stopped.is_set() and (left := end - time.monotonic()) > 0:
        if job.search.run(left if job.interval is None else min(left, job.interval)):
            return True
        if job.publish is not None:
            loop.call_soon_threadsafe(job.publish, job.search.analysis())
    return False


def _end_of(job: Job) -> float:
    latest = time.monotonic() + job.max_seconds
    return latest if job.answer_by is None else min(latest, job.answer_by)
