"""Endings with an empty deck: exact, as the oracle's brute force finds; sliced, limited, told."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from fractions import Fraction

import pytest
from oracle.ending import BruteForce, TooLargeError, Value, worlds_of
from oracle_observation import observation_of
from random_games import VARIANTS, decisions, with_other_hidden_tiles
from rare_positions import small_ending
from seeds import changing_seeds, tell

from solstis_ai import bridge
from solstis_ai.engine import Search, recommend
from solstis_ai.game import Game
from solstis_ai.observation import Observation
from solstis_ai.players import player_from_spec
from solstis_ai.search.endgame import Endgame, forms_of
from solstis_ai.search.types import Analysis, Limits, SearchConfig
from solstis_ai.vocabulary import Rules

variants = pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)

OPEN_ENDINGS = 60  # for each variant
HIDDEN_ENDINGS = 60  # likewise
LONG_ENDINGS = 6_000  # all together, of each kind
MOVES = {False: 1500, True: 6000}  # most moves of an ending that the oracle is to go through


def endgame(seen: Observation, moves: int = 1 << 30) -> Endgame:
    return Endgame(bridge.knowledge_of_observation(seen), moves)


def solved(seen: Observation, moves: int = 1 << 30) -> Endgame:
    ending = endgame(seen, moves)
    ending.run(-1.0, -1.0)
    return ending


def exact_values(ending: Endgame) -> dict[str, Value]:
    """Half points and margin of each legal move."""
    return {
        str(bridge.move_from_code(code)): (Fraction(points, ending.unit), Fraction(lead, ending.unit))
        for code, (points, lead, _) in zip(ending.root_codes, ending.values(), strict=True)
    }


# ---- against brute force


def compare(task: tuple[int, Rules, bool]) -> int:
    """The number of forms of an ending in which engine and oracle agree; 0 if it is too large."""
    seed, rules, hidden = task
    try:
        game, position = small_ending(seed, rules, hidden=hidden)
        seen = observation_of(game.snapshot(), game.player, position.turn.played_tile)
        ending = solved(seen, MOVES[hidden])
        worlds = worlds_of(game, game.player)
        if not ending.solved:
            return 0
        try:
            expected = BruteForce(game.player, 800).move_values(worlds)
        except TooLargeError:
            return 0
        assert exact_values(ending) == expected
        return len(worlds)
    except Exception as error:
        tell(error, seed)
        raise


@variants
def test_open_endings(rules: Rules) -> None:
    forms = [compare((seed, rules, False)) for seed in changing_seeds(OPEN_ENDINGS)]
    assert sum(number > 0 for number in forms) > OPEN_ENDINGS // 5


@variants
def test_endings_with_hidden_tiles(rules: Rules) -> None:
    forms = [compare((seed, rules, True)) for seed in changing_seeds(HIDDEN_ENDINGS)]
    assert sum(number > 1 for number in forms) > HIDDEN_ENDINGS // 6


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("hidden", [False, True])
def test_thousands_of_endings(hidden: bool) -> None:
    rules = list(VARIANTS.values())
    tasks = [(seed, rules[seed % 3], hidden) for seed in changing_seeds(LONG_ENDINGS)]
    with ProcessPoolExecutor() as pool:
        forms = list(pool.map(compare, tasks, chunksize=50))
    assert sum(number > 0 for number in forms) > LONG_ENDINGS // 3
