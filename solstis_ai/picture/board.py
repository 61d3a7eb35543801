"""Tiles and panoramas in the picture."""

from __future__ import annotations

from solstis_ai.observation import Panorama, SpiritOnSquare
from solstis_ai.picture.style import width_of
from solstis_ai.picture.svg import Element, Point, circle, element, group, label, rect
from solstis_ai.search.panoramas import FIRE_PAIR, FIRE_TILES
from solstis_ai.vocabulary import BLUE_SPIRITS, CELLS, ROW_LETTERS

__all__ = [
    "HEIGHT",
    "STEP_X",
    "STEP_Y",
    "TILE_HEIGHT",
    "TILE_WIDTH",
    "WIDTH",
    "add_back",
    "add_mark",
    "add_panorama",
    "add_spirit",
    "add_tile",
    "cell_at",
    "middle_of",
    "spirits_at",
    "square_at",
    "width_of_spirit",
]

TILE_WIDTH, TILE_HEIGHT = 52.0, 40.0
STEP_X, STEP_Y = 56.0, 44.0
WIDTH, HEIGHT = 10 * STEP_X, len(ROW_LETTERS) * STEP_Y
"""Size of a panorama, in pixels."""

_SHIFT = 7.0  # of a spirit that has no room beside another

_FLAME = "c4,4 5,6 5,9 a5,5 0 0 1 -10,0 c0,-2 1,-3 2,-4 c0,2 1,2 2,2 c0,-3 -1,-4 1,-7 z"


def cell_at(origin: Point, cell: str) -> Point:
    """The upper left corner of a cell of the panorama at ``origin``."""
    row = len(ROW_LETTERS) - 1 - ROW_LETTERS.index(cell[0])
    return origin.plus(STEP_X * (int(cell[1:]) - 1), STEP_Y * row)


def middle_of(corner: Point) -> Point:
    """The middle of a tile with this upper left corner."""
    return corner.plus(TILE_WIDTH / 2, TILE_HEIGHT / 2)


def square_at(origin: Point, square: str) -> Point:
    """The middle of a square of the panorama at ``origin``."""
    gap_x, gap_y = STEP_X - TILE_WIDTH, STEP_Y - TILE_HEIGHT
    return cell_at(origin, square).plus(TILE_WIDTH + gap_x / 2, -gap_y / 2)


def spirits_at(origin: Point, panorama: Panorama) -> dict[SpiritOnSquare, Point]:
    """The middles of the spirits of the panorama at ``origin``.

    They lie in the middle of their squares; of long names side by side, one higher and the next
    lower, so that all can be read.
    """
    found: dict[SpiritOnSquare, Point] = {}
    shift, end, row = 0.0, origin.x, ""
    for met in sorted(panorama.spirits, key=lambda met: (met.square[0], int(met.square[1:]))):
        middle, half = square_at(origin, met.square), width_of_spirit(met.spirit) / 2
        crowded = met.square[0] == row and middle.x - half < end
        if crowded and not shift:
            before = next(reversed(found))
            found[before], shift = found[before].plus(0, -_SHIFT), -_SHIFT
        shift = -shift if crowded else 0.0
        found[met] = middle.plus(0, shift)
        end, row = middle.x + half, met.square[0]
    return found


def add_panorama(parent: Element, origin: Point, panorama: Panorama, name: str) -> None:
    """A panorama in the shape of the mountain, with all that lies on it."""
    board = group(parent, f"panorama {name}")
    for cell in CELLS:
        _add_cell(board, cell_at(origin, cell), panorama, cell)
    _add_shared_fire(board, origin, panorama)
    for square in panorama.firefly_squares:
        _add_firefly(board, square_at(origin, square))
    for met, middle in spirits_at(origin, panorama).items():
        add_spirit(board, middle, met.spirit, met.covered)


def add_tile(parent: Element, corner: Point, code: str) -> None:
    """A land tile, face up."""
    tile = group(parent, "tile")
    rect(tile, corner, TILE_WIDTH, TILE_HEIGHT, f"tile-{code[0]}")
    label(tile, _word_in(corner), code, f"code on-{code[0]}", "middle")
    if code in FIRE_TILES:
        _add_flame(tile, corner.plus(TILE_WIDTH - 9, 4), "fire")


def add_back(parent: Element, corner: Point) -> None:
    """A tile, face down."""
    tile = group(parent, "face-down")
    rect(tile, corner, TILE_WIDTH, TILE_HEIGHT, "back")
    peak = f"M{corner.x + 12:.1f},{corner.y + 30:.1f} l14,-19 l14,19"
    element(tile, "path", d=peak, class_="back-peak")


def add_spirit(parent: Element, middle: Point, spirit: str, covered: bool = False) -> None:
    """The name of a spirit in its colour."""
    width, height = width_of_spirit(spirit), 18.0
    kind = "blue" if spirit in BLUE_SPIRITS else "brown"
    token = group(parent, "covered" if covered else "token")
    rect(token, middle.plus(-width / 2, -height / 2), width, height, f"spirit {kind}")
    label(token, middle.plus(0, 4), spirit, "spirit-name", "middle")


def width_of_spirit(spirit: str) -> float:
    """How wide the name of a spirit is drawn, in pixels."""
    return width_of(spirit, "spirit-name") + 8


def add_mark(parent: Element, corner: Point, width: float, height: float, what: str) -> None:
    """An outline around what the recommended move takes or fills; ``what`` names it."""
    for class_ in ("mark-casing", "mark"):
        outline = rect(parent, corner.plus(-1, -1), width + 2, height + 2, class_)
    outline.set("data-marks", what)


def _add_cell(board: Element, corner: Point, panorama: Panorama, cell: str) -> None:
    if cell in panorama.tiles:
        add_tile(board, corner, cell)
    elif cell in panorama.rainbows:
        rect(board, corner, TILE_WIDTH, TILE_HEIGHT, "rainbow")
    elif cell == panorama.evil_spirit_cell:
        rect(board, corner, TILE_WIDTH, TILE_HEIGHT, "evil")
        label(board, _word_in(corner), "evil", "evil-word", "middle")
    else:
        rect(board, corner, TILE_WIDTH, TILE_HEIGHT, "cell")
        label(board, _word_in(corner), cell, "cell-code", "middle")
        if cell in FIRE_TILES:
            _add_flame(board, corner.plus(TILE_WIDTH - 9, 4), "fire-faint")


def _word_in(corner: Point) -> Point:
    return middle_of(corner).plus(0, 5)


def _add_flame(parent: Element, tip: Point, class_: str) -> None:
    element(parent, "path", d=f"M{tip.x:.1f},{tip.y:.1f} {_FLAME}", class_=class_)


def _add_shared_fire(board: Element, origin: Point, panorama: Panorama) -> None:
    """The ninth icon, across the edge of its two tiles (R2)."""
    both = all(cell in panorama.tiles for cell in FIRE_PAIR)
    edge = cell_at(origin, FIRE_PAIR[1]).plus(-(STEP_X - TILE_WIDTH) / 2, 22)
    _add_flame(board, edge, "fire" if both else "fire-faint")


def _add_firefly(board: Element, middle: Point) -> None:
    token = group(board, "token")
    circle(token, middle, 13, "firefly-glow")
    circle(token, middle, 6, "firefly")
