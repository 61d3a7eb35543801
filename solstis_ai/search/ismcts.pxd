"""Single-observer ISMCTS, one iteration after the other (Cowling, Powley & Whitehouse 2012).

An iteration samples a world from the information set, then selects down the tree among the
decisions that are legal in that world, expands by one node, evaluates the leaf (`leaf`) and
backpropagates. Forced decisions are part of the sequence but get no node below the root.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from solstis_ai._fast.chance cimport Chance, random_below, refresh
from solstis_ai._fast.decisions cimport apply, list_moves, options
from solstis_ai._fast.determinize cimport InformationSet, determinize
from solstis_ai._fast.types cimport MAX_LEGAL, PHASE_OVER, MoveCode, Options, State
from solstis_ai.search.leaf cimport Evaluation, leaf_reward
from solstis_ai.search.network cimport REWARD_ONE
from solstis_ai.search.selection cimport ucb1
from solstis_ai.search.tree cimport (
    ROOT_KEY, Node, Tree, child_key, create_node, find_slot, prefetch_node,
)

cdef enum:
    MAX_DEPTH = 200   # decisions in the tree; deeper ones are played at random

cdef struct Milestones:
    # Nodes below the first level whose visits have reached a multiple of `step`: what a team
    # (`team.pxd`) exchanges. A node may stand here more than once.
    uint32_t step                         # a power of two
    int count
    int capacity                          # more are forgotten
    uint64_t* keys

cdef struct SearchRun:
    InformationSet known
    Chance chance
    Tree tree
    float exploration
    const Evaluation* evaluation          # of leaves; NULL: random playouts
    int lookahead                         # decisions between a leaf and its judgement
    int64_t iterations                    # done
    const int* stop                       # read in every iteration; not 0 ends the run
    int root_count
    MoveCode root_codes[MAX_LEGAL]        # legal decisions of the root, in `list_moves` order
    int parts                             # of the untried children, at least 1: one for each tree
    int part                              # of this tree: it tries those first
    Milestones* milestones                # NULL: nobody asks for them

cdef struct Path:
    # The nodes of one iteration, root's child first, each with the side that decided.
    int length
    Node* nodes[MAX_DEPTH]
    unsigned char sides[MAX_DEPTH]

cdef struct Choice:
    int index          # into the listed moves
    Node* node         # NULL: a new one, for which the full tree has no room
    bint expanded


cdef inline int first_to_try(SearchRun* run, const uint64_t* keys, int n) noexcept nogil:
    """One of `n` untried children at random, of this tree's part where there is one."""
    cdef int first = random_below(&run.chance, n)
    cdef int i, at = first
    for i in range(n):
        if (keys[at] >> 1) % <uint64_t>run.parts == <uint64_t>run.part:
            return at
        at = at + 1 if at + 1 < n else 0
    return first


cdef inline Choice expand(SearchRun* run, uint64_t key, int index) noexcept nogil:
    cdef Choice choice
    choice.index = index
    choice.node = find_slot(&run.tree, key)
    if choice.node.key:  # another tree of the team has told of it, though not of its parent
        choice.node.available += 1
    else:
        choice.node = create_node(&run.tree, choice.node, key)
    choice.expanded = True
    return choice


cdef inline Choice select_or_expand(
    SearchRun* run, const Node* parent, const uint64_t* keys, int n
) noexcept nogil:
    """Count all legal children as available; expand an untried one, else select by UCB1.

    `keys` name the children. A full tree expands only where no child has been tried.
    """
    cdef Choice best
    cdef Node* node
    cdef float value, best_value = -1
    cdef int i, untried = 0
    cdef short fresh[MAX_LEGAL]
    cdef uint64_t fresh_keys[MAX_LEGAL]
    if parent != NULL and parent.visits == 1:  # it has been created, and nothing below it
        i = first_to_try(run, keys, n)
        return expand(run, keys[i], i)
    for i in range(n):
        prefetch_node(&run.tree, keys[i])
    best.expanded = False
    best.index = 0
    best.node = NULL
    for i in range(n):
        node = find_slot(&run.tree, keys[i])
        if node.key == 0:
            fresh[untried] = i
            fresh_keys[untried] = keys[i]
            untried += 1
            continue
        node.available += 1
        value = ucb1(node.reward, node.visits, node.available, run.exploration)
        if value > best_value:
            best_value = value
            best.index = i
            best.node = node
    if untried and (run.tree.room or best.node == NULL):
        i = fresh[first_to_try(run, fresh_keys, untried)]
        return expand(run, keys[i], i)
    return best


cdef inline void name_children(
    uint64_t key, const MoveCode* codes, int n, uint64_t* keys
) noexcept nogil:
    cdef int i
    for i in range(n):
        keys[i] = child_key(key, codes[i])


cdef inline void descend(SearchRun* run, State* world, Path* path) noexcept nogil:
    """Selection and expansion."""
    cdef MoveCode codes[MAX_LEGAL]
    cdef uint64_t keys[MAX_LEGAL]
    cdef Options found
    cdef Choice choice
    cdef Node* parent = NULL
    cdef uint64_t key = ROOT_KEY
    cdef int n
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
        name_children(key, codes, n, keys)
        choice = select_or_expand(run, parent, keys, n)
        at_root = False
        key = keys[choice.index]
        if choice.node != NULL:
            path.sides[path.length] = world.mover
            path.nodes[path.length] = choice.node
            path.length += 1
        apply(world, codes[choice.index], &run.chance)
        if choice.expanded:
            break
        parent = choice.node


cdef inline void backpropagate(const Path* path, int reward) noexcept nogil:
    """`reward` is that of side 0."""
    cdef int i
    for i in range(path.length):
        path.nodes[i].visits += 1
        path.nodes[i].reward += REWARD_ONE - reward if path.sides[i] else reward


cdef inline void note_milestones(Milestones* noted, const Path* path) noexcept nogil:
    cdef int i
    for i in range(1, path.length):
        if path.nodes[i].visits & (noted.step - 1) == 0 and noted.count < noted.capacity:
            noted.keys[noted.count] = path.nodes[i].key
            noted.count += 1


cdef inline void iterate(SearchRun* run) noexcept nogil:
    """One iteration."""
    cdef State world
    cdef Path path
    determinize(&run.known, &world, &run.chance)
    descend(run, &world, &path)
    backpropagate(&path, leaf_reward(&world, run.evaluation, run.lookahead, &run.chance))
    if run.milestones != NULL:
        note_milestones(run.milestones, &path)
    run.iterations += 1


cdef inline void iterate_many(SearchRun* run, int64_t iterations) noexcept nogil:
    """Up to `iterations` more, fewer when stopped."""
    while iterations > 0 and not run.stop[0]:
        iterate(run)
        iterations -= 1
