"""Games of the search against itself, for training and for matches of many short games."""

import cython
import numpy as np
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from solstis_ai._fast.features cimport FEATURE_WORDS
from solstis_ai._fast.state cimport ChanceFeed, GameState
from solstis_ai._fast.scoring cimport outcome_for, stars
from solstis_ai._fast.rng cimport mix_seed
from solstis_ai.search.dispatch cimport kernels
from solstis_ai.search.evaluator cimport Evaluator
from solstis_ai.search.match_game cimport OptionSample, Sample, SelfPlay, Style
from solstis_ai.search.noticing cimport probability_of
from solstis_ai.search.tree cimport tree_free, tree_init

cdef enum:
    MOST_SAMPLES = 4096
    MOST_DECISIONS = 512   # far more than a game has


@cython.final
cdef class Table:
    """Where two styles of play meet; keeps the positions of the games if it is told to.

    Args:
        styles: For each of the two, a tuple (evaluator or None, lookahead, iterations,
            exploration, share of random decisions, probability that a legal decision goes
            unnoticed).
        keep: Whether positions are kept.
    """

    cdef SelfPlay* game
    cdef Style[2] styles
    cdef object evaluators
    cdef int stop_

    def __cinit__(self, styles, keep):
        self.game = <SelfPlay*>calloc(1, sizeof(SelfPlay))
        if self.game == NULL:
            raise MemoryError("no memory for a game")
        most = 64
        self.evaluators = [style[0] for style in styles]
        for i, (evaluator, lookahead, iterations, exploration, slips, overlooks) in enumerate(
                styles):
            self.styles[<int>i].evaluation = (
                NULL if evaluator is None else (<Evaluator?>evaluator).evaluation)
            self.styles[<int>i].lookahead = lookahead
            self.styles[<int>i].iterations = iterations
            self.styles[<int>i].exploration = exploration
            self.styles[<int>i].slips = round(slips * 65536)
            self.styles[<int>i].overlooks = probability_of(overlooks)
            most = max(most, iterations)
        self.game.run.stop = &self.stop_
        self.game.run.parts = 1
        if not tree_init(&self.game.run.tree, most, most):
            raise MemoryError("no memory for the search tree")
        if keep:
            self.game.capacity = MOST_SAMPLES
            self.game.samples = <Sample*>calloc(MOST_SAMPLES, sizeof(Sample))
            if self.game.samples == NULL:
                raise MemoryError("no memory for positions")
            self.game.option_capacity = 16 * MOST_SAMPLES
            self.game.option_samples = <OptionSample*>calloc(
                16 * MOST_SAMPLES, sizeof(OptionSample))
            if self.game.option_samples == NULL:
                raise MemoryError("no memory for options")

    def __dealloc__(self):
        if self.game != NULL:
            tree_free(&self.game.run.tree)
            free(self.game.samples)
            free(self.game.option_samples)
            free(self.game)

    def play(self, GameState state not None, ChanceFeed feed not None, seed, bint swapped):
        """Play from a dealt state with this chance; the first style is side 0 unless swapped.

        Returns:
            Tuple (half points, stars of the first style, stars of the second).

        Raises:
            ValueError: If so many positions are kept that another game may find no room.
        """
        cdef ChanceFeed chance = feed.copy()
        if self.game.kept > MOST_SAMPLES - MOST_DECISIONS:
            raise ValueError("take the samples before you play on: there is no room for more")
        self.game.state = state.state
        self.game.styles[0] = self.styles[swapped]
        self.game.styles[1] = self.styles[not swapped]
        self.game.seed = mix_seed(seed, swapped)
        self.game.chance = chance.chance
        self.game.chance.log = &chance.log
        with nogil:
            kernels().play_match_game(self.game)
        first = 1 if swapped else 0
        own, other = stars(&self.game.state, first), stars(&self.game.state, 1 - first)
        return outcome_for(&self.game.state, first, own, other), own, other

    def take_options(self):
        """Options of the kept positions; call it before ``take_samples``.

        Returns:
            int32 of shape (n, 5): decision, stage, kind, facts of the cell, of captures;
            and float32 (n,): share of visits.
        """
        cdef int64_t i, n = self.game.options_kept
        facts = np.empty((n, 5), dtype=np.int32)
        shares = np.empty(n, dtype=np.float32)
        cdef int[:, ::1] fact = facts
        cdef float[::1] share = shares
        for i in range(n):
            fact[i, 0] = self.game.option_samples[i].decision
            fact[i, 1] = self.game.option_samples[i].facts.stage
            fact[i, 2] = self.game.option_samples[i].facts.kind
            fact[i, 3] = self.game.option_samples[i].facts.cell
            fact[i, 4] = self.game.option_samples[i].facts.capture
            share[i] = self.game.option_samples[i].share
        self.game.options_kept = 0
        return facts, shares

    def take_samples(self):
        """The positions since the last call.

        Returns:
            Tuple (features: uint64 of shape (n, FEATURE_WORDS), values: float32 (n,),
            results: float32 (n,), sides: int8 (n,), slipped: bool (n,), whether a
            random decision was taken).
        """
        cdef int64_t i, n = self.game.kept
        features = np.empty((n, FEATURE_WORDS), dtype=np.uint64)
        values = np.empty(n, dtype=np.float32)
        results = np.empty(n, dtype=np.float32)
        sides = np.empty(n, dtype=np.int8)
        slipped = np.empty(n, dtype=np.bool_)
        cdef uint64_t[:, ::1] words = features
        cdef float[::1] value = values
        cdef float[::1] result = results
        cdef signed char[::1] side = sides
        cdef unsigned char[::1] slip = slipped.view(np.uint8)
        for i in range(n):
            memcpy(&words[i, 0], self.game.samples[i].features.words, FEATURE_WORDS * 8)
            value[i] = self.game.samples[i].value
            result[i] = self.game.samples[i].result
            side[i] = self.game.samples[i].side
            slip[i] = self.game.samples[i].slipped
        self.game.kept = 0
        return features, values, results, sides, slipped
