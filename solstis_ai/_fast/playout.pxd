"""Uniformly random play to the end of the game.

The loop follows the usual course of a turn (play, capture) without a dispatch on the phase.
Every decision is member number `random_below(option_count)` of `list_moves`; a capture goes
on with the random bits of the play before it in the same turn, every other decision draws
new ones.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from solstis_ai._fast.bits cimport count, nth_bit, number, often, rare
from solstis_ai._fast.chance cimport Chance, random_below, random_member, refresh
from solstis_ai._fast.decisions cimport meet_options, options
from solstis_ai._fast.geometry cimport ALL_CELLS
from solstis_ai._fast.rng cimport mix_seed
from solstis_ai._fast.rules cimport (
    add_tile, capture_tile, cover_spirit, draw_spirits, force_tile, matched, meet_spirit,
    pass_turn, place_evil_spirit, place_rainbow, play_tile, playable, take_tile,
)
from solstis_ai._fast.scoring cimport outcome_for, stars
from solstis_ai._fast.types cimport *

cdef struct PlayoutTotals:
    # Sums over a batch of games; "first" is the player who begins.
    int64_t games
    int64_t first_half_points  # 2 for a win, 1 for a draw
    int64_t draws
    int64_t stars[2]           # by player; summed over all games
    uint64_t signature         # hash over the totals of all games, in order


cdef inline void random_meeting(State* s, Chance* chance) noexcept nogil:
    cdef Options found
    cdef int squares, choice
    refresh(chance)
    found.may_draw = False
    meet_options(s, &found)
    squares = count(found.targets)
    choice = random_below(chance, squares * count(found.spirits) + found.may_draw)
    choice -= found.may_draw
    if choice < 0:
        draw_spirits(s, chance)
        return
    meet_spirit(
        s,
        number(nth_bit(found.spirits, choice // squares)),
        number(nth_bit(found.targets, choice % squares)),
        chance,
    )


cdef inline void random_target(State* s, Chance* chance) noexcept nogil:
    """A random decision of any phase but play, capture and meeting."""
    cdef Options found
    cdef Board target
    refresh(chance)
    options(s, &found)
    target = random_member(found.targets, chance)
    if found.kind == KIND_RAINBOW:
        place_rainbow(s, target, chance)
    elif found.kind == KIND_ADD:
        add_tile(s, target, chance)
    elif found.kind == KIND_TAKE:
        take_tile(s, target, chance)
    elif found.kind == KIND_FORCE:
        force_tile(s, number(target), chance)
    elif found.kind == KIND_EVIL:
        place_evil_spirit(s, target, chance)
    else:
        cover_spirit(s, number(target))


cdef inline void random_play(State* s, Chance* chance) noexcept nogil:
    cdef Board tiles = playable(s)
    refresh(chance)
    if often(tiles != 0):
        play_tile(s, random_member(tiles, chance), chance)
    else:
        pass_turn(s)


cdef inline void random_capture(State* s, Chance* chance) noexcept nogil:
    capture_tile(s, random_member(matched(s, s.active), chance), chance)


cdef inline void play_out(State* s, Chance* chance) noexcept nogil:
    """Play uniformly random decisions until PHASE_OVER."""
    if s.phase == PHASE_CAPTURE:
        refresh(chance)
    while True:
        if s.phase == PHASE_PLAY:
            random_play(s, chance)
        if s.phase == PHASE_CAPTURE:
            random_capture(s, chance)
        if often(s.phase == PHASE_PLAY):
            continue
        if s.phase == PHASE_MEET or s.phase == PHASE_MEET_DRAWN:
            random_meeting(s, chance)
        elif s.phase == PHASE_OVER:
            return
        else:
            random_target(s, chance)


# ---- dealing -----------------------------------------------------------------------------

cdef inline void empty_state(State* s, bint fireflies, uint32_t spirits) noexcept nogil:
    """Everything still in the box; `spirits` are those of the variant (R4, R5)."""
    cdef int i
    for i in range(2):
        s.side[i].tiles = s.side[i].rainbows = s.side[i].hand = 0
        s.side[i].known = s.side[i].excluded = s.side[i].evil_cell = 0
        s.side[i].spirit_squares = s.side[i].firefly_squares = 0
        s.spirits[i] = 0
    s.pool = ALL_CELLS
    s.queue = s.covering = s.filled = 0
    s.spirit_deck = spirits
    s.line = s.drawn = 0
    s.phase = PHASE_PLAY
    s.mover = s.deck_size = s.pending = s.passes = 0
    s.supply = RAINBOW_SUPPLY
    s.active = s.played = s.forced = NO_TILE
    s.met = s.covered = NO_SPIRIT
    s.evil = EVIL_HIDDEN
    s.fireflies = fireflies
    for i in range(SPIRIT_COUNT):
        s.square_of[i] = 0


cdef inline Board random_subset(Board set_, int size, Chance* chance) noexcept nogil:
    """`size` different members of a set that has at least so many."""
    cdef Board rest = set_
    refresh(chance)
    while size > 0:
        rest ^= random_member(rest, chance)
        size -= 1
    return set_ ^ rest


cdef inline void deal(State* s, Chance* chance) noexcept nogil:
    """A random setup out of `empty_state` (R6)."""
    s.queue = s.covering = random_subset(s.pool, 6, chance)
    s.pool ^= s.queue
    s.side[0].hand = random_subset(s.pool, 3, chance)
    s.pool ^= s.side[0].hand
    s.side[1].hand = random_subset(s.pool, 3, chance)
    s.pool ^= s.side[1].hand
    s.deck_size = 30


cdef inline void add_game(PlayoutTotals* totals, const State* s) noexcept nogil:
    cdef int first = stars(s, 0)
    cdef int second = stars(s, 1)
    cdef int half_points = outcome_for(s, 0, first, second)
    totals.games += 1
    totals.first_half_points += half_points
    totals.draws += half_points == 1
    totals.stars[0] += first
    totals.stars[1] += second
    totals.signature = (totals.signature ^ <uint64_t>(first << 16 | second << 8 | half_points)) \
        * <uint64_t>0x9E3779B97F4A7C15
    totals.signature ^= totals.signature >> 29


cdef inline void play_games(
    const State* empty, int64_t games, uint64_t seed, PlayoutTotals* totals
) noexcept nogil:
    """Add `games` random games from `empty` to `totals`; a function of its arguments only."""
    cdef State s
    cdef Chance chance
    chance.rng = mix_seed(seed, 0)
    chance.log = NULL
    while games > 0:
        s = empty[0]
        deal(&s, &chance)
        play_out(&s, &chance)
        add_game(totals, &s)
        games -= 1
