"""A network and a policy in memory, for Cython code of other modules."""

from solstis_ai.search.leaf cimport Evaluation


cdef class Evaluator:
    cdef Evaluation* evaluation
