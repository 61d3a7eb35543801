"""Numbers on the command lines of the scripts, as types of ``argparse``.

Every script imports this before anything that loads the engine, and ends here where the engine
cannot be loaded at the level that the environment asks for.
"""

from __future__ import annotations

import argparse
import math
import sys

from solstis_ai.errors import ProcessorLevelError
from solstis_ai.search.types import MAX_ITERATIONS, MAX_THREADS

try:
    import solstis_ai.search.dispatch  # noqa: F401 - reads the environment
except ProcessorLevelError as problem:
    print(problem, file=sys.stderr)
    sys.exit(2)

MOST_SECONDS = 3600.0


def whole(text: str, most: int = MAX_ITERATIONS, least: int = 1) -> int:
    """A number of iterations, games or pairs, from 1 if nothing else is said."""
    bounds = f"from {least:,} to {most:,}"
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
        raise argparse.ArgumentTypeError(f"{text!r:.40} is no whole number {bounds}")
    if not least <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"{text} is not {bounds}")
    return int(text)


def thread_count(text: str) -> int:
    """A number of threads."""
    return whole(text, MAX_THREADS)


def duration(text: str) -> float:
    """A length of time, in seconds."""
    try:
        length = float(text)
    except ValueError:
        length = math.nan
    if not 0 < length <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(
            f"{text!r:.40} is no time above 0 and up to {MOST_SECONDS:.0f} seconds"
        )
    return length
