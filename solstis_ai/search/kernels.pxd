"""The outermost loops as a table of functions, compiled once for each processor level.

All code that runs inside them is inline in .pxd files, so that a module which fills a table
compiles the whole engine with its own compiler flags. `dispatch` picks a table.
"""

from libc.stdint cimport int64_t, uint64_t

from solstis_ai._fast.batches cimport list_all_moves, sample_worlds
from solstis_ai._fast.determinize cimport InformationSet
from solstis_ai._fast.playout cimport PlayoutTotals, play_games
from solstis_ai._fast.types cimport State
from solstis_ai.search.ismcts cimport SearchRun, iterate_many
from solstis_ai.search.match_game cimport SelfPlay, play_match_game
from solstis_ai.search.selection cimport fill_log_table

cdef struct Kernels:
    void (*play_games)(const State*, int64_t, uint64_t, PlayoutTotals*) noexcept nogil
    void (*iterate_many)(SearchRun*, int64_t) noexcept nogil
    void (*play_match_game)(SelfPlay*) noexcept nogil
    uint64_t (*list_all_moves)(const State*, int64_t, int64_t, int64_t*) noexcept nogil
    uint64_t (*sample_worlds)(const InformationSet*, int64_t, uint64_t, State*) noexcept nogil


cdef inline void fill_kernels(Kernels* table) noexcept:
    fill_log_table()
    table.play_games = play_games
    table.iterate_many = iterate_many
    table.play_match_game = play_match_game
    table.list_all_moves = list_all_moves
    table.sample_worlds = sample_worlds
