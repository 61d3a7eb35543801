"""The vocabulary of the core: enums, the State struct and the move code. No logic.

A *board* is a set of cells or tiles in 64 bits. Rows are 11 bits apart, from the bottom
row up, and column 11 never exists, so that shifts by 1 and 11 never wrap:

    bit = 11 * (row - 1) + (column - 1)

    row 6  p  bits 58..61                  purple  columns 4-7
    row 5  k  bits 46..51                  pink    columns 3-8
    row 4  b  bits 34..41                  blue    columns 2-9
    row 3  g  bits 22..31                  green   columns 1-10
    row 2  o  bits 11..20                  orange  columns 1-10
    row 1  r  bits  0..9                   red     columns 1-10

A *move code* is one decision in 16 bits, the deciding side included:

    bit 15      14..11   10..6     5..0
    side 0/1    kind     spirit    bit number of tile, cell or square
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef uint64_t Board
ctypedef uint16_t MoveCode

cdef enum Phase:
    PHASE_PLAY
    PHASE_CAPTURE
    PHASE_RAINBOW
    PHASE_MEET
    PHASE_MEET_DRAWN
    PHASE_ADD
    PHASE_TAKE
    PHASE_FORCE
    PHASE_EVIL
    PHASE_COVER
    PHASE_FINAL_RAINBOW
    PHASE_OVER

cdef enum MoveKind:
    KIND_PLAY
    KIND_CAPTURE
    KIND_RAINBOW
    KIND_DRAW
    KIND_MEET
    KIND_ADD
    KIND_TAKE
    KIND_FORCE
    KIND_EVIL
    KIND_PASS
    KIND_COVER

cdef enum Spirit:
    # blue (R4), then brown, then red: the order of solstis_ai.vocabulary.SPIRITS
    BEE
    LADYBUG
    WOLF
    SQUIRREL
    BIRD
    FROG
    MOTH
    COW
    PHOENIX
    FISH
    DEER
    EAGLE
    BEAR
    FLY
    BEETLE
    GROUNDHOG
    VIPER
    FOX
    EVIL_SPIRIT
    NO_SPIRIT

cdef enum:
    SPIRIT_COUNT = 19
    BLUE_MASK = (1 << 9) - 1
    BROWN_MASK = ((1 << 9) - 1) << 9
    HAND_LIMIT = 3
    RAINBOW_SUPPLY = 12
    FIREFLIES_TO_WIN = 4
    NO_TILE = 63
    MAX_LEGAL = 640  # 18 spirits on 33 squares, and "draw"; any other phase has fewer
    MAX_EVENTS = 16  # chance events after one decision: at most 2 spirits, or flip and refill

cdef enum EvilPlace:
    EVIL_HIDDEN   # in the spirit deck, or not in this game
    EVIL_DRAWN    # drawn this turn, to be kept (R15) or placed (R26)
    EVIL_SIDE_0   # kept by side 0 (base), or on its panorama (expansion)
    EVIL_SIDE_1
    EVIL_OUT      # left the game (R26)

cdef struct Side:
    Board tiles            # land tiles in the panorama
    Board rainbows         # cells that hold a rainbow
    Board hand
    Board known            # tiles shown to the other side by the fox; meaningful within `hand`
    Board excluded         # tiles that cannot be in `hand`, because of a pass (rules, section 9)
    Board spirit_squares   # squares (bottom-left bits) that carry a spirit
    Board firefly_squares
    Board evil_cell        # expansion: cell blocked by the evil spirit, or none

cdef struct State:
    Side side[2]
    Board pool             # tiles of the deck and under the queue: exchangeable, so one set
    Board queue            # face-up queue tiles
    Board covering         # those of them with a face-down tile below
    Board filled           # cells of the mover's panorama filled this turn
    uint32_t spirits[2]    # spirits met, by side (covered ones included)
    uint32_t spirit_deck
    uint32_t line          # face-up spirits beside the spirit deck
    uint32_t drawn         # spirits drawn and not yet met
    uint8_t phase
    uint8_t mover          # side that decides
    uint8_t deck_size
    uint8_t supply         # rainbows left
    uint8_t pending        # rainbows to place
    uint8_t active         # tile number about to capture, or NO_TILE
    uint8_t played         # tile number played from the hand, in PHASE_CAPTURE, or NO_TILE
    uint8_t met            # spirit met this turn, or NO_SPIRIT
    uint8_t forced         # tile number forced by the fox, or NO_TILE
    uint8_t passes         # consecutive passes, 0 or 1
    uint8_t evil           # EvilPlace
    uint8_t covered        # spirit covered at the end (R23a), or NO_SPIRIT
    uint8_t fireflies      # whether the expansion is played
    uint8_t square_of[SPIRIT_COUNT]  # bit number of the square of each met spirit

cdef struct Score:
    int32_t total
    int32_t area
    int32_t fires
    int32_t spirits
    int32_t bonus[9]       # by blue spirit
    int32_t fireflies

cdef struct Options:
    # All legal decisions of a position: targets of one kind, or spirits x squares (and draw).
    Board targets
    uint32_t spirits
    uint8_t kind
    uint8_t may_draw
