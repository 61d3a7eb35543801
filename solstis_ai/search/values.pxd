"""Exact values of endings: the expected result, then the expected margin, as whole numbers.

All chance in an ending is a choice among equally likely outcomes, so that an expectation is
a fraction. It is kept as a whole number of units; `scale_of` gives a number of units to one
half point, or one star, by which every division that can come is exact. Nothing is rounded,
and values are equal when the expectations are.
"""

from libc.stdint cimport int64_t

from solstis_ai._fast.bits cimport count
from solstis_ai._fast.scoring cimport outcome_for, stars
from solstis_ai._fast.types cimport State

cdef enum:
    MOST_STARS = 128      # more than a side, or a difference of sides, can have
    MOST_OUTCOMES = 171   # of a decision: two of 19 spirits
    THEFTS = 12           # a multiple of every hand's size; the fly is met once

cdef struct Value:
    # Expectations of side 0, in units. `own` is carried along and never compared.
    int64_t points   # half points: 2 for a win, 1 for a draw
    int64_t margin   # stars of side 0 minus those of side 1
    int64_t own      # stars of side 0


cdef inline Value value_of(int64_t points, int64_t margin, int64_t own) noexcept nogil:
    cdef Value value
    value.points = points
    value.margin = margin
    value.own = own
    return value


cdef inline bint less(Value a, Value b) noexcept nogil:
    """Whether side 0 prefers `b`: the result first, then the margin."""
    return a.points < b.points or (a.points == b.points and a.margin < b.margin)


cdef inline Value plus(Value a, Value b) noexcept nogil:
    return value_of(a.points + b.points, a.margin + b.margin, a.own + b.own)


cdef inline Value minus(Value a, Value b) noexcept nogil:
    return value_of(a.points - b.points, a.margin - b.margin, a.own - b.own)


cdef inline Value times(Value a, int64_t n) noexcept nogil:
    return value_of(a.points * n, a.margin * n, a.own * n)


cdef inline Value divided(Value a, int64_t n) noexcept nogil:
    return value_of(a.points // n, a.margin // n, a.own // n)


cdef inline Value larger(Value a, Value b) noexcept nogil:
    """The preferred one; `a` when they are equal."""
    return b if less(a, b) else a


cdef inline Value smaller(Value a, Value b) noexcept nogil:
    """The one that side 1 prefers; `a` when they are equal."""
    return b if less(b, a) else a


cdef inline Value final_value(const State* s, int64_t scale) noexcept nogil:
    """The value of a finished game."""
    cdef int own = stars(s, 0)
    cdef int other = stars(s, 1)
    return times(value_of(outcome_for(s, 0, own, other), own - other, own), scale)


cdef inline int64_t scale_of(const State* s) noexcept nogil:
    """Units to a half point or star in an ending with an empty deck; 0 if there are too many.

    Each turn plays a tile and draws spirits at most once (R14); each face-down tile turns up
    at most once (R8); the fly is met at most once (R17).
    """
    cdef int64_t scale = THEFTS
    cdef int64_t most = (<int64_t>1 << 62) // (2 * MOST_STARS * MOST_OUTCOMES)
    cdef int turns = count(s.side[0].hand) + count(s.side[1].hand) + 1
    cdef int spirits = count(s.spirit_deck)
    cdef int face_down = count(s.pool)
    while face_down > 1:
        scale *= face_down
        face_down -= 1
    while turns > 0 and spirits > 1:
        if scale > most // (spirits * (spirits - 1) // 2):
            return 0
        scale *= spirits * (spirits - 1) // 2
        spirits -= 2
        turns -= 1
    return scale if scale <= most else 0
