"""The guard on instruction counts."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import cost_by_function
import instructions as guard
import pytest
import tasks
from click.testing import CliRunner

from solstis_ai import instructions
from solstis_ai.cli import main
from solstis_ai.search.dispatch import C_COMPILER_VERSION, CYTHON_VERSION, available_levels

needs_valgrind = pytest.mark.skipif(
    not instructions.available(), reason="valgrind is not installed"
)


def record(figure: float, compiler: str = "12.2.0") -> guard.Record:
    return guard.Record(compiler, "3.1.0", {"x86-64-v3": {"random game": figure}})


@pytest.mark.parametrize(
    ("found", "compiler", "status"),
    [
        (1_000.0, "12.2.0", 0),
        (1_029.0, "12.2.0", 0),
        (1_031.0, "12.2.0", 1),
        (500.0, "12.2.0", 0),
        (1_200.0, "13.1.0", 0),
        (1_260.0, "13.1.0", 1),
    ],
)
def test_bounds(
    found: float, compiler: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guard.check(record(1_000.0), record(found, compiler)) == status
    said = capsys.readouterr()
    assert ("CHANGELOG.md" in said.err) == (status == 1)
    warning = f"WARNING: compiled by C compiler {compiler}, recorded with 12.2.0"
    assert (warning in said.err) == (compiler != "12.2.0")


@pytest.mark.parametrize("cython", ["3.1.0", "3.1.9"])
def test_code_of_the_same_cython_is_compared(cython: str) -> None:
    assert guard.other_cython(record(1_000.0), cython) == ""


@pytest.mark.parametrize("cython", ["3.2.0", "3.10.0", "4.1.0", "3.0.11"])
def test_code_of_another_cython_is_not_compared(
    cython: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    record(1_000.0).write(tmp_path / "figures.json")
    monkeypatch.setattr(guard, "CYTHON_VERSION", cython)
    monkeypatch.setattr(guard, "_can_count", lambda _levels: "")
    monkeypatch.setattr(guard, "count_all", None)
    monkeypatch.setattr(
        "sys.argv", ["instructions", "--check", "--figures", str(tmp_path / "figures.json")]
    )
    assert guard.main() == 2
    said = capsys.readouterr().err
    assert f"compiled by Cython {cython}, recorded with 3.1.0" in said
    assert "Build anew with Cython 3.1: make clean guard" in said
    assert "benchmarks/instructions.py --record" in said


def test_the_recorded_cython_is_the_one_that_is_installed() -> None:
    pin = f"Cython=={guard.Record.read(guard.FIGURES).cython_minor}.*"
    project = tomllib.loads((tasks.ROOT / "pyproject.toml").read_text())["project"]
    assert pin in project["optional-dependencies"]["dev"]
    assert f"CYTHON := {pin}\n" in (tasks.ROOT / "Makefile").read_text()


def test_figure_that_is_not_recorded_fails(capsys: pytest.CaptureFixture[str]) -> None:
    recorded = guard.Record("12.2.0", "3.1.0", {})
    assert guard.check(recorded, record(1_000.0)) == 1
    assert "nothing is recorded" in capsys.readouterr().out


def test_all_figures_are_recorded() -> None:
    recorded = guard.Record.read(guard.FIGURES)
    assert set(recorded.instructions) == set(guard.LEVELS)
    for figures in recorded.instructions.values():
        assert set(figures) == set(guard.COUNTED)


def test_record_is_written_as_read(tmp_path: Path) -> None:
    record(1_000.0).write(tmp_path / "figures.json")
    assert guard.Record.read(tmp_path / "figures.json") == record(1_000.0)


def test_without_valgrind_the_guard_does_not_pass() -> None:
    done = subprocess.run(
        [sys.executable, guard.__file__, "--check"],
        env={**os.environ, "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "valgrind is not installed" in done.stderr


def test_without_valgrind_bench_prints_null(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    arguments = ["bench", "playouts", "--seconds", "0.05", "--json", "--instructions"]
    result = CliRunner().invoke(main, arguments)
    assert json.loads(result.stdout)["instructions"] is None
    assert "valgrind is not installed" in result.stderr
    with pytest.raises(instructions.CountingError, match="not installed"):
        instructions.run_callgrind(Path("out"), [])


@needs_valgrind
def test_bench_counts_instructions() -> None:
    arguments = ["bench", "determinization", "--seconds", "0.05", "--json", "--instructions"]
    result = CliRunner().invoke(main, arguments)
    assert 20 < json.loads(result.output)["instructions"] < 2_000


@needs_valgrind
def test_failure_under_valgrind_is_an_error() -> None:
    with pytest.raises(instructions.CountingError, match="python"):
        instructions.count("playouts", "no variant")


def test_names_of_functions() -> None:
    c_name = "__pyx_f_10solstis_ai_5_fast_5rules_play_tile"
    assert cost_by_function.readable(c_name) == "rules.play_tile"
    assert cost_by_function.readable("solstis_next") == "inline C: next"


PROFILE = """\
fl=(1) /build/kernel.c
fn=(1) f
10 5
+2 7
cfi=(2) /build/other.c
cfn=(2) g
calls=1 3
* 100
fi=(3) /usr/lib/gcc/include/bmi2intrin.h
12 50
fe=(1)
-3 1

fl=(2)
fn=(2)
3 100
fi=(3)
12 1000
"""


def test_costs_by_line_leave_out_calls_and_other_functions() -> None:
    found = cost_by_function.line_costs(iter(PROFILE.splitlines()), "kernel.c")
    assert found == {10: 5, 12: 7, 9: 1, 0: 50}


def test_headers_have_a_row_of_their_own(tmp_path: Path) -> None:
    source = tmp_path / "kernel.c"
    source.write_text("\n" * 7 + "static CYTHON_INLINE int __pyx_f_4game_5rules_step(int n) {\n")
    costs = cost_by_function.line_costs(iter(PROFILE.splitlines()), "kernel.c")
    found = cost_by_function.by_function(costs, source)
    assert found == {"rules.step": 13, "compiler headers": 50}


# ---- a planted slowdown ------------------------------------------------------------------


def build_in_copy(folder: Path, module: str, level: str) -> None:
    """Compile one module of a copied source tree anew."""
    setup = (folder / "setup.py").read_text()
    all_modules = "[extension(*module) for module in MODULES.items()]"
    assert all_modules in setup
    one = setup.replace(all_modules, f"[extension({module!r}, {level!r})]")
    (folder / "setup_one.py").write_text(one)
    command = [sys.executable, "setup_one.py", "-q", "build_ext", "--inplace", "--force"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def run_guard(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "benchmarks/instructions.py", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


SLOWDOWN = '''
cdef extern from *:
    """
    static inline void planted(void) { for (volatile int i = 0; i < 60; i++); }
    """
    void planted() noexcept nogil
'''


def plant_slowdown(folder: Path) -> None:
    """Make a random game of a copied source tree a few percent dearer, and not another one."""
    source = folder / "solstis_ai" / "_fast" / "playout.pxd"
    before, end = source.read_text(), "        add_game(totals, &s)\n"
    head = "\ncdef struct PlayoutTotals:\n"
    assert before.count(end) == before.count(head) == 1
    source.write_text(
        before.replace(head, SLOWDOWN + head).replace(end, end + "        planted()\n")
    )


@needs_valgrind
@pytest.mark.timeout(600)
def test_planted_slowdown_of_a_few_percent_fails(tmp_path: Path) -> None:
    level = "x86-64-v3"
    if level not in available_levels():
        pytest.skip(f"this machine has no {level}")
    folder = tmp_path / "copy"
    for name in ("solstis_ai", "benchmarks"):
        shutil.copytree(tasks.ROOT / name, folder / name)
    shutil.copy(tasks.ROOT / "setup.py", folder)
    (folder / "tests").mkdir()
    what = ["--level", level, "--only", "random game", "--figures", "figures.json"]
    assert run_guard(folder, "--record", *what).returncode == 0

    plant_slowdown(folder)
    build_in_copy(folder, "solstis_ai.search.kernel_x86_64_v3", level)
    failed = run_guard(folder, "--check", *what)
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert "CHANGELOG.md" in failed.stderr
    found = re.search(
        r"FAIL x86-64-v3, random game: .*, \+([\d.]+)% \(at most \+3%\)", failed.stdout
    )
    assert found is not None, failed.stdout
    assert 3 < float(found[1]) < 7  # neither another bound nor another engine


def test_recorded_tools_are_named() -> None:
    recorded = guard.Record.read(guard.FIGURES)
    assert recorded.compiler
    assert recorded.cython
    assert C_COMPILER_VERSION
    assert CYTHON_VERSION


@pytest.mark.parametrize("part", [("--only", "random game"), ("--level", "x86-64-v2")])
def test_a_part_of_the_figures_does_not_replace_them_all(part: tuple[str, ...]) -> None:
    before = guard.FIGURES.read_bytes()
    command = [sys.executable, guard.__file__, "--record", *part]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "leave out --level and --only" in done.stderr
    assert guard.FIGURES.read_bytes() == before
