"""Several trees of one search, which tell each other what they have found.

Slow tree parallelization (Bourki et al. 2010, "Scalability and Parallelization of Monte-Carlo
Tree Search"): every member grows a tree of its own, without a lock, and in rounds
of so many iterations the members add the sums of the often visited nodes of all others to
their own. What is told in which round depends on iterations alone, so that an answer is
reproducible for any number of members. Before they hear of each other's first visits, each tries
its own part of the untried children first (`first_to_try` in `ismcts`).

At its meeting n a member reads the letters that the others wrote at meeting n - 1, and then
writes its own: a whole round lies between, so that members of about the same speed do not
wait for each other. There are two letters in turns: who writes letter n + 1 has read letters n,
whose writers had read letters n - 1 before. A member that leaves anywhere goes on there when it
comes back.

It does not matter which thread grows a member's tree. So a thread that lacks the letter of a member
that no thread is growing, because its own has not started yet or the system has taken the
processor from it while it waited, grows that tree as far as the letter. A member is held by the
thread that grows it, and nobody waits for another one while holding it.
"""

from libc.stdint cimport INT64_MAX, int64_t, uint32_t, uint64_t

from solstis_ai._fast.types cimport MAX_LEGAL
from solstis_ai.search.ismcts cimport Milestones, SearchRun
from solstis_ai.search.tree cimport (
    ROOT_KEY, Interrupt, Node, Tree, add, child_key, find_or_create, find_slot, interrupted,
    prefetch_node, subtract, tree_reserve,
)

ctypedef void (*Iterate)(SearchRun*, int64_t) noexcept nogil

cdef extern from *:
    """
    #include <sched.h>
    #include <time.h>
    #if defined(__x86_64__) || defined(__i386__)
    #define SOLSTIS_PAUSE() __builtin_ia32_pause()
    #else
    #define SOLSTIS_PAUSE() __asm__ __volatile__("" ::: "memory")
    #endif
    static inline void solstis_doze(void) {
        struct timespec moment = {0, 50000};
        nanosleep(&moment, NULL);
    }
    static inline int64_t solstis_acquire(const int64_t *from) {
        return __atomic_load_n(from, __ATOMIC_ACQUIRE);
    }
    static inline void solstis_publish(int64_t *to, int64_t value) {
        __atomic_store_n(to, value, __ATOMIC_RELEASE);
    }
    static inline int64_t solstis_exchange(int64_t *with, int64_t value) {
        return __atomic_exchange_n(with, value, __ATOMIC_ACQUIRE);
    }
    """
    void pause_briefly "SOLSTIS_PAUSE"() noexcept nogil
    int yield_processor "sched_yield"() noexcept nogil
    void doze "solstis_doze"() noexcept nogil
    int64_t acquire "solstis_acquire"(const int64_t* from_) noexcept nogil
    void publish "solstis_publish"(int64_t* to, int64_t value) noexcept nogil
    int64_t exchange "solstis_exchange"(int64_t* with_, int64_t value) noexcept nogil

cdef enum:
    FIRST_ROUND = 16     # iterations of a member
    LAST_ROUND = 2048
    GROWTH = 32          # a round is so large a part of what has been done
    LAST_STEP = 16       # most visits of a node between two letters that tell of it
    STEPPED = 256        # iterations for each visit of a step
    MILESTONES = 2048    # most nodes in a letter, besides those of the first level
    SPINS = 3000         # looks at a colleague before the processor is offered to others,
    YIELDS = 3004        # and before it is left to them for 50 microseconds at a time
    PATIENCE = 256       # until another tree is thought of: it is in the caches of another core
    GLANCES = 64         # looks between two such thoughts
    AHEAD = 8            # entries between a prefetch and its use
    SLICE = 64           # iterations between two looks at the clock
    CACHE_LINE = 64

cdef struct Letter:
    int count
    Node* entries        # what was added to a node since it was last told of; the moves of
                         # the root come first, in their order

cdef enum Advance:
    ADVANCE_DONE
    ADVANCE_BLOCKED  # letters of others are missing, or the tree has been stopped
    ADVANCE_LEFT     # interrupted

cdef struct Member:
    int64_t held                 # whether a thread grows it
    int64_t sent                 # letters that the others may read
    char padding[CACHE_LINE]     # the others look at `sent` all the while
    int64_t read                 # letters of every other member that have been added
    int64_t meeting              # iterations at which the next letter is sent
    int64_t expected             # nodes to make room for at once
    SearchRun* run
    Milestones milestones
    Tree told                    # sums that the others know: told by them or to them
    Node received[MAX_LEGAL]     # what the others told of the moves of the root
    Letter letters[2]

cdef struct Members:
    int size
    Member* each


cdef inline int64_t round_after(int64_t iterations) noexcept nogil:
    """Iterations of the round that begins after so many."""
    cdef int64_t length = iterations // GROWTH
    if length < FIRST_ROUND:
        return FIRST_ROUND
    return length if length < LAST_ROUND else LAST_ROUND


cdef inline uint32_t step_after(int64_t iterations) noexcept nogil:
    """Visits of a node between two letters that tell of it, after so many iterations.

    At first every visit is told. Later the nodes that are visited often matter, and to tell of all
    would cost more than it brings.
    """
    cdef uint32_t step = 1
    while step < LAST_STEP and step * STEPPED <= iterations:
        step *= 2
    return step


# ---- sending -----------------------------------------------------------------------------


cdef inline void write_entry(Member* member, uint64_t key, Node* entry) noexcept nogil:
    """What the others do not know of a node; no visits where there is nothing to tell."""
    cdef const Node* node = find_slot(&member.run.tree, key)
    cdef Node* told
    entry.key = key
    entry.visits = 0
    if node.key == 0:
        return
    told = find_or_create(&member.told, key)
    if told == NULL or told.visits == node.visits:
        return
    entry[0] = node[0]
    subtract(entry, told)
    add(told, entry)


cdef inline void write_milestones(Member* member, Letter* letter) noexcept nogil:
    cdef const uint64_t* keys = member.milestones.keys
    cdef int i, count = member.milestones.count
    for i in range(count):
        if i + AHEAD < count:
            prefetch_node(&member.run.tree, keys[i + AHEAD])
            prefetch_node(&member.told, keys[i + AHEAD])
        write_entry(member, keys[i], &letter.entries[letter.count])
        letter.count += letter.entries[letter.count].visits != 0
    member.milestones.count = 0


cdef inline bint send(Member* member, const Interrupt* interrupt) noexcept nogil:
    """Write the next letter; False when interrupted before."""
    cdef SearchRun* run = member.run
    cdef Letter* letter = &member.letters[member.sent & 1]
    cdef int i
    if not tree_reserve(&member.told, run.root_count + member.milestones.count, interrupt):
        return False
    for i in range(run.root_count):
        write_entry(member, child_key(ROOT_KEY, run.root_codes[i]), &letter.entries[i])
    letter.count = run.root_count
    write_milestones(member, letter)
    publish(&member.sent, member.sent + 1)
    return True


cdef inline uint32_t visits_in(const Letter* letter, uint64_t key) noexcept nogil:
    cdef uint32_t visits = 0
    cdef int i
    for i in range(letter.count):
        if letter.entries[i].key == key:
            visits += letter.entries[i].visits
    return visits


cdef inline uint32_t untold_visits(
    const Member* member, uint64_t key, int64_t letters
) noexcept nogil:
    """Visits of a node that are unknown to somebody who has read so many letters."""
    cdef uint32_t visits = (
        find_slot(&member.run.tree, key).visits - find_slot(&member.told, key).visits)
    cdef int64_t letter
    for letter in range(letters, member.sent):
        visits += visits_in(&member.letters[letter & 1], key)
    return visits


# ---- receiving ---------------------------------------------------------------------------


cdef inline bint add_entry(Member* member, const Node* entry) noexcept nogil:
    """False when there is no room for the node."""
    cdef Tree* tree = &member.run.tree
    cdef Node* told
    if tree.room == 0 and find_slot(tree, entry.key).key == 0:
        return False
    told = find_or_create(&member.told, entry.key)
    if told == NULL:
        return False
    add(told, entry)
    add(find_or_create(tree, entry.key), entry)
    return True


cdef inline void read_letter(Member* member, const Letter* letter) noexcept nogil:
    cdef const Node* entries = letter.entries
    cdef int i
    for i in range(letter.count):
        if i + AHEAD < letter.count:
            prefetch_node(&member.run.tree, entries[i + AHEAD].key)
            prefetch_node(&member.told, entries[i + AHEAD].key)
        if entries[i].visits == 0:
            continue
        if add_entry(member, &entries[i]) and i < member.run.root_count:
            add(&member.received[i], &entries[i])


cdef inline bint reserve_for_letters(
    const Members* members, Member* member, const Interrupt* interrupt
) noexcept nogil:
    cdef int i
    cdef uint64_t most = 0
    for i in range(members.size):
        most += members.each[i].letters[member.read & 1].count
    return (tree_reserve(&member.run.tree, most, interrupt)
            and tree_reserve(&member.told, most, interrupt))


cdef inline bint all_have_sent(const Members* members, int64_t letters) noexcept nogil:
    cdef int i
    for i in range(members.size):
        if acquire(&members.each[i].sent) < letters:
            return False
    return True


cdef inline Advance receive(
    const Members* members, Member* member, const Interrupt* interrupt
) noexcept nogil:
    """Add what the others have told at the last meeting."""
    cdef int i
    if not all_have_sent(members, member.sent):
        return ADVANCE_BLOCKED
    if not reserve_for_letters(members, member, interrupt):
        return ADVANCE_LEFT
    for i in range(members.size):
        if &members.each[i] != member:
            read_letter(member, &members.each[i].letters[member.read & 1])
    member.read += 1
    return ADVANCE_DONE


cdef inline Advance meet(
    const Members* members, Member* member, const Interrupt* interrupt
) noexcept nogil:
    """Read letters and write one; the next call goes on where this one was interrupted."""
    cdef Advance came = ADVANCE_DONE
    if member.read < member.sent:
        came = receive(members, member, interrupt)
    if came != ADVANCE_DONE:
        return came
    if not send(member, interrupt):
        return ADVANCE_LEFT
    member.meeting = member.run.iterations + round_after(member.run.iterations)
    member.milestones.step = step_after(member.run.iterations)
    return ADVANCE_DONE


# ---- growing -----------------------------------------------------------------------------

cdef inline bint hold(Member* member) noexcept nogil:
    """Whether this thread may grow the tree now; then it has to `release` it."""
    return acquire(&member.held) == 0 and exchange(&member.held, 1) == 0


cdef inline void release(Member* member) noexcept nogil:
    publish(&member.held, 0)


cdef inline void go(Member* member) noexcept nogil:
    """Take the tree of a member away, when no other thread grows it."""
    while not hold(member):
        pause_briefly()
    member.run = NULL
    release(member)


cdef inline Advance advance(
    const Members* members, Member* member, int64_t total, int64_t letters, Iterate iterate,
    const Interrupt* interrupt, const Interrupt* pause
) noexcept nogil:
    """Grow a tree that this thread holds to `total` iterations, or as far as to so many letters."""
    cdef SearchRun* run = member.run
    cdef Advance came
    if run.iterations == 0:
        tree_reserve(&run.tree, member.expected, interrupt)
    while run.iterations < total and member.sent < letters:
        if run.stop[0]:
            return ADVANCE_BLOCKED
        if run.iterations >= member.meeting:
            came = meet(members, member, interrupt)
            if came != ADVANCE_DONE:
                return came
            continue
        if not tree_reserve(&run.tree, SLICE, interrupt):
            return ADVANCE_LEFT
        iterate(run, min(min(total, member.meeting) - run.iterations, SLICE))
        if interrupted(pause):
            return ADVANCE_LEFT
    return ADVANCE_DONE


cdef inline Advance help_another(
    const Members* members, const Member* member, Iterate iterate, const Interrupt* interrupt,
    const Interrupt* pause
) noexcept nogil:
    """Grow another tree as far as to the letter that `member` lacks, if there is one to grow.

    `member` must be at a meeting: then no tree gets to one that its own thread would not hold.
    """
    cdef int64_t letters = acquire(&member.sent)
    cdef Member* other
    cdef Advance came
    cdef int i
    for i in range(members.size):
        other = &members.each[i]
        if acquire(&other.sent) >= letters or not hold(other):
            continue
        came = ADVANCE_BLOCKED
        if other.run != NULL:  # it has come, and is not gone
            came = advance(members, other, INT64_MAX, letters, iterate, interrupt, pause)
        release(other)
        if came != ADVANCE_BLOCKED:
            return came
    return ADVANCE_BLOCKED


cdef inline bint wait_a_moment(int64_t looks, const Interrupt* pause) noexcept nogil:
    """Between two looks at what others do; False when interrupted."""
    if looks < SPINS and not pause.stop[0]:
        pause_briefly()
    elif interrupted(pause):
        return False
    elif looks < YIELDS:
        yield_processor()
    else:
        doze()
    return True


cdef inline bint wait_for_news(
    const Members* members, Member* member, int64_t* looks, const Interrupt* pause
) noexcept nogil:
    """Until all letters are there, or it is time to think of another tree; False when interrupted.

    It only reads: this processor may be half of one, whose other half has work to do.
    """
    cdef int64_t letters = acquire(&member.sent)
    while wait_a_moment(looks[0], pause):
        looks[0] += 1
        if looks[0] % GLANCES == 0 or (
                acquire(&member.held) == 0 and all_have_sent(members, letters)):
            return True
    return False


cdef inline void grow_member(
    const Members* members, Member* member, int64_t total, Iterate iterate,
    const Interrupt* interrupt, const Interrupt* pause
) noexcept nogil:
    """Grow the tree of a member to `total` iterations, unless interrupted.

    `pause` ends growing and waiting, `interrupt` also what a longer run would only begin anew.
    """
    cdef Advance came
    cdef int64_t done = -1
    cdef int64_t looks = 0
    cdef bint lacks_letters
    while True:
        came = ADVANCE_BLOCKED
        lacks_letters = hold(member)  # or else another thread grows this tree
        if lacks_letters:
            came = advance(members, member, total, INT64_MAX, iterate, interrupt, pause)
            if member.run.iterations > done:
                done = member.run.iterations
                looks = 0
            release(member)
        if came != ADVANCE_BLOCKED:
            return
        if lacks_letters and looks >= PATIENCE:
            came = help_another(members, member, iterate, interrupt, pause)
        if came == ADVANCE_LEFT:
            return
        if came == ADVANCE_BLOCKED and not wait_for_news(members, member, &looks, pause):
            return


cdef class Team:
    cdef Members members

    cdef int enter(
        self, int number, SearchRun* run, int64_t expected, uint64_t max_nodes
    ) except -1
