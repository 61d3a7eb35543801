from __future__ import annotations

import pytest
from oracle.random_play import VARIANTS
from oracle_observation import Chooser, any_of, decisions, drawing, observation_of, position_of

from solstis_ai.notation import (
    format_observation,
    format_position,
    parse_observation,
    parse_position,
)
from solstis_ai.validation import validate
from solstis_ai.vocabulary import Phase
from solstis_ai.wire import (
    observation_from_json,
    observation_from_proto,
    observation_to_json,
    observation_to_proto,
)

GAMES = 60


@pytest.mark.parametrize("choose", [any_of, drawing])
@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_observations_of_random_games(variant: str, choose: Chooser) -> None:
    fireflies, evil_spirit = VARIANTS[variant]
    phases = set()
    for seed in range(GAMES):
        for game, played in decisions(
            seed, fireflies=fireflies, evil_spirit=evil_spirit, choose=choose
        ):
            snapshot = game.snapshot()
            observation = observation_of(snapshot, game.player, played)
            validate(observation)
            phases.add(observation.phase)
    assert {Phase.PLAY, Phase.CAPTURE, Phase.MEET} <= phases
