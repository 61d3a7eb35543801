"""The facts behind an answer, in plain sentences built from its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solstis_ai.observation import Observation, Panorama
from solstis_ai.search.types import MoveStatistics
from solstis_ai.vocabulary import CELLS, SQUARES, Move, MoveKind, cells_of_square

__all__ = ["exact_reasons", "reasons"]

_TIE = 2.0  # standard errors of a difference below which two moves count as equally good

_EFFECTS = {
    "fish": "places a rainbow at once",
    "deer": "places another tile of the hand at once",
    "eagle": "places a random tile of the deck at once",
    "bear": "draws a tile and raises the hand limit to four",
    "fly": "takes a random tile of the opponent's hand",
    "beetle": "takes a tile of the queue",
    "groundhog": "gives another turn",
    "viper": "takes an isolated tile of the opponent's panorama",
    "fox": "shows the opponent's hand and forces a tile",
    "bee": "scores a star for each brown spirit",
    "ladybug": "scores a star for each fire that is not lit",
    "wolf": "scores a star for each area",
    "squirrel": "places what is left of the hand at the end",
    "bird": "scores a star for each other blue spirit",
    "frog": "scores a star for each rainbow",
    "moth": "scores another star for each lit fire",
    "cow": "scores the second largest area",
    "phoenix": "scores another star for each firefly",
}


def reasons(
    observation: Observation, rows: Sequence[MoveStatistics], own: float, other: float
) -> tuple[str, ...]:
    """Why the first of ``rows`` is recommended.

    Args:
        observation: What the seat sees; nothing else is told.
        rows: All legal moves, the recommended one first.
        own: Expected stars of the seat after it.
        other: Expected stars of the opponent after it.
    """
    best = rows[0]
    said = list(_facts(observation, best.move))
    if best.visits:
        said.append(
            f"Wins {best.win_probability:.0%} of the simulated games, "
            f"with {own:.1f} stars to {other:.1f} on average."
        )
    said.extend(_comparison(rows))
    return tuple(said)


def exact_reasons(
    observation: Observation, rows: Sequence[MoveStatistics], own: float, other: float
) -> tuple[str, ...]:
    """Why the first of ``rows`` is recommended in an ending that was solved; see ``reasons``."""
    best = rows[0]
    said = list(_facts(observation, best.move))
    said.append(
        f"Worked out to the end: it wins {best.win_probability:.0%} at least, with {own:.1f} "
        f"stars to {other:.1f} on average, whatever the opponent does."
    )
    said.extend(_exact_comparison(rows))
    return tuple(said)


def _exact_comparison(rows: Sequence[MoveStatistics]) -> Iterator[str]:
    if len(rows) == 1:
        yield "It is the only legal move."
        return
    lead = rows[0].win_probability - rows[1].win_probability
    if lead > 0:
        yield f"That is {100 * lead:.1f} points of a hundred more than {rows[1].move}."
    else:
        yield f"{rows[1].move} wins as often, with no better margin."


def _comparison(rows: Sequence[MoveStatistics]) -> Iterator[str]:
    if len(rows) == 1:
        yield "It is the only legal move."
        return
    best, second = rows[0], rows[1]
    if not second.visits:
        return
    lead = best.win_probability - second.win_probability
    error: float = (best.standard_error**2 + second.standard_error**2) ** 0.5
    if lead > _TIE * error:
        yield f"That is {100 * lead:.1f} points of a hundred more than {second.move}."
    else:
        yield f"The search sees no clear difference from {second.move}."


def _facts(observation: Observation, move: Move) -> Iterator[str]:
    if move.kind is MoveKind.PLAY:
        yield from _play_facts(observation, move.target)
    elif move.kind is MoveKind.CAPTURE:
        turn = observation.turn
        yield from _completed(observation.you, [move.target, turn.drawn_tile or turn.played_tile])
        if any(place.covers for place in observation.queue if place.tile == move.target):
            yield f"A face-down tile under {move.target} is turned up."
    elif move.kind in (MoveKind.RAINBOW, MoveKind.ADD, MoveKind.TAKE):
        yield from _completed(observation.you, [move.target])
    elif move.kind is MoveKind.MEET:
        yield f"The {move.target} {_EFFECTS[move.target]}."


def _play_facts(observation: Observation, tile: str) -> Iterator[str]:
    if observation.turn.forced_tile == tile:
        yield "The fox has forced this tile."
    matched = [
        place.tile
        for place in observation.queue
        if place.tile[0] == tile[0] or place.tile[1:] == tile[1:]
    ]
    if matched:
        yield f"{tile} can capture {_listed(matched)}."
    else:
        yield f"{tile} matches nothing in the queue and leads to a second chance."


def _completed(own: Panorama, placed: Sequence[str]) -> Iterator[str]:
    """Squares that are full with ``placed`` and were not before (R14)."""
    before = {*own.tiles, *own.rainbows}
    after = before | set(placed)
    squares = [
        square
        for square in SQUARES
        if set(cells_of_square(square)) <= after and not set(cells_of_square(square)) <= before
    ]
    if squares:
        noun = "square" if len(squares) == 1 else "squares"
        yield f"It completes the {noun} {_listed(squares)}."


def _listed(codes: Sequence[str]) -> str:
    ordered = sorted(codes, key=CELLS.index)
    if len(ordered) == 1:
        return ordered[0]
    return f"{', '.join(ordered[:-1])} and {ordered[-1]}"
