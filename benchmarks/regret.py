"""How good the moves of several threads are, at the same total of iterations.

A position's *regret* is how much worse the chosen move is than the best one, by the judgement of a
long search. It tells small differences with far fewer searches than games do.

    python benchmarks/regret.py [--positions 800] [--iterations 2000] [--seeds 24] [--first-seed 0]
                                [--hardest 400]

The positions come from games of the search against itself. They are judged once, in a fifth of a
second each, and kept in a file, so that another revision is measured with the same ones. The
judgements are rough, but no more favourable to one side than to the other: what they add to a
difference is noise, less of it than there is from position to position.

In most positions hardly a search errs. ``--hardest`` first looks by a few searches of one thread
where most is lost, and measures in so many of the positions alone, with other seeds; what it prints
is about those.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
from collections.abc import Iterable
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

import numpy as np
from arguments import whole

from solstis_ai.engine import Search
from solstis_ai.game import Game
from solstis_ai.notation import format_observation, parse_observation
from solstis_ai.observation import Observation
from solstis_ai.search.types import Evaluation, Limits, SearchConfig
from solstis_ai.vocabulary import Move
from solstis_ai.workers import worker_pool

CONFIG = SearchConfig(evaluation=Evaluation.PLAYOUTS, endgame=False, overtaking=False)
REFERENCE_ITERATIONS = 200_000
REFERENCE_SEED = 77
PLAYING_ITERATIONS = 500
POSITIONS_A_GAME = 8
SEEDS_APART = 1000  # the ways that are compared have seeds of their own
SCREENING_SEEDS = range(1_000_000, 1_000_012)  # those that tell which positions are hard
LEAST_VISITS = 100  # of a move whose value the reference tells
REFERENCES = Path(tempfile.gettempdir()) / "solstis-regret.jsonl"

Values = dict[str, float]
"""The chance to win after each move, by its text."""

Judged = tuple[str, Values]
"""An observation as a line of text, and its moves."""


def searched(seen: Observation, iterations: int, threads: int, seed: int) -> Search:
    """A search that has come to its end."""
    search = Search(seen, Limits(iterations=iterations, threads=threads), seed, CONFIG)
    search.run()
    return search


def choice(seen: Observation, iterations: int, threads: int, seed: int) -> Move:
    """The move of one search."""
    return searched(seen, iterations, threads, seed).best_move()


def decisions_of(seed: int) -> list[Observation]:
    """A few decisions of one game that the search plays against itself."""
    game, seen = Game(seed=seed), []
    while not game.over:
        legal = list(game.legal_moves)
        if len(legal) > 1:
            seen.append(game.observation(game.player))
            game.push(choice(seen[-1], PLAYING_ITERATIONS, 1, 1))
        else:
            game.push(legal[0])
    return random.Random(seed).sample(seen, min(POSITIONS_A_GAME, len(seen)))


def reference(seen: Observation) -> Values:
    """What each move is worth; one with few visits is never worth more than the best one."""
    answer = searched(seen, REFERENCE_ITERATIONS, 1, REFERENCE_SEED).analysis()
    values = {str(row.move): row.win_probability for row in answer.alternatives if row.visits}
    few = [str(row.move) for row in answer.alternatives if 0 < row.visits < LEAST_VISITS]
    return values | {move: min(values[move], answer.win_probability) for move in few}


def judge_game(seed: int) -> list[Judged]:
    """The judged decisions of one game."""
    return [(format_observation(seen), reference(seen)) for seen in decisions_of(seed)]


def judged_positions(number: int, file: Path, pool: Executor) -> list[Judged]:
    """So many positions of games by seed: those of the file, and the file grows if it is short."""
    known = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    games = len({seed for seed, *_ in known})
    with file.open("a") as out:
        while len(known) < number:
            seeds = range(games, games + (os.cpu_count() or 1))
            for seed, found in zip(seeds, pool.map(judge_game, seeds), strict=True):
                known += (rows := [(seed, *judged) for judged in found])
                out.writelines(json.dumps(row) + "\n" for row in rows)
            games = seeds.stop
    return [(text, values) for _, text, values in known[:number]]


def regret(judged: Judged, iterations: int, threads: int, seeds: Iterable[int]) -> float:
    """Mean regret of searches with these seeds."""
    seen, values = parse_observation(judged[0]), judged[1]
    best = max(values.values())
    chosen = (str(choice(seen, iterations, threads, seed)) for seed in seeds)
    return float(np.mean([best - values.get(move, 0.0) for move in chosen]))


def regrets(judged: Judged, *, iterations: int, seeds: int, first_seed: int = 0) -> list[float]:
    """Mean regret of one thread, of two, and of one thread with half of the iterations."""
    ways = ((iterations, 1), (iterations, 2), (iterations // 2, 1))
    firsts = range(first_seed, first_seed + len(ways) * SEEDS_APART, SEEDS_APART)
    return [
        regret(judged, *limits, range(first, first + seeds))
        for first, limits in zip(firsts, ways, strict=True)
    ]


def hardest(judged: list[Judged], number: int, iterations: int, pool: Executor) -> list[Judged]:
    """So many of the positions, those in which one thread loses most, in their order."""
    screen = partial(regret, iterations=iterations, threads=1, seeds=SCREENING_SEEDS)
    lost = list(pool.map(screen, judged, chunksize=4))
    kept = sorted(range(len(judged)), key=lambda i: lost[i], reverse=True)[:number]
    share = sum(lost[i] for i in kept) / (sum(lost) or 1.0)
    print(f"{share:.0%} of what is lost is lost in the {len(kept)} hardest")
    return [judged[i] for i in sorted(kept)]


def main() -> None:
    """Measure, and print means and differences with their 95 % intervals."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--positions", type=whole, default=800)
    parser.add_argument("--iterations", type=whole, default=2000)
    parser.add_argument("--seeds", type=whole, default=24)
    parser.add_argument("--first-seed", type=int, default=0, help="others for a fresh sample")
    parser.add_argument("--hardest", type=whole, help="so many of the positions")
    parser.add_argument("--references", type=Path, default=REFERENCES, help="file of judgements")
    options = parser.parse_args()
    measure = partial(
        regrets,
        iterations=options.iterations,
        seeds=options.seeds,
        first_seed=options.first_seed,
    )
    with worker_pool() as pool:
        judged = judged_positions(options.positions, options.references, pool)
        if options.hardest is not None:
            judged = hardest(judged, options.hardest, options.iterations, pool)
        one, two, half = np.array(list(pool.map(measure, judged, chunksize=4))).T
    print(f"one thread {one.mean():.5f}, two {two.mean():.5f}, half {half.mean():.5f}")
    for name, difference in (("two threads", two - one), ("half the iterations", half - one)):
        error = 1.96 * difference.std(ddof=1) / np.sqrt(len(difference))
        print(f"{name} against one thread: {difference.mean():+.5f} +- {error:.5f}")


if __name__ == "__main__":
    main()
