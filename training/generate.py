"""Self-play games on file: positions with what their search expected and how they ended.

    python training/generate.py OUT.npz STYLE [--games 20000] [--seconds 600] [--fireflies]

STYLE is that of ``match.py``. One process plays one file; give each a ``--seed`` of its own, far
from the others.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from deals import deal
from match import style
from positions import Array

from solstis_ai.search.selfplay import Table
from solstis_ai.vocabulary import Rules

NAMES = ("features", "values", "results", "sides", "slipped", "facts", "shares")


def play(table: Table, rules: Rules, seed: int, positions: int) -> list[Array]:
    """One game: its columns in the order of NAMES, after so many positions."""
    state, chance = deal(rules, seed)
    table.play(state, chance, seed, False)
    facts, shares = table.take_options()
    facts[:, 0] += positions
    return [*table.take_samples(), facts, shares]


def main() -> None:
    """Read the arguments, play, write."""
    parser = argparse.ArgumentParser(description="Play games of the search against itself.")
    parser.add_argument("out", type=Path)
    parser.add_argument("style")
    parser.add_argument("--games", type=int, default=1000, help="most games")
    parser.add_argument("--seconds", type=float, default=1e9, help="most time")
    parser.add_argument("--fireflies", action="store_true", help="play the expansion")
    parser.add_argument("--seed", type=int, default=0, help="of the first deal")
    options = parser.parse_args()
    rules = Rules(fireflies=options.fireflies)
    table, begin = Table([style(options.style)] * 2, True), time.monotonic()
    games: list[list[Array]] = []
    positions = 0
    while len(games) < options.games and time.monotonic() - begin < options.seconds:
        games.append(play(table, rules, options.seed + len(games), positions))
        positions += len(games[-1][1])
    columns = (np.concatenate(column) for column in zip(*games, strict=True))
    arrays = dict(zip(NAMES, columns, strict=True))
    np.savez(options.out, **arrays)  # type: ignore[arg-type]  # by name
    print(f"{options.out}: {len(games)} games, {positions} positions", flush=True)


if __name__ == "__main__":
    main()
