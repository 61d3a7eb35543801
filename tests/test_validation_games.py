"""Real observations are accepted, and whatever is accepted is a game that can be played."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from mutations import mutated, observation_of_tree, tree_of
from oracle import OracleGame, RandomChance
from oracle.invariants import check_invariants
from oracle.random_play import VARIANTS
from oracle_observation import (
    Chooser,
    any_of,
    decisions,
    drawing,
    in_order,
    observation_of,
    position_of,
    world_of,
)

from solstis_ai.errors import InvalidObservationError
from solstis_ai.notation import (
    format_observation,
    format_position,
    parse_observation,
    parse_position,
)
from solstis_ai.observation import Observation
from solstis_ai.validation import validate
from solstis_ai.wire import (
    observation_from_json,
    observation_from_proto,
    observation_to_json,
    observation_to_proto,
)

GAMES = 40
SAMPLES = 25

variants = pytest.mark.parametrize("variant", sorted(VARIANTS))


def seen_in_games(
    variant: str, seeds: range, choose: Chooser = any_of
) -> Iterator[tuple[OracleGame, str, Observation]]:
    fireflies, evil_spirit = VARIANTS[variant]
    for seed in seeds:
        for game, played in decisions(
            seed, fireflies=fireflies, evil_spirit=evil_spirit, choose=choose
        ):
            yield game, played, observation_of(game.snapshot(), game.player, played)


def samples(variant: str) -> list[Observation]:
    """Observations of each phase of the variant, the same ones in every run."""
    by_phase: dict[str, list[Observation]] = {}
    for _, _, observation in seen_in_games(variant, range(500, 500 + GAMES), drawing):
        by_phase.setdefault(observation.phase, []).append(observation)
    chance = random.Random(variant)
    return [
        one for found in by_phase.values() for one in chance.sample(found, min(SAMPLES, len(found)))
    ]


@variants
@pytest.mark.parametrize("choose", [any_of, drawing])
def test_every_observation_of_a_game_is_accepted(variant: str, choose: Chooser) -> None:
    phases: Counter[str] = Counter()
    for _, _, observation in seen_in_games(variant, range(GAMES), choose):
        validate(observation)
        phases[observation.phase] += 1
    expected = {"play", "capture", "rainbow", "meet", "meet_drawn", "add"}
    expected |= {"force", "take", "evil"} if variant == "fireflies" else set()
    expected |= {"cover"} if variant == "base" else set()
    assert expected <= set(phases)


@variants
def test_the_forms_of_real_observations_round_trip(variant: str) -> None:
    for game, played, observation in seen_in_games(variant, range(5)):
        assert parse_observation(format_observation(observation)) == observation
        assert observation_from_json(observation_to_json(observation)) == observation
        assert observation_from_proto(observation_to_proto(observation)) == observation
        position = position_of(game.snapshot(), played)
        assert parse_position(format_position(position)) == position
        assert position.pool == in_order(game.state.pool)


@variants
def test_a_sampled_world_looks_like_its_observation(variant: str) -> None:
    for observation in samples(variant):
        world = world_of(observation, random.Random(0))
        seen = observation_of(world.snapshot(), 0, observation.turn.played_tile)
        assert seen == observation


@variants
def test_what_is_accepted_after_a_change_can_be_played_to_the_end(variant: str) -> None:
    results: Counter[str] = Counter()
    chance = random.Random(f"mutations of {variant}")
    for observation in samples(variant):
        for number in range(12):
            other = mutated(observation, chance, times=1 + number % 2)
            try:
                validate(other)
            except InvalidObservationError as error:
                results["refused"] += 1
                assert_exists(other, error.field)
            else:
                results["accepted"] += other != observation
                play_to_the_end(other, chance)
    assert results["accepted"] > 20
    assert results["refused"] > 500


def assert_exists(observation: Observation, field: str) -> None:
    """The field path leads from the observation to a value."""
    value: object = {"observation": observation}
    for name, index in re.findall(r"(\w+)|\[(\d+)\]", field):
        value = value[int(index)] if index else _member(value, name)  # type: ignore[index]


def _member(value: object, name: str) -> object:
    return value[name] if isinstance(value, dict) else getattr(value, name)


def play_to_the_end(observation: Observation, chance: random.Random) -> None:
    game = world_of(observation, chance)
    check_invariants(game)
    while not game.over:
        game.apply(chance.choice(game.legal()), RandomChance(chance.randrange(1 << 30)))
    check_invariants(game)


def test_mutations_begin_with_the_same_observation() -> None:
    for observation in samples("fireflies"):
        assert observation_of_tree(tree_of(observation)) == observation
