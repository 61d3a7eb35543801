"""Latency of the service by offered load, on one core and on two; writes JSON, a table, an SVG.

Usage: python benchmarks/load_curve.py [--out docs/load] [--iterations 10000] [--seconds 10]
           [--deadline 2] [--rates 5,10,20]

The server runs on one core while this program sends from another, then on two, which it shares
with this program where the machine has no more. Needs Linux and the extra ``plots``.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
from collections.abc import Sequence
from pathlib import Path

import click
from matplotlib.figure import Figure

from solstis_ai.game import Game
from solstis_ai.load import LoadPlan, LoadReport, local_server, run_load

Curve = list[LoadReport]

_ENOUGH = 0.99
_COLOURS = {"p50": "#3b6fb6", "p95": "#c98b2b", "p99": "#a83c3c"}


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("docs/load"))
@click.option("--iterations", type=int, default=10_000, show_default=True)
@click.option("--seconds", type=float, default=10.0, show_default=True, help="At each rate.")
@click.option("--deadline", type=float, default=2.0, show_default=True)
@click.option("--rates", default="5,10,20,30,40,50,60,80,100,120,160", show_default=True)
def main(out: Path, iterations: int, seconds: float, deadline: float, rates: str) -> None:
    """Measure, print the table and write OUT.json and OUT.svg."""
    plans = [
        LoadPlan(float(rate), seconds, iterations, deadline=deadline) for rate in rates.split(",")
    ]
    cores = sorted(os.sched_getaffinity(0))
    curves = {count: measure(cores[:count], plans) for count in (1, 2) if len(cores) >= count}
    for count, curve in curves.items():
        click.echo(table(count, curve))
    out.with_suffix(".json").write_text(json.dumps(_record(curves), indent=1) + "\n", "utf-8")
    draw(curves, out.with_suffix(".svg"))


def measure(cores: Sequence[int], plans: Sequence[LoadPlan]) -> Curve:
    """One fresh server on ``cores``, asked at each rate in turn."""
    free = os.sched_getaffinity(0) - set(cores)
    before = os.sched_getaffinity(0)
    with local_server(cores) as address:
        os.sched_setaffinity(0, free or before)
        try:
            return [_measured(address, plan) for plan in plans]
        finally:
            os.sched_setaffinity(0, before)


def _measured(address: str, plan: LoadPlan) -> LoadReport:
    report = asyncio.run(run_load(address, Game(seed=1).observation(0), plan))
    click.echo(f"{plan.rate:g} a second: {report.codes}", err=True)
    return report


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
        f"{count} core{'s' if count > 1 else ''}, knee at {knee(curve)} a second",
        "",
        "| offered/s | answered/s | p50 ms | p95 ms | p99 ms | refused | truncated | missed | "
        "sender late ms |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    return "\n".join([*lines, *(_row(report) for report in curve), ""])


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


def _record(curves: dict[int, Curve]) -> dict[str, object]:
    return {
        "machine": platform.processor() or platform.machine(),
        "python": platform.python_version(),
        "curves": {
            count: [report.as_dict() for report in curve] for count, curve in curves.items()
        },
    }


def draw(curves: dict[int, Curve], path: Path) -> None:
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
        panel.set(title=f"{count} core{'s' if count > 1 else ''}", yscale="log")
        panel.set(xlabel="requests a second", ylabel="latency (ms)" if count == 1 else "")
        panel.grid(visible=True, which="both", alpha=0.2)
        panel.legend(fontsize=8)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
