"""The mountain: valid cells, neighbours, matches and fires, as constants (R1, R2)."""

from solstis_ai._fast.types cimport Board

cdef extern from *:
    """
    #define SOLSTIS_SPAN(row, first, last) \
        (((UINT64_C(1) << ((last) - (first) + 1)) - 1) << (11 * ((row) - 1) + (first) - 1))
    #define SOLSTIS_CELLS (SOLSTIS_SPAN(1, 1, 10) | SOLSTIS_SPAN(2, 1, 10) | \
        SOLSTIS_SPAN(3, 1, 10) | SOLSTIS_SPAN(4, 2, 9) | SOLSTIS_SPAN(5, 3, 8) | \
        SOLSTIS_SPAN(6, 4, 7))
    #define SOLSTIS_BOTTOM_ROW SOLSTIS_SPAN(1, 1, 10)
    #define SOLSTIS_TILE(row, column) (UINT64_C(1) << (11 * ((row) - 1) + (column) - 1))
    /* One icon each (R2); the ninth lies across the edge between p5 and p6. */
    #define SOLSTIS_FIRE_TILES (SOLSTIS_TILE(4, 2) | SOLSTIS_TILE(4, 9) | \
        SOLSTIS_TILE(5, 3) | SOLSTIS_TILE(5, 8) | SOLSTIS_TILE(6, 4) | SOLSTIS_TILE(6, 5) | \
        SOLSTIS_TILE(6, 6) | SOLSTIS_TILE(6, 7))
    #define SOLSTIS_FIRE_PAIR (SOLSTIS_TILE(6, 5) | SOLSTIS_TILE(6, 6))

    /* Tiles of the same row or column as each tile, itself excluded (R7). */
    #define SOLSTIS_COLUMN(column) (UINT64_C(0x0080100200400801) << (column))
    #define SOLSTIS_MATCH(row, column) ((SOLSTIS_SPAN((row) + 1, 1, 10) | \
        SOLSTIS_COLUMN(column)) & SOLSTIS_CELLS & ~(UINT64_C(1) << (11 * (row) + (column))))
    #define SOLSTIS_MATCH_ROW(row) SOLSTIS_MATCH(row, 0), SOLSTIS_MATCH(row, 1), \
        SOLSTIS_MATCH(row, 2), SOLSTIS_MATCH(row, 3), SOLSTIS_MATCH(row, 4), \
        SOLSTIS_MATCH(row, 5), SOLSTIS_MATCH(row, 6), SOLSTIS_MATCH(row, 7), \
        SOLSTIS_MATCH(row, 8)
    static const uint64_t SOLSTIS_MATCHES[64] = {
        SOLSTIS_MATCH_ROW(0), SOLSTIS_MATCH(0, 9), 0,
        SOLSTIS_MATCH_ROW(1), SOLSTIS_MATCH(1, 9), 0,
        SOLSTIS_MATCH_ROW(2), SOLSTIS_MATCH(2, 9), 0,
        SOLSTIS_MATCH_ROW(3), SOLSTIS_MATCH(3, 9), 0,
        SOLSTIS_MATCH_ROW(4), SOLSTIS_MATCH(4, 9), 0,
        SOLSTIS_MATCH_ROW(5)};
    """
    Board ALL_CELLS "SOLSTIS_CELLS"
    Board BOTTOM_ROW "SOLSTIS_BOTTOM_ROW"
    Board FIRE_TILES "SOLSTIS_FIRE_TILES"
    Board FIRE_PAIR "SOLSTIS_FIRE_PAIR"
    const Board MATCHES "SOLSTIS_MATCHES"[64]


cdef inline Board neighbours(Board cells) noexcept nogil:
    """Cells that share an edge with a member of `cells` (members may be among them)."""
    return (cells << 1 | cells >> 1 | cells << 11 | cells >> 11) & ALL_CELLS


cdef inline Board full_squares(Board filled) noexcept nogil:
    """Squares (bottom-left bits) whose four cells are in `filled` (R1, R14)."""
    cdef Board pairs = filled & (filled >> 1)
    return pairs & (pairs >> 11)


cdef inline Board completing_cells(Board filled) noexcept nogil:
    """Cells that are the only empty one of a square (R1, R14)."""
    cdef Board right = filled >> 1
    cdef Board above = filled >> 11
    cdef Board across = filled >> 12
    cdef Board found = ~filled & right & above & across
    found |= (filled & ~right & above & across) << 1
    found |= (filled & right & ~above & across) << 11
    found |= (filled & right & above & ~across) << 12
    return found & ALL_CELLS


cdef inline Board squares_touching(Board cells) noexcept nogil:
    """Bottom-left bits of all squares with a cell in `cells`; may name squares off the board."""
    cdef Board pairs = cells | (cells >> 1)
    return pairs | (pairs >> 11)


cdef inline Board cells_of(Board squares) noexcept nogil:
    """Cells of the squares with bottom-left bits `squares`."""
    cdef Board pairs = squares | (squares << 1)
    return pairs | (pairs << 11)
