"""One search and everyone who waits for its answer.

The event loop lets viewers join and leave; the search thread tells them what it found. Both
meet in ``Job`` under its lock, for a moment at a time.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from solstis_ai.search.types import Analysis, Limits
from solstis_ai.service.engine_port import RunningSearch

__all__ = ["SLICE_SECONDS", "Job", "Outcome", "Viewer"]

SLICE_SECONDS = 0.02
"""Longest time between two looks at who waits; so much later a joined deadline is met."""

_FIRST_SLICE_SECONDS = 0.001
"""Slices grow from here, so that there is soon something for a short deadline."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a viewer gets in the end.

    Attributes:
        analysis: The answer.
        finished: Whether the search reached its limits.
    """

    analysis: Analysis
    finished: bool


@dataclass(slots=True, eq=False)
class Viewer:
    """Somebody who waits for the answer of a search; made on the event loop.

    Attributes:
        answer_by: Time on the monotonic clock when the answer has to be there.
        interval: Seconds between two calls of ``publish``; infinite never calls it.
        publish: Takes the growing answer; called on the event loop.
        outcome: The end.
        publish_at: When the growing answer is due next.
    """

    answer_by: float = math.inf
    interval: float = math.inf
    publish: Callable[[Analysis], None] = lambda _: None
    outcome: asyncio.Future[Outcome] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    publish_at: float = math.inf

    def finish(self, outcome: Outcome) -> None:
        """Hand over the end; the first one counts."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)

    def end_early(self) -> None:
        """Ask for the end at the next look around."""
        self.answer_by = -math.inf

    def fail(self, error: BaseException) -> None:
        """There will be no answer."""
        if not self.outcome.done():
            self.outcome.set_exception(error)


@dataclass(slots=True, eq=False)
class Job:
    """A search that waits for a slot or runs.

    The thread that ran the search lets go of it too: a large tree takes a while to be given
    back, and the event loop has no time for that.

    Attributes:
        limits: What it was granted.
        max_seconds: Longest time on the slot, in seconds.
        client: Who asked first, and in whose place in the queue it waits.
        key: What makes requests identical.
        newest: The answer so far, or a little older: what is there when a deadline comes and
            the search thread is late.
        started: Whether it has a slot; from then on the search belongs to its thread.
        queue_seconds: Time in the queue, once started.
    """

    _search: RunningSearch | None
    limits: Limits
    max_seconds: float
    client: str
    key: Hashable
    newest: Analysis
    started: bool = False
    queue_seconds: float = 0.0
    _viewers: list[Viewer] = field(default_factory=list)
    _closed: bool = False
    _stopped: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def join(self, viewer: Viewer) -> bool:
        """Let ``viewer`` wait too; False when that is too late."""
        now = time.monotonic()
        viewer.publish_at = now + viewer.interval
        with self._lock:
            too_late = self._closed or (self.started and viewer.answer_by < now + SLICE_SECONDS)
            if not too_late:
                self._viewers.append(viewer)
        return not too_late

    def leave(self, viewer: Viewer) -> bool:
        """Forget ``viewer``; True when nobody waits any more, which ends the search."""
        with self._lock:
            if viewer in self._viewers:
                self._viewers.remove(viewer)
            self._closed = self._closed or not self._viewers
            alone = not self._viewers
        if alone:
            self.stop()
        return alone

    def is_due(self) -> bool:
        """Whether nobody waits for more than what there is by now."""
        now = time.monotonic()
        with self._lock:
            return all(viewer.answer_by <= now for viewer in self._viewers)

    def stop(self) -> None:
        """End the search within about a millisecond; callable from any thread."""
        self._stopped.set()
        if (search := self._search) is not None:
            search.stop()

    def finish(self, outcome: Outcome) -> None:
        """Tell everybody who still waits; on the event loop."""
        for viewer in self._close():
            viewer.finish(outcome)

    def fail(self, error: BaseException) -> None:
        """Tell everybody that there will be no answer; on the event loop."""
        for viewer in self._close():
            viewer.fail(error)

    def run(self, loop: asyncio.AbstractEventLoop) -> Outcome:
        """Search until nobody waits any more; once, on a search thread."""
        assert self._search is not None
        try:
            return self._run(self._search, loop)
        finally:
            self._search = None

    def _run(self, search: RunningSearch, loop: asyncio.AbstractEventLoop) -> Outcome:
        end = time.monotonic() + self.max_seconds
        finished, slice_seconds = False, _FIRST_SLICE_SECONDS
        while not finished and self._goes_on(end):
            if (left := self._pause(end, slice_seconds) - time.monotonic()) > 0:
                finished = search.run(left)
            if not finished:
                self._tell(search, loop)
            slice_seconds = min(2 * slice_seconds, SLICE_SECONDS)
        with self._lock:
            self._closed = True
        return Outcome(search.analysis(), finished)

    def _goes_on(self, end: float) -> bool:
        return not (self._stopped.is_set() or self._closed or time.monotonic() >= end)

    def _pause(self, end: float, slice_seconds: float) -> float:
        """When to look around next."""
        with self._lock:
            due = [min(viewer.answer_by, viewer.publish_at) for viewer in self._viewers]
        return min(end, time.monotonic() + slice_seconds, *due)

    def _tell(self, search: RunningSearch, loop: asyncio.AbstractEventLoop) -> None:
        now = time.monotonic()
        with self._lock:
            last = [viewer for viewer in self._viewers if viewer.answer_by <= now]
            self._viewers = [viewer for viewer in self._viewers if viewer not in last]
            self._closed = self._closed or not self._viewers
            more = [viewer for viewer in self._viewers if viewer.publish_at <= now]
            hurried = any(not math.isinf(viewer.answer_by) for viewer in self._viewers)
        if not (last or more or hurried):
            return
        analysis = self.newest = search.analysis()
        for viewer in last:
            loop.call_soon_threadsafe(viewer.finish, Outcome(analysis, finished=False))
        for viewer in more:
            viewer.publish_at = now + viewer.interval
            loop.call_soon_threadsafe(viewer.publish, analysis)

    def _close(self) -> list[Viewer]:
        with self._lock:
            self._closed = True
            viewers, self._viewers = self._viewers, []
        return viewers
