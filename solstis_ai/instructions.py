"""Machine instructions of one unit of work, counted by ``valgrind --tool=callgrind``.

Instructions do not depend on what else the machine does. Each figure is the difference of
two runs of this module as a program, one that does all but the work and one with it, so that
the interpreter's start cancels out.

``python -m solstis_ai.instructions playouts base 1000`` does the work of one such run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from solstis_ai import bridge
from solstis_ai.benchmark import VARIANTS, known_and_excluded, opening_searcher
from solstis_ai.errors import SolstisError
from solstis_ai.search.loops import sample_worlds
from solstis_ai.search.searcher import Searcher, play_games
from solstis_ai.search.types import Evaluation

__all__ = ["CountingError", "available", "count", "run_callgrind"]

UNITS = {
    "playouts": 4_000,
    "search": 10_000,
    "network search": 10_000,
    "determinization": 200_000,
}
"""Units of work that are counted, by benchmark."""

_STEADY = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
"""Environment without what makes counts differ: hashes by chance, idle threads that spin."""

_SEED = 1


class CountingError(SolstisError):
    """Instructions cannot be counted here."""


def available() -> bool:
    """Whether valgrind is installed."""
    return shutil.which("valgrind") is not None


def count(
    benchmark: str, variant: str = "base", *, units: int | None = None, level: str | None = None
) -> float:
    """Instructions of one random game, search iteration or sampled world.

    Args:
        benchmark: A name in ``UNITS``.
        variant: A name in ``benchmark.VARIANTS``.
        units: Units of work to count; of searches the iterations of the one search.
        level: Processor level; the one in use by default.

    Raises:
        CountingError: If valgrind is missing or fails.
    """
    units = units or UNITS[benchmark]
    arguments = [benchmark, variant, str(units)]
    _run([sys.executable, "-m", __name__, *arguments, "0"], level)  # compiles the bytecode
    with tempfile.TemporaryDirectory() as folder:
        totals = [
            _total(run_callgrind(Path(folder) / str(done), [*arguments, str(done)], level))
            for done in (0, units)
        ]
    return (totals[1] - totals[0]) / units


def run_callgrind(out: Path, arguments: list[str], level: str | None = None) -> Path:
    """Run this module under callgrind and return ``out``, the file that it writes.

    Args:
        out: File to write.
        arguments: Benchmark, variant, units to make room for, and units to do.
        level: Processor level; the one in use by default.

    Raises:
        CountingError: If valgrind is missing or fails.
    """
    if not available():
        raise CountingError("valgrind is not installed")
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
    _run([*valgrind, sys.executable, "-m", __name__, *arguments], level)
    return out


def _run(command: list[str], level: str | None) -> None:
    environment = {**os.environ, **_STEADY}
    if level is not None:
        environment["SOLSTIS_LEVEL"] = level
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no message"]
        raise CountingError(f"{command[0]} failed: {lines[-1]}")


def _total(path: Path) -> int:
    found = re.search(r"^(?:totals|summary): (\d+)", path.read_text(), re.MULTILINE)
    if found is None:
        raise CountingError("callgrind wrote no total")
    return int(found[1])


def _play(variant: str, _units: int) -> Callable[[int], object]:
    rules = VARIANTS[variant]
    mask = bridge.spirit_mask(rules.spirits)
    return lambda units: play_games(rules.fireflies, mask, units, _SEED)


def _search(variant: str, units: int) -> Callable[[int], object]:
    return _run_of(opening_searcher(variant, units))


def _network_search(variant: str, units: int) -> Callable[[int], object]:
    return _run_of(opening_searcher(variant, units, evaluation=Evaluation.NETWORK))


def _run_of(searcher: Searcher) -> Callable[[int], object]:
    return lambda units: searcher.run(units, -1.0, -1.0)


def _sample(_variant: str, _units: int) -> Callable[[int], object]:
    knowledge = bridge.knowledge_of_observation(known_and_excluded())
    return lambda units: sample_worlds(knowledge, units, _SEED)


_WORK = {
    "playouts": _play,
    "search": _search,
    "network search": _network_search,
    "determinization": _sample,
}


def _main(benchmark: str, variant: str, room: str, units: str) -> None:
    _WORK[benchmark](variant, int(room))(int(units))


if __name__ == "__main__":
    _main(*sys.argv[1:])
