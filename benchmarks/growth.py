"""How the cost of the search grows: iterations, threads, room of the tree, processor level.

Writes the figures as JSON, for ``plots.py``. Every figure is the best of several runs, taken
in turns, because other processes can only make a run slower.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tasks
from cost_by_function import count_instructions

from solstis_ai.search.dispatch import (
    C_COMPILER_VERSION,
    CYTHON_VERSION,
    available_levels,
    processor_level,
    use_level,
)

OUT = tasks.ROOT / "docs" / "performance" / "measured.json"
ITERATIONS = (100, 1_000, 10_000, 100_000, 1_000_000)
MAX_NODES = tuple(1 << power for power in range(10, 23, 2))
PROFILED = 20

Point = dict[str, Any]


def rate(piece: tasks.Piece, seconds: float, clock: Callable[[], float]) -> float:
    """Units of work a second."""
    work, begin, spent = 0, clock(), 0.0
    while spent < seconds:
        work += piece()
        spent = clock() - begin
    return work / spent


def best_of(points: list[tuple[Point, tasks.Piece]], rounds: int, seconds: float) -> list[Point]:
    """Each point with its best rate; the points take turns.

    One thread is timed by the processor's clock, several by that on the wall.
    """
    best = [0.0] * len(points)
    for _ in range(rounds):
        for index, (point, piece) in enumerate(points):
            clock = time.perf_counter if point.get("threads", 1) > 1 else time.process_time
            best[index] = max(best[index], rate(piece, seconds, clock))
    return [{**point, "rate": found} for (point, _), found in zip(points, best, strict=True)]


def by_iterations(rounds: int, seconds: float) -> list[Point]:
    """Searches of all lengths, by one thread and by two."""
    points: list[tuple[Point, tasks.Piece]] = [
        (
            {"iterations": iterations, "threads": threads},
            tasks.search(iterations=iterations, threads=threads),
        )
        for threads in (1, 2)
        for iterations in ITERATIONS
    ]
    return best_of(points, rounds, seconds)


def by_max_nodes(rounds: int, seconds: float) -> list[Point]:
    """Searches of a million iterations in trees with little room."""
    points: list[tuple[Point, tasks.Piece]] = [
        ({"max_nodes": nodes}, tasks.search(iterations=1_000_000, max_nodes=nodes))
        for nodes in MAX_NODES
    ]
    return best_of(points, rounds, seconds)


def at_level(level: str, piece: tasks.Piece) -> tasks.Piece:
    """The same work at a processor level."""

    def leveled() -> int:
        use_level(level)
        return piece()

    return leveled


def by_level(rounds: int, seconds: float) -> list[Point]:
    """Playouts and searches at every processor level."""
    work: dict[str, Callable[[], tasks.Piece]] = {
        "playouts": tasks.playouts,
        "search": tasks.search,
    }
    points: list[tuple[Point, tasks.Piece]] = [
        ({"level": level, "benchmark": name}, at_level(level, make()))
        for name, make in work.items()
        for level in available_levels()
    ]
    before = processor_level()
    found = best_of(points, rounds, seconds)
    use_level(before)
    return found


def profile(benchmark: str) -> dict[str, float]:
    """Instructions by function, the costliest ones."""
    kernel = f"kernel_{processor_level().replace('-', '_')}.c"
    costs = count_instructions(benchmark, tasks.ROOT / "solstis_ai" / "search" / kernel)
    top = dict(list(costs.items())[:PROFILED])
    return {**top, "all others": sum(costs.values()) - sum(top.values())}


def main() -> None:
    """Measure everything and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a run")
    parser.add_argument("--rounds", type=int, default=7, help="runs of each figure")
    parser.add_argument("--out", type=Path, default=OUT, help="file to write")
    arguments = parser.parse_args()
    rounds, seconds = arguments.rounds, arguments.seconds
    measured = {
        "machine": platform.machine(),
        "python": platform.python_version(),
        "compiler": C_COMPILER_VERSION,
        "cython": CYTHON_VERSION,
        "processor_level": processor_level(),
        "by_iterations": by_iterations(rounds, seconds),
        "by_max_nodes": by_max_nodes(rounds, seconds),
        "by_level": by_level(rounds, seconds),
        "instructions": {name: profile(name) for name in ("playouts", "search")},
    }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(measured, indent=2) + "\n")
    print(f"wrote {arguments.out}")


if __name__ == "__main__":
    main()
