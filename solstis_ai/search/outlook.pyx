"""Samples how a game may end after one move: the Python side of outlook.pxd."""

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from solstis_ai._fast.state cimport Knowledge
from solstis_ai._fast.types cimport MoveCode
from solstis_ai.search.outlook cimport FUTURES, PARTS, OutlookSums, add_hands

FUTURES_PER_HAND = FUTURES


cdef tuple members(const int64_t* numbers, int count):
    return tuple([numbers[i] for i in range(count)])


def sample_outlook(Knowledge knowledge not None, code, seed, first, end):
    """Play out the futures of sampled hands after one move, without the GIL.

    Args:
        knowledge: What the seat knows; nothing else is seen. Side 0 is the seat.
        code: Move code of one of its legal decisions.
        seed: 0 to 2**64 - 1; with the number of a hand it determines every random number.
        first: Number of the first hand.
        end: Number after that of the last hand.

    Returns:
        Tuple (stars of side 0, their squares, stars of side 1, their squares, lead, squares of
        the lead, squares of the lead by hand): sums over ``FUTURES_PER_HAND`` playouts for each
        hand. The first four are tuples by part: total, area, fires, spirits, bonuses,
        fireflies. The lead is the stars of side 0 minus those of side 1; for the last sum it
        is added up over the futures of a hand before it is squared.

    Raises:
        ValueError: If the code is not legal.
    """
    if code not in knowledge.legal_codes():
        raise ValueError("not a legal move")
    cdef MoveCode move = code
    cdef uint64_t start = seed
    cdef int64_t begin = first
    cdef int64_t stop = end
    cdef OutlookSums sums
    memset(&sums, 0, sizeof(sums))
    with nogil:
        add_hands(&knowledge.information_set, move, start, begin, stop, &sums)
    return (
        members(sums.side[0].stars, PARTS), members(sums.side[0].squares, PARTS),
        members(sums.side[1].stars, PARTS), members(sums.side[1].squares, PARTS),
        sums.lead, sums.lead_squares, sums.hand_squares,
    )
