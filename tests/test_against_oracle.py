"""Engine and oracle agree: in random games, and from positions at the edges of the rules.

Seeds change on every run; a failure tells the number for SOLSTIS_TEST_SEED that repeats it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import product
from typing import TypeVar

import pytest
from comparison import DECIDERS, Decider, go_on_and_compare, play_and_compare
from oracle import OracleGame, RandomChance
from oracle.material import EVIL_SPIRIT
from oracle.state import State
from rare_positions import rare_position
from seeds import RUN_SEED, changing_seeds, tell

from solstis_ai.game import Game
from solstis_ai.vocabulary import Rules

BASE, FIREFLIES, BEGINNER = Rules(), Rules(fireflies=True), Rules(evil_spirit=False)
VARIANTS = {"base": BASE, "fireflies": FIREFLIES, "beginner": BEGINNER}

variants = pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
deciders = pytest.mark.parametrize("decide", DECIDERS, ids=lambda decide: decide.__name__)

GAMES = 25  # for each variant and decider
RARE_POSITIONS = 130  # for each variant
EDGE_POSITIONS = 600
LONG_GAMES = 20_000  # all together
LONG_RARE_POSITIONS = 10_000  # all together

_Task = TypeVar("_Task")


@variants
@deciders
def test_random_games(rules: Rules, decide: Decider) -> None:
    for seed in changing_seeds(GAMES):
        _compare_game((seed, rules, decide))


@variants
def test_games_from_rare_positions(rules: Rules) -> None:
    for seed in changing_seeds(RARE_POSITIONS):
        _compare_rare((seed, rules))


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_twenty_thousand_games() -> None:
    combinations = list(product(VARIANTS.values(), DECIDERS))
    tasks = [(seed, *combinations[seed % len(combinations)]) for seed in changing_seeds(LONG_GAMES)]
    assert _all_done(_compare_game, tasks) == LONG_GAMES


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_ten_thousand_games_from_rare_positions() -> None:
    rules = list(VARIANTS.values())
    tasks = [(seed, rules[seed % 3]) for seed in changing_seeds(LONG_RARE_POSITIONS)]
    assert _all_done(_compare_rare, tasks) == LONG_RARE_POSITIONS


def _compare_game(task: tuple[int, Rules, Decider]) -> None:
    seed, rules, decide = task
    try:
        play_and_compare(seed, rules, decide)
    except Exception as error:
        tell(error, seed)
        raise


def _compare_rare(task: tuple[int, Rules]) -> None:
    seed, rules = task
    try:
        oracle, position = rare_position(seed, rules)
        game = Game.from_position(position, seed=seed)
        go_on_and_compare(game, oracle, seed, DECIDERS[seed % len(DECIDERS)])
    except Exception as error:
        tell(error, seed)
        raise


def _all_done(compare: Callable[[_Task], None], tasks: list[_Task]) -> int:
    try:
        with ProcessPoolExecutor() as pool:
            return sum(1 for _ in pool.map(compare, tasks, chunksize=50))
    except BrokenProcessPool as error:  # a process died: nobody has told the seed
        tell(error, RUN_SEED)
        raise


# ---- the rare positions are rare indeed: what the rules say about edges does happen in them


def _edges(oracle: OracleGame, move: str) -> Iterator[str]:
    """The edges of the rules that a decision is about to touch."""
    state = oracle.state
    mine, theirs = state.sides[state.player], state.sides[1 - state.player]
    if state.phase == "meet":
        if not state.spirit_deck:
            yield "R14 line only"
        if len(state.spirit_deck) == 1 and move == "draw":
            yield "R14 last spirit drawn alone"
            if state.spirit_deck == {EVIL_SPIRIT}:
                yield f"R15 evil spirit alone, {'a' if state.spirit_line else 'no'} line"
    if state.phase == "play" and move.startswith("play ") and state.rainbow_supply == 0:
        yield "R10 no supply"
    if state.phase == "play" and state.forced_tile is not None and move == "pass":
        yield "R22 forced tile cannot capture"
    if move.startswith("meet deer") and not mine.hand:
        yield "R17 deer, empty hand"
    if move.startswith(("meet fly", "meet fox")) and not theirs.hand:
        yield "R17 fly or fox, empty hand"
    if move.startswith(("meet eagle", "meet bear")) and not state.deck_size:
        yield "R17 eagle or bear, empty deck"
    if move.startswith("meet beetle") and not state.queue:
        yield "R17 beetle, empty queue"
    if move.startswith("meet fish") and not state.rainbow_supply:
        yield "R17 fish, no supply"


def _edges_after(before: State, after: State) -> Iterator[str]:
    """The edges that a decision has touched."""
    if after.rainbow_supply > before.rainbow_supply and before.player == after.player:
        yield "R13 no allowed cell"
    if before.evil_spirit != "out" and after.evil_spirit == "out":
        yield "R26 evil spirit leaves the game"
    if after.phase == "over" and any(len(it.panorama.firefly_squares) >= 4 for it in after.sides):
        yield "R25 fourth firefly"
    if len(after.discarded) > len(before.discarded):
        yield "R12 discarded"
    if after.phase == "final_rainbow":
        yield "R23 final rainbow"


def test_rare_positions_reach_the_edges_of_the_rules() -> None:
    seen: Counter[str] = Counter()
    for seed in range(EDGE_POSITIONS):
        oracle, _ = rare_position(seed, [BASE, FIREFLIES][seed % 2])
        chance = RandomChance(seed)
        for step in range(10):
            if oracle.over:
                break
            legal = oracle.legal()
            move = "draw" if "draw" in legal else legal[(seed + step) % len(legal)]
            before = replace(oracle.state, discarded=set(oracle.state.discarded))
            seen.update(_edges(oracle, move))
            oracle.apply(move, chance)
            seen.update(_edges_after(before, oracle.state))
    expected = {
        "R10 no supply",
        "R12 discarded",
        "R13 no allowed cell",
        "R14 last spirit drawn alone",
        "R14 line only",
        "R15 evil spirit alone, a line",
        "R15 evil spirit alone, no line",
        "R17 beetle, empty queue",
        "R17 deer, empty hand",
        "R17 eagle or bear, empty deck",
        "R17 fish, no supply",
        "R17 fly or fox, empty hand",
        "R22 forced tile cannot capture",
        "R23 final rainbow",
        "R25 fourth firefly",
        "R26 evil spirit leaves the game",
    }
    assert set(seen) == expected, seen
