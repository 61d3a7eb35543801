"""The search tree: a hash table from decision sequences to statistics.

The tree is open-loop (Cowling, Powley & Whitehouse 2012): a node is the sequence of
decisions that leads to it from the root, whatever chance did in between. A 64-bit key
names the sequence (`child_key`), so that a node needs no pointers, a child is found in one
probe, and its siblings, of which most are not legal in the world at hand, are not visited.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memset

from solstis_ai._fast.types cimport MoveCode

cdef extern from *:
    """
    #include <stdlib.h>
    #include <sys/mman.h>
    #ifndef MAP_ANONYMOUS
    #define MAP_ANONYMOUS MAP_ANON
    #endif
    #define SOLSTIS_PREFETCH(address) __builtin_prefetch(address)
    #ifndef MAP_POPULATE
    #define MAP_POPULATE 0
    #endif
    #define SOLSTIS_LARGE ((size_t)1 << 20)
    #define SOLSTIS_HUGE ((size_t)4 << 20)
    /* Zeroed memory; NULL without memory. A large piece comes from the system and has it back
       when it is released, where malloc would keep megabytes for each thread. It comes at once,
       since page faults of several threads wait for each other; the largest come page by page,
       in huge pages where there are any: a walk down the tree then costs fewer misses of the
       TLB. */
    static inline void *solstis_zeroed(size_t bytes) {
        if (bytes < SOLSTIS_LARGE) return calloc(1, bytes);
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | (bytes < SOLSTIS_HUGE ? MAP_POPULATE : 0);
        void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
        if (memory == MAP_FAILED) return NULL;
    #ifdef MADV_HUGEPAGE
        if (bytes >= SOLSTIS_HUGE) madvise(memory, bytes, MADV_HUGEPAGE);
    #endif
        return memory;
    }
    static inline void solstis_release(void *memory, size_t bytes) {
        if (bytes < SOLSTIS_LARGE) free(memory); else munmap(memory, bytes);
    }
    """
    void* zeroed "solstis_zeroed"(size_t bytes_) noexcept nogil
    void release "solstis_release"(void* memory, size_t bytes_) noexcept nogil
    void prefetch "SOLSTIS_PREFETCH"(const void* address) noexcept nogil

cdef extern from "time.h" nogil:
    ctypedef long time_t
    cdef struct timespec:
        time_t tv_sec
        long tv_nsec
    int CLOCK_MONOTONIC
    int clock_gettime(int clock, timespec* moment) noexcept

cdef enum:
    ROOT_KEY = 1
    MOVED_AT_ONCE = 2  # slots of a growing tree between two looks at the interrupt: each may
                       # cost a page fault that zeroes two megabytes

cdef struct Interrupt:
    # What ends a run from outside.
    const int* stop   # not 0: at once
    int64_t deadline  # on the monotonic clock, in nanoseconds; 0 for none

cdef struct Node:
    # 24 bytes. All counts are of iterations; reward is told from the side that decided.
    uint64_t key          # of the decision sequence; 0: a free slot
    uint32_t visits
    uint32_t available    # availability count: iterations in which it was legal
    int64_t reward        # sum of rewards, in units of 1 / REWARD_ONE

cdef struct Tree:
    Node* nodes
    uint64_t mask         # capacity - 1; the capacity is a power of two
    uint64_t used
    uint64_t room         # nodes that may still be created before the table must grow
    uint64_t limit        # most nodes ever


cdef inline int64_t now_ns() noexcept nogil:
    """The monotonic clock, in nanoseconds."""
    cdef timespec moment
    clock_gettime(CLOCK_MONOTONIC, &moment)
    return <int64_t>moment.tv_sec * 1_000_000_000 + moment.tv_nsec


cdef inline bint interrupted(const Interrupt* interrupt) noexcept nogil:
    if interrupt.stop[0]:
        return True
    return interrupt.deadline != 0 and now_ns() >= interrupt.deadline


cdef inline uint64_t child_key(uint64_t key, MoveCode code) noexcept nogil:
    """The key of a sequence that goes on with `code`; never 0.

    The upper half says where its slot is looked for (`home`): siblings lie side by side, by
    their targets. The lower half tells them apart.
    """
    cdef uint64_t mixed = key * <uint64_t>0x9E3779B97F4A7C15
    mixed ^= mixed >> 32
    mixed *= <uint64_t>0xD6E8FEB86659FD93
    cdef uint64_t told_apart = (mixed ^ code) * <uint64_t>0xD1342543DE82EF95
    return ((mixed + ((<uint64_t>code & 63) << 32)) & <uint64_t>0xFFFFFFFF00000000
            | told_apart >> 32 | 1)


cdef inline uint64_t home(uint64_t key) noexcept nogil:
    """Where the search for the slot of a key begins, before masking."""
    return key >> 32


cdef inline Node* find_slot(const Tree* tree, uint64_t key) noexcept nogil:
    """The node with this key, or the free slot (key 0) where it belongs."""
    cdef uint64_t slot = home(key) & tree.mask
    while tree.nodes[slot].key != key and tree.nodes[slot].key != 0:
        slot = (slot + 1) & tree.mask
    return &tree.nodes[slot]


cdef inline Node* find_child(const Tree* tree, uint64_t key, MoveCode code) noexcept nogil:
    """The node below `key` by `code`, or the free slot where it belongs."""
    return find_slot(tree, child_key(key, code))


cdef inline void prefetch_node(const Tree* tree, uint64_t key) noexcept nogil:
    prefetch(&tree.nodes[home(key) & tree.mask])


cdef inline Node* create_node(Tree* tree, Node* slot, uint64_t key) noexcept nogil:
    """Occupy the free slot of a key, or return NULL when the tree is full."""
    if tree.room == 0:
        return NULL
    tree.room -= 1
    tree.used += 1
    slot.key = key
    slot.available = 1
    return slot


cdef inline Node* find_or_create(Tree* tree, uint64_t key) noexcept nogil:
    """The node with this key, at first without counts; NULL when the tree is full."""
    cdef Node* node = find_slot(tree, key)
    if node.key == 0:
        node = create_node(tree, node, key)
        if node != NULL:
            node.available = 0
    return node


cdef inline void add(Node* node, const Node* more) noexcept nogil:
    node.visits += more.visits
    node.available += more.available
    node.reward += more.reward


cdef inline void subtract(Node* node, const Node* less) noexcept nogil:
    node.visits -= less.visits
    node.available -= less.available
    node.reward -= less.reward


cdef inline uint64_t capacity_for(uint64_t nodes) noexcept nogil:
    """The smallest power of two that `nodes` fill to at most three quarters."""
    cdef uint64_t capacity = 64
    while capacity * 3 // 4 < nodes:
        capacity *= 2
    return capacity


cdef inline void set_room(Tree* tree) noexcept nogil:
    cdef uint64_t fill = (tree.mask + 1) * 3 // 4
    if fill > tree.limit:
        fill = tree.limit
    tree.room = fill - tree.used


cdef inline bint tree_init(Tree* tree, uint64_t nodes, uint64_t limit) noexcept nogil:
    """An empty tree with room for `nodes` (at most `limit`); False without memory."""
    cdef uint64_t capacity = capacity_for(nodes if nodes < limit else limit)
    tree.nodes = <Node*>zeroed(capacity * sizeof(Node))
    tree.mask = capacity - 1
    tree.used = 0
    tree.limit = limit
    if tree.nodes == NULL:
        return False
    set_room(tree)
    return True


cdef inline void tree_clear(Tree* tree) noexcept nogil:
    """Forget all nodes and keep the memory."""
    memset(tree.nodes, 0, (tree.mask + 1) * sizeof(Node))
    tree.used = 0
    set_room(tree)


cdef inline void tree_free(Tree* tree) noexcept nogil:
    if tree.nodes != NULL:
        release(tree.nodes, (tree.mask + 1) * sizeof(Node))
    tree.nodes = NULL


cdef inline bint move_nodes(const Tree* tree, Tree* grown, const Interrupt* interrupt) noexcept nogil:
    """Copy all nodes; False when interrupted."""
    cdef uint64_t i
    if tree.used == 0:
        return True
    for i in range(tree.mask + 1):
        if i % MOVED_AT_ONCE == 0 and interrupted(interrupt):
            return False
        if tree.nodes[i].key != 0:
            find_slot(grown, tree.nodes[i].key)[0] = tree.nodes[i]
    return True


cdef inline bint tree_reserve(
    Tree* tree, uint64_t nodes, const Interrupt* interrupt
) noexcept nogil:
    """Make room for `nodes` more, as far as limit and memory allow; False when interrupted.

    Nodes move: no pointer into the tree may be kept over this call. Interrupted, the tree
    stays as it was.
    """
    cdef uint64_t wanted = tree.used + nodes
    cdef Tree grown
    if tree.room >= nodes or tree.used + tree.room == tree.limit:
        return True
    if not tree_init(&grown, wanted * 2 if tree.used else wanted, tree.limit):
        return True
    if not move_nodes(tree, &grown, interrupt):
        tree_free(&grown)
        return False
    grown.used = tree.used
    set_room(&grown)
    tree_free(tree)
    tree[0] = grown
    return True
