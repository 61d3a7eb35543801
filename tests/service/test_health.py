"""The health service and who watches it."""

from __future__ import annotations

import threading
from typing import Any

import grpc
import pytest
from fakes.servers import RunningServer, wait_for
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from solstis_ai.service.server import SERVICE_NAME


class Watcher:
    """A client that watches the health of a service."""

    def __init__(self, server: RunningServer, service: str) -> None:
        self.seen: list[str] = []
        self._channel = grpc.insecure_channel(server.address)
        watch: Any = self._channel.unary_stream(
            "/grpc.health.v1.Health/Watch",
            request_serializer=HealthCheckRequest.SerializeToString,
            response_deserializer=HealthCheckResponse.FromString,
        )
        self._call = watch(HealthCheckRequest(service=service))
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        wait_for(lambda: bool(self.seen))

    def leave(self) -> None:
        self._call.cancel()
        self._thread.join(5.0)

    def _read(self) -> None:
        try:
            for response in self._call:
                self.seen.append(HealthCheckResponse.ServingStatus.Name(response.status))
        except grpc.RpcError as error:
            assert isinstance(error, grpc.Call)
            self.seen.append(error.code().name)


@pytest.mark.parametrize("service", ["", SERVICE_NAME])
def test_everyone_who_watches_learns_of_the_end(server: RunningServer, service: str) -> None:
    first, second = Watcher(server, service), Watcher(server, service)
    first.leave()
    third = Watcher(server, service)
    server.drain()

    assert first.seen == ["SERVING", "CANCELLED"]
    wait_for(lambda: len(second.seen) == len(third.seen) == 3)
    assert second.seen[:2] == third.seen[:2] == ["SERVING", "NOT_SERVING"]


def test_an_unknown_service_is_watched_in_vain(server: RunningServer) -> None:
    assert Watcher(server, "another.Service").seen == ["SERVICE_UNKNOWN"]


def test_an_unknown_service_is_not_found(server: RunningServer) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        server.health("another.Service")

    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
