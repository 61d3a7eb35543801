"""Search iterations a second from the opening, by iterations of a search and threads.

With ``--against one-thread`` three things take turns, by the clock, for ``--pairs`` times
``--seconds``: a search of several threads, one of one thread with as many iterations, and as many
searches of one thread as there are threads, each with its share of the iterations, that run at the
same time and know nothing of each other. The last tells what the machine offers: cores of a virtual
machine are often threads of one core, and two searches on them not twice as fast as one.
"""

from __future__ import annotations

import argparse
import operator
import statistics
import time
from dataclasses import asdict, dataclass
from typing import Any

import harness
import tasks
from arguments import thread_count, whole

from solstis_ai import benchmark
from solstis_ai.search.types import Evaluation

ONE_THREAD = "one-thread"
LEAST_TURNS = 3


@dataclass(frozen=True)
class Scaling:
    """How many times the iterations a second of one thread several threads do.

    Attributes:
        name: What was measured.
        iterations: Iterations of a search.
        threads: Threads of the one side.
        turns: Searches of each side.
        fastest: Ratio of the fastest search of each side.
        median: Ratio of the medians.
        mean: Ratio of the means, with all that the machine did meanwhile.
        offered: Ratio of the medians of as many searches of one thread, at the same time.
        of_offered: Rate of the several threads over that of those searches; median of the turns.
    """

    name: str
    iterations: int
    threads: int
    turns: int
    fastest: float
    median: float
    mean: float
    offered: float
    of_offered: float

    def __str__(self) -> str:
        return (
            f"{self.name}: {self.median:.2f} times the rate of one thread "
            f"(medians of {self.turns} turns; fastest {self.fastest:.2f}, means {self.mean:.2f}), "
            f"{self.of_offered:.2f} of what as many searches of one thread do at the same time "
            f"({self.offered:.2f} times the rate of one)"
        )

    def as_dict(self) -> dict[str, Any]:
        """All attributes by name."""
        return asdict(self)


def main() -> None:
    """Assert the signature of a tree of 10,000 iterations, then time or compare."""
    parser = harness.parser(__doc__, against=(ONE_THREAD,))
    parser.add_argument("--iterations", type=whole, nargs="+", default=[10_000, 1_000_000])
    parser.add_argument("--threads", type=thread_count, nargs="+", default=[1, 2])
    parser.add_argument("--variant", choices=benchmark.VARIANTS, default="base")
    arguments = parser.parse_args()
    variant, threads = arguments.variant, arguments.threads
    if arguments.against == ONE_THREAD:
        threads = [number for number in threads if number > 1]
        if not threads:
            parser.error(f"--against {ONE_THREAD}: --threads needs a number above 1, such as 2")
    if min(arguments.iterations) < max(threads):
        parser.error("--iterations must be at least --threads: each thread does its share")
    signature = benchmark.search_signature(variant)
    recorded = benchmark.SEARCH_SIGNATURES[Evaluation.PLAYOUTS][variant]
    harness.require("signature", signature, recorded)
    for iterations in arguments.iterations:
        for number in threads:
            options = {"variant": variant, "iterations": iterations, "threads": number}
            harness.show(_result(options, arguments), arguments.json)


def _result(options: dict[str, Any], arguments: argparse.Namespace) -> harness.Result:
    name = "search of {variant}, {iterations:,} iterations, threads: {threads}".format(**options)
    if arguments.against == ONE_THREAD:
        return _scaling(name, options, arguments.pairs * arguments.seconds)
    if arguments.against:
        return harness.compare(name, "iterations", "search", options, arguments)
    piece = tasks.search(**options)
    return harness.measure(name, "iterations", piece, arguments.seconds)


def _scaling(name: str, options: dict[str, Any], seconds: float) -> Scaling:
    sides = (
        tasks.search(**options),
        tasks.search(**{**options, "threads": 1}),
        tasks.search(**options, apart=True),
    )
    turns: list[list[float]] = []
    end = time.perf_counter() + seconds
    while len(turns) < LEAST_TURNS or time.perf_counter() < end:
        turns.append([_nanoseconds(piece) for piece in sides])
    several, one, apart = zip(*turns[1:], strict=True)  # the first finds nothing in the caches
    return Scaling(
        name,
        options["iterations"],
        options["threads"],
        len(one),
        fastest=min(one) / min(several),
        median=statistics.median(one) / statistics.median(several),
        mean=statistics.mean(one) / statistics.mean(several),
        offered=statistics.median(one) / statistics.median(apart),
        of_offered=statistics.median(map(operator.truediv, apart, several)),
    )


def _nanoseconds(piece: tasks.Piece) -> float:
    """Time of an iteration, by the clock."""
    begin = time.perf_counter_ns()
    work = piece()
    return (time.perf_counter_ns() - begin) / work


if __name__ == "__main__":
    main()
