"""One player's panorama: placing, squares, areas (rules R12 to R14, R17 viper, R24)."""

from __future__ import annotations

from dataclasses import dataclass, field

from oracle.material import CELLS, NEIGHBOURS, SQUARES

PLACED = "placed"
DISPLACED = "displaced"
DISCARDED = "discarded"


@dataclass
class Panorama:
    """What lies in front of one player."""

    tiles: set[str] = field(default_factory=set)
    rainbows: set[str] = field(default_factory=set)
    met: dict[str, str] = field(default_factory=dict)  # spirit -> the square that carries it
    covered: str | None = None  # R23(a)
    firefly_squares: set[str] = field(default_factory=set)  # R25
    evil_cell: str | None = None  # R26

    def filled(self) -> set[str]:
        """Cells holding a tile or a rainbow. The evil spirit fills nothing (R26)."""
        return self.tiles | self.rainbows

    def carries_something(self, square: str) -> bool:
        """R14: does the square carry a spirit or a firefly?

        A spirit that is covered at the end (R23) still lies there.
        """
        return square in self.met.values() or square in self.firefly_squares

    def is_locked(self, cell: str) -> bool:
        """R12: is the cell part of a square that carries a spirit or a firefly?"""
        around = [square for square, cells in SQUARES.items() if cell in cells]
        return any(self.carries_something(square) for square in around)

    def place_tile(self, tile: str) -> str:
        """R12: PLACED, DISPLACED (placed, and a rainbow came free) or DISCARDED."""
        if tile == self.evil_cell:
            return DISCARDED
        if tile in self.rainbows and self.is_locked(tile):
            return DISCARDED
        self.tiles.add(tile)
        if tile in self.rainbows:
            self.rainbows.remove(tile)
            return DISPLACED
        return PLACED

    def allowed_cells(self) -> list[str]:
        """R13: where a rainbow (R26: or the evil spirit) may be placed, sorted."""
        filled = self.filled()
        empty = [cell for cell in CELLS if cell not in filled and cell != self.evil_cell]
        if not filled:
            return sorted(empty)
        return sorted(
            cell for cell in empty if any(neighbour in filled for neighbour in NEIGHBOURS[cell])
        )

    def new_squares(self, filled_this_turn: set[str]) -> list[str]:
        """R14: the squares that can receive a spirit (R25: or a firefly), sorted."""
        filled = self.filled()
        return sorted(
            square
            for square, cells in SQUARES.items()
            if all(cell in filled for cell in cells)
            and any(cell in filled_this_turn for cell in cells)
            and not self.carries_something(square)
        )

    def isolated_tiles(self) -> list[str]:
        """R17 viper: the land tiles without an adjacent tile or rainbow, sorted."""
        filled = self.filled()
        return sorted(
            tile
            for tile in self.tiles
            if not any(neighbour in filled for neighbour in NEIGHBOURS[tile])
        )

    def area_of(self, cell: str) -> set[str]:
        """R24: the group of adjacent filled cells to which a filled cell belongs."""
        filled = self.filled()
        area = {cell}
        to_visit = [cell]
        while to_visit:
            for neighbour in NEIGHBOURS[to_visit.pop()]:
                if neighbour in filled and neighbour not in area:
                    area.add(neighbour)
                    to_visit.append(neighbour)
        return area

    def areas(self) -> list[set[str]]:
        """R24: all areas, in no particular order."""
        found: list[set[str]] = []
        for cell in sorted(self.filled()):
            if not any(cell in area for area in found):
                found.append(self.area_of(cell))
        return found
