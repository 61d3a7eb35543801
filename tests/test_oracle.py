"""The oracle replays the recorded games and keeps its invariants in random ones."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path

import pytest
from oracle import (
    OracleGame,
    RandomChance,
    ReplayMismatchError,
    ScriptedChance,
    ScriptError,
    load_games,
    replay,
)
from oracle.invariants import check_invariants
from oracle.random_play import VARIANTS, play_random_game, random_game
from oracle.recorded import RecordedGame

DATA = Path(__file__).parent / "data"
ALL_RECORDED = Path(__file__).parents[2] / "shared" / "conformance"
RANDOM_GAMES = 40


def recorded_here() -> Iterator[RecordedGame]:
    """The recorded games copied to tests/data."""
    for path in sorted(DATA.glob("recorded_*.jsonl")):
        yield from load_games(path)


@pytest.mark.parametrize(
    "recorded", list(recorded_here()), ids=lambda recorded: str(recorded["id"])
)
def test_recorded_game(recorded: RecordedGame) -> None:
    replay(recorded, check_invariants)


@pytest.mark.skipif(not ALL_RECORDED.is_dir(), reason="the complete recorded games are not here")
@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_all_recorded_games(variant: str) -> None:
    games = load_games(ALL_RECORDED / f"{variant}.jsonl")
    assert games
    for recorded in games:
        replay(recorded)


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_random_games(variant: str) -> None:
    fireflies, evil_spirit = VARIANTS[variant]
    for seed in range(RANDOM_GAMES):
        assert play_random_game(seed, fireflies=fireflies, evil_spirit=evil_spirit).over


# ---- the replay notices what is wrong


def first_recorded() -> RecordedGame:
    return copy.deepcopy(next(recorded_here()))


def mismatch_of(recorded: RecordedGame) -> ReplayMismatchError:
    with pytest.raises(ReplayMismatchError) as caught:
        replay(recorded)
    assert caught.value.game == recorded["id"]
    return caught.value


def test_replay_notices_the_wrong_player() -> None:
    recorded = first_recorded()
    recorded["events"][2]["player"] = 0
    found = mismatch_of(recorded)
    assert (found.event, found.what, found.expected, found.found) == (2, "player", 0, 1)


def test_replay_notices_other_legal_decisions() -> None:
    recorded = first_recorded()
    recorded["events"][0]["legal"].append("pass")
    assert mismatch_of(recorded).what == "legal"


def test_replay_notices_missing_and_superfluous_chance() -> None:
    recorded = first_recorded()
    recorded["events"][1]["chance"].append("deck g1")
    assert mismatch_of(recorded).event == 1
    recorded["events"][1]["chance"].clear()
    assert mismatch_of(recorded).event == 1


def test_replay_notices_an_unfinished_game() -> None:
    recorded = first_recorded()
    recorded["events"].pop()
    assert mismatch_of(recorded).what == "over"


@pytest.mark.parametrize("key", ["total", "area", "hand", "met"])
def test_replay_notices_another_final(key: str) -> None:
    recorded = first_recorded()
    value = recorded["final"][1][key]
    recorded["final"][1][key] = [*value, "b2"] if isinstance(value, list) else value + 1
    assert mismatch_of(recorded).event is None


# ---- the interface


def test_scripted_chance_is_strict() -> None:
    with pytest.raises(ScriptError):
        ScriptedChance(["deck g5"]).choose("flip", ["g5"])
    with pytest.raises(ScriptError):
        ScriptedChance(["deck g5"]).choose("deck", ["g6"])
    with pytest.raises(ScriptError):
        ScriptedChance([]).choose("deck", ["g5"])
    script = ScriptedChance(["deck g5"])
    with pytest.raises(ScriptError):
        script.finish()
    assert script.choose("deck", ["g4", "g5"]) == "g5"
    script.finish()


def test_random_chance_is_reproducible() -> None:
    options = ["b2", "b3", "b4"]
    one, other = RandomChance(7), RandomChance(7)
    draws = [one.choose("deck", options) for _ in range(20)]
    assert draws == [other.choose("deck", options) for _ in range(20)]
    assert set(draws) == set(options)


def test_illegal_moves_change_nothing() -> None:
    game = random_game(1, fireflies=False, evil_spirit=True)
    before = game.snapshot()
    for move in ["pass", "play x1", "capture g5", "", "nonsense"]:
        with pytest.raises(ValueError, match="illegal"):
            game.apply(move, RandomChance(1))
    assert game.snapshot() == before


def test_copies_are_independent() -> None:
    game = random_game(2, fireflies=True, evil_spirit=True)
    before = game.snapshot()
    twin = game.copy()
    assert twin.snapshot() == before
    chance = RandomChance(2)
    while not twin.over:
        twin.apply(twin.legal()[0], chance)
    assert game.snapshot() == before
    assert (game.over, game.winner) == (False, None)


def test_setup() -> None:
    game = random_game(3, fireflies=False, evil_spirit=True)
    state = game.state
    assert (game.player, state.deck_size, len(state.pool), len(state.queue)) == (0, 30, 36, 6)
    assert (len(state.spirit_deck), state.evil_spirit, state.rainbow_supply) == (15, "deck", 12)
    expansion = random_game(3, fireflies=True, evil_spirit=True)
    assert len(expansion.state.spirit_deck) == 19
    beginners = random_game(3, fireflies=False, evil_spirit=False)
    assert (len(beginners.state.spirit_deck), beginners.state.evil_spirit) == (14, "none")


def test_refused_setups() -> None:
    hands, queue = [["g1", "g2", "g3"], ["g4", "g5", "g6"]], [("r1", True)]
    with pytest.raises(ValueError, match="R5"):
        OracleGame(hands, queue, fireflies=True, evil_spirit=False)
    for wrong_hands in ([["g1", "g2"], hands[1]], [hands[1], hands[1]], [["b1", "g2", "g3"]] * 2):
        with pytest.raises(ValueError, match="tiles"):
            OracleGame(wrong_hands, queue, fireflies=False, evil_spirit=True)
