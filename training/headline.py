"""The figures of docs/strength.md for the network, on as many pairs as there is time for.

    python training/headline.py [--pairs 500]

The network of the package against random playouts, at the same iterations, over paired deals.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from match import AT_ONCE, scores

FOLDER = Path(__file__).resolve().parent.parent / "solstis_ai" / "search"
BUDGETS = (100, 300, 1000, 2000)
FIRST_DEAL = 5_000_000


def styles(fireflies: bool, iterations: int) -> tuple[str, str]:
    """The network with the constants of the search, and the textbook."""
    name = "fireflies" if fireflies else "base"
    network = f"net={FOLDER / f'network_{name}.npz'},k=2,c=0.4,it={iterations}"
    return network, f"c=0.7,it={iterations}"


def main() -> None:
    """Play all matches; print one line each."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--pairs", type=int, default=500)
    pairs = parser.parse_args().pairs
    with ProcessPoolExecutor() as pool:
        for fireflies in (False, True):
            for iterations in BUDGETS:
                a, b = styles(fireflies, iterations)
                seeds = range(FIRST_DEAL, FIRST_DEAL + pairs)
                tasks = [
                    (a, b, fireflies, seeds[i : i + AT_ONCE]) for i in range(0, pairs, AT_ONCE)
                ]
                found = np.array([score for part in pool.map(scores, tasks) for score in part])
                error = 1.96 * found.std(ddof=1) / np.sqrt(len(found))
                print(
                    f"{'Fireflies' if fireflies else 'base game'}, {iterations} iterations: "
                    f"{100 * found.mean():.1f} % +- {100 * error:.1f} ({pairs} pairs)",
                    flush=True,
                )


if __name__ == "__main__":
    main()
