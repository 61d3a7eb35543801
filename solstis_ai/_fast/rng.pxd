"""Random numbers from an explicit 64-bit state: wyrand (Wang Yi, wyhash, public domain).

One addition and one 64x64 multiplication a word of 64 random bits; passes BigCrush and
PractRand. Every sequence of a seed is the same on every machine.
"""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    static inline uint64_t solstis_next(uint64_t *state) {
        *state += UINT64_C(0xa0761d6478bd642f);
        unsigned __int128 product =
            (unsigned __int128)*state * (*state ^ UINT64_C(0xe7037ed1a0b428db));
        return (uint64_t)(product >> 64) ^ (uint64_t)product;
    }
    /* Uniform in 0..n-1 by multiplication (Lemire 2019). The lower half of the product is
       the randomness that the word has left: after numbers below a, b, ... the next one
       below n has a bias under a * b * ... * n / 2^64. */
    static inline unsigned solstis_below(uint64_t *word, unsigned n) {
        unsigned __int128 product = (unsigned __int128)*word * n;
        *word = (uint64_t)product;
        return (unsigned)(product >> 64);
    }
    """
    uint64_t next_random "solstis_next"(uint64_t* state) noexcept nogil
    unsigned take_below "solstis_below"(uint64_t* word, unsigned n) noexcept nogil


cdef inline uint64_t mix_seed(uint64_t seed, uint64_t stream) noexcept nogil:
    """A well mixed start state for stream number `stream` of `seed`."""
    cdef uint64_t state = seed ^ (stream * <uint64_t>0x9E3779B97F4A7C15)
    next_random(&state)
    return next_random(&state) ^ state
