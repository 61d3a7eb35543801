"""Legal decisions, the codes that name them, and how one is performed (rules, section 10)."""

from libc.stdint cimport uint32_t

from solstis_ai._fast.bits cimport bit, count, number
from solstis_ai._fast.chance cimport Chance
from solstis_ai._fast.placing cimport isolated_tiles, new_squares, rainbow_cells
from solstis_ai._fast.rules cimport (
    add_tile, capture_tile, cover_spirit, draw_spirits, force_tile, matched, meet_spirit,
    pass_turn, place_evil_spirit, place_rainbow, play_tile, playable, take_tile,
)
from solstis_ai._fast.types cimport *


cdef inline MoveCode move_code(int side, int kind, int spirit, int target) noexcept nogil:
    return <MoveCode>(side << 15 | kind << 11 | spirit << 6 | target)


cdef inline int code_kind(MoveCode code) noexcept nogil:
    return (code >> 11) & 15


cdef inline int code_spirit(MoveCode code) noexcept nogil:
    return (code >> 6) & 31


cdef inline int code_target(MoveCode code) noexcept nogil:
    return code & 63


cdef inline void play_options(const State* s, Options* found) noexcept nogil:
    found.kind = KIND_PLAY
    found.targets = playable(s)
    if not found.targets:
        found.kind = KIND_PASS
        found.targets = 1


cdef inline void meet_options(const State* s, Options* found) noexcept nogil:
    found.kind = KIND_MEET
    found.targets = new_squares(s, &s.side[s.mover])
    if s.phase == PHASE_MEET:
        found.spirits = s.line
        found.may_draw = s.spirit_deck != 0
    elif s.drawn == (1 << EVIL_SPIRIT):
        found.spirits = s.line
    else:
        found.spirits = s.drawn & ~<uint32_t>(1 << EVIL_SPIRIT)


cdef inline void options(const State* s, Options* found) noexcept nogil:
    """All legal decisions; none in PHASE_OVER (targets 0)."""
    cdef const Side* me = &s.side[s.mover]
    cdef const Side* other = &s.side[1 - s.mover]
    found.spirits = 0
    found.may_draw = False
    found.targets = 0
    found.kind = KIND_PASS
    if s.phase == PHASE_PLAY:
        play_options(s, found)
    elif s.phase == PHASE_CAPTURE:
        found.kind = KIND_CAPTURE
        found.targets = matched(s, s.active)
    elif s.phase == PHASE_MEET or s.phase == PHASE_MEET_DRAWN:
        meet_options(s, found)
    elif s.phase == PHASE_RAINBOW or s.phase == PHASE_FINAL_RAINBOW:
        found.kind = KIND_RAINBOW
        found.targets = rainbow_cells(me)
    elif s.phase == PHASE_ADD:
        found.kind = KIND_ADD
        found.targets = me.hand if s.met == DEER else s.queue
    elif s.phase == PHASE_TAKE:
        found.kind = KIND_TAKE
        found.targets = isolated_tiles(other)
    elif s.phase == PHASE_FORCE:
        found.kind = KIND_FORCE
        found.targets = other.hand
    elif s.phase == PHASE_EVIL:
        found.kind = KIND_EVIL
        found.targets = rainbow_cells(other)
    elif s.phase == PHASE_COVER:
        found.kind = KIND_COVER
        found.targets = s.spirits[1 - s.mover]


cdef inline int option_count(const Options* found) noexcept nogil:
    if found.kind == KIND_MEET:
        return count(found.targets) * count(found.spirits) + found.may_draw
    return count(found.targets)


cdef inline int list_moves(const State* s, const Options* found, MoveCode* codes) noexcept nogil:
    """Write all legal decisions to `codes` (room for MAX_LEGAL) and return their number."""
    cdef int n = 0
    cdef int spirit = 0
    cdef uint32_t spirits = found.spirits
    cdef Board rest
    if found.may_draw:
        codes[n] = move_code(s.mover, KIND_DRAW, 0, 0)
        n += 1
    while True:
        if found.kind == KIND_MEET:
            if not spirits:
                return n
            spirit = number(spirits)
            spirits &= spirits - 1
        rest = found.targets
        while rest:
            codes[n] = move_code(s.mover, found.kind, spirit, number(rest))
            n += 1
            rest &= rest - 1
        if found.kind != KIND_MEET:
            return n


cdef inline void apply(State* s, MoveCode code, Chance* chance) noexcept nogil:
    """Perform a legal decision and the chance events that follow it."""
    cdef int kind = code_kind(code)
    cdef int target = code_target(code)
    if kind == KIND_PLAY:
        play_tile(s, bit(target), chance)
    elif kind == KIND_CAPTURE:
        capture_tile(s, bit(target), chance)
    elif kind == KIND_RAINBOW:
        place_rainbow(s, bit(target), chance)
    elif kind == KIND_DRAW:
        draw_spirits(s, chance)
    elif kind == KIND_MEET:
        meet_spirit(s, code_spirit(code), target, chance)
    elif kind == KIND_ADD:
        add_tile(s, bit(target), chance)
    elif kind == KIND_TAKE:
        take_tile(s, bit(target), chance)
    elif kind == KIND_FORCE:
        force_tile(s, target, chance)
    elif kind == KIND_EVIL:
        place_evil_spirit(s, bit(target), chance)
    elif kind == KIND_PASS:
        pass_turn(s)
    else:
        cover_spirit(s, target)
