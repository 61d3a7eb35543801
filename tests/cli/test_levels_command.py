"""``solstis-ai levels``, and ``recommend --level``."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from click.testing import Result
from fakes.servers import LoopThread, RunningServer

from solstis_ai import engine
from solstis_ai.search.levels import LEVELS
from solstis_ai.service.config import ServerConfig
from solstis_ai.wire import observation_from_json

Run = Callable[..., Result]

MIDGAME = Path(__file__).parents[2] / "examples" / "midgame.json"


def test_it_lists_the_levels(run: Run) -> None:
    lines = run("levels").stdout.splitlines()

    assert len(lines) == 11
    for level, line in zip(LEVELS, lines[1:], strict=True):
        assert line.split()[:4] == [
            str(level.number),
            level.name,
            str(level.elo),
            f"{level.iterations:,}",
        ]
        assert line.endswith(level.description)


def test_it_lists_them_as_json(run: Run) -> None:
    assert json.loads(run("levels", "--json").stdout) == [asdict(level) for level in LEVELS]


@pytest.mark.parametrize("level", ["2", "candle", "Candle"])
def test_recommend_plays_at_a_level(run: Run, level: str) -> None:
    options = ("--level", level, "--seed", "3", "--json")
    answer = json.loads(run("recommend", str(MIDGAME), *options).stdout)

    seen = observation_from_json(MIDGAME.read_text(encoding="utf-8"))
    expected = engine.recommend(seen, seed=3, level=2)
    assert answer["text"] == str(expected.move)
    assert len(answer["alternatives"]) == len(expected.alternatives) < 3


def test_recommend_asks_a_server_for_a_level(run: Run, loop: LoopThread) -> None:
    server = RunningServer(loop, ServerConfig(port=0, grace_seconds=0.0), engine)
    try:
        options = ("--level", "2", "--seed", "3", "--json", "--server", server.address)
        there = json.loads(run("recommend", str(MIDGAME), *options).stdout)
    finally:
        server.drain()
    here = json.loads(run("recommend", str(MIDGAME), *options[:5]).stdout)

    assert there["alternatives"] == here["alternatives"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--level", "11"), "there is no level '11'; 1 to 10, or one of Spark"),
        (("--level", "3", "--iterations", "9"), "limits.iterations: level 3 (Firefly) determines"),
        (("--level", "3", "--time", "9"), "limits.time_seconds: level 3 (Firefly) determines"),
        (("--level", "3", "--threads", "2"), "limits.threads: level 3 (Firefly) determines"),
    ],
)
def test_what_does_not_go_together_is_told(
    run: Run, options: tuple[str, ...], message: str
) -> None:
    result = run("recommend", str(MIDGAME), *options)

    assert result.exit_code != 0
    assert message in result.stderr
