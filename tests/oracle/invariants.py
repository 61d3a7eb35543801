"""What must hold between any two decisions of a game."""

from __future__ import annotations

import json
from collections import Counter

from oracle.game import OracleGame
from oracle.material import (
    EVIL_SPIRIT,
    NUMBER_OF_RAINBOWS,
    SQUARES,
    TILES,
    WINNING_FIREFLIES,
    spirits_of,
)
from oracle.state import Side, State


def check_invariants(game: OracleGame) -> None:
    """AssertionError if anything is wrong with the state of the game."""
    _check_tiles(game.state)
    _check_rainbows(game.state)
    _check_spirits(game.state)
    _check_knowledge(game.state)
    for side in game.state.sides:
        _check_panorama(side)
    _check_snapshot(game)
    assert game.over == (game.legal() == [])


def _check_tiles(state: State) -> None:
    """R1: 48 tiles, each in exactly one place; deck and covered tiles make up the pool."""
    places = [*state.pool, *state.queue, *state.discarded]
    if state.active_tile is not None:
        places.append(state.active_tile)
    for side in state.sides:
        places += [*side.hand, *side.panorama.tiles]
    assert sorted(places) == sorted(TILES)
    assert len(state.pool) == state.deck_size + sum(state.queue.values())


def _check_rainbows(state: State) -> None:
    """R3: 12 rainbows."""
    placed = sum(len(side.panorama.rainbows) for side in state.sides)
    assert placed + state.rainbows_to_place + state.rainbow_supply == NUMBER_OF_RAINBOWS


def _check_spirits(state: State) -> None:
    """R4: every spirit in exactly one place."""
    places = Counter([*state.spirit_deck, *state.spirit_line, *state.drawn_spirits])
    for side in state.sides:
        places.update(list(side.panorama.met))
    evil_is_drawn_now = EVIL_SPIRIT in state.drawn_spirits
    if state.evil_spirit not in ("none", "deck") and not evil_is_drawn_now:
        places[EVIL_SPIRIT] += 1
    has_evil = state.evil_spirit != "none"
    names = spirits_of(fireflies=state.fireflies, evil_spirit=has_evil)
    assert places == Counter(names)
    for number, side in enumerate(state.sides):
        assert (side.panorama.evil_cell is not None) == (state.evil_spirit == f"on{number}")


def _check_knowledge(state: State) -> None:
    """§9: knowledge is true."""
    for side in state.sides:
        assert side.known <= side.hand
        assert not side.excluded & side.hand


def _check_panorama(side: Side) -> None:
    """R12 to R14, R25, R26."""
    panorama = side.panorama
    assert not panorama.tiles & panorama.rainbows
    assert panorama.evil_cell not in panorama.filled()
    carrying = [*panorama.met.values(), *panorama.firefly_squares]
    assert len(set(carrying)) == len(carrying)
    for square in carrying:
        assert all(cell in panorama.filled() for cell in SQUARES[square])
    assert len(panorama.firefly_squares) <= WINNING_FIREFLIES


def _check_snapshot(game: OracleGame) -> None:
    """A snapshot is plain, complete, and shares nothing with the game."""
    snapshot = game.snapshot()
    plain = json.loads(json.dumps(snapshot))
    assert plain == snapshot
    twin = OracleGame.from_snapshot(plain)
    assert twin.state == game.state
