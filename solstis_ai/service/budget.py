"""How much a request gets of what it asks for."""

from __future__ import annotations

import math
import time
from dataclasses import replace

from solstis_ai.errors import InvalidSearchError
from solstis_ai.search.levels import LEVELS, Level
from solstis_ai.search.types import Analysis, Limits, SearchConfig
from solstis_ai.service.config import ServerConfig

__all__ = ["answer_by", "check_level", "constants", "granted", "levels", "reached_cap"]

_LEAST_MARGIN_SECONDS = 0.01
_MOST_MARGIN_SECONDS = 0.25
_MARGIN_SHARE = 0.1


def granted(asked: Limits, config: ServerConfig) -> Limits:
    """The limits of the search: as asked, and within what the server grants.

    A longer time than the server grants stays: the run on the slot ends earlier. Asking for
    time alone stays without iterations: the time bounds them.
    """
    limits = asked.or_time(config.default_time_seconds)
    if limits.iterations is not None:
        limits = replace(limits, iterations=min(limits.iterations, config.max_iterations))
    return replace(limits, threads=min(limits.threads, config.threads))


def constants(level: Level | None, config: ServerConfig) -> SearchConfig:
    """The constants of the search: those of the level, and within what the server grants."""
    return replace(level.config if level else SearchConfig(), max_nodes=config.max_nodes)


def levels(config: ServerConfig) -> tuple[Level, ...]:
    """The levels that a server plays: those that need no more than it grants."""
    return tuple(level for level in LEVELS if level.iterations <= config.max_iterations)


def check_level(level: Level, config: ServerConfig) -> None:
    """Refuse a level that the server cannot play as it is defined.

    Raises:
        InvalidSearchError: With field ``level``.
    """
    if level not in levels(config):
        raise InvalidSearchError(
            "level",
            f"{level.title} takes {level.iterations:,} iterations, this server grants "
            f"{config.max_iterations:,}; choose a lower one of those that it lists",
        )


def reached_cap(analysis: Analysis, asked: Limits, config: ServerConfig) -> bool:
    """Whether the server's iterations, and not the asked ones, ended a search."""
    capped = asked.iterations is not None and asked.iterations > config.max_iterations
    return capped and analysis.iterations >= config.max_iterations and not analysis.solved


def answer_by(time_remaining: float | None) -> float:
    """When the answer has to leave, so that it arrives before the client's deadline.

    Args:
        time_remaining: Seconds until the deadline; None without one.

    Returns:
        A time on the monotonic clock, possibly in the past; infinite without a deadline.
    """
    if time_remaining is None:
        return math.inf
    margin = max(_LEAST_MARGIN_SECONDS, _MARGIN_SHARE * time_remaining)
    return time.monotonic() + time_remaining - min(margin, _MOST_MARGIN_SECONDS)
