"""Runs searches on threads, one slot for each, and gives the slots back.

A slot belongs to the thread that searches, not to the call that asked: it is free again
when the thread has left the search, whatever became of the call.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor

from solstis_ai.errors import OverloadedError
from solstis_ai.service.admission import Admission
from solstis_ai.service.config import Priority
from solstis_ai.service.job import Job, Outcome

__all__ = ["SearchPool"]

_NICENESS = 5
"""By how much search threads step back; threads that they start inherit it."""

_MOST_NICENESS = 19

_log = logging.getLogger(__name__)


class SearchPool:
    """Search threads behind an admission.

    Args:
        admission: Who may search.
        threads: Searches that run at the same time; as many as the admission has slots.
        priority: How far searches step back behind everything else.
    """

    def __init__(
        self, admission: Admission, threads: int, priority: Priority = Priority.LOW
    ) -> None:
        self._admission = admission
        self._executor = ThreadPoolExecutor(threads, "search", _step_back, (priority,))
        self._running: set[Job] = set()
        self._pending = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def running(self) -> int:
        """Number of searches under way."""
        return len(self._running)

    @property
    def taken(self) -> int:
        """Number of slots in use."""
        return self._admission.taken

    @property
    def waiting(self) -> int:
        """Number of searches in the queue."""
        return self._admission.waiting

    async def run(self, job: Job) -> Outcome:
        """Wait for a slot and search; on cancellation the search is stopped.

        Raises:
            OverloadedError: If every slot is taken and the queue is full.
            ServiceUnavailableError: If the server is shutting down.
        """
        await self._admitted(job)
        future = self._submit(job)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            job.stop()
            raise

    def check_open(self) -> None:
        """Raise ServiceUnavailableError when the server is shutting down."""
        self._admission.check_open()

    def check_room(self, client: str) -> None:
        """Raise OverloadedError when a search of ``client`` would be refused now."""
        self._admission.check_room(client)

    def has_room(self, client: str) -> bool:
        """Whether ``check_room`` raises nothing."""
        try:
            self.check_room(client)
        except OverloadedError:
            return False
        return True

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

    async def _admitted(self, job: Job) -> None:
        """Take slots for ``job``."""
        begin = time.monotonic()
        self._begin()
        try:
            await self._admission.acquire(job.limits.threads, None, job.client)
        except BaseException:
            self._end()
            raise
        job.queue_seconds = time.monotonic() - begin

    def _submit(self, job: Job) -> Future[Outcome]:
        loop = asyncio.get_running_loop()
        job.started = True
        self._running.add(job)
        timer = loop.call_later(job.max_seconds, job.stop)
        future = self._executor.submit(job.run, loop)
        future.add_done_callback(lambda _: loop.call_soon_threadsafe(self._finished, job, timer))
        return future

    def _finished(self, job: Job, timer: asyncio.TimerHandle) -> None:
        timer.cancel()
        self._running.discard(job)
        self._admission.release(job.limits.threads)
        self._end()

    def _begin(self) -> None:
        self._pending += 1
        self._idle.clear()

    def _end(self) -> None:
        self._pending -= 1
        if not self._pending:
            self._idle.set()


def _step_back(priority: Priority) -> None:
    """Let the event loop go first when all cores are busy, as far as the system lets threads."""
    try:
        if priority is Priority.IDLE:
            _give_way()
        elif sys.platform == "linux":
            _become_nicer()
    except OSError as error:  # a sandbox may know no priorities; searching matters more
        _log.warning("searches have the priority of all else: %s", error.strerror or error)


def _give_way() -> None:
    """Leave the processor to whoever wants it, at once; on Linux, as the configuration checks.

    A thread that merely is nicer may keep a core for its slice of about 3 ms all the same.
    """
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _become_nicer() -> None:
    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    niceness = min(own + _NICENESS, _MOST_NICENESS)
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
