"""``solstis-ai bench``: how fast this machine plays and searches."""

from __future__ import annotations

import json

import click

from solstis_ai import benchmark

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


@click.group("bench")
def command() -> None:
    """Measure the speed of the engine on one core.

    Each command first repeats a fixed amount of work and compares the signature of its results
    with the recorded one; it fails if they differ.
    """


@command.command("playouts")
@_variant
@_seconds
@_as_json
def playouts(*, variant: str, seconds: float, as_json: bool) -> None:
    """Random games a second: dealt, played to the end, both sides scored."""
    _print(benchmark.measure_playouts(variant, seconds), as_json)


@command.command("search")
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    default=benchmark.SIGNATURE_ITERATIONS,
    show_default=True,
    help="Iterations of one search; each begins with an empty tree.",
)
@_variant
@_seconds
@_as_json
def search(*, iterations: int, variant: str, seconds: float, as_json: bool) -> None:
    """Search iterations a second, from the opening, on one thread."""
    _print(benchmark.measure_search(variant, seconds, iterations), as_json)


def _print(measured: benchmark.Measurement, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(measured.as_dict()))
        return
    click.echo(
        f"{measured.name}, {measured.variant}: {measured.rate:,.0f} {measured.unit} a second "
        f"({measured.work:,} in {measured.seconds:.2f} s)\n"
        f"processor level {measured.processor_level}, signature {measured.signature}"
    )
