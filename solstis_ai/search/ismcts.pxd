"""Single-observer ISMCTS, one iteration after the other (Cowling, Powley & Whitehouse 2012).

An iteration samples a world from the information set, then selects down the tree among the
decisions that are legal in that world, expands by one node, plays at random to the end and
backpropagates. Forced decisions are part of the sequence but get no node below the root.
"""

from libc.stdint cimport int64_t, uint64_t

from solstis_ai._fast.bits cimport rare
from solstis_ai._fast.chance cimport Chance, random_below, refresh
from solstis_ai._fast.determinize cimport InformationSet, determinize
from solstis_ai._fast.playout cimport play_out
from solstis_ai._fast.rules cimport apply, list_moves, option_count, options
from solstis_ai._fast.scoring cimport outcome_for, stars
from solstis_ai._fast.types cimport MAX_LEGAL, PHASE_OVER, MoveCode, Options, State
from solstis_ai.search.selection cimport ucb1
from solstis_ai.search.tree cimport (
    ROOT_KEY, Node, Tree, child_key, create_child, find_child, prefetch_child,
)

cdef enum:
    MAX_DEPTH = 200   # decisions in the tree; deeper ones are played at random

cdef struct RootStatistics:
    # Sums over the iterations that chose one move of the root, by side.
    int64_t stars[2]
    int64_t squares[2]

cdef struct SearchRun:
    InformationSet known
    Chance chance
    Tree tree
    float exploration
    int64_t iterations                    # done
    const int* stop                       # read in every iteration; not 0 ends the run
    int root_count
    MoveCode root_codes[MAX_LEGAL]        # legal decisions of the root, in `list_moves` order
    RootStatistics root[MAX_LEGAL]        # likewise

cdef struct Path:
    # The nodes of one iteration, root's child first, each with the side that decided.
    int length
    Node* nodes[MAX_DEPTH]
    unsigned char sides[MAX_DEPTH]

cdef struct Choice:
    int index          # into the listed moves
    Node* node         # NULL: a new one, for which the full tree has no room
    bint expanded


cdef inline Choice expand(
    SearchRun* run, uint64_t key, const MoveCode* codes, int index
) noexcept nogil:
    cdef Choice choice
    cdef Node* slot = find_child(&run.tree, key, codes[index])
    choice.index = index
    choice.node = create_child(&run.tree, slot, key, codes[index])
    choice.expanded = True
    return choice


cdef inline Choice select_or_expand(
    SearchRun* run, const Node* parent, uint64_t key, const MoveCode* codes, int n
) noexcept nogil:
    """Count all legal children as available; expand an untried one, else select by UCB1.

    A full tree expands only where no child has been tried.
    """
    cdef Choice best
    cdef Node* node
    cdef float value, best_value = -1
    cdef int i, untried = 0
    cdef short fresh[MAX_LEGAL]
    if parent != NULL and parent.visits == 1:  # it has been created, and nothing below it
        return expand(run, key, codes, random_below(&run.chance, n))
    for i in range(n):
        prefetch_child(&run.tree, key, codes[i])
    best.expanded = False
    best.index = 0
    best.node = NULL
    for i in range(n):
        node = find_child(&run.tree, key, codes[i])
        if node.key == 0:
            fresh[untried] = i
            untried += 1
            continue
        node.available += 1
        value = ucb1(node.half_points, node.visits, node.available, run.exploration)
        if value > best_value:
            best_value = value
            best.index = i
            best.node = node
    if untried and (run.tree.room or best.node == NULL):
        return expand(run, key, codes, fresh[random_below(&run.chance, untried)])
    return best


cdef inline int descend(SearchRun* run, State* world, Path* path) noexcept nogil:
    """Selection and expansion; returns the index of the root decision that was taken."""
    cdef MoveCode codes[MAX_LEGAL]
    cdef Options found
    cdef Choice choice
    cdef Node* parent = NULL
    cdef uint64_t key = ROOT_KEY
    cdef int n, root_index = 0
    cdef bint at_root = True
    path.length = 0
    while world.phase != PHASE_OVER and path.length < MAX_DEPTH:
        refresh(&run.chance)
        options(world, &found)
        n = list_moves(world, &found, codes)
        if n == 1 and not at_root:
            key = child_key(key, codes[0])
            apply(world, codes[0], &run.chance)
            continue
        choice = select_or_expand(run, parent, key, codes, n)
        if at_root:
            root_index = choice.index
            at_root = False
        key = child_key(key, codes[choice.index])
        if choice.node != NULL:
            path.sides[path.length] = world.mover
            path.nodes[path.length] = choice.node
            path.length += 1
        apply(world, codes[choice.index], &run.chance)
        if choice.expanded:
            break
        parent = choice.node
    return root_index


cdef inline void backpropagate(const Path* path, int half_points) noexcept nogil:
    """`half_points` is the result of side 0."""
    cdef int i
    for i in range(path.length):
        path.nodes[i].visits += 1
        path.nodes[i].half_points += 2 - half_points if path.sides[i] else half_points


cdef inline void record_root(RootStatistics* root, int own, int other) noexcept nogil:
    root.stars[0] += own
    root.stars[1] += other
    root.squares[0] += own * own
    root.squares[1] += other * other


cdef inline void iterate(SearchRun* run) noexcept nogil:
    """One iteration."""
    cdef State world
    cdef Path path
    cdef int root_index, own, other
    determinize(&run.known, &world, &run.chance)
    root_index = descend(run, &world, &path)
    play_out(&world, &run.chance)
    own = stars(&world, 0)
    other = stars(&world, 1)
    backpropagate(&path, outcome_for(&world, 0, own, other))
    record_root(&run.root[root_index], own, other)
    run.iterations += 1


cdef inline void iterate_many(SearchRun* run, int64_t iterations) noexcept nogil:
    """Up to `iterations` more, fewer when stopped."""
    while iterations > 0 and not run.stop[0]:
        iterate(run)
        iterations -= 1
