"""The outermost loops as a table of functions, compiled once for each processor level.

All code that runs inside them is inline in .pxd files, so that a module which fills a table
compiles the whole engine with its own compiler flags. `dispatch` picks a table.
"""

from libc.stdint cimport int64_t, uint64_t

from solstis_ai._fast.playout cimport PlayoutTotals, play_games
from solstis_ai._fast.types cimport State
from solstis_ai.search.ismcts cimport SearchRun, iterate_many
from solstis_ai.search.selection cimport fill_log_table

cdef struct Kernels:
    void (*play_games)(const State*, int64_t, uint64_t, PlayoutTotals*) noexcept nogil
    void (*iterate_many)(SearchRun*, int64_t) noexcept nogil


cdef inline void fill_kernels(Kernels* table) noexcept:
    fill_log_table()
    table.play_games = play_games
    table.iterate_many = iterate_many
