"""Mutated and random requests: nothing but an answer or INVALID_ARGUMENT with a field."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from decisions import RECORDED, decisions_of
from fakes.servers import RunningServer
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from solstis_ai.service.server import SERVICE_NAME
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.vocabulary import CELLS, SPIRITS
from solstis_ai.wire import observation_to_proto

Mutation = Callable[[random.Random, pb.RecommendMoveRequest], bytes]

MANY, FEW = 10_000, 400
METHODS = ("RecommendMove", "ListLegalMoves", "AnalyzePosition")
STRINGS = (*CELLS, *SPIRITS, "", "r0", "g11", "?", "é" * 40)
NUMBERS = (-(2**31), -1, 0, 1, 2, 7, 48, 2**31 - 1)


OBSERVATIONS = [observation for game in RECORDED for observation, _ in decisions_of(game)]
"""Every phase of every variant."""


def request_of(source: random.Random) -> pb.RecommendMoveRequest:
    observation = observation_to_proto(source.choice(OBSERVATIONS))
    return pb.RecommendMoveRequest(observation=observation, limits=pb.Limits(iterations=1))


def random_bytes(source: random.Random, _: pb.RecommendMoveRequest) -> bytes:
    return source.randbytes(source.randrange(1, 60))


def changed_bytes(source: random.Random, request: pb.RecommendMoveRequest) -> bytes:
    data = bytearray(request.SerializeToString())
    for _ in range(source.randrange(1, 4)):
        data[source.randrange(len(data))] = source.randrange(256)
    return bytes(data)


def cut_bytes(source: random.Random, request: pb.RecommendMoveRequest) -> bytes:
    data = request.SerializeToString()
    return data[: source.randrange(len(data))]


def changed_fields(source: random.Random, request: pb.RecommendMoveRequest) -> bytes:
    """Fields of the observation mostly, of limits, seed and the request itself too."""
    parts = (request.observation, request.observation, request.limits, request)
    for _ in range(source.randrange(1, 4)):
        mutate(source, source.choice(parts))
    return request.SerializeToString()


def mutate(source: random.Random, message: Message) -> None:
    """Change one field somewhere in ``message``."""
    holder: Any = message
    field: Any = source.choice(message.DESCRIPTOR.fields)
    if field.is_repeated:
        _mutate_list(source, getattr(holder, field.name), is_message=bool(field.message_type))
    elif field.message_type:
        mutate(source, getattr(holder, field.name))
    elif field.type == field.TYPE_STRING:
        setattr(holder, field.name, source.choice(STRINGS))
    elif field.type == field.TYPE_BOOL:
        setattr(holder, field.name, source.random() < 0.5)
    else:
        unsigned = field.type == field.TYPE_UINT64
        setattr(holder, field.name, source.choice(NUMBERS[2:] if unsigned else NUMBERS))


def _mutate_list(source: random.Random, items: Any, *, is_message: bool) -> None:
    if items and source.random() < 0.4:
        del items[source.randrange(len(items))]
    elif is_message:
        mutate(source, items.add())
    else:
        items.append(source.choice(STRINGS))


MUTATIONS = (random_bytes, changed_bytes, cut_bytes, changed_fields)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda it: it.__name__)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("total", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_only_answers_or_bad_input(
    real_server: RunningServer, method: str, mutation: Mutation, total: int
) -> None:
    source = random.Random(f"{method} {mutation.__name__} {total}")
    count = -(-total // (len(MUTATIONS) * len(METHODS)))
    with grpc.insecure_channel(real_server.address) as channel:
        call = caller(channel, method)
        outcomes = {outcome_of(call, mutation(source, request_of(source))) for _ in range(count)}

    assert "INVALID_ARGUMENT" in outcomes
    assert mutation is not changed_fields or "OK" in outcomes


def caller(channel: grpc.Channel, method: str) -> Callable[..., object]:
    """A function that makes one call and waits for all of its answer."""
    path = f"/{SERVICE_NAME}/{method}"
    if method != "AnalyzePosition":
        unary: Callable[..., object] = channel.unary_unary(path)
        return unary
    stream: Any = channel.unary_stream(path)
    return lambda data, timeout: list(stream(data, timeout=timeout))


def outcome_of(call: Any, data: bytes) -> str:
    """The name of the code; fails when it is neither OK nor INVALID_ARGUMENT with a field."""
    try:
        call(data, timeout=10.0)
    except grpc.RpcError as error:
        assert isinstance(error, grpc.Call)
        assert error.code() is grpc.StatusCode.INVALID_ARGUMENT, (data, error)
        assert named_field(error), (data, error)
        return "INVALID_ARGUMENT"
    return "OK"


def named_field(error: grpc.Call) -> str:
    status = rpc_status.from_call(error)
    assert status is not None
    bad_request = error_details_pb2.BadRequest()
    assert status.details[0].Unpack(bad_request)
    return str(bad_request.field_violations[0].field)
