"""Random games on the oracle, with all invariants checked at every decision.

`python -m oracle.random_play 2000` (from the directory tests) plays 2000 games of each variant.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable

from oracle.chance import RandomChance
from oracle.game import OracleGame
from oracle.invariants import check_invariants
from oracle.material import TILES

VARIANTS: dict[str, tuple[bool, bool]] = {  # name -> (fireflies, evil_spirit)
    "base": (False, True),
    "fireflies": (True, True),
    "no_evil_spirit": (False, False),
}


def random_game(seed: int, *, fireflies: bool, evil_spirit: bool) -> OracleGame:
    """R6: a game at its beginning."""
    tiles = random.Random(seed).sample(TILES, 12)
    return OracleGame(
        [tiles[:3], tiles[3:6]],
        [(tile, True) for tile in tiles[6:]],
        fireflies=fireflies,
        evil_spirit=evil_spirit,
    )


def play_random_game(
    seed: int,
    *,
    fireflies: bool,
    evil_spirit: bool,
    observe: Callable[[OracleGame], None] = check_invariants,
) -> OracleGame:
    """A whole game of random decisions; `observe` sees it at every decision and at the end."""
    game = random_game(seed, fireflies=fireflies, evil_spirit=evil_spirit)
    chance = RandomChance(seed)
    decider = random.Random(-1 - seed)
    while not game.over:
        observe(game)
        game.apply(decider.choice(game.legal()), chance)
    observe(game)
    return game


def main(games: int) -> None:
    """Play, check, and tell how the games ended."""
    for name, (fireflies, evil_spirit) in VARIANTS.items():
        winners: Counter[int | None] = Counter()
        for seed in range(games):
            game = play_random_game(seed, fireflies=fireflies, evil_spirit=evil_spirit)
            winners[game.winner] += 1
        print(name, dict(winners))


if __name__ == "__main__":
    main(int(sys.argv[1]))
