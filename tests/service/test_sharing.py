"""Identical requests share a search, and repeated ones are remembered."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from fakes.observations import OPENING
from fakes.servers import RunningServer, wait_for

from solstis_ai import engine
from solstis_ai.observation import Observation
from solstis_ai.search.levels import LEVELS
from solstis_ai.search.types import Limits
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.converters import recommend_request
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc

StartServer = Callable[..., RunningServer]

LONG = 30.0
PERMUTED = dataclasses.replace(
    OPENING, your_hand=OPENING.your_hand[::-1], queue=OPENING.queue[::-1]
)


def runs_of(server: RunningServer) -> list[int]:
    """The searches that really ran, by their runs."""
    return [search.runs for search in server.engine.searches if search.runs]


def answer_of(address: str, observation: Observation, limits: Limits) -> bytes:
    with grpc.insecure_channel(address) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        response = stub.RecommendMove(recommend_request(observation, limits, 5), timeout=10.0)
    assert isinstance(response, pb.RecommendMoveResponse)
    return response.SerializeToString(deterministic=True)


@pytest.mark.parametrize("observation", [OPENING, PERMUTED])
def test_identical_requests_in_flight_share_a_search(
    start_server: StartServer, observation: Observation
) -> None:
    server = start_server(search_slots=1, queue_length=0)
    with OpponentClient(server.address, timeout=20.0) as client, ThreadPoolExecutor(1) as threads:
        first = threads.submit(client.recommend, OPENING, time_seconds=1.0)
        wait_for(lambda: server.server.running_searches == 1)
        second = client.recommend(observation, time_seconds=1.0)

        assert second == first.result(10.0)
    assert len(runs_of(server)) == 1


@pytest.mark.parametrize(
    "other", [{"seed": 1}, {"time_seconds": 0.9}, {"iterations": 500}, {"threads": 2}]
)
def test_different_requests_do_not_share(
    start_server: StartServer, other: dict[str, float]
) -> None:
    server = start_server(search_slots=3)
    asked = {"time_seconds": 0.5, **other}
    with OpponentClient(server.address, timeout=20.0) as client, ThreadPoolExecutor(1) as threads:
        first = threads.submit(client.recommend, OPENING, time_seconds=0.5)
        wait_for(lambda: server.server.running_searches == 1)
        client.recommend(OPENING, **asked)  # type: ignore[arg-type]  # by name
        first.result(10.0)

    assert len(runs_of(server)) == 2


def test_sharing_can_be_switched_off(start_server: StartServer) -> None:
    server = start_server(share=False)
    with OpponentClient(server.address, timeout=20.0) as client, ThreadPoolExecutor(1) as threads:
        first = threads.submit(client.recommend, OPENING, time_seconds=0.5)
        wait_for(lambda: server.server.running_searches == 1)
        client.recommend(OPENING, time_seconds=0.5)
        first.result(10.0)

    assert len(runs_of(server)) == 2


def test_a_cancel_leaves_the_search_to_the_others(server: RunningServer) -> None:
    request = recommend_request(OPENING, Limits(time_seconds=1.0), None)
    other = recommend_request(PERMUTED, Limits(time_seconds=1.0), None)
    with grpc.insecure_channel(server.address) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        first = stub.RecommendMove.future(request)
        wait_for(lambda: server.server.running_searches == 1)
        second = stub.RecommendMove.future(other)
        wait_for(lambda: len(server.engine.searches) == 2)
        time.sleep(0.1)
        first.cancel()

        assert not second.result(timeout=10.0).analysis.truncated
    assert len(runs_of(server)) == 1


def test_the_last_cancel_ends_the_search(server: RunningServer) -> None:
    request = recommend_request(OPENING, Limits(time_seconds=LONG), None)
    with grpc.insecure_channel(server.address) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        calls = [stub.RecommendMove.future(request)]
        wait_for(lambda: server.server.running_searches == 1)
        calls.append(stub.RecommendMove.future(request))
        wait_for(lambda: len(server.engine.searches) == 2)
        time.sleep(0.1)
        calls[0].cancel()
        assert not server.engine.searches[0].stopped.wait(0.1)
        calls[1].cancel()

        assert server.engine.searches[0].stopped.wait(5.0)
        server.wait_until_idle()


def test_everyone_who_shares_keeps_the_own_deadline(server: RunningServer) -> None:
    with OpponentClient(server.address) as client, ThreadPoolExecutor(1) as threads:
        first = threads.submit(client.recommend, OPENING, time_seconds=2.0, timeout=20.0)
        wait_for(lambda: server.server.running_searches == 1)
        early = client.recommend(OPENING, time_seconds=2.0, timeout=0.5)

        assert (early.truncated, first.result(10.0).truncated) == (True, False)
    assert len(runs_of(server)) == 1


def test_a_stream_and_a_call_share(server: RunningServer) -> None:
    with OpponentClient(server.address, timeout=20.0) as client:
        stream = client.analyse(OPENING, time_seconds=1.0, interval_seconds=0.05)
        next(stream)
        whole = client.recommend(OPENING, time_seconds=1.0)
        *_, last = stream

    assert last == whole
    assert len(runs_of(server)) == 1


def test_a_repeated_request_is_answered_byte_for_byte(server: RunningServer) -> None:
    limits = Limits(iterations=500)
    first = answer_of(server.address, OPENING, limits)
    again = answer_of(server.address, PERMUTED, limits)

    assert again == first
    assert len(runs_of(server)) == 1


def test_a_remembered_answer_needs_no_slot(start_server: StartServer) -> None:
    server = start_server(search_slots=1, queue_length=0)
    with OpponentClient(server.address, timeout=20.0) as client:
        first = client.recommend(OPENING, iterations=50)
        stream = client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.01)
        next(stream)

        assert client.recommend(OPENING, iterations=50) == first
        assert list(client.analyse(OPENING, iterations=50)) == [first]
        stream.close()  # type: ignore[attr-defined]  # a generator


@pytest.mark.parametrize(
    ("settings", "asked"),
    [
        ({"cache_size": 0}, {"iterations": 50}),
        ({}, {"time_seconds": 0.05}),
        ({}, {"iterations": 100_000, "time_seconds": 0.05}),
        ({"max_time_seconds": 0.05}, {"iterations": 100_000}),
    ],
)
def test_what_is_not_remembered(
    start_server: StartServer, settings: dict[str, float], asked: dict[str, float]
) -> None:
    """Without a cache, where time decided, and what was truncated."""
    server = start_server(**settings)
    with OpponentClient(server.address, timeout=20.0) as client:
        for _ in range(2):
            client.recommend(OPENING, **asked)  # type: ignore[arg-type]  # by name

    assert len(runs_of(server)) == 2


def test_the_cache_is_bounded_and_forgets_the_oldest(start_server: StartServer) -> None:
    server = start_server(cache_size=2)
    with OpponentClient(server.address, timeout=20.0) as client:
        for seed in (1, 2, 1, 3, 1, 2):  # 3 drives 2 out, since 1 was asked again
            client.recommend(OPENING, iterations=20, seed=seed)

    assert [s.seed for s in server.engine.searches if s.runs] == [1, 2, 3, 2]


def test_a_capped_request_stays_truncated_from_the_cache(start_server: StartServer) -> None:
    server = start_server(max_iterations=100)
    with OpponentClient(server.address, timeout=20.0) as client:
        answers = [client.recommend(OPENING, iterations=n).truncated for n in (100, 101, 100)]

    assert answers == [False, True, False]
    assert len(runs_of(server)) == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_the_real_engine_answers_alike_whatever_the_order(threads: int) -> None:
    """Which is why an observation is the same in any order of its lists."""
    limits = Limits(iterations=3000, threads=threads)
    answers = [engine.recommend(seen, limits) for seen in (OPENING, PERMUTED)]

    first, again = (dataclasses.replace(answer, elapsed_seconds=0.0) for answer in answers)
    assert again == first


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_in_slices_is_the_same_search(threads: int) -> None:
    """The service searches in slices, so that everybody is served in time."""
    limits = Limits(iterations=60_000, threads=threads)
    whole = engine.recommend(OPENING, limits)
    search = engine.Search(OPENING, limits)
    while not search.run(0.002):
        pass

    again = dataclasses.replace(search.analysis(), elapsed_seconds=whole.elapsed_seconds)
    assert again == whole


def test_a_level_is_part_of_the_question(real_server: RunningServer) -> None:
    """Answers of levels are remembered, each for its level alone."""
    with OpponentClient(real_server.address, timeout=20.0) as client:
        answers = [client.recommend(OPENING, level=level, seed=5) for level in (1, 6, 1, 6)]
        plain = client.recommend(OPENING, iterations=LEVELS[0].iterations, seed=5)

    assert answers[:2] == answers[2:]
    assert len({answer.alternatives for answer in answers}) == 2
    assert len(plain.alternatives) == 3
