"""Work to be timed, by name; each task is a function that does a piece and counts its units.

``playouts`` and ``search`` use nothing that is newer than the compiled search itself, so that
they also run on older revisions; everything else is imported where it is needed.
"""

from __future__ import annotations

import inspect
import itertools
import json
import sys
import threading
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RECORDED = sorted((ROOT / "tests" / "data").glob("recorded_*.jsonl"))

Piece = Callable[[], int]

GAMES = 5_000
ORACLE_GAMES = 2
WORLDS = 500_000
LISTINGS = 200
SEED = 1
MAX_NODES = 1 << 22
EXPLORATION = 0.7


def piece_of(name: str, options: dict[str, Any]) -> Piece:
    """The piece of work of a task.

    Args:
        name: A name in ``TASKS``.
        options: Arguments of that task.
    """
    return TASKS[name](**options)


# ---- the engine --------------------------------------------------------------------------


def rules(variant: str) -> Any:
    """The rules of a variant of ``solstis-ai bench``."""
    from solstis_ai.vocabulary import Rules

    return Rules(fireflies=variant == "fireflies", evil_spirit=variant != "beginner")


def playouts(variant: str = "base") -> Piece:
    """Random games."""
    from solstis_ai import bridge
    from solstis_ai.search.searcher import play_games

    played = rules(variant)
    mask = bridge.spirit_mask(played.spirits)

    seeds = itertools.count()

    def piece() -> int:
        play_games(played.fireflies, mask, GAMES, next(seeds))
        return GAMES

    return piece


def search(
    variant: str = "base",
    iterations: int = 10_000,
    threads: int = 1,
    max_nodes: int = MAX_NODES,
    apart: bool = False,
) -> Piece:
    """Whole searches from the opening, each in empty trees, one tree a thread.

    Each has another seed: the processor would learn the branches of a short search that is
    always the same. The trees of ``apart`` tell each other nothing: searches of one thread each
    that run at the same time.
    """
    from solstis_ai import bridge
    from solstis_ai.game import Game
    from solstis_ai.search.searcher import Searcher

    observation = Game(rules(variant), seed=SEED).observation(0)
    knowledge = bridge.knowledge_of_observation(observation)
    share = iterations // threads
    limits = [-1.0] * (len(inspect.signature(Searcher.run).parameters) - 2)
    seeds = itertools.count(SEED)

    def piece() -> int:
        seed = next(seeds)
        team = [] if apart else _team_of(threads)
        searchers = [
            new_searcher(knowledge, seed, stream, max_nodes, share, *team)
            for stream in range(threads)
        ]
        _run_together([partial(searcher.run, share, *limits) for searcher in searchers])
        return share * threads

    return piece


def new_searcher(
    knowledge: Any, seed: int, stream: int, max_nodes: int, share: int, *team: Any
) -> Any:
    """An empty tree whose leaves are played to the end, in this commit or an earlier one."""
    from solstis_ai.search.searcher import Searcher

    try:
        return Searcher(knowledge, seed, stream, EXPLORATION, None, 0, max_nodes, share, *team)
    except TypeError:  # before leaves could be judged by a network
        arguments: list[Any] = [knowledge, seed, stream, EXPLORATION, max_nodes, share, *team]
        return Searcher(*arguments)


def _team_of(threads: int) -> list[Any]:
    """The further argument of members of a team; older revisions have none."""
    if threads == 1 or find_spec("solstis_ai.search.team") is None:
        return []
    from solstis_ai.search.team import Team

    return [Team(threads)]


def _run_together(works: list[Callable[[], None]]) -> None:
    """As a search does; in older revisions the others always run on new threads."""
    try:
        from solstis_ai.search.helpers import together
    except ImportError:
        _run_on_new_threads(works)
    else:
        together(works, lambda _: None)


def _run_on_new_threads(works: list[Callable[[], None]]) -> None:
    others = [threading.Thread(target=work) for work in works[1:]]
    for other in others:
        other.start()
    works[0]()
    for other in others:
        other.join()


def recorded_games() -> list[dict[str, Any]]:
    """The recorded games of the tests."""
    return [json.loads(line) for path in RECORDED for line in path.read_text().splitlines()]


def recorded_states() -> tuple[list[Any], list[int | None]]:
    """The state before every decision of the recorded games, and how many moves are legal.

    A number is None where the legal moves are not recorded.
    """
    from solstis_ai import bridge
    from solstis_ai.game import Game, Setup
    from solstis_ai.vocabulary import Rules

    states: list[Any] = []
    legal: list[int | None] = []
    for recorded in recorded_games():
        first, second = recorded["setup"]["hands"]
        queue = tuple((pair["up"], pair["under"]) for pair in recorded["setup"]["queue"])
        setup = Setup((tuple(first), tuple(second)), queue)
        game = Game(Rules(**recorded["rules"]), seed=0, setup=setup)
        for event in recorded["events"]:
            states.append(bridge.state_of_position(game.position()))
            legal.append(event["legal"] and len(event["legal"]))
            game.push(event["move"], event["chance"])
    return states, legal


def move_generation() -> Piece:
    """Lists of the legal decisions of all recorded states; a unit is one list."""
    from solstis_ai.search.loops import list_all_moves

    states, _ = recorded_states()

    def piece() -> int:
        list_all_moves(states, LISTINGS)
        return LISTINGS * len(states)

    return piece


def observations() -> dict[str, Any]:
    """Observations to sample worlds from, by name."""
    from solstis_ai.benchmark import known_and_excluded, opening

    return {"known-and-excluded": known_and_excluded(), "opening": opening()}


def determinization(observation: str = "known-and-excluded") -> Piece:
    """Sampled worlds."""
    from solstis_ai import bridge
    from solstis_ai.search.loops import sample_worlds

    knowledge = bridge.knowledge_of_observation(observations()[observation])

    def piece() -> int:
        sample_worlds(knowledge, WORLDS, SEED)
        return WORLDS

    return piece


# ---- the pure-Python oracle of the tests -------------------------------------------------


def _oracle() -> Any:
    if str(ROOT / "tests") not in sys.path:
        sys.path.insert(0, str(ROOT / "tests"))
    import oracle.chance
    import oracle.random_play
    import oracle.recorded

    return oracle


def oracle_playouts(variant: str = "base") -> Piece:
    """Random games on the oracle, without its checks."""
    oracle = _oracle()
    played = rules(variant)

    def piece() -> int:
        for seed in range(ORACLE_GAMES):
            game = oracle.random_play.play_random_game(
                seed,
                fireflies=played.fireflies,
                evil_spirit=played.evil_spirit,
                observe=lambda _game: None,
            )
            game.score(0), game.score(1)
        return ORACLE_GAMES

    return piece


def oracle_move_generation() -> Piece:
    """Lists of the legal decisions of all recorded states, by the oracle."""
    import copy

    oracle = _oracle()
    games: list[Any] = []
    for recorded in recorded_games():
        oracle.recorded.replay(recorded, lambda game: games.append(copy.deepcopy(game)))
    games = [game for game in games if not game.over]

    def piece() -> int:
        for game in games:
            game.legal()
        return len(games)

    return piece


TASKS: dict[str, Callable[..., Piece]] = {
    "playouts": playouts,
    "search": search,
    "move_generation": move_generation,
    "determinization": determinization,
    "oracle_playouts": oracle_playouts,
    "oracle_move_generation": oracle_move_generation,
}
