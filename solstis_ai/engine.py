"""The facade: everything that a client of the engine asks for, free of gRPC and argv."""

from __future__ import annotations

from solstis_ai import bridge
from solstis_ai.errors import InvalidSearchError
from solstis_ai.observation import Observation
from solstis_ai.search.dispatch import available_levels, processor_level
from solstis_ai.search.levels import level_numbered
from solstis_ai.search.session import Search
from solstis_ai.search.types import Analysis, Limits, SearchConfig
from solstis_ai.search.weights import warm_up
from solstis_ai.validation import validate
from solstis_ai.vocabulary import Move

__all__ = [
    "RULES_VERSION",
    "Search",
    "available_processor_levels",
    "legal_moves",
    "processor_level",
    "recommend",
    "warm_up",
]

RULES_VERSION = "1"
"""Version of docs/rules.md that this engine plays."""


def available_processor_levels() -> list[str]:
    """Processor levels in this build that this machine runs, lowest first."""
    return available_levels()


def legal_moves(observation: Observation) -> list[Move]:
    """All decisions that the seat may take, sorted by their words.

    Raises:
        InvalidObservationError: If the observation contradicts the rules or itself.
    """
    validate(observation)
    knowledge = bridge.knowledge_of_observation(observation)
    return sorted(map(bridge.move_from_code, knowledge.legal_codes()), key=str)


def recommend(
    observation: Observation,
    limits: Limits | None = None,
    seed: int | None = None,
    config: SearchConfig | None = None,
    *,
    level: int | None = None,
) -> Analysis:
    """Search and answer.

    Args:
        observation: As for ``Search``, like ``limits``, ``seed`` and ``config``.
        limits: When to stop.
        seed: Seed of the search.
        config: Constants of the search.
        level: Number of the level to play at (``solstis_ai.search.levels``); it determines
            limits and constants, which are then left out.

    Raises:
        InvalidObservationError: If the observation contradicts the rules or itself.
        InvalidSearchError: If a value is out of range, or contradicts ``level``.
    """
    if level is not None:
        if config is not None:
            raise InvalidSearchError("config", "a level determines the search; leave it out")
        played = level_numbered(level)
        limits, config = played.granted(limits or Limits()), played.config
    search = Search(observation, limits, seed, config)
    search.run()
    return search.analysis()
