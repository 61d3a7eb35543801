"""How fast a full server answers what needs no search, measured over a server process.

The bounds are generous, since tests run on machines that do other things too; run with
``-s`` to see the figures.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from fakes.observations import FORCED, OPENING
from grpc_health.v1.health_pb2 import HealthCheckRequest
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from process import service

from solstis_ai import engine
from solstis_ai.errors import DeadlineError, OverloadedError
from solstis_ai.search.types import Limits
from solstis_ai.service.admission import Admission
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.converters import recommend_request
from solstis_ai.service.job import Job, Viewer
from solstis_ai.service.pool import SearchPool
from solstis_ai.service.retry import RetryPolicy
from solstis_ai.service.server import SWITCH_SECONDS
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc

SLOTS, QUEUE, ROUNDS = 2, 4, 200
BOUND = 0.1


@dataclass(frozen=True)
class Full:
    """A server with every slot searching and a full queue, and a channel to it."""

    address: str
    channel: grpc.Channel


@pytest.fixture(scope="module")
def full() -> Iterator[Full]:
    options = ("--slots", str(SLOTS), "--queue", str(QUEUE), "--queue-per-client", str(QUEUE))
    with (
        service(*options, "--cache-size", "0", "--grace", "0") as (_, address),
        grpc.insecure_channel(address) as channel,
        OpponentClient(address, timeout=20.0) as client,
    ):
        stub = pb_grpc.OpponentServiceStub(channel)
        calls: list[Any] = []
        while not calls or not refuses(client):
            request = recommend_request(OPENING, Limits(time_seconds=50.0), len(calls))
            calls.append(stub.RecommendMove.future(request))
        yield Full(address, channel)
        for call in calls:
            call.cancel()


def refuses(client: OpponentClient) -> bool:
    try:
        client.recommend(OPENING, iterations=1, timeout=0.3)
    except OverloadedError:
        return True
    except DeadlineError:  # it waits in the queue, and the answer to that was late
        return False
    return False


def percentile(call: Callable[[], object], share: float, what: str) -> float:
    """Of the seconds that ``call`` takes; printed in milliseconds."""
    seconds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        with contextlib.suppress(grpc.RpcError, OverloadedError):
            call()
        seconds.append(time.perf_counter() - begin)
        time.sleep(0.002)
    seconds.sort()
    half, high, most = (seconds[int(ROUNDS * it)] * 1e3 for it in (0.5, share, 0.999))
    print(f"\n{what}: p50 {half:.2f} ms, p{share * 100:g} {high:.2f} ms, most {most:.2f} ms")
    return high / 1e3


def test_health_is_quick(full: Full) -> None:
    check: Any = full.channel.unary_unary("/grpc.health.v1.Health/Check")
    data = HealthCheckRequest().SerializeToString()
    assert percentile(lambda: check(data, timeout=5), 0.99, "health") < BOUND


def test_information_is_quick(full: Full) -> None:
    stub = pb_grpc.OpponentServiceStub(full.channel)
    request = pb.GetEngineInfoRequest()
    assert percentile(lambda: stub.GetEngineInfo(request, timeout=5), 0.99, "info") < BOUND


def test_reflection_is_quick(full: Full) -> None:
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(full.channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")

    def ask() -> object:
        return list(stub.ServerReflectionInfo(iter([request]), timeout=5))

    assert percentile(ask, 0.99, "reflection") < BOUND


def test_a_refusal_is_quick(full: Full) -> None:
    once = RetryPolicy(attempts=1)
    with OpponentClient(full.address, timeout=5.0, retry=once) as client:

        def ask() -> None:
            with pytest.raises(OverloadedError):
                client.recommend(OPENING, iterations=10)

        assert percentile(ask, 0.95, "refusal") < BOUND


def test_a_forced_move_is_quick(full: Full) -> None:
    with OpponentClient(full.address, timeout=5.0) as client:
        assert percentile(lambda: client.recommend(FORCED), 0.95, "forced move") < BOUND


def test_a_cancel_frees_the_slot_at_once() -> None:
    """Measured from the cancel to the answer of a call that waited for the slot."""
    seconds = []
    with (
        service("--slots", "1", "--queue", "1") as (_, address),
        grpc.insecure_channel(address) as channel,
    ):
        stub = pb_grpc.OpponentServiceStub(channel)
        for seed in range(30):
            long = recommend_request(OPENING, Limits(time_seconds=50.0), seed)
            short = recommend_request(OPENING, Limits(iterations=1), seed)
            running = stub.RecommendMove.future(long)
            time.sleep(0.1)
            waiting = stub.RecommendMove.future(short, timeout=20)
            time.sleep(0.05)
            assert not waiting.done()
            begin = time.perf_counter()
            running.cancel()
            waiting.result()
            seconds.append(time.perf_counter() - begin)
    seconds.sort()
    print(f"\ncancel to next answer: p50 {seconds[15] * 1e3:.2f} ms, most {seconds[-1] * 1e3:.2f}")

    assert seconds[15] < BOUND


def test_leaving_a_search_frees_its_slot_at_once() -> None:
    """Measured inside: from the last one's leave to the free slot."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    seconds = sorted(asyncio.run(_slot_after_leaving(seed)) for seed in range(20))
    sys.setswitchinterval(before)
    print(f"\nleave to free slot: p50 {seconds[10] * 1e3:.2f} ms, most {seconds[-1] * 1e3:.2f}")

    assert seconds[10] < BOUND


async def _slot_after_leaving(seed: int) -> float:
    admission, limits = Admission(1, 0), Limits(time_seconds=50.0)
    pool = SearchPool(admission, 1)
    search = engine.Search(OPENING, limits, seed)
    job = Job(search, limits, 50.0, "", None, search.analysis())
    viewer = Viewer()
    assert job.join(viewer)
    running = asyncio.create_task(pool.run(job))
    await asyncio.sleep(0.1)
    begin = time.perf_counter()
    assert job.leave(viewer)
    while admission.taken:
        await asyncio.sleep(0.0002)
    spent = time.perf_counter() - begin
    assert not (await running).finished
    pool.shutdown()
    return spent


@pytest.mark.parametrize("deadline", [0.02, 0.05, 0.2, 1.0])
def test_deadlines_are_met_by_a_busy_server(deadline: float) -> None:
    """One slot is taken all the time; the other one is for the calls with a deadline."""
    with (
        service("--slots", "2", "--grace", "0") as (_, address),
        grpc.insecure_channel(address) as channel,
    ):
        stub = pb_grpc.OpponentServiceStub(channel)
        other = stub.RecommendMove.future(recommend_request(OPENING, Limits(time_seconds=50.0), 1))
        request = recommend_request(OPENING, Limits(time_seconds=40.0), 2)
        stub.GetEngineInfo(pb.GetEngineInfoRequest(), timeout=10)
        rounds = max(5, min(50, int(2 / deadline)))
        met = []
        for _ in range(rounds):
            with contextlib.suppress(grpc.RpcError):
                met.append(stub.RecommendMove(request, timeout=deadline).analysis)
        other.cancel()
    print(f"\n{deadline * 1e3:g} ms: {len(met)} of {rounds} in time")

    assert len(met) > rounds / 2
    assert all(answer.truncated for answer in met)
    assert sum(answer.iterations > 0 for answer in met) > rounds / 2
