"""Plots of docs/performance, from the figures that ``growth.py`` measured."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("svg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "performance"
Measured = dict[str, Any]


def iterations(axes: Axes, measured: Measured) -> None:
    """Rate by length of the search, one line for each number of threads."""
    for threads in (1, 2):
        points = [point for point in measured["by_iterations"] if point["threads"] == threads]
        axes.plot(
            [point["iterations"] for point in points],
            [point["rate"] / 1e6 for point in points],
            marker="o",
            label=f"{threads} thread" + "s" * (threads > 1),
        )
    axes.set(
        xscale="log",
        ylim=0,
        title="Search from the opening",
        xlabel="iterations of the search",
        ylabel="million iterations a second",
    )
    axes.legend()


def max_nodes(axes: Axes, measured: Measured) -> None:
    """Time of an iteration by room of the tree."""
    points = measured["by_max_nodes"]
    axes.plot(
        [24 * point["max_nodes"] / 2**20 for point in points],
        [1e6 / point["rate"] for point in points],
        marker="o",
    )
    axes.set(
        xscale="log",
        ylim=0,
        title="Search of 1,000,000 iterations by node limit",
        xlabel="room for nodes, MiB (24 bytes each)",
        ylabel="microseconds an iteration",
    )


def levels(axes: Axes, measured: Measured) -> None:
    """Rates by processor level."""
    names = list(dict.fromkeys(point["level"] for point in measured["by_level"]))
    for shift, benchmark in ((-0.2, "playouts"), (0.2, "search")):
        rates = [
            point["rate"] / 1e6 for point in measured["by_level"] if point["benchmark"] == benchmark
        ]
        places = [index + shift for index in range(len(names))]
        bars = axes.bar(places, rates, width=0.38, label=benchmark)
        axes.bar_label(bars, fmt="%.2f")
    axes.set_xticks(range(len(names)), names)
    axes.set(title="Processor levels", ylabel="million games or iterations a second")
    axes.legend()


def profile(axes: Axes, measured: Measured, benchmark: str, unit: str) -> None:
    """Instructions by function."""
    costs = measured["instructions"][benchmark]
    names = list(costs)[::-1]
    axes.barh(names, [costs[name] for name in names])
    axes.set(title=f"Instructions of a {unit}, by function", xlabel="instructions")


def draw(measured: Measured, folder: Path) -> list[Path]:
    """Write all plots; returns their files."""
    plots: dict[str, Callable[[Axes, Measured], None]] = {
        "iterations": iterations,
        "node-limit": max_nodes,
        "levels": levels,
        "playout-profile": lambda axes, data: profile(axes, data, "playouts", "random game"),
        "search-profile": lambda axes, data: profile(axes, data, "search", "search iteration"),
    }
    mpl.rcParams["svg.hashsalt"] = "solstis-ai"
    files = []
    for name, plot in plots.items():
        figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
        axes.grid(visible=True, alpha=0.3)
        axes.set_axisbelow(True)
        plot(axes, measured)
        files.append(folder / f"{name}.svg")
        figure.savefig(files[-1], metadata={"Date": None})
        plt.close(figure)
    return files


def main() -> None:
    """Read the figures, draw, and name the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measured", type=Path, default=FOLDER / "measured.json")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write")
    arguments = parser.parse_args()
    try:
        measured = json.loads(arguments.measured.read_text("utf-8"))
        files = draw(measured, arguments.folder)
    except OSError as problem:
        parser.error(str(problem))
    except (ValueError, LookupError, TypeError):
        parser.error(f"--measured: {arguments.measured} is no file that growth.py has written")
    for file in files:
        print(f"wrote {file}")


if __name__ == "__main__":
    main()
