"""The Python classes of the core, for Cython code of other modules."""

from solstis_ai._fast.chance cimport Chance, ChanceLog
from solstis_ai._fast.determinize cimport InformationSet
from solstis_ai._fast.types cimport State


cdef class ChanceFeed:
    cdef Chance chance
    cdef ChanceLog log
    cdef int left  # what the random word is good for, a WordLeft of state.pyx

    cdef void begin(self) noexcept
    cdef void begin_unlogged(self) noexcept
    cdef void end_unlogged(self) noexcept


cdef class GameState:
    cdef State state


cdef class Knowledge:
    cdef InformationSet information_set
