"""``solstis-ai recommend``: what it prints and how it fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result
from fakes.observations import OPENING
from fakes.servers import LoopThread, RunningServer

from solstis_ai.service.config import ServerConfig
from solstis_ai.wire import observation_to_json

Run = Callable[..., Result]

MIDGAME = Path(__file__).parents[2] / "examples" / "midgame.json"


def test_it_prints_position_move_and_alternatives(run: Run) -> None:
    result = run("recommend", str(MIDGAME), "--iterations", "300", "--seed", "1")

    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "OPPONENT  (base game)"
    assert "Hand      o4  b7  [k7]" in lines
    assert "Move: play k7" in result.stdout
    assert all(f"play {tile}" in result.stdout for tile in ("o4", "b7", "k7"))
    assert "300 iterations in" in result.stdout
    assert "seed 1" in result.stdout
    assert "\x1b" not in result.stdout


def test_json_is_the_analysis_of_the_wire(run: Run) -> None:
    result = run("recommend", str(MIDGAME), "--iterations", "300", "--seed", "1", "--json")

    answer = json.loads(result.stdout)
    assert answer["text"] == "play k7"
    assert answer["move"] == {"play": {"tile": "k7"}}
    assert (answer["iterations"], answer["seed"]) == ("300", "1")
    assert [len(answer["alternatives"]), answer["truncated"]] == [3, False]


def test_seed_and_iterations_repeat_the_answer(run: Run) -> None:
    def answer(seed: str) -> dict[str, object]:
        options = ("--iterations", "300", "--seed", seed, "--json")
        found: dict[str, object] = json.loads(run("recommend", str(MIDGAME), *options).stdout)
        del found["elapsedSeconds"]
        return found

    assert answer("1") == answer("1")
    assert answer("1") != answer("2")


def test_time_ends_the_search(run: Run) -> None:
    result = run("recommend", str(MIDGAME), "--time", "0.05", "--json")

    assert 0.0 < json.loads(result.stdout)["elapsedSeconds"] < 5.0


def test_threads_search_together(run: Run) -> None:
    options = ("--iterations", "301", "--threads", "2", "--json")
    one = json.loads(run("recommend", str(MIDGAME), *options[:2], "--json").stdout)
    two = json.loads(run("recommend", str(MIDGAME), *options).stdout)

    assert one["iterations"] == two["iterations"] == "301"
    assert one["alternatives"] != two["alternatives"]


def test_a_dash_reads_standard_input(run: Run) -> None:
    result = run("recommend", "-", "--iterations", "10", stdin=observation_to_json(OPENING))

    assert result.exit_code == 0
    assert "Queue     r3+  o5+  g8+" in result.stdout.replace("[", "").replace("]", "")


def test_server_asks_the_service(run: Run, loop: LoopThread) -> None:
    server = RunningServer(loop, ServerConfig(port=0, search_slots=2, grace_seconds=0.0))
    result = run(
        "recommend",
        "-",
        "--server",
        server.address,
        "--iterations",
        "7",
        "--seed",
        "5",
        "--threads",
        "2",
        stdin=observation_to_json(OPENING),
    )
    server.drain()

    assert "It is the first in the alphabet." in result.stdout
    (search,) = server.engine.searches
    assert (search.limits.iterations, search.limits.threads, search.seed) == (7, 2, 5)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "observation: must be a JSON object"),
        ("[]", "observation: must be a JSON object"),
        ('{"phase": "PHASE_PLAY"', "observation: "),
        ('{"fase": 1}', "observation"),
        ("{}", "observation.phase: is not set"),
        (
            observation_to_json(replace(OPENING, your_hand=("r1", "r1", "k4"))),
            "observation.your_hand[1]: ",
        ),
    ],
)
def test_a_bad_observation_is_one_line_and_exit_code_1(run: Run, text: str, complaint: str) -> None:
    result = run("recommend", "-", stdin=text)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {complaint}")
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


def test_a_missing_file(run: Run) -> None:
    result = run("recommend", "nowhere.json")

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[0].startswith("Usage: ")
    assert result.stderr.splitlines()[-1] == "Error: nowhere.json: No such file or directory"


def test_a_file_that_is_no_text(run: Run) -> None:
    result = run("recommend", "-", stdin=b"\xff\xfe")

    assert (result.exit_code, result.stderr) == (1, "Error: -: no UTF-8 text\n")


def test_a_server_that_is_not_there(run: Run) -> None:
    result = run("recommend", str(MIDGAME), "--server", "127.0.0.1:1")

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: UNAVAILABLE: ")
    assert len(result.stderr.splitlines()) == 1


def test_svg_draws_the_answer(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "answer.svg"
    file.write_text("something else")
    options = ("--iterations", "300", "--seed", "1")
    plain = run("recommend", str(MIDGAME), *options, "--json")
    drawn = run("recommend", str(MIDGAME), *options, "--json", "--svg", str(file))

    assert drawn.exit_code == 0
    root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.findtext("{*}title") == "Solstis: play k7"
    assert _timeless(drawn.stdout) == _timeless(plain.stdout)


def _timeless(answer: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(answer)
    del found["elapsedSeconds"]
    return found


def test_an_unwritable_picture_is_refused_before_the_search(run: Run, tmp_path: Path) -> None:
    for file, words in (
        (tmp_path / "nowhere" / "x.svg", "there is no directory"),
        (tmp_path, "is a directory"),
    ):
        result = run("recommend", str(MIDGAME), "--time", "3600", "--svg", str(file))

        assert (result.exit_code, result.stdout) == (2, "")
        assert "Invalid value for '--svg'" in result.stderr
        assert words in " ".join(result.stderr.split())


def test_a_folder_without_rights_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    result = run("recommend", str(MIDGAME), "--time", "3600", "--svg", str(tmp_path / "x.svg"))

    assert (result.exit_code, result.stdout) == (2, "")
    assert "is not writable" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    "options",
    [
        ("--iterations", "0"),
        ("--time", "0"),
        ("--time", "-1"),
        ("--time", "nan"),
        ("--time", "inf"),
        ("--timeout", "nan"),
        ("--server", ""),
        ("--threads", "0"),
        ("--seed", "-1"),
        ("--seed", str(2**64)),
        ("--colour",),
    ],
)
def test_wrong_usage_is_exit_code_2(run: Run, options: tuple[str, ...]) -> None:
    result = run("recommend", str(MIDGAME), *options)

    assert result.exit_code == 2
    assert "Usage: " in result.stderr
