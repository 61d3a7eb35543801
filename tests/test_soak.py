"""Two minutes of ``make soak``, and its judgement."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "soak.py"


@pytest.fixture(scope="module")
def soak() -> ModuleType:
    spec = importlib.util.spec_from_file_location("soak", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["soak"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.timeout(240)
def test_two_minutes_of_mixed_traffic_change_nothing() -> None:
    command = [sys.executable, str(SCRIPT), "--minutes", "2", "--json"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=220, check=False)

    assert result.returncode == 0, result.stdout + result.stderr
    assert sum(json.loads(result.stdout)["codes"].values()) > 500


def report_of(soak: ModuleType) -> object:
    """A report without a breach."""
    report = soak.Report(health_seconds=[0.001] * 100)
    report.samples = [soak.Sample(float(n), 1000, 20, 10) for n in range(90)]
    for kind in set(soak.KINDS):
        report.codes[kind.__name__, "OK"] = 100
    return report


def test_a_good_report_has_no_breach(soak: ModuleType) -> None:
    report = report_of(soak)
    soak._judge(report)
    assert report.breaches == []  # type: ignore[attr-defined]  # a module loaded by path
    assert "BREACH" not in soak.table(report)


def test_the_trees_of_running_searches_are_no_growth(soak: ModuleType) -> None:
    report = report_of(soak)
    for sample in report.samples[60:]:  # type: ignore[attr-defined]  # a module loaded by path
        sample.rss_kib += 500 if sample.second % 5 else 0
    soak._judge(report)
    assert report.breaches == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("change", "breach"),
    [
        ("report.codes['stream', 'INTERNAL'] = 1", "1 times INTERNAL in stream"),
        ("report.codes['stream', 'DEADLINE_EXCEEDED'] = 1", "DEADLINE_EXCEEDED in stream"),
        ("report.codes['by_deadline', 'DEADLINE_EXCEEDED'] = 19", "19 of 119 deadlines missed"),
        ("del report.codes['stream', 'OK']", "never made"),
        ("report.health_seconds += [1.0] * 5", "health checks took 1000 ms"),
        ("[setattr(it, 'rss_kib', 1060) for it in report.samples[60:]]", "rss_kib grew"),
        ("[setattr(it, 'descriptors', 30) for it in report.samples[60:]]", "descriptors grew"),
        ("[setattr(it, 'threads', 20) for it in report.samples[60:]]", "threads grew"),
    ],
)
def test_a_breach_is_found(soak: ModuleType, change: str, breach: str) -> None:
    report = report_of(soak)
    exec(change, {"report": report})
    soak._judge(report)

    (found,) = report.breaches  # type: ignore[attr-defined]  # a module loaded by path
    assert breach in found
    assert f"BREACH: {found}" in soak.table(report)
