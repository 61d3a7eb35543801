"""The examples do what the README says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fakes.node import npm_project
from fakes.servers import LoopThread, RunningServer

from solstis_ai import engine
from solstis_ai.picture import draw_picture
from solstis_ai.search.types import Limits
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


def test_the_picture_is_that_of_the_midgame_observation() -> None:
    """Drawn anew from the same observation, the left half is the same."""
    observation = observation_from_json((EXAMPLES / "midgame.json").read_text(encoding="utf-8"))
    shown = ElementTree.parse(EXAMPLES / "midgame.svg").getroot()
    drawn = ElementTree.fromstring(
        draw_picture(observation, engine.recommend(observation, Limits(iterations=1000)))
    )
    for root in (shown, drawn):
        root.remove(root.findall("{*}g")[1])
        root.set("height", "")
        root.set("viewBox", "")
        root.find("{*}rect").set("height", "")  # type: ignore[union-attr]  # the paper
    assert _text_of(shown) == _text_of(drawn)


def _text_of(root: ElementTree.Element) -> str:
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode")


def test_the_frontend_prints_a_move(loop: LoopThread) -> None:
    server = RunningServer(loop, ServerConfig(port=0, grace_seconds=0.0), engine)
    command = [sys.executable, str(EXAMPLES / "frontend.py"), str(EXAMPLES / "midgame.json")]
    result = subprocess.run(
        [*command, server.address], capture_output=True, text=True, timeout=60, check=True
    )
    server.drain()

    assert result.stdout.startswith("play k7   (wins ")


@pytest.mark.parametrize("name", ["frontend.py", "play_game.py"])
def test_without_arguments_an_example_tells_its_usage(name: str) -> None:
    result = subprocess.run(
        [sys.executable, str(EXAMPLES / name)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(f"usage: python {name} ")
    assert len(result.stderr.splitlines()) == 1


def test_the_readme_shows_the_frontend_as_it_is() -> None:
    source = (EXAMPLES / "frontend.py").read_text(encoding="utf-8")
    code = source[source.index("import sys") :]

    assert code in (ROOT / "README.md").read_text(encoding="utf-8")


def test_a_game_in_python(loop: LoopThread) -> None:
    server = RunningServer(loop, ServerConfig(port=0, grace_seconds=0.0), engine)
    command = [sys.executable, str(EXAMPLES / "play_game.py"), server.address, "50", "3"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    server.drain()

    _check_game(result.stdout)


def test_a_game_in_typescript() -> None:
    """The example starts its own service and its own table."""
    program = str(Path(sys.executable).with_name("solstis-ai"))
    result = subprocess.run(
        ["npm", "start", "--silent"],
        cwd=npm_project(),
        env={**os.environ, "SOLSTIS_AI": program},
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )

    _check_game(result.stdout)


def _check_game(output: str) -> None:
    """Both sides decide, and the last two lines tell the result."""
    *moves, scores, end = output.splitlines()
    assert {line.partition(":")[0] for line in moves} == {"AI", "random"}
    assert len(moves) > 20
    assert re.fullmatch(r"AI \d+, random \d+", scores)
    assert re.fullmatch(r"a draw|seat [01] wins", end)


def test_the_demo_shows_the_whole_path() -> None:
    result = subprocess.run(
        [sys.executable, str(EXAMPLES / "demo.py")],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    for words in ("listens on 127.0.0.1:", "Hand      o4  b7  [k7]", "Move: play", "play o4"):
        assert words in result.stdout
    assert "\n- " in result.stdout, "a reason"
    assert result.stdout.splitlines()[-1] == "the service has stopped"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize(("method", "told"), [("RecommendMove", "text"), ("GetEngineInfo", "")])
def test_the_curl_commands_of_the_documentation(loop: LoopThread, method: str, told: str) -> None:
    text = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ (curl (?:.*\\\n)*.*)$", text, flags=re.MULTILINE)
    (command,) = [it for it in commands if f"/{method} " in it]
    server = RunningServer(loop, ServerConfig(port=0, web_port=0, grace_seconds=0.0), engine)
    assert server.server.web_url is not None
    here = command.replace("http://127.0.0.1:8080", server.server.web_url)
    result = subprocess.run(
        ["bash", "-c", here], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    server.drain()

    answer = json.loads(result.stdout)
    if told:
        assert answer["analysis"][told] == "play k7"
        assert answer["analysis"]["iterations"] == "1000"
    else:
        assert answer["rulesVersion"] == engine.RULES_VERSION
