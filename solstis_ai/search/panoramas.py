"""What can be read off one panorama: areas, fires, squares, what a tile would do there.

For sentences and pictures; the core counts for itself. All sets are sets of cells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from solstis_ai.observation import Panorama
from solstis_ai.validation import geometry
from solstis_ai.vocabulary import (
    BLUE_SPIRITS,
    BROWN_SPIRITS,
    CELLS,
    ROW_LETTERS,
)

__all__ = [
    "FIRE_PAIR",
    "FIRE_TILES",
    "areas",
    "bonus",
    "fire_icons",
    "fires",
    "full_squares",
    "largest_area",
    "lit_fireflies",
    "lit_fires",
    "lit_icons",
    "locked",
    "matches",
    "with_tiles",
    "worth",
]

FIRE_TILES = ("b2", "k3", "p4", "p7", "k8", "b9", "p5", "p6")
"""Tiles with a fire icon of their own (R2)."""

FIRE_PAIR = ("p5", "p6")
"""The tiles that share the ninth icon (R2)."""


def matches(tile: str, others: Iterable[str]) -> list[str]:
    """Those of ``others`` in the row or the column of ``tile`` (R7)."""
    return [other for other in others if geometry.matches(tile, other)]


def with_tiles(panorama: Panorama, tiles: Iterable[str]) -> Panorama:
    """The panorama with more tiles in it; rainbows on their cells are displaced (R12)."""
    placed = frozenset((*panorama.tiles, *tiles)) - locked(panorama)
    return Panorama(
        tiles=tuple(cell for cell in CELLS if cell in placed),
        rainbows=tuple(cell for cell in panorama.rainbows if cell not in placed),
        spirits=panorama.spirits,
        firefly_squares=panorama.firefly_squares,
        evil_spirit_cell=panorama.evil_spirit_cell,
    )


def locked(panorama: Panorama) -> frozenset[str]:
    """Cells whose tile would be discarded: a locked rainbow or the evil spirit is there (R12)."""
    return geometry.locked_rainbows(panorama) | ({panorama.evil_spirit_cell} - {""})


def full_squares(cells: Collection[str]) -> frozenset[str]:
    """Squares whose four cells are among ``cells`` (R14)."""
    filled = frozenset(cells)
    return frozenset(square for square, four in geometry.SQUARE_CELLS.items() if four <= filled)


def areas(panorama: Panorama) -> list[frozenset[str]]:
    """Areas, the largest first: by cells, then by land tiles (R24)."""
    rest, found = set(geometry.filled_cells(panorama)), []
    while rest:
        found.append(_area(rest))
    tiles = set(panorama.tiles)
    return sorted(found, key=lambda area: (len(area), len(area & tiles)), reverse=True)


def largest_area(panorama: Panorama) -> int:
    """Land tiles in the largest area."""
    return _land(panorama, 0)


def fire_icons(panorama: Panorama) -> frozenset[str]:
    """The fire icons on land tiles, lit or not, by their tiles; ``p5 p6`` is the ninth (R2)."""
    return _icons(panorama.tiles)


def lit_icons(panorama: Panorama) -> frozenset[str]:
    """Those of ``fire_icons`` that are lit (R24)."""
    return _icons(_lit_cells(panorama) & frozenset(panorama.tiles))


def fires(panorama: Panorama) -> int:
    """Fire icons on land tiles, lit or not (R2)."""
    return len(fire_icons(panorama))


def lit_fires(panorama: Panorama) -> int:
    """Fire icons in areas that reach row 1 (R24)."""
    return len(lit_icons(panorama))


def lit_fireflies(panorama: Panorama) -> frozenset[str]:
    """Squares with a firefly in areas that reach row 1 (R24)."""
    lit = _lit_cells(panorama)
    return frozenset(it for it in panorama.firefly_squares if it in lit)


def bonus(panorama: Panorama, spirit: str) -> int:
    """Stars that a blue spirit adds in this panorama as it is, itself not counted (R24)."""
    names = {met.spirit for met in panorama.spirits if not met.covered} - {spirit}
    count = {
        "bee": lambda: len(names & set(BROWN_SPIRITS)),
        "ladybug": lambda: fires(panorama) - lit_fires(panorama),
        "wolf": lambda: len(areas(panorama)),
        "bird": lambda: len(names & set(BLUE_SPIRITS)),
        "frog": lambda: len(panorama.rainbows),
        "moth": lambda: lit_fires(panorama),
        "cow": lambda: _land(panorama, 1),
        "phoenix": lambda: len(panorama.firefly_squares),
    }
    return count[spirit]() if spirit in count else 0


def worth(panorama: Panorama, spirit: str) -> int:
    """Stars that would be lost here with a spirit: its own, and those that others get for it."""
    others = {met.spirit for met in panorama.spirits if not met.covered} - {spirit}
    counted = ("bee" in others and spirit in BROWN_SPIRITS) + (
        "bird" in others and spirit in BLUE_SPIRITS
    )
    return 1 + bonus(panorama, spirit) + counted


def _lit_cells(panorama: Panorama) -> frozenset[str]:
    lit = [area for area in areas(panorama) if any(cell[0] == ROW_LETTERS[0] for cell in area)]
    return frozenset[str]().union(*lit)


def _land(panorama: Panorama, rank: int) -> int:
    found = areas(panorama)
    return len(found[rank] & set(panorama.tiles)) if rank < len(found) else 0


def _icons(tiles: Collection[str]) -> frozenset[str]:
    own = [tile for tile in tiles if tile in FIRE_TILES]
    ninth = [" ".join(FIRE_PAIR)] if all(tile in tiles for tile in FIRE_PAIR) else []
    return frozenset((*own, *ninth))


def _area(rest: set[str]) -> frozenset[str]:
    """Take one area out of ``rest``."""
    area, edge = set(), {rest.pop()}
    while edge:
        area |= edge
        edge = {near for cell in edge for near in geometry.NEIGHBOURS[cell]} & rest
        rest -= edge
    return frozenset(area)
