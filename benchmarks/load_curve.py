"""Latency of the service by offered load, on one core and on two; refreshes docs/operations.md.

Usage: python benchmarks/load_curve.py [--docs docs] [--iterations 10000] [--seconds 10]
           [--deadline 2] [--rates 5,10,20]

Writes the table into the marked part of DOCS/operations.md, the curve to DOCS/load.svg and the
figures to DOCS/load.json; takes about four minutes. One server is confined to one core, another
one to two, and each rate is offered to the one and then to the other, so that whatever else the
machine does meets both alike. This program sends from the cores that the server does not have,
and shares them where there are no others. Needs Linux and the extra ``plots``.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import arguments  # noqa: F401 - ends here where the environment asks for no level of this build
import click
from matplotlib.figure import Figure

from solstis_ai.engine import processor_level
from solstis_ai.game import Game
from solstis_ai.load import LoadPlan, LoadReport, local_server, run_load
from solstis_ai.search.types import MAX_ITERATIONS

Curve = list[LoadReport]
Curves = dict[int, Curve]
"""By number of cores."""

_ENOUGH = 0.99
_COLOURS = {"p50": "#3b6fb6", "p95": "#c98b2b", "p99": "#a83c3c"}
_DOCUMENT = "operations.md"
_PART = re.compile(
    r"(.*<!-- load_curve.py: begin -->\n).*(<!-- load_curve.py: end -->.*)", re.DOTALL
)


@click.command()
@click.option(
    "--docs",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path("docs"),
    show_default=True,
)
@click.option(
    "--iterations", type=click.IntRange(1, MAX_ITERATIONS), default=10_000, show_default=True
)
@click.option("--seconds", type=float, default=10.0, show_default=True, help="At each rate.")
@click.option("--deadline", type=float, default=2.0, show_default=True)
@click.option("--rates", default="5,10,20,30,40,50,60,80,100,120,160", show_default=True)
def main(docs: Path, iterations: int, seconds: float, deadline: float, rates: str) -> None:
    """Measure, and refresh what DOCS tells about it."""
    try:
        plans = [
            LoadPlan(float(rate), seconds, iterations, deadline=deadline)
            for rate in rates.split(",")
        ]
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None
    marked_parts(docs)  # before all that time is spent
    told = conditions(plans[0])
    curves = measure(plans)
    write(docs, curves, told)


def conditions(plan: LoadPlan) -> str:
    """On what and how it is measured; the load average is that of what runs already."""
    cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[0]
    return (
        f"Opening of the base game, {plan.iterations:,} iterations a move, one thread, deadline "
        f"{plan.deadline:g} s, {plan.seconds:g} s at each rate, offered to both servers in turn; "
        f"{cores} cores, processor level {processor_level()}, Python {platform.python_version()}. "
        f"Load average of the machine before it began: {load:.1f}."
    )


def measure(plans: Sequence[LoadPlan]) -> Curves:
    """Two fresh servers, on one core and on two, asked at each rate in turn."""
    cores = sorted(os.sched_getaffinity(0))
    parts = {count: cores[:count] for count in (1, 2) if len(cores) >= count}
    curves: Curves = {count: [] for count in parts}
    with ExitStack() as stack:
        servers = {count: stack.enter_context(local_server(part)) for count, part in parts.items()}
        for plan in plans:
            for count, address in servers.items():
                with _sender_beside(parts[count]):
                    report = _measured(address, plan)
                curves[count].append(report)
                click.echo(f"{_cores(count)}, {plan.rate:g} a second: {report.codes}")
    return curves


@contextmanager
def _sender_beside(cores: Sequence[int]) -> Iterator[None]:
    """Keep this program off ``cores`` where it can go elsewhere."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, before - set(cores) or before)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _measured(address: str, plan: LoadPlan) -> LoadReport:
    return asyncio.run(run_load(address, Game(seed=1).observation(0), plan))


def write(docs: Path, curves: Curves, told: str) -> None:
    """Refresh the figures, the curve and the marked part of the document."""
    before, after = marked_parts(docs)
    (docs / "load.json").write_text(json.dumps(_record(curves, told), indent=1) + "\n", "utf-8")
    draw(curves, docs / "load.svg")
    part = "\n".join([told, "", *(table(*entry) for entry in curves.items())])
    (docs / _DOCUMENT).write_text(before + part + after, "utf-8")


def marked_parts(docs: Path) -> tuple[str, str]:
    """What stands before and after the figures in the document."""
    try:
        text = (docs / _DOCUMENT).read_text("utf-8")
    except (OSError, UnicodeError) as problem:
        raise click.ClickException(str(problem)) from None
    if len(found := _PART.findall(text)) != 1:
        raise click.ClickException(f"{docs / _DOCUMENT} has no part for the figures")
    [(before, after)] = found
    return before, after


def knee(curve: Curve) -> float | None:
    """The highest rate up to which 99 % of all requests got a whole answer in time."""
    best = None
    for report in curve:
        whole = report.codes.get("OK", 0) - report.truncated
        if whole < _ENOUGH * report.requests or report.missed_deadlines:
            break
        best = report.plan.rate
    return best


def table(count: int, curve: Curve) -> str:
    """A table in Markdown."""
    lines = [
        f"**{_cores(count)}, {_bend(curve)}**",
        "",
        "| offered/s | answered/s | p50 ms | p95 ms | p99 ms | refused | truncated | missed | "
        "sender late ms |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    return "\n".join([*lines, *(_row(report) for report in curve), ""])


def _cores(count: int) -> str:
    return f"{count} core{'s' if count > 1 else ''}"


def _bend(curve: Curve) -> str:
    bend = knee(curve)
    return "no knee" if bend is None else f"knee at {bend:g} a second"


def _row(report: LoadReport) -> str:
    latency = [f"{report.latency.get(name, float('nan')) * 1000:.0f}" for name in _COLOURS]
    cells = [
        f"{report.plan.rate:g}",
        f"{report.answers_per_second:.1f}",
        *latency,
        f"{report.codes.get('RESOURCE_EXHAUSTED', 0)}",
        f"{report.truncated}",
        f"{report.missed_deadlines}",
        f"{report.worst_lag * 1000:.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def _record(curves: Curves, told: str) -> dict[str, object]:
    return {
        "conditions": told,
        "machine": platform.processor() or platform.machine(),
        "python": platform.python_version(),
        "curves": {
            count: [report.as_dict() for report in curve] for count, curve in curves.items()
        },
    }


def draw(curves: Curves, path: Path) -> None:
    """One panel for each number of cores: percentiles by offered rate, the knee dashed."""
    figure = Figure(figsize=(5 * len(curves), 3.6), layout="constrained")
    panels = figure.subplots(1, len(curves), sharey=True, squeeze=False)[0]
    for panel, (count, curve) in zip(panels, curves.items(), strict=True):
        rates = [report.plan.rate for report in curve]
        for name, colour in _COLOURS.items():
            values = [report.latency.get(name, float("nan")) * 1000 for report in curve]
            panel.plot(rates, values, marker="o", markersize=3, color=colour, label=name)
        if (bend := knee(curve)) is not None:
            panel.axvline(bend, linestyle="--", color="grey", label=f"knee, {bend:g}/s")
        panel.set(title=_cores(count), yscale="log")
        panel.set(xlabel="requests a second", ylabel="latency (ms)" if count == 1 else "")
        panel.grid(visible=True, which="both", alpha=0.2)
        panel.legend(fontsize=8)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
