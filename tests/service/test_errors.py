"""Bad input and other errors: the code, the field and what the client raises."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import grpc
import pytest
from fakes.observations import OPENING
from fakes.servers import RunningServer
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from solstis_ai.errors import (
    DeadlineError,
    InvalidObservationError,
    InvalidSearchError,
    ServiceError,
    ServiceUnavailableError,
)
from solstis_ai.search.types import MAX_SEED
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.server import SERVICE_NAME
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc
from solstis_ai.wire import observation_to_proto

StartServer = Callable[..., RunningServer]
SeatCall = Callable[[OpponentClient], object]

BAD_HAND = replace(OPENING, your_hand=("r1", "x9", "k4"))


def fields_of(error: grpc.RpcError) -> list[str]:
    """The fields that a raw error names."""
    assert isinstance(error, grpc.Call)
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    status = rpc_status.from_call(error)
    assert status is not None
    bad_request = error_details_pb2.BadRequest()
    assert status.details[0].Unpack(bad_request)
    assert all(violation.description for violation in bad_request.field_violations)
    return [violation.field for violation in bad_request.field_violations]


def raw(arity: Callable[[str], Any], method: str, data: bytes) -> Any:
    """Call ``method`` with bytes that no stub would send."""
    return arity(f"/{SERVICE_NAME}/{method}")(data)


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.recommend(BAD_HAND),
        lambda client: list(client.analyse(BAD_HAND)),
        lambda client: client.legal_moves(BAD_HAND),
    ],
)
def test_a_bad_observation_names_its_field(client: OpponentClient, call: SeatCall) -> None:
    with pytest.raises(InvalidObservationError, match="x9") as caught:
        call(client)

    assert caught.value.field == "observation.your_hand[1]"
    assert "x9" in caught.value.reason


@pytest.mark.parametrize(
    ("limits", "field"),
    [
        (pb.Limits(iterations=0), "limits.iterations"),
        (pb.Limits(iterations=-5), "limits.iterations"),
        (pb.Limits(time_seconds=0.0), "limits.time_seconds"),
        (pb.Limits(time_seconds=-1.0), "limits.time_seconds"),
        (pb.Limits(time_seconds=float("nan")), "limits.time_seconds"),
        (pb.Limits(time_seconds=float("inf")), "limits.time_seconds"),
        (pb.Limits(threads=0), "limits.threads"),
        (pb.Limits(threads=-1), "limits.threads"),
    ],
)
def test_a_bad_limit_names_its_field(server: RunningServer, limits: pb.Limits, field: str) -> None:
    observation = observation_to_proto(OPENING)
    request = pb.RecommendMoveRequest(observation=observation, limits=limits)
    other_request = pb.AnalyzePositionRequest(observation=observation, limits=limits)
    with grpc.insecure_channel(server.address) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        with pytest.raises(grpc.RpcError) as one:
            stub.RecommendMove(request)
        with pytest.raises(grpc.RpcError) as other:
            list(stub.AnalyzePosition(other_request))

    assert fields_of(one.value) == fields_of(other.value) == [field]
    assert not server.engine.searches


@pytest.mark.parametrize("interval", [0.0, -1.0, 0.009, float("nan"), float("inf")])
def test_a_bad_interval_names_its_field(client: OpponentClient, interval: float) -> None:
    with pytest.raises(InvalidSearchError) as caught:
        list(client.analyse(OPENING, interval_seconds=interval))

    assert caught.value.field == "interval_seconds"


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1])
def test_a_seed_that_does_not_fit_is_refused(client: OpponentClient, seed: int) -> None:
    with pytest.raises(InvalidSearchError) as caught:
        client.recommend(OPENING, seed=seed)

    assert caught.value.field == "seed"


@pytest.mark.parametrize("method", ["RecommendMove", "ListLegalMoves"])
def test_a_missing_observation_names_its_field(server: RunningServer, method: str) -> None:
    with grpc.insecure_channel(server.address) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        with pytest.raises(grpc.RpcError) as caught:
            getattr(stub, method)(getattr(pb, f"{method}Request")())

    (field,) = fields_of(caught.value)
    assert field.startswith("observation")


@pytest.mark.parametrize("method", ["RecommendMove", "ListLegalMoves", "GetEngineInfo"])
def test_bytes_that_are_no_message_are_bad_input(server: RunningServer, method: str) -> None:
    with (
        grpc.insecure_channel(server.address) as channel,
        pytest.raises(grpc.RpcError) as caught,
    ):
        raw(channel.unary_unary, method, b"\xff\xff\xff")

    assert fields_of(caught.value) == ["request"]


def test_a_stream_with_bytes_that_are_no_message(server: RunningServer) -> None:
    with (
        grpc.insecure_channel(server.address) as channel,
        pytest.raises(grpc.RpcError) as caught,
    ):
        list(raw(channel.unary_stream, "AnalyzePosition", b"\x0a\x05"))

    assert fields_of(caught.value) == ["request"]


def test_an_unknown_method_is_unimplemented(server: RunningServer) -> None:
    with (
        grpc.insecure_channel(server.address) as channel,
        pytest.raises(grpc.RpcError) as caught,
    ):
        raw(channel.unary_unary, "CheatALittle", b"")

    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_a_message_above_the_size_limit_is_refused(start_server: StartServer) -> None:
    server = start_server(max_request_bytes=1000)
    with OpponentClient(server.address) as client, pytest.raises(ServiceError):
        client.legal_moves(replace(OPENING, discarded_tiles=("r1",) * 1000))

    assert not server.engine.searches


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.recommend(OPENING),
        lambda client: list(client.analyse(OPENING)),
        lambda client: client.legal_moves(OPENING),
    ],
)
def test_an_unexpected_exception_is_logged_and_not_told(
    server: RunningServer,
    client: OpponentClient,
    caplog: pytest.LogCaptureFixture,
    call: SeatCall,
) -> None:
    server.engine.failure = ZeroDivisionError("a secret of the house")
    with caplog.at_level(logging.ERROR), pytest.raises(ServiceError) as caught:
        call(client)

    assert "INTERNAL" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "a secret of the house" in caplog.text
    assert "Traceback" in caplog.text


def test_no_server_is_unavailable() -> None:
    with (
        OpponentClient("127.0.0.1:1", timeout=10.0) as client,
        pytest.raises(ServiceUnavailableError),
    ):
        client.engine_info()


def test_a_server_that_does_not_answer_is_a_deadline_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with OpponentClient(address) as client, pytest.raises(DeadlineError):
            client.recommend(OPENING, timeout=0.2)
