"""The memory of a team of trees; what they do with it is in `team.pxd`."""

import cython
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from solstis_ai._fast.types cimport MAX_LEGAL
from solstis_ai.search.ismcts cimport SearchRun
from solstis_ai.search.team cimport MILESTONES, Member, Members, round_after, step_after
from solstis_ai.search.tree cimport Node, tree_free, tree_init

cdef enum:
    FIRST_TOLD = 2048 # room at the start for sums that are told
    TOLD_PART = 4     # so large a part of its tree can a member tell of


@cython.final
cdef class Team:
    """Trees of one search that tell each other what they have found.

    Args:
        size: Number of trees, at least 1.

    Raises:
        MemoryError: If there is no memory for the letters.
    """

    def __cinit__(self, int size):
        self.members.each = <Member*>calloc(size, sizeof(Member))
        if self.members.each == NULL:
            raise MemoryError("no memory for the team")
        self.members.size = size

    def __dealloc__(self):
        cdef int i
        for i in range(self.members.size):
            free_member(&self.members.each[i])
        free(self.members.each)

    cdef int enter(
        self, int number, SearchRun* run, int64_t expected, uint64_t max_nodes
    ) except -1:
        """Make the tree of ``run`` a member."""
        if not 0 <= number < self.members.size:
            raise IndexError(f"the team has no member {number}")
        cdef Member* member = &self.members.each[number]
        if member.milestones.keys != NULL:  # also when its tree is gone again
            raise ValueError(f"member {number} of the team is there already")
        if not make_member(member, run.root_count, max_nodes):
            raise MemoryError("no memory for the team")
        member.expected = expected
        member.run = run
        run.milestones = &member.milestones
        run.parts, run.part = self.members.size, number
        return 0


cdef bint make_member(Member* member, int root_count, uint64_t max_nodes) noexcept:
    """False without memory."""
    cdef size_t entries = MILESTONES + root_count
    member.meeting = round_after(0)
    member.milestones.step = step_after(0)
    member.milestones.capacity = MILESTONES
    member.milestones.keys = <uint64_t*>malloc(MILESTONES * sizeof(uint64_t))
    member.letters[0].entries = <Node*>malloc(entries * sizeof(Node))
    member.letters[1].entries = <Node*>malloc(entries * sizeof(Node))
    return (tree_init(&member.told, FIRST_TOLD, max_nodes // TOLD_PART)
            and member.milestones.keys != NULL
            and member.letters[0].entries != NULL
            and member.letters[1].entries != NULL)


cdef void free_member(Member* member) noexcept:
    tree_free(&member.told)
    free(member.milestones.keys)
    free(member.letters[0].entries)
    free(member.letters[1].entries)
