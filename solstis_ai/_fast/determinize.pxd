"""Sampling a full state from what one seat knows (determinization).

Deck and face-down queue tiles are exchangeable (types.pxd: `pool`), so a determinized state
differs from the information set only in the other hand.
"""

from solstis_ai._fast.bits cimport count
from solstis_ai._fast.chance cimport Chance, random_member, refresh
from solstis_ai._fast.types cimport Board, State

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
