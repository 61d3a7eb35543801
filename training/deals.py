"""Deals of training games: a setup and a complete shuffle from a seed (R6)."""

from __future__ import annotations

import random
from typing import NamedTuple

from solstis_ai import bridge
from solstis_ai._fast import ChanceFeed, GameState
from solstis_ai.vocabulary import Rules


class Deal(NamedTuple):
    """A state after the deal, and the chance of the game that begins with it."""

    state: GameState
    chance: ChanceFeed


def members(board: int) -> list[int]:
    """The members of a 64-bit set, in ascending order."""
    return [bit for bit in range(64) if board >> bit & 1]


def deal(rules: Rules, seed: int) -> Deal:
    """The deal of a seed: two games from it meet the same deck and the same spirits."""
    spirits = bridge.spirit_mask(rules.spirits)
    state = GameState.empty(rules.fireflies, spirits)
    state.deal(ChanceFeed.random(seed))
    fields = state.fields()
    shuffled, order = members(fields["pool"]), members(spirits)
    shuffle = random.Random(seed).shuffle
    shuffle(shuffled)
    shuffle(order)
    queue = members(fields["queue"])
    under = dict(zip(queue, shuffled, strict=False))
    return Deal(state, ChanceFeed.deal(shuffled[len(queue) :], under, order, seed))
