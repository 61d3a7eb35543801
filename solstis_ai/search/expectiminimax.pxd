"""Expectiminimax over positions in which nothing but chance is hidden (deck empty).

Alpha-beta on the lexicographic values of values.pxd, with Star1 at chance nodes (Ballard
1983) and a transposition table. The search is fail-hard: what it returns lies in the
window, and is the exact value when it lies strictly inside. A table never forgets, so that
an interrupted search that begins anew finds all it has done and goes on with the same
windows; its result and its size do not depend on where it was interrupted.
"""

from libc.stdint cimport int64_t, uint64_t

from solstis_ai._fast.decisions cimport list_moves, option_count, options
from solstis_ai._fast.types cimport MAX_LEGAL, PHASE_OVER, MoveCode, Options, Side, State
from solstis_ai.search.outcomes cimport (
    Outcomes, apply_outcome, begin_outcomes, next_outcome, outcome_count,
)
from solstis_ai.search.tree cimport (
    MOVED_AT_ONCE, Interrupt, interrupted, now_ns, release, zeroed,
)
from solstis_ai.search.values cimport (
    MOST_STARS, Value, divided, final_value, larger, less, minus, plus, smaller, times, value_of,
)

cdef enum Status:
    STATUS_RUNNING
    STATUS_SOLVED
    STATUS_INTERRUPTED  # may go on
    STATUS_GIVEN_UP     # the budget is used up, or there are too many plans to compare

cdef enum:
    POLLED = 64           # nodes between two looks at the interrupt
    FIRST_POSITIONS = 1 << 10
    MOST_POSITIONS = 3 << 18  # kept at 64 bytes in a table of 67 megabytes

cdef struct Bounds:
    uint64_t key          # of a position; 0: a free slot
    Value lower
    Value upper
    bint exact            # the bounds are the value, and its `own` is known too

cdef struct Table:
    Bounds* slots
    uint64_t mask         # capacity - 1; the capacity is a power of two
    uint64_t used

cdef struct Ending:
    Table table
    int64_t scale         # units of values.pxd
    int64_t budget        # moves that may still be tried
    int64_t uncharged     # moves tried on the way to the next position that is kept
    int64_t steps
    int status            # Status; the search unwinds when it is not STATUS_RUNNING
    int64_t until         # pause then, but not in the middle of a growing table; 0: never
    Interrupt interrupt   # pause at once


# ---- keys --------------------------------------------------------------------------------

cdef inline uint64_t mixed(uint64_t key, uint64_t word) noexcept nogil:
    key = (key ^ word) * <uint64_t>0x9E3779B97F4A7C15
    return key ^ (key >> 29)


cdef inline uint64_t mixed_side(uint64_t key, const Side* side) noexcept nogil:
    """All of a side but its hand and what is known of it."""
    key = mixed(key, side.tiles)
    key = mixed(key, side.rainbows)
    key = mixed(key, side.spirit_squares)
    key = mixed(key, side.firefly_squares)
    return mixed(key, side.evil_cell)


cdef inline uint64_t open_key(const State* s) noexcept nogil:
    """Of all that lies open, and the hand of side 0."""
    cdef uint64_t key = mixed_side(mixed_side(1, &s.side[0]), &s.side[1])
    key = mixed(key, s.side[0].hand)
    key = mixed(key, s.queue)
    key = mixed(key, s.covering)
    key = mixed(key, s.filled)
    key = mixed(key, <uint64_t>s.spirits[0] << 32 | s.spirits[1])
    key = mixed(key, <uint64_t>s.spirit_deck << 32 | s.line)
    key = mixed(key, <uint64_t>s.drawn << 32 | s.phase << 24 | s.mover << 16 | s.supply << 8
                | s.pending)
    return mixed(key, <uint64_t>s.active << 40 | <uint64_t>s.met << 32 | s.forced << 24
                 | s.passes << 16 | s.evil << 8 | s.covered)


cdef inline uint64_t position_key(const State* s) noexcept nogil:
    """Of everything that the rest of the game depends on; never 0."""
    cdef uint64_t key = mixed(mixed(open_key(s), s.side[1].hand), s.pool)
    return key if key else 1


# ---- table -------------------------------------------------------------------------------

cdef inline bint table_init(Table* table, uint64_t capacity) noexcept nogil:
    """An empty table for a power of two; False without memory."""
    table.slots = <Bounds*>zeroed(capacity * sizeof(Bounds))
    table.mask = capacity - 1
    table.used = 0
    return table.slots != NULL


cdef inline void table_free(Table* table) noexcept nogil:
    if table.slots != NULL:
        release(table.slots, (table.mask + 1) * sizeof(Bounds))
    table.slots = NULL


cdef inline Bounds* slot_of(const Table* table, uint64_t key) noexcept nogil:
    """The slot with this key, or the free one where it belongs."""
    cdef uint64_t slot = key & table.mask
    while table.slots[slot].key != key and table.slots[slot].key != 0:
        slot = (slot + 1) & table.mask
    return &table.slots[slot]


cdef inline int copy_bounds(
    const Table* table, Table* grown, const Interrupt* interrupt
) noexcept nogil:
    """Fill a larger table with all that is kept; the Status after it."""
    cdef uint64_t i
    for i in range(table.mask + 1):
        if i % MOVED_AT_ONCE == 0 and interrupted(interrupt):
            return STATUS_INTERRUPTED
        if table.slots[i].key:
            slot_of(grown, table.slots[i].key)[0] = table.slots[i]
    grown.used = table.used
    return STATUS_RUNNING


cdef inline int table_grow(Table* table, const Interrupt* interrupt) noexcept nogil:
    """Twice the capacity; the Status after it. Interrupted, the table stays as it was."""
    cdef Table grown
    cdef int status
    if table.used > MOST_POSITIONS // 2 or not table_init(&grown, 2 * (table.mask + 1)):
        return STATUS_GIVEN_UP
    status = copy_bounds(table, &grown, interrupt)
    if status == STATUS_RUNNING:
        table_free(table)
        table[0] = grown
    else:
        table_free(&grown)
    return status


cdef inline Value lowest_value(const Ending* ending) noexcept nogil:
    """Below every value."""
    return value_of(-1, 0, 0)


cdef inline Value highest_value(const Ending* ending) noexcept nogil:
    """Above every value."""
    return value_of(2 * ending.scale + 1, 0, 0)


cdef inline Bounds* bounds_of(Ending* ending, uint64_t key) noexcept nogil:
    """The bounds kept for a position, made if need be; NULL when that ends the search."""
    cdef Bounds* bounds = slot_of(&ending.table, key)
    if bounds.key:
        return bounds
    if 4 * ending.table.used >= 3 * ending.table.mask:
        ending.status = table_grow(&ending.table, &ending.interrupt)
        if ending.status != STATUS_RUNNING:
            return NULL
        bounds = slot_of(&ending.table, key)
    ending.table.used += 1
    bounds.key = key
    bounds.lower = lowest_value(ending)
    bounds.upper = highest_value(ending)
    return bounds


cdef inline void keep(
    Ending* ending, uint64_t key, Value value, Value alpha, Value beta
) noexcept nogil:
    """Keep what a search with this window has found."""
    cdef Bounds* bounds = bounds_of(ending, key)
    if bounds == NULL or bounds.exact:
        return
    bounds.exact = less(alpha, value) and less(value, beta)
    if bounds.exact:
        bounds.lower = bounds.upper = value
    elif less(alpha, value):
        bounds.lower = larger(bounds.lower, value)
    else:
        bounds.upper = smaller(bounds.upper, value)


cdef inline bint is_known(
    const Ending* ending, uint64_t key, Value alpha, Value beta, Value* value
) noexcept nogil:
    """Whether what is kept answers a search with this window, and the answer."""
    cdef const Bounds* bounds = slot_of(&ending.table, key)
    if bounds.key == 0:
        return False
    if bounds.exact:
        value[0] = clipped(bounds.lower, alpha, beta)
        return True
    if not less(bounds.lower, beta):
        value[0] = beta
        return True
    if not less(alpha, bounds.upper):
        value[0] = alpha
        return True
    return False


cdef inline void charge(Ending* ending, int64_t before) noexcept nogil:
    """Take off the budget what was tried since `uncharged` was `before`.

    Moves are charged when their position is kept, so that a search that begins anew after an
    interrupt pays for nothing twice.
    """
    ending.budget -= ending.uncharged - before
    ending.uncharged = before
    if ending.budget < 0:
        ending.status = STATUS_GIVEN_UP


# ---- search ------------------------------------------------------------------------------

cdef inline Value clipped(Value value, Value alpha, Value beta) noexcept nogil:
    return larger(alpha, smaller(value, beta))


cdef inline bint is_due(const Ending* ending) noexcept nogil:
    return interrupted(&ending.interrupt) or (ending.until != 0 and now_ns() >= ending.until)


cdef inline bint goes_on(Ending* ending) noexcept nogil:
    """Whether the search is not to unwind; looks at the interrupt now and then."""
    ending.steps += 1
    if ending.steps % POLLED == 0 and is_due(ending):
        ending.status = STATUS_INTERRUPTED
    return ending.status == STATUS_RUNNING


cdef inline Value chance_value(
    Ending* ending, Outcomes* outcomes, const State* before, State* after, MoveCode code,
    Value alpha, Value beta
) noexcept nogil:
    """The mean over all outcomes, of which the first has been applied: Star1."""
    cdef int n = outcome_count(outcomes)
    cdef int left = n
    cdef Value best = value_of(2 * ending.scale, MOST_STARS * ending.scale, 0)
    cdef Value worst = value_of(0, -MOST_STARS * ending.scale, 0)
    cdef Value total = value_of(0, 0, 0)
    cdef Value low, high, value
    cdef bint more = True
    while more:
        left -= 1
        low = minus(minus(times(alpha, n), total), times(best, left))
        high = minus(minus(times(beta, n), total), times(worst, left))
        low = larger(low, lowest_value(ending))
        high = smaller(high, highest_value(ending))
        value = position_value(ending, after, low, high)
        if ending.status != STATUS_RUNNING:
            return value
        if not less(low, value):
            return alpha
        if not less(value, high):
            return beta
        total = plus(total, value)
        more = next_outcome(outcomes, before, after, code)
        ending.uncharged += more
    return divided(total, n)


cdef inline Value move_value(
    Ending* ending, const State* s, MoveCode code, Value alpha, Value beta
) noexcept nogil:
    """The value of a decision; `alpha` < `beta`."""
    cdef Outcomes outcomes
    cdef State after
    begin_outcomes(&outcomes)
    apply_outcome(&outcomes, s, &after, code)
    ending.uncharged += 1
    if outcome_count(&outcomes) == 1:
        return position_value(ending, &after, alpha, beta)
    return chance_value(ending, &outcomes, s, &after, code, alpha, beta)


cdef inline Value decision_value(
    Ending* ending, const State* s, const Options* found, Value alpha, Value beta
) noexcept nogil:
    """The best value for the side that decides."""
    cdef MoveCode codes[MAX_LEGAL]
    cdef int i, n = list_moves(s, found, codes)
    cdef Value value = alpha
    for i in range(n):
        value = move_value(ending, s, codes[i], alpha, beta)
        if ending.status != STATUS_RUNNING:
            return value
        if s.mover == 0:
            alpha = larger(alpha, value)
        else:
            beta = smaller(beta, value)
        if not less(alpha, beta):
            break
    return alpha if s.mover == 0 else beta


cdef inline Value position_value(
    Ending* ending, const State* s, Value alpha, Value beta
) noexcept nogil:
    """The value of a position within the window. Forced moves without a draw are not kept."""
    cdef Options found
    cdef Value value = alpha
    cdef uint64_t key
    cdef int64_t before = ending.uncharged
    if s.phase == PHASE_OVER:
        return clipped(final_value(s, ending.scale), alpha, beta)
    options(s, &found)
    if option_count(&found) == 1 and not found.may_draw:
        return decision_value(ending, s, &found, alpha, beta)
    key = position_key(s)
    if is_known(ending, key, alpha, beta, &value) or not goes_on(ending):
        return value
    value = decision_value(ending, s, &found, alpha, beta)
    if ending.status == STATUS_RUNNING:
        keep(ending, key, value, alpha, beta)
    if ending.status == STATUS_RUNNING:
        charge(ending, before)
    return value
