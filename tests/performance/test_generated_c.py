"""No Python object is touched in the loops; and the check of that finds what is planted."""

from __future__ import annotations

import shutil
from pathlib import Path

import check_generated_c as check
import pytest

GENERATED = """\
static CYTHON_INLINE int __pyx_f_4game_5rules_step(int __pyx_v_n) {
  /* "rules.pxd":1 mentions PyErr_Occurred */
  return __pyx_v_n + 1;
}

static CYTHON_INLINE void __pyx_f_4game_6search_iterate_many(struct run *__pyx_v_run) {
  __pyx_v_run->n = __pyx_f_4game_5rules_step(__pyx_v_run->n);
}

static void __pyx_f_4game_6search_not_in_a_loop(void) {
  PyErr_Clear();
}
"""


def test_loops_of_the_engine() -> None:
    modules, directives = check.settings()
    assert "solstis_ai.search.kernel_baseline" in modules
    assert {check.loops_of(module) for module in modules} == {
        check.LOOPS,
        check.OUTLOOK_LOOPS,
        check.TEAM_LOOPS,
        check.EXACT_LOOPS,
        (),
    }
    assert directives["cdivision"] is True
    assert list(check.problems()) == []


def test_every_kernel_of_the_table_is_a_loop() -> None:
    assert set(check.LOOPS) >= {
        "play_games",
        "iterate_many",
        "play_match_game",
        "list_all_moves",
        "sample_worlds",
    }


TABLE = """\
cdef struct Kernels:
    void (*step)(State*) noexcept nogil
    uint64_t (*count_all)(const State*, int64_t) noexcept nogil


cdef inline void fill_kernels(Kernels* table) noexcept:
    table.step = step
"""


def test_names_in_a_table() -> None:
    assert check.kernels_of(TABLE) == ("step", "count_all")


@pytest.mark.parametrize(
    "wrong", [TABLE.replace(") noexcept nogil\n\n", ")\n\n"), TABLE.replace("Kernels", "Table"), ""]
)
def test_table_that_cannot_be_read_is_an_error(wrong: str) -> None:
    with pytest.raises(LookupError, match=r"kernels\.pxd: each line of struct Kernels"):
        check.kernels_of(wrong)


def test_python_in_a_match_game_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(
        check.ROOT / "solstis_ai",
        tmp_path / "solstis_ai",
        ignore=shutil.ignore_patterns("*.so", "*.c", "*.npz", "__pycache__"),
    )
    source = tmp_path / "solstis_ai" / "search" / "match_game.pxd"
    begin = "    game.moved = 0\n"
    assert source.read_text().count(begin) == 1
    planted = begin + "    with gil:\n        print(game.moved)\n"
    source.write_text(source.read_text().replace(begin, planted))
    _, directives = check.settings()
    monkeypatch.setattr(check, "ROOT", tmp_path)
    c_text, _ = check.translate("solstis_ai.search.kernel_baseline", directives, tmp_path)
    _, uses = check.python_names(c_text)
    assert any("play_match_game: " in use for use in uses)


def test_functions_outside_the_loops_may_use_python() -> None:
    assert check.python_names(GENERATED, ("iterate_many",)) == (2, [])


@pytest.mark.parametrize("planted", ["PyErr_Occurred()", "__Pyx_INCREF(x)", "(PyObject*)x"])
def test_planted_use_is_found(planted: str) -> None:
    text = GENERATED.replace("return __pyx_v_n + 1", f"{planted}; return 1")
    number, [use] = check.python_names(text, ("iterate_many",))
    assert number == 2
    assert use.startswith("__pyx_f_4game_5rules_step: ")


def test_missing_loop_is_an_error() -> None:
    with pytest.raises(LookupError, match="play_games"):
        check.python_names(GENERATED, ("play_games",))


def test_performance_hint_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hot.pyx").write_text(
        "cdef void step(int n) nogil:\n    pass\n\ncdef void loop(int n) nogil:\n    step(n)\n"
    )
    monkeypatch.setattr(check, "ROOT", tmp_path)
    _, remarks = check.translate("hot", {"language_level": 3}, tmp_path)
    assert any("performance hint" in remark for remark in remarks)


def test_module_that_does_not_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hot.pyx").write_text("cdef int = \n")
    monkeypatch.setattr(check, "ROOT", tmp_path)
    with pytest.raises(RuntimeError, match="hot does not compile"):
        check.translate("hot", {}, tmp_path)
