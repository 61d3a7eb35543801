"""What the benchmark scripts share: arguments, timing, comparisons, output."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, Self

import tasks
from arguments import duration, whole

from solstis_ai import benchmark
from solstis_ai.search.dispatch import processor_level, use_level

HERE = Path(__file__).resolve().parent
ORACLE = "oracle"
"""The pure-Python oracle of the tests, as the other side of a comparison."""


@dataclass(frozen=True)
class Figure:
    """One measured rate.

    Attributes:
        name: What was measured.
        rate: Units of work a second.
        unit: What a unit is.
        work: Units done.
        seconds: Time taken.
        processor_seconds: Processor time taken, by all threads.
        processor_level: Level of the kernels in use.
        details: Whatever else belongs to the figure.
    """

    name: str
    rate: float
    unit: str
    work: int
    seconds: float
    processor_seconds: float
    processor_level: str
    details: dict[str, Any]

    def __str__(self) -> str:
        details = "".join(f", {key} {value}" for key, value in self.details.items())
        return (
            f"{self.name}: {self.rate:,.0f} {self.unit} a second, {self.nanoseconds:,.1f} ns each "
            f"({self.work:,} in {self.seconds:.2f} s and "
            f"{self.processor_seconds:.2f} s of processor time, {self.processor_level}{details})"
        )

    @property
    def nanoseconds(self) -> float:
        """Time of one unit."""
        return 1e9 / self.rate

    def as_dict(self) -> dict[str, Any]:
        """All attributes by name, and the time of one unit."""
        return {**asdict(self), "nanoseconds": self.nanoseconds}


@dataclass(frozen=True)
class Comparison:
    """Two sides of one interleaved run, A B A B.

    Attributes:
        name: What was measured.
        unit: What a unit of work is.
        other: What the other side (B) is.
        rate: Best rate of this checkout (A), by processor time.
        other_rate: Best rate of the other side.
        ratios: Rate of this checkout over the other's, pair by pair.
    """

    name: str
    unit: str
    other: str
    rate: float
    other_rate: float
    ratios: list[float]

    @property
    def median(self) -> float:
        """Median of the ratios."""
        return statistics.median(self.ratios)

    def __str__(self) -> str:
        pairs = " ".join(f"{ratio:.3f}" for ratio in self.ratios)
        return (
            f"{self.name} against {self.other}: median ratio {self.median:.3f}\n"
            f"best rates {self.rate:,.0f} and {self.other_rate:,.0f} {self.unit} a second "
            f"of processor time; ratio by pair {pairs}"
        )

    def as_dict(self) -> dict[str, Any]:
        """All attributes by name, and the median."""
        return {**asdict(self), "median": self.median}


def require(what: str, found: object, known: object) -> None:
    """End the program if a result is not what it must be."""
    if found != known:
        raise SystemExit(f"{what}: {found}, but it must be {known}; nothing is measured")


def require_recorded_engine(levels: Iterable[str]) -> None:
    """End the program if games, searches or worlds are not the recorded ones at a level."""
    before = processor_level()
    for level in levels:
        use_level(level)
        for what, found, known in _signatures():
            require(f"signature of {what} at {level}", f"{found:016x}", f"{known:016x}")
    use_level(before)


def _signatures() -> Iterator[tuple[str, int, int]]:
    """What is signed, its signature, and the recorded one."""
    for variant, known in benchmark.PLAYOUT_SIGNATURES.items():
        yield f"playouts of {variant}", benchmark.playout_signature(variant), known
    for evaluation, recorded in benchmark.SEARCH_SIGNATURES.items():
        for variant, known in recorded.items():
            found = benchmark.search_signature(variant, evaluation=evaluation)
            yield f"search of {variant} by {evaluation}", found, known
    worlds = benchmark.determinization_signature()
    yield "sampled worlds", worlds, benchmark.DETERMINIZATION_SIGNATURE


def parser(
    description: str | None, *, against: Sequence[str] | None = None
) -> argparse.ArgumentParser:
    """The arguments of every script.

    Args:
        description: What the script does.
        against: Names of what the other side of a comparison may be besides a git revision;
            None where nothing is compared.
    """
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--seconds", type=duration, default=2.0, help="length of a measurement")
    made.add_argument("--json", action="store_true", help="print JSON, one object a line")
    if against is not None:
        side, sides = partial(other_side, named=against), ", ".join([*against, "or a git revision"])
        made.add_argument(
            "--against", metavar="SIDE", type=side, help=f"compare in one run with {sides}"
        )
        made.add_argument("--pairs", type=whole, default=10, help="pairs of a comparison (10)")
    return made


def other_side(text: str, named: Sequence[str]) -> str:
    """The other side of a comparison: one of the names, or a git revision."""
    if text not in named and not _is_revision(text):
        sides = " or ".join([*named, "a revision of this git repository"])
        raise argparse.ArgumentTypeError(f"{text!r:.40} is not possible; choose {sides}")
    return text


def _is_revision(text: str) -> bool:
    if shutil.which("git") is None:
        return False
    command = [
        "git",
        "-C",
        str(tasks.ROOT),
        "rev-parse",
        "--verify",
        "--quiet",
        f"{text}^{{commit}}",
    ]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


class Result(Protocol):
    """What can be shown: as text, and as JSON."""

    def as_dict(self) -> dict[str, Any]:
        """All attributes by name."""
        ...


def show(result: Result, as_json: bool) -> None:
    """Print a result."""
    print(json.dumps(result.as_dict()) if as_json else result, flush=True)


def measure(name: str, unit: str, piece: tasks.Piece, seconds: float, **details: object) -> Figure:
    """Repeat a piece of work for some time, after one piece that is not timed."""
    piece()
    work, begin, processor = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - begin < seconds or not work:
        work += piece()
    spent, used = time.perf_counter() - begin, time.process_time() - processor
    return Figure(name, work / spent, unit, work, spent, used, processor_level(), details)


# ---- comparisons -------------------------------------------------------------------------


def compare(
    name: str, unit: str, task: str, options: dict[str, Any], arguments: argparse.Namespace
) -> Comparison:
    """Run a task on this checkout and on the other side, in turns.

    The other side is ``oracle``, or a git revision, which is built for it.
    """
    with contextlib.ExitStack() as stack:
        if arguments.against == ORACLE:
            root, other_task = tasks.ROOT, f"oracle_{task}"
        else:
            root, other_task = stack.enter_context(built_revision(arguments.against)), task
        ours = stack.enter_context(Worker(tasks.ROOT, task, options))
        theirs = stack.enter_context(Worker(root, other_task, options))
        slice_ = arguments.seconds / 2
        pairs = [(ours.rate(slice_), theirs.rate(slice_)) for _ in range(arguments.pairs)]
    return Comparison(
        name,
        unit,
        arguments.against,
        max(our for our, _ in pairs),
        max(their for _, their in pairs),
        [our / their for our, their in pairs],
    )


class Worker:
    """A process that does one task on one checkout."""

    def __init__(self, root: Path, task: str, options: dict[str, Any]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "worker.py"), task, json.dumps(options), str(root)],
            env={**os.environ, "PYTHONPATH": str(root)},
            cwd=HERE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        if self._read() != "ready":
            raise SystemExit("the other side cannot do this task; see the message above")
        return self

    def __exit__(self, *_exception: object) -> None:
        self._process.terminate()
        self._process.wait()

    def rate(self, seconds: float) -> float:
        """Units a second of processor time; of wall time where several threads work."""
        assert self._process.stdin is not None
        print(seconds, file=self._process.stdin, flush=True)
        work, spent, processor = json.loads(self._read())
        return float(work / min(spent, processor))

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@contextlib.contextmanager
def built_revision(revision: str) -> Iterator[Path]:
    """A temporary copy of a revision, compiled in place by this interpreter.

    The repository does not know of it, so that nothing stays there when this process is killed.
    """
    with tempfile.TemporaryDirectory(prefix="solstis-revision-") as folder:
        archive, root = Path(folder, "tree.tar"), Path(folder, "tree")
        git = ["git", "-C", str(tasks.ROOT)]
        _run([*git, "archive", "--format=tar", f"--output={archive}", revision])
        shutil.unpack_archive(archive, root)
        _run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=root)
        yield root


def _run(command: list[str], cwd: Path | None = None) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
