"""Placing tiles and rainbows in a panorama, and what that completes (R12-R14)."""

from solstis_ai._fast.bits cimport rare
from solstis_ai._fast.geometry cimport (
    ALL_CELLS, cells_of, full_squares, neighbours, squares_touching,
)
from solstis_ai._fast.types cimport Board, Side, State


cdef inline Board filled_cells(const Side* side) noexcept nogil:
    return side.tiles | side.rainbows


cdef inline Board occupied_squares(const Side* side) noexcept nogil:
    """Squares that carry a spirit or a firefly."""
    return side.spirit_squares | side.firefly_squares


cdef inline Board rainbow_cells(const Side* side) noexcept nogil:
    """Cells that may receive a rainbow, or the evil spirit (R13, R26)."""
    cdef Board filled = filled_cells(side)
    cdef Board near = neighbours(filled) if filled else ALL_CELLS
    return near & ~filled & ~side.evil_cell


cdef inline Board new_squares(const State* s, const Side* side) noexcept nogil:
    """Full squares with a cell filled this turn that carry nothing yet (R14)."""
    return (full_squares(filled_cells(side)) & squares_touching(s.filled)
            & ~occupied_squares(side))


cdef inline Board isolated_tiles(const Side* side) noexcept nogil:
    """Land tiles without an adjacent tile or rainbow (R17 viper)."""
    return side.tiles & ~neighbours(filled_cells(side))


cdef inline void place_tile(State* s, Side* side, Board tile) noexcept nogil:
    """Put a land tile on its own cell; a displaced rainbow becomes pending (R12)."""
    if rare(tile & (side.rainbows | side.evil_cell)):
        if tile & (side.evil_cell | (cells_of(occupied_squares(side)))):
            return  # discarded
        side.rainbows ^= tile
        s.pending += 1
    side.tiles |= tile
    s.filled |= tile
