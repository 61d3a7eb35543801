"""Cells, squares and panoramas as far as the checks need them (rules R1, R7, R12-R14, R17)."""

from __future__ import annotations

from collections.abc import Collection

from solstis_ai.observation import Panorama
from solstis_ai.vocabulary import CELLS, ROW_LETTERS, SQUARES, cells_of_square

__all__ = [
    "CELL_SET",
    "NEIGHBOURS",
    "SQUARE_CELLS",
    "allowed_cells",
    "carrying_squares",
    "filled_cells",
    "isolated",
    "locked_rainbows",
    "matches",
    "new_squares",
]

CELL_SET = frozenset(CELLS)

SQUARE_CELLS: dict[str, frozenset[str]] = {
    square: frozenset(cells_of_square(square)) for square in SQUARES
}
"""The four cells of each square, by its bottom-left cell (R1)."""


def _row_and_column(cell: str) -> tuple[int, int]:
    return ROW_LETTERS.index(cell[0]), int(cell[1:])


def _share_an_edge(one: str, other: str) -> bool:
    (row, column), (other_row, other_column) = _row_and_column(one), _row_and_column(other)
    return abs(row - other_row) + abs(column - other_column) == 1


NEIGHBOURS: dict[str, frozenset[str]] = {
    cell: frozenset(other for other in CELLS if _share_an_edge(cell, other)) for cell in CELLS
}
"""The cells that share an edge with each cell (R1)."""


def matches(one: str, other: str) -> bool:
    """Whether two tiles are of the same row or the same column (R7)."""
    return one[0] == other[0] or one[1:] == other[1:]


def filled_cells(panorama: Panorama) -> frozenset[str]:
    """The cells that hold a tile or a rainbow."""
    return frozenset(panorama.tiles) | frozenset(panorama.rainbows)


def allowed_cells(panorama: Panorama) -> frozenset[str]:
    """Where a rainbow, or the evil spirit of the expansion, may be placed (R13, R26)."""
    filled = filled_cells(panorama)
    empty = CELL_SET - filled - {panorama.evil_spirit_cell}
    return frozenset(cell for cell in empty if not filled or NEIGHBOURS[cell] & filled)


def isolated(cells: Collection[str], panorama: Panorama) -> frozenset[str]:
    """Those of ``cells`` without an adjacent tile or rainbow (R17 viper)."""
    filled = filled_cells(panorama)
    return frozenset(cell for cell in cells if not NEIGHBOURS[cell] & filled)


def carrying_squares(panorama: Panorama) -> frozenset[str]:
    """The squares that carry a spirit or a firefly."""
    met = (spirit.square for spirit in panorama.spirits)
    return frozenset(panorama.firefly_squares).union(met)


def locked_rainbows(panorama: Panorama) -> frozenset[str]:
    """The rainbows that are part of a square with a spirit or a firefly (R12)."""
    locked = frozenset[str]().union(*(SQUARE_CELLS[it] for it in carrying_squares(panorama)))
    return locked & frozenset(panorama.rainbows)


def new_squares(panorama: Panorama, filled_this_turn: Collection[str]) -> frozenset[str]:
    """The squares that can receive a spirit or a firefly (R14, R25)."""
    filled, fresh = filled_cells(panorama), frozenset(filled_this_turn)
    candidates = SQUARE_CELLS.keys() - carrying_squares(panorama)
    return frozenset(
        square
        for square in candidates
        if SQUARE_CELLS[square] <= filled and SQUARE_CELLS[square] & fresh
    )
