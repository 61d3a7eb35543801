import pytest

from solstis_ai.errors import InvalidSearchError, PlayerSpecError
from solstis_ai.game import Game
from solstis_ai.players import PLAYERS, player_from_spec
from solstis_ai.vocabulary import Rules

SPECS = (
    "random",
    "greedy",
    "textbook:iterations=60",
    "search:iterations=60,exploration=0.3",
    "level:2",
)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("rules", [Rules(), Rules(fireflies=True), Rules(evil_spirit=False)])
def test_a_player_plays_whole_games_with_legal_moves(spec: str, rules: Rules) -> None:
    game, player = Game(rules, seed=11), player_from_spec(spec)
    while not game.over:
        choice = player.choose(game.observation(game.player))
        assert choice.move in game.legal_moves
        game.push(choice.move)


@pytest.mark.parametrize("spec", SPECS)
def test_a_player_repeats_its_choice(spec: str) -> None:
    observation = Game(seed=5).observation(0)
    first, second = (player_from_spec(spec).choose(observation) for _ in range(2))
    assert first == second


def test_the_seed_of_a_random_player_changes_its_choices() -> None:
    observation = Game(seed=5).observation(0)
    moves = {player_from_spec(f"random:seed={n}").choose(observation).move for n in range(20)}
    assert len(moves) == 3


def test_a_greedy_player_takes_the_stars_in_reach() -> None:
    """Greedy play beats random play clearly, which it would not if it ignored stars."""
    points = 0.0
    for seed in range(30):
        game = Game(seed=seed)
        players = (player_from_spec("greedy"), player_from_spec("random"))
        while not game.over:
            game.push(players[game.player].choose(game.observation(game.player)).move)
        points += 0.5 if game.winner is None else 1.0 - game.winner
    assert points > 18


def test_iterations_are_counted() -> None:
    choice = player_from_spec("search:iterations=77").choose(Game(seed=5).observation(0))
    assert choice.iterations == 77


@pytest.mark.parametrize(
    "option", ["exploration=0.0", "nodes=4", "iterations=20", "threads=2", "overlooks=0.4"]
)
def test_every_option_of_search_changes_its_choices(option: str) -> None:
    iterations = "" if "iterations" in option else ",iterations=300"
    plain = player_from_spec("search:iterations=300")
    changed = player_from_spec(f"search:{option}{iterations}")
    observations = [Game(seed=seed).observation(0) for seed in range(40)]
    assert [plain.choose(seen) for seen in observations] != [
        changed.choose(seen) for seen in observations
    ]


def test_time_limits_a_search() -> None:
    player = player_from_spec("search:time=0.01,iterations=100000000")
    assert player.choose(Game(seed=5).observation(0)).iterations < 1_000_000


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nobody", "there is no 'nobody'; choose from random"),
        ("", "there is no ''"),
        ("random:x=1", "random has no option 'x'"),
        ("textbook:exploration=0.1", "textbook has no option 'exploration'"),
        ("search:iterations", "'iterations' is not option=value"),
        ("search:iterations=many", "iterations is 'many', not a number"),
        ("search:time=fast", "time is 'fast', not a number"),
        ("search:endgame=2", "endgame is 2, not 0 or 1"),
        ("textbook:endgame=1", "textbook has no option 'endgame'"),
    ],
)
def test_a_wrong_spec_is_told_with_its_reason(spec: str, message: str) -> None:
    with pytest.raises(PlayerSpecError, match=message):
        player_from_spec(spec)


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ("search:iterations=0", "limits.iterations"),
        ("search:time=-1", "limits.time_seconds"),
        ("search:exploration=-1", "config.exploration"),
        ("search:nodes=0", "config.max_nodes"),
        ("search:overlooks=1.5", "config.overlooks"),
        ("search:overlooks=0.5,endgame=1", "config.endgame"),
        ("level:11", "level"),
        ("level", "level"),
    ],
)
def test_an_option_out_of_range_names_its_field(spec: str, field: str) -> None:
    with pytest.raises(InvalidSearchError) as error:
        player_from_spec(spec)
    assert error.value.field == field


def test_all_names_make_players() -> None:
    assert set(PLAYERS) == {"random", "greedy", "textbook", "search", "level"}
