"""``solstis-ai bench``: how fast this machine plays and searches."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from solstis_ai import benchmark, instructions
from solstis_ai.cli.parameters import SERVER, FiniteRange
from solstis_ai.cli.reading import read_observation
from solstis_ai.game import Game
from solstis_ai.search.types import MAX_ITERATIONS, Evaluation

if TYPE_CHECKING:
    from solstis_ai.load import LoadPlan, LoadReport
    from solstis_ai.observation import Observation

__all__ = ["command"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

_variant = click.option(
    "--variant",
    type=click.Choice(list(benchmark.VARIANTS)),
    default="base",
    show_default=True,
    help="Rules of the games.",
)
_seconds = click.option(
    "--seconds",
    type=FiniteRange(min=0, min_open=True, max=3600),
    default=2.0,
    show_default=True,
    help="How long to measure.",
)
_as_json = click.option("--json", "as_json", is_flag=True, help="Print the figure as JSON.")


def _counting(takes: str) -> Callable[[_Command], _Command]:
    """The option ``--instructions``, with the time that it takes."""
    return click.option(
        "--instructions",
        "count",
        is_flag=True,
        help=f"Count the machine instructions of a unit too; needs valgrind, and {takes}.",
    )


@click.group("bench")
def command() -> None:
    """Measure the speed of the engine, and a service under load.

    The commands for the engine first repeat a fixed amount of work and compare the signature of its
    results with the recorded one; they fail if it differs.
    """


@command.command("playouts")
@_variant
@_seconds
@_counting("some 15 seconds")
@_as_json
def playouts(*, variant: str, seconds: float, count: bool, as_json: bool) -> None:
    """Random games a second: dealt, played to the end, both sides scored."""
    measured = benchmark.measure_playouts(variant, seconds)
    _print(_counted(measured, count), as_json)


@command.command("search")
@click.option(
    "--iterations",
    type=click.IntRange(1, MAX_ITERATIONS),
    default=benchmark.SIGNATURE_ITERATIONS,
    show_default=True,
    help="Iterations of one search; each begins with an empty tree.",
)
@_variant
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Threads that share the iterations of a search.",
)
@click.option(
    "--evaluation",
    type=click.Choice([evaluation.value for evaluation in Evaluation], case_sensitive=False),
    default=Evaluation.PLAYOUTS.value,
    show_default=True,
    help="How leaves are evaluated: by random playouts, as published, or by the network.",
)
@_seconds
@_counting("some 15 seconds, and some 40 more for each million --iterations")
@_as_json
def search(
    *,
    iterations: int,
    variant: str,
    threads: int,
    evaluation: str,
    seconds: float,
    count: bool,
    as_json: bool,
) -> None:
    """Search iterations a second, from the opening."""
    if count and threads > 1:
        raise click.UsageError("--instructions counts a search of one thread; leave out --threads")
    if iterations < threads:
        raise click.UsageError(
            "--iterations must be at least --threads: each thread does its share"
        )
    leaves = Evaluation(evaluation)
    measured = benchmark.measure_search(variant, seconds, iterations, threads, leaves)
    _print(_counted(measured, count, iterations), as_json)


@command.command("determinization")
@_seconds
@_counting("some 15 seconds")
@_as_json
def determinization(*, seconds: float, count: bool, as_json: bool) -> None:
    """Sampled worlds a second, from a position with known and excluded tiles."""
    _print(_counted(benchmark.measure_determinization(seconds), count), as_json)


def _counted(
    measured: benchmark.Measurement, count: bool, units: int | None = None
) -> benchmark.Measurement:
    if not count:
        return measured
    if not instructions.available():
        click.echo("no instructions are counted: valgrind is not installed", err=True)
        return measured
    level = measured.processor_level
    counted = instructions.count(measured.name, measured.variant, units=units, level=level)
    return measured.with_instructions(counted)


@command.command("load")
@click.option(
    "--rate",
    type=FiniteRange(min=0, min_open=True),
    default=20.0,
    show_default=True,
    help="Requests a second, whether or not earlier ones are answered.",
)
@click.option(
    "--seconds",
    type=FiniteRange(min=0, min_open=True, max=600),
    default=5.0,
    show_default=True,
    help="How long to send.",
)
@click.option(
    "--iterations", type=click.IntRange(1, MAX_ITERATIONS), help="Iterations of each search."
)
@click.option(
    "--time",
    "time_seconds",
    type=FiniteRange(min=0, min_open=True),
    help="Thinking time of each search in seconds; 1000 iterations if neither is given.",
)
@click.option(
    "--deadline",
    type=FiniteRange(min=0, min_open=True, max=600),
    default=2.0,
    show_default=True,
    help="Deadline of each request in seconds.",
)
@click.option(
    "--server",
    type=SERVER,
    metavar="HOST:PORT",
    help="A loopback address. Without it, a server is started for the run.",
)
@click.option(
    "--observation",
    "path",
    metavar="OBSERVATION.json",
    help="What to ask about; the opening of a game by default.",
)
@_as_json
def load(
    *,
    rate: float,
    seconds: float,
    iterations: int | None,
    time_seconds: float | None,
    deadline: float,
    server: str | None,
    path: str | None,
    as_json: bool,
) -> None:
    """Ask a service on this machine for moves at a fixed rate, and tell how long it took.

    Latency counts from when a request should have been sent. Refused requests are not sent
    again.
    """
    from solstis_ai.load import LoadPlan  # noqa: PLC0415 - grpc is not needed for --help

    if iterations is None and time_seconds is None:
        iterations = 1000
    seen = Game(seed=1).observation(0) if path is None else read_observation(path)
    try:
        plan = LoadPlan(rate, seconds, iterations, time_seconds, deadline)
        report = _loaded(server, seen, plan)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    click.echo(json.dumps(report.as_dict()) if as_json else _load_text(report))


def _loaded(server: str | None, observation: Observation, plan: LoadPlan) -> LoadReport:
    from solstis_ai.load import local_server, run_load  # noqa: PLC0415

    if server is not None:
        return asyncio.run(run_load(server, observation, plan))
    with local_server() as address:
        return asyncio.run(run_load(address, observation, plan))


def _load_text(report: LoadReport) -> str:
    latency = ", ".join(f"{name} {value * 1000:.1f} ms" for name, value in report.latency.items())
    codes = ", ".join(f"{code} {count}" for code, count in sorted(report.codes.items()))
    return (
        f"{report.requests} requests at {report.plan.rate:g} a second: {codes}\n"
        f"answers: {report.answers_per_second:.1f} a second, {report.truncated} truncated\n"
        f"latency: {latency or 'no answers'}\n"
        f"missed deadlines: {report.missed_deadlines} of {report.plan.deadline:g} s\n"
        f"sender late by at most {report.worst_lag * 1000:.1f} ms"
    )


def _print(measured: benchmark.Measurement, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(measured.as_dict()))
        return
    click.echo(
        f"{measured.name}, {measured.variant}: {measured.rate:,.0f} {measured.unit} a second "
        f"({measured.work:,} in {measured.seconds:.2f} s, threads: {measured.threads})\n"
        f"{_instructions(measured)}processor level {measured.processor_level}, "
        f"signature {measured.signature}"
    )


def _instructions(measured: benchmark.Measurement) -> str:
    if measured.instructions is None:
        return ""
    return f"{measured.instructions:,.1f} instructions each, "
