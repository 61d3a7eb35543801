"""The kernels compiled for one processor level; setup.py gives each module its flags."""

from cpython.pycapsule cimport PyCapsule_New

from solstis_ai.search.kernels cimport Kernels, fill_kernels

cdef Kernels table
fill_kernels(&table)


def capsule():
    """The table of kernels, for dispatch alone."""
    return PyCapsule_New(&table, "solstis_ai.kernels", NULL)
