"""Numbers on the command lines of the scripts, as types of ``argparse``."""

from __future__ import annotations

import argparse
import math

from solstis_ai.search.types import MAX_ITERATIONS, MAX_THREADS

MOST_SECONDS = 3600.0


def whole(text: str, most: int = MAX_ITERATIONS) -> int:
    """A number of iterations, games or pairs, from 1."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
        raise argparse.ArgumentTypeError(f"{text!r:.40} is no whole number from 1 to {most:,}")
    if not 1 <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"{text} is not from 1 to {most:,}")
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
