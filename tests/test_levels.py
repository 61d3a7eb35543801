"""Levels of play: what they are, what they overlook, and the figures that belong to them."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import levels as calibration
import pytest
from deals import deal

from solstis_ai import bridge
from solstis_ai._fast import GameState
from solstis_ai.engine import recommend
from solstis_ai.errors import InvalidSearchError
from solstis_ai.game import Game
from solstis_ai.observation import Observation
from solstis_ai.players import player_from_spec
from solstis_ai.search.levels import LEVELS, Level, level_numbered, level_of_text
from solstis_ai.search.searcher import Searcher
from solstis_ai.search.selfplay import Table
from solstis_ai.search.session import Search
from solstis_ai.search.types import Analysis, Limits, SearchConfig
from solstis_ai.vocabulary import Move, Rules
from solstis_ai.wire import observation_from_json

MIDGAME = observation_from_json(
    (Path(__file__).parents[1] / "examples" / "midgame.json").read_text(encoding="utf-8")
)
FIGURES = calibration.read_figures()
LIMITS = Limits(iterations=60)


def overlooking(observation: Observation, overlooks: float, seed: int = 1) -> Analysis:
    config = SearchConfig(endgame=False, overlooks=overlooks)
    return recommend(observation, LIMITS, seed, config)


def openings(number: int) -> list[Observation]:
    return [Game(seed=seed).observation(0) for seed in range(number)]


def moves_of(answer: Analysis) -> list[Move]:
    return [row.move for row in answer.alternatives]


# ---- what is overlooked


def noticed(seeds: Sequence[int], overlooks: float) -> list[list[int]]:
    """What is noticed of the three moves of a position, by seed."""
    knowledge = bridge.knowledge_of_observation(MIDGAME)
    searcher = Searcher(knowledge, 1, 0, 0.7, None, 0, 100, 1)
    assert len(searcher.root_codes) == 3
    return [searcher.noticed(seed, overlooks) for seed in seeds]


def test_each_move_goes_unnoticed_with_the_probability_but_for_one() -> None:
    found = noticed(range(3000), 0.6)
    assert all(found)
    for index in range(3):
        share = sum(index in indices for indices in found) / len(found)
        assert share == pytest.approx(1 / 3 + 2 / 3 * 0.4, abs=0.04)


def test_nothing_or_all_but_one_is_overlooked_at_the_ends() -> None:
    assert noticed(range(100), 0.0) == [[0, 1, 2]] * 100
    single = Counter(len(indices) for indices in noticed(range(100), 1.0))
    assert single == {1: 100}


def test_the_answer_is_the_best_of_what_is_noticed() -> None:
    overlooked = 0
    for observation in openings(40):
        whole, partly = overlooking(observation, 0.0), overlooking(observation, 0.5)
        seen = moves_of(partly)
        assert [move for move in moves_of(whole) if move in seen] == seen
        assert partly.move == seen[0] == partly.line[0]
        overlooked += partly.move != whole.move
    assert 5 < overlooked < 25


def test_the_quick_answer_is_the_same() -> None:
    for observation in openings(20):
        search = Search(observation, LIMITS, 1, SearchConfig(endgame=False, overlooks=0.7))
        search.run()
        assert search.best_move() == search.analysis().move


def test_nothing_is_told_of_what_is_overlooked() -> None:
    for observation in openings(40):
        answer = overlooking(observation, 0.7)
        hidden = set(moves_of(overlooking(observation, 0.0))) - set(moves_of(answer))
        assert not any(f"than {move}" in text for move in hidden for text in answer.reasons)
        assert not any(f"from {move}" in text for move in hidden for text in answer.reasons)
        if len(answer.alternatives) == 1:
            assert "No other move was noticed." in answer.reasons


def test_what_is_overlooked_depends_on_seed_and_observation() -> None:
    assert len({tuple(moves_of(overlooking(MIDGAME, 0.5, seed))) for seed in range(20)}) > 2
    numbers = {len(overlooking(seen, 0.5, seed=1).alternatives) for seen in openings(20)}
    assert numbers == {1, 2, 3}


def test_who_overlooks_moves_solves_no_endings() -> None:
    with pytest.raises(InvalidSearchError) as error:
        SearchConfig(overlooks=0.1)
    assert error.value.field == "config.endgame"


@pytest.mark.parametrize("overlooks", [-0.1, 1.1, float("nan")])
def test_a_probability_is_one(overlooks: float) -> None:
    with pytest.raises(InvalidSearchError) as error:
        SearchConfig(endgame=False, overlooks=overlooks)
    assert error.value.field == "config.overlooks"


# ---- the same rule at a table


STREAM = 0x9E3779B97F4A7C15
WORD = 2**64 - 1


def mixed(seed: int, stream: int) -> int:
    """``mix_seed`` of solstis_ai/_fast/rng.pxd."""
    state = seed ^ (stream * STREAM & WORD)
    for _ in range(2):
        state = state + 0xA0761D6478BD642F & WORD
        product = state * (state ^ 0xE7037ED1A0B428DB)
        word = product >> 64 ^ product & WORD
    return word ^ state


def chosen(state: GameState, seed: int, moved: int, overlooks: float) -> int:
    """What a search of 30 iterations answers to the numbers that a table gives it."""
    knowledge = state.known_to_mover()
    same_numbers = seed ^ (1000 + moved) * STREAM & WORD ^ 2 * STREAM & WORD
    searcher = Searcher(knowledge, same_numbers, 0, 0.7, None, 0, 1000, 30)
    searcher.run(30, -1.0, -1.0)
    rows = searcher.statistics()
    seen = searcher.noticed(mixed(seed, 2_000_000 + moved), overlooks)
    return min(seen, key=lambda i: (-rows[i][0], -rows[i][2], i))


STEAL = 2


def replayed(seed: int, swapped: bool, overlooks: tuple[float, float]) -> tuple[int, int] | None:
    """Stars of the first and of the second style in the game that a table plays.

    None when the fly steals: what it takes is not in the deal, and a table draws it otherwise.
    """
    dealt, chance = deal(Rules(), seed)
    state, feed, moved = dealt.copy(), chance.copy(), 0
    while codes := state.legal_codes():
        index = 0
        if len(codes) > 1:
            share = overlooks[state.mover ^ swapped]
            index = chosen(state, mixed(seed, swapped), moved, share)
        state.apply(codes[index], feed)
        if any(kind == STEAL for kind, _ in feed.events):
            return None
        moved += 1
    return state.score(swapped)[0], state.score(not swapped)[0]


@pytest.mark.parametrize("swapped", [False, True])
def test_a_table_chooses_by_the_same_rule(swapped: bool) -> None:
    overlooks, compared = (0.6, 0.1), 0
    table = Table([(None, 0, 30, 0.7, 0.0, share) for share in overlooks], False)
    for seed in range(25):
        state, chance = deal(Rules(), seed)
        expected = replayed(seed, swapped, overlooks)
        if expected is not None:
            assert table.play(state, chance, seed, swapped)[1:] == expected
            compared += 1
    assert compared > 8


# ---- levels


def test_ten_levels_in_order() -> None:
    assert [level.number for level in LEVELS] == list(range(1, 11))
    assert len({level.name for level in LEVELS}) == 10
    assert all(level.description.endswith(".") for level in LEVELS)
    assert [level.elo for level in LEVELS] == sorted({level.elo for level in LEVELS})
    assert LEVELS[-1].overlooks == 0
    assert LEVELS[-1].config.endgame


def test_a_level_has_a_number_and_a_name() -> None:
    assert level_numbered(3) is level_of_text("3") is level_of_text("firefly") is LEVELS[2]
    for wrong in ("0", "11", "", "sparks"):
        with pytest.raises(InvalidSearchError, match="there is no level"):
            level_of_text(wrong)


@pytest.mark.parametrize("number", [0, 11, -1, True, 5.0, "5", None])
def test_what_is_no_number_of_a_level_is_refused(number: Any) -> None:
    with pytest.raises(InvalidSearchError, match=r"there is no level .*; 1 to 10") as caught:
        level_numbered(number)
    assert caught.value.field == "level"
    assert repr(number) in caught.value.reason


@pytest.mark.parametrize("level", LEVELS[:8], ids=lambda level: str(level.name))
@pytest.mark.parametrize("rules", [Rules(), Rules(fireflies=True), Rules(evil_spirit=False)])
def test_a_level_plays_a_whole_game(level: Level, rules: Rules) -> None:
    game = Game(rules, seed=level.number)
    while not game.over:
        answer = recommend(game.observation(game.player), level=level.number)
        assert answer.move in game.legal_moves
        assert set(moves_of(answer)) <= set(game.legal_moves)
        game.push(answer.move)


def test_a_level_is_reproducible_by_seed() -> None:
    first, second = (recommend(MIDGAME, seed=4, level=3) for _ in range(2))
    assert replace(first, elapsed_seconds=0.0) == replace(second, elapsed_seconds=0.0)
    assert first.iterations == LEVELS[2].iterations
    answers = {tuple(moves_of(recommend(MIDGAME, seed=seed, level=3))) for seed in range(9)}
    assert len(answers) > 1


@pytest.mark.parametrize("spec", ["level:4", "level:lantern"])
def test_a_level_is_a_player_of_the_arena(spec: str) -> None:
    for observation in openings(10):
        choice = player_from_spec(spec).choose(observation)
        assert choice.move == recommend(observation, level=4).move
        assert choice.iterations == LEVELS[3].iterations


@pytest.mark.parametrize(
    ("limits", "config", "field"),
    [
        (Limits(iterations=100), None, "limits.iterations"),
        (Limits(time_seconds=1.0), None, "limits.time_seconds"),
        (Limits(threads=2), None, "limits.threads"),
        (None, SearchConfig(), "config"),
    ],
)
def test_what_contradicts_a_level_is_refused(
    limits: Limits | None, config: SearchConfig | None, field: str
) -> None:
    with pytest.raises(InvalidSearchError) as error:
        recommend(MIDGAME, limits, config=config, level=5)
    assert error.value.field == field


# ---- the figures


def test_the_figures_belong_to_the_levels() -> None:
    """Whoever changes a level measures it: python training/levels.py."""
    expected = set(calibration.pairings())
    assert {figure.pairing for figure in FIGURES} == expected
    assert [level.elo for level in LEVELS] == calibration.elo_of_levels(FIGURES)


STEPS = [figure for figure in FIGURES if figure.pairing.level > 1]
NEARER = ("Fireflies", 10)


@pytest.mark.parametrize("step", STEPS, ids=lambda f: f"{f.pairing.game}-{f.pairing.level}")
def test_each_step_is_measured(step: calibration.Figure) -> None:
    """Beyond doubt stronger, and not surely closer than 60 Elo or further than 140."""
    low, high = step.elo_range
    assert step.pairs >= 1000
    assert 0 < low < 140
    assert high > 60


def test_levels_are_60_to_140_elo_apart() -> None:
    """All but the last one of Fireflies, which may be so: only its interval reaches 60."""
    steps = [step.elo for step in STEPS if (step.pairing.game, step.pairing.level) != NEARER]
    assert len(steps) == 17
    assert all(60 <= round(step) <= 140 for step in steps)


def test_the_page_has_the_figures() -> None:
    assert calibration.table(FIGURES) in calibration.PAGE.read_text(encoding="utf-8")


# ---- the script


SHORT = calibration.Pairing("Fireflies", 2, calibration.Play(20, 0.3), calibration.Play(20, 0.9))
SOLVING = calibration.Pairing("base game", 10, calibration.Play(20, 0.0), calibration.Play(20, 0.5))


@pytest.fixture
def script(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., list[calibration.Pairing]]:
    """Run the script on two short pairings; what it has measured, not found on file."""
    page = tmp_path / "levels.md"
    page.write_text(f"# Levels\n{calibration.BEGIN}old\n{calibration.END}rest\n", encoding="utf-8")
    monkeypatch.setattr(calibration, "FIGURES", tmp_path / "levels.json")
    monkeypatch.setattr(calibration, "PAGE", page)
    monkeypatch.setattr(calibration, "pairings", lambda: iter([SHORT, SOLVING]))
    monkeypatch.setattr(calibration, "table", lambda figures: f"{len(figures)} rows\n")
    measured: list[calibration.Pairing] = []
    measure = calibration.measure

    def noted(pairing: calibration.Pairing, *more: Any) -> calibration.Figure:
        measured.append(pairing)
        return measure(pairing, *more)

    def run(*options: str) -> list[calibration.Pairing]:
        measured.clear()
        monkeypatch.setattr(sys, "argv", ["levels.py", "--workers", "1", *options])
        calibration.main()
        return list(measured)

    monkeypatch.setattr(calibration, "measure", noted)
    return run


def test_the_script_measures_what_is_missing_alone(
    script: Callable[..., list[calibration.Pairing]],
) -> None:
    assert script("--pairs", "1") == [SHORT, SOLVING]
    assert script("--pairs", "1") == []
    assert script("--pairs", "2") == [SHORT, SOLVING]
    figures = {figure.pairing: figure for figure in calibration.read_figures()}
    assert [figures[SHORT].pairs, figures[SOLVING].pairs] == [20, 20]
    assert calibration.PAGE.read_text(encoding="utf-8") == (
        f"# Levels\n{calibration.BEGIN}2 rows\n{calibration.END}rest\n"
    )


@pytest.mark.parametrize(
    ("stronger", "weaker", "pairs"),
    [(100, 0, 10_000), (100, 100, 10_000), (300, 700, 8_000), (5_000, 3_001, 1_000)],
)
def test_short_searches_play_more_pairs(stronger: int, weaker: int, pairs: int) -> None:
    sides = (calibration.Play(iterations, 0.5) for iterations in (stronger, weaker))
    assert calibration.pairs_of(calibration.Pairing("base game", 2, *sides), 1000) == pairs


def test_a_long_match_goes_on_in_its_record(tmp_path: Path) -> None:
    begun = calibration.measure(SOLVING, 2, 1, tmp_path)
    record = (tmp_path / "base-10.jsonl").read_text(encoding="utf-8").splitlines()
    more = calibration.measure(SOLVING, 3, 1, tmp_path)
    longer = (tmp_path / "base-10.jsonl").read_text(encoding="utf-8").splitlines()
    assert (begun.pairs, more.pairs, len(record), longer[:3]) == (2, 3, 3, record)
    assert more == calibration.measure(SOLVING, 3, 1, None)


def test_a_table_plays_what_the_arena_plays() -> None:
    """Random play loses to a search in both, and by about as much."""
    seeds = range(12)
    stronger = replace(SOLVING, weaker=calibration.Play(20, 0.95))
    at_a_table = calibration.at_a_table(stronger, seeds, 1)
    in_the_arena = calibration.in_the_arena(stronger, seeds, 1, None)
    assert 0.6 < sum(at_a_table) / 12 < 1.0
    assert 0.6 < sum(in_the_arena) / 12 < 1.0


@pytest.mark.long
@pytest.mark.parametrize("figure", FIGURES, ids=lambda f: f"{f.pairing.game}-{f.pairing.level}")
def test_the_figures_hold(figure: calibration.Figure) -> None:
    """On other and fewer deals; few where a pair takes seconds."""
    seeds = range(1_000, 1_250 if figure.pairing.stronger.overlooks else 1_040)
    found = calibration.played(figure.pairing, seeds, 2, None)
    error = figure.error * math.sqrt(figure.pairs / len(seeds))
    margin = 3.5 * math.hypot(error, figure.error)
    assert sum(found) / len(found) == pytest.approx(figure.score, abs=margin)
