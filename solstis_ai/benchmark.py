"""Speed of the engine: random games, search iterations and sampled worlds a second.

A measurement first repeats a fixed amount of work and compares its signature with the one
recorded here, so that no figure is ever printed for an engine that computes something else.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial

from solstis_ai import bridge
from solstis_ai.errors import SolstisError
from solstis_ai.game import Game
from solstis_ai.notation import parse_observation
from solstis_ai.observation import Observation
from solstis_ai.search import helpers
from solstis_ai.search.dispatch import processor_level
from solstis_ai.search.loops import sample_worlds
from solstis_ai.search.searcher import Searcher, play_games
from solstis_ai.search.team import Team
from solstis_ai.search.types import TEXTBOOK_EXPLORATION, Evaluation, SearchConfig
from solstis_ai.search.weights import evaluator_for
from solstis_ai.vocabulary import Rules

__all__ = [
    "VARIANTS",
    "Measurement",
    "SignatureError",
    "known_and_excluded",
    "measure_determinization",
    "measure_playouts",
    "measure_search",
    "opening",
]

VARIANTS = {
    "base": Rules(),
    "fireflies": Rules(fireflies=True),
    "beginner": Rules(evil_spirit=False),
}

SIGNATURE_GAMES = 10_000
SIGNATURE_ITERATIONS = 10_000
SIGNATURE_WORLDS = 10_000
PLAYOUT_SIGNATURES = {
    "base": 0x4CD4E68F9280CDE7,
    "fireflies": 0x72DA962738C7A47B,
    "beginner": 0x799D6403754BB55F,
}
SEARCH_SIGNATURES = {
    Evaluation.PLAYOUTS: {
        "base": 0x6908DB32A2EB1E20,
        "fireflies": 0x689C796CCA59E47E,
        "beginner": 0x1D7C0026F1205BA1,
    },
    Evaluation.NETWORK: {
        "base": 0xD9A9FC21B8324D1D,
        "fireflies": 0x9FC79D4B82D705A8,
        "beginner": 0xFFB7C7FAE74DB17C,
    },
}
_SEARCH_NAMES = {Evaluation.PLAYOUTS: "search", Evaluation.NETWORK: "network search"}
DETERMINIZATION_SIGNATURE = 0x9153569B50835170

_SEED = 1
_TEXTBOOK = SearchConfig(evaluation=Evaluation.PLAYOUTS, exploration=TEXTBOOK_EXPLORATION)
_CONFIGS = {
    Evaluation.PLAYOUTS: _TEXTBOOK,
    Evaluation.NETWORK: SearchConfig(evaluation=Evaluation.NETWORK),
}
_SLICE_SECONDS = 0.2
_CHUNK_GAMES = 5_000
_CHUNK_WORLDS = 1_000_000
_KNOWN_AND_EXCLUDED = (
    "solstis-observation/1 rules=fireflies phase=play deck=0 queue=b3*,k8*,p5*,p6*,p7* "
    "you.hand=b2,b5 you.tiles=r3,r4,r6,r7,r9,r10,o1,o6,o7,o8,o9,o10,g6,g8 "
    "you.rainbows=r5,o5 you.spirits=phoenix@r5,viper@r6,fox@r9 "
    "opponent.hand=4 opponent.known=g2 opponent.excluded=r1,g1,k5 "
    "opponent.tiles=r5,r8,o3,o4,o5,g3,g4,g5,g7,b4,b6,b7,b8,b9,k3,k4,k6,k7 "
    "opponent.rainbows=b5 opponent.spirits=fish@b6,bear@o3,beetle@o4 opponent.fireflies=g4 "
    "spirit_deck=11 line=moth,groundhog"
)


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
        threads: Threads that worked at the same time.
        instructions: Machine instructions a unit, where they were counted
            (``solstis_ai.instructions``), else None.
    """

    name: str
    variant: str
    rate: float
    unit: str
    work: int
    seconds: float
    processor_level: str
    signature: str
    threads: int = 1
    instructions: float | None = None

    def with_instructions(self, instructions: float | None) -> Measurement:
        """The same, with the instructions a unit."""
        return replace(self, instructions=instructions)

    def as_dict(self) -> dict[str, object]:
        """All attributes by name."""
        return asdict(self)


def opening(variant: str = "base") -> Observation:
    """The first decision of a fixed game."""
    return Game(VARIANTS[variant], seed=_SEED).observation(0)


def known_and_excluded() -> Observation:
    """A late turn: one tile of the other hand is known, three hidden ones are of five.

    The fox has shown a tile, and a pass excludes three of the eight unseen tiles.
    """
    return parse_observation(_KNOWN_AND_EXCLUDED)


def playout_signature(variant: str, games: int = SIGNATURE_GAMES) -> int:
    """Play ``games`` random games from a fixed seed and hash all their totals."""
    rules = VARIANTS[variant]
    return play_games(rules.fireflies, bridge.spirit_mask(rules.spirits), games, _SEED)[4]


def search_signature(
    variant: str,
    iterations: int = SIGNATURE_ITERATIONS,
    evaluation: Evaluation = Evaluation.PLAYOUTS,
) -> int:
    """Search a fixed opening and hash the whole tree."""
    searcher = opening_searcher(variant, iterations, evaluation=evaluation)
    searcher.run(iterations, -1.0, -1.0)
    return searcher.signature


def determinization_signature(worlds: int = SIGNATURE_WORLDS) -> int:
    """Sample worlds of ``known_and_excluded`` and hash their hidden hands."""
    return sample_worlds(bridge.knowledge_of_observation(known_and_excluded()), worlds, _SEED)


def measure_playouts(variant: str = "base", seconds: float = 2.0) -> Measurement:
    """Random games from the setup to both scores, on one core.

    Raises:
        SignatureError: If the fixed part does not give the recorded signature.
    """
    signature = playout_signature(variant)
    _check(f"playouts of {variant}", signature, PLAYOUT_SIGNATURES[variant])
    work, spent = _repeat(playouts(variant), seconds)
    return _measurement(
        "playouts", variant, "random games", work=work, seconds=spent, signature=signature
    )


def measure_search(
    variant: str = "base",
    seconds: float = 2.0,
    iterations: int = SIGNATURE_ITERATIONS,
    threads: int = 1,
    evaluation: Evaluation = Evaluation.PLAYOUTS,
) -> Measurement:
    """Search iterations from the opening, in searches of ``iterations`` by all threads.

    Raises:
        SignatureError: If the fixed part, by one thread, does not give the recorded
            signature.
    """
    signature = search_signature(variant, evaluation=evaluation)
    what = f"search of {variant} by {evaluation}"
    _check(what, signature, SEARCH_SIGNATURES[evaluation][variant])
    piece = searches(variant, iterations, threads, evaluation=evaluation)
    work, spent = _repeat(piece, seconds)
    return _measurement(
        _SEARCH_NAMES[evaluation],
        variant,
        "iterations",
        work=work,
        seconds=spent,
        signature=signature,
        threads=threads,
    )


def measure_determinization(seconds: float = 2.0) -> Measurement:
    """Worlds sampled from an observation with a known tile and excluded ones.

    Raises:
        SignatureError: If the fixed part does not give the recorded signature.
    """
    signature = determinization_signature()
    _check("determinization", signature, DETERMINIZATION_SIGNATURE)
    work, spent = _repeat(determinizations(known_and_excluded()), seconds)
    return _measurement(
        "determinization", "fireflies", "worlds", work=work, seconds=spent, signature=signature
    )


# ---- work to be timed: each call does a piece, and returns its units and seconds ---------

Piece = Callable[[], tuple[int, float]]


def playouts(variant: str) -> Piece:
    """Random games."""
    rules = VARIANTS[variant]
    mask = bridge.spirit_mask(rules.spirits)
    seeds = itertools.count()
    return _timed(
        lambda: play_games(rules.fireflies, mask, _CHUNK_GAMES, next(seeds)), _CHUNK_GAMES
    )


def searches(
    variant: str,
    iterations: int,
    threads: int = 1,
    *,
    max_nodes: int = _TEXTBOOK.max_nodes,
    evaluation: Evaluation = Evaluation.PLAYOUTS,
) -> Piece:
    """Whole searches from the opening, each with another seed.

    To make an empty tree is not timed.
    """
    seeds = itertools.count(_SEED)

    def piece() -> tuple[int, float]:
        shares = [
            iterations // threads + (stream < iterations % threads) for stream in range(threads)
        ]
        seed = next(seeds)
        team = Team(threads) if threads > 1 else None
        searchers = [
            opening_searcher(
                variant, share, seed, stream, max_nodes=max_nodes, evaluation=evaluation, team=team
            )
            for stream, share in enumerate(shares)
        ]
        begin = time.perf_counter()
        _run_together(searchers, shares)
        return iterations, time.perf_counter() - begin

    return piece


def determinizations(observation: Observation) -> Piece:
    """Sampled worlds."""
    knowledge = bridge.knowledge_of_observation(observation)
    return _timed(lambda: sample_worlds(knowledge, _CHUNK_WORLDS, _SEED), _CHUNK_WORLDS)


def opening_searcher(
    variant: str,
    iterations: int,
    seed: int = _SEED,
    stream: int = 0,
    *,
    max_nodes: int = _TEXTBOOK.max_nodes,
    evaluation: Evaluation = Evaluation.PLAYOUTS,
    team: Team | None = None,
) -> Searcher:
    """An empty tree at the opening, with room for ``iterations``."""
    observation, config = opening(variant), _CONFIGS[evaluation]
    return Searcher(
        bridge.knowledge_of_observation(observation),
        seed,
        stream,
        config.exploration_for(evaluation),
        evaluator_for(observation.rules) if evaluation is Evaluation.NETWORK else None,
        config.lookahead,
        max_nodes,
        iterations,
        team,
    )


def _run_together(searchers: list[Searcher], shares: list[int]) -> None:
    def stop(_: BaseException) -> None:
        for searcher in searchers:
            searcher.stop()

    works = zip(searchers, shares, strict=True)
    helpers.together([partial(_run_in_slices, *work) for work in works], stop)


def _run_in_slices(searcher: Searcher, share: int) -> None:
    """Come back to Python now and then, so that Ctrl-C is heard."""
    while searcher.iterations < share and not searcher.stopped:
        searcher.run(share, _SLICE_SECONDS, -1.0)


def _timed(work: Callable[[], object], units: int) -> Piece:
    def piece() -> tuple[int, float]:
        begin = time.perf_counter()
        work()
        return units, time.perf_counter() - begin

    return piece


def _repeat(piece: Piece, seconds: float) -> tuple[int, float]:
    done, spent = 0, 0.0
    while spent < seconds or not done:
        units, took = piece()
        done += units
        spent += took
    return done, spent


def _measurement(
    name: str,
    variant: str,
    unit: str,
    *,
    work: int,
    seconds: float,
    signature: int,
    threads: int = 1,
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
        threads=threads,
    )


def _check(what: str, found: int, recorded: int) -> None:
    if found != recorded:
        raise SignatureError(
            f"{what}: signature {found:016x}, but {recorded:016x} is recorded; "
            "the engine has changed"
        )
