"""Random games on the engine, and positions taken from them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from solstis_ai.game import Game
from solstis_ai.position import Position
from solstis_ai.vocabulary import Rules

VARIANTS = {
    "base": Rules(),
    "fireflies": Rules(fireflies=True),
    "beginner": Rules(evil_spirit=False),
}


def decisions(seed: int, rules: Rules | None = None) -> Iterator[Game]:
    """A random game at each of its decisions; always the same object."""
    game, chooser = Game(rules, seed=seed), random.Random(seed)
    while not game.over:
        yield game
        game.push(chooser.choice(list(game.legal_moves)))


def endings_of(seeds: range, rules: Rules) -> Iterator[Game]:
    """Random games at each decision with an empty deck."""
    for seed in seeds:
        for game in decisions(seed, rules):
            if game.observation(game.player).deck_size == 0:
                yield game


def game_after(seed: int, number: int, rules: Rules | None = None) -> Game:
    """A random game after some decisions."""
    for done, game in enumerate(decisions(seed, rules)):
        if done == number:
            return game
    raise ValueError(f"game {seed} has fewer than {number} decisions")


def finished(seed: int, rules: Rules | None = None) -> Game:
    """A random game at its end."""
    for game in decisions(seed, rules):
        last = game
    return last


def with_other_hidden_tiles(position: Position, chooser: random.Random) -> Position:
    """A position that differs in the hidden tiles of the other hand, if there is a choice.

    What the deciding seat sees, and knows by fox and pass, is the same.
    """
    other = 1 - position.player
    known, hand = position.known[other], position.hands[other]
    unseen = {*position.pool, *hand} - set(known)
    candidates = sorted(unseen - set(position.excluded[other]))
    drawn = chooser.sample(candidates, len(hand) - len(known))
    hands = (position.hands[0], (*known, *drawn))
    return replace(position, hands=hands if other else (hands[1], position.hands[1]))
