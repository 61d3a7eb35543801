"""What decisions do, phase by phase (R7-R23, R25, R26).

Every function changes the state in place and leaves it at the next decision. Arguments
must be legal (`options` in `decisions` tells what is); nothing is checked here.
"""

from libc.stdint cimport uint32_t

from solstis_ai._fast.bits cimport bit, count, lowest, number, often, rare
from solstis_ai._fast.chance cimport (
    Chance, draw_spirit, draw_tile, steal_tile, uncover,
)
from solstis_ai._fast.geometry cimport MATCHES
from solstis_ai._fast.placing cimport (
    isolated_tiles, new_squares, place_tile, rainbow_cells,
)
from solstis_ai._fast.types cimport *


# ---- vocabulary of this file -------------------------------------------------------------

cdef inline bint owns(const State* s, int side, int spirit) noexcept nogil:
    return (s.spirits[side] >> spirit) & 1


cdef inline int hand_limit(const State* s, int side) noexcept nogil:
    """Three tiles, four for the owner of the bear (R11)."""
    return HAND_LIMIT + owns(s, side, BEAR)


cdef inline bint evil_is_before(const State* s, int side) noexcept nogil:
    return s.evil == EVIL_SIDE_0 + side


# ---- turns -------------------------------------------------------------------------------

cdef inline void refill(State* s, Chance* chance) noexcept nogil:
    cdef Side* me = &s.side[s.mover]
    cdef int missing = hand_limit(s, s.mover) - count(me.hand)
    while missing > 0 and s.deck_size:
        me.hand |= draw_tile(s, chance)
        missing -= 1


cdef inline void end_turn(State* s, Chance* chance) noexcept nogil:
    """Refill the hand; then the other player's turn, or another after the groundhog (R11)."""
    refill(s, chance)
    s.mover ^= s.met != GROUNDHOG
    s.phase = PHASE_PLAY
    s.met = NO_SPIRIT
    s.filled = 0


cdef inline void settle_evil_spirit(State* s, Chance* chance) noexcept nogil:
    """Expansion: a drawn evil spirit, or one on the panorama of a player who met, moves (R26)."""
    cdef bint drawn = s.evil == EVIL_DRAWN
    if drawn or (s.met != NO_SPIRIT and evil_is_before(s, s.mover)):
        if rainbow_cells(&s.side[1 - s.mover]):
            s.phase = PHASE_EVIL
            return
        if drawn:
            s.evil = EVIL_OUT
    end_turn(s, chance)


cdef inline void place_fireflies(Side* me, Board squares) noexcept nogil:
    """One token a square in board order; the fourth wins at once, so no fifth is placed (R25)."""
    while squares and count(me.firefly_squares) < FIREFLIES_TO_WIN:
        me.firefly_squares |= lowest(squares)
        squares &= squares - 1


cdef inline void end_meeting(State* s, Chance* chance) noexcept nogil:
    """After the effect of a spirit: fireflies, the evil spirit, end of turn (R11, R25, R26)."""
    cdef Side* me = &s.side[s.mover]
    if not s.fireflies:
        end_turn(s, chance)
        return
    if s.met != NO_SPIRIT:
        place_fireflies(me, new_squares(s, me))
        if count(me.firefly_squares) >= FIREFLIES_TO_WIN:
            s.phase = PHASE_OVER
            return
    settle_evil_spirit(s, chance)


cdef inline void after_placing(State* s, Chance* chance) noexcept nogil:
    """Place what rainbows are pending, then meet a spirit, then end the turn (R11-R14)."""
    cdef Side* me = &s.side[s.mover]
    if rare(s.pending):
        if rainbow_cells(me):
            s.phase = PHASE_RAINBOW
            return
        s.supply += s.pending
        s.pending = 0
    if s.met != NO_SPIRIT:
        end_meeting(s, chance)
    elif rare(new_squares(s, me)) and (s.spirit_deck | s.line):
        s.phase = PHASE_MEET
    else:
        end_turn(s, chance)


# ---- play, capture, rainbow --------------------------------------------------------------

cdef inline Board matched(const State* s, int tile) noexcept nogil:
    """Face-up queue tiles of the same row or column (R7)."""
    return MATCHES[tile] & s.queue


cdef inline Board capturing_tiles(const State* s, Board tiles) noexcept nogil:
    """Those of `tiles` that match a queue tile (R20)."""
    cdef Board rest = tiles
    cdef Board found = 0
    while rest:
        if matched(s, number(rest)):
            found |= lowest(rest)
        rest &= rest - 1
    return found


cdef inline Board playable(const State* s) noexcept nogil:
    """Hand tiles that may be played; empty when the player must pass (R7, R20, R22)."""
    cdef Board tiles = s.side[s.mover].hand
    if rare(s.forced != NO_TILE):
        tiles = bit(s.forced)
    if often(s.deck_size):
        return tiles
    return capturing_tiles(s, tiles)


cdef inline void take_rainbow(State* s) noexcept nogil:
    """A rainbow from the supply, if there is one, becomes pending (R10)."""
    if s.supply:
        s.supply -= 1
        s.pending += 1


cdef inline void second_chance(State* s, Chance* chance) noexcept nogil:
    """The played tile has joined the queue; draw one more (R9, R10)."""
    cdef Board drawn = draw_tile(s, chance)
    if matched(s, number(drawn)):
        s.active = number(drawn)
        s.phase = PHASE_CAPTURE
        return
    s.queue |= drawn
    take_rainbow(s)
    after_placing(s, chance)


cdef inline void play_tile(State* s, Board tile, Chance* chance) noexcept nogil:
    cdef Side* me = &s.side[s.mover]
    me.hand ^= tile
    s.passes = 0
    s.forced = NO_TILE
    s.played = number(tile)
    if often(matched(s, s.played)):
        s.active = s.played
        s.phase = PHASE_CAPTURE
        return
    s.queue |= tile
    second_chance(s, chance)


cdef inline void capture_tile(State* s, Board captured, Chance* chance) noexcept nogil:
    """Captured and capturing tile go to their cells (R8)."""
    cdef Side* me = &s.side[s.mover]
    uncover(s, captured, chance)
    place_tile(s, me, captured)
    place_tile(s, me, bit(s.active))
    s.active = NO_TILE
    after_placing(s, chance)


cdef inline void end_game(State* s) noexcept nogil:
    s.phase = PHASE_OVER
    s.filled = 0


cdef inline void place_rainbow(State* s, Board cell, Chance* chance) noexcept nogil:
    cdef Side* me = &s.side[s.mover]
    me.rainbows |= cell
    s.pending -= 1
    if rare(s.phase == PHASE_FINAL_RAINBOW):
        last_rainbows(s)
        return
    s.filled |= cell
    after_placing(s, chance)


# ---- spirits -----------------------------------------------------------------------------

cdef inline void evil_drawn_alone(State* s, Chance* chance) noexcept nogil:
    """The last spirit of the deck was the evil one: the line remains, if any (R14, R15)."""
    if s.line:
        return
    s.drawn = 0
    if s.fireflies:
        settle_evil_spirit(s, chance)
    else:
        s.evil = EVIL_SIDE_0 + s.mover
        end_turn(s, chance)


cdef inline void draw_spirits(State* s, Chance* chance) noexcept nogil:
    """Draw the top two of the spirit deck, or the last one (R14, R15)."""
    s.drawn = 1 << draw_spirit(s, chance)
    if s.spirit_deck:
        s.drawn |= 1 << draw_spirit(s, chance)
    s.phase = PHASE_MEET_DRAWN
    if s.drawn & (1 << EVIL_SPIRIT):
        s.evil = EVIL_DRAWN
        if s.drawn == (1 << EVIL_SPIRIT):
            evil_drawn_alone(s, chance)


cdef inline void pass_evil_spirit_on(State* s) noexcept nogil:
    """Base game: kept when just drawn, else handed over by a holder who meets (R15, R16)."""
    if s.evil == EVIL_DRAWN:
        s.evil = EVIL_SIDE_0 + s.mover
    elif evil_is_before(s, s.mover):
        s.evil = EVIL_SIDE_0 + (1 - s.mover)


cdef inline void fish(State* s, Chance* chance) noexcept nogil:
    take_rainbow(s)
    after_placing(s, chance)


cdef inline void deer(State* s, Chance* chance) noexcept nogil:
    if s.side[s.mover].hand:
        s.phase = PHASE_ADD
    else:
        after_placing(s, chance)


cdef inline void eagle(State* s, Chance* chance) noexcept nogil:
    if s.deck_size:
        place_tile(s, &s.side[s.mover], draw_tile(s, chance))
    after_placing(s, chance)


cdef inline void bear(State* s, Chance* chance) noexcept nogil:
    if s.deck_size:
        s.side[s.mover].hand |= draw_tile(s, chance)
    after_placing(s, chance)


cdef inline void fly(State* s, Chance* chance) noexcept nogil:
    cdef Side* other = &s.side[1 - s.mover]
    if other.hand:
        place_tile(s, &s.side[s.mover], steal_tile(s, other, chance))
        if s.deck_size:
            other.hand |= draw_tile(s, chance)
    after_placing(s, chance)


cdef inline void beetle(State* s, Chance* chance) noexcept nogil:
    if s.queue:
        s.phase = PHASE_ADD
    else:
        after_placing(s, chance)


cdef inline void viper(State* s, Chance* chance) noexcept nogil:
    if isolated_tiles(&s.side[1 - s.mover]):
        s.phase = PHASE_TAKE
    else:
        after_placing(s, chance)


cdef inline void fox(State* s, Chance* chance) noexcept nogil:
    cdef Side* other = &s.side[1 - s.mover]
    if other.hand:
        other.known = other.hand
        s.phase = PHASE_FORCE
    else:
        after_placing(s, chance)


cdef inline void spirit_effect(State* s, int spirit, Chance* chance) noexcept nogil:
    """One brown effect at once after meeting (R17); blue spirits have none (R18)."""
    if spirit == FISH:
        fish(s, chance)
    elif spirit == DEER:
        deer(s, chance)
    elif spirit == EAGLE:
        eagle(s, chance)
    elif spirit == BEAR:
        bear(s, chance)
    elif spirit == FLY:
        fly(s, chance)
    elif spirit == BEETLE:
        beetle(s, chance)
    elif spirit == VIPER:
        viper(s, chance)
    elif spirit == FOX:
        fox(s, chance)
    else:
        after_placing(s, chance)


cdef inline void meet_spirit(State* s, int spirit, int square, Chance* chance) noexcept nogil:
    """Seat a spirit on a new square; another one drawn goes to the line (R14)."""
    cdef uint32_t mask = 1 << spirit
    s.line = (s.line | (s.drawn & ~<uint32_t>(1 << EVIL_SPIRIT))) & ~mask
    s.drawn = 0
    s.spirits[s.mover] |= mask
    s.side[s.mover].spirit_squares |= bit(square)
    s.square_of[spirit] = square
    s.met = spirit
    if not s.fireflies:
        pass_evil_spirit_on(s)
    spirit_effect(s, spirit, chance)


cdef inline void add_tile(State* s, Board tile, Chance* chance) noexcept nogil:
    """Place a hand tile (deer) or a queue tile (beetle) (R17)."""
    cdef Side* me = &s.side[s.mover]
    if s.met == DEER:
        me.hand ^= tile
    else:
        uncover(s, tile, chance)
    place_tile(s, me, tile)
    after_placing(s, chance)


cdef inline void take_tile(State* s, Board tile, Chance* chance) noexcept nogil:
    """Move an isolated tile of the other panorama to the own one (R17 viper)."""
    s.side[1 - s.mover].tiles ^= tile
    place_tile(s, &s.side[s.mover], tile)
    after_placing(s, chance)


cdef inline void force_tile(State* s, int tile, Chance* chance) noexcept nogil:
    """Choose what the other player must play next (R17 fox)."""
    s.forced = tile
    after_placing(s, chance)


cdef inline void place_evil_spirit(State* s, Board cell, Chance* chance) noexcept nogil:
    """Put the evil spirit on the other panorama (R26)."""
    s.side[s.mover].evil_cell = 0
    s.side[1 - s.mover].evil_cell = cell
    s.evil = EVIL_SIDE_0 + (1 - s.mover)
    end_turn(s, chance)


# ---- end of the game ---------------------------------------------------------------------

cdef inline void last_rainbows(State* s) noexcept nogil:
    """Rainbows displaced by the squirrel, one after the other, then the end (R12, R23b)."""
    if s.pending:
        if rainbow_cells(&s.side[s.mover]):
            s.phase = PHASE_FINAL_RAINBOW
            return
        s.supply += s.pending
        s.pending = 0
    end_game(s)


cdef inline void place_last_hand(State* s) noexcept nogil:
    """The owner of an uncovered squirrel places all remaining hand tiles (R23b)."""
    cdef Side* me
    cdef int owner = owns(s, 1, SQUIRREL)
    if s.covered == SQUIRREL or not owns(s, owner, SQUIRREL):
        end_game(s)
        return
    s.mover = owner
    me = &s.side[owner]
    while me.hand:
        place_tile(s, me, lowest(me.hand))
        me.hand &= me.hand - 1
    s.filled = 0
    last_rainbows(s)


cdef inline void last_acts(State* s) noexcept nogil:
    """Both players have passed: cover a spirit of the evil spirit's holder, first (R23)."""
    cdef int holder = s.evil - EVIL_SIDE_0
    if not s.fireflies and (holder == 0 or holder == 1) and s.spirits[holder]:
        s.mover = 1 - holder
        s.phase = PHASE_COVER
    else:
        place_last_hand(s)


cdef inline void cover_spirit(State* s, int spirit) noexcept nogil:
    s.covered = spirit
    place_last_hand(s)


cdef inline Board all_matched(Board tiles) noexcept nogil:
    """All tiles that match at least one of `tiles`."""
    cdef Board found = 0
    while tiles:
        found |= MATCHES[number(tiles)]
        tiles &= tiles - 1
    return found


cdef inline void pass_turn(State* s) noexcept nogil:
    """No tile can capture; two passes end the game (R20-R22). A free pass tells of the hand."""
    if s.forced == NO_TILE:
        s.side[s.mover].excluded |= all_matched(s.queue)
    s.forced = NO_TILE
    s.passes += 1
    if s.passes == 2:
        last_acts(s)
    else:
        s.mover ^= 1
