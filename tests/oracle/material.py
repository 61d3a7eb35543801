"""The material of Solstis: tiles, cells, squares, fires, spirits (rules R1 to R5)."""

from __future__ import annotations

# R1: row 1 (bottom) to row 6 (top), with the columns that exist in it.
COLUMNS_OF_ROW: dict[str, list[int]] = {
    "r": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    "o": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    "g": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    "b": [2, 3, 4, 5, 6, 7, 8, 9],
    "k": [3, 4, 5, 6, 7, 8],
    "p": [4, 5, 6, 7],
}
ROWS: list[str] = ["r", "o", "g", "b", "k", "p"]

# R1: a tile and the cell where it belongs have the same name.
TILES: list[str] = [f"{row}{column}" for row in ROWS for column in COLUMNS_OF_ROW[row]]
CELLS: list[str] = TILES


def row_of(tile: str) -> str:
    """R1: the colour letter."""
    return tile[0]


def column_of(tile: str) -> int:
    """R1: the value."""
    return int(tile[1:])


def matches(one: str, other: str) -> bool:
    """R7: same row or same column."""
    return row_of(one) == row_of(other) or column_of(one) == column_of(other)


def _cell_at(row_index: int, column: int) -> str | None:
    """The cell at this place, or None where the mountain has none."""
    if not 0 <= row_index < len(ROWS):
        return None
    cell = f"{ROWS[row_index]}{column}"
    return cell if cell in CELLS else None


def _find_neighbours(cell: str) -> list[str]:
    """R1: the cells sharing an edge with this one."""
    row_index = ROWS.index(row_of(cell))
    column = column_of(cell)
    places = [
        (row_index, column - 1),
        (row_index, column + 1),
        (row_index - 1, column),
        (row_index + 1, column),
    ]
    found = [_cell_at(*place) for place in places]
    return [neighbour for neighbour in found if neighbour is not None]


NEIGHBOURS: dict[str, list[str]] = {cell: _find_neighbours(cell) for cell in CELLS}


def _find_square(cell: str) -> list[str] | None:
    """R1: the four cells of the square whose bottom-left cell this is, or None."""
    row_index = ROWS.index(row_of(cell))
    column = column_of(cell)
    found = [_cell_at(row_index + up, column + right) for up in (0, 1) for right in (0, 1)]
    cells = [one for one in found if one is not None]
    return cells if len(cells) == 4 else None


# R1: bottom-left cell -> the four cells.
SQUARES: dict[str, list[str]] = {
    cell: square for cell in CELLS if (square := _find_square(cell)) is not None
}

# R2: one fire icon on each of these tiles, and a ninth across the edge between p5 and p6.
FIRE_TILES: list[str] = ["b2", "k3", "p4", "p5", "p6", "p7", "k8", "b9"]
NINTH_FIRE: tuple[str, str] = ("p5", "p6")

# R3
NUMBER_OF_RAINBOWS = 12

# R4
EVIL_SPIRIT = "evil_spirit"
BLUE_SPIRITS: list[str] = ["bee", "ladybug", "wolf", "squirrel", "bird", "frog", "moth"]
BROWN_SPIRITS: list[str] = ["fish", "deer", "eagle", "bear", "fly", "beetle", "groundhog"]
EXPANSION_BLUE_SPIRITS: list[str] = ["cow", "phoenix"]
EXPANSION_BROWN_SPIRITS: list[str] = ["viper", "fox"]
ALL_BLUE_SPIRITS: list[str] = BLUE_SPIRITS + EXPANSION_BLUE_SPIRITS
ALL_BROWN_SPIRITS: list[str] = BROWN_SPIRITS + EXPANSION_BROWN_SPIRITS
EXPANSION_SPIRITS: list[str] = EXPANSION_BLUE_SPIRITS + EXPANSION_BROWN_SPIRITS

# R25: the number of fireflies that wins. (R4 has 7 tokens: 3 + 4 is all that can be needed.)
WINNING_FIREFLIES = 4

# R6
HAND_LIMIT = 3
BEAR_HAND_LIMIT = 4


def spirits_of(*, fireflies: bool, evil_spirit: bool) -> list[str]:
    """R4, R5: the names of the spirits in this variant, sorted."""
    names = BLUE_SPIRITS + BROWN_SPIRITS
    if fireflies:
        names = names + EXPANSION_SPIRITS
    if evil_spirit:
        names = [*names, EVIL_SPIRIT]
    return sorted(names)
