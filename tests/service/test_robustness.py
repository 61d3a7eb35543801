"""Raw bytes on the port, connections that say nothing, readers that do not read."""

from __future__ import annotations

import contextlib
import os
import random
import socket
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import grpc
import pytest
from fakes.observations import OPENING
from fakes.servers import RunningServer, wait_for
from process import service

from solstis_ai.search.types import Limits
from solstis_ai.service.channels import ChannelSettings
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.config import ServerConfig
from solstis_ai.service.converters import analyze_request, recommend_request
from solstis_ai.service.server import SERVICE_NAME, _options
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc
from solstis_ai.wire import observation_to_proto

StartServer = Callable[..., RunningServer]

LONG = 30.0
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def connected(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)), timeout=5.0)


def send_raw(address: str, data: bytes) -> None:
    with connected(address) as wire, contextlib.suppress(OSError):
        wire.sendall(data)
        wire.shutdown(socket.SHUT_WR)


def still_answers(address: str) -> bool:
    with OpponentClient(address, timeout=10.0) as client:
        return client.recommend(OPENING, iterations=3).iterations == 3


def frame(source: random.Random) -> bytes:
    """A frame of HTTP/2 with random kind, flags, stream and content."""
    body = source.randbytes(source.randrange(64))
    head = len(body).to_bytes(3, "big") + bytes([source.randrange(12), source.randrange(256)])
    return head + source.randrange(8).to_bytes(4, "big") + body


@pytest.mark.parametrize("count", [150, pytest.param(5000, marks=pytest.mark.long)])
def test_raw_bytes_on_the_port(server: RunningServer, count: int) -> None:
    source = random.Random(count)
    kinds: list[Callable[[], bytes]] = [
        lambda: source.randbytes(source.randrange(1, 500)),
        lambda: PREFACE + source.randbytes(source.randrange(1, 500)),
        lambda: PREFACE + b"".join(frame(source) for _ in range(source.randrange(1, 20))),
        lambda: b"GET / HTTP/1.1\r\nHost: " + source.randbytes(20).hex().encode() + b"\r\n\r\n",
        lambda: b"\x16\x03\x01" + source.randbytes(200),
    ]
    for number in range(count):
        send_raw(server.address, kinds[number % len(kinds)]())

    assert still_answers(server.address)


@on_linux
def test_silent_connections_do_not_keep_others_out() -> None:
    with service("--slots", "1") as (process, address), contextlib.ExitStack() as stack:
        for number in range(200):
            wire = stack.enter_context(connected(address))
            if number % 2:
                wire.sendall(PREFACE[: number % len(PREFACE)])
        assert still_answers(address)
        stack.close()
        wait_for(lambda: len(os.listdir(f"/proc/{process.pid}/fd")) < 100, 20.0)
        assert still_answers(address)


@pytest.mark.long
@pytest.mark.parametrize("begin", [b"", PREFACE], ids=["nothing", "preface"])
def test_a_connection_that_says_no_more_is_closed(begin: bytes) -> None:
    """After ten seconds; without the setting it is found by a ping, after forty."""
    with service("--slots", "1") as (_, address), connected(address) as wire:
        wire.settimeout(25.0)
        wire.sendall(begin)
        while wire.recv(65_536):
            pass


@pytest.mark.parametrize(
    "observation",
    [
        pb.Observation(your_hand=["r1"] * 4000),
        pb.Observation(your_hand=["r" * 16_000]),
        pb.Observation(queue=[pb.QueueTile()] * 7_000),
        pb.Observation(you=pb.Panorama(spirits=[pb.SpiritOnSquare()] * 7_000)),
        pb.Observation(deck_size=2**31 - 1, opponent_hand_size=-(2**31)),
    ],
    ids=["many", "long", "queue", "spirits", "numbers"],
)
def test_huge_fields_are_bad_input(server: RunningServer, observation: pb.Observation) -> None:
    observation.phase = pb.PHASE_PLAY
    request = pb.ListLegalMovesRequest(observation=observation)
    with grpc.insecure_channel(server.address) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        with pytest.raises(grpc.RpcError) as caught:
            stub.ListLegalMoves(request, timeout=10)

    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_a_message_that_no_game_needs_is_refused_by_default(server: RunningServer) -> None:
    observation = pb.Observation(phase=pb.PHASE_PLAY, your_hand=["r" * 17_000])
    with grpc.insecure_channel(server.address) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        with pytest.raises(grpc.RpcError) as caught:
            stub.ListLegalMoves(pb.ListLegalMovesRequest(observation=observation), timeout=10)

    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


def test_deep_fields_are_bad_input(server: RunningServer) -> None:
    """Unknown fields nested as groups, deeper than any parser's stack should go."""
    deep = b"\x0b" * 16_000  # begins group 1 again and again
    with grpc.insecure_channel(server.address) as channel:
        call: Any = channel.unary_unary(f"/{SERVICE_NAME}/ListLegalMoves")
        with pytest.raises(grpc.RpcError) as caught:
            call(deep, timeout=10)

    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert still_answers(server.address)


def test_huge_metadata_is_refused(server: RunningServer) -> None:
    with grpc.insecure_channel(server.address) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        with pytest.raises(grpc.RpcError) as caught:
            stub.GetEngineInfo(
                pb.GetEngineInfoRequest(), metadata=(("x-much", "x" * 100_000),), timeout=10
            )

    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert still_answers(server.address)


def slow_stream(channel: grpc.Channel) -> grpc.Call:
    """A stream of many messages that nobody reads beyond the first one."""
    request = analyze_request(OPENING, Limits(time_seconds=LONG), None, 0.01)
    call = pb_grpc.OpponentServiceStub(channel).AnalyzePosition(request)
    next(call)
    assert isinstance(call, grpc.Call)
    return call


NARROW = [("grpc.http2.lookahead_bytes", 1), ("grpc.http2.bdp_probe", 0)]


def test_a_client_that_does_not_read_is_left(start_server: StartServer) -> None:
    server = start_server(max_write_seconds=0.3, search_slots=1)
    with grpc.insecure_channel(server.address, options=NARROW) as channel:
        call = slow_stream(channel)
        server.wait_until_idle()
        time.sleep(0.1)
        with pytest.raises(grpc.RpcError):
            list(call)  # type: ignore[call-overload]  # a stream

    assert call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert still_answers(server.address)


@on_linux
def test_slow_readers_do_not_fill_the_memory() -> None:
    with service("--slots", "8") as (process, address), contextlib.ExitStack() as stack:
        still_answers(address)
        before = resident_kib(process.pid)
        for number in range(6):
            options = [*NARROW, ("grpc.number", number)]
            slow_stream(stack.enter_context(grpc.insecure_channel(address, options=options)))
        time.sleep(3.0)
        grown = resident_kib(process.pid) - before

    assert grown < 200 * 1024, "six trees of three seconds are smaller, unsent answers are not"


def resident_kib(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


@pytest.mark.parametrize("most", [1, 3])
def test_a_stream_has_a_most_of_messages(start_server: StartServer, most: int) -> None:
    server = start_server(max_stream_messages=most)
    with OpponentClient(server.address, timeout=20.0) as client:
        answers = list(client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.05))

    assert len(answers) == most
    assert answers[-1].truncated
    server.wait_until_idle()


def test_a_stream_has_a_longest_duration(start_server: StartServer) -> None:
    server = start_server(max_stream_seconds=0.3)
    with OpponentClient(server.address, timeout=20.0) as client:
        begin = time.monotonic()
        answers = list(client.analyse(OPENING, time_seconds=LONG, interval_seconds=0.05))
        whole = client.recommend(OPENING, time_seconds=0.5)

    assert 0.2 < time.monotonic() - begin < 5.0
    assert answers[-1].truncated
    assert not whole.truncated


def test_more_streams_than_a_connection_may_have_wait(start_server: StartServer) -> None:
    server = start_server(search_slots=1, queue_length=200, queue_share=200)
    observation = observation_to_proto(OPENING)
    with grpc.insecure_channel(server.address) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        calls = []
        for seed in range(150):
            limits = pb.Limits(time_seconds=LONG)
            request = pb.RecommendMoveRequest(observation=observation, limits=limits, seed=seed)
            calls.append(stub.RecommendMove.future(request))
            if seed % 16 == 15:  # a burst would meet the bound of what is being validated
                expected = min(seed, 127)
                wait_for(lambda: server.server.waiting_searches == expected)  # noqa: B023 - called before the next turn
        time.sleep(0.2)
        assert server.server.waiting_searches == 127
        for call in calls:
            call.cancel()


PING = b"\x00\x00\x08\x06\x00"
SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"


def test_grpc_knows_every_setting() -> None:
    """It takes others without a word."""
    found = find_spec("grpc._cython.cygrpc")
    assert found is not None
    core = Path(found.origin or "").read_bytes()
    settings = [*_options(ServerConfig()), *ChannelSettings("127.0.0.1:1").options]

    assert [name for name, _ in settings if name.encode() not in core] == []


@pytest.mark.long
def test_a_connection_that_died_silently_is_found(server: RunningServer) -> None:
    """It is asked after half a minute and closed ten seconds later.

    By default the one happens after two hours, the other a minute later.
    """
    came = b""
    with connected(server.address) as wire:
        wire.settimeout(50.0)
        wire.sendall(PREFACE + SETTINGS)
        while part := wire.recv(1000):
            came += part

    assert PING in came


@pytest.mark.long
def test_a_client_that_waits_may_ping_every_ten_seconds(server: RunningServer) -> None:
    """By default the fourth ping within minutes ends the connection."""
    pings = [("grpc.keepalive_time_ms", 10_000), ("grpc.http2.max_pings_without_data", 0)]
    request = recommend_request(OPENING, Limits(time_seconds=55.0), None)
    with grpc.insecure_channel(server.address, pings) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        assert not stub.RecommendMove(request, timeout=70).analysis.truncated


def test_more_connections_than_allowed_are_closed(start_server: StartServer) -> None:
    """Whether they say something or not; and each that ends makes room for another."""
    server = start_server(max_connections=2)
    for _ in range(3):
        with opened(server.address), opened(server.address), connected(server.address) as further:
            assert ended(further)
    assert still_answers(server.address)


def opened(address: str) -> socket.socket:
    """A connection that the server takes, once there is room for it."""
    end = time.monotonic() + 10.0
    while ended(wire := connected(address)):
        wire.close()
        assert time.monotonic() < end
    return wire


def ended(wire: socket.socket) -> bool:
    """Whether the server closes a connection instead of sending the settings of HTTP/2."""
    try:
        return wire.recv(1) == b""
    except ConnectionResetError:
        return True


def test_an_old_connection_is_asked_to_end_and_calls_go_on(start_server: StartServer) -> None:
    """The client notices nothing but a new connection."""
    server = start_server(max_connection_age_seconds=0.2)
    states: list[grpc.ChannelConnectivity] = []
    with grpc.insecure_channel(server.address) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        channel.subscribe(states.append)
        request = pb.RecommendMoveRequest(
            observation=observation_to_proto(OPENING), limits=pb.Limits(time_seconds=1.0)
        )
        assert not stub.RecommendMove(request, timeout=10).analysis.truncated
        assert stub.GetEngineInfo(pb.GetEngineInfoRequest(), timeout=10).version
        ready, idle = grpc.ChannelConnectivity.READY, grpc.ChannelConnectivity.IDLE
        wait_for(lambda: ready in states and idle in states[states.index(ready) :])
        assert stub.GetEngineInfo(pb.GetEngineInfoRequest(), timeout=10).version
