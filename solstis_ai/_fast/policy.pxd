"""A learned policy: how likely a good player takes each legal decision, by a few cheap facts.

Every option has a weight, the product of table entries; its probability is its share of all
weights (a softmax of summed logits, the tables hold the exponentials). The facts are those
that the side that decides sees.
"""

from solstis_ai._fast.chance cimport Chance, random_below, refresh
from solstis_ai._fast.decisions cimport (
    apply, code_kind, code_spirit, code_target, list_moves, options,
)
from solstis_ai._fast.geometry cimport BOTTOM_ROW, FIRE_TILES, MATCHES, completing_cells, neighbours
from solstis_ai._fast.placing cimport filled_cells
from solstis_ai._fast.types cimport *

cdef enum:
    POLICY_KINDS = 11
    POLICY_STAGES = 3      # many tiles in the deck, some, none
    POLICY_FACTS = 512     # combinations of nine facts
    DRAW = NO_SPIRIT       # place of "draw" in the table of spirits

cdef struct Policy:
    float cell[POLICY_STAGES][POLICY_KINDS][POLICY_FACTS]
    float capture[POLICY_STAGES][POLICY_KINDS][POLICY_FACTS]
    float spirit[POLICY_STAGES][2][NO_SPIRIT + 1]  # to meet; to cover

cdef struct Surroundings:
    # Boards that tell the facts of a cell, for the panorama on which it is filled.
    Board completing       # fills the last cell of a square
    Board denying          # would do so for the other side
    Board near             # has a filled neighbour
    Board between          # has several
    Board near_other
    Board third            # fills the third or the last cell of a square
    Board rainbows


cdef struct OptionFacts:
    # What the weight of an option depends on, for those who train the policy.
    int stage
    int kind
    int cell               # facts of the cell; where a spirit is chosen, its number
    int capture            # facts of what is captured


cdef inline int policy_stage(const State* s) noexcept nogil:
    return 0 if s.deck_size > 12 else 1 if s.deck_size else 2


cdef inline Board third_cells(Board filled) noexcept nogil:
    """Empty cells of squares with two filled cells or more."""
    cdef Board a = filled, b = filled >> 1, c = filled >> 11, d = filled >> 12
    cdef Board two = (a & b) | (a & c) | (a & d) | (b & c) | (b & d) | (c & d)
    return (two | two << 1 | two << 11 | two << 12) & ~filled


cdef inline Board between_cells(Board filled) noexcept nogil:
    cdef Board a = filled << 1, b = filled >> 1, c = filled << 11, d = filled >> 11
    return (a & b) | (a & c) | (a & d) | (b & c) | (b & d) | (c & d)


cdef inline void survey(const State* s, int side, Surroundings* view) noexcept nogil:
    cdef Board mine = filled_cells(&s.side[side])
    cdef Board others = filled_cells(&s.side[1 - side])
    view.completing = completing_cells(mine)
    view.denying = completing_cells(others)
    view.near = neighbours(mine)
    view.between = between_cells(mine)
    view.near_other = neighbours(others)
    view.third = third_cells(mine)
    view.rainbows = s.side[side].rainbows


cdef inline unsigned cell_facts(const Surroundings* view, int cell) noexcept nogil:
    return <unsigned>(
        (view.completing >> cell & 1) | (view.denying >> cell & 1) << 1
        | (view.near >> cell & 1) << 2 | (view.between >> cell & 1) << 3
        | (view.near_other >> cell & 1) << 4 | (view.third >> cell & 1) << 5
        | (view.rainbows >> cell & 1) << 6 | (FIRE_TILES >> cell & 1) << 7
        | (BOTTOM_ROW >> cell & 1) << 8)


cdef inline unsigned capture_facts(
    const State* s, const Surroundings* view, int kind, int tile
) noexcept nogil:
    """What a played tile may capture; of a captured one, whether it turns up a tile."""
    cdef Board found
    cdef unsigned row = tile // 11
    if kind != KIND_PLAY:
        return <unsigned>(s.covering >> tile & 1) | row << 6
    found = MATCHES[tile] & s.queue
    return (
        <unsigned>(found != 0) | <unsigned>(found & (found - 1) != 0) << 1
        | <unsigned>(found & view.completing != 0) << 2
        | <unsigned>(found & view.denying != 0) << 3
        | <unsigned>(found & view.near != 0) << 4 | <unsigned>(found & view.third != 0) << 5
        | row << 6)


cdef inline bint is_about_spirits(int kind) noexcept nogil:
    return kind == KIND_MEET or kind == KIND_DRAW or kind == KIND_COVER


cdef inline int spirit_of(MoveCode code) noexcept nogil:
    """The spirit that is chosen: a place in the table of spirits."""
    cdef int kind = code_kind(code)
    if kind == KIND_MEET:
        return code_spirit(code)
    return code_target(code) if kind == KIND_COVER else DRAW


cdef inline OptionFacts facts_of(
    const State* s, const Surroundings* view, MoveCode code
) noexcept nogil:
    cdef OptionFacts found
    found.stage = policy_stage(s)
    found.kind = code_kind(code)
    found.capture = 0
    if is_about_spirits(found.kind):
        found.cell = spirit_of(code)
    else:
        found.cell = cell_facts(view, code_target(code))
        found.capture = capture_facts(s, view, found.kind, code_target(code))
    return found


cdef inline int panorama_of(const State* s, int kind) noexcept nogil:
    """The side whose panorama the decision is about."""
    if kind == KIND_EVIL or kind == KIND_FORCE:
        return 1 - s.mover
    return s.mover


cdef inline float spirit_weights(
    const Policy* policy, const State* s, const MoveCode* codes, int n, float* weights
) noexcept nogil:
    cdef int stage = policy_stage(s)
    cdef bint cover = code_kind(codes[0]) == KIND_COVER
    cdef float total = 0
    cdef int i
    for i in range(n):
        weights[i] = policy.spirit[stage][cover][spirit_of(codes[i])]
        total += weights[i]
    return total


cdef inline float cell_weights(
    const Policy* policy, const State* s, const MoveCode* codes, int n, float* weights
) noexcept nogil:
    cdef Surroundings view
    cdef int stage = policy_stage(s)
    cdef int kind = code_kind(codes[0])  # of all
    cdef float total = 0
    cdef int i, target
    survey(s, panorama_of(s, kind), &view)
    for i in range(n):
        target = code_target(codes[i])
        weights[i] = (policy.cell[stage][kind][cell_facts(&view, target)]
                      * policy.capture[stage][kind][capture_facts(s, &view, kind, target)])
        total += weights[i]
    return total


cdef inline float policy_weights(
    const Policy* policy, const State* s, const MoveCode* codes, int n, float* weights
) noexcept nogil:
    """Write the weights of all options, as `facts_of` tells them apart; returns their sum."""
    if is_about_spirits(code_kind(codes[0])):
        return spirit_weights(policy, s, codes, n, weights)
    return cell_weights(policy, s, codes, n, weights)


cdef inline int pick(const float* weights, int n, float total, Chance* chance) noexcept nogil:
    """A random index, in proportion to the weights."""
    cdef float left = total * (<float>random_below(chance, 1 << 24) * <float>(1.0 / (1 << 24)))
    cdef int i
    for i in range(n - 1):
        left -= weights[i]
        if left < 0:
            return i
    return n - 1


cdef inline void play_by_policy(
    State* s, const Policy* policy, int decisions, Chance* chance
) noexcept nogil:
    """Play by the policy, so many decisions or until PHASE_OVER; forced ones do not count."""
    cdef MoveCode codes[MAX_LEGAL]
    cdef float weights[MAX_LEGAL]
    cdef Options found
    cdef int n, index
    while decisions > 0 and s.phase != PHASE_OVER:
        refresh(chance)
        options(s, &found)
        n = list_moves(s, &found, codes)
        index = 0
        if n > 1:
            index = pick(weights, n, policy_weights(policy, s, codes, n, weights), chance)
            decisions -= 1
        apply(s, codes[index], chance)
