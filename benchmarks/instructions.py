"""Guard the cost of the engine by machine instructions, which no other process disturbs.

Counts the instructions of a random game, a search iteration and a sampled world with
callgrind, at fixed processor levels, and compares them with the recorded figures. That takes
some three minutes on two cores. Code of another Cython is not compared, since Cython can be had in
the recorded version everywhere; code of another C compiler is, with a wide bound and a warning.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import harness

from solstis_ai import instructions
from solstis_ai.search.dispatch import (
    C_COMPILER_VERSION,
    CYTHON_VERSION,
    available_levels,
)

FIGURES = Path(__file__).resolve().with_suffix(".json")
LEVELS = ("x86-64-v2", "x86-64-v3")
BOUND = 0.03
"""Part by which a figure may exceed the recorded one, from the same C compiler."""
WIDE_BOUND = 0.25
"""The same, where the C compiler differs from the recorded one."""

COUNTED = {
    "random game": ("playouts", "base"),
    "random game, fireflies": ("playouts", "fireflies"),
    "search iteration": ("search", "base"),
    "search iteration, network": ("network search", "base"),
    "sampled world": ("determinization", "fireflies"),
}

Figures = dict[str, dict[str, float]]
"""Instructions by processor level and name."""


@dataclass(frozen=True)
class Record:
    """Figures, and what compiled the code that they were counted on."""

    compiler: str
    cython: str
    instructions: Figures

    @classmethod
    def read(cls, path: Path) -> Record:
        """The record of a file.

        Raises:
            OSError: If it cannot be read.
            ValueError: If it is no record.
        """
        try:
            record = cls(**json.loads(path.read_text("utf-8")))
            for figures in record.instructions.values():
                sum(figures.values())
        except (ValueError, TypeError, AttributeError) as problem:
            raise ValueError(f"{path} is no file that --record has written") from problem
        return record

    def write(self, path: Path) -> None:
        """Write it to a file."""
        path.write_text(json.dumps(vars(self), indent=2) + "\n")

    @property
    def cython_minor(self) -> str:
        """The version of Cython without its last part, which tells mended errors apart."""
        return ".".join(self.cython.split(".")[:2])


@dataclass(frozen=True)
class Verdict:
    """One figure compared."""

    level: str
    name: str
    recorded: float | None
    found: float
    bound: float

    @property
    def change(self) -> float:
        """Part by which the figure exceeds the recorded one."""
        return self.found / self.recorded - 1 if self.recorded else 0.0

    @property
    def passed(self) -> bool:
        """Whether it is recorded and within the bound."""
        return self.recorded is not None and self.change <= self.bound

    def __str__(self) -> str:
        if self.recorded is None:
            return f"FAIL {self.level}, {self.name}: {self.found:,.1f}, but nothing is recorded"
        return (
            f"{'ok  ' if self.passed else 'FAIL'} {self.level}, {self.name}: {self.found:,.1f}, "
            f"recorded {self.recorded:,.1f}, {self.change:+.1%} (at most +{self.bound:.0%})"
        )


def compare(recorded: Record, found: Record) -> list[Verdict]:
    """One verdict for each figure found."""
    bound = BOUND if recorded.compiler == found.compiler else WIDE_BOUND
    return [
        Verdict(level, name, recorded.instructions.get(level, {}).get(name), figure, bound)
        for level, figures in found.instructions.items()
        for name, figure in figures.items()
    ]


def count_all(levels: list[str], names: list[str]) -> Record:
    """Count everything, two figures at a time."""
    pairs = [(level, name) for level in levels for name in names]
    with ThreadPoolExecutor(2) as pool:
        counts = list(pool.map(lambda pair: _count(*pair), pairs))
    figures: Figures = {level: {} for level in levels}
    for (level, name), counted in zip(pairs, counts, strict=True):
        figures[level][name] = round(counted, 1)
    return Record(C_COMPILER_VERSION, CYTHON_VERSION, figures)


def _count(level: str, name: str) -> float:
    benchmark, variant = COUNTED[name]
    return instructions.count(benchmark, variant, level=level)


def other_cython(recorded: Record, cython: str) -> str:
    """Empty, or why code of this Cython is not compared with the record."""
    if recorded.cython_minor == Record("", cython, {}).cython_minor:
        return ""
    return (
        f"compiled by Cython {cython}, recorded with {recorded.cython}.\n"
        f"Build anew with Cython {recorded.cython_minor}: make clean guard\n"
        "Or change the version in Makefile and pyproject.toml, and record the figures anew: "
        "python benchmarks/instructions.py --record"
    )


def check(recorded: Record, found: Record) -> int:
    """Print the verdicts; returns the exit status."""
    if recorded.compiler != found.compiler:
        print(
            f"WARNING: compiled by C compiler {found.compiler}, recorded with "
            f"{recorded.compiler}.\nOnly what exceeds the record by more than {WIDE_BOUND:.0%} "
            f"fails, instead of {BOUND:.0%}: a slower engine can pass.",
            file=sys.stderr,
        )
    verdicts = compare(recorded, found)
    print(*verdicts, sep="\n")
    if all(verdict.passed for verdict in verdicts):
        return 0
    print(
        "\nThe engine costs more than recorded. Make it cheaper; or, if the cost is worth it, "
        "say why in\na line of CHANGELOG.md and record the new figures: "
        "python benchmarks/instructions.py --record",
        file=sys.stderr,
    )
    return 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--check", action="store_true", help="exit 1 above the recorded figures")
    action.add_argument("--record", action="store_true", help="record what is counted")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--level", nargs="+", choices=LEVELS, default=list(LEVELS))
    parser.add_argument("--only", nargs="+", choices=COUNTED, default=list(COUNTED))
    parser.add_argument("--figures", type=Path, default=FIGURES, help="file of recorded figures")
    found = parser.parse_args()
    whole = {*found.level} == {*LEVELS} and {*found.only} == {*COUNTED}
    if found.record and not whole and found.figures == FIGURES:
        parser.error("--record replaces all; leave out --level and --only, or name --figures")
    if not found.figures.parent.is_dir():
        parser.error(f"--figures: there is no folder {found.figures.parent}")
    try:
        found.recorded = Record.read(found.figures) if found.check else None
    except (OSError, ValueError) as problem:
        parser.error(f"--figures: {problem}")
    return found


def _can_count(levels: list[str]) -> str:
    """Empty, or why nothing can be counted."""
    if not instructions.available():
        return "valgrind is not installed"
    missing = set(levels) - set(available_levels())
    return f"this machine or build has no level {', '.join(sorted(missing))}" if missing else ""


def _show(found: Record, as_json: bool) -> None:
    if as_json:
        print(json.dumps(vars(found)))
        return
    for level, figures in found.instructions.items():
        for name, figure in figures.items():
            print(f"{level}, {name}: {figure:,.1f} instructions")


def main() -> int:
    """Assert the signatures, count, then show, check or record; returns the exit status."""
    arguments: Any = _arguments()
    reason = _can_count(arguments.level)
    if arguments.check and not reason:
        reason = other_cython(arguments.recorded, CYTHON_VERSION)
    if reason:
        print(f"instructions are not counted: {reason}", file=sys.stderr)
        return 2
    harness.require_recorded_engine(arguments.level)
    found = count_all(arguments.level, arguments.only)
    if arguments.check:
        return check(arguments.recorded, found)
    if arguments.record:
        found.write(arguments.figures)
    _show(found, arguments.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
