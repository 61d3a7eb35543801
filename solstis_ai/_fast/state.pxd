"""The Python classes of the core, for Cython code of other modules."""

from solstis_ai._fast.chance cimport Chance, ChanceLog
from solstis_ai._fast.determinize cimport InformationSet
from solstis_ai._fast.types cimport State


cdef class ChanceFeed:
    cdef Chance chance
    cdef ChanceLog log

    cdef void begin(self) noexcept


cdef class GameState:
    cdef State state


cdef class Knowledge:
    cdef InformationSet information_set
