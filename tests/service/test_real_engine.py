"""The whole path with the real engine: every decision of recorded games, deadlines, fuzz."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from decisions import RECORDED, decisions_of
from fakes.observations import OPENING
from fakes.servers import RunningServer
from random_games import endings_of

from solstis_ai import bridge, engine
from solstis_ai.search.endgame import Endgame
from solstis_ai.search.types import Limits
from solstis_ai.service.client import OpponentClient
from solstis_ai.vocabulary import Rules
from solstis_ai.wire import observation_from_json, observation_to_json

MIDGAME = Path(__file__).parents[2] / "examples" / "midgame.json"


@pytest.fixture(scope="module")
def real_client(real_server: RunningServer) -> Iterator[OpponentClient]:
    with OpponentClient(real_server.address, timeout=30.0) as client:
        yield client


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: str(recorded["id"]))
def test_every_decision_of_a_recorded_game(
    real_client: OpponentClient, recorded: dict[str, Any]
) -> None:
    for observation, legal in decisions_of(recorded):
        assert observation_from_json(observation_to_json(observation)) == observation
        found = real_client.legal_moves(observation)
        if legal is not None:
            assert [str(move) for move in found] == legal
        answer = real_client.recommend(observation, iterations=200)
        assert answer.move in found
        assert {entry.move for entry in answer.alternatives} == set(found)
        assert answer.truncated is False


def test_the_service_answers_as_the_library_does(real_client: OpponentClient) -> None:
    observation = observation_from_json(MIDGAME.read_text(encoding="utf-8"))
    from_service = real_client.recommend(observation, iterations=2000, seed=7)
    from_library = engine.recommend(observation, Limits(iterations=2000), seed=7)

    assert from_service.alternatives == from_library.alternatives
    assert from_service.reasons == from_library.reasons
    assert from_service.reasons


def test_a_solved_ending_is_remembered(real_client: OpponentClient) -> None:
    """Though time limits it; the second answer tells the time of the first."""
    for game in endings_of(range(200), Rules()):
        observation = game.observation(game.player)
        ending = Endgame(bridge.knowledge_of_observation(observation), 100_000)
        ending.run(-1.0, -1.0)
        if len(game.legal_moves) > 1 and ending.solved and ending.tried > 30_000:
            break
    first, second = (real_client.recommend(observation, time_seconds=25.0) for _ in range(2))

    assert first.solved
    assert first == second
    assert real_client.recommend(observation, time_seconds=24.0) != first


def test_a_stream_grows_to_the_same_answer(real_client: OpponentClient) -> None:
    whole = real_client.recommend(OPENING, iterations=50_000, seed=3)
    *growing, last = real_client.analyse(OPENING, iterations=50_000, seed=3, interval_seconds=0.01)

    assert last.alternatives == whole.alternatives
    counts = [answer.iterations for answer in (*growing, last)]
    assert counts == sorted(counts)


def test_a_deadline_is_kept(real_client: OpponentClient) -> None:
    answer = real_client.recommend(OPENING, time_seconds=30.0, timeout=2.0)

    assert answer.truncated
    assert answer.iterations > 0


def test_engine_info_tells_the_kernels(real_client: OpponentClient) -> None:
    info = real_client.engine_info()

    assert info.processor_level in info.available_processor_levels
    assert info.rules_version == engine.RULES_VERSION
