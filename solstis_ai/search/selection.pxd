"""Pure formulas of the search. Each cites its source; none knows the game."""

from libc.math cimport log, sqrtf
from libc.stdint cimport int64_t, uint32_t

cdef enum:
    LOG_TABLE_SIZE = 8192

cdef extern from *:
    """
    #include <math.h>
    static float solstis_logs[8192];
    """
    float* LOGS "solstis_logs"


cdef inline void fill_log_table() noexcept nogil:
    """Must be called once before `natural_log`."""
    cdef int n
    LOGS[0] = 0
    for n in range(1, LOG_TABLE_SIZE):
        LOGS[n] = <float>log(<double>n)


cdef inline float natural_log(uint32_t n) noexcept nogil:
    """ln(n) for n >= 1, to about 1e-4; the same on every machine."""
    cdef float shifted = 0
    while n >= LOG_TABLE_SIZE:
        n >>= 4
        shifted += <float>2.7725887
    return LOGS[n] + shifted


cdef inline float ucb1(
    int64_t reward, uint32_t visits, uint32_t available, float exploration
) noexcept nogil:
    """UCB1 with availability in place of the parent's visits (Cowling et al. 2012, section V).

    `visits` >= 1; `reward` is their sum, in units of 1 / REWARD_ONE.
    """
    cdef float share = <float>1 / <float>visits
    return (<float>reward * <float>(1 / 65536.0) * share
            + exploration * sqrtf(natural_log(available) * share))
