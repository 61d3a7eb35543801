"""Chance as an argument: one code for random, scripted and dealt outcomes.

`log == NULL` is the fast path of search and playouts: outcomes come from `rng` and nothing
is written down. With a log, outcomes come from where `log.source` says, and each is
recorded in the order of rules section 10.
"""

from libc.stdint cimport uint8_t, uint64_t

from solstis_ai._fast.bits cimport bit, count, nth_bit, number, rare
from solstis_ai._fast.rng cimport next_random, take_below
from solstis_ai._fast.types cimport MAX_EVENTS, NO_TILE, SPIRIT_COUNT, Board, Side, State

cdef enum ChanceKind:
    CHANCE_DECK
    CHANCE_FLIP
    CHANCE_STEAL
    CHANCE_SPIRIT

cdef enum ChanceSource:
    SOURCE_RANDOM  # from the generator, recorded
    SOURCE_SCRIPT  # from `script`, which must name a possible outcome of the right kind
    SOURCE_DEAL    # from a complete shuffle: `deck`, `under`, `spirits`; from the generator
                   # thefts, and what scripted decisions before have taken out of the shuffle
    SOURCE_ENUMERATE  # the member with number `choices[i]` for event i (outcomes.pxd)

cdef struct Event:
    uint8_t kind
    uint8_t value  # tile number, or spirit

cdef struct ChanceLog:
    uint8_t source
    uint8_t failed         # SOURCE_SCRIPT: the event at `count` was not possible or missing
    uint8_t wanted         # SOURCE_SCRIPT: the ChanceKind that was due when it failed
    uint8_t count
    uint8_t scripted
    Event events[MAX_EVENTS]
    Event script[MAX_EVENTS]
    uint8_t deck[48]       # SOURCE_DEAL: tile numbers, the last is the first drawn
    uint8_t under[64]      # SOURCE_DEAL: tile number below each tile of the first queue
    uint8_t spirits[SPIRIT_COUNT]  # SOURCE_DEAL: the last is the first drawn
    uint8_t choices[MAX_EVENTS]    # SOURCE_ENUMERATE: which member of each event's set
    uint8_t sizes[MAX_EVENTS]      # SOURCE_ENUMERATE: how many members it has, written down

cdef struct Chance:
    uint64_t rng
    uint64_t word          # what `refresh` drew and `random_below` has not used up
    ChanceLog* log


cdef inline void refresh(Chance* chance) noexcept nogil:
    """Draw 64 random bits, for a turn's play and capture or any other decision.

    With all chance events that follow they use up 10 to 20 bits, at most about 45.
    """
    chance.word = next_random(&chance.rng)


cdef inline unsigned random_below(Chance* chance, unsigned n) noexcept nogil:
    """Uniform in 0..n-1, out of the bits that `refresh` drew."""
    return take_below(&chance.word, n)


cdef inline Board random_member(Board set_, Chance* chance) noexcept nogil:
    """A uniformly random member of a set that is not empty."""
    return nth_bit(set_, random_below(chance, count(set_)))


cdef inline int scripted_value(ChanceLog* log, int kind) noexcept nogil:
    if log.count < log.scripted and log.script[log.count].kind == kind:
        return log.script[log.count].value
    return NO_TILE


cdef inline int dealt_value(const State* s, ChanceLog* log, int kind, int cause) noexcept nogil:
    if kind == CHANCE_DECK:
        return log.deck[s.deck_size - 1]
    if kind == CHANCE_FLIP:
        return log.under[cause]
    if kind == CHANCE_SPIRIT:
        return log.spirits[count(s.spirit_deck) - 1]
    return NO_TILE


cdef inline Board recorded_member(
    const State* s, Board set_, Chance* chance, int kind, int cause
) noexcept nogil:
    """The slow path of `outcome`: choose by the source of the log, and write it down."""
    cdef ChanceLog* log = chance.log
    cdef int value = NO_TILE
    if log.source == SOURCE_SCRIPT:
        value = scripted_value(log, kind)
        if value == NO_TILE or not set_ & bit(value):
            if not log.failed:
                log.failed = True
                log.wanted = kind
            value = number(set_)
    elif log.source == SOURCE_DEAL:
        value = dealt_value(s, log, kind, cause)
        if not set_ & bit(value):
            value = NO_TILE
    elif log.source == SOURCE_ENUMERATE:
        log.sizes[log.count] = count(set_)
        value = number(nth_bit(set_, log.choices[log.count]))
    if value == NO_TILE:
        value = number(random_member(set_, chance))
    if not log.failed and log.count < MAX_EVENTS:
        log.events[log.count].kind = kind
        log.events[log.count].value = value
        log.count += 1
    return bit(value)


cdef inline Board outcome(
    const State* s, Board set_, Chance* chance, int kind, int cause
) noexcept nogil:
    """One member of `set_` (not empty), the outcome of a chance event of `kind`.

    `cause` is the number of the captured tile for a flip, else ignored.
    """
    if rare(chance.log != NULL):
        return recorded_member(s, set_, chance, kind, cause)
    return random_member(set_, chance)


cdef inline Board draw_tile(State* s, Chance* chance) noexcept nogil:
    """Draw from the deck, which must not be empty."""
    cdef Board tile = outcome(s, s.pool, chance, CHANCE_DECK, 0)
    s.pool ^= tile
    s.deck_size -= 1
    return tile


cdef inline void uncover(State* s, Board captured, Chance* chance) noexcept nogil:
    """Take a tile out of the queue and turn up the face-down tile below it, if any (R8)."""
    cdef Board tile
    s.queue ^= captured
    if s.covering & captured:
        s.covering ^= captured
        tile = outcome(s, s.pool, chance, CHANCE_FLIP, number(captured))
        s.pool ^= tile
        s.queue |= tile


cdef inline Board steal_tile(State* s, Side* victim, Chance* chance) noexcept nogil:
    """A random tile of a hand that is not empty (R17 fly)."""
    cdef Board tile = outcome(s, victim.hand, chance, CHANCE_STEAL, 0)
    victim.hand ^= tile
    return tile


cdef inline int draw_spirit(State* s, Chance* chance) noexcept nogil:
    """Draw from the spirit deck, which must not be empty."""
    cdef Board spirit = outcome(s, s.spirit_deck, chance, CHANCE_SPIRIT, 0)
    s.spirit_deck ^= <unsigned int>spirit
    return number(spirit)
