"""Where a recommended move shows on the table: what a drawing has to mark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from solstis_ai.observation import Observation
from solstis_ai.search.panoramas import locked, matches
from solstis_ai.vocabulary import Move, MoveKind

__all__ = ["NOTHING", "Marks", "marks_of"]


@dataclass(frozen=True, slots=True)
class Marks:
    """What a move takes hold of, and where it goes.

    Attributes:
        hand: Tile of the own hand.
        queue: Tile of the queue.
        cells: Cells of the own panorama that receive something.
        opponent_cell: Cell of the other panorama.
        square: Square of the own panorama that receives a spirit.
        spirit: A spirit of the line, just drawn, or of the opponent.
        known: Tile of the other hand.
    """

    hand: str = ""
    queue: str = ""
    cells: tuple[str, ...] = ()
    opponent_cell: str = ""
    square: str = ""
    spirit: str = ""
    known: str = ""


NOTHING = Marks()
"""No move is marked."""


def marks_of(observation: Observation, line: Sequence[Move]) -> Marks:
    """The marks of the first move of ``line``, and of the capture that follows a play.

    Args:
        observation: What the seat sees.
        line: The likely rest of the turn.
    """
    return _MARKS[line[0].kind](observation, line)


def _play(observation: Observation, line: Sequence[Move]) -> Marks:
    tile = line[0].target
    captured = ""
    if len(line) > 1 and line[1].kind is MoveKind.CAPTURE:
        captured = line[1].target
    placed = bool(matches(tile, [place.tile for place in observation.queue]))
    cells = _open(observation, tile, captured) if placed else ()
    return Marks(hand=tile, queue=captured, cells=cells)


def _capture(observation: Observation, line: Sequence[Move]) -> Marks:
    active = observation.turn.drawn_tile or observation.turn.played_tile
    tile = line[0].target
    return Marks(queue=tile, cells=_open(observation, active, tile))


def _add(observation: Observation, line: Sequence[Move]) -> Marks:
    tile = line[0].target
    cells = _open(observation, tile)
    if tile in observation.your_hand:
        return Marks(hand=tile, cells=cells)
    return Marks(queue=tile, cells=cells)


def _take(observation: Observation, line: Sequence[Move]) -> Marks:
    tile = line[0].target
    return Marks(opponent_cell=tile, cells=_open(observation, tile))


def _open(observation: Observation, *tiles: str) -> tuple[str, ...]:
    """Those of ``tiles`` that are not discarded (R12)."""
    return tuple(tile for tile in tiles if tile and tile not in locked(observation.you))


_MARKS: dict[MoveKind, Callable[[Observation, Sequence[Move]], Marks]] = {
    MoveKind.PLAY: _play,
    MoveKind.CAPTURE: _capture,
    MoveKind.RAINBOW: lambda _, line: Marks(cells=(line[0].target,)),
    MoveKind.DRAW: lambda _, __: NOTHING,
    MoveKind.MEET: lambda _, line: Marks(spirit=line[0].target, square=line[0].square),
    MoveKind.ADD: _add,
    MoveKind.TAKE: _take,
    MoveKind.FORCE: lambda _, line: Marks(known=line[0].target),
    MoveKind.EVIL: lambda _, line: Marks(opponent_cell=line[0].target),
    MoveKind.PASS: lambda _, __: NOTHING,
    MoveKind.COVER: lambda _, line: Marks(spirit=line[0].target),
}
