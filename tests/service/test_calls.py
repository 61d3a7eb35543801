"""Every call of the service, as a client sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest
from fakes.engine import DEFAULT_SEED
from fakes.observations import FORCED, OPENING
from fakes.servers import RunningServer
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from solstis_ai.search.types import MAX_SEED
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.server import SERVICE_NAME
from solstis_ai.version import VERSION
from solstis_ai.vocabulary import Move

StartServer = Callable[..., RunningServer]

PLAYS = [Move.parse(words) for words in ("play g5", "play k4", "play r1")]


def test_recommend_carries_the_whole_answer(server: RunningServer, client: OpponentClient) -> None:
    analysis = client.recommend(OPENING, iterations=100, seed=MAX_SEED)

    (search,) = server.engine.searches
    assert analysis == search.analysis()
    assert analysis.seed == MAX_SEED
    assert analysis.iterations == 100
    assert [entry.move for entry in analysis.alternatives] == PLAYS
    assert not analysis.truncated


def test_limits_reach_the_engine(start_server: StartServer) -> None:
    server = start_server(search_slots=3)
    with OpponentClient(server.address) as client:
        client.recommend(OPENING, iterations=50, time_seconds=7.5, threads=2)

    (search,) = server.engine.searches
    assert (search.limits.iterations, search.limits.time_seconds) == (50, 7.5)
    assert search.limits.threads == 2
    assert search.seed == DEFAULT_SEED


def test_default_time_holds_when_nothing_is_asked(start_server: StartServer) -> None:
    server = start_server(default_time_seconds=0.05)
    with OpponentClient(server.address) as client:
        analysis = client.recommend(OPENING)

    assert server.engine.searches[0].limits.time_seconds == 0.05
    assert not analysis.truncated


@pytest.mark.parametrize(
    ("settings", "asked"),
    [
        ({"max_iterations": 100}, {"iterations": 101}),
        ({"max_time_seconds": 0.05}, {"time_seconds": 5.0}),
        ({"max_time_seconds": 0.05}, {"iterations": 1_000_000}),
    ],
)
def test_caps_end_a_search_and_say_so(
    start_server: StartServer, settings: dict[str, float], asked: dict[str, float]
) -> None:
    server = start_server(**settings)
    with OpponentClient(server.address, timeout=10.0) as client:
        analysis = client.recommend(OPENING, **asked)  # type: ignore[arg-type]  # by name

    assert analysis.truncated
    assert 0 < analysis.iterations <= 1_000_000


def test_asking_for_the_cap_is_no_truncation(start_server: StartServer) -> None:
    server = start_server(max_iterations=100)
    with OpponentClient(server.address) as client:
        assert not client.recommend(OPENING, iterations=100).truncated


def test_threads_are_capped(start_server: StartServer) -> None:
    server = start_server(search_slots=4, max_threads=3)
    with OpponentClient(server.address) as client:
        client.recommend(OPENING, iterations=1, threads=64)
        assert client.engine_info().max_threads == 3

    assert server.engine.searches[0].limits.threads == 3


def test_a_forced_move_needs_no_search(start_server: StartServer) -> None:
    server = start_server(search_slots=1, queue_length=0)
    with OpponentClient(server.address) as client:
        stream = client.analyse(OPENING, time_seconds=30.0, interval_seconds=0.01)
        next(stream)  # the only slot is taken now

        analysis = client.recommend(FORCED, time_seconds=30.0, timeout=10.0)
        stream.close()  # type: ignore[attr-defined]  # a generator

    assert (str(analysis.move), analysis.solved, analysis.truncated) == ("play g5", True, False)


def test_an_ending_solved_at_once_needs_no_search(start_server: StartServer) -> None:
    server = start_server(search_slots=1, queue_length=0)
    server.engine.settles = True
    with OpponentClient(server.address) as client:
        analysis = client.recommend(OPENING, time_seconds=30.0, timeout=10.0)

    assert (analysis.solved, analysis.truncated) == (True, False)
    assert server.engine.searches[0].runs == 0


def test_analysis_grows_until_the_final_answer(
    server: RunningServer, client: OpponentClient
) -> None:
    answers = list(client.analyse(OPENING, time_seconds=0.3, interval_seconds=0.05))

    counts = [answer.iterations for answer in answers]
    assert len(counts) >= 3
    assert counts == sorted(counts)
    assert answers[-1] == server.engine.searches[0].analysis()
    assert not any(answer.truncated for answer in answers)


def test_analysis_of_a_forced_move_is_one_answer(client: OpponentClient) -> None:
    (answer,) = client.analyse(FORCED, time_seconds=10.0)
    assert answer.solved


def test_legal_moves(client: OpponentClient) -> None:
    assert client.legal_moves(OPENING) == PLAYS


def test_engine_info(start_server: StartServer) -> None:
    server = start_server(
        search_slots=3, max_iterations=1000, max_time_seconds=9.0, default_time_seconds=0.25
    )
    with OpponentClient(server.address) as client:
        info = client.engine_info()

    assert (info.version, info.rules_version) == (VERSION, "fake-rules")
    assert info.processor_level == "fake-v2"
    assert info.available_processor_levels == ("fake-v1", "fake-v2")
    assert (info.search_slots, info.max_threads) == (3, 3)
    assert (info.max_iterations, info.max_time_seconds) == (1000, 9.0)
    assert info.default_time_seconds == 0.25


@pytest.mark.parametrize("name", ["", SERVICE_NAME])
def test_health_says_serving(server: RunningServer, name: str) -> None:
    assert server.health(name) == "SERVING"


def test_reflection_lists_the_service(server: RunningServer) -> None:
    with grpc.insecure_channel(server.address) as channel:
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)  # has no types
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        (response,) = stub.ServerReflectionInfo(iter([request]), timeout=5)

    names = {service.name for service in response.list_services_response.service}
    assert {SERVICE_NAME, "grpc.health.v1.Health"} <= names
