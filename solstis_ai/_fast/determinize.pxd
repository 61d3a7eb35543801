"""Sampling a full state from what one seat knows (determinization).

Deck and face-down queue tiles are exchangeable (types.pxd: `pool`), so a determinized state
differs from the information set only in the other hand.
"""

from solstis_ai._fast.bits cimport count
from solstis_ai._fast.chance cimport Chance, random_member, refresh
from solstis_ai._fast.types cimport EVIL_SIDE_0, EVIL_SIDE_1, Board, Side, State

cdef struct InformationSet:
    # `base` is the observed state, from the observer's side 0: the other hand holds only
    # its known tiles, and `pool` holds every unseen tile.
    State base
    Board candidates  # unseen tiles that may be in the other hand
    int hidden        # tiles of the other hand that are not known


cdef inline void determinize(
    const InformationSet* known, State* world, Chance* chance
) noexcept nogil:
    """Write a uniformly random member of the information set to `world`."""
    cdef Board rest = known.candidates
    cdef int missing = known.hidden
    world[0] = known.base
    refresh(chance)
    while missing > 0:
        rest ^= random_member(rest, chance)
        missing -= 1
    world.side[1].hand |= known.candidates ^ rest
    world.pool ^= known.candidates ^ rest


cdef inline void swap_sides(State* s) noexcept nogil:
    """Tell the state from the other side."""
    cdef Side side = s.side[0]
    s.side[0] = s.side[1]
    s.side[1] = side
    s.spirits[0], s.spirits[1] = s.spirits[1], s.spirits[0]
    s.mover ^= 1
    if s.evil == EVIL_SIDE_0:
        s.evil = EVIL_SIDE_1
    elif s.evil == EVIL_SIDE_1:
        s.evil = EVIL_SIDE_0


cdef inline void observe(const State* s, InformationSet* known) noexcept nogil:
    """What the mover of a full state knows (rules, section 9)."""
    cdef Side* other = &known.base.side[1]
    cdef Board hidden
    known.base = s[0]
    if s.mover == 1:
        swap_sides(&known.base)
    hidden = other.hand & ~other.known
    other.hand ^= hidden
    known.base.pool |= hidden
    known.candidates = known.base.pool & ~other.excluded
    known.hidden = count(hidden)
    # What the other side knows of this one, and what is told by the candidates.
    known.base.side[0].known = known.base.side[0].excluded = other.excluded = 0
