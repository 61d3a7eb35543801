"""How far the answers of other seeds lie from each other, in the standard errors that they tell.

    python benchmarks/standard_error.py [--positions 160] [--seeds 12]
                                        [--iterations 200 2000 5000 20000]

The same positions are searched with several seeds. For each move that all of them have visited
twenty times, the standard deviation of its chance to win from seed to seed is divided by the
standard error that the answers tell: 1 is what a standard error promises, less is caution. Not a
matter of time; it takes a minute or two on two cores.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count, islice

import numpy as np
from arguments import whole
from regret import decisions_of

from solstis_ai.engine import recommend
from solstis_ai.observation import Observation
from solstis_ai.search.types import Limits, SearchConfig
from solstis_ai.workers import worker_pool

CONFIG = SearchConfig(endgame=False)
LEAST_VISITS = 20
SHARES = {"most visited": 0.5, "others": 0.0}
"""Moves by the least share of the visits that they have."""

Ratio = tuple[float, float]
"""Share of the visits, and standard deviation by standard error."""


def positions(number: int) -> list[Observation]:
    """Decisions of games of the search against itself."""
    return list(islice((seen for seed in count() for seen in decisions_of(seed)), number))


def ratios(seen: Observation, *, iterations: int, seeds: int) -> list[Ratio]:
    """One for each move that is visited often enough."""
    answers = [
        recommend(seen, Limits(iterations=iterations), seed, config=CONFIG).alternatives
        for seed in range(seeds)
    ]
    found = []
    for move in {row.move for row in answers[0]}:
        rows = [next(row for row in answer if row.move == move) for answer in answers]
        if min(row.visits for row in rows) >= LEAST_VISITS:
            told = np.sqrt(np.mean([row.standard_error**2 for row in rows]))
            deviation = np.std([row.win_probability for row in rows], ddof=1)
            share = np.mean([row.visits for row in rows]) / iterations
            found.append((float(share), float(deviation / told)))
    return found


def table(iterations: int, found: Iterable[Ratio]) -> Iterator[str]:
    """One line for each kind of moves."""
    left = list(found)
    for name, least in SHARES.items():
        kind = [ratio for share, ratio in left if share >= least]
        left = [pair for pair in left if pair[0] < least]
        if kind:
            yield f"{iterations:,} iterations, {name}: {summary(kind)}"


def summary(kind: Sequence[float]) -> str:
    """Median, root mean square and the share above 2."""
    far = np.mean(np.array(kind) > 2)
    return (
        f"median {np.median(kind):.2f}, root mean square {np.sqrt(np.mean(np.square(kind))):.2f}, "
        f"{far:.0%} above 2 ({len(kind)} moves)"
    )


def main() -> None:
    """Search, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--positions", type=whole, default=160)
    parser.add_argument("--seeds", type=whole, default=12)
    parser.add_argument("--iterations", type=whole, nargs="+", default=[200, 2_000, 5_000, 20_000])
    arguments = parser.parse_args()
    if arguments.seeds < 2:
        parser.error("--seeds: a deviation needs 2 or more")
    seen = positions(arguments.positions)
    with worker_pool() as pool:
        for iterations in arguments.iterations:
            task = partial(ratios, iterations=iterations, seeds=arguments.seeds)
            found = (ratio for of_one in pool.map(task, seen) for ratio in of_one)
            for line in table(iterations, found):
                print(line, flush=True)


if __name__ == "__main__":
    main()
