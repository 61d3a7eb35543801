"""The small steps of the engine in loops, so that their cost can be measured.

Each loop returns a hash of its results. It is a function of its arguments only.
"""

from libc.stdint cimport int64_t, uint64_t

from solstis_ai._fast.chance cimport Chance
from solstis_ai._fast.decisions cimport list_moves, options
from solstis_ai._fast.determinize cimport InformationSet, determinize
from solstis_ai._fast.rng cimport mix_seed
from solstis_ai._fast.types cimport MAX_LEGAL, MoveCode, Options, State

cdef enum:
    WORLDS = 16  # room for the worlds of `sample_worlds`, a power of two


cdef inline uint64_t mix_hash(uint64_t hash_, uint64_t value) noexcept nogil:
    hash_ = (hash_ ^ value) * <uint64_t>0x9E3779B97F4A7C15
    return hash_ ^ (hash_ >> 29)


cdef inline uint64_t list_all_moves(
    const State* states, int64_t number, int64_t rounds, int64_t* moves
) noexcept nogil:
    """List the legal decisions of every state, `rounds` times; adds their number to `moves`."""
    cdef MoveCode codes[MAX_LEGAL]
    cdef Options found
    cdef int64_t i
    cdef int n
    cdef uint64_t hash_ = 0
    while rounds > 0:
        for i in range(number):
            options(&states[i], &found)
            n = list_moves(&states[i], &found, codes)
            moves[0] += n
            hash_ = mix_hash(hash_, codes[n - 1] if n else 0)
        rounds -= 1
    return hash_


cdef inline uint64_t sample_worlds(
    const InformationSet* known, int64_t number, uint64_t seed, State* worlds
) noexcept nogil:
    """Sample `number` worlds, one over the other into `worlds` (room for WORLDS)."""
    cdef Chance chance
    cdef State* world
    cdef uint64_t hash_ = 0
    chance.rng = mix_seed(seed, 1)
    chance.log = NULL
    while number > 0:
        number -= 1
        world = &worlds[number & (WORLDS - 1)]
        determinize(known, world, &chance)
        hash_ = mix_hash(hash_, world.side[1].hand)
    return hash_
