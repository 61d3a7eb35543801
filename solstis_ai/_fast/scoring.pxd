"""Stars at the end of the game, one small function for each part of R24."""

from libc.stdint cimport int32_t, uint32_t

from solstis_ai._fast.bits cimport bit, count, lowest
from solstis_ai._fast.geometry cimport BOTTOM_ROW, FIRE_PAIR, FIRE_TILES, cells_of, neighbours
from solstis_ai._fast.placing cimport filled_cells
from solstis_ai._fast.types cimport (
    BEE, BIRD, BLUE_MASK, BROWN_MASK, COW, FIREFLIES_TO_WIN, FROG, LADYBUG, MOTH, NO_SPIRIT,
    PHOENIX, WOLF, Board, Score, Side, State,
)

cdef struct Areas:
    Board lit              # cells of all areas that reach row 1
    Board first            # cells of the largest area
    int number             # of areas
    int largest            # land tiles in the largest area
    int second             # land tiles in the second largest area, 0 without one


cdef inline Board flood(Board seed, Board filled) noexcept nogil:
    """The area of `filled` around `seed`."""
    cdef Board area = seed
    cdef Board grown
    while True:
        grown = area | ((area << 1 | area >> 1) & filled)
        grown |= (grown << 11 | grown >> 11) & filled
        if grown == area:
            return area
        area = grown


cdef inline Areas find_areas(const Side* side) noexcept nogil:
    """Areas, largest by cells and then by land tiles (R24)."""
    cdef Board filled = filled_cells(side)
    cdef Board single = filled & ~neighbours(filled)
    cdef Board rest = filled ^ single
    cdef Board area
    cdef Areas found
    cdef int rank, first_rank, second_rank, tiles = count(single & side.tiles)
    found.lit = single & BOTTOM_ROW
    found.first = lowest(single & side.tiles if single & side.tiles else single)
    found.number = count(single)
    first_rank = (found.number >= 1) << 6 | (tiles >= 1)
    second_rank = (found.number >= 2) << 6 | (tiles >= 2)
    while rest:
        area = flood(lowest(rest), filled)
        rest ^= area
        found.number += 1
        if area & BOTTOM_ROW:
            found.lit |= area
        rank = count(area) << 6 | count(area & side.tiles)
        if rank > first_rank:
            second_rank = first_rank
            first_rank = rank
            found.first = area
        elif rank > second_rank:
            second_rank = rank
    found.largest = first_rank & 63
    found.second = second_rank & 63
    return found


cdef inline int fire_icons(Board tiles) noexcept nogil:
    """Fire icons on land tiles; p5 and p6 together hold one more (R2)."""
    return count(tiles & FIRE_TILES) + ((tiles & FIRE_PAIR) == FIRE_PAIR)


cdef inline int lit_fireflies(const Side* side, Board lit) noexcept nogil:
    """Fireflies on squares that are lit; the four cells of a square share an area."""
    return count(side.firefly_squares & lit)


cdef inline uint32_t scoring_spirits(const State* s, int side) noexcept nogil:
    """Spirits that count: met and not covered (R23a)."""
    return s.spirits[side] & ~<uint32_t>bit(s.covered)


cdef inline void score_bonuses(
    const Side* side, uint32_t spirits, const Areas* areas, Score* score
) noexcept nogil:
    cdef int lit = score.fires
    if spirits & (1 << BEE):
        score.bonus[<int>BEE] = count(spirits & BROWN_MASK)
    if spirits & (1 << LADYBUG):
        score.bonus[<int>LADYBUG] = fire_icons(side.tiles) - lit
    if spirits & (1 << WOLF):
        score.bonus[<int>WOLF] = areas.number
    if spirits & (1 << BIRD):
        score.bonus[<int>BIRD] = count(spirits & BLUE_MASK) - 1
    if spirits & (1 << FROG):
        score.bonus[<int>FROG] = count(side.rainbows)
    if spirits & (1 << MOTH):
        score.bonus[<int>MOTH] = lit
    if spirits & (1 << COW):
        score.bonus[<int>COW] = areas.second
    if spirits & (1 << PHOENIX):
        score.bonus[<int>PHOENIX] = count(side.firefly_squares)


cdef inline void score_areas(
    const State* s, int side, const Areas* areas, Score* score
) noexcept nogil:
    """All parts of R24 for one side, whose areas these are."""
    cdef const Side* own = &s.side[side]
    cdef uint32_t spirits = scoring_spirits(s, side)
    cdef int i
    for i in range(9):
        score.bonus[i] = 0
    score.area = areas.largest
    score.fires = fire_icons(own.tiles & areas.lit)
    score.spirits = count(spirits)
    score.fireflies = lit_fireflies(own, areas.lit)
    score_bonuses(own, spirits, areas, score)
    score.total = score.area + score.fires + score.spirits + score.fireflies
    for i in range(9):
        score.total += score.bonus[i]


cdef inline void score_side(const State* s, int side, Score* score) noexcept nogil:
    """All parts of R24 for one side."""
    cdef Areas areas = find_areas(&s.side[side])
    score_areas(s, side, &areas, score)


cdef inline bint wins_by_fireflies(const State* s, int side) noexcept nogil:
    """Whether this side has the fourth firefly (R25)."""
    return count(s.side[side].firefly_squares) >= FIREFLIES_TO_WIN


cdef inline int stars(const State* s, int side) noexcept nogil:
    """Total of `score_side`."""
    cdef Score score
    score_side(s, side, &score)
    return score.total


cdef inline int outcome_for(const State* s, int side, int own, int other) noexcept nogil:
    """Half points of `side` in a finished game with these totals: 2 win, 1 draw, 0 loss."""
    if s.fireflies:
        if wins_by_fireflies(s, side):
            return 2
        if wins_by_fireflies(s, 1 - side):
            return 0
    return 1 + (own > other) - (own < other)
