"""Connections to the port for browsers: how many, and how long they may take."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import http.client
import json
import random
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from fakes.certificates import Authority
from fakes.observations import OPENING
from fakes.servers import RunningServer, wait_for
from google.protobuf.json_format import MessageToDict

from solstis_ai.service.web_connections import Bounds, Listener, connections_within
from solstis_ai.wire import observation_to_proto

StartServer = Callable[..., RunningServer]

LONG = 30.0
SHORT = 0.2
SMALL = 4096
PATH = "/solstis_ai.v1.OpponentService/GetEngineInfo"
HEAD = f"POST {PATH} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
WHOLE = f"{HEAD}content-length: 2\r\n\r\n{{}}"


@contextlib.contextmanager
def connected(server: RunningServer) -> Iterator[socket.socket]:
    assert server.server.web_url is not None
    url = urlsplit(server.server.web_url)
    with socket.create_connection((url.hostname or "", url.port or 0), LONG) as link:
        yield link


def everything(link: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    parts = []
    with contextlib.suppress(ConnectionError):  # it was closed before we were done
        while part := link.recv(65_536):
            parts.append(part)
    return b"".join(parts)


def first_line(answer: bytes) -> bytes:
    return answer.partition(b"\r\n")[0]


def answers(link: socket.socket) -> bool:
    """Whether a whole request on this connection is answered."""
    link.sendall(WHOLE.encode())
    return status(link) == 200


def status(link: socket.socket) -> int:
    """The status of the next answer, which is read to its end."""
    response = http.client.HTTPResponse(link)
    response.begin()
    response.read()
    return response.status


def test_more_connections_than_allowed_are_turned_away(start_server: StartServer) -> None:
    server = start_server(web_port=0, web_connections=2)
    with connected(server) as first, connected(server) as second:
        assert answers(first)
        assert answers(second)
        with connected(server) as third:
            assert first_line(everything(third)) == b"HTTP/1.1 503 Service Unavailable"
        assert answers(first)

    def there_is_room() -> bool:
        with connected(server) as fourth, contextlib.suppress(ConnectionError):
            return answers(fourth)
        return False

    wait_for(there_is_room)


@pytest.mark.parametrize(
    "begin",
    [
        "",
        "POST",
        HEAD,
        f"{HEAD}content-length: 2\r\n\r\n{{",
        f"{HEAD}transfer-encoding: chunked\r\n\r\n1\r\n{{\r\n",
    ],
    ids=["silent", "method", "headers", "body", "chunks"],
)
def test_a_request_that_never_ends_is_given_up(start_server: StartServer, begin: str) -> None:
    server = start_server(web_port=0, max_read_seconds=SHORT)
    with connected(server) as link:
        link.sendall(begin.encode())
        assert first_line(everything(link)) == b"HTTP/1.1 408 Request Timeout"


def test_bytes_that_drip_do_not_gain_time(start_server: StartServer) -> None:
    """Slow loris: there is always another byte, and never a request."""
    server = start_server(web_port=0, max_read_seconds=SHORT)
    with connected(server) as link:
        link.sendall(HEAD.encode())
        with pytest.raises(ConnectionError):
            drip(link)


def drip(link: socket.socket) -> None:
    """Send a header after the other for a while, unless the connection breaks."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        link.sendall(b"x-drop: 1\r\n")
        time.sleep(SHORT / 10)


@pytest.mark.parametrize("begin", ["P", HEAD, f"{HEAD}content-length: 2\r\n\r\n{{"])
@pytest.mark.parametrize("pipelined", [False, True])
def test_a_second_request_has_to_end_too(
    start_server: StartServer, begin: str, pipelined: bool
) -> None:
    server = start_server(web_port=0, max_read_seconds=SHORT)
    with connected(server) as link:
        if pipelined:
            link.sendall(f"{WHOLE}{begin}".encode())
        else:
            assert answers(link)
            link.sendall(begin.encode())
        assert b"408 Request Timeout" in everything(link)


def test_a_long_answer_is_no_slow_request(start_server: StartServer) -> None:
    """The time to read ends with the request; the search may take longer."""
    server = start_server(web_port=0, max_read_seconds=SHORT)
    seen = MessageToDict(observation_to_proto(OPENING))
    body = json.dumps({"observation": seen, "limits": {"timeSeconds": 5 * SHORT}})
    path = PATH.replace("GetEngineInfo", "RecommendMove")
    head = HEAD.replace(PATH, path)
    with connected(server) as link:
        link.sendall(f"{head}content-length: {len(body)}\r\n\r\n{body}".encode())
        assert status(link) == 200


HELLO = b"\x16\x03\x01\x02\x00\x01"
"""The beginning of a TLS handshake."""


@pytest.fixture
def tls(tmp_path: Path) -> dict[str, Path]:
    """Settings of a server with TLS."""
    pair = Authority(tmp_path).sign("server")
    return {"tls_cert": pair.cert, "tls_key": pair.key}


@pytest.mark.parametrize("begin", [b"", HELLO])
def test_a_handshake_that_never_ends_is_given_up(
    start_server: StartServer, tls: dict[str, Path], begin: bytes
) -> None:
    server = start_server(web_port=0, max_read_seconds=SHORT, **tls)
    with connected(server) as link:
        link.sendall(begin)
        assert everything(link) == b""


def test_more_handshakes_than_allowed_are_closed(
    start_server: StartServer, tls: dict[str, Path]
) -> None:
    """They are no connections yet, but take as much memory."""
    server = start_server(web_port=0, web_connections=2, max_read_seconds=2 * LONG, **tls)
    trusting = ssl.create_default_context(cafile=str(tls["tls_cert"].with_name("authority.crt")))
    with connected(server) as one:
        one.sendall(HELLO)
        with connected(server) as other, connected(server) as further:
            assert everything(further) == b""
            other.sendall(HELLO)
        link = http.client.HTTPSConnection(
            urlsplit(server.server.web_url or "").netloc, timeout=LONG, context=trusting
        )
        wait_for(lambda: is_answered(link))


def is_answered(link: http.client.HTTPSConnection) -> bool:
    """Whether there was room for a connection."""
    try:
        link.request("GET", "/health")
        return link.getresponse().status == 200
    except OSError:
        link.close()
        return False


def test_a_system_without_descriptors_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solstis_ai.service.web_connections._NO_DESCRIPTORS_SECONDS", 0.01)

    class Exhausted(socket.socket):
        left = 3

        def accept(self) -> tuple[socket.socket, Any]:
            self.left -= 1
            if self.left >= 0:
                raise OSError(errno.EMFILE, "Too many open files")
            return super().accept()

    async def take() -> None:
        taken = asyncio.get_running_loop().create_future()

        class Taking(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                taken.set_result(transport)

        with Exhausted() as listening:
            listening.bind(("127.0.0.1", 0))
            listener = Listener(listening, Taking, None, Bounds(1, SHORT, SHORT), 1)
            with socket.create_connection(listening.getsockname()):
                (await asyncio.wait_for(taken, LONG)).close()
            listener.close()
            await listener.wait_closed()

    asyncio.run(take())


def test_raw_bytes_on_the_port(start_server: StartServer, caplog: pytest.LogCaptureFixture) -> None:
    """They do no harm, and nobody fills the log with them."""
    server = start_server(web_port=0)
    source = random.Random(5)
    kinds: list[Callable[[], bytes]] = [
        lambda: source.randbytes(source.randrange(1, 500)),
        lambda: b"GET /" + source.randbytes(50) + b" HTTP/1.1\r\nhost: x\r\n\r\n",
        lambda: HEAD.encode() + b"content-length: 40\r\n\r\n" + source.randbytes(40),
        lambda: HEAD.encode() + b"content-length: -1\r\n\r\n",
        lambda: HEAD.encode() + b"x: " + b"y" * 100_000,
        lambda: b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + source.randbytes(100),
    ]
    for number in range(120):
        with connected(server) as link, contextlib.suppress(OSError):
            link.sendall(kinds[number % len(kinds)]())
    with connected(server) as link:
        assert answers(link)
    assert not [record for record in caplog.records if record.name.startswith("uvicorn")]


def test_headers_without_an_end_are_refused(start_server: StartServer) -> None:
    server = start_server(web_port=0)
    with connected(server) as link:
        with contextlib.suppress(ConnectionError):
            link.sendall(HEAD.encode() + b"x: " + b"y" * 40_000)
        assert first_line(everything(link)) in (b"HTTP/1.1 400 Bad Request", b"")


@contextlib.asynccontextmanager
async def serving(application: Any, bounds: Bounds) -> AsyncIterator[tuple[uvicorn.Server, int]]:
    """``application`` behind such connections, and its port."""
    config = uvicorn.Config(
        application,
        http=connections_within(bounds),
        lifespan="off",
        log_config=None,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)
    task = asyncio.create_task(server._serve([listener]))
    try:
        yield server, listener.getsockname()[1]
    finally:
        server.should_exit = True
        await task


@pytest.mark.parametrize("more", [True, False], ids=["while it answers", "after the answer"])
@pytest.mark.parametrize("size", [60_000, 1 << 25])
def test_a_reader_that_does_not_read_is_cut_off(more: bool, size: int) -> None:
    """Also when the answer is over and its end waits to be read, be it short."""
    left: list[str] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": bytes(size), "more_body": more})
        left.append("sent")
        await receive()
        while (await receive())["type"] != "http.disconnect":
            pass
        left.append("disconnected")

    async def measure() -> None:
        async with serving(application, Bounds(5, LONG, SHORT)) as (server, port):
            link = socket.socket()
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
            link.connect(("127.0.0.1", port))
            link.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            async with asyncio.timeout(LONG / 3):
                while "disconnected" not in left or server.server_state.connections:
                    await asyncio.sleep(0.01)
            link.close()

    asyncio.run(measure())
    assert left == ["sent", "disconnected"]


def test_a_reader_that_reads_is_not_cut_off() -> None:
    patience = 1.0

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(10):
            await send({"type": "http.response.body", "body": bytes(1 << 16), "more_body": True})
        await asyncio.sleep(2 * patience)
        await send({"type": "http.response.body", "body": b"end"})

    async def read() -> bytes:
        async with serving(application, Bounds(5, LONG, patience)) as (_, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            content = await reader.read()
            writer.close()
        return content

    assert asyncio.run(read()).endswith(b"end\r\n0\r\n\r\n")
