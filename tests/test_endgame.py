"""Endings with an empty deck: exact, as the oracle's brute force finds; sliced, limited, told."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from fractions import Fraction

import pytest
from oracle import OracleGame
from oracle.ending import BruteForce, TooLargeError, Value, worlds_of
from oracle_observation import in_order, observation_of
from random_games import VARIANTS, endings_of, with_other_hidden_tiles
from rare_positions import fox_ending, small_ending
from seeds import changing_seeds, tell

from solstis_ai import bridge
from solstis_ai.engine import Search, recommend
from solstis_ai.game import Game
from solstis_ai.observation import Observation
from solstis_ai.players import player_from_spec
from solstis_ai.search.endgame import Endgame, forms_of
from solstis_ai.search.types import Analysis, Limits, MoveStatistics, SearchConfig
from solstis_ai.vocabulary import Rules

variants = pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)

OPEN_ENDINGS = 24  # for each variant
HIDDEN_ENDINGS = 24  # likewise
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
        str(bridge.move_from_code(code)): (
            Fraction(points, ending.unit),
            Fraction(lead, ending.unit),
        )
        for code, (points, lead, _) in zip(ending.root_codes, ending.values(), strict=True)
    }


def told_values(rows: Iterable[MoveStatistics]) -> dict[str, tuple[float, float]]:
    """The same as ``exact_values``, out of an answer."""
    told = {}
    for row in rows:
        assert row.expected_stars is not None
        assert row.opponent_expected_stars is not None
        lead = row.expected_stars - row.opponent_expected_stars
        told[str(row.move)] = (2 * row.win_probability, lead)
    return told


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
            expected = BruteForce(game.player, 1000, 60).move_values(worlds)
        except TooLargeError:
            return 0
        assert exact_values(ending) == expected
        return len(worlds)
    except Exception as error:
        tell(error, seed)
        raise


@variants
@pytest.mark.timeout(600)
def test_open_endings(rules: Rules) -> None:
    forms = [compare((seed, rules, False)) for seed in changing_seeds(OPEN_ENDINGS)]
    assert any(forms)


@variants
@pytest.mark.timeout(600)
def test_endings_with_hidden_tiles(rules: Rules) -> None:
    forms = [compare((seed, rules, True)) for seed in changing_seeds(HIDDEN_ENDINGS)]
    assert any(number > 1 for number in forms)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("hidden", [False, True])
def test_thousands_of_endings(hidden: bool) -> None:
    rules = list(VARIANTS.values())
    tasks = [(seed, rules[seed % 3], hidden) for seed in changing_seeds(LONG_ENDINGS)]
    with ProcessPoolExecutor() as pool:
        forms = list(pool.map(compare, tasks, chunksize=50))
    assert sum(number > 0 for number in forms) > LONG_ENDINGS // 3


REVEALING = [(True, 2115), (True, 702), (False, 1627), (True, 623), (False, 1052), (True, 1092)]
"""Kind and seed of endings that are worth more to a seat that sees the other hand."""

EDGES = [(False, 1467), (False, 1766), (True, 1654), (True, 531), (True, 1620), (True, 1040)]
"""Kind and seed of endings in which windows of the alpha-beta search cut something off."""


@pytest.mark.parametrize(("hidden", "seed"), REVEALING)
def test_a_plan_does_not_depend_on_what_is_hidden(hidden: bool, seed: int) -> None:
    """Knowing the form would be worth more, and the values are not those of knowing it."""
    rules = list(VARIANTS.values())[seed % 3]
    game, position = small_ending(seed, rules, hidden=hidden)
    seen = observation_of(game.snapshot(), game.player, position.turn.played_tile)
    worlds = worlds_of(game, game.player)
    values = exact_values(solved(seen))
    assert values == BruteForce(game.player).move_values(worlds)
    shown = [
        exact_values(solved(_with_shown_hand(world, position.turn.played_tile))) for world in worlds
    ]
    means = {
        move: tuple(
            sum(column) / len(worlds) for column in zip(*(it[move] for it in shown), strict=True)
        )
        for move in values
    }
    assert all(means[move] >= values[move] for move in values)
    assert means != values


def _with_shown_hand(world: OracleGame, played: str) -> Observation:
    seen = observation_of(world.snapshot(), world.player, played)
    hand = in_order(world.state.sides[1 - world.player].hand)
    return replace(seen, opponent_known_tiles=hand, opponent_excluded_tiles=())


@pytest.mark.parametrize(("hidden", "seed"), EDGES)
def test_endings_at_the_edges_of_windows(hidden: bool, seed: int) -> None:
    assert compare((seed, list(VARIANTS.values())[seed % 3], hidden))


def test_the_fox_shows_the_hand() -> None:
    game, _ = fox_ending(32)
    worlds = worlds_of(game, game.player)
    assert len(worlds) == 3
    ending = solved(observation_of(game.snapshot(), game.player))
    assert exact_values(ending) == BruteForce(game.player).move_values(worlds)


# ---- runs


def seen_in(game: Game) -> Observation:
    return game.observation(game.player)


def large_ending() -> Observation:
    """One that takes about half a second."""
    return next(
        seen_in(game)
        for game in endings_of(range(200), Rules(fireflies=True))
        if not solved(seen_in(game), 300_000).solved
    )


def timeless(analysis: Analysis) -> Analysis:
    return replace(analysis, elapsed_seconds=0.0)


@variants
def test_slices_change_nothing(rules: Rules) -> None:
    several = 0
    for game in endings_of(range(12), rules):
        if len(game.legal_moves) == 1:
            continue
        whole, sliced = solved(seen_in(game), 40_000), endgame(seen_in(game), 40_000)
        runs = 0
        while not sliced.finished:
            sliced.run(0.0, -1.0)
            runs += 1
        several += runs > 1
        assert (sliced.solved, sliced.tried) == (whole.solved, whole.tried)
        assert sliced.positions == whole.positions
        if whole.solved:
            assert sliced.values() == whole.values()
            assert sliced.line() == whole.line()
    assert several > 3


def test_slices_change_nothing_where_tiles_are_hidden() -> None:
    several = 0
    for seed in range(60):
        game, _ = small_ending(seed, Rules(), hidden=True)
        if game.state.phase != "play" or len(worlds_of(game, game.player)) == 1:
            continue
        seen = observation_of(game.snapshot(), game.player)
        whole, sliced = solved(seen, 20_000), endgame(seen, 20_000)
        runs = 0
        while not sliced.finished:
            sliced.run(0.0, -1.0)
            runs += 1
        several += runs > 1
        assert (sliced.solved, sliced.tried) == (whole.solved, whole.tried)
        assert not whole.solved or sliced.values() == whole.values()
    assert several > 3


def test_the_budget_is_the_number_of_moves() -> None:
    seen = next(
        seen_in(it) for it in endings_of(range(50), Rules()) if solved(seen_in(it)).tried > 500
    )
    needed = solved(seen).tried
    assert solved(seen, needed).solved
    short = solved(seen, needed - 1)
    assert short.finished
    assert not short.solved


def test_a_stopped_ending_stops() -> None:
    ending = endgame(large_ending())
    ending.stop()
    ending.run(-1.0, -1.0)
    assert not ending.finished


def test_an_ending_has_an_empty_deck() -> None:
    knowledge = bridge.knowledge_of_observation(Game(seed=1).observation(0))
    assert forms_of(knowledge) == 0
    with pytest.raises(ValueError, match="1 to 20 forms, not 0"):
        Endgame(knowledge, 1000)


# ---- in the search


def test_a_solved_answer_says_so() -> None:
    answers = []
    for game in endings_of(range(30), Rules()):
        if len(game.legal_moves) == 1:
            continue
        search = Search(seen_in(game), Limits(iterations=20_000))
        assert search.run()
        answer, ending = search.analysis(), solved(seen_in(game), 10_000)
        if not ending.solved:
            assert answer.iterations > 0
            continue
        answers.append(answer)
        best = max(exact_values(ending).values())
        assert exact_values(ending)[str(answer.move)] == best
        assert answer.win_probability == float(best[0] / 2)
        assert answer.expected_stars - answer.opponent_expected_stars == pytest.approx(best[1])
        assert answer.solved
        assert not answer.truncated
        assert answer.iterations == 0
        assert all(row.standard_error == row.visits == 0 for row in answer.alternatives)
        assert told_values(answer.alternatives) == {
            move: pytest.approx(tuple(map(float, value)))
            for move, value in exact_values(ending).items()
        }
        assert answer.expected_stars == answer.alternatives[0].expected_stars
        assert answer.line[0] == answer.move == search.best_move()
        assert any(reason.startswith("Worked out to the end") for reason in answer.reasons)
    assert len(answers) > 20
    assert any(len(answer.line) > 1 for answer in answers)


@variants
def test_the_line_is_legal_and_keeps_the_value(rules: Rules) -> None:
    followed = 0
    for game in endings_of(range(8), rules):
        ending = solved(seen_in(game), 20_000)
        if not ending.solved or forms_of(bridge.knowledge_of_observation(seen_in(game))) > 1:
            continue
        position, seat = game.position(), game.player
        best = max(exact_values(ending).values())
        for code in ending.line():
            assert position.player == seat
            values = exact_values(solved(Game.from_position(position).observation(seat)))
            move = bridge.move_from_code(code)
            assert values[str(move)] == best
            after = Game.from_position(position)
            after.push(move)
            position = after.position()
            followed += 1
    assert followed > 20


def test_hidden_tiles_change_no_solved_answer() -> None:
    chooser, different = random.Random(1), 0
    for game in endings_of(range(40), Rules()):
        position = game.position()
        other = with_other_hidden_tiles(position, chooser)
        different += other != position
        one, two = seen_in(game), Game.from_position(other).observation(other.player)
        limits = Limits(iterations=3000)
        assert timeless(recommend(one, limits)) == timeless(recommend(two, limits))
    assert different > 10


def test_threads_and_slices_change_no_solved_answer() -> None:
    seen = next(
        seen_in(it) for it in endings_of(range(50), Rules()) if solved(seen_in(it)).tried > 5000
    )
    limits = Limits(iterations=1_000_000)
    sliced = Search(seen, limits)
    while not sliced.run(0.0001):
        pass
    assert timeless(sliced.analysis()) == timeless(recommend(seen, limits))
    assert timeless(sliced.analysis()) == timeless(recommend(seen, replace(limits, threads=2)))


def test_iterations_buy_moves() -> None:
    seen = next(
        seen_in(it)
        for it in endings_of(range(50), Rules())
        if len(it.legal_moves) > 1 and solved(seen_in(it), 5000).tried > 1000
    )
    needed = solved(seen).tried
    assert recommend(seen, Limits(iterations=2 * needed)).solved
    short = recommend(seen, Limits(iterations=needed))
    assert not short.solved
    assert short.iterations == needed


def test_an_ending_that_is_too_large_is_searched_within_the_time() -> None:
    answer = recommend(large_ending(), Limits(time_seconds=0.1))
    assert not answer.solved
    assert not answer.truncated
    assert answer.iterations > 1000
    assert answer.elapsed_seconds < 1.0


def test_stop_ends_an_exact_search() -> None:
    search = Search(large_ending(), Limits(time_seconds=60.0))
    thread = threading.Thread(target=search.run)
    thread.start()
    time.sleep(0.02)
    stopped = time.monotonic()
    search.stop()
    thread.join(timeout=5.0)
    assert not thread.is_alive()
    assert time.monotonic() - stopped < 0.5
    assert search.analysis().truncated


def test_settle_solves_what_is_small_and_leaves_the_rest() -> None:
    small = next(
        seen_in(it)
        for it in endings_of(range(50), Rules())
        if len(it.legal_moves) > 1 and solved(seen_in(it), 200).solved
    )
    search = Search(small)
    assert not search.solved
    assert search.settle()
    assert search.solved
    assert search.analysis().solved
    unsettled = Search(large_ending(), Limits(iterations=50))
    assert not unsettled.settle()
    assert unsettled.run()
    assert unsettled.iterations == 50


def test_the_outlook_of_a_forced_move_is_exact_in_a_small_ending() -> None:
    forced = next(
        seen_in(it)
        for it in endings_of(range(50), Rules())
        if len(it.legal_moves) == 1 and 10 < solved(seen_in(it)).tried < 1000
    )
    answer = recommend(forced, Limits(iterations=1))
    best = max(exact_values(solved(forced)).values())
    assert answer.win_probability == float(best[0] / 2)
    assert answer.iterations == 0


def test_endings_can_be_left_to_the_search() -> None:
    seen = next(seen_in(it) for it in endings_of(range(50), Rules()) if len(it.legal_moves) > 1)
    assert recommend(seen, Limits(iterations=500_000)).solved
    search = Search(seen, Limits(iterations=500), config=SearchConfig(endgame=False))
    search.run()
    assert not search.analysis().solved
    assert search.iterations == 500


def test_players_solve_endings_unless_told_not_to() -> None:
    seen = next(
        seen_in(it)
        for it in endings_of(range(50), Rules())
        if len(it.legal_moves) > 1 and solved(seen_in(it), 200).solved
    )
    counts = {
        spec: player_from_spec(spec).choose(seen).iterations
        for spec in (
            "search:iterations=500",
            "search:iterations=500,endgame=0",
            "textbook:iterations=500",
        )
    }
    assert list(counts.values()) == [0, 500, 500]
