"""All outcomes of a decision, one after the other, through the rules as they are.

A decision is performed again and again; before each time an odometer of the choices that
chance made moves on by one. Two spirits drawn in either order are one outcome, so that all
outcomes of a decision are equally likely.
"""

from libc.stdint cimport uint8_t

from solstis_ai._fast.chance cimport (
    CHANCE_SPIRIT, SOURCE_ENUMERATE, Chance, ChanceLog,
)
from solstis_ai._fast.decisions cimport apply
from solstis_ai._fast.types cimport MAX_EVENTS, MoveCode, State

cdef struct Outcomes:
    ChanceLog log
    Chance chance


cdef inline void begin_outcomes(Outcomes* outcomes) noexcept nogil:
    """Ready for `apply_outcome` with the first outcome; not to be moved in memory after."""
    cdef int i
    outcomes.log.source = SOURCE_ENUMERATE
    outcomes.log.failed = False
    outcomes.chance.rng = outcomes.chance.word = 0
    outcomes.chance.log = &outcomes.log
    for i in range(MAX_EVENTS):
        outcomes.log.choices[i] = 0


cdef inline bint advance(ChanceLog* log) noexcept nogil:
    """Turn to the next sequence of choices; False after the last one."""
    cdef int i = log.count
    while i > 0:
        i -= 1
        log.choices[i] += 1
        if log.choices[i] < log.sizes[i]:
            return True
        log.choices[i] = 0
    return False


cdef inline bint is_pair(const ChanceLog* log) noexcept nogil:
    return log.count == 2 and log.events[0].kind == CHANCE_SPIRIT


cdef inline bint is_repeated(const ChanceLog* log) noexcept nogil:
    """Whether the same two spirits are also drawn in the other order."""
    return is_pair(log) and log.events[0].value > log.events[1].value


cdef inline void apply_outcome(
    Outcomes* outcomes, const State* before, State* after, MoveCode code
) noexcept nogil:
    """Perform a decision with the outcome that is due."""
    after[0] = before[0]
    outcomes.log.count = 0
    apply(after, code, &outcomes.chance)


cdef inline bint next_outcome(
    Outcomes* outcomes, const State* before, State* after, MoveCode code
) noexcept nogil:
    """Go on to the next different outcome; False when there is none."""
    while advance(&outcomes.log):
        apply_outcome(outcomes, before, after, code)
        if not is_repeated(&outcomes.log):
            return True
    return False


cdef inline int outcome_count(const Outcomes* outcomes) noexcept nogil:
    """Number of different outcomes, after the first one; 1 without chance."""
    cdef int i, product = 1
    for i in range(outcomes.log.count):
        product *= outcomes.log.sizes[i]
    return product // 2 if is_pair(&outcomes.log) else product
