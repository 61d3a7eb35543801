"""The examples do what the README says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from fakes.servers import LoopThread, RunningServer

from solstis_ai import engine
from solstis_ai.service.config import ServerConfig
from solstis_ai.validation import validate
from solstis_ai.wire import observation_from_json

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


def test_the_midgame_observation_is_valid_and_shows_a_game_under_way() -> None:
    observation = observation_from_json((EXAMPLES / "midgame.json").read_text(encoding="utf-8"))

    validate(observation)
    assert len(engine.legal_moves(observation)) > 1
    assert observation.you.spirits
    assert observation.opponent.spirits


def test_the_frontend_prints_a_move(loop: LoopThread) -> None:
    server = RunningServer(loop, ServerConfig(port=0, grace_seconds=0.0), engine)
    command = [sys.executable, str(EXAMPLES / "frontend.py"), str(EXAMPLES / "midgame.json")]
    result = subprocess.run(
        [*command, server.address], capture_output=True, text=True, timeout=60, check=True
    )
    server.drain()

    assert result.stdout.startswith("play k7   (wins ")


def test_the_readme_shows_the_frontend_as_it_is() -> None:
    source = (EXAMPLES / "frontend.py").read_text(encoding="utf-8")
    code = source[source.index("import sys") :]

    assert code in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_demo_shows_the_whole_path() -> None:
    result = subprocess.run(
        [sys.executable, str(EXAMPLES / "demo.py")],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    for words in ("listens on 127.0.0.1:", "Hand      o4  b7  k7", "Move: play", "play o4"):
        assert words in result.stdout
    assert "\n- " in result.stdout, "a reason"
    assert result.stdout.splitlines()[-1] == "the service has stopped"
