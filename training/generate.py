"""Self-play games on file: positions with what their search expected and how they ended.

    python training/generate.py OUT.npz STYLE --games 20000 [--fireflies] [--seed 0]
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from deals import deal
from match import style

from solstis_ai.search.selfplay import Table
from solstis_ai.vocabulary import Rules


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("style")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--fireflies", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rules = Rules(fireflies=options.fireflies)
    table = Table([style(options.style)] * 2, True)
    parts, facts, shares = [], [], []
    kept = 0
    begin = time.time()
    for i in range(options.games):
        state, chance = deal(rules, options.seed + i)
        table.play(state, chance, options.seed + i, False)
        found, share = table.take_options()
        found[:, 0] += kept
        facts.append(found)
        shares.append(share)
        parts.append(table.take_samples())
        kept += len(parts[-1][1])
        if time.time() - begin > options.seconds:
            break
    features, values, results, sides, slipped = (np.concatenate(column) for column in zip(*parts, strict=True))
    np.savez(options.out, features=features, values=values, results=results, sides=sides, slipped=slipped,
             facts=np.concatenate(facts), shares=np.concatenate(shares))
    print(f"{options.out}: {len(parts)} games, {len(values)} positions, "
          f"{time.time() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
