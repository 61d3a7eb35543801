"""The kernels in use, chosen when the module is loaded."""

from solstis_ai.search.kernels cimport Kernels

cdef const Kernels* kernels() noexcept nogil
