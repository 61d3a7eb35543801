"""How good the moves of several threads are, at the same total of iterations.

A position's *regret* is how much worse the chosen move is than the best one, by the judgement of a
search of a million iterations. It tells small differences with far fewer searches than games do.

    python benchmarks/regret.py [--positions 400] [--iterations 2000] [--seeds 36]

The positions come from games of the search against itself. The references take a second each.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np

from solstis_ai.engine import Search
from solstis_ai.game import Game
from solstis_ai.observation import Observation
from solstis_ai.search.types import Analysis, Evaluation, Limits, SearchConfig
from solstis_ai.vocabulary import Move

CONFIG = SearchConfig(evaluation=Evaluation.PLAYOUTS, endgame=False, max_nodes=1 << 23)
REFERENCE_ITERATIONS = 1_000_000
REFERENCE_SEED = 77
PLAYING_ITERATIONS = 1_500
POSITIONS_A_GAME = 5
LEAST_VISITS = 100  # of a move whose value the reference tells

Values = dict[Move, float]


def searched(seen: Observation, iterations: int, threads: int, seed: int) -> Analysis:
    """The answer of one search."""
    search = Search(seen, Limits(iterations=iterations, threads=threads), seed, CONFIG)
    search.run()
    return search.analysis()


def decisions_of(seed: int) -> list[Observation]:
    """A few decisions of one game that the search plays against itself."""
    game, seen = Game(seed=seed), []
    while not game.over:
        legal = list(game.legal_moves)
        if len(legal) > 1:
            seen.append(game.observation(game.player))
            game.push(searched(seen[-1], PLAYING_ITERATIONS, 1, 1).move)
        else:
            game.push(legal[0])
    return random.Random(seed).sample(seen, min(POSITIONS_A_GAME, len(seen)))


def reference(seen: Observation) -> Values:
    """What each move is worth; that of a move with few visits is taken as it is."""
    answer = searched(seen, REFERENCE_ITERATIONS, 1, REFERENCE_SEED)
    return {row.move: row.win_probability for row in answer.alternatives if row.visits} | {
        row.move: min(row.win_probability, answer.win_probability)
        for row in answer.alternatives
        if row.visits < LEAST_VISITS
    }


def regrets(seen: Observation, *, iterations: int, seeds: int) -> list[float]:
    """Mean regret of one thread, of two, and of one thread with half of the iterations."""
    values = reference(seen)
    best = max(values.values())
    ways = ((iterations, 1), (iterations, 2), (iterations // 2, 1))
    return [
        float(
            np.mean(
                [
                    best - values.get(searched(seen, total, threads, first + seed).move, 0.0)
                    for seed in range(seeds)
                ]
            )
        )
        for first, (total, threads) in zip((0, 1000, 2000), ways, strict=True)
    ]


def positions(number: int) -> Iterator[Observation]:
    """So many positions, of games by seed."""
    for seed in range(number // POSITIONS_A_GAME + 1):
        yield from decisions_of(seed)


def main() -> None:
    """Measure, and print means and differences with their 95 % intervals."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--seeds", type=int, default=36)
    options = parser.parse_args()
    measure = partial(regrets, iterations=options.iterations, seeds=options.seeds)
    seen = list(positions(options.positions))[: options.positions]
    with ProcessPoolExecutor() as pool:
        one, two, half = np.array(list(pool.map(measure, seen, chunksize=4))).T
    print(f"one thread {one.mean():.5f}, two {two.mean():.5f}, half {half.mean():.5f}")
    for name, difference in (("two threads", two - one), ("half the iterations", half - one)):
        error = 1.96 * difference.std(ddof=1) / np.sqrt(len(difference))
        print(f"{name} against one thread: {difference.mean():+.5f} +- {error:.5f}")


if __name__ == "__main__":
    main()
