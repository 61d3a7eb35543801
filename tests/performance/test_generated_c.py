"""No Python object is touched in the loops; and the check of that finds what is planted."""

from __future__ import annotations

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
