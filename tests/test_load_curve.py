"""benchmarks/load_curve.py: the knee, the table and the files that it writes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from load_curve import knee, main, table

from solstis_ai.load import LoadPlan, LoadReport


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
    result = CliRunner().invoke(main, ["--out", str(tmp_path / "curve"), *options])

    assert result.exit_code == 0, result.output
    curves = json.loads((tmp_path / "curve.json").read_text(encoding="utf-8"))["curves"]
    assert [point["requests"] for point in curves["1"]] == [5, 10]
    assert (tmp_path / "curve.svg").read_text(encoding="utf-8").count("<svg") == 1
    assert os.sched_getaffinity(0) == before
