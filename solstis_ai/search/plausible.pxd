"""Plausible play to the end: what sampled endings are made of.

Both sides take what completes most squares, then what touches most of their panorama, with
chance deciding among equals. Spirits and what they ask for are chosen at random. It sees
hands as they are in the sampled world, so it is no player, but its games end much like those
of the search: with 20 tiles or more in the deck, random play expects 4.8 stars a side too few,
this 0.9 (benchmarks/outlook.py).
"""

from libc.stdint cimport uint64_t

from solstis_ai._fast.bits cimport bit, lowest, number, often, rare
from solstis_ai._fast.chance cimport Chance, refresh
from solstis_ai._fast.placing cimport filled_cells, rainbow_cells
from solstis_ai._fast.playout cimport random_meeting, random_target
from solstis_ai._fast.rng cimport next_random
from solstis_ai._fast.rules cimport (
    capture_tile, matched, pass_turn, place_rainbow, play_tile, playable,
)
from solstis_ai._fast.types cimport *

cdef enum:
    SQUARE_WORTH = 8  # more than a tile and its neighbours can touch
    TIE_BITS = 6      # below a worth, for choosing among equals


cdef inline int worth(Board filled, int cell) noexcept nogil:
    """What filling a cell (by number) of a panorama is worth: squares, then neighbours."""
    cdef Board right = filled >> 1
    cdef Board left = filled << 1
    cdef Board above = filled >> 11
    cdef Board below = filled << 11
    cdef int squares = (
        (right & above & filled >> 12) >> cell & 1) + (
        (left & above & filled >> 10) >> cell & 1) + (
        (right & below & filled << 10) >> cell & 1) + (
        (left & below & filled << 12) >> cell & 1)
    cdef int touched = (right >> cell & 1) + (left >> cell & 1) + (above >> cell & 1) + (
        below >> cell & 1)
    if rare(filled >> cell & 1):  # a rainbow makes room and goes elsewhere
        return 0
    return SQUARE_WORTH * squares + touched


cdef inline int with_tie_bits(int value, Board tile, uint64_t noise) noexcept nogil:
    """One random word serves all tiles of a decision: each takes bits of a multiple of it."""
    return value << TIE_BITS | <int>(noise * <uint64_t>(2 * number(tile) + 1) >> (64 - TIE_BITS))


cdef inline Board best_cell(Board filled, Board cells, uint64_t noise) noexcept nogil:
    """The cell (of at least one) that is worth most."""
    cdef Board best = 0
    cdef int value, best_value = -1
    while cells:
        value = with_tie_bits(worth(filled, number(cells)), lowest(cells), noise)
        if value > best_value:
            best_value = value
            best = lowest(cells)
        cells &= cells - 1
    return best


cdef inline int best_worth(Board filled, int tile, Board captured) noexcept nogil:
    """The most that `tile` and one of `captured` are worth together."""
    cdef int value, best = 0
    while captured:
        value = worth(filled, number(captured)) + worth(filled | lowest(captured), tile)
        if value > best:
            best = value
        captured &= captured - 1
    return best


cdef inline void plausible_play(State* s, uint64_t noise, Chance* chance) noexcept nogil:
    cdef Board filled = filled_cells(&s.side[s.mover])
    cdef Board tiles = playable(s)
    cdef Board best = 0
    cdef int value, best_value = -1
    if not tiles:
        pass_turn(s)
        return
    while tiles:
        value = best_worth(filled, number(tiles), matched(s, number(tiles)))
        value = with_tie_bits(value, lowest(tiles), noise)
        if value > best_value:
            best_value = value
            best = lowest(tiles)
        tiles &= tiles - 1
    play_tile(s, best, chance)


cdef inline void plausible_capture(State* s, uint64_t noise, Chance* chance) noexcept nogil:
    cdef Board filled = filled_cells(&s.side[s.mover]) | bit(s.active)
    capture_tile(s, best_cell(filled, matched(s, s.active), noise), chance)


cdef inline void plausible_rainbow(State* s, uint64_t noise, Chance* chance) noexcept nogil:
    cdef const Side* me = &s.side[s.mover]
    place_rainbow(s, best_cell(filled_cells(me), rainbow_cells(me), noise), chance)


cdef inline void play_plausibly(State* s, Chance* chance) noexcept nogil:
    """Play until PHASE_OVER."""
    cdef uint64_t noise
    while s.phase != PHASE_OVER:
        noise = next_random(&chance.rng)
        refresh(chance)
        if often(s.phase == PHASE_PLAY):
            plausible_play(s, noise, chance)
        elif often(s.phase == PHASE_CAPTURE):
            plausible_capture(s, noise, chance)
        elif s.phase == PHASE_RAINBOW or s.phase == PHASE_FINAL_RAINBOW:
            plausible_rainbow(s, noise, chance)
        elif s.phase == PHASE_MEET or s.phase == PHASE_MEET_DRAWN:
            random_meeting(s, chance)
        else:
            random_target(s, chance)
