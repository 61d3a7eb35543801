"""The health service ``grpc.health.v1.Health``.

The one of grpcio-health-checking keeps one condition for all watchers of a name and forgets it
when the first of them leaves: the others then never learn that the server shuts down.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckResponse

__all__ = ["HealthServicer"]

if TYPE_CHECKING:
    _Context = grpc.aio.ServicerContext[Any, Any]  # generic for the type checker alone


class HealthServicer(health_pb2_grpc.HealthServicer):
    """Says SERVING until it is told to stop; belongs to one event loop.

    Args:
        names: Full names of the services; the empty name stands for the whole server.
    """

    def __init__(self, names: Iterable[str]) -> None:
        serving: Any = HealthCheckResponse.SERVING  # typed as this one value alone
        self._statuses = dict.fromkeys(("", *names), serving)
        self._changed = asyncio.Event()
        self._stopped = False

    @property
    def serving(self) -> bool:
        """Whether the server as a whole serves."""
        return not self._stopped

    def stop_serving(self) -> None:
        """Say NOT_SERVING from now on, to those who watch too."""
        self._stopped = True
        for name in self._statuses:
            self._statuses[name] = HealthCheckResponse.NOT_SERVING
        self._changed.set()
        self._changed = asyncio.Event()

    async def Check(
        self, request: health_pb2.HealthCheckRequest, context: _Context
    ) -> HealthCheckResponse:
        """Answer with the status of a service, or NOT_FOUND."""
        if request.service not in self._statuses:
            await context.abort(grpc.StatusCode.NOT_FOUND, "no such service")
        return HealthCheckResponse(status=self._statuses[request.service])

    async def Watch(self, request: health_pb2.HealthCheckRequest, context: _Context) -> None:
        """Send the status of a service now and whenever it changes."""
        while True:
            changed = self._changed  # taken before the status, so that no change is missed
            status = self._statuses.get(request.service, HealthCheckResponse.SERVICE_UNKNOWN)
            await context.write(HealthCheckResponse(status=status))
            await changed.wait()
