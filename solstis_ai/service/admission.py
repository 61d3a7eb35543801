"""Who may search now, who waits and who is sent away.

Runs on the event loop alone and therefore needs no lock.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass, field

from solstis_ai.errors import OverloadedError, ServiceUnavailableError

__all__ = ["RETRY_AFTER_SECONDS", "Admission"]

RETRY_AFTER_SECONDS = 0.5


@dataclass(slots=True, eq=False)
class _Waiter:
    slots: int
    client: str
    granted: asyncio.Future[None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Admission:
    """A number of search slots and a bounded queue in which clients take turns.

    The requests of one client are served in the order of their arrival; between clients
    the turn goes round, so that a client with many requests delays another one by one
    request at a time.

    Args:
        slots: Number of slots.
        queue_length: Requests that may wait; those beyond are refused.
        client_share: Requests of one client that may wait; None for the whole queue.
    """

    def __init__(self, slots: int, queue_length: int, client_share: int | None = None) -> None:
        self._free = slots
        self._total = slots
        self._queue_length = queue_length
        self._client_share = queue_length if client_share is None else client_share
        self._queues: OrderedDict[str, deque[_Waiter]] = OrderedDict()  # whose turn it is first
        self._waiting = 0
        self._closed = False

    @property
    def taken(self) -> int:
        """Number of slots in use."""
        return self._total - self._free

    @property
    def waiting(self) -> int:
        """Number of requests in the queue."""
        return self._waiting

    def check_room(self, client: str) -> None:
        """Raise OverloadedError when a request of ``client`` would be refused now."""
        if self._queues or not self._free:
            self._check_queue(client)

    async def acquire(self, slots: int, timeout: float | None, client: str = "") -> None:
        """Take ``slots`` slots, at once or when it is this request's turn.

        Args:
            slots: How many; at most the total.
            timeout: Longest wait in seconds; None waits without end.
            client: Who asks.

        Raises:
            OverloadedError: If the queue, or the client's share of it, is full.
            ServiceUnavailableError: If no new requests are taken.
            TimeoutError: If ``timeout`` passed in the queue.
        """
        self.check_open()
        if not self._queues and slots <= self._free:
            self._free -= slots
        else:
            await self._wait(_Waiter(slots, client), timeout)

    def release(self, slots: int) -> None:
        """Give ``slots`` slots back."""
        self._free += slots
        self._grant()

    def close(self) -> None:
        """Refuse new requests; those in the queue keep their place."""
        self._closed = True

    def check_open(self) -> None:
        """Raise ServiceUnavailableError after ``close``."""
        if self._closed:
            raise _shutting_down()

    def dismiss(self) -> None:
        """Refuse the requests in the queue too."""
        while self._queues:
            waiter = self._pop()
            if not waiter.granted.done():
                waiter.granted.set_exception(_shutting_down())

    async def _wait(self, waiter: _Waiter, timeout: float | None) -> None:
        self._check_queue(waiter.client)
        self._queues.setdefault(waiter.client, deque()).append(waiter)
        self._waiting += 1
        try:
            async with asyncio.timeout(timeout):
                await waiter.granted
        except BaseException:
            self._leave(waiter)
            raise

    def _check_queue(self, client: str) -> None:
        if self._waiting >= self._queue_length:
            reason = f"all {self._total} search slots are taken and {self._waiting} requests wait"
            raise OverloadedError(reason, RETRY_AFTER_SECONDS)
        if len(self._queues.get(client, ())) >= self._client_share:
            reason = f"{self._client_share} requests of this client wait, which is its share"
            raise OverloadedError(reason, RETRY_AFTER_SECONDS)

    def _leave(self, waiter: _Waiter) -> None:
        """Take back a wait that ended early, even when the slots were granted meanwhile."""
        queue = self._queues.get(waiter.client, ())
        if waiter in queue:
            assert isinstance(queue, deque)
            queue.remove(waiter)
            self._waiting -= 1
            if not queue:
                del self._queues[waiter.client]
            self._grant()
        elif _granted(waiter):
            self.release(waiter.slots)

    def _grant(self) -> None:
        while self._queues and self._next().slots <= self._free:
            waiter = self._pop()
            if not waiter.granted.done():  # done: cancelled, and about to leave
                self._free -= waiter.slots
                waiter.granted.set_result(None)

    def _next(self) -> _Waiter:
        return next(iter(self._queues.values()))[0]

    def _pop(self) -> _Waiter:
        """Take the next one out; its client goes to the end."""
        client, queue = self._queues.popitem(last=False)
        self._waiting -= 1
        waiter = queue.popleft()
        if queue:
            self._queues[client] = queue
        return waiter


def _granted(waiter: _Waiter) -> bool:
    granted = waiter.granted
    return granted.done() and not granted.cancelled() and granted.exception() is None


def _shutting_down() -> ServiceUnavailableError:
    return ServiceUnavailableError("the server is shutting down")
