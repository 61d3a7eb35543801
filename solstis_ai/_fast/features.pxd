"""A position as 64-bit sets of yes/no features, for a network that judges it.

All of it is told from the side that decides ("me") and the side that does not ("other").
A board of cells is one word; numbers are one-hot in a part of a word. Feature number
64 * word + bit is present when the bit is set.
"""

from libc.stdint cimport uint64_t

from solstis_ai._fast.bits cimport bit, count
from solstis_ai._fast.geometry cimport completing_cells
from solstis_ai._fast.placing cimport filled_cells, new_squares
from solstis_ai._fast.rules cimport all_matched, capturing_tiles, matched
from solstis_ai._fast.scoring cimport Areas, find_areas, score_areas
from solstis_ai._fast.types cimport *

cdef enum SideWord:
    # words of one side; those of "other" follow SIDE_WORDS later
    WORD_TILES_LIT_FIRST    # land tiles in the largest area, which is lit
    WORD_TILES_DARK_FIRST   # in the largest area, which is not lit
    WORD_TILES_LIT          # in other lit areas
    WORD_TILES_DARK         # in other areas
    WORD_RAINBOWS
    WORD_SPIRIT_SQUARES
    WORD_FIREFLY_SQUARES
    WORD_EVIL_CELL
    WORD_HAND_CAPTURING     # hand tiles that match a queue tile
    WORD_HAND_WAITING       # the other hand tiles
    WORD_COMPLETING_NOW     # cells that complete a square, with a tile that can be had now
    WORD_COMPLETING_LATER   # those whose tile may still come
    WORD_SPIRITS            # bits 0-18 spirits met, 32-47 number of areas, 48-57 lit fires
    WORD_LARGEST            # land tiles in the largest area, 0-48
    SIDE_WORDS

cdef enum CommonWord:
    WORD_QUEUE_MINE = 2 * SIDE_WORDS  # queue tiles that match a hand tile of mine alone
    WORD_QUEUE_OTHER        # of the other alone
    WORD_QUEUE_BOTH
    WORD_QUEUE_NONE
    WORD_COVERING
    WORD_ACTIVE             # the tile about to capture
    WORD_CAPTURES           # what it may capture
    WORD_NEW_SQUARES        # of mine, on which a spirit may be met
    WORD_LINE               # bits 0-18 line, 20-38 drawn, 39 extra turn, 40-42 pending,
                            # 43 after a pass, 44 forced, 45-49 evil spirit, 50-61 phase
    WORD_DECK               # deck size, 0-48; 50-62 rainbow supply
    WORD_LEAD               # stars of mine less those of the other, -31..31, from bit 0
    WORD_COUNTS             # bits 0-19 spirit deck, 20-24 fireflies of mine, 25-29 of the other
    FEATURE_WORDS

cdef struct Features:
    uint64_t words[FEATURE_WORDS]


cdef inline uint64_t one_hot(int value, int most) noexcept nogil:
    return bit(value if value < most else most)


cdef inline void tile_features(
    const Side* side, const Areas* areas, uint64_t* words
) noexcept nogil:
    cdef Board largest = side.tiles & areas.first
    cdef Board rest = side.tiles & ~areas.first
    words[<int>WORD_TILES_LIT_FIRST] = largest & areas.lit
    words[<int>WORD_TILES_DARK_FIRST] = largest & ~areas.lit
    words[<int>WORD_TILES_LIT] = rest & areas.lit
    words[<int>WORD_TILES_DARK] = rest & ~areas.lit
    words[<int>WORD_RAINBOWS] = side.rainbows
    words[<int>WORD_SPIRIT_SQUARES] = side.spirit_squares
    words[<int>WORD_FIREFLY_SQUARES] = side.firefly_squares
    words[<int>WORD_EVIL_CELL] = side.evil_cell


cdef inline int side_features(
    const State* s, int seat, Board captures, uint64_t* words
) noexcept nogil:
    """The words of one side; `captures` are queue tiles that its hand matches. Returns stars."""
    cdef const Side* side = &s.side[seat]
    cdef Areas areas = find_areas(side)
    cdef Board capturing = capturing_tiles(s, side.hand)
    cdef Board completing = completing_cells(filled_cells(side))
    cdef Score score
    score_areas(s, seat, &areas, &score)
    tile_features(side, &areas, words)
    words[<int>WORD_HAND_CAPTURING] = capturing
    words[<int>WORD_HAND_WAITING] = side.hand & ~capturing
    words[<int>WORD_COMPLETING_NOW] = completing & (capturing | captures)
    words[<int>WORD_COMPLETING_LATER] = (
        completing & ~(capturing | captures) & ~s.side[1 - seat].tiles)
    words[<int>WORD_SPIRITS] = (
        s.spirits[seat] | one_hot(areas.number, 15) << 32 | one_hot(score.fires, 9) << 48)
    words[<int>WORD_LARGEST] = one_hot(areas.largest, 48)
    return score.total


cdef inline void queue_features(
    const State* s, Board mine, Board others, uint64_t* words
) noexcept nogil:
    words[<int>WORD_QUEUE_MINE] = mine & ~others
    words[<int>WORD_QUEUE_OTHER] = others & ~mine
    words[<int>WORD_QUEUE_BOTH] = mine & others
    words[<int>WORD_QUEUE_NONE] = s.queue & ~(mine | others)
    words[<int>WORD_COVERING] = s.covering


cdef inline int evil_feature(const State* s) noexcept nogil:
    """0 hidden, 1 drawn, 2 with me, 3 with the other, 4 out of the game."""
    if s.evil == EVIL_SIDE_0 or s.evil == EVIL_SIDE_1:
        return 2 + (s.evil - EVIL_SIDE_0 != s.mover)
    return s.evil


cdef inline void turn_features(const State* s, uint64_t* words) noexcept nogil:
    cdef bint capturing = s.phase == PHASE_CAPTURE
    cdef bint meeting = s.phase == PHASE_MEET or s.phase == PHASE_MEET_DRAWN
    words[<int>WORD_ACTIVE] = bit(s.active) if capturing else 0
    words[<int>WORD_CAPTURES] = matched(s, s.active) if capturing else 0
    words[<int>WORD_NEW_SQUARES] = new_squares(s, &s.side[s.mover]) if meeting else 0
    words[<int>WORD_LINE] = (
        s.line | <uint64_t>s.drawn << 20 | <uint64_t>(s.met == GROUNDHOG) << 39
        | one_hot(s.pending, 2) << 40 | <uint64_t>(s.passes != 0) << 43
        | <uint64_t>(s.forced != NO_TILE) << 44
        | bit(45 + evil_feature(s)) | bit(50 + s.phase))
    words[<int>WORD_DECK] = bit(s.deck_size) | bit(50 + s.supply)
    words[<int>WORD_COUNTS] = (
        bit(count(s.spirit_deck)) | bit(20 + count(s.side[s.mover].firefly_squares))
        | bit(25 + count(s.side[1 - s.mover].firefly_squares)))


cdef inline void find_features(const State* s, Features* found) noexcept nogil:
    """All features of a position in which somebody decides."""
    cdef int me = s.mover
    cdef Board mine = all_matched(s.side[me].hand) & s.queue
    cdef Board others = all_matched(s.side[1 - me].hand) & s.queue
    cdef int lead = side_features(s, me, mine, found.words)
    lead -= side_features(s, 1 - me, others, found.words + SIDE_WORDS)
    queue_features(s, mine, others, found.words)
    turn_features(s, found.words)
    lead = 31 + (-31 if lead < -31 else 31 if lead > 31 else lead)
    found.words[<int>WORD_LEAD] = bit(lead)
