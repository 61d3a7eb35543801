"""The headline figures of docs/strength.md, on as many pairs as there is time for.

    python training/headline.py [--pairs 500]

Over paired deals: the network of the package against random playouts at the same iterations, and
the player as it is against the textbook at the same time, one thread each, in fewer pairs. Nothing
else should run beside the matches by time.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path

from match import play

from solstis_ai.arena import Match, play_match, summarize
from solstis_ai.vocabulary import Rules
from solstis_ai.workers import worker_pool

FOLDER = Path(__file__).resolve().parent.parent / "solstis_ai" / "search"
BUDGETS = (100, 300, 1000, 2000)
PAIRS_BY_TIME = {0.02: 0.3, 0.2: 0.04}  # seconds a decision; as a part of the others
FIRST_DEAL = 5_000_000
LEAST_PAIRS = 2  # an interval needs


def styles(fireflies: bool, iterations: int) -> tuple[str, str]:
    """The network with the constants of the search, and the textbook."""
    name = "fireflies" if fireflies else "base"
    network = f"net={FOLDER / f'network_{name}.npz'},k=2,c=0.4,it={iterations}"
    return network, f"c=0.7,it={iterations}"


def by_iterations(pool: Executor, fireflies: bool, pairs: int) -> Iterator[str]:
    """Play the matches at the same iterations; one line each."""
    for iterations in BUDGETS:
        a, b = styles(fireflies, iterations)
        seeds = range(FIRST_DEAL, FIRST_DEAL + pairs)
        share, error = play(pool, a, b, fireflies=fireflies, seeds=seeds)
        yield (
            f"network against textbook, {iterations:,} iterations each: "
            f"{share:.1f} % +- {error:.1f} ({pairs} pairs)"
        )


def by_time(fireflies: bool, pairs: int) -> Iterator[str]:
    """Play the matches at the same time; one line each."""
    for seconds, part in PAIRS_BY_TIME.items():
        seeds = range(FIRST_DEAL, FIRST_DEAL + max(round(pairs * part), LEAST_PAIRS))
        rules = Rules(fireflies=fireflies)
        match = Match(f"search:time={seconds}", f"textbook:time={seconds}", rules, seeds)
        found = summarize(play_match(match, workers=os.cpu_count() or 1))
        low, high = found.score_range
        yield (
            f"search against textbook, {1000 * seconds:.0f} ms each: {found.score:.1%} "
            f"({low:.1%} to {high:.1%}, {found.pairs} pairs)"
        )


def main() -> None:
    """Play all matches; print one line each."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--pairs", type=int, default=500, help="of each match by iterations")
    pairs = parser.parse_args().pairs
    if pairs < LEAST_PAIRS:
        parser.error(f"--pairs: {pairs} are too few; {LEAST_PAIRS} or more")
    for fireflies in (False, True):
        game = "Fireflies" if fireflies else "base game"
        with worker_pool() as pool:
            for line in by_iterations(pool, fireflies, pairs):
                print(f"{game}, {line}", flush=True)
        for line in by_time(fireflies, pairs):
            print(f"{game}, {line}", flush=True)


if __name__ == "__main__":
    main()
