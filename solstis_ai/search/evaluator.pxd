"""A network in memory, for Cython code of other modules."""

from solstis_ai.search.network cimport Network


cdef class Evaluator:
    cdef Network* network
