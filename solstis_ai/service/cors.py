"""Which pages may call: CORS in front of an ASGI application, and nothing else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

__all__ = ["ANY_ORIGIN", "Application", "Cors"]

ANY_ORIGIN = "*"

_ALLOWED_HEADERS = (
    "authorization, connect-protocol-version, connect-timeout-ms, content-encoding, content-type, "
    "grpc-timeout, x-grpc-web, x-request-id, x-user-agent"
)
_EXPOSED_HEADERS = "grpc-message, grpc-status, grpc-status-details-bin, x-request-id"
_PREFLIGHT_SECONDS = 7200

_Message = dict[str, Any]
_Scope = dict[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[None]]
"""An ASGI application."""
_Headers = list[tuple[bytes, bytes]]


class Cors:
    """Lets pages of the named origins call an application.

    Requests of other origins are answered without the headers that a browser asks for; it then
    keeps the answer from the page. No cookies are used, so there is nothing else to guard.

    Args:
        application: The ASGI application.
        origins: Origins such as ``"https://game.example"``; ``"*"`` stands for any.
    """

    def __init__(self, application: Application, origins: Iterable[str]) -> None:
        self._application = application
        self._origins = frozenset(origins)

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        """Answer a preflight, or add the headers to the answer of the application."""
        headers = dict(scope.get("headers", ()))
        allowed = self._headers_for(headers.get(b"origin"))
        if scope.get("method") == "OPTIONS" and b"access-control-request-method" in headers:
            await _answer_preflight(allowed, send)
        else:
            await self._application(scope, receive, _adding(allowed, send))

    def _headers_for(self, origin: bytes | None) -> _Headers:
        if origin is None or not ({ANY_ORIGIN, origin.decode("latin-1")} & self._origins):
            return [(b"vary", b"Origin")]
        return [
            (b"access-control-allow-origin", origin),
            (b"access-control-expose-headers", _EXPOSED_HEADERS.encode()),
            (b"vary", b"Origin"),
        ]


async def _answer_preflight(allowed: _Headers, send: _Send) -> None:
    permissions = [
        (b"access-control-allow-methods", b"POST"),
        (b"access-control-allow-headers", _ALLOWED_HEADERS.encode()),
        (b"access-control-max-age", str(_PREFLIGHT_SECONDS).encode()),
    ]
    headers = [*allowed, *permissions] if len(allowed) > 1 else allowed
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _adding(headers: _Headers, send: _Send) -> _Send:
    async def send_with_headers(message: _Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *headers]}
        await send(message)

    return send_with_headers
