"""The service as a process of its own: its port, its signals and its exit codes."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from fakes.observations import OPENING

from solstis_ai.service.client import OpponentClient

COMMAND = [sys.executable, "-m", "solstis_ai", "serve", "--port", "0"]
PATIENCE = 30.0


@contextlib.contextmanager
def service(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running service and its address; killed in the end if it is still there."""
    process = subprocess.Popen(
        [*COMMAND, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().split()[-1]
        finally:
            process.kill()


def test_it_prints_its_address_and_answers_there() -> None:
    with service() as (_, address), OpponentClient(address, timeout=PATIENCE) as client:
        assert address.startswith("127.0.0.1:")
        move = client.recommend(OPENING, iterations=50).move
        assert move in client.legal_moves(OPENING)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_exit_code_0(number: signal.Signals) -> None:
    with service() as (process, _):
        process.send_signal(number)
        assert process.wait(PATIENCE) == 0


def test_a_running_search_is_answered_before_the_exit() -> None:
    with (
        service("--grace", "0.2") as (process, address),
        OpponentClient(address, timeout=PATIENCE) as client,
        ThreadPoolExecutor(1) as threads,
    ):
        first = client.analyse(OPENING, time_seconds=PATIENCE, interval_seconds=0.05)
        next(first)
        rest = threads.submit(list, first)
        process.terminate()

        assert rest.result(PATIENCE)[-1].truncated
        assert process.wait(PATIENCE) == 0


def test_a_second_signal_exits_at_once() -> None:
    with (
        service("--grace", "60") as (process, address),
        OpponentClient(address, timeout=PATIENCE) as client,
    ):
        stream = client.analyse(OPENING, time_seconds=60.0, interval_seconds=0.05)
        next(stream)
        process.terminate()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.terminate()

        assert process.wait(10.0) == 128 + signal.SIGTERM


def test_a_taken_port_is_a_clear_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "solstis_ai", "serve", "--port", port]
        result = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == (f"Error: cannot listen on 127.0.0.1:{port}: Address already in use\n")
