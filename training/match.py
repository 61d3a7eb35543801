"""A match of many short games between two styles of play, over paired deals.

    python training/match.py A B --pairs 500 [--fireflies] [--workers 2]

A style is comma-separated: net=FILE (an evaluator; random playouts without one), it=1000
(iterations), c=0.7 (exploration), k=2 (lookahead), slips=0 and overlooks=0 (shares of random
decisions, and of legal decisions that are not seen). A whole game is played without Python, so that
this takes a fraction of the time of ``solstis-ai arena`` where searches are short.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from functools import cache
from pathlib import Path

import numpy as np
from deals import deal

from solstis_ai.search.evaluator import Evaluator
from solstis_ai.search.selfplay import Table
from solstis_ai.search.weights import read_evaluator
from solstis_ai.vocabulary import Rules
from solstis_ai.workers import worker_pool

AT_ONCE = 10  # pairs in a task of a worker

Style = tuple[Evaluator | None, int, int, float, float, float]
"""How one side plays; see ``Table``."""


@cache
def evaluator(path: str) -> Evaluator:
    """The evaluator of a file."""
    return read_evaluator(Path(path))


def style(text: str) -> Style:
    """A style of play from its text."""
    options = dict(word.split("=") for word in text.split(","))
    net = options.pop("net", None)
    found = (
        evaluator(net) if net else None,
        int(options.pop("k", 2)),
        int(options.pop("it", 1000)),
        float(options.pop("c", 0.7)),
        float(options.pop("slips", 0)),
        float(options.pop("overlooks", 0)),
    )
    if options:
        raise SystemExit(f"style {text!r}: there is no option {next(iter(options))!r}")
    return found


def scores(task: tuple[str, str, bool, range]) -> list[float]:
    """Share of the points of A in each pair."""
    a, b, fireflies, seeds = task
    return scores_of((style(a), style(b)), Rules(fireflies=fireflies), seeds)


def scores_of(styles: tuple[Style, Style], rules: Rules, seeds: Sequence[int]) -> list[float]:
    """Share of the points of the first style in each pair."""
    table = Table(styles, False)
    found = []
    for seed in seeds:
        state, chance = deal(rules, seed)
        half_points = [table.play(state, chance, seed, swapped)[0] for swapped in (False, True)]
        found.append(sum(half_points) / 4)
    return found


def play(pool: Executor, a: str, b: str, *, fireflies: bool, seeds: range) -> tuple[float, float]:
    """Share of the points of A over these deals, and half its 95 % interval, in percent."""
    tasks = [(a, b, fireflies, seeds[i : i + AT_ONCE]) for i in range(0, len(seeds), AT_ONCE)]
    found = np.array([score for part in pool.map(scores, tasks) for score in part])
    error = 1.96 * found.std(ddof=1) / math.sqrt(len(found))
    return 100 * float(found.mean()), 100 * float(error)


def main() -> None:
    """Read the arguments, play, print the share of points of A with its 95 % interval."""
    parser = argparse.ArgumentParser(description="Play many short games over paired deals.")
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1_000_000, help="of the first deal")
    parser.add_argument("--fireflies", action="store_true", help="play the expansion")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    begin = time.monotonic()
    seeds = range(options.seed, options.seed + options.pairs)
    with worker_pool(options.workers) as pool:
        share, error = play(pool, options.a, options.b, fireflies=options.fireflies, seeds=seeds)
    print(
        f"{options.a} against {options.b}: {share:.2f} % +- {error:.2f}, "
        f"{len(seeds)} pairs, {time.monotonic() - begin:.0f} s"
    )


if __name__ == "__main__":
    main()
