"""Every decision of every recorded game: both wire forms, the legal moves, and an answer.

The recorded games in tests/data always; the complete set when it lies beside the project.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from decisions import RECORDED, decisions_of
from fakes.servers import LoopThread, RunningServer

from solstis_ai import engine
from solstis_ai.observation import Observation
from solstis_ai.recorded import read_games
from solstis_ai.search.types import Limits
from solstis_ai.service.client import OpponentClient
from solstis_ai.service.config import ServerConfig
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.wire import (
    observation_from_json,
    observation_from_proto,
    observation_to_json,
    observation_to_proto,
)

ALL_RECORDED = Path(__file__).parents[2] / "shared" / "conformance"
ALL_DECISIONS = 19639
ITERATIONS = 200

Record = dict[str, Any]

needs_all = pytest.mark.skipif(
    not ALL_RECORDED.is_dir(), reason="the complete recorded games are not here"
)


def all_recorded() -> Iterator[Record]:
    for path in sorted(ALL_RECORDED.glob("*.jsonl")):
        yield from read_games(path)


# ---- the library


def check_round_trips(seen: Observation) -> None:
    assert observation_from_json(observation_to_json(seen)) == seen
    message = pb.Observation.FromString(observation_to_proto(seen).SerializeToString())
    assert observation_from_proto(message) == seen


def check_in_process(seen: Observation, legal: list[str] | None) -> None:
    check_round_trips(seen)
    found = [str(move) for move in engine.legal_moves(seen)]
    assert legal is None or found == legal
    answer = engine.recommend(seen, Limits(iterations=ITERATIONS))
    assert str(answer.move) in found
    assert sorted(str(row.move) for row in answer.alternatives) == found


def check_games_in_process(games: Iterable[Record]) -> int:
    checked = 0
    for record in games:
        for number, (seen, legal) in enumerate(decisions_of(record)):
            try:
                check_in_process(seen, legal)
            except Exception as error:
                error.add_note(f"game {record['id']}, event {number}")
                raise
            checked += 1
    return checked


def test_decisions_of_the_recorded_games_here() -> None:
    assert check_games_in_process(RECORDED) == sum(len(record["events"]) for record in RECORDED)


@needs_all
@pytest.mark.timeout(600)
def test_decisions_of_all_recorded_games() -> None:
    assert check_games_in_process(all_recorded()) == ALL_DECISIONS


# ---- the service


@pytest.fixture(scope="module")
def client(loop: LoopThread) -> Iterator[OpponentClient]:
    """A client of a service with the real engine."""
    config = ServerConfig(port=0, grace_seconds=0.0, queue_length=100)
    server = RunningServer(loop, config, engine)
    with OpponentClient(server.address, timeout=60.0) as opened:
        yield opened
    server.drain()


def check_by_service(client: OpponentClient, record: Record) -> int:
    checked = 0
    for number, (seen, legal) in enumerate(decisions_of(record)):
        try:
            found = client.legal_moves(seen)
            answer = client.recommend(seen, iterations=ITERATIONS)
            assert legal is None or [str(move) for move in found] == legal
            assert answer.move in found
            assert not answer.truncated
        except Exception as error:
            error.add_note(f"game {record['id']}, event {number}")
            raise
        checked += 1
    return checked


def check_games_by_service(client: OpponentClient, games: Iterable[Record]) -> int:
    with ThreadPoolExecutor(4) as pool:
        return sum(pool.map(lambda record: check_by_service(client, record), games))


def test_the_service_decides_the_recorded_games_here(client: OpponentClient) -> None:
    decisions = sum(len(record["events"]) for record in RECORDED)
    assert check_games_by_service(client, RECORDED) == decisions


@needs_all
@pytest.mark.long
@pytest.mark.timeout(1200)
def test_the_service_decides_all_recorded_games(client: OpponentClient) -> None:
    assert check_games_by_service(client, all_recorded()) == ALL_DECISIONS
