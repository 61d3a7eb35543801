"""Games of the search against itself, a whole one without the GIL: for training and matches.

The players are fair: each decision is searched from what its side knows (`observe`).
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from solstis_ai._fast.chance cimport Chance, refresh
from solstis_ai._fast.decisions cimport apply, code_kind, list_moves, options
from solstis_ai._fast.determinize cimport observe
from solstis_ai._fast.features cimport Features, find_features
from solstis_ai._fast.policy cimport (
    OptionFacts, Surroundings, facts_of, panorama_of, survey,
)
from solstis_ai._fast.rng cimport mix_seed
from solstis_ai._fast.scoring cimport outcome_for, stars
from solstis_ai._fast.types cimport MAX_LEGAL, PHASE_OVER, MoveCode, Options, State
from solstis_ai.search.ismcts cimport SearchRun, iterate_many
from solstis_ai.search.leaf cimport Evaluation
from solstis_ai.search.network cimport REWARD_ONE
from solstis_ai.search.noticing cimport is_noticed
from solstis_ai.search.tree cimport ROOT_KEY, Node, child_key, find_slot, tree_clear

cdef struct Style:
    # How one side plays.
    const Evaluation* evaluation
    int lookahead
    int64_t iterations
    float exploration
    uint32_t slips         # of 65536 decisions, so many are random
    uint32_t overlooks     # of ALWAYS legal decisions, so many go unnoticed

cdef struct Sample:
    # A position in which somebody decided, told from that side.
    Features features
    float value            # share of points that its search expected
    float result           # points in the end: 1, 0.5, 0
    int side
    int slipped            # whether a random decision was taken

cdef struct OptionSample:
    # One option of a decision, and how often its search chose it.
    int decision           # number of the sample
    OptionFacts facts
    float share            # of all visits

cdef struct SelfPlay:
    State state
    Style styles[2]        # by side
    uint64_t seed
    uint64_t moved         # decisions so far
    SearchRun run
    Sample* samples        # room for `capacity`; NULL: nothing is kept
    int64_t capacity
    int64_t kept
    OptionSample* option_samples
    int64_t option_capacity
    int64_t options_kept
    Chance chance


cdef inline const Node* root_child(const SearchRun* run, int index) noexcept nogil:
    return find_slot(&run.tree, child_key(ROOT_KEY, run.root_codes[index]))


cdef inline bint is_better(const Node* child, const Node* best) noexcept nogil:
    """Whether a child has more visits, or as many and a better share of wins."""
    if child.visits != best.visits:
        return child.visits > best.visits
    return child.reward > best.reward


cdef inline int most_visited(const SelfPlay* game, const Style* style) noexcept nogil:
    """Index of the root move with most visits of those that are noticed."""
    cdef uint64_t seed = mix_seed(game.seed, 2_000_000 + game.moved)
    cdef const Node* child
    cdef const Node* best_child = NULL
    cdef int i, best = 0
    for i in range(game.run.root_count):
        if not is_noticed(seed, i, game.run.root_count, style.overlooks):
            continue
        child = root_child(&game.run, i)
        if best_child == NULL or is_better(child, best_child):
            best_child = child
            best = i
    return best


cdef inline void search_root(SelfPlay* game, const Style* style) noexcept nogil:
    cdef SearchRun* run = &game.run
    tree_clear(&run.tree)
    observe(&game.state, &run.known)
    run.evaluation = style.evaluation
    run.lookahead = style.lookahead
    run.exploration = style.exploration
    run.iterations = 0
    run.chance.rng = mix_seed(game.seed, 1000 + game.moved)
    run.chance.log = NULL
    # the observer is side 0 of its own information set
    cdef Options found
    options(&run.known.base, &found)
    run.root_count = list_moves(&run.known.base, &found, run.root_codes)
    iterate_many(run, style.iterations)


cdef inline void keep_sample(SelfPlay* game, const Node* chosen, bint slipped) noexcept nogil:
    cdef Sample* sample
    if game.kept >= game.capacity:
        return
    sample = &game.samples[game.kept]
    find_features(&game.state, &sample.features)
    sample.value = <float>0.5
    if chosen.visits:  # all that were visited may have been overlooked
        sample.value = <float>(<double>chosen.reward / REWARD_ONE / chosen.visits)
    sample.side = game.state.mover
    sample.slipped = slipped
    game.kept += 1


cdef inline void keep_options(SelfPlay* game) noexcept nogil:
    cdef const SearchRun* run = &game.run
    cdef const State* s = &run.known.base
    cdef Surroundings view
    cdef OptionSample* sample
    cdef const Node* child
    cdef int i
    if game.options_kept + run.root_count > game.option_capacity:
        return
    survey(s, panorama_of(s, code_kind(run.root_codes[run.root_count - 1])), &view)
    for i in range(run.root_count):
        child = root_child(run, i)
        sample = &game.option_samples[game.options_kept]
        game.options_kept += 1
        sample.decision = <int>game.kept
        sample.facts = facts_of(s, &view, run.root_codes[i])
        sample.share = <float>child.visits / <float>run.iterations


cdef inline int decide(SelfPlay* game, int n) noexcept nogil:
    """Index of the decision that is taken."""
    cdef const Style* style = &game.styles[game.state.mover]
    cdef uint64_t random = mix_seed(game.seed, 500_000 + game.moved)
    cdef bint slipped = (random & 0xffff) < style.slips
    cdef int best
    if style.iterations == 0:
        return <int>((random >> 20) % n)
    search_root(game, style)
    best = most_visited(game, style)
    if game.samples != NULL:
        keep_options(game)
        keep_sample(game, root_child(&game.run, best), slipped)
    return <int>((random >> 20) % n) if slipped else best


cdef inline void keep_results(SelfPlay* game, int64_t first) noexcept nogil:
    cdef int half_points = outcome_for(
        &game.state, 0, stars(&game.state, 0), stars(&game.state, 1))
    cdef int64_t i
    for i in range(first, game.kept):
        game.samples[i].result = <float>0.5 * (
            2 - half_points if game.samples[i].side else half_points)


cdef inline void play_match_game(SelfPlay* game) noexcept nogil:
    """From the dealt `state` to the end."""
    cdef MoveCode codes[MAX_LEGAL]
    cdef Options found
    cdef int n, index
    cdef int64_t first = game.kept
    game.moved = 0
    while game.state.phase != PHASE_OVER:
        options(&game.state, &found)
        n = list_moves(&game.state, &found, codes)
        index = decide(game, n) if n > 1 else 0
        refresh(&game.chance)
        game.chance.log.count = 0
        apply(&game.state, codes[index], &game.chance)
        game.moved += 1
    keep_results(game, first)
