"""Inline helpers on 64-bit sets. All are pure and never fail; `nth_bit` needs n < count."""

from libc.stdint cimport uint32_t, uint64_t

from solstis_ai._fast.types cimport Board

cdef extern from *:
    """
    #if defined(__BMI2__)
    #include <immintrin.h>
    /* The n-th lowest set bit of a set, as a set; n counts from 0. */
    static inline uint64_t solstis_nth_bit(uint64_t set, unsigned n) {
        return _pdep_u64((uint64_t)1 << n, set);
    }
    #else
    static inline uint64_t solstis_nth_bit(uint64_t set, unsigned n) {
        while (n--) set &= set - 1;
        return set & (0 - set);
    }
    #endif
    #define SOLSTIS_COUNT(set) ((int)__builtin_popcountll(set))
    #define SOLSTIS_NUMBER(set) ((int)__builtin_ctzll(set))
    #define SOLSTIS_RARE(condition) __builtin_expect(!!(condition), 0)
    #define SOLSTIS_OFTEN(condition) __builtin_expect(!!(condition), 1)
    """
    Board nth_bit "solstis_nth_bit"(Board set, unsigned n) noexcept nogil
    int count "SOLSTIS_COUNT"(Board set) noexcept nogil
    int number "SOLSTIS_NUMBER"(Board set) noexcept nogil  # of the lowest bit; set not empty
    bint rare "SOLSTIS_RARE"(bint condition) noexcept nogil
    bint often "SOLSTIS_OFTEN"(bint condition) noexcept nogil


cdef inline Board bit(int number_) noexcept nogil:
    return (<Board>1) << number_


cdef inline Board lowest(Board set_) noexcept nogil:
    return set_ & (0 - set_)
