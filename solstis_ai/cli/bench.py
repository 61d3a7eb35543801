"""``solstis-ai bench``: how fast this machine plays and searches."""

from __future__ import annotations

import json

import click

from solstis_ai import benchmark, instructions

__all__ = ["command"]

_variant = click.option(
    "--variant",
    type=click.Choice(list(benchmark.VARIANTS)),
    default="base",
    show_default=True,
    help="Rules of the games.",
)
_seconds = click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True, max=3600),
    default=2.0,
    show_default=True,
    help="How long to measure.",
)
_as_json = click.option("--json", "as_json", is_flag=True, help="Print the figure as JSON.")
_count = click.option(
    "--instructions",
    "count",
    is_flag=True,
    help="Count the machine instructions of a unit too; takes valgrind, and some seconds.",
)


@click.group("bench")
def command() -> None:
    """Measure the speed of the engine.

    Each command first repeats a fixed amount of work and compares the signature of its results
    with the recorded one; it fails if they differ.
    """


@command.command("playouts")
@_variant
@_seconds
@_count
@_as_json
def playouts(*, variant: str, seconds: float, count: bool, as_json: bool) -> None:
    """Random games a second: dealt, played to the end, both sides scored."""
    measured = benchmark.measure_playouts(variant, seconds)
    _print(_counted(measured, count), as_json)


@command.command("search")
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    default=benchmark.SIGNATURE_ITERATIONS,
    show_default=True,
    help="Iterations of one search; each begins with an empty tree.",
)
@_variant
@click.option(
    "--threads",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    help="Threads that share the iterations of a search.",
)
@_seconds
@_count
@_as_json
def search(
    *, iterations: int, variant: str, threads: int, seconds: float, count: bool, as_json: bool
) -> None:
    """Search iterations a second, from the opening."""
    measured = benchmark.measure_search(variant, seconds, iterations, threads)
    _print(_counted(measured, count, iterations), as_json)


@command.command("determinization")
@_seconds
@_count
@_as_json
def determinization(*, seconds: float, count: bool, as_json: bool) -> None:
    """Sampled worlds a second, from a position with known and excluded tiles."""
    _print(_counted(benchmark.measure_determinization(seconds), count), as_json)


def _counted(
    measured: benchmark.Measurement, count: bool, units: int | None = None
) -> benchmark.Measurement:
    if not (count and instructions.available()):
        return measured
    level = measured.processor_level
    counted = instructions.count(measured.name, measured.variant, units=units, level=level)
    return measured.with_instructions(counted)


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
