"""A match of many short games between two styles of play, over paired deals.

    python training/match.py A B --pairs 500 [--fireflies] [--workers 2]

A style is comma-separated: net=FILE (an evaluator; random playouts without one), it=1000
(iterations), c=0.7 (exploration), k=2 (lookahead), slips=0 and overlooks=0 (shares of random
decisions, and of legal decisions that are not seen).
"""

from __future__ import annotations

import argparse
import math
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np
from deals import deal

from solstis_ai.search.evaluator import Evaluator
from solstis_ai.search.selfplay import Style, Table
from solstis_ai.search.weights import read_evaluator
from solstis_ai.vocabulary import Rules


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
        raise SystemExit(f"style {text!r}: unknown option {next(iter(options))!r}")
    return found


def scores(task: tuple[str, str, bool, int, int]) -> list[float]:
    a, b, fireflies, first, last = task
    table = Table([style(a), style(b)], False)
    rules = Rules(fireflies=fireflies)
    found = []
    for seed in range(first, last):
        state, chance = deal(rules, seed)
        games = [table.play(state, chance, seed, swapped) for swapped in (False, True)]
        found.append((games[0][0] + games[1][0]) / 4)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--fireflies", action="store_true")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    begin = time.time()
    step = 10
    tasks = [
        (options.a, options.b, options.fireflies, options.seed + i,
         options.seed + min(i + step, options.pairs))
        for i in range(0, options.pairs, step)
    ]
    with ProcessPoolExecutor(options.workers) as pool:
        values = np.array([x for found in pool.map(scores, tasks) for x in found])
    error = 1.96 * values.std(ddof=1) / math.sqrt(len(values))
    print(f"{options.a} vs {options.b}: {100 * values.mean():.2f} % +- {100 * error:.2f}  "
          f"({len(values)} pairs, {time.time() - begin:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
