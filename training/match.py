"""A match of many short games between two styles of play, over paired deals.

    python training/match.py A B --pairs 500 [--fireflies] [--workers 2]

A style is comma-separated: net=FILE (none: random playouts), it=1000, c=0.7, k=0 (random
decisions between leaf and judgement).
"""

from __future__ import annotations

import argparse
import math
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from deals import deal
from weights import load, load_policy

from solstis_ai.search.selfplay import Table
from solstis_ai.vocabulary import Rules


def style(text: str) -> tuple[object, object, int, float, int, int, float]:
    options = dict(word.split("=") for word in text.split(","))
    net = options.get("net")
    return (
        load(net) if net else None,
        load_policy(options["pol"]) if "pol" in options else None,
        int(options.get("it", 1000)),
        float(options.get("c", 0.7)),
        int(options.get("k", 1000 if "pol" in options else 0)),
        int(options.get("d", -1)),
        int(options.get("s", 0)),
        float(options.get("slips", 0)),
    )


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
