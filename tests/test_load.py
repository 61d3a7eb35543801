"""The load generator: its schedule, its figures and its bounds."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Coroutine
from typing import Any

import pytest
from click.testing import CliRunner, Result
from fakes.observations import OPENING
from fakes.servers import LoopThread, RunningServer

from solstis_ai import load
from solstis_ai.cli import main
from solstis_ai.errors import ServiceUnavailableError
from solstis_ai.load import LoadPlan, LoadReport, Outcome
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.config import ServerConfig


def run(coroutine: Coroutine[Any, Any, LoadReport]) -> LoadReport:
    return asyncio.run(coroutine)


def start(loop: LoopThread, **settings: Any) -> RunningServer:
    return RunningServer(loop, ServerConfig(port=0, grace_seconds=0.0, **settings))


def command(*options: str) -> Result:
    return CliRunner().invoke(main, ("bench", "load", *options))


def test_requests_are_sent_on_schedule_though_the_server_is_slow(loop: LoopThread) -> None:
    """One slot, each search takes 0.2 s: a closed loop would send 5 a second, not 40."""
    server = start(loop, search_slots=1, queue_length=2)
    plan = LoadPlan(rate=40, seconds=1, time_seconds=0.2, deadline=10.0)
    begin = time.monotonic()
    report = run(load.run_load(server.address, OPENING, plan))
    server.drain()

    assert report.requests == 40
    assert set(report.codes) == {"OK", "RESOURCE_EXHAUSTED"}
    assert sum(report.codes.values()) == 40
    assert len(server.engine.searches) == 40
    assert time.monotonic() - begin < 10.0


def test_latency_counts_the_wait_for_a_slot(loop: LoopThread) -> None:
    server = start(loop, search_slots=1, queue_length=100)
    plan = LoadPlan(rate=100, seconds=0.1, time_seconds=0.1, deadline=20.0)
    report = run(load.run_load(server.address, OPENING, plan))
    server.drain()

    assert report.codes == {"OK": 10}
    assert report.latency["p50"] >= 0.3
    assert report.latency["p99"] >= 0.8
    assert report.answers_per_second < 12


def test_deadlines_hold_from_the_intended_start(loop: LoopThread) -> None:
    server = start(loop, search_slots=1)
    plan = LoadPlan(rate=5, seconds=1, time_seconds=30.0, deadline=1.0)
    report = run(load.run_load(server.address, OPENING, plan))
    server.drain()

    assert report.truncated == report.codes["OK"]
    assert report.latency["p99"] < 1.5


def test_seeds_differ_so_that_no_answer_can_be_shared(loop: LoopThread) -> None:
    server = start(loop)
    for _ in range(2):
        run(load.run_load(server.address, OPENING, LoadPlan(rate=50, seconds=0.2, iterations=1)))
    server.drain()

    assert len({search.seed for search in server.engine.searches}) == 20


def test_figures_of_outcomes() -> None:
    outcomes = [Outcome("OK", latency / 100, 0.0) for latency in range(1, 101)]
    outcomes += [Outcome("DEADLINE_EXCEEDED", 0.9, 0.3), Outcome("RESOURCE_EXHAUSTED", 0.1, 0.0)]
    plan = LoadPlan(rate=102, seconds=1, iterations=1, deadline=0.95)
    report = load._report(plan, outcomes, 2.0)  # whitebox

    assert report.latency == {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    assert report.codes == {"OK": 100, "DEADLINE_EXCEEDED": 1, "RESOURCE_EXHAUSTED": 1}
    assert report.missed_deadlines == 6  # five late answers, one without
    assert (report.answers_per_second, report.worst_lag) == (50.0, 0.3)


@pytest.mark.parametrize("address", ["192.0.2.1:50051", "game.example:1", "0.0.0.0:1", "[::]:1"])
def test_other_machines_are_refused(address: str) -> None:
    with pytest.raises(ValueError, match="no loopback address"):
        run(load.run_load(address, OPENING, LoadPlan(1, 1, 1)))


@pytest.mark.parametrize("address", ["127.0.0.1:1", "localhost:1", "[::1]:1"])
def test_no_server_is_an_error_and_not_a_figure(address: str) -> None:
    with pytest.raises(ServiceUnavailableError):
        run(load.run_load(address, OPENING, LoadPlan(1, 1, 1)))


@pytest.mark.parametrize(
    ("rate", "seconds", "deadline"),
    [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1e6, 1, 1), (0.1, 1, 1), (float("nan"), 1, 1)],
)
def test_impossible_plans_are_refused(rate: float, seconds: float, deadline: float) -> None:
    with pytest.raises(ValueError, match=r"rate|seconds|deadline|requests"):
        LoadPlan(rate, seconds, 1, deadline=deadline)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs Linux")
def test_a_server_can_be_confined_to_a_core() -> None:
    before = os.sched_getaffinity(0)
    with load.local_server([min(before)]) as address, OpponentClient(address) as client:
        assert client.engine_info(timeout=20.0).search_slots == 1
        assert os.sched_getaffinity(0) == before


def test_the_command_starts_a_server_and_prints_figures() -> None:
    result = command("--rate", "20", "--seconds", "0.5", "--iterations", "20", "--json")
    report = json.loads(result.stdout)

    assert result.exit_code == 0
    assert report["requests"] == 10
    assert report["codes"] == {"OK": 10}
    assert set(report["latency"]) == {"p50", "p95", "p99"}


def test_the_command_prints_a_text_for_a_server_that_runs(loop: LoopThread) -> None:
    server = start(loop)
    options = ("--time", "0.01", "--deadline", "5", "--server", server.address)
    result = command("--rate", "20", "--seconds", "0.5", *options)
    server.drain()

    assert "10 requests at 20 a second: OK 10" in result.stdout
    assert "p99" in result.stdout
    assert server.engine.searches[0].limits.time_seconds == 0.01


@pytest.mark.parametrize(
    "options",
    [
        ("--server", "192.0.2.1:1"),
        ("--rate", "100000", "--seconds", "600"),
        ("--seconds", "601"),
        ("--deadline", "0"),
    ],
)
def test_the_command_refuses_what_has_no_bound(options: tuple[str, ...]) -> None:
    assert command(*options).exit_code == 2
