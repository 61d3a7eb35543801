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

from solstis_ai.errors import OverloadedError
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


def test_options_set_what_the_server_grants() -> None:
    options = ("--slots", "3", "--max-iterations", "77", "--max-time", "8.5")
    more = ("--default-time", "0.25", "--max-threads", "2")
    with service(*options, *more) as (_, address), OpponentClient(address) as client:
        info = client.engine_info(timeout=PATIENCE)

    assert (info.search_slots, info.max_threads, info.max_iterations) == (3, 2, 77)
    assert (info.max_time_seconds, info.default_time_seconds) == (8.5, 0.25)


def test_queue_bounds_who_may_wait() -> None:
    options = ("--slots", "1", "--queue", "0", "--grace", "0")
    with service(*options) as (_, address), OpponentClient(address, timeout=PATIENCE) as client:
        next(stream := client.analyse(OPENING, time_seconds=PATIENCE, interval_seconds=0.01))
        with pytest.raises(OverloadedError):
            client.recommend(OPENING, iterations=1)
        del stream


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one loopback address")
def test_host_chooses_the_address() -> None:
    with service("--host", "127.0.0.2") as (_, address), OpponentClient(address) as client:
        assert address.startswith("127.0.0.2:")
        assert client.engine_info(timeout=PATIENCE).version


@pytest.mark.parametrize(("level", "logged"), [("info", True), ("warning", False)])
def test_log_level_chooses_what_is_logged(level: str, logged: bool) -> None:
    with service("--log-level", level) as (process, address):
        process.terminate()
        _, log = process.communicate(timeout=PATIENCE)

    assert (f"listening on {address}" in log) == logged


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
