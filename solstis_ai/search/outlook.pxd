"""How a game may end after one move: stars by part over sampled hands and futures.

Apart from the search tree, which knows wins and little else, this plays out worlds in two
stages: hands of the other side out of the information set, and several futures of each. The
sums of both stages tell how much of the variance is the hidden hand (one-way random-effects
analysis of variance; Searle, Casella & McCulloch 1992, section 3.6).

Every hand and every future has random numbers of its own, named by seed and position. So any
slice of the hands can be added at any time, and all moves of a position are played out in the
same hands and with the same random numbers, which makes their differences more precise.
"""

from libc.stdint cimport int64_t, uint64_t

from solstis_ai._fast.chance cimport Chance, refresh
from solstis_ai._fast.decisions cimport apply
from solstis_ai._fast.determinize cimport InformationSet, determinize
from solstis_ai._fast.rng cimport mix_seed
from solstis_ai._fast.scoring cimport score_side
from solstis_ai._fast.types cimport MoveCode, Score, State
from solstis_ai.search.plausible cimport play_plausibly

cdef enum:
    FUTURES = 8        # playouts for each sampled hand
    PARTS = 6          # total, area, fires, spirits, bonuses, fireflies (R24)
    OUTLOOK_STREAM = 1 << 20  # keeps the random numbers apart from those of search threads

cdef struct StarSums:
    # Over all playouts; parts are in the order of PARTS.
    int64_t stars[PARTS]
    int64_t squares[PARTS]

cdef struct OutlookSums:
    StarSums side[2]
    int64_t lead           # stars of side 0 minus stars of side 1, over all playouts
    int64_t lead_squares
    int64_t hand_squares   # of the lead summed over the futures of one hand, over all hands


cdef inline void list_parts(const Score* score, int64_t* parts) noexcept nogil:
    cdef int i
    parts[0] = score.total
    parts[1] = score.area
    parts[2] = score.fires
    parts[3] = score.spirits
    parts[4] = 0
    for i in range(9):
        parts[4] += score.bonus[i]
    parts[5] = score.fireflies


cdef inline int64_t add_stars(const State* end, int side, StarSums* sums) noexcept nogil:
    """Add the score of one side at the end of a game; returns its total."""
    cdef Score score
    cdef int64_t[PARTS] parts
    cdef int i
    score_side(end, side, &score)
    list_parts(&score, parts)
    for i in range(PARTS):
        sums.stars[i] += parts[i]
        sums.squares[i] += parts[i] * parts[i]
    return parts[0]


cdef inline int64_t add_future(
    const State* dealt, MoveCode code, Chance* chance, OutlookSums* sums
) noexcept nogil:
    """One game from `dealt` to its end, begun with the move; returns the lead of side 0."""
    cdef State world = dealt[0]
    cdef int64_t lead
    refresh(chance)
    apply(&world, code, chance)
    play_plausibly(&world, chance)
    lead = add_stars(&world, 0, &sums.side[0]) - add_stars(&world, 1, &sums.side[1])
    sums.lead += lead
    sums.lead_squares += lead * lead
    return lead


cdef inline void add_hand(
    const InformationSet* known, MoveCode code, uint64_t hand_seed, OutlookSums* sums
) noexcept nogil:
    """All futures of one sampled hand."""
    cdef State dealt
    cdef Chance chance
    cdef int64_t lead = 0
    cdef int future
    chance.log = NULL
    chance.rng = hand_seed
    determinize(known, &dealt, &chance)
    for future in range(FUTURES):
        chance.rng = mix_seed(hand_seed, 1 + future)
        lead += add_future(&dealt, code, &chance, sums)
    sums.hand_squares += lead * lead


cdef inline void add_hands(
    const InformationSet* known, MoveCode code, uint64_t seed, int64_t first, int64_t end,
    OutlookSums* sums
) noexcept nogil:
    """Hands number `first` to `end` - 1."""
    cdef int64_t hand
    for hand in range(first, end):
        add_hand(known, code, mix_seed(seed, OUTLOOK_STREAM + hand), sums)
