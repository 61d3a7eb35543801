"""What a seat knows of the other hand is used: it changes the recommended move."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from solstis_ai.engine import recommend
from solstis_ai.notation import parse_observation
from solstis_ai.observation import Observation
from solstis_ai.search.types import Limits
from solstis_ai.validation import validate

DATA = Path(__file__).parent / "data"

seeds = pytest.mark.parametrize("seed", range(5))


def observation_in(name: str) -> Observation:
    observation = parse_observation((DATA / name).read_text(encoding="utf-8"))
    validate(observation)
    return observation


def recommended(observation: Observation, seed: int) -> str:
    return str(recommend(observation, Limits(iterations=5000), seed).move)


@seeds
def test_a_tile_that_the_fox_has_shown(seed: int) -> None:
    """``o4`` captures ``o2`` or ``g4``. The opponent holds ``g8``, which would capture ``g4``, and
    nothing that is known for ``o2``: so ``g4`` first. Not knowing that, ``o2`` is worth more."""
    known = observation_in("known_tiles.txt")
    assert known.opponent_known_tiles == ("g8", "b5")

    assert recommended(known, seed) == "capture g4"
    assert recommended(replace(known, opponent_known_tiles=()), seed) == "capture o2"


@seeds
def test_a_tile_that_a_pass_excludes(seed: int) -> None:
    """Of ``o2 o6 b5 b9`` the opponent holds three and one lies under ``k6``. The opponent has
    passed on ``k6``, so it is ``o6`` that lies there: to capture ``k6`` would turn up a tile for
    ``o2`` in the opponent's hand. So ``g3`` first. Not knowing that, ``k6`` is captured first."""
    excluded = observation_in("excluded_tiles.txt")
    assert excluded.opponent_excluded_tiles == ("o6",)

    assert recommended(excluded, seed) == "play g5"
    assert recommended(replace(excluded, opponent_excluded_tiles=()), seed) == "play k5"
