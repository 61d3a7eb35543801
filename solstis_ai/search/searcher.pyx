"""One resumable search tree, and the benchmark loop: the Python side of the kernels."""

import cython
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from solstis_ai._fast.decisions cimport list_moves, options
from solstis_ai._fast.playout cimport PlayoutTotals, empty_state
from solstis_ai._fast.rng cimport mix_seed
from solstis_ai._fast.state cimport Knowledge
from solstis_ai._fast.types cimport SPIRIT_COUNT, MoveCode, Options, State
from solstis_ai.search.dispatch cimport kernels
from solstis_ai.search.evaluator cimport Evaluator
from solstis_ai.search.ismcts cimport SearchRun
from solstis_ai.search.network cimport REWARD_ONE
from solstis_ai.search.noticing cimport is_noticed, probability_of
from solstis_ai.search.team cimport SLICE, Member, Team, go, grow_member, untold_visits
from solstis_ai.search.tree cimport (
    Interrupt, ROOT_KEY, Node, child_key, find_child, find_slot, interrupted, now_ns, subtract,
    tree_free, tree_init, tree_reserve,
)

WIN_REWARD = REWARD_ONE  # of a win, in the sums of ``Searcher.statistics``
NODE_BYTES = sizeof(Node)

cdef enum:
    FIRST_NODES = 1 << 14  # most room at the start: a small tree stays in the cache, and grows


cdef int64_t deadline_after(seconds) except -1:
    """The moment on the monotonic clock; 0, which is no deadline, for negative seconds."""
    if seconds < 0:
        return 0
    return now_ns() + <int64_t>(min(seconds, 1e9) * 1e9)


cdef uint64_t key_of(path) except 0:
    """The key of a sequence of move codes."""
    cdef uint64_t key = ROOT_KEY
    for code in path:
        key = child_key(key, code)
    return key


cdef int64_t earlier(int64_t one, int64_t other) noexcept:
    """The first of two deadlines, of which 0 is none."""
    if one == 0 or other == 0:
        return one + other
    return min(one, other)


@cython.final
cdef class Searcher:
    """One search tree of one thread.

    Args:
        knowledge: What the searching seat knows; the search sees nothing else.
        seed: 0 to 2**64 - 1; with ``stream`` it determines every random number.
        stream: Number of the thread, from 0.
        exploration: Constant of UCB1, for rewards in 0..1.
        evaluator: Judges leaves; None plays them at random to the end.
        lookahead: Decisions between a leaf and its judgement.
        max_nodes: Most nodes of the tree. A full tree stays as it is: the search goes on
            and refines the statistics of the nodes that it has.
        expected: Iterations to make room for at once; more are possible.
        team: Trees that grow together; ``stream`` is the number in it, and each is given the
            same number of iterations or one less.

    Raises:
        MemoryError: If there is no memory for the tree.
        IndexError: If the team has no such member.
    """

    cdef SearchRun run_
    cdef int stop_
    cdef int64_t expected   # nodes to make room for at once
    cdef Evaluator evaluator  # keeps the evaluation of the run alive
    cdef Team team
    cdef Member* member     # in the team; NULL without one

    def __cinit__(self, Knowledge knowledge not None, seed, stream, float exploration,
                  Evaluator evaluator, lookahead, max_nodes, expected, Team team=None):
        cdef Options found
        memset(&self.run_, 0, sizeof(self.run_))
        self.run_.known = knowledge.information_set
        self.run_.chance.rng = mix_seed(seed, 2 + <uint64_t>stream)
        self.run_.chance.log = NULL
        self.run_.exploration = exploration
        self.run_.evaluation = NULL if evaluator is None else evaluator.evaluation
        self.run_.lookahead = lookahead
        self.evaluator = evaluator
        self.run_.stop = &self.stop_
        self.run_.parts = 1
        options(&self.run_.known.base, &found)
        self.run_.root_count = list_moves(&self.run_.known.base, &found, self.run_.root_codes)
        self.expected = min(expected, FIRST_NODES)
        if not tree_init(&self.run_.tree, SLICE, max_nodes):
            raise MemoryError("no memory for the search tree")
        if team is not None:
            team.enter(stream, &self.run_, self.expected, max_nodes)
            self.team = team
            self.member = &team.members.each[<int>stream]

    def __dealloc__(self):
        with nogil:  # giving back a large tree takes milliseconds
            if self.member != NULL:
                go(self.member)
            tree_free(&self.run_.tree)

    def run(self, iterations, seconds, total_seconds):
        """Search without the GIL; at least a few iterations, unless stopped.

        A thread that has to wait for another tree of the team grows that one meanwhile.

        Args:
            iterations: Iterations of this tree, those before this call included.
            seconds: Time after which this call returns, though not from the middle of a
                growing tree; negative for no limit. It also ends the wait for the team.
            total_seconds: Time after which the whole search ends, at once; negative for no
                limit. An interrupted growth would otherwise begin anew with every call.
        """
        cdef int64_t total = min(iterations, 1 << 62)
        cdef int64_t until = deadline_after(seconds)
        cdef Interrupt interrupt, pause
        interrupt.stop = pause.stop = &self.stop_
        interrupt.deadline = deadline_after(total_seconds)
        pause.deadline = earlier(until, interrupt.deadline)
        with nogil:
            if self.member != NULL:
                grow_member(&self.team.members, self.member, total, kernels().iterate_many,
                            &interrupt, &pause)
            else:
                self.grow(total, &interrupt, &pause)

    cdef void grow(
        self, int64_t total, const Interrupt* interrupt, const Interrupt* pause
    ) noexcept nogil:
        """Grow a tree without a team."""
        if self.run_.iterations == 0:
            tree_reserve(&self.run_.tree, self.expected, interrupt)
        while self.run_.iterations < total and not self.stop_:
            if not tree_reserve(&self.run_.tree, SLICE, interrupt):
                return
            kernels().iterate_many(&self.run_, min(total - self.run_.iterations, SLICE))
            if interrupted(pause):
                return

    def stop(self):
        """End ``run`` within an iteration; from any thread."""
        self.stop_ = 1

    @property
    def stopped(self):
        """Whether ``stop`` has been called."""
        return self.stop_ != 0

    @property
    def iterations(self):
        """Iterations done."""
        return self.run_.iterations

    @property
    def nodes(self):
        """Nodes in the tree."""
        return self.run_.tree.used

    @property
    def signature(self):
        """A hash over all nodes: two equal searches have equal signatures."""
        cdef uint64_t i, mixed, total = 0
        cdef Node* node
        for i in range(self.run_.tree.mask + 1):
            node = &self.run_.tree.nodes[i]
            mixed = node.key
            if mixed:
                mixed = child_key(mixed ^ node.visits, node.available & 0x7fff)
                total += mixed * (1 + <uint64_t>node.reward)
        return total

    @property
    def root_codes(self):
        """Move codes of the root's legal decisions."""
        return [self.run_.root_codes[i] for i in range(self.run_.root_count)]

    def noticed(self, uint64_t seed, double overlooks):
        """Indices in ``root_codes`` of the decisions that are noticed; at least one.

        Args:
            seed: 0 to 2**64 - 1; determines which ones.
            overlooks: Probability of each to go unnoticed, 0 to 1.
        """
        cdef int i, n = self.run_.root_count
        return [i for i in range(n) if is_noticed(seed, i, n, probability_of(overlooks))]

    def statistics(self):
        """One tuple for each of ``root_codes``, of the iterations done here alone.

        Returns:
            Tuples (visits, available, sum of rewards, of which a win is ``WIN_REWARD``).
        """
        cdef int i
        cdef Node node
        rows = []
        for i in range(self.run_.root_count):
            node = find_child(&self.run_.tree, ROOT_KEY, self.run_.root_codes[i])[0]
            if self.member != NULL:
                subtract(&node, &self.member.received[i])
            rows.append((node.visits, node.available, node.reward))
        return rows

    def visits_after(self, path):
        """Visits of the node that a sequence of move codes leads to; 0 when there is none.

        Those that the team has told are counted.
        """
        return find_slot(&self.run_.tree, key_of(path)).visits

    def further_visits_after(self, path, Searcher to not None):
        """Likewise, visits that another tree of the team has not been told of yet."""
        if self.member == NULL or to.team is not self.team:
            return self.visits_after(path)
        return untold_visits(self.member, key_of(path), to.member.read)


def play_games(bint fireflies, spirits, games, seed):
    """Random games from the setup to the score, without the GIL.

    Args:
        fireflies: Whether to play the expansion.
        spirits: Mask of the variant's spirits.
        games: Number of games.
        seed: 0 to 2**64 - 1.

    Returns:
        Tuple (half points of the first player, draws, stars of the first player, stars of
        the second, signature over all totals).
    """
    if not 0 <= spirits < 1 << SPIRIT_COUNT:
        raise ValueError(f"{spirits} is no set of spirits")
    cdef State empty
    cdef PlayoutTotals totals
    cdef int64_t number = games
    cdef uint64_t start = seed
    memset(&totals, 0, sizeof(totals))
    empty_state(&empty, fireflies, spirits)
    with nogil:
        kernels().play_games(&empty, number, start, &totals)
    return (totals.first_half_points, totals.draws, totals.stars[0], totals.stars[1],
            totals.signature)
