"""How well the outlook foresees the stars at the end of games that the search plays.

Not a matter of time: for positions of games of the search against itself, the stars that the
outlook expects are compared with those in the end, and so are the ones that uniformly random
play expects, by the number of tiles left in the deck.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from arguments import whole

from solstis_ai import bridge
from solstis_ai._fast import ChanceFeed, Knowledge
from solstis_ai.engine import Search
from solstis_ai.game import Game
from solstis_ai.search.outlook import FUTURES_PER_HAND, sample_outlook
from solstis_ai.search.types import Limits
from solstis_ai.vocabulary import Rules

HANDS = 64
SAMPLES = HANDS * FUTURES_PER_HAND
EVERY = 6
"""Decisions from one compared position to the next."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a policy expected after one move, less what came: stars of the deciding seat."""

    policy: str
    deck: int
    error: float


def plausible(knowledge: Knowledge, code: int) -> float:
    """Stars that the outlook expects."""
    return sample_outlook(knowledge, code, 1, 0, HANDS)[0][0] / SAMPLES


def uniform(knowledge: Knowledge, code: int) -> float:
    """Stars that uniformly random play expects."""
    feed, total = ChanceFeed.random(1), 0
    for _ in range(SAMPLES):
        world = knowledge.sample(feed)
        world.apply(code, feed)
        world.play_out(feed)
        total += world.score(0)[0]
    return total / SAMPLES


POLICIES = {"plausible": plausible, "random": uniform}


def forecasts(seed: int, iterations: int) -> Iterator[Forecast]:
    """Those of one game of the search against itself."""
    game, seen = Game(Rules(), seed=seed), []
    for number in range(10**6):
        if game.over:
            break
        observation = game.observation(game.player)
        search = Search(observation, Limits(iterations=iterations), seed)
        search.run()
        move = search.best_move()
        if number % EVERY == 0:
            seen.append((game.player, observation, bridge.move_to_code(move, 0)))
        game.push(move)
    for player, observation, code in seen:
        knowledge = bridge.knowledge_of_observation(observation)
        for name, policy in POLICIES.items():
            error = policy(knowledge, code) - game.score(player).total
            yield Forecast(name, observation.deck_size, error)


@dataclass(frozen=True, slots=True)
class Row:
    """Errors of one policy while so many tiles are in the deck, in stars."""

    policy: str
    deck_from: int
    deck_to: int
    positions: int
    bias: float
    root_mean_square: float


def rows(found: list[Forecast]) -> Iterator[Row]:
    """The table."""
    for low, high in ((20, 30), (10, 19), (0, 9)):
        for policy in POLICIES:
            errors = [it.error for it in found if it.policy == policy and low <= it.deck <= high]
            if errors:
                square = statistics.fmean(error * error for error in errors)
                bias = statistics.fmean(errors)
                yield Row(policy, low, high, len(errors), bias, math.sqrt(square))


def main() -> None:
    """Play, compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=whole, default=60, help="games to play (default: 60)")
    parser.add_argument(
        "--iterations", type=whole, default=1500, help="of the search a move (default: 1500)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    options = parser.parse_args()
    found = [it for seed in range(options.games) for it in forecasts(seed, options.iterations)]
    for row in rows(found):
        if options.json:
            print(json.dumps(asdict(row)))
        else:
            print(
                f"deck {row.deck_from:2}-{row.deck_to:2}  {row.policy:9}"
                f"  {row.positions:4} positions"
                f"  bias {row.bias:+.2f}  root mean square {row.root_mean_square:.2f}"
            )


if __name__ == "__main__":
    main()
