"""The service as a process of its own: its port, its signals and its exit codes."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from click.testing import CliRunner
from fakes.observations import OPENING
from fakes.servers import wait_for
from process import COMMAND, PATIENCE, service

from solstis_ai.cli import main
from solstis_ai.errors import DeadlineError, OverloadedError, ServiceUnavailableError
from solstis_ai.notation import format_observation
from solstis_ai.search.types import Analysis, Limits
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.config import Priority, ServerConfig
from solstis_ai.service.converters import recommend_request
from solstis_ai.service.retry import NO_RETRY
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.v1 import opponent_pb2_grpc as pb_grpc


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


def test_searches_are_bounded_by_nodes() -> None:
    """A tree that is full holds as much as it may, however long the search goes on."""
    roomy, small = (answer_with("--max-nodes", nodes) for nodes in ("4194304", "262144"))
    assert roomy.iterations == small.iterations == 1_000_000
    assert visits_of(roomy) != visits_of(small)


def answer_with(*options: str) -> Analysis:
    with service(*options) as (_, address), OpponentClient(address, timeout=PATIENCE) as client:
        return client.recommend(OPENING, iterations=1_000_000, seed=1)


def visits_of(analysis: Analysis) -> list[int]:
    return [row.visits for row in analysis.alternatives]


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


def info_with(address: str, token: str) -> grpc.StatusCode:
    metadata = (("authorization", f"Bearer {token}"),)
    with grpc.insecure_channel(address) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        try:
            stub.GetEngineInfo(pb.GetEngineInfoRequest(), metadata=metadata, timeout=PATIENCE)
        except grpc.RpcError as error:
            assert isinstance(error, grpc.Call)
            return error.code()
    return grpc.StatusCode.OK


def test_sighup_reads_the_tokens_again(tmp_path: Path) -> None:
    old, new = "the-old-secret-token", "the-new-secret-token"
    path = tmp_path / "tokens"
    path.write_text(old, encoding="utf-8")
    with service("--token-file", str(path)) as (process, address):
        assert info_with(address, old) is grpc.StatusCode.OK
        path.write_text("bad", encoding="utf-8")
        process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        assert info_with(address, old) is grpc.StatusCode.OK
        path.write_text(new, encoding="utf-8")
        process.send_signal(signal.SIGHUP)
        wait_for(lambda: info_with(address, new) is grpc.StatusCode.OK, PATIENCE)
        assert info_with(address, old) is grpc.StatusCode.UNAUTHENTICATED
        process.terminate()
        _, log = process.communicate(timeout=PATIENCE)

    assert "the old tokens stay valid" in log
    assert "secret" not in log


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--token-file", "no-such-file"), "cannot read the token file no-such-file: No such file"),
        (("--tls-cert", "no-such-file", "--tls-key", "x"), "cannot read no-such-file: No such"),
        (("--tls-cert", "x"), "a TLS certificate and its key go together"),
        (("--tls-client-ca", "x"), "client certificates need TLS"),
    ],
)
def test_a_bad_file_is_one_clear_line_and_exit_code_2(
    options: tuple[str, ...], reason: str
) -> None:
    result = subprocess.run(
        [*COMMAND, *options], capture_output=True, text=True, timeout=PATIENCE, check=False
    )

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {reason}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--slots", "5000"), "'--slots': must be at most 1,024"),
        (("--max-time", "1e30"), "'--max-time': must be at most 1,000,000"),
        (("--web-port", "0", "--web-origin", "a.b"), "'--web-origin': 'a.b' is no origin"),
    ],
)
def test_a_value_out_of_range_names_its_option(options: tuple[str, ...], reason: str) -> None:
    result = CliRunner().invoke(main, ("serve", *options))

    assert result.exit_code == 2
    assert f"Error: Invalid value for {reason}" in result.stderr


def test_the_longest_settings_are_fit_for_grpc() -> None:
    most = str(10**6)
    with service("--max-time", most, "--max-connection-age", most) as (_, address):
        assert address


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("hard", [5000, 900])
def test_there_is_room_for_the_files_of_all_connections(hard: int) -> None:
    limited = ("sh", "-c", f'ulimit -Sn 300; ulimit -Hn {hard}; exec "$@"', "sh")
    options = ("--max-connections", "700", "--web-port", "0", "--web-connections", "100")
    with service(*options, "--log-level", "warning", prefix=limited) as (process, _):
        text = Path(f"/proc/{process.pid}/limits").read_text("ascii")
        process.terminate()
        assert process.stderr is not None
        warned = "may open 900 files and its connections need 1100" in process.stderr.read()

    (granted,) = re.findall(r"^Max open files +(\d+) ", text, re.MULTILINE)
    assert int(granted) == min(hard, 1100)
    assert warned == (hard < 1100)


def test_a_taken_metrics_port_is_a_clear_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [*COMMAND, "--metrics-port", port]
        result = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    assert result.returncode == 2
    expected = f"Error: cannot serve metrics on 127.0.0.1:{port}: Address already in use\n"
    assert result.stderr == expected


def test_logs_and_metrics_of_a_process() -> None:
    options = ("--log-format", "json", "--log-observations", "--metrics-port", "0")
    with service(*options) as (process, address), OpponentClient(address) as client:
        client.recommend(OPENING, iterations=5, timeout=PATIENCE)
        assert process.stderr is not None
        lines = [json.loads(process.stderr.readline()) for _ in range(3)]
        url = lines[1]["message"].removeprefix("metrics on ")
        with urllib.request.urlopen(url, timeout=PATIENCE) as response:
            assert b"solstis_search_iterations_total 5.0" in response.read()

    assert lines[0]["message"] == f"listening on {address}"
    assert (lines[2]["method"], lines[2]["code"]) == ("RecommendMove", "OK")
    assert lines[2]["observation"] == format_observation(OPENING)


def test_the_garbage_collector_leaves_alone_what_stays() -> None:
    """It would hold the GIL for many milliseconds now and then."""
    code = """if True:
        import asyncio, gc, os, signal
        from solstis_ai import engine
        from solstis_ai.service.config import ServerConfig
        from solstis_ai.service.server import serve
        def announce(*_):
            print(gc.get_freeze_count())
            os.kill(os.getpid(), signal.SIGTERM)
        asyncio.run(serve(engine, ServerConfig(port=0), announce))
    """
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert int(result.stdout) > 10_000


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_a_server_that_steps_back_already_searches() -> None:
    """Its search threads step back from there; nobody may step forward."""
    stepped_back = min(os.getpriority(os.PRIO_PROCESS, 0) + 17, 19)
    with service(prefix=("nice", "-n", "17")) as (process, address):
        with OpponentClient(address, timeout=PATIENCE) as client:
            assert client.recommend(OPENING, iterations=50).iterations == 50
        threads = Path(f"/proc/{process.pid}/task").iterdir()
        stats = [(it / "stat").read_text(encoding="ascii").rpartition(") ")[2] for it in threads]

    assert {int(stat.split()[16]) for stat in stats} == {stepped_back, 19}


def test_a_log_that_nobody_reads_does_not_stop_the_server() -> None:
    """The pipe of standard error takes 64 KiB; the lines of these calls are longer."""
    with service() as (_, address), OpponentClient(address, timeout=PATIENCE) as client:
        for _ in range(700):
            assert client.engine_info().version


@pytest.mark.parametrize(
    ("flag", "attribute", "value"),
    [
        (("--queue-per-client", "3"), "queue_share", 3),
        (("--max-message-bytes", "999"), "max_request_bytes", 999),
        (("--max-stream-messages", "9"), "max_stream_messages", 9),
        (("--max-stream-seconds", "9"), "max_stream_seconds", 9.0),
        (("--max-write-seconds", "9"), "max_write_seconds", 9.0),
        (("--search-priority", "idle"), "search_priority", Priority.IDLE),
        (("--max-read-seconds", "9"), "max_read_seconds", 9.0),
        (("--web-connections", "9"), "web_connections", 9),
        (("--max-connections", "9"), "max_connections", 9),
        (("--max-connection-age", "9"), "max_connection_age_seconds", 9.0),
        (("--no-share",), "share", False),
        (("--cache-size", "0"), "cache_size", 0),
        (("--tls-cert", "c", "--tls-key", "k"), "tls_cert", Path("c")),
        (("--tls-cert", "c", "--tls-key", "k"), "tls_key", Path("k")),
        (("--tls-cert", "c", "--tls-key", "k", "--tls-client-ca", "a"), "tls_client_ca", Path("a")),
        (("--token-file", "t"), "token_file", Path("t")),
        (("--health-needs-token",), "health_without_token", False),
        (("--metrics-port", "0"), "metrics_port", 0),
        (("--log-observations",), "log_observations", True),
    ],
)
def test_a_flag_sets_its_setting(
    monkeypatch: pytest.MonkeyPatch, flag: tuple[str, ...], attribute: str, value: object
) -> None:
    """What each setting does is shown by the tests of the server."""
    seen: list[ServerConfig] = []
    monkeypatch.setattr("solstis_ai.cli.serve._run", seen.append)
    nothing = contextlib.nullcontext
    monkeypatch.setattr("solstis_ai.cli.serve._log_to_stderr", lambda *_: nothing())
    for options in ((), flag):
        result = CliRunner().invoke(main, ("serve", *options), catch_exceptions=False)
        assert result.exit_code == 0

    without, with_flag = (getattr(config, attribute) for config in seen)
    assert with_flag == value != without


OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"


def documented_policy() -> str:
    """The service config that operators are told to give to their clients."""
    (policy,) = re.findall(r"```json\n(.*?)```", OPERATIONS.read_text("utf-8"), re.DOTALL)
    return str(policy)


def test_a_killed_and_restarted_server_loses_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = (
        ("grpc.service_config", documented_policy()),
        ("grpc.enable_retries", 1),
        ("grpc.max_reconnect_backoff_ms", 200),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 100),
    )
    request = recommend_request(OPENING, Limits(time_seconds=1.0), 3)
    with grpc.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
        stub = pb_grpc.OpponentServiceStub(channel)
        with service("--port", str(port), "--log-level", "warning") as (process, _):
            calls = [stub.RecommendMove.future(request, timeout=PATIENCE) for _ in range(3)]
            time.sleep(0.4)
            assert not any(call.done() for call in calls)
            process.kill()
            process.wait(PATIENCE)
        with service("--port", str(port)):
            answers = [call.result() for call in calls]

    assert all(answer.analysis.iterations > 0 for answer in answers)


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


def test_a_server_whose_log_nobody_reads_ends_too() -> None:
    """Its thread waits for the reader with the locks of standard error."""
    with service() as (process, address), OpponentClient(address) as client:
        for _ in range(600):  # more than a pipe holds
            client.engine_info()
        process.terminate()

        assert process.wait(PATIENCE) == 0


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGSTOP")
def test_a_server_that_hangs_gets_no_more_calls() -> None:
    with service() as (hung, one), service() as (_, two):
        with OpponentClient(f"{one},{two}", timeout=2.0, retry=NO_RETRY) as client:
            for _ in range(4):
                client.engine_info()
            hung.send_signal(signal.SIGSTOP)
            end = time.monotonic() + 40.0
            in_a_row = 0
            while in_a_row < 10 and time.monotonic() < end:
                try:
                    client.engine_info()
                    in_a_row += 1
                except (DeadlineError, ServiceUnavailableError):
                    in_a_row = 0
            hung.send_signal(signal.SIGCONT)

        assert in_a_row == 10


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


def test_two_servers_do_not_share_a_port() -> None:
    """The system would let them, and give each one half of the calls."""
    with service() as (_, address):
        command = [*COMMAND[:-1], address.rpartition(":")[2]]
        second = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    assert second.returncode == 2
    assert "Address already in use" in second.stderr


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
