"""``solstis-ai health``: its words and its exit codes."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest
from click.testing import Result
from fakes.certificates import Authority
from fakes.observations import OPENING
from fakes.scripted import scripted_server
from fakes.servers import LoopThread, RunningServer, wait_for

from solstis_ai.service.client import OpponentClient
from solstis_ai.service.config import ServerConfig

Run = Callable[..., Result]


@pytest.fixture
def server(loop: LoopThread) -> RunningServer:
    return RunningServer(loop, ServerConfig(port=0, grace_seconds=20.0))


def test_a_server_that_serves(run: Run, server: RunningServer) -> None:
    result = run("health", server.address)
    server.drain()

    assert (result.exit_code, result.stdout) == (0, "SERVING\n")


def test_a_server_that_drains(run: Run, server: RunningServer) -> None:
    with OpponentClient(server.address) as client:
        next(stream := client.analyse(OPENING, time_seconds=30.0, interval_seconds=0.01))
        server.begin_drain()
        wait_for(lambda: server.health("") == "NOT_SERVING")
        result = run("health", server.address)
        del stream

    assert (result.exit_code, result.stdout) == (1, "NOT_SERVING\n")


def test_no_server(run: Run) -> None:
    result = run("health", "127.0.0.1:1")

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: UNAVAILABLE")


def test_a_server_that_does_not_answer(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        result = run("health", address, "--timeout", "0.2")

    assert result.exit_code == 1
    assert "DEADLINE_EXCEEDED" in result.stderr


def test_tls(run: Run, tmp_path: Path) -> None:
    """The server behind TLS has no health service and says so, which is an answer."""
    authority = Authority(tmp_path)
    ca, issued = authority.pair.cert, authority.sign("server")
    pair = (issued.key.read_bytes(), issued.cert.read_bytes())
    with scripted_server(grpc.ssl_server_credentials([pair])) as (_, address):
        assert "UNIMPLEMENTED" in run("health", address, "--ca", str(ca)).stderr
        assert "UNAVAILABLE" in run("health", address).stderr
