"""Speed of the engine: random games a second and search iterations a second.

A measurement first repeats a fixed amount of work and compares its signature with the one
recorded here, so that no figure is ever printed for an engine that computes something else.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass

from solstis_ai import bridge
from solstis_ai.errors import SolstisError
from solstis_ai.game import Game
from solstis_ai.search.dispatch import processor_level
from solstis_ai.search.searcher import Searcher, play_games
from solstis_ai.search.types import SearchConfig
from solstis_ai.vocabulary import Rules

__all__ = ["VARIANTS", "Measurement", "SignatureError", "measure_playouts", "measure_search"]

VARIANTS = {
    "base": Rules(),
    "fireflies": Rules(fireflies=True),
    "beginner": Rules(evil_spirit=False),
}

SIGNATURE_GAMES = 10_000
SIGNATURE_ITERATIONS = 10_000
PLAYOUT_SIGNATURES = {
    "base": 0x4cd4e68f9280cde7,
    "fireflies": 0x72da962738c7a47b,
    "beginner": 0x799d6403754bb55f,
}
SEARCH_SIGNATURES = {
    "base": 0x065f25104d9ff5fa,
    "fireflies": 0x3e623fb236f15d67,
    "beginner": 0x63ffc9fb96424da3,
}

_SEED = 1
_CHUNK_GAMES = 5_000


class SignatureError(SolstisError):
    """The engine does not compute what it is recorded to compute."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One figure and how it came about.

    Attributes:
        name: What was measured.
        variant: Rules of the games.
        rate: Units of work a second.
        unit: What a unit of work is.
        work: Units done in the timed part.
        seconds: Length of the timed part.
        processor_level: Level of the kernels in use.
        signature: Hash over the results of the fixed part, as hexadecimal digits.
    """

    name: str
    variant: str
    rate: float
    unit: str
    work: int
    seconds: float
    processor_level: str
    signature: str

    def as_dict(self) -> dict[str, object]:
        """All attributes by name."""
        return asdict(self)


def playout_signature(variant: str, games: int = SIGNATURE_GAMES) -> int:
    """Play ``games`` random games from a fixed seed and hash all their totals."""
    rules = VARIANTS[variant]
    return play_games(rules.fireflies, bridge.spirit_mask(rules.spirits), games, _SEED)[4]


def search_signature(variant: str, iterations: int = SIGNATURE_ITERATIONS) -> int:
    """Search a fixed opening and hash the whole tree."""
    searcher = _opening_search(variant, iterations)
    searcher.run(iterations, -1.0)
    return searcher.signature


def measure_playouts(variant: str = "base", seconds: float = 2.0) -> Measurement:
    """Random games from the setup to both scores, on one core.

    Raises:
        SignatureError: If the fixed part does not give the recorded signature.
    """
    signature = playout_signature(variant)
    _check(f"playouts of {variant}", signature, PLAYOUT_SIGNATURES[variant])
    rules = VARIANTS[variant]
    mask = bridge.spirit_mask(rules.spirits)
    games, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds or not games:
        play_games(rules.fireflies, mask, _CHUNK_GAMES, games)
        games += _CHUNK_GAMES
    return _measurement("playouts", variant, "random games", games, spent, signature)


def measure_search(
    variant: str = "base", seconds: float = 2.0, iterations: int = SIGNATURE_ITERATIONS
) -> Measurement:
    """Search iterations from the opening, on one core, in searches of ``iterations`` each.

    Raises:
        SignatureError: If the fixed part does not give the recorded signature.
    """
    signature = search_signature(variant)
    _check(f"search of {variant}", signature, SEARCH_SIGNATURES[variant])
    done, spent = 0, 0.0
    while spent < seconds or not done:
        searcher = _opening_search(variant, iterations)
        begin = time.perf_counter()
        searcher.run(iterations, -1.0)
        spent += time.perf_counter() - begin
        done += iterations
    return _measurement("search", variant, "iterations", done, spent, signature)


def _measurement(
    name: str, variant: str, unit: str, work: int, seconds: float, signature: int
) -> Measurement:
    return Measurement(
        name=name,
        variant=variant,
        rate=work / seconds,
        unit=unit,
        work=work,
        seconds=seconds,
        processor_level=processor_level(),
        signature=f"{signature:016x}",
    )


def _opening_search(variant: str, iterations: int) -> Searcher:
    observation = Game(VARIANTS[variant], seed=_SEED).observation(0)
    knowledge = bridge.knowledge_of_observation(observation)
    config = SearchConfig()
    return Searcher(knowledge, _SEED, 0, config.exploration, config.max_nodes, iterations)


def _check(what: str, found: int, recorded: int) -> None:
    if found != recorded:
        raise SignatureError(
            f"{what}: signature {found:016x}, but {recorded:016x} is recorded; "
            "the engine has changed"
        )
