"""How good the moves of several threads are, at the same total of iterations.

A position's *regret* is how much worse the chosen move is than the best one, by the judgement of a
long search. It tells small differences with far fewer searches than games do.

    python benchmarks/regret.py [--positions 800] [--iterations 2000] [--seeds 24] [--first-seed 0]
                                [--hardest 400] [--references FILE]

The positions come from games of the search against itself. They are judged once, in a fifth of a
second each, and kept in a file of the folder ``build``; ``--references`` names that file where
another revision shall be measured with the same ones. The judgements are rough, but no more
favourable to one side than to the other: what they add to a difference is noise, less of it than
there is from position to position. Without options all of it takes some six minutes on two cores.

In most positions hardly a search errs. ``--hardest`` first looks by a few searches of one thread
where most is lost, and measures in so many of the positions alone, with other seeds; what it prints
is about those.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Iterable
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

import numpy as np
from arguments import whole
from tasks import ROOT

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
REFERENCES = ROOT / "build" / f"regret-{REFERENCE_ITERATIONS}-iterations.jsonl"

Values = dict[str, float]
"""The chance to win after each move, by its text."""

Judged = tuple[str, Values]
"""An observation as a line of text, and its moves."""

Row = tuple[int, str, Values]
"""The seed of a game, and a judged decision of it."""


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


def read_references(file: Path) -> list[Row]:
    """The rows of a file of judgements; none if there is no such file.

    Raises:
        ValueError: If a line is no judgement; names file and line.
    """
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [read_row(line, f"{file}, line {number}") for number, line in enumerate(lines, 1)]


def read_row(line: str, place: str) -> Row:
    """One judgement.

    Raises:
        ValueError: If it is none; tells the place.
    """
    try:
        seed, text, values = json.loads(line)
        parse_observation(text)
        worth = {str(move): float(value) for move, value in values.items()}
        max(worth.values())
        return int(seed), text, worth
    except (ValueError, TypeError, AttributeError) as problem:
        raise ValueError(f"{place} is no judgement; delete the file, or name another") from problem


def judged_positions(number: int, file: Path, pool: Executor) -> list[Judged]:
    """So many positions of games by seed: those of the file, and the file grows if it is short."""
    known = read_references(file)
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


def arguments() -> argparse.Namespace:
    """What is asked for, by a difference of positions with an interval: two positions at least."""
    several = partial(whole, least=2)
    summary = __doc__.split("\n", 1)[0]
    parser = argparse.ArgumentParser(
        description=f"{summary} Takes some six minutes on two cores, without options."
    )
    parser.add_argument("--positions", type=several, default=800)
    parser.add_argument(
        "--iterations", type=several, default=2000, help="in all; half of them are searched too"
    )
    parser.add_argument("--seeds", type=partial(whole, most=SEEDS_APART), default=24)
    parser.add_argument(
        "--first-seed", type=partial(whole, least=0), default=0, help="others for a fresh sample"
    )
    parser.add_argument("--hardest", type=several, help="so many of the positions")
    parser.add_argument("--references", type=Path, default=REFERENCES, help="file of judgements")
    found = parser.parse_args()
    if found.hardest is not None and found.hardest > found.positions:
        parser.error(f"--hardest: {found.hardest} of {found.positions} positions (--positions)")
    try:  # what is wrong with the file is told before hours of searches
        found.references.parent.mkdir(parents=True, exist_ok=True)
        found.references.touch()
        read_references(found.references)
    except (OSError, ValueError) as problem:
        parser.error(f"--references: {problem}")
    return found


def main() -> None:
    """Measure, and print means and differences with their 95 % intervals."""
    options = arguments()
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
