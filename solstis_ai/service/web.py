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
from solstis_ai.service.servicer import OpponentServicer
from solstis_ai.service.tokens import Gate

try:
    import uvicorn

    from solstis_ai.service.connect import ConnectApplication
except ImportError as error:
    raise MissingExtraError("the port for browsers", "web") from error

__all__ = ["WebServer", "impatient"]

_FLUSH_SECONDS = 1
"""Time for answers on their way out, once no search runs any more; whole seconds."""


class WebServer:
    """Answers browsers; all methods belong to one event loop.

    Args:
        servicer: Answers the calls.
        config: The settings; ``web_port`` is set.
        gate: Lets calls in.
        journal: Takes down the calls.
    """

    def __init__(
        self, servicer: OpponentServicer, config: ServerConfig, gate: Gate, journal: Journal
    ) -> None:
        self._config = config
        calls = ConnectApplication(servicer, gate, journal, config.max_request_bytes)
        application = impatient(Cors(calls, config.web_origins), config.max_write_seconds)
        self._server = _Uvicorn(
            uvicorn.Config(
                _without_trailers(application),
                **_tls(config),
                http="h11",
                ws="none",
                lifespan="off",
                access_log=False,
                log_config=None,
                log_level="warning",
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=_FLUSH_SECONDS,
            )
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
    """Leaves the signals to the process that it is a part of."""

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


def impatient(application: Application, seconds: float) -> Application:
    """End an answer whose reader takes longer than ``seconds`` for a part of it."""

    async def call(scope: Any, receive: Any, send: Any) -> None:
        async def send_soon(message: Any) -> None:
            try:
                async with asyncio.timeout(seconds):
                    await send(message)
            except TimeoutError:
                raise _SlowReaderError from None

        with contextlib.suppress(_SlowReaderError):
            await application(scope, receive, send_soon)

    return call


class _SlowReaderError(Exception):
    """The connection is not worth its answer any more."""


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
