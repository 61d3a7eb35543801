"""Exact solution of endings with an empty deck: the Python side of the exact search."""

from itertools import combinations
from math import comb

import cython
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from solstis_ai._fast.bits cimport bit, count
from solstis_ai._fast.decisions cimport list_moves, options
from solstis_ai._fast.state cimport Knowledge
from solstis_ai._fast.types cimport MAX_LEGAL, PHASE_OVER, Board, MoveCode, Options, State
from solstis_ai.search.best_defence cimport (
    FRONT_SLOTS, MOST_FORMS, Form, KeptFront, Plans, best_plan, move_front, push_form,
    push_outcomes,
)
from solstis_ai.search.expectiminimax cimport (
    FIRST_POSITIONS, STATUS_GIVEN_UP, STATUS_RUNNING, STATUS_SOLVED, Ending, charge,
    highest_value, lowest_value, move_value, table_free, table_init,
)
from solstis_ai.search.tree cimport now_ns
from solstis_ai.search.values cimport Value, less, scale_of, value_of

cdef enum:
    MOST_LINE = 32           # decisions of one side in a row
    STACK_VALUES = 1 << 17
    KEPT_VALUES = 1 << 18
    STACK_FORMS = 1 << 13


cdef Value value_after(Plans* plans, int forms, MoveCode code) noexcept nogil:
    """The value of a decision in the lowest `forms` forms of the stack, summed over them."""
    cdef int[MOST_FORMS] members
    cdef int i, size
    cdef Value value
    if forms == 1:
        return move_value(plans.ending, &plans.forms[0].state, code,
                          lowest_value(plans.ending), highest_value(plans.ending))
    for i in range(forms):
        members[i] = i
    plans.top = 0
    size = move_front(plans, 0, members, forms, code)
    if size < 0:
        return value_of(0, 0, 0)
    return best_plan(plans.values, size, forms)


cdef MoveCode best_code(Plans* plans, int forms) noexcept nogil:
    """The best decision of side 0, where its value is known already."""
    cdef Options found
    cdef MoveCode codes[MAX_LEGAL]
    cdef Value value, best = lowest_value(plans.ending)
    cdef int i, n, best_index = 0
    options(&plans.forms[0].state, &found)
    n = list_moves(&plans.forms[0].state, &found, codes)
    for i in range(n):
        if forms == 1:  # with the windows that the search has had here
            value = move_value(plans.ending, &plans.forms[0].state, codes[i], best,
                               highest_value(plans.ending))
        else:
            value = value_after(plans, forms, codes[i])
        if less(best, value):
            best = value
            best_index = i
    return codes[best_index]


cdef bint step(Plans* plans, int forms, MoveCode code) noexcept nogil:
    """Perform a decision in all forms; False where chance or the other side comes next."""
    cdef int i
    for i in range(forms):
        plans.forms_top = forms + i
        if push_outcomes(plans, &plans.forms[i].state, code, i) != 1:
            return False
    for i in range(forms):
        plans.forms[i] = plans.forms[forms + i]
        if plans.forms[i].seen != plans.forms[0].seen:
            return False
    plans.forms_top = forms
    return plans.forms[0].state.mover == 0 and plans.forms[0].state.phase != PHASE_OVER


cdef int64_t deadline_after(seconds) except -1:
    """The moment on the monotonic clock; 0, which is no deadline, for negative seconds."""
    return now_ns() + <int64_t>(min(seconds, 1e9) * 1e9) if seconds >= 0 else 0


most_forms = MOST_FORMS
"""Most forms of the hidden tiles that an ``Endgame`` takes."""


def forms_of(Knowledge knowledge not None):
    """Number of forms that the hidden tiles can take for the seat; 0 while the deck lasts."""
    if knowledge.information_set.base.deck_size:
        return 0
    return comb(count(knowledge.information_set.candidates), knowledge.information_set.hidden)


@cython.final
cdef class Endgame:
    """An ending that is being solved for side 0.

    Args:
        knowledge: What the seat knows; the deck is empty.
        budget: Most moves to try, outcomes counted one by one; then the search is given up.

    Raises:
        ValueError: If the deck is not empty, or the hidden tiles can take too many forms.
        MemoryError: If there is no memory for the search.
    """

    cdef Plans plans
    cdef Ending ending
    cdef int64_t granted
    cdef int stop_
    cdef int forms
    cdef int root_count
    cdef int rows_done
    cdef MoveCode root_codes_[MAX_LEGAL]
    cdef Value values_[MAX_LEGAL]
    cdef int line_length
    cdef MoveCode line_[MOST_LINE]

    def __cinit__(self, Knowledge knowledge not None, budget):
        cdef Options found
        cdef State* base = &knowledge.information_set.base
        forms = forms_of(knowledge)
        if not 1 <= forms <= MOST_FORMS:
            raise ValueError(f"the hidden tiles take 1 to {MOST_FORMS} forms, not {forms}")
        memset(&self.plans, 0, sizeof(self.plans))
        memset(&self.ending, 0, sizeof(self.ending))
        self.plans.ending = &self.ending
        self.forms = forms
        self.granted = self.ending.budget = min(budget, 1 << 40)
        self.ending.interrupt.stop = &self.stop_
        options(base, &found)
        self.root_count = list_moves(base, &found, self.root_codes_)
        self._allocate()
        self._enumerate(knowledge)
        self.ending.scale = scale_of(&self.plans.forms[0].state)
        if self.ending.scale == 0:
            self.ending.status = STATUS_GIVEN_UP

    def _allocate(self):
        several = self.forms > 1
        cdef Plans* plans = &self.plans
        plans.room = STACK_VALUES if several else 0
        plans.kept_room = KEPT_VALUES if several else 0
        plans.forms_room = STACK_FORMS if several else 4
        plans.forms = <Form*>calloc(plans.forms_room, sizeof(Form))
        plans.values = <Value*>calloc(plans.room + 1, sizeof(Value))
        plans.kept = <Value*>calloc(plans.kept_room + 1, sizeof(Value))
        plans.fronts = <KeptFront*>calloc(FRONT_SLOTS if several else 1, sizeof(KeptFront))
        if (not table_init(&self.ending.table, FIRST_POSITIONS) or plans.forms == NULL
                or plans.values == NULL or plans.kept == NULL or plans.fronts == NULL):
            raise MemoryError("no memory for the exact search")

    def _enumerate(self, Knowledge knowledge):
        """Put all forms on the stack, sorted by the other hand."""
        cdef State form
        cdef Board hand
        cdef Board candidates = knowledge.information_set.candidates
        tiles = [bit(i) for i in range(64) if candidates & bit(i)]
        for hand in sorted(map(sum, combinations(tiles, knowledge.information_set.hidden))):
            form = knowledge.information_set.base
            form.side[1].hand |= hand
            form.pool ^= hand
            push_form(&self.plans, &form, 0)

    def __dealloc__(self):
        with nogil:  # giving back a large table takes milliseconds
            table_free(&self.ending.table)
        free(self.plans.forms)
        free(self.plans.values)
        free(self.plans.kept)
        free(self.plans.fronts)

    def run(self, seconds, total_seconds):
        """Search without the GIL; a later call goes on where this one stopped.

        Args:
            seconds: Time after which this call returns, though not from the middle of a
                growing table; negative for no limit.
            total_seconds: Time after which this call returns at once; negative for no limit.
                An interrupted growth would otherwise begin anew with every call.
        """
        if self.finished:
            return
        self.ending.until = deadline_after(seconds)
        self.ending.interrupt.deadline = deadline_after(total_seconds)
        with nogil:
            self._run()

    cdef void _run(self) noexcept nogil:
        cdef Ending* ending = &self.ending
        ending.status = STATUS_RUNNING
        ending.uncharged = 0
        while self.rows_done < self.root_count:
            self.plans.forms_top = self.forms
            self.values_[self.rows_done] = value_after(
                &self.plans, self.forms, self.root_codes_[self.rows_done]
            )
            if ending.status == STATUS_RUNNING:
                charge(ending, 0)
            if ending.status != STATUS_RUNNING:
                return
            self.rows_done += 1
        self._follow()
        ending.status = STATUS_SOLVED

    cdef void _follow(self) noexcept nogil:
        """The rest of the turn after the best decision, as far as it is certain."""
        cdef MoveCode code = self.root_codes_[self._best()]
        self.plans.forms_top = self.forms
        while self.line_length < MOST_LINE:
            self.line_[self.line_length] = code
            self.line_length += 1
            if not step(&self.plans, self.forms, code):
                return
            code = best_code(&self.plans, self.forms)
            if self.ending.status != STATUS_RUNNING:
                return

    cdef int _best(self) noexcept nogil:
        cdef int i, best = 0
        for i in range(1, self.root_count):
            if less(self.values_[best], self.values_[i]):
                best = i
        return best

    def stop(self):
        """End ``run`` at once; from any thread."""
        self.stop_ = 1

    @property
    def solved(self):
        """Whether values and line are there."""
        return self.ending.status == STATUS_SOLVED

    @property
    def finished(self):
        """Whether ``run`` has nothing to do any more: solved, or given up."""
        return self.ending.status in (STATUS_SOLVED, STATUS_GIVEN_UP)

    @property
    def positions(self):
        """Positions and sets of forms that are kept."""
        return self.ending.table.used + self.plans.fronts_used

    @property
    def tried(self):
        """Moves tried, outcomes counted one by one; the same for every slicing into runs."""
        return self.granted - self.ending.budget

    @property
    def unit(self):
        """What one half point, or one star, counts in ``values``."""
        return self.ending.scale * self.forms

    @property
    def root_codes(self):
        """Move codes of the root's legal decisions."""
        return [self.root_codes_[i] for i in range(self.root_count)]

    def values(self):
        """One tuple for each of ``root_codes``, once solved.

        Returns:
            Tuples (half points, stars of side 0 minus those of side 1, stars of side 0):
            expectations in units of 1 / ``unit``.
        """
        return [(self.values_[i].points, self.values_[i].margin, self.values_[i].own)
                for i in range(self.root_count)]

    def line(self):
        """The best decision and what follows it with certainty in the same turn, once solved."""
        return [self.line_[i] for i in range(self.line_length)]
