"""Which moves a player notices who overlooks some of them: the rule of weaker levels.

One move, chosen at random, always catches the eye, and each other goes unnoticed with a given
probability. So there is always something to play, and between 0 and 1 the player goes evenly
from the whole choice to a random move.
"""

from libc.stdint cimport uint32_t, uint64_t

from solstis_ai._fast.rng cimport mix_seed, take_below

cdef enum:
    ALWAYS = 1 << 16       # the probability 1


cdef inline uint32_t probability_of(double share) noexcept nogil:
    """A share from 0 to 1 in units of 1 / ALWAYS."""
    return <uint32_t>(share * ALWAYS + 0.5)


cdef inline bint is_noticed(uint64_t seed, int index, int n, uint32_t overlooks) noexcept nogil:
    """Whether the move of this index, of `n`, is noticed."""
    cdef uint64_t eye = mix_seed(seed, 0)
    if <int>take_below(&eye, n) == index:
        return True
    return mix_seed(seed, 1 + index) & (ALWAYS - 1) >= overlooks
