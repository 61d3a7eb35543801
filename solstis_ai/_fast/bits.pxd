"""Inline helpers on 64-bit sets. All are pure and never fail; `nth_bit` needs n < count."""

from libc.stdint cimport uint32_t, uint64_t

from solstis_ai._fast.types cimport Board

cdef extern from *:
    """
    #if defined(__POPCNT__) || !defined(__x86_64__)
    #define SOLSTIS_COUNT(set) ((int)__builtin_popcountll(set))
    #else
    static inline int SOLSTIS_COUNT(uint64_t set) {
        set -= (set >> 1) & UINT64_C(0x5555555555555555);
        set = (set & UINT64_C(0x3333333333333333)) + ((set >> 2) & UINT64_C(0x3333333333333333));
        set = (set + (set >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
        return (int)((set * UINT64_C(0x0101010101010101)) >> 56);
    }
    #endif
    #if defined(__BMI2__)
    #include <immintrin.h>
    /* The n-th lowest set bit of a set, as a set; n counts from 0. */
    static inline uint64_t solstis_nth_bit(uint64_t set, unsigned n) {
        return _pdep_u64((uint64_t)1 << n, set);
    }
    #else
    /* One step a member. Most sets are hands and matches of a few tiles, so that the
       branch-free broadword select (Vigna 2008) and halving by counting cost more. */
    static inline uint64_t solstis_nth_bit(uint64_t set, unsigned n) {
        while (n--) set &= set - 1;
        return set & (0 - set);
    }
    #endif
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
