"""What a server tells about itself."""

from __future__ import annotations

from dataclasses import dataclass

from solstis_ai.search.levels import Level
from solstis_ai.service import budget
from solstis_ai.service.config import ServerConfig
from solstis_ai.service.engine_port import Engine
from solstis_ai.version import VERSION

__all__ = ["EngineInfo", "describe"]


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """Version and limits of a server.

    Attributes:
        version: Version of solstis-ai.
        rules_version: Version of the rules that it plays.
        processor_level: Processor level of the search kernels in use.
        available_processor_levels: Levels that its build contains and its machine can run.
        search_slots: Search threads that run at the same time.
        max_iterations: Most iterations that one request can ask for.
        max_time_seconds: Longest thinking time that one request gets, in seconds.
        default_time_seconds: Thinking time when a request sets no limit, in seconds.
        max_threads: Most threads that one request gets.
        levels: The levels that it plays, weakest first.
    """

    version: str
    rules_version: str
    processor_level: str
    available_processor_levels: tuple[str, ...]
    search_slots: int
    max_iterations: int
    max_time_seconds: float
    default_time_seconds: float
    max_threads: int
    levels: tuple[Level, ...]


def describe(engine: Engine, config: ServerConfig) -> EngineInfo:
    """What a server with ``engine`` and ``config`` tells about itself."""
    return EngineInfo(
        version=VERSION,
        rules_version=engine.RULES_VERSION,
        processor_level=engine.processor_level(),
        available_processor_levels=tuple(engine.available_processor_levels()),
        search_slots=config.search_slots,
        max_iterations=config.max_iterations,
        max_time_seconds=config.max_time_seconds,
        default_time_seconds=config.default_time_seconds,
        max_threads=config.threads,
        levels=budget.levels(config),
    )
