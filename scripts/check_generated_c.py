"""Check that no Python object is touched in the loops of the engine.

Translates every compiled module anew and fails if Cython has a performance hint or a warning
for it, or if a function that the kernels reach from their loops names anything of Python's C
API, or of Cython's helpers for it, in the generated C.
"""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent

_TABLE = ROOT / "solstis_ai" / "search" / "kernels.pxd"
_ENTRY = re.compile(r"^    \w+ \(\*(\w+)\)\(.*\) noexcept nogil$", re.M)


def kernels_of(table: str) -> tuple[str, ...]:
    """Names of the functions in ``struct Kernels``.

    Raises:
        LookupError: If a line of it is no such function.
    """
    _, _, rest = table.partition("cdef struct Kernels:\n")
    lines, _, _ = rest.partition("\n\n")
    names = tuple(_ENTRY.findall(lines))
    if not names or len(names) != len(lines.splitlines()):
        raise LookupError(f"{_TABLE}: each line of struct Kernels must be a function without GIL")
    return names


LOOPS = kernels_of(_TABLE.read_text())
"""The functions in a table of kernels; none is written down here, so that none is forgotten."""

OUTLOOK_LOOPS = ("add_hands",)
"""The loop of solstis_ai/search/outlook.pxd."""

TEAM_LOOPS = ("grow_member",)
"""What threads of one search do besides (solstis_ai/search/team.pxd)."""

EXACT_LOOPS = ("position_value", "set_front")
"""The recursions of the exact search (solstis_ai/search/endgame.pyx)."""

MODULES_OF_LOOPS = {
    ".outlook": OUTLOOK_LOOPS,
    ".searcher": TEAM_LOOPS,
    ".endgame": EXACT_LOOPS,
}
"""Modules besides the kernels, by the end of their names."""

ALLOWED: frozenset[str] = frozenset()
"""Names of Python's C API that may stand in a loop: none do."""

_FUNCTION = re.compile(r"^static (?:CYTHON_INLINE )?[^;=]*?\b(__pyx_f_\w+)\([^;]*\) \{$", re.M)
_CALLED = re.compile(r"\b__pyx_f_\w+")
_PYTHON = re.compile(r"\b(?:_?Py[A-Z_]\w*|__Pyx_\w+|__Pyx\w+|PyObject)\b")
_COMMENT = re.compile(r"/\*.*?\*/", re.S)


def functions(c_text: str) -> dict[str, str]:
    """The body of every Cython function of a generated file, by its C name."""
    text = _COMMENT.sub("", c_text)
    return {
        found[1]: text[found.end() : text.index("\n}\n", found.end())]
        for found in _FUNCTION.finditer(text)
    }


def reachable(bodies: dict[str, str], loops: tuple[str, ...]) -> set[str]:
    """The functions that the loops call, directly or not; themselves included.

    Raises:
        LookupError: If a loop is missing.
    """
    open_ = [_full_name(bodies, loop) for loop in loops]
    seen: set[str] = set()
    while open_:
        name = open_.pop()
        if name not in seen:
            seen.add(name)
            open_.extend(called for called in _CALLED.findall(bodies[name]) if called in bodies)
    return seen


def _full_name(bodies: dict[str, str], loop: str) -> str:
    for name in bodies:
        if re.fullmatch(rf"__pyx_f_\w*\d[a-z_]+_{loop}", name):
            return name
    raise LookupError(f"no function {loop} in the generated C")


def python_names(c_text: str, loops: tuple[str, ...] = LOOPS) -> tuple[int, list[str]]:
    """How many functions the loops reach, and each use of Python in one of them."""
    bodies = functions(c_text)
    hot = reachable(bodies, loops)
    uses = [
        f"{name}: {used}"
        for name in sorted(hot)
        for used in sorted(set(_PYTHON.findall(bodies[name])) - ALLOWED)
    ]
    return len(hot), uses


# ---- translation -------------------------------------------------------------------------


def settings() -> tuple[list[str], dict[str, Any]]:
    """Modules and directives of setup.py, without building anything."""
    with mock.patch("setuptools.setup"), mock.patch("Cython.Build.cythonize"):
        found = runpy.run_path(str(ROOT / "setup.py"))
    return list(found["MODULES"]), found["DIRECTIVES"]


def loops_of(module: str) -> tuple[str, ...]:
    """The loops that a module compiles."""
    for ending, loops in MODULES_OF_LOOPS.items():
        if module.endswith(ending):
            return loops
    return LOOPS if ".kernel_" in module else ()


def translate(module: str, directives: dict[str, Any], folder: Path) -> tuple[str, list[str]]:
    """Translate one module to C in ``folder``.

    Returns:
        The C text, and the lines that Cython wrote about it.

    Raises:
        RuntimeError: If it does not compile.
    """
    source, out = ROOT / (module.replace(".", "/") + ".pyx"), folder / f"{module}.c"
    options = [f"--directive={name}={value}" for name, value in directives.items()]
    done = subprocess.run(
        [sys.executable, "-m", "cython", *options, "-o", str(out), str(source)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{module} does not compile:\n{done.stderr}")
    return out.read_text(), [line for line in done.stderr.splitlines() if line.strip()]


def problems() -> Iterator[str]:
    """Everything that is wrong, one line each; says on standard output what was checked."""
    modules, directives = settings()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda module: translate(module, directives, Path(folder)), modules)
        for module, (c_text, remarks) in zip(modules, results, strict=True):
            yield from (f"{module}: {remark}" for remark in remarks)
            if loops := loops_of(module):
                number, uses = python_names(c_text, loops)
                print(f"{module}: {number} functions in the loops")
                yield from (f"{module}: {use}" for use in uses)


def main() -> int:
    """Print the problems; returns the exit status."""
    found = list(problems())
    print(*found or ["no Python object is touched in the loops; no performance hints"], sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
