"""The benchmark scripts and `solstis-ai bench` run, and refuse an engine that has changed."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Never

import harness
import pytest
import request
import tasks
from click.testing import CliRunner

from solstis_ai import benchmark, bridge
from solstis_ai._fast import ChanceFeed
from solstis_ai.cli import main
from solstis_ai.search.dispatch import available_levels, processor_level, use_level
from solstis_ai.search.loops import list_all_moves, sample_worlds
from solstis_ai.validation import validate

SCRIPTS = Path(harness.__file__).parent


def run_script(name: str, *arguments: str) -> list[Any]:
    command = [sys.executable, str(SCRIPTS / f"{name}.py"), "--json", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("name", "arguments", "figures"),
    [
        ("playouts", (), 1),
        ("playouts", ("--variant", "fireflies"), 1),
        ("move_generation", (), 1),
        ("determinization", (), 2),
        ("search", ("--iterations", "2000", "20000"), 4),
        ("request", ("--iterations", "1"), 2),
    ],
)
def test_script_prints_figures(name: str, arguments: tuple[str, ...], figures: int) -> None:
    found = run_script(name, "--seconds", "0.05", *arguments)
    assert len(found) == figures
    assert all(figure["rate"] > 0 and figure["work"] > 0 for figure in found)


def test_forecasts_of_both_policies_are_compared() -> None:
    rows = run_script("outlook", "--games", "2", "--iterations", "40")
    assert {(row["policy"], row["deck_from"]) for row in rows} == {
        (policy, deck) for policy in ("plausible", "random") for deck in (0, 10, 20)
    }
    assert all(row["root_mean_square"] >= abs(row["bias"]) for row in rows)
    assert all(row["positions"] > 1 for row in rows)


@pytest.mark.parametrize("name", ["playouts", "move_generation"])
def test_script_compares_with_oracle(name: str) -> None:
    [found] = run_script(name, "--seconds", "0.05", "--against", "oracle", "--pairs", "3")
    assert len(found["ratios"]) == 3
    assert min(found["ratios"]) > 20


def test_several_threads_are_compared_with_one() -> None:
    options = ("--against", "one-thread", "--pairs", "1", "--seconds", "0.05")
    found = run_script("search", *options, "--iterations", "100", "50000", "--threads", "1", "2")
    assert [(row["iterations"], row["threads"]) for row in found] == [(100, 2), (50_000, 2)]
    assert all(row["turns"] >= 2 for row in found)
    ratios = ("fastest", "median", "mean", "offered", "of_offered")
    assert all(0.1 < row[kind] < 4 for row in found for kind in ratios)


def test_searches_apart_have_no_team(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(threads: int) -> Never:
        raise AssertionError(f"a team of {threads}")

    monkeypatch.setattr(tasks, "_team_of", refuse)
    assert tasks.search(iterations=2_000, threads=2, apart=True)() == 2_000
    with pytest.raises(AssertionError, match="a team of 2"):
        tasks.search(iterations=2_000, threads=2)()


@pytest.mark.parametrize(
    ("script", "options", "error"),
    [
        (
            "search",
            ("--against", "one-thread", "--threads", "1"),
            "--threads needs a number above 1",
        ),
        ("search", ("--iterations", "2", "--threads", "3"), "--iterations must be at least"),
        ("search", ("--iterations", "0"), "--iterations: 0 is not from 1 to 1,000,000,000"),
        ("search", ("--iterations", "99999999999"), "--iterations: '99999999999' is no whole"),
        ("search", ("--threads", "300"), "--threads: 300 is not from 1 to 256"),
        ("search", ("--threads", "-1"), "--threads: '-1' is no whole number from 1 to 256"),
        ("search", ("--seconds", "nan"), "--seconds: 'nan' is no time above 0"),
        ("playouts", ("--against", "oracle", "--pairs", "0"), "--pairs: 0 is not from 1"),
        ("playouts", ("--seconds", "inf"), "--seconds: 'inf' is no time above 0"),
        ("request", ("--iterations", "0"), "--iterations: 0 is not from 1"),
        ("growth", ("--rounds", "0"), "--rounds: 0 is not from 1"),
        ("outlook", ("--games", "no"), "--games: 'no' is no whole number"),
        ("cost_by_function", ("search", "--top", "0"), "--top: 0 is not from 1"),
        (
            "playouts",
            ("--against", "no-such-side"),
            "--against: 'no-such-side' is not possible; choose oracle or a revision of this git",
        ),
        (
            "search",
            ("--against", "oracle"),
            "--against: 'oracle' is not possible; choose one-thread or a revision of this git",
        ),
        (
            "determinization",
            ("--against", "oracle"),
            "--against: 'oracle' is not possible; choose a revision of this git",
        ),
        (
            "instructions",
            ("--check", "--figures", "nowhere.json"),
            "--figures: [Errno 2] No such file or directory: 'nowhere.json'",
        ),
        (
            "instructions",
            ("--check", "--figures", __file__),
            "is no file that --record has written",
        ),
        ("instructions", ("--record", "--figures", "nowhere/a.json"), "there is no folder nowhere"),
        ("regret", ("--iterations", "1"), "--iterations: 1 is not from 2 to 1,000,000,000"),
        ("regret", ("--positions", "1"), "--positions: 1 is not from 2"),
        ("regret", ("--hardest", "1"), "--hardest: 1 is not from 2"),
        ("regret", ("--seeds", "1001"), "--seeds: 1001 is not from 1 to 1,000"),
        ("regret", ("--first-seed", "-1"), "--first-seed: '-1' is no whole number from 0"),
        ("regret", ("--references", __file__), "test_benchmarks.py, line 1 is no judgement"),
        ("regret", ("--references", f"{__file__}/x"), "--references: [Errno "),
        ("plots", ("--measured", "nowhere.json"), "No such file or directory: 'nowhere.json'"),
        ("plots", ("--measured", __file__), "is no file that growth.py has written"),
        ("growth", ("--out", "/dev/null/figures.json"), "--out: "),
        ("regret", ("--positions", "5", "--hardest", "10"), "--hardest: 10"),
        ("plots", ("--folder", "nowhere"), "No such file or directory: 'nowhere"),
    ],
)
def test_numbers_that_mean_nothing_are_refused(
    script: str, options: tuple[str, ...], error: str
) -> None:
    command = [sys.executable, str(SCRIPTS / f"{script}.py"), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert error in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "script",
    [
        *("playouts", "search", "determinization", "move_generation", "request", "growth"),
        *("cost_by_function", "instructions", "regret", "outlook", "load_curve"),
    ],
)
def test_a_level_that_there_is_not_is_refused(script: str) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPTS / f"{script}.py")],
        env={**os.environ, "SOLSTIS_LEVEL": "x86-64-v9"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("SOLSTIS_LEVEL: processor level 'x86-64-v9' is not available")
    assert "choose from baseline" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("*.py")), ids=lambda path: path.stem)
def test_every_program_explains_itself(script: Path) -> None:
    if "ArgumentParser" not in script.read_text() and "harness.parser" not in script.read_text():
        return
    if script.stem in {"harness", "plots"}:  # no program; needs an extra
        return
    done = subprocess.run(
        [sys.executable, str(script), "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "usage" in done.stdout


def test_changed_result_is_not_timed() -> None:
    with pytest.raises(SystemExit, match="signature: 1, but it must be 2; nothing is measured"):
        harness.require("signature", 1, 2)


WRONG_SIGNATURES: dict[str, Any] = {
    "benchmark.PLAYOUT_SIGNATURES": dict.fromkeys(benchmark.VARIANTS, 1),
    "benchmark.SEARCH_SIGNATURES": {
        evaluation: dict.fromkeys(benchmark.VARIANTS, 1)
        for evaluation in benchmark.SEARCH_SIGNATURES
    },
    "benchmark.DETERMINIZATION_SIGNATURE": 1,
}
ARGUMENTS_OF_CHECKED = {
    "growth": ["--rounds", "1", "--seconds", "0.001", "--out", "unwritten.json"],
    "cost_by_function": ["playouts"],
    "instructions": ["--level", "x86-64-v2", "--only", "random game"],
}
WRONG = [
    ("playouts", "benchmark.PLAYOUT_SIGNATURES"),
    ("search", "benchmark.SEARCH_SIGNATURES"),
    ("determinization", "benchmark.DETERMINIZATION_SIGNATURE"),
    *((script, what) for script in ARGUMENTS_OF_CHECKED for what in WRONG_SIGNATURES),
]


class MeasuredError(AssertionError):
    """Something was measured that should have been refused."""


@pytest.fixture
def nothing_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every way to measure fails, so that a missing check is told at once."""

    def refuse(*_arguments: object, **_options: object) -> Never:
        raise MeasuredError

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("harness.measure", refuse)
    monkeypatch.setattr("growth.best_of", refuse)
    monkeypatch.setattr("cost_by_function.count_instructions", refuse)
    monkeypatch.setattr("instructions.count_all", refuse)
    monkeypatch.setattr("instructions._can_count", lambda _levels: "")


def run_main(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ARGUMENTS_OF_CHECKED.get(script, [])
    if "x86-64-v2" in arguments and "x86-64-v2" not in available_levels():
        pytest.skip("this machine has no x86-64-v2")
    monkeypatch.setattr("sys.argv", [script, *arguments])
    importlib.import_module(script).main()


def refusal_of(script: str, monkeypatch: pytest.MonkeyPatch) -> str:
    with pytest.raises(SystemExit) as refused:
        run_main(script, monkeypatch)
    return str(refused.value)


@pytest.mark.usefixtures("nothing_measured")
@pytest.mark.parametrize(("script", "what"), WRONG)
def test_engine_with_another_signature_is_not_measured(
    script: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"solstis_ai.{what}", WRONG_SIGNATURES[what])
    assert "it must be" in refusal_of(script, monkeypatch)


@pytest.mark.usefixtures("nothing_measured")
@pytest.mark.parametrize("script", ["playouts", "search", "determinization", *ARGUMENTS_OF_CHECKED])
def test_engine_with_the_recorded_signature_is_measured(
    script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(MeasuredError):
        run_main(script, monkeypatch)


@pytest.mark.usefixtures("nothing_measured")
def test_other_decisions_are_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("move_generation.MOVES", 1)
        assert "legal decisions of all positions" in refusal_of("move_generation", patched)
    states, legal = tasks.recorded_states()
    more = [number and number + 1 for number in legal]
    monkeypatch.setattr(tasks, "recorded_states", lambda: (states, more))
    assert "legal decisions: " in refusal_of("move_generation", monkeypatch)


@pytest.mark.usefixtures("nothing_measured")
def test_other_answers_are_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("request.KNOWN_VISITS", {"play o8": 1_000})
        assert "visits: " in refusal_of("request", patched)
    in_process = request.in_process

    def other(*asked: Any) -> Any:
        return replace(in_process(*asked), win_probability=0.0)

    monkeypatch.setattr(request, "in_process", other)
    assert "answer over gRPC: " in refusal_of("request", monkeypatch)


def test_worker_refuses_another_checkout(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPTS / "worker.py"), "playouts", "{}", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "solstis_ai comes from" in done.stderr


def test_recorded_positions_list_their_recorded_moves() -> None:
    states, legal = tasks.recorded_states()
    known = [number for number in legal if number is not None]
    assert len(known) == 879
    for state, number in zip(states, legal, strict=True):
        assert number is None or state.legal_count() == number
    assert list_all_moves(states, 3)[0] == 3 * sum(state.legal_count() for state in states)


def test_loops_give_the_same_at_every_level() -> None:
    states, _ = tasks.recorded_states()
    before = processor_level()
    results = set()
    for level in available_levels():
        use_level(level)
        results.add((list_all_moves(states, 1), benchmark.determinization_signature()))
    use_level(before)
    assert len(results) == 1


def test_observation_with_known_and_excluded_tiles() -> None:
    seen = benchmark.known_and_excluded()
    validate(seen)
    knowledge = bridge.knowledge_of_observation(seen)
    known = bridge.board(seen.opponent_known_tiles)
    excluded = bridge.board(seen.opponent_excluded_tiles)
    assert known.bit_count() == 1
    assert excluded.bit_count() == 3
    hands = {
        knowledge.sample(ChanceFeed.random(seed)).fields()["sides"][1]["hand"]
        for seed in range(200)
    }
    assert len(hands) == 10  # three of five
    assert all(hand & known and not hand & excluded and hand.bit_count() == 4 for hand in hands)
    assert sample_worlds(knowledge, 100, 1) != sample_worlds(knowledge, 100, 2)


def test_search_piece_does_all_iterations() -> None:
    assert tasks.search(iterations=100, threads=3)() == 99
    assert benchmark.searches("base", 100, 3)()[0] == 100


# ---- solstis-ai bench --------------------------------------------------------------------


@pytest.mark.parametrize("name", ["playouts", "search", "determinization"])
def test_bench_prints_json(name: str) -> None:
    result = CliRunner().invoke(main, ["bench", name, "--seconds", "0.05", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)
    assert found["rate"] > 0
    assert found["threads"] == 1
    assert found["instructions"] is None
    assert found["processor_level"] == processor_level()
    assert int(found["signature"], 16) > 0


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--threads", "2", "--instructions"], "--instructions counts a search of one thread"),
        (["--iterations", "1000000001"], "'--iterations': 1000000001 is not in the range"),
        (["--iterations", "255", "--threads", "256"], "--iterations must be at least --threads"),
        (["--evaluation", "guesses"], "'guesses' is not one of 'network', 'playouts'"),
    ],
)
def test_bench_search_refuses(options: list[str], error: str) -> None:
    result = CliRunner().invoke(main, ["bench", "search", *options])
    assert result.exit_code == 2
    assert error in result.stderr


@pytest.mark.parametrize("evaluation", ["network", "NETWORK", "Network"])
def test_bench_search_takes_an_evaluation_in_any_case(evaluation: str) -> None:
    arguments = ["bench", "search", "--seconds", "0.05", "--json", "--evaluation", evaluation]
    assert json.loads(CliRunner().invoke(main, arguments).output)["name"] == "network search"


def test_bench_search_takes_as_many_iterations_as_threads() -> None:
    arguments = ["--iterations", "3", "--threads", "3", "--seconds", "0.01", "--json"]
    found = json.loads(CliRunner().invoke(main, ["bench", "search", *arguments]).output)
    assert (found["work"] % 3, found["threads"]) == (0, 3)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_bench_search_hears_ctrl_c(threads: str) -> None:
    arguments = ["bench", "search", "--iterations", "1000000000", "--threads", threads]
    command = [sys.executable, "-m", "solstis_ai", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(3.0)
            process.send_signal(signal.SIGINT)
            assert process.wait(30.0) == 1
        finally:
            process.kill()


def test_bench_search_with_threads() -> None:
    arguments = ["bench", "search", "--seconds", "0.05", "--threads", "2", "--json"]
    found = json.loads(CliRunner().invoke(main, arguments).output)
    assert found["threads"] == 2
    assert found["work"] % 10_000 == 0


@pytest.mark.parametrize("name", ["playouts", "search", "determinization"])
def test_bench_refuses_a_changed_engine(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "PLAYOUT_SIGNATURES", {"base": 1})
    monkeypatch.setattr(
        benchmark, "SEARCH_SIGNATURES", {way: {"base": 1} for way in benchmark.SEARCH_SIGNATURES}
    )
    monkeypatch.setattr(benchmark, "DETERMINIZATION_SIGNATURE", 1)
    result = CliRunner().invoke(main, ["bench", name, "--seconds", "0.05"])
    assert result.exit_code == 1
    assert "the engine has changed" in result.output


@pytest.mark.parametrize("variant", benchmark.VARIANTS)
def test_signatures_are_the_recorded_ones_at_every_level(variant: str) -> None:
    before = processor_level()
    for level in available_levels():
        use_level(level)
        assert benchmark.playout_signature(variant) == benchmark.PLAYOUT_SIGNATURES[variant]
        for evaluation, recorded in benchmark.SEARCH_SIGNATURES.items():
            found = benchmark.search_signature(variant, evaluation=evaluation)
            assert found == recorded[variant]
    use_level(before)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_script_compares_with_a_revision() -> None:
    inside = subprocess.run(
        ["git", "-C", str(tasks.ROOT), "rev-parse", "HEAD"], capture_output=True, check=False
    )
    if inside.returncode:
        pytest.skip("the sources are not in a git repository")
    [found] = run_script("playouts", "--seconds", "0.2", "--against", "HEAD", "--pairs", "3")
    assert len(found["ratios"]) == 3
