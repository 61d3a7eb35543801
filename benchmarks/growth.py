"""How the cost of the search grows: iterations, threads, room of the tree, processor level.

Asserts the signatures of games, searches and worlds at every processor level, and then writes the
figures as JSON, for ``plots.py``. Every figure is that of the fastest of many short
pieces of work, by the clock, taken in turns, because other processes can only make a piece slower.
Pieces of several threads and long ones need a machine with nothing else to do. All of it takes
some four minutes on two cores.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import harness
import tasks
from arguments import duration, whole
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
PIECE = 10_000  # least iterations that are timed together

Point = dict[str, Any]


def best_rate(piece: tasks.Piece, seconds: float) -> float:
    """Units a second of the fastest piece of work within some time, at least one piece."""
    best, end = 0.0, time.perf_counter() + seconds
    while not best or time.perf_counter() < end:
        begin = time.perf_counter()
        work = piece()
        best = max(best, work / (time.perf_counter() - begin))
    return best


def best_of(points: list[tuple[Point, tasks.Piece]], rounds: int, seconds: float) -> list[Point]:
    """Each point with its best rate; the points take turns."""
    best = [0.0] * len(points)
    for _ in range(rounds):
        for index, (_, piece) in enumerate(points):
            best[index] = max(best[index], best_rate(piece, seconds))
    return [{**point, "rate": found} for (point, _), found in zip(points, best, strict=True)]


def searches(iterations: int, threads: int) -> tasks.Piece:
    """As many searches as make a piece that is long enough to be timed by itself."""
    piece, times = tasks.search(iterations=iterations, threads=threads), -(-PIECE // iterations)
    return lambda: sum(piece() for _ in range(times))


def by_iterations(rounds: int, seconds: float) -> list[Point]:
    """Searches of all lengths, by one thread and by two."""
    points: list[tuple[Point, tasks.Piece]] = [
        (
            {"iterations": iterations, "threads": threads},
            searches(iterations, threads),
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
    parser.add_argument("--seconds", type=duration, default=0.5, help="length of a turn")
    parser.add_argument("--rounds", type=whole, default=7, help="turns of each figure")
    parser.add_argument("--out", type=Path, default=OUT, help="file to write")
    arguments = parser.parse_args()
    harness.require_recorded_engine(available_levels())
    try:  # before all that time is spent
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        arguments.out.open("a").close()
    except OSError as problem:
        parser.error(f"--out: {problem}")
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
    arguments.out.write_text(json.dumps(measured, indent=2) + "\n")
    print(f"wrote {arguments.out}")


if __name__ == "__main__":
    main()
