"""Servers on free loopback ports, all on one event loop in a thread."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import grpc
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from fakes.engine import FakeEngine
from solstis_ai.service.config import ServerConfig
from solstis_ai.service.engine_port import Engine
from solstis_ai.service.server import OpponentServer

_Result = TypeVar("_Result")


class LoopThread:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def call(self, coroutine: Coroutine[Any, Any, _Result], timeout: float = 30.0) -> _Result:
        """Run ``coroutine`` on the loop and wait for its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(timeout)

    def begin(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Run ``coroutine`` on the loop without waiting."""
        asyncio.run_coroutine_threadsafe(coroutine, self._loop)


class RunningServer:
    """A server under test and the fake engine inside it, unless it is given another one."""

    def __init__(
        self, loop: LoopThread, config: ServerConfig, engine: Engine | None = None
    ) -> None:
        self.engine = FakeEngine()
        self._loop = loop
        self.server, self.address = loop.call(_started(engine or self.engine, config))

    def begin_drain(self) -> None:
        self._loop.begin(self.server.drain())

    def close_pool(self) -> None:
        """The first step of a drain, after which nothing new is answered."""
        self._loop.call(_close(self.server))

    def drain(self) -> None:
        self._loop.call(self.server.drain())

    @property
    def waiting_questions(self) -> int:
        """Number of questions that wait for their turn to be read."""
        return self.server._desk._preparing.waiting

    def health(self, service: str) -> str:
        """What the health service says about ``service``."""
        with grpc.insecure_channel(self.address) as channel:
            check: Any = channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=HealthCheckRequest.SerializeToString,
                response_deserializer=HealthCheckResponse.FromString,
            )
            status = check(HealthCheckRequest(service=service), timeout=5).status
        return HealthCheckResponse.ServingStatus.Name(status)

    def wait_until_idle(self) -> None:
        """Wait until no search runs; fails after a generous time."""
        wait_for(lambda: self.server.running_searches == 0)


async def _started(engine: Engine, config: ServerConfig) -> tuple[OpponentServer, str]:
    server = OpponentServer(engine, config)
    return server, await server.start()


async def _close(server: OpponentServer) -> None:
    server._pool.close()


def wait_for(condition: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait until ``condition`` holds; fails after ``seconds``."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.002)
