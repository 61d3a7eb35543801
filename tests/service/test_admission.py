"""The slots and the queue by themselves, where timing can be arranged exactly."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from solstis_ai.errors import OverloadedError, ServiceUnavailableError
from solstis_ai.service.admission import Admission


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    asyncio.run(coroutine)


async def queued(admission: Admission, slots: int = 1, client: str = "") -> asyncio.Task[None]:
    """A request that waits in the queue."""
    before = admission.waiting
    task = asyncio.create_task(admission.acquire(slots, None, client))
    while admission.waiting == before:
        await asyncio.sleep(0)
    return task


def test_first_come_first_served() -> None:
    async def body() -> None:
        admission = Admission(1, 5)
        await admission.acquire(1, None)
        first, second = await queued(admission), await queued(admission)
        admission.release(1)
        await first
        assert not second.done()
        admission.release(1)
        await second
        assert (admission.taken, admission.waiting) == (1, 0)

    run(body())


def test_a_big_request_is_not_overtaken() -> None:
    async def body() -> None:
        admission = Admission(2, 5)
        await admission.acquire(1, None)
        big, small = await queued(admission, 2), await queued(admission, 1)
        assert (admission.taken, admission.waiting) == (1, 2)
        admission.release(1)
        await big
        assert not small.done()
        admission.release(2)
        await small

    run(body())


def test_a_full_queue_refuses() -> None:
    async def body() -> None:
        admission = Admission(1, 1)
        await admission.acquire(1, None)
        waits = await queued(admission)
        with pytest.raises(OverloadedError, match="1 search slots are taken and 1 requests wait"):
            await admission.acquire(1, None)
        waits.cancel()

    run(body())


def test_a_wait_ends_in_time_and_leaves_the_queue() -> None:
    async def body() -> None:
        admission = Admission(1, 1)
        await admission.acquire(1, None)
        with pytest.raises(TimeoutError):
            await admission.acquire(1, 0.01)
        with pytest.raises(TimeoutError):
            await admission.acquire(1, -1.0)
        assert admission.waiting == 0

    run(body())


@pytest.mark.parametrize("cancel_first", [True, False])
def test_a_slot_granted_to_a_cancelled_wait_is_not_lost(cancel_first: bool) -> None:
    async def body() -> None:
        admission = Admission(1, 2)
        await admission.acquire(1, None)
        first, second = await queued(admission), await queued(admission)
        if cancel_first:
            first.cancel()
            admission.release(1)
        else:
            admission.release(1)
            first.cancel()
        await asyncio.wait_for(second, 5.0)
        assert first.cancelled()
        assert admission.taken == 1

    run(body())


def test_a_big_request_that_leaves_makes_room_for_small_ones() -> None:
    async def body() -> None:
        admission = Admission(2, 5)
        await admission.acquire(1, None)
        big, small = await queued(admission, 2), await queued(admission, 1)
        big.cancel()
        await asyncio.wait_for(small, 5.0)
        assert admission.taken == 2

    run(body())


def test_closing_keeps_the_queue_and_dismissing_does_not() -> None:
    async def body() -> None:
        admission = Admission(1, 5)
        await admission.acquire(1, None)
        first, second = await queued(admission), await queued(admission)
        admission.close()
        with pytest.raises(ServiceUnavailableError):
            await admission.acquire(1, None)
        admission.release(1)
        await first
        admission.dismiss()
        with pytest.raises(ServiceUnavailableError):
            await second
        admission.release(1)
        assert admission.taken == 0

    run(body())


def test_clients_take_turns() -> None:
    """Many requests of one client delay another client by one of them, not by all."""

    async def body() -> None:
        admission = Admission(1, 10)
        await admission.acquire(1, None, "greedy")
        greedy = [await queued(admission, client="greedy") for _ in range(4)]
        modest = await queued(admission, client="modest")
        order = []
        for task, name in [*((task, "greedy") for task in greedy), (modest, "modest")]:
            task.add_done_callback(lambda _, name=name: order.append(name))  # type: ignore[misc]
        for _ in range(5):
            admission.release(1)
            await asyncio.sleep(0.001)
        assert order == ["greedy", "modest", "greedy", "greedy", "greedy"]

    run(body())


def test_a_client_fills_its_share_of_the_queue_alone() -> None:
    async def body() -> None:
        admission = Admission(1, 4, 2)
        await admission.acquire(1, None, "greedy")
        waits = [await queued(admission, client="greedy") for _ in range(2)]
        with pytest.raises(OverloadedError, match="its share"):
            await admission.acquire(1, None, "greedy")
        waits.append(await queued(admission, client="modest"))
        for task in waits:
            task.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
        assert admission.waiting == 0

    run(body())
