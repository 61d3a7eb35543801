"""The thin Python classes around the core: they own a struct, check, and forward.

Whatever is accepted here is safe for the unchecked rules: sets within the board, no tile in
two places, counts that add up, a decision to make in every phase but the last.
"""

import cython
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from solstis_ai._fast.bits cimport bit, count
from solstis_ai._fast.chance cimport (
    CHANCE_DECK, CHANCE_FLIP, CHANCE_SPIRIT, CHANCE_STEAL, SOURCE_DEAL, SOURCE_RANDOM,
    SOURCE_SCRIPT, random_below, refresh,
)
from solstis_ai._fast.decisions cimport apply, list_moves, option_count, options
from solstis_ai._fast.determinize cimport InformationSet, determinize, observe
from solstis_ai._fast.features cimport FEATURE_WORDS, Features, find_features
from solstis_ai._fast.geometry cimport ALL_CELLS
from solstis_ai._fast.playout cimport deal, empty_state, play_out
from solstis_ai._fast.rng cimport mix_seed
from solstis_ai._fast.scoring cimport outcome_for, score_side, stars
from solstis_ai._fast.types cimport *

_BOARDS = ("tiles", "rainbows", "hand", "known", "excluded", "spirit_squares",
           "firefly_squares", "evil_cell")


cdef enum WordLeft:
    # As in a playout, a choice and what follows it share a word, and so do play and capture.
    LEFT_NOTHING
    LEFT_CAPTURE  # the choice of a capture
    LEFT_APPLY    # what chance adds to a choice


def _fits(condition, what):
    if not condition:
        raise ValueError(f"not a state of the game: {what}")


@cython.final
cdef class ChanceFeed:
    """Where chance outcomes come from, one decision after the other.

    Made by ``random``, ``script`` or ``deal``. Events are pairs (kind, value): kind 0 deck,
    1 flip, 2 steal (value: tile number), 3 spirit (value: spirit number).
    """

    def __cinit__(self):
        memset(&self.log, 0, sizeof(self.log))
        self.chance.rng = self.chance.word = 0
        self.left = LEFT_NOTHING
        self.chance.log = &self.log

    @staticmethod
    def random(seed):
        """Outcomes from a generator with this seed (0 to 2**64 - 1)."""
        cdef ChanceFeed feed = ChanceFeed()
        feed.log.source = SOURCE_RANDOM
        feed.chance.rng = mix_seed(seed, 1)
        return feed

    @staticmethod
    def script(events):
        """Exactly these outcomes, for one decision.

        Raises:
            ValueError: If there are more events than any decision has, or one is none.
        """
        cdef ChanceFeed feed = ChanceFeed()
        if len(events) > MAX_EVENTS:
            raise ValueError(f"at most {MAX_EVENTS} chance events follow one decision")
        feed.log.source = SOURCE_SCRIPT
        feed.log.scripted = len(events)
        for i, (kind, value) in enumerate(events):
            if not (0 <= kind <= CHANCE_SPIRIT and 0 <= value < NO_TILE):
                raise ValueError(f"({kind}, {value}) is no chance event")
            feed.log.script[<int>i].kind = kind
            feed.log.script[<int>i].value = value
        return feed

    @staticmethod
    def deal(deck, under, spirits, seed):
        """A complete shuffle; thefts are random by ``seed``.

        Args:
            deck: Tile numbers of the deck, in the order of drawing.
            under: Tile number below each queue tile, by its tile number.
            spirits: Spirit numbers of the spirit deck, in the order of drawing.
            seed: 0 to 2**64 - 1.
        """
        cdef ChanceFeed feed = ChanceFeed.random(seed)
        if len(deck) > 48 or len(spirits) > SPIRIT_COUNT:
            raise ValueError("more tiles or spirits than the game has")
        feed.log.source = SOURCE_DEAL
        for i, tile in enumerate(reversed(deck)):
            feed.log.deck[<int>i] = _tile_number(tile)
        for above, below in under.items():
            feed.log.under[<int>_tile_number(above)] = _tile_number(below)
        for i, spirit in enumerate(reversed(spirits)):
            if not 0 <= spirit < SPIRIT_COUNT:
                raise ValueError(f"{spirit} is no spirit number")
            feed.log.spirits[<int>i] = spirit
        return feed

    def copy(self):
        """A feed that will give the same outcomes from here on."""
        cdef ChanceFeed other = ChanceFeed()
        other.chance.rng = self.chance.rng
        other.chance.word = self.chance.word
        other.left = self.left
        other.log = self.log
        return other

    def below(self, n):
        """A random number in 0..n-1 from the generator of this feed."""
        if not 0 < n < 1 << 32:
            raise ValueError(f"{n} is not in 1..2**32 - 1")
        if self.left != LEFT_CAPTURE:
            refresh(&self.chance)
        self.left = LEFT_APPLY
        return random_below(&self.chance, n)

    cdef void begin_unlogged(self) noexcept:
        self.chance.log = NULL

    cdef void end_unlogged(self) noexcept:
        self.chance.log = &self.log
        self.left = LEFT_NOTHING

    cdef void begin(self) noexcept:
        self.log.count = 0
        self.log.failed = False

    @property
    def events(self):
        """Events of the latest decision, in order."""
        cdef int i
        return tuple((self.log.events[i].kind, self.log.events[i].value)
                     for i in range(self.log.count))

    @property
    def failure(self):
        """None, or (index, kind that was due) where the script did not fit.

        The kind is -1 when the script goes on after the last event.
        """
        if self.log.failed:
            return self.log.count, self.log.wanted
        if self.log.source == SOURCE_SCRIPT and self.log.count < self.log.scripted:
            return self.log.count, -1
        return None


def _tile_number(tile):
    if not (0 <= tile < 64 and (ALL_CELLS >> <int>tile) & 1):
        raise ValueError(f"{tile} is no tile number")
    return tile


@cython.final
cdef class GameState:
    """One full state under lazy chance: hands are set, deck and queue bottoms are one pool.

    Boards are integers (bit layout in types.pxd), spirits bit masks.
    """

    @staticmethod
    def empty(bint fireflies, spirits):
        """Nothing dealt yet; ``spirits`` is the mask of the variant's spirits."""
        if not 0 <= spirits < 1 << SPIRIT_COUNT:
            raise ValueError(f"{spirits} is no set of spirits")
        cdef GameState made = GameState()
        empty_state(&made.state, fireflies, spirits)
        return made

    def deal(self, ChanceFeed feed not None):
        """Deal queue and hands at random (R6); only on an empty state."""
        if self.state.pool != ALL_CELLS:
            raise ValueError("the tiles are dealt already")
        feed.begin_unlogged()
        deal(&self.state, &feed.chance)
        feed.end_unlogged()

    @staticmethod
    def from_fields(fields):
        """The state with these fields, as ``fields()`` gives them.

        Raises:
            ValueError: If they are no state of the game, so far as safety needs it.
        """
        cdef GameState made = GameState()
        cdef State* s = &made.state
        empty_state(s, fields["fireflies"], 0)
        for i in range(2):
            side = fields["sides"][i]
            s.side[<int>i].tiles = side["tiles"]
            s.side[<int>i].rainbows = side["rainbows"]
            s.side[<int>i].hand = side["hand"]
            s.side[<int>i].known = side["known"]
            s.side[<int>i].excluded = side["excluded"]
            s.side[<int>i].spirit_squares = side["spirit_squares"]
            s.side[<int>i].firefly_squares = side["firefly_squares"]
            s.side[<int>i].evil_cell = side["evil_cell"]
            s.spirits[<int>i] = side["spirits"]
        s.pool = fields["pool"]
        s.queue = fields["queue"]
        s.covering = fields["covering"]
        s.filled = fields["filled"]
        s.spirit_deck = fields["spirit_deck"]
        s.line = fields["line"]
        s.drawn = fields["drawn"]
        s.phase = fields["phase"]
        s.mover = fields["mover"]
        s.deck_size = fields["deck_size"]
        s.supply = fields["supply"]
        s.pending = fields["pending"]
        s.active = fields["active"]
        s.played = fields["played"]
        s.met = fields["met"]
        s.forced = fields["forced"]
        s.passes = fields["passes"]
        s.evil = fields["evil"]
        s.covered = fields["covered"]
        for spirit, square in fields["square_of"].items():
            _fits(0 <= spirit < SPIRIT_COUNT, "spirit with a square")
            s.square_of[<int>spirit] = square
        made._check()
        return made

    def _check(self):
        self._check_ranges()
        self._check_tiles()
        self._check_spirits()
        cdef Options found
        options(&self.state, &found)
        over = self.state.phase == PHASE_OVER
        _fits(over or (found.targets and option_count(&found)), "nothing to decide")

    def _check_ranges(self):
        cdef State* s = &self.state
        _fits(s.phase <= PHASE_OVER, "phase")
        _fits(s.mover <= 1 and s.passes <= 2, "mover or passes")
        _fits(s.met <= NO_SPIRIT and s.covered <= NO_SPIRIT and s.evil <= EVIL_OUT, "spirits")
        _fits(s.active <= 63 and s.played <= 63 and s.forced <= 63, "tile numbers")
        _fits((s.active != NO_TILE) == (s.phase == PHASE_CAPTURE), "active tile")
        placing = s.phase == PHASE_RAINBOW or s.phase == PHASE_FINAL_RAINBOW
        _fits((s.pending > 0) == placing, "rainbows to place")
        rainbows = count(s.side[0].rainbows) + count(s.side[1].rainbows) + s.supply + s.pending
        _fits(rainbows == RAINBOW_SUPPLY, "rainbows")
        _fits(max(s.square_of[i] for i in range(SPIRIT_COUNT)) < 64, "squares")

    def _check_tiles(self):
        cdef State* s = &self.state
        cdef Board active = 0 if s.active == NO_TILE else bit(s.active)
        places = [s.pool, s.queue, active, s.side[0].tiles, s.side[0].hand, s.side[1].tiles,
                  s.side[1].hand]
        seen = 0
        for place in places:
            _fits(not place & seen, "a tile in two places")
            seen |= place
        _fits(not seen & ~ALL_CELLS, "a tile that does not exist")
        _fits(not s.covering & ~s.queue, "covering tiles outside the queue")
        _fits(count(s.pool) == s.deck_size + count(s.covering), "number of unseen tiles")
        for i in range(2):
            side = &s.side[<int>i]
            _fits(not (side.rainbows | side.evil_cell) & (side.tiles | ~ALL_CELLS), "cells")
            _fits(not side.rainbows & side.evil_cell, "a rainbow on the evil spirit")
        if s.forced != NO_TILE:
            side = &s.side[s.mover if s.phase == PHASE_PLAY else 1 - s.mover]
            _fits(side.hand & bit(s.forced), "forced tile")

    def _check_spirits(self):
        cdef State* s = &self.state
        seen = 0
        for mask in (s.spirits[0], s.spirits[1], s.spirit_deck, s.line, s.drawn):
            _fits(not mask & seen and mask < bit(SPIRIT_COUNT), "a spirit in two places")
            seen |= mask

    def fields(self):
        """All fields as plain integers; the inverse of ``from_fields``."""
        cdef State* s = &self.state
        sides = [
            {
                "tiles": s.side[i].tiles,
                "rainbows": s.side[i].rainbows,
                "hand": s.side[i].hand,
                "known": s.side[i].known & s.side[i].hand,
                "excluded": s.side[i].excluded,
                "spirit_squares": s.side[i].spirit_squares,
                "firefly_squares": s.side[i].firefly_squares,
                "evil_cell": s.side[i].evil_cell,
                "spirits": s.spirits[i],
            }
            for i in range(2)
        ]
        capturing = s.phase == PHASE_CAPTURE
        met = s.spirits[0] | s.spirits[1]
        return {
            "fireflies": bool(s.fireflies),
            "sides": sides,
            "pool": s.pool,
            "queue": s.queue,
            "covering": s.covering,
            "filled": s.filled,
            "spirit_deck": s.spirit_deck,
            "line": s.line,
            "drawn": s.drawn,
            "phase": s.phase,
            "mover": s.mover,
            "deck_size": s.deck_size,
            "supply": s.supply,
            "pending": s.pending,
            "active": s.active,
            "played": s.played if capturing else NO_TILE,
            "met": s.met,
            "forced": s.forced,
            "passes": s.passes,
            "evil": s.evil,
            "covered": s.covered,
            "square_of": {i: s.square_of[i] for i in range(SPIRIT_COUNT) if (met >> i) & 1},
        }

    def copy(self):
        """An independent copy."""
        cdef GameState other = GameState()
        other.state = self.state
        return other

    @property
    def phase(self):
        """Number of the phase (types.pxd)."""
        return self.state.phase

    @property
    def mover(self):
        """The side that decides, 0 or 1."""
        return self.state.mover

    def legal_codes(self):
        """Move codes of all legal decisions, in a fixed order; empty when the game is over."""
        cdef Options found
        cdef MoveCode[MAX_LEGAL] codes
        options(&self.state, &found)
        cdef int n = list_moves(&self.state, &found, codes)
        return [codes[i] for i in range(n)]

    def legal_count(self):
        """Number of legal decisions."""
        cdef Options found
        options(&self.state, &found)
        return option_count(&found)

    def apply(self, code, ChanceFeed feed not None):
        """Perform a decision and what chance adds to it; on an error nothing changes.

        Raises:
            ValueError: If the code is not legal, or a script does not fit.
        """
        if code not in self.legal_codes():
            raise ValueError("not a legal move")
        cdef State after = self.state
        feed.begin()
        if feed.left == LEFT_NOTHING:
            refresh(&feed.chance)
        apply(&after, code, &feed.chance)
        if feed.failure is not None:
            raise ValueError("the chance events do not fit")
        self.state = after
        feed.left = LEFT_CAPTURE if after.phase == PHASE_CAPTURE else LEFT_NOTHING

    def known_to_mover(self):
        """What the side that decides knows (rules, section 9), as side 0 of it."""
        cdef InformationSet known
        cdef GameState base = GameState()
        observe(&self.state, &known)
        base.state = known.base
        return Knowledge(base.fields(), known.hidden, known.candidates)

    def features(self):
        """Numbers of the features of ``features.pxd`` that are present, in ascending order."""
        cdef Features found
        if self.state.phase == PHASE_OVER:
            raise ValueError("nobody decides any more")
        find_features(&self.state, &found)
        cdef int word, place
        return [64 * word + place for word in range(<int>FEATURE_WORDS) for place in range(64)
                if (found.words[word] >> place) & 1]

    def play_out(self, ChanceFeed feed not None):
        """Play uniformly random decisions to the end of the game."""
        feed.begin_unlogged()
        play_out(&self.state, &feed.chance)
        feed.end_unlogged()

    def score(self, int side):
        """Parts of R24 for side 0 or 1.

        Returns:
            Tuple (total, area, fires, spirits, bonus by blue spirit (9), fireflies).
        """
        if side not in (0, 1):
            raise ValueError("side is 0 or 1")
        cdef Score score
        score_side(&self.state, side, &score)
        return (score.total, score.area, score.fires, score.spirits,
                tuple(score.bonus[i] for i in range(9)), score.fireflies)

    def half_points(self):
        """2 when side 0 has won, 1 for a draw, 0 when side 1 has won (R24, R25)."""
        return outcome_for(&self.state, 0, stars(&self.state, 0), stars(&self.state, 1))


@cython.final
cdef class Knowledge:
    """What side 0 knows, ready for sampling: the information set of a search.

    Args:
        base: State as side 0 sees it. The hand of side 1 holds the known tiles alone; the
            pool holds all unseen tiles, and so exceeds deck and queue bottoms by the hidden
            tiles of that hand.
        hidden: Number of those.
        candidates: Unseen tiles that may be among them.
    """

    def __cinit__(self, fields, hidden, candidates):
        pool = fields["pool"]
        _fits(not candidates & ~pool, "candidates that are not unseen")
        _fits(0 <= hidden <= candidates.bit_count(), "number of hidden tiles")
        # One possible world passes the checks of a full state; then all of them do.
        world = dict(fields, sides=[fields["sides"][0], dict(fields["sides"][1])])
        hand = _lowest_members(candidates, hidden)
        world["sides"][1]["hand"] |= hand
        world["pool"] = pool ^ hand
        self.information_set.base = (<GameState?>GameState.from_fields(world)).state
        self.information_set.base.side[1].hand ^= <Board>hand
        self.information_set.base.pool = pool
        self.information_set.candidates = candidates
        self.information_set.hidden = hidden

    def legal_codes(self):
        """Move codes of all legal decisions of the observer; the same in every world."""
        cdef Options found
        cdef MoveCode[MAX_LEGAL] codes
        options(&self.information_set.base, &found)
        cdef int n = list_moves(&self.information_set.base, &found, codes)
        return [codes[i] for i in range(n)]

    def legal_count(self):
        """Number of legal decisions."""
        cdef Options found
        options(&self.information_set.base, &found)
        return option_count(&found)

    def sample(self, ChanceFeed feed not None):
        """A uniformly random full state of the information set."""
        cdef GameState world = GameState()
        feed.begin_unlogged()
        determinize(&self.information_set, &world.state, &feed.chance)
        feed.end_unlogged()
        return world


def _lowest_members(set_, size):
    members = 0
    for _ in range(size):
        members |= (set_ & -set_)
        set_ &= set_ - 1
    return members
