"""What a request gets, and when its answer has to leave."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any

import pytest

from solstis_ai.errors import InvalidSearchError
from solstis_ai.search.levels import LEVELS
from solstis_ai.search.types import MAX_NODES, Limits, SearchConfig
from solstis_ai.service import budget
from solstis_ai.service.config import LEAST_NODES, ServerConfig

CONFIG = ServerConfig(search_slots=4, max_iterations=100, max_threads=2, default_time_seconds=0.5)


@pytest.mark.parametrize(
    ("asked", "granted"),
    [
        (Limits(), Limits(None, 0.5, 1)),
        (Limits(iterations=7), Limits(7, None, 1)),
        (Limits(iterations=101, threads=3), Limits(100, None, 2)),
        (Limits(time_seconds=9.0), Limits(None, 9.0, 1)),
    ],
)
def test_granted(asked: Limits, granted: Limits) -> None:
    assert budget.granted(asked, CONFIG) == granted


@pytest.mark.parametrize(
    ("remaining", "margin"), [(0.02, 0.01), (0.1, 0.01), (1.0, 0.1), (60.0, 0.25)]
)
def test_the_margin_grows_with_the_deadline(remaining: float, margin: float) -> None:
    when = budget.answer_by(remaining)

    assert when is not None
    assert when - time.monotonic() == pytest.approx(remaining - margin, abs=0.005)


def test_searches_get_the_nodes_that_are_granted() -> None:
    few = replace(CONFIG, max_nodes=LEAST_NODES)
    assert budget.constants(None, few) == SearchConfig(max_nodes=LEAST_NODES)
    assert budget.constants(LEVELS[2], few) == replace(LEVELS[2].config, max_nodes=LEAST_NODES)
    assert budget.constants(LEVELS[2], CONFIG) == LEVELS[2].config


def test_every_level_has_room_for_its_search() -> None:
    assert max(level.iterations for level in LEVELS) < LEAST_NODES


def test_without_a_deadline_an_answer_is_never_due() -> None:
    assert budget.answer_by(None) == math.inf


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"search_slots": 0}, "search_slots"),
        ({"max_iterations": 0}, "max_iterations"),
        ({"max_time_seconds": 0.0}, "max_time_seconds"),
        ({"max_nodes": LEAST_NODES - 1}, "max_nodes"),
        ({"max_nodes": MAX_NODES + 1}, "max_nodes"),
        ({"default_time_seconds": float("nan")}, "default_time_seconds"),
        ({"queue_length": -1}, "queue_length"),
        ({"grace_seconds": -0.1}, "grace_seconds"),
        ({"port": -1}, "port"),
        ({"search_slots": 1025}, "search_slots"),
        ({"max_request_bytes": (1 << 30) + 1}, "max_request_bytes"),
        ({"max_time_seconds": 1_000_001.0}, "max_time_seconds"),
        ({"max_connection_age_seconds": 1e9}, "max_connection_age_seconds"),
        ({"max_write_seconds": float("inf")}, "max_write_seconds"),
        ({"web_origins": ("https://game.example", "game.example")}, "web_origins"),
        ({"web_origins": ("https://game.example/",)}, "web_origins"),
        ({"web_origins": ("https://Game.example",)}, "web_origins"),
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidSearchError) as caught:
        ServerConfig(**settings)

    assert caught.value.field == field
