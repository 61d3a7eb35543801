"""Who may search now, who waits and who is sent away.

Runs on the event loop alone and therefore needs no lock.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field

from solstis_ai.errors import OverloadedError, ServiceUnavailableError

__all__ = ["Admission"]

RETRY_AFTER_SECONDS = 0.5


@dataclass(slots=True, eq=False)
class _Waiter:
    slots: int
    granted: asyncio.Future[None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Admission:
    """A number of search slots and a bounded queue, first come, first served.

    Args:
        slots: Number of slots.
        queue_length: Requests that may wait; those beyond are refused.
    """

    def __init__(self, slots: int, queue_length: int) -> None:
        self._free = slots
        self._total = slots
        self._queue_length = queue_length
        self._queue: deque[_Waiter] = deque()
        self._closed = False

    @property
    def taken(self) -> int:
        """Number of slots in use."""
        return self._total - self._free

    @property
    def waiting(self) -> int:
        """Number of requests in the queue."""
        return len(self._queue)

    async def acquire(self, slots: int, timeout: float | None) -> None:
        """Take ``slots`` slots, at once or when it is this request's turn.

        Args:
            slots: How many; at most the total.
            timeout: Longest wait in seconds; None waits without end.

        Raises:
            OverloadedError: If the queue is full.
            ServiceUnavailableError: If no new requests are taken.
            TimeoutError: If ``timeout`` passed in the queue.
        """
        self._check_open()
        if not self._queue and slots <= self._free:
            self._free -= slots
        else:
            await self._wait(slots, timeout)

    def release(self, slots: int) -> None:
        """Give ``slots`` slots back."""
        self._free += slots
        self._grant()

    def close(self) -> None:
        """Refuse new requests; those in the queue keep their place."""
        self._closed = True

    def dismiss(self) -> None:
        """Refuse the requests in the queue too."""
        while self._queue:
            waiter = self._queue.popleft()
            if not waiter.granted.done():
                waiter.granted.set_exception(_shutting_down())

    def _check_open(self) -> None:
        if self._closed:
            raise _shutting_down()

    async def _wait(self, slots: int, timeout: float | None) -> None:
        if len(self._queue) >= self._queue_length:
            raise OverloadedError(
                f"all {self._total} search slots are taken and {len(self._queue)} requests wait",
                RETRY_AFTER_SECONDS,
            )
        waiter = _Waiter(slots)
        self._queue.append(waiter)
        try:
            async with asyncio.timeout(timeout):
                await waiter.granted
        except BaseException:
            self._leave(waiter)
            raise

    def _leave(self, waiter: _Waiter) -> None:
        """Take back a wait that ended early, even when the slots were granted meanwhile."""
        if waiter in self._queue:
            self._queue.remove(waiter)
            self._grant()
        elif _granted(waiter):
            self.release(waiter.slots)

    def _grant(self) -> None:
        while self._queue and self._queue[0].slots <= self._free:
            waiter = self._queue.popleft()
            if not waiter.granted.done():  # done: cancelled, and about to leave
                self._free -= waiter.slots
                waiter.granted.set_result(None)


def _granted(waiter: _Waiter) -> bool:
    granted = waiter.granted
    return granted.done() and not granted.cancelled() and granted.exception() is None


def _shutting_down() -> ServiceUnavailableError:
    return ServiceUnavailableError("the server is shutting down")
