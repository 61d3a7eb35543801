"""The port for browsers: Connect and gRPC-Web over HTTP, on the event loop of the server.

Needs the extra ``web``.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Iterator
from typing import Any

from solstis_ai.errors import ListenError, MissingExtraError
from solstis_ai.service.calls import Journal
from solstis_ai.service.config import ServerConfig
from solstis_ai.service.cors import Application, Cors
from solstis_ai.service.health import HealthServicer
from solstis_ai.service.servicer import OpponentServicer
from solstis_ai.service.tokens import Gate
from solstis_ai.service.web_health import with_health

try:
    import uvicorn

    from solstis_ai.service.connect import ConnectApplication
    from solstis_ai.service.web_connections import Bounds, Listener, connections_within
except ImportError as error:
    raise MissingExtraError("the port for browsers", "web") from error

__all__ = ["WebServer"]

_FLUSH_SECONDS = 1
"""Time for answers on their way out, once no search runs any more; whole seconds."""


_MAX_HEADER_BYTES = 16 * 1024
"""Of one request; as ``absolute_max_metadata_size`` of the gRPC port."""

_BACKLOG = 128
"""Connections that the system holds ready; so many are taken at once, and delay other events."""

_KEEP_ALIVE_SECONDS = 5
"""Time that an idle connection is kept; whole seconds."""


class WebServer:
    """Answers browsers; all methods belong to one event loop.

    Args:
        servicer: Answers the calls.
        config: The settings; ``web_port`` is set.
        gate: Lets calls in.
        journal: Takes down the calls.
        health: Knows whether the server serves.
    """

    def __init__(
        self,
        servicer: OpponentServicer,
        config: ServerConfig,
        gate: Gate,
        journal: Journal,
        health: HealthServicer,
    ) -> None:
        self._config = config
        calls = ConnectApplication(servicer, gate, journal, config.max_request_bytes)
        health_gate = None if config.health_without_token else gate
        application = Cors(with_health(calls, health, health_gate), config.web_origins)
        self._server = _Uvicorn(
            uvicorn.Config(
                _without_trailers(application),
                **_tls(config),
                http=connections_within(_bounds(config)),
                ws="none",
                lifespan="off",
                access_log=False,
                log_config=None,
                log_level="error",
                proxy_headers=False,
                server_header=False,
                h11_max_incomplete_event_size=_MAX_HEADER_BYTES,
                timeout_keep_alive=_KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=_FLUSH_SECONDS,
            ),
            _bounds(config),
        )
        self._socket: socket.socket | None = None
        self._serving: asyncio.Task[None] | None = None

    def bind(self) -> str:
        """Take the port; returns the base URL with the real port.

        Raises:
            ListenError: If the port cannot be listened on.
        """
        host, port = self._config.host, self._config.web_port
        shown = f"[{host}]" if ":" in host else host
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            self._socket = socket.create_server((host, port or 0), family=family)
        except OSError as error:
            reason = error.strerror or error
            raise ListenError(f"cannot listen on {shown}:{port}: {reason}") from error
        scheme = "http" if self._config.tls_cert is None else "https"
        return f"{scheme}://{shown}:{self._socket.getsockname()[1]}"

    async def start(self) -> None:
        """Answer on the port that ``bind`` took."""
        assert self._socket is not None
        self._serving = asyncio.create_task(self._server.serve([self._socket]))

    async def stop(self) -> None:
        """Close the port; answers on their way out get a moment."""
        self._server.should_exit = True
        if self._serving is not None:
            await self._serving
        elif self._socket is not None:
            self._socket.close()


class _Uvicorn(uvicorn.Server):
    """Takes connections within bounds, and leaves the signals to the process."""

    def __init__(self, config: uvicorn.Config, bounds: Bounds) -> None:
        super().__init__(config)
        self._bounds = bounds

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        for taken in sockets or ():
            listener = Listener(taken, self._protocol, self.config.ssl, self._bounds, _BACKLOG)
            self.servers.append(listener)  # type: ignore[arg-type]  # ends like one

    def _protocol(self) -> asyncio.Protocol:
        make: Any = self.config.http_protocol_class
        protocol: asyncio.Protocol = make(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return protocol

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _tls(config: ServerConfig) -> dict[str, Any]:
    """The certificates of the gRPC port, which has checked them."""
    if config.tls_cert is None:
        return {}
    asked = ssl.CERT_NONE if config.tls_client_ca is None else ssl.CERT_REQUIRED
    return {
        "ssl_certfile": config.tls_cert,
        "ssl_keyfile": config.tls_key,
        "ssl_ca_certs": None if config.tls_client_ca is None else str(config.tls_client_ca),
        "ssl_cert_reqs": asked,
    }


def _bounds(config: ServerConfig) -> Bounds:
    return Bounds(config.web_connections, config.max_read_seconds, config.max_write_seconds)


def _without_trailers(application: Application) -> Application:
    """Turn away gRPC proper, which needs trailers that uvicorn cannot send."""

    async def call(scope: dict[str, Any], receive: Any, send: Any) -> None:
        content_type = dict(scope.get("headers", ())).get(b"content-type", b"")
        if content_type.partition(b";")[0].partition(b"+")[0].strip() == b"application/grpc":
            headers = [(b"content-type", b"text/plain")]
            await send({"type": "http.response.start", "status": 415, "headers": headers})
            await send({"type": "http.response.body", "body": b"gRPC has a port of its own\n"})
        else:
            await application(scope, receive, send)

    return call
