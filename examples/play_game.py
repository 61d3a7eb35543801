"""Seat the AI at a table and play a game to its end, against moves taken at random.

Usage: python examples/play_game.py HOST:PORT [ITERATIONS [SEED]]
"""

import random
import sys

from solstis_ai.game import Game
from solstis_ai.service.client import OpponentClient

AI_SEAT = 0


def main(server: str, iterations: int = 2000, seed: int = 1) -> None:
    """Play; the service decides for one seat and sees only what that seat may see."""
    game = Game(seed=seed)
    dice = random.Random(seed)
    with OpponentClient(server, timeout=30.0) as opponent:
        while not game.over:
            if game.player == AI_SEAT:
                seen = game.observation(AI_SEAT)
                move = opponent.recommend(seen, iterations=iterations).move
                print(f"AI:     {move}")
            else:
                move = dice.choice(sorted(game.legal_moves, key=str))
                print(f"random: {move}")
            game.push(move)
    print(f"AI {game.score(AI_SEAT).total}, random {game.score(1 - AI_SEAT).total}")
    print("a draw" if game.winner is None else f"seat {game.winner} wins")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit("usage: python play_game.py HOST:PORT [ITERATIONS [SEED]]")
    main(sys.argv[1], *map(int, sys.argv[2:4]))
