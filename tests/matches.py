"""Paired deals: a search against random play, the same shuffle twice with seats swapped."""

from __future__ import annotations

import random
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from solstis_ai.engine import recommend
from solstis_ai.game import Game
from solstis_ai.search.types import Limits
from solstis_ai.vocabulary import Rules


def play(deal: int, seat: int, limits: Limits, rules: Rules) -> float:
    """Result of the search in this seat: 1 for a win, 0.5 for a draw, 0."""
    game, chooser = Game(rules, seed=deal), random.Random(2 * deal + seat)
    while not game.over:
        if game.player == seat:
            game.push(recommend(game.observation(seat), limits).move)
        else:
            game.push(chooser.choice(list(game.legal_moves)))
    return 0.5 if game.winner is None else float(game.winner == seat)


def share_of_wins(deals: Iterable[int], limits: Limits, rules: Rules | None = None) -> float:
    """Mean result of the search over both seats of every deal; two games at a time."""
    pairs = [(deal, seat) for deal in deals for seat in (0, 1)]
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda pair: play(pair[0], pair[1], limits, rules or Rules()), pairs)
        return sum(results) / len(pairs)
