"""The figures of docs/strength.md for the network, on as many pairs as there is time for.

    python training/headline.py [--pairs 500]

The network of the package against random playouts, at the same iterations, over paired deals.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from match import play

from solstis_ai.workers import worker_pool

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
    with worker_pool() as pool:
        for fireflies in (False, True):
            for iterations in BUDGETS:
                a, b = styles(fireflies, iterations)
                seeds = range(FIRST_DEAL, FIRST_DEAL + pairs)
                share, error = play(pool, a, b, fireflies=fireflies, seeds=seeds)
                print(
                    f"{'Fireflies' if fireflies else 'base game'}, {iterations} iterations: "
                    f"{share:.1f} % +- {error:.1f} ({pairs} pairs)",
                    flush=True,
                )


if __name__ == "__main__":
    main()
