"""benchmarks/load_curve.py: the knee, the table and the files that it writes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click import ClickException
from click.testing import CliRunner
from load_curve import knee, main, table, write

from solstis_ai.load import LoadPlan, LoadReport

BEGIN, END = "<!-- load_curve.py: begin -->", "<!-- load_curve.py: end -->"


def report(rate: float, refused: int = 0, truncated: int = 0, missed: int = 0) -> LoadReport:
    plan = LoadPlan(rate, 100 / rate, 1)
    codes = {"OK": 100 - refused, "RESOURCE_EXHAUSTED": refused}
    return LoadReport(plan, 100, codes, {"p50": 0.01, "p95": 0.02, "p99": 0.03}, missed, truncated)


@pytest.mark.parametrize(
    ("trouble", "bend"),
    [
        ({}, 40.0),
        ({"refused": 1}, 40.0),
        ({"refused": 2}, 10.0),
        ({"truncated": 2}, 10.0),
        ({"missed": 1}, 10.0),
    ],
)
def test_the_knee_is_the_last_rate_without_trouble(trouble: dict[str, int], bend: float) -> None:
    assert knee([report(10), report(20, **trouble), report(40)]) == bend


def test_there_may_be_no_knee() -> None:
    assert knee([report(10, refused=50)]) is None


def test_a_row_tells_the_figures() -> None:
    assert "| 20 | 0.0 | 10 | 20 | 30 | 3 | 0 | 0 | 0 |" in table(1, [report(20, refused=3)])


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs Linux")
def test_it_measures_and_draws(tmp_path: Path) -> None:
    options = ["--seconds", "0.5", "--rates", "10,20", "--iterations", "50"]
    before = os.sched_getaffinity(0)
    document = tmp_path / "operations.md"
    document.write_text(f"before\n{BEGIN}\nold figures\n{END}\nafter\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["--docs", str(tmp_path), *options])

    assert result.exit_code == 0, result.output
    curves = json.loads((tmp_path / "load.json").read_text(encoding="utf-8"))["curves"]
    assert set(curves) == {"1", "2"} if len(before) > 1 else {"1"}
    assert all([point["requests"] for point in curve] == [5, 10] for curve in curves.values())
    assert (tmp_path / "load.svg").read_text(encoding="utf-8").count("<svg") == 1
    text = document.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{BEGIN}\nOpening of the base game, 50 iterations a move")
    assert text.endswith(f"{END}\nafter\n")
    assert "old figures" not in text
    assert text.count("| 20 | ") == len(curves)
    assert os.sched_getaffinity(0) == before
    assert result.output.index("1 core, 10 a") < result.output.index("2 cores, 10 a")
    assert result.output.index("2 cores, 10 a") < result.output.index("1 core, 20 a")


def test_a_document_without_a_part_for_the_figures_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "operations.md").write_text("nothing\n", encoding="utf-8")
    with pytest.raises(ClickException, match="has no part"):
        write(tmp_path, {1: [report(10)]}, "conditions")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--rates", "10,fast"], "could not convert string to float: 'fast'"),
        (["--rates", "10,0"], "rate: 0.0 is not a finite number above 0"),
        (["--seconds", "nan"], "seconds: nan is not a finite number above 0"),
        (["--deadline", "-1"], "deadline: -1.0 is not a finite number above 0"),
        (["--iterations", "0"], "'--iterations': 0 is not in the range"),
        (["--docs", "nowhere"], "'nowhere' does not exist"),
        ([], "operations.md"),
    ],
)
def test_what_cannot_be_measured_is_refused_at_once(
    options: list[str], error: str, tmp_path: Path
) -> None:
    result = CliRunner().invoke(main, ["--docs", str(tmp_path), *options])
    assert result.exit_code in (1, 2)
    assert error in result.output
    assert "Traceback" not in result.output
    assert not list(tmp_path.iterdir())


def test_the_document_has_a_part_for_the_figures() -> None:
    text = (Path(__file__).parents[1] / "docs" / "operations.md").read_text(encoding="utf-8")
    part = text.partition(BEGIN)[2].partition(END)[0]
    assert "**1 core, " in part
    assert "**2 cores, " in part
