"""Connections of the port for browsers: so many at most, and none that never ends.

uvicorn alone takes as many connections as the process has descriptors, waits a minute for a TLS
handshake, without end for a request that comes byte by byte (slow loris), and for a reader that
does not read. Needs the extra ``web``.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["Bounds", "Listener", "connections_within"]

_NO_DESCRIPTORS_SECONDS = 1.0
"""Pause when the system has no descriptor for another connection."""

_REFUSAL = b"HTTP/1.1 %s\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_TOO_MANY = _REFUSAL % b"503 Service Unavailable\r\nretry-after: 1"
_TOO_SLOW = _REFUSAL % b"408 Request Timeout"


@dataclass(frozen=True, slots=True)
class Bounds:
    """What connections have to keep to.

    Attributes:
        connections: Connections at the same time; a further one is answered 503 and closed. So
            many TLS handshakes may be under way besides; a further one is closed.
        read_seconds: From the first byte of a request to its last one, and from the beginning
            of a connection to the end of its first request; then it is answered 408 and closed.
            A TLS handshake has that long too.
        write_seconds: Time in which the client has to read what was sent; then the connection
            is cut.
    """

    connections: int
    read_seconds: float
    write_seconds: float


class Listener:
    """Takes the connections of a socket; ends like a server of asyncio.

    Args:
        listening: The socket.
        protocol: Makes the protocol of a connection.
        context: For TLS; None without.
        bounds: What connections have to keep to.
        backlog: Connections that the system holds ready.
    """

    def __init__(
        self,
        listening: socket.socket,
        protocol: Callable[[], asyncio.Protocol],
        context: ssl.SSLContext | None,
        bounds: Bounds,
        backlog: int,
    ) -> None:
        self._socket = listening
        self._protocol = protocol
        self._context = context
        self._bounds = bounds
        self._beginning: set[asyncio.Task[None]] = set()
        listening.setblocking(False)
        listening.listen(backlog)
        self._accepting = asyncio.create_task(self._accept())

    def close(self) -> None:
        """Take no more; connections go on."""
        self._accepting.cancel()
        for task in self._beginning:
            task.cancel()
        self._socket.close()

    async def wait_closed(self) -> None:
        """Wait until it is closed."""
        await asyncio.wait([self._accepting, *self._beginning])

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(self._socket)
            except OSError:
                await asyncio.sleep(_NO_DESCRIPTORS_SECONDS)
                continue
            if len(self._beginning) < self._bounds.connections:
                task = asyncio.create_task(self._begin(connection))
                self._beginning.add(task)
                task.add_done_callback(self._beginning.discard)
            else:
                connection.close()

    async def _begin(self, connection: socket.socket) -> None:
        """Give a connection its protocol, after the handshake if it has TLS."""
        with contextlib.suppress(OSError):  # what a handshake fails with; it is closed then
            await asyncio.get_running_loop().connect_accepted_socket(
                self._protocol,
                connection,
                ssl=self._context,
                ssl_handshake_timeout=self._bounds.read_seconds if self._context else None,
            )


def connections_within(bounds: Bounds) -> type[asyncio.Protocol]:
    """The protocol of connections that keep to ``bounds``."""
    return type("BoundedConnection", (_Connection,), {"bounds": bounds})


class _Timer:
    """Calls something once when it is not stopped in time."""

    def __init__(self, seconds: float, late: Callable[[], None]) -> None:
        self._seconds = seconds
        self._late = late
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin, unless it runs already."""
        if self._handle is None:
            self._handle = asyncio.get_running_loop().call_later(self._seconds, self._late)

    def stop(self) -> None:
        """Forget it."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


class _Connection(H11Protocol):
    """HTTP/1.1 on one connection, with a timer for each direction."""

    bounds: Bounds

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._reading = _Timer(self.bounds.read_seconds, self._give_up_reading)
        self._writing = _Timer(self.bounds.write_seconds, self._give_up_writing)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as H11Protocol
        """Take the connection, or turn it away."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=1)  # pause_writing when a byte waits; TLS takes no 0
        if len(self.connections) > self.bounds.connections:
            transport.write(_TOO_MANY)
            transport.close()
        else:
            self._reading.start()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._reading.stop()
        self._writing.stop()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Take what has come, and watch a request that is not whole yet."""
        super().handle_events()
        begun = self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]
        if begun or self.conn.their_state is h11.SEND_BODY:
            self._reading.start()
        else:
            self._reading.stop()

    def pause_writing(self) -> None:
        """The client has not read everything."""
        super().pause_writing()
        self._writing.start()

    def resume_writing(self) -> None:
        """It has."""
        super().resume_writing()
        self._writing.stop()

    def _give_up_reading(self) -> None:
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.write(_TOO_SLOW)
        self.transport.close()

    def _give_up_writing(self) -> None:
        self.transport.abort()
