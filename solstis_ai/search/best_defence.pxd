"""Endings in which the other hand may take several forms.

Side 0 looks for the plan that is best against the best defence (Frank & Basin 1998): the
other side sees all hands and knows the plan, though not the chance to come, and side 0 does
not randomize. A plan is a vector: its value in each form. At a decision of side 0 the plans
of all moves stand side by side; a move of the other side takes the worse of two plans in
each form in which it is legal; chance adds them up. Plans that are nowhere better than
another are dropped (Pareto fronts: Cazenave & Ventos 2020), so that what is left holds a
best plan whatever the forms weigh. A set of forms is split by all that side 0 comes to see,
and where one form is left, expectiminimax goes on.
"""

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy, memmove

from solstis_ai._fast.decisions cimport list_moves, options
from solstis_ai._fast.types cimport MAX_LEGAL, PHASE_OVER, MoveCode, Options, State
from solstis_ai.search.expectiminimax cimport (
    STATUS_GIVEN_UP, STATUS_RUNNING, Ending, charge, goes_on, highest_value, lowest_value, mixed,
    open_key, position_value,
)
from solstis_ai.search.outcomes cimport (
    Outcomes, apply_outcome, begin_outcomes, next_outcome, outcome_count,
)
from solstis_ai.search.values cimport (
    Value, divided, final_value, larger, less, plus, smaller, value_of,
)

cdef enum:
    MOST_FORMS = 20          # three of six unseen tiles
    MOST_PLANS = 256         # in a front
    FRONT_SLOTS = 1 << 14

cdef struct Form:
    State state
    uint64_t seen            # key of what side 0 sees of it
    int owner                # index among the forms before the decision

cdef struct KeptFront:
    uint64_t key             # of a set of forms; 0: a free slot
    int64_t first            # in `kept`
    int64_t size

cdef struct Plans:
    # Two stacks, and the fronts of earlier sets of forms. All are of fixed size; a search
    # that overflows one is given up.
    Ending* ending
    Value* values            # vectors, one after the other
    int64_t top
    int64_t room
    Form* forms
    int64_t forms_top
    int64_t forms_room
    KeptFront* fronts
    int64_t fronts_used
    Value* kept
    int64_t kept_used
    int64_t kept_room


# ---- vectors and fronts ------------------------------------------------------------------
#
# A front is `size` vectors of `width` values that lie on top of the stack. -1 as a size
# says that the search unwinds.

cdef inline Value* push(Plans* plans, int64_t number) noexcept nogil:
    """Room for more values; NULL gives up."""
    if plans.top + number > plans.room:
        plans.ending.status = STATUS_GIVEN_UP
        return NULL
    plans.top += number
    return &plans.values[plans.top - number]


cdef inline bint is_dominated(const Value* a, const Value* b, int width) noexcept nogil:
    """Whether vector `a` is nowhere better than `b`."""
    cdef int i
    for i in range(width):
        if less(b[i], a[i]):
            return False
    return True


cdef inline bint is_dominated_by_any(
    const Value* a, const Value* front, int size, int width
) noexcept nogil:
    cdef int i
    for i in range(size):
        if is_dominated(a, &front[i * width], width):
            return True
    return False


cdef inline int without(
    Value* front, int size, const Value* better, int width
) noexcept nogil:
    """Take the vectors that `better` dominates out of a front; returns what is left."""
    cdef int i, left = 0
    for i in range(size):
        if not is_dominated(&front[i * width], better, width):
            memmove(&front[left * width], &front[i * width], width * sizeof(Value))
            left += 1
    return left


cdef inline int pruned(Plans* plans, int64_t base, int size, int width) noexcept nogil:
    """Reduce the vectors from `base` to the top to a front; of equal ones the first stays."""
    cdef Value* front = &plans.values[base]
    cdef Value[MOST_FORMS] vector
    cdef int i, left = 0
    for i in range(size):
        memcpy(vector, &front[i * width], width * sizeof(Value))
        if is_dominated_by_any(vector, front, left, width):
            continue
        left = without(front, left, vector, width)
        memcpy(&front[left * width], vector, width * sizeof(Value))
        left += 1
    plans.top = base + <int64_t>left * width
    if left > MOST_PLANS:
        plans.ending.status = STATUS_GIVEN_UP
        return -1
    return left


cdef inline int combined(
    Plans* plans, int64_t base, int size, int width, int others, int other_width,
    const int* index, bint adding
) noexcept nogil:
    """Every vector of a front at `base` with every one of the front above it.

    Value i of a vector above belongs to value `index[i]` of one below; they are added up, or
    the worse one is taken. The result replaces both fronts.
    """
    cdef int64_t above = base + <int64_t>size * width
    cdef int64_t result = plans.top
    cdef Value* target
    cdef const Value* other
    cdef int a, b, i
    for a in range(size):
        for b in range(others):
            target = push(plans, width)
            if target == NULL:
                return -1
            memcpy(target, &plans.values[base + a * width], width * sizeof(Value))
            other = &plans.values[above + b * other_width]
            for i in range(other_width):
                if adding:
                    target[index[i]] = plus(target[index[i]], other[i])
                else:
                    target[index[i]] = smaller(target[index[i]], other[i])
    plans.ending.uncharged += size * others
    memmove(&plans.values[base], &plans.values[result],
            (plans.top - result) * sizeof(Value))
    return pruned(plans, base, size * others, width)


cdef inline int filled_vector(Plans* plans, int width, Value value) noexcept nogil:
    """A front of one vector that is the same everywhere."""
    cdef Value* vector = push(plans, width)
    cdef int i
    if vector == NULL:
        return -1
    for i in range(width):
        vector[i] = value
    return 1


cdef inline Value best_plan(const Value* front, int size, int width) noexcept nogil:
    """The best sum over all forms among the vectors of a front."""
    cdef Value total, best = value_of(-1, 0, 0)
    cdef int i, j
    for i in range(size):
        total = value_of(0, 0, 0)
        for j in range(width):
            total = plus(total, front[i * width + j])
        best = larger(best, total)
    return best


# ---- kept fronts -------------------------------------------------------------------------

cdef inline uint64_t forms_key(const Form* forms, int n) noexcept nogil:
    cdef uint64_t key = open_key(&forms[0].state)
    cdef int i
    for i in range(n):
        key = mixed(mixed(key, forms[i].state.side[1].hand), forms[i].state.pool)
    return key if key else 1


cdef inline KeptFront* front_slot(const Plans* plans, uint64_t key) noexcept nogil:
    cdef uint64_t slot = key & (FRONT_SLOTS - 1)
    while plans.fronts[slot].key != key and plans.fronts[slot].key != 0:
        slot = (slot + 1) & (FRONT_SLOTS - 1)
    return &plans.fronts[slot]


cdef inline int keep_front(
    Plans* plans, uint64_t key, int64_t base, int size, int width
) noexcept nogil:
    """Keep the front on top of the stack; returns its size."""
    cdef int64_t number = <int64_t>size * width
    cdef KeptFront* front = front_slot(plans, key)
    if (4 * plans.fronts_used >= 3 * FRONT_SLOTS
            or plans.kept_used + number > plans.kept_room):
        plans.ending.status = STATUS_GIVEN_UP
        return -1
    memcpy(&plans.kept[plans.kept_used], &plans.values[base], number * sizeof(Value))
    front.key = key
    front.first = plans.kept_used
    front.size = size
    plans.kept_used += number
    plans.fronts_used += 1
    return size


cdef inline int known_front(Plans* plans, const KeptFront* front, int width) noexcept nogil:
    """Put a kept front on top of the stack."""
    cdef int64_t number = front.size * width
    cdef Value* target = push(plans, number)
    if target == NULL:
        return -1
    memcpy(target, &plans.kept[front.first], number * sizeof(Value))
    return <int>front.size


# ---- forms -------------------------------------------------------------------------------

cdef inline uint64_t seen_key(const State* s) noexcept nogil:
    """Of all that side 0 sees: a hand shown by the fox, and which tiles are still unseen."""
    return mixed(mixed(open_key(s), s.side[1].known), s.pool | s.side[1].hand)


cdef inline void forget_knowledge(State* s) noexcept nogil:
    """The set of forms says it all."""
    cdef int i
    for i in range(2):
        s.side[i].known = s.side[i].excluded = 0


cdef inline bint push_form(Plans* plans, const State* s, int owner) noexcept nogil:
    """Add a form on the stack of forms; False gives up."""
    cdef Form* form
    if plans.forms_top == plans.forms_room:
        plans.ending.status = STATUS_GIVEN_UP
        return False
    form = &plans.forms[plans.forms_top]
    form.state = s[0]
    form.seen = seen_key(s)
    form.owner = owner
    forget_knowledge(&form.state)
    plans.forms_top += 1
    return True


cdef inline int push_outcomes(
    Plans* plans, const State* s, MoveCode code, int owner
) noexcept nogil:
    """Add all outcomes of a decision in one form; returns their number, or -1."""
    cdef Outcomes outcomes
    cdef State after
    begin_outcomes(&outcomes)
    apply_outcome(&outcomes, s, &after, code)
    cdef int number = outcome_count(&outcomes)
    while True:
        if not push_form(plans, &after, owner):
            return -1
        plans.ending.uncharged += 1
        if not next_outcome(&outcomes, s, &after, code):
            return number


cdef inline int gather(
    Plans* plans, int64_t first, int64_t end, int64_t leader, int* owners
) noexcept nogil:
    """Put the forms of [first, end) that look like `leader` on top of the stack.

    Returns their number, 0 when an earlier form looks like `leader`, and -1 to give up.
    """
    cdef uint64_t seen = plans.forms[leader].seen
    cdef int64_t i
    cdef int number = 0
    for i in range(first, leader):
        if plans.forms[i].seen == seen:
            return 0
    for i in range(leader, end):
        if plans.forms[i].seen == seen:
            owners[number] = plans.forms[i].owner
            if not push_form(plans, &plans.forms[i].state, plans.forms[i].owner):
                return -1
            number += 1
    return number


# ---- search ------------------------------------------------------------------------------

cdef inline int divided_front(
    Plans* plans, int64_t base, int size, int width, const int* numbers
) noexcept nogil:
    cdef int i, j
    cdef Value* vector
    for i in range(size):
        vector = &plans.values[base + i * width]
        for j in range(width):
            vector[j] = divided(vector[j], numbers[j])
    return size


cdef inline int groups_front(
    Plans* plans, int64_t first, int64_t end, int width, const int* numbers
) noexcept nogil:
    """The front of what follows a decision: outcomes are split by what side 0 sees."""
    cdef int[MOST_FORMS] owners
    cdef int64_t leader, base = plans.top
    cdef int group, others, size = filled_vector(plans, width, value_of(0, 0, 0))
    for leader in range(first, end):
        if size < 0:
            return -1
        group = gather(plans, first, end, leader, owners)
        if group == 0:
            continue
        others = -1 if group < 0 else set_front(plans, plans.forms_top - group, group)
        if others < 0:
            return -1
        size = combined(plans, base, size, width, others, group, owners, True)
        plans.forms_top = end
    return size if size < 0 else divided_front(plans, base, size, width, numbers)


cdef inline int move_front(
    Plans* plans, int64_t forms, const int* members, int width, MoveCode code
) noexcept nogil:
    """The front of a decision in some of the forms at `forms`; one value for each of them."""
    cdef int[MOST_FORMS] numbers
    cdef int64_t first = plans.forms_top
    cdef int i, size
    for i in range(width):
        numbers[i] = push_outcomes(plans, &plans.forms[forms + members[i]].state, code, i)
        if numbers[i] < 0:
            return -1
    size = groups_front(plans, first, plans.forms_top, width, numbers)
    plans.forms_top = first
    return size


cdef inline int own_front(Plans* plans, int64_t forms, int n) noexcept nogil:
    """A decision of side 0, the same in all forms: the plans of all moves."""
    cdef Options found
    cdef MoveCode codes[MAX_LEGAL]
    cdef int[MOST_FORMS] members
    cdef int64_t base = plans.top
    cdef int i, more, moves, size = 0
    options(&plans.forms[forms].state, &found)
    moves = list_moves(&plans.forms[forms].state, &found, codes)
    for i in range(n):
        members[i] = i
    for i in range(moves):
        more = move_front(plans, forms, members, n, codes[i])
        if more < 0:
            return -1
        size = pruned(plans, base, size + more, n)
        if size < 0:
            return -1
    return size


cdef inline int add_codes(const State* s, MoveCode* codes, int number) noexcept nogil:
    """Add the legal decisions of a form to a list without repetition; -1 without room."""
    cdef Options found
    cdef MoveCode more[MAX_LEGAL]
    cdef int i, j, n
    options(s, &found)
    n = list_moves(s, &found, more)
    for i in range(n):
        j = 0
        while j < number and codes[j] != more[i]:
            j += 1
        if j == number:
            if number == MAX_LEGAL:
                return -1
            codes[number] = more[i]
            number += 1
    return number


cdef inline bint is_legal(const State* s, MoveCode code) noexcept nogil:
    cdef Options found
    cdef MoveCode codes[MAX_LEGAL]
    cdef int i, n
    options(s, &found)
    n = list_moves(s, &found, codes)
    for i in range(n):
        if codes[i] == code:
            return True
    return False


cdef inline int defended_front(Plans* plans, int64_t forms, int n) noexcept nogil:
    """A decision of the other side: in each form the worst of the moves legal in it."""
    cdef MoveCode codes[MAX_LEGAL]
    cdef int[MOST_FORMS] members
    cdef int64_t base = plans.top
    cdef int i, j, width, others, number = 0
    cdef int size = filled_vector(plans, n, highest_value(plans.ending))
    for i in range(n):
        number = add_codes(&plans.forms[forms + i].state, codes, number)
        if number < 0:
            plans.ending.status = STATUS_GIVEN_UP
            return -1
    for j in range(number):
        if size < 0:
            return -1
        width = 0
        for i in range(n):
            if is_legal(&plans.forms[forms + i].state, codes[j]):
                members[width] = i
                width += 1
        others = move_front(plans, forms, members, width, codes[j])
        if others < 0:
            return -1
        size = combined(plans, base, size, n, others, width, members, False)
    return size


cdef inline int final_front(Plans* plans, int64_t forms, int n) noexcept nogil:
    cdef Value* vector = push(plans, n)
    cdef int i
    if vector == NULL:
        return -1
    for i in range(n):
        vector[i] = final_value(&plans.forms[forms + i].state, plans.ending.scale)
    return 1


cdef inline int single_front(Plans* plans, int64_t form) noexcept nogil:
    """One form: nothing but chance is hidden."""
    cdef Ending* ending = plans.ending
    cdef Value value = position_value(
        ending, &plans.forms[form].state, lowest_value(ending), highest_value(ending)
    )
    return filled_vector(plans, 1, value) if ending.status == STATUS_RUNNING else -1


cdef inline int set_front(Plans* plans, int64_t forms, int n) noexcept nogil:
    """The front of `n` forms that look the same to side 0, at `forms` on their stack."""
    cdef uint64_t key
    cdef KeptFront* kept
    cdef int64_t before, base = plans.top
    cdef int size
    cdef const State* s = &plans.forms[forms].state
    if n == 1:
        return single_front(plans, forms)
    if s.phase == PHASE_OVER:
        return final_front(plans, forms, n)
    key = forms_key(&plans.forms[forms], n)
    kept = front_slot(plans, key)
    if kept.key:
        return known_front(plans, kept, n)
    if not goes_on(plans.ending):
        return -1
    before = plans.ending.uncharged
    size = (own_front if s.mover == 0 else defended_front)(plans, forms, n)
    if size < 0:
        return -1
    charge(plans.ending, before)
    return keep_front(plans, key, base, size, n)
