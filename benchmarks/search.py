"""Search iterations a second from the opening, by iterations of a search and threads."""

from __future__ import annotations

import argparse
from typing import Any

import harness
import tasks

from solstis_ai import benchmark
from solstis_ai.search.types import Evaluation


def main() -> None:
    """Assert the signature of a tree of 10,000 iterations, then time or compare."""
    parser = harness.parser(__doc__, against="a git revision")
    parser.add_argument("--iterations", type=int, nargs="+", default=[10_000, 1_000_000])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--variant", choices=benchmark.VARIANTS, default="base")
    arguments = parser.parse_args()
    variant = arguments.variant
    signature = benchmark.search_signature(variant)
    recorded = benchmark.SEARCH_SIGNATURES[Evaluation.PLAYOUTS][variant]
    harness.require("signature", signature, recorded)
    for iterations in arguments.iterations:
        for threads in arguments.threads:
            options = {"variant": variant, "iterations": iterations, "threads": threads}
            harness.show(_result(options, arguments), arguments.json)


def _result(
    options: dict[str, Any], arguments: argparse.Namespace
) -> harness.Figure | harness.Comparison:
    name = "search of {variant}, {iterations:,} iterations, threads: {threads}".format(**options)
    if arguments.against:
        return harness.compare(name, "iterations", "search", options, arguments)
    piece = tasks.search(**options)
    return harness.measure(name, "iterations", piece, arguments.seconds)


if __name__ == "__main__":
    main()
