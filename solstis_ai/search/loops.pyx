"""Loops over the small steps of the engine, for benchmarks; the work runs without the GIL."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc

from solstis_ai._fast.batches cimport WORLDS
from solstis_ai._fast.state cimport GameState, Knowledge
from solstis_ai._fast.types cimport State
from solstis_ai.search.dispatch cimport kernels


def list_all_moves(states, rounds):
    """List the legal decisions of all states, several times over.

    Args:
        states: A sequence of ``GameState``.
        rounds: How often.

    Returns:
        Tuple (number of decisions listed, hash over the last decision of every list).
    """
    cdef int64_t number = len(states)
    cdef int64_t times = rounds
    cdef int64_t moves = 0
    cdef uint64_t hash_
    cdef State* batch = <State*>malloc(max(number, 1) * sizeof(State))
    if batch == NULL:
        raise MemoryError("no memory for the states")
    try:
        for i in range(number):
            batch[<int64_t>i] = (<GameState?>states[i]).state
        with nogil:
            hash_ = kernels().list_all_moves(batch, number, times, &moves)
    finally:
        free(batch)
    return moves, hash_


def sample_worlds(Knowledge knowledge not None, worlds, seed):
    """Sample full states of an information set.

    Args:
        knowledge: What one seat knows.
        worlds: Number of samples.
        seed: 0 to 2**64 - 1.

    Returns:
        A hash over the sampled hands.
    """
    cdef State[WORLDS] room
    cdef int64_t number = worlds
    cdef uint64_t start = seed
    cdef uint64_t hash_
    with nogil:
        hash_ = kernels().sample_worlds(&knowledge.information_set, number, start, room)
    return hash_
