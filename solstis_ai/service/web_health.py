"""Health over plain HTTP, for load balancers and probes that know no gRPC."""

from __future__ import annotations

import json
from typing import Any

from solstis_ai.errors import UnauthenticatedError
from solstis_ai.service.calls import Call
from solstis_ai.service.cors import Application
from solstis_ai.service.health import HealthServicer
from solstis_ai.service.tokens import Gate

__all__ = ["HEALTH_PATH", "with_health"]

HEALTH_PATH = "/health"

_METHODS = ("GET", "HEAD")


def with_health(application: Application, health: HealthServicer, gate: Gate | None) -> Application:
    """Answer ``HEALTH_PATH`` in front of an ASGI application.

    The answer is 200 while the server serves and 503 when it does not, with the JSON form of
    ``grpc.health.v1.HealthCheckResponse``.

    Args:
        application: Answers everything else.
        health: Knows whether the server serves.
        gate: Lets checks in; None lets in all.
    """

    async def call(scope: Any, receive: Any, send: Any) -> None:
        if scope.get("path") != HEALTH_PATH:
            await application(scope, receive, send)
        elif scope["method"] not in _METHODS:
            await _answer(send, 405, {"error": "ask with GET"}, (b"allow", b"GET, HEAD"))
        elif gate is not None and not _has_token(gate, scope):
            await _answer(send, 401, {"error": "a bearer token is needed"})
        else:
            status = "SERVING" if health.serving else "NOT_SERVING"
            await _answer(send, 200 if health.serving else 503, {"status": status})

    return call


def _has_token(gate: Gate, scope: Any) -> bool:
    headers = [
        (name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]
    ]
    try:
        gate.admit(Call(HEALTH_PATH, "", headers))
    except UnauthenticatedError:
        return False
    return True


async def _answer(
    send: Any, status: int, content: dict[str, str], *headers: tuple[bytes, bytes]
) -> None:
    body = json.dumps(content).encode() + b"\n"
    fixed = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": body})
