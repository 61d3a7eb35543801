"""Fixtures: a server with a fake engine and a client for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from fakes.servers import LoopThread, RunningServer

from solstis_ai import engine
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.config import ServerConfig

StartServer = Callable[..., RunningServer]


@pytest.fixture
def start_server(loop: LoopThread) -> Iterator[StartServer]:
    """Start a server with changed settings; all are stopped after the test."""
    started: list[RunningServer] = []

    def start(**settings: object) -> RunningServer:
        defaults: dict[str, object] = {"port": 0, "search_slots": 2, "grace_seconds": 0.0}
        config = ServerConfig(**{**defaults, **settings})  # type: ignore[arg-type]  # by name
        started.append(RunningServer(loop, config))
        return started[-1]

    yield start
    for server in started:
        server.drain()


@pytest.fixture
def server(start_server: StartServer) -> RunningServer:
    return start_server()


@pytest.fixture
def client(server: RunningServer) -> Iterator[OpponentClient]:
    with OpponentClient(server.address, timeout=20.0) as client:
        yield client


@pytest.fixture(scope="module")
def real_server(loop: LoopThread) -> Iterator[RunningServer]:
    """A server with the real engine."""
    server = RunningServer(loop, ServerConfig(port=0, grace_seconds=0.0), engine)
    yield server
    server.drain()
