"""The gate to the compiled core: what it refuses, what it promises."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle.material import CELLS, SQUARES
from oracle.panorama import Panorama as OraclePanorama
from oracle.score import score_sheet
from random_games import VARIANTS, decisions
from rare_positions import rare_position

from solstis_ai import bridge
from solstis_ai._fast import ChanceFeed, GameState, Knowledge
from solstis_ai.game import Game
from solstis_ai.observation import Observation, Panorama, QueueTile, SpiritOnSquare
from solstis_ai.position import Position
from solstis_ai.search.searcher import play_games
from solstis_ai.vocabulary import Phase, Rules

Fields = dict[str, Any]

variants = pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)

BAD_INPUT = (ValueError, OverflowError, TypeError, KeyError)


def states(seed: int, rules: Rules | None = None) -> Iterator[GameState]:
    """The states of a random game."""
    for game in decisions(seed, rules):
        yield bridge.state_of_position(game.position())


def new_state(rules: Rules, seed: int) -> GameState:
    """A dealt state."""
    state = GameState.empty(rules.fireflies, bridge.spirit_mask(rules.spirits))
    state.deal(ChanceFeed.random(seed))
    return state


# ---- from_fields


@variants
def test_fields_round_trip(rules: Rules) -> None:
    for state in states(1, rules):
        assert GameState.from_fields(state.fields()).fields() == state.fields()


STATES = [state for rules in VARIANTS.values() for seed in (1, 2) for state in states(seed, rules)]

NUMBERS = (
    st.integers(0, 64)
    | st.integers(0, 2**64 - 1)
    | st.sampled_from([-1, 2**8 - 1, 2**8, 2**32 - 1, 2**64 - 1, 2**64, 10**30])
)

SIDE_KEYS = sorted(STATES[0].fields()["sides"][0])
KEYS = sorted(set(STATES[0].fields()) - {"sides", "square_of"})

MUTATIONS = (
    st.tuples(st.sampled_from(KEYS), NUMBERS)
    | st.tuples(st.tuples(st.integers(0, 1), st.sampled_from(SIDE_KEYS)), NUMBERS)
    | st.tuples(st.just("square_of"), st.dictionaries(NUMBERS, NUMBERS, max_size=3))
)


def mutated(fields: Fields, mutations: list[tuple[Any, Any]], flip: int) -> Fields:
    """Some fields replaced; or, with bit ``flip``, one bit of each changed."""
    for key, value in mutations:
        place, name = (fields, key) if isinstance(key, str) else (fields["sides"][key[0]], key[1])
        old = place[name]
        place[name] = old ^ 1 << flip if 0 <= flip < 64 and isinstance(old, int) else value
    return fields


@settings(max_examples=1000, deadline=None)
@given(
    st.integers(0, len(STATES) - 1),
    st.lists(MUTATIONS, min_size=1, max_size=3),
    st.integers(0, 127),
    st.integers(0, 2**64 - 1),
)
def test_mutated_fields_are_refused_or_safe(
    number: int, mutations: list[tuple[Any, Any]], flip: int, seed: int
) -> None:
    fields = mutated(STATES[number].fields(), mutations, flip)
    try:
        state = GameState.from_fields(fields)
    except BAD_INPUT:
        return
    assert state.phase == bridge._PHASES.index(Phase.OVER) or state.legal_count() > 0
    assert len(state.legal_codes()) == state.legal_count()
    state.play_out(ChanceFeed.random(seed))
    assert state.legal_codes() == []
    rainbows = sum(side["rainbows"].bit_count() for side in state.fields()["sides"])
    assert rainbows + state.fields()["supply"] == 12


def _with(**changes: object) -> Fields:
    return {**STATES[0].fields(), **changes}


def _with_hand(**changes: object) -> Fields:
    fields = STATES[0].fields()
    fields["sides"][0].update(changes)
    return fields


POOL = STATES[0].fields()["pool"]
PHASE = {phase: number for number, phase in enumerate(Phase)}

REFUSED: dict[str, Callable[[], Fields]] = {
    "pool of a tile less": lambda: _with(pool=POOL & (POOL - 1)),
    "pool with a tile off the board": lambda: _with(pool=POOL & (POOL - 1) | 1 << 10),
    "tile in hand and pool": lambda: _with_hand(hand=POOL & -POOL),
    "tile in panorama and pool": lambda: _with_hand(tiles=POOL & -POOL),
    "covering tiles outside the queue": lambda: _with(covering=POOL),
    "no such phase": lambda: _with(phase=12),
    "no such side": lambda: _with(mover=2),
    "capture without a tile": lambda: _with(phase=PHASE[Phase.CAPTURE]),
    "active tile without capture": lambda: _with(active=0),
    "rainbow phase without a rainbow": lambda: _with(phase=PHASE[Phase.RAINBOW]),
    "final rainbow phase without a rainbow": lambda: _with(phase=PHASE[Phase.FINAL_RAINBOW]),
    "pending rainbow in another phase": lambda: _with(pending=1, supply=11),
    "13 rainbows": lambda: _with(supply=13),
    "meeting without a square": lambda: _with(phase=PHASE[Phase.MEET]),
    "drawn spirits without a square": lambda: _with(
        phase=PHASE[Phase.MEET_DRAWN], drawn=1, spirit_deck=2
    ),
    "spirit in two places": lambda: _with(line=1),
    "spirit that does not exist": lambda: _with(line=1 << 19),
    "square of a spirit that does not exist": lambda: _with(square_of={19: 0}),
    "square of a spirit far away": lambda: _with(square_of={10**6: 0}),
    "square of a negative spirit": lambda: _with(square_of={-1: 0}),
    "square that does not exist": lambda: _with(square_of={0: 64}),
    "rainbow off the board": lambda: {**_with_hand(rainbows=1 << 10), "supply": 11},
    "rainbow on a tile": lambda: {**_with_hand(tiles=0, rainbows=1 << 62), "supply": 11},
    "forced tile of nobody": lambda: _with(forced=(POOL & -POOL).bit_length() - 1),
    "nothing to cover": lambda: _with(phase=PHASE[Phase.COVER]),
    "nothing to take": lambda: _with(phase=PHASE[Phase.TAKE]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_from_fields_refuses(name: str) -> None:
    with pytest.raises(ValueError, match="not a state of the game"):
        GameState.from_fields(REFUSED[name]())


@pytest.mark.parametrize(
    "key", [*(key for key in KEYS if key != "fireflies"), "sides", "square_of"]
)
@pytest.mark.parametrize("value", [-1, 2**65, "x", None])
def test_from_fields_refuses_wrong_values(key: str, value: object) -> None:
    with pytest.raises((*BAD_INPUT, AttributeError)):
        GameState.from_fields(_with(**{key: value}))


@pytest.mark.parametrize("key", [*KEYS, "sides", "square_of"])
def test_from_fields_needs_every_field(key: str) -> None:
    fields = STATES[0].fields()
    del fields[key]
    with pytest.raises(KeyError, match=key):
        GameState.from_fields(fields)


@pytest.mark.parametrize("spirits", [-1, 1 << 19, 2**32 - 1, 2**40])
def test_only_spirits_of_the_game_are_played_with(spirits: int) -> None:
    with pytest.raises((ValueError, OverflowError)):
        GameState.empty(False, spirits)
    with pytest.raises((ValueError, OverflowError)):
        play_games(False, spirits, 10, 1)


def test_tiles_are_dealt_once() -> None:
    state = new_state(Rules(), 1)
    with pytest.raises(ValueError, match="dealt already"):
        state.deal(ChanceFeed.random(1))


# ---- apply and score


@pytest.mark.parametrize("code", [-1, 0, 65535, 65536, 10**30, None, "play g5", 3.5])
def test_codes_that_are_not_legal_change_nothing(code: Any) -> None:
    state = new_state(Rules(), 1)
    before = state.fields()
    with pytest.raises(ValueError, match="not a legal move"):
        state.apply(code, ChanceFeed.random(1))
    assert state.fields() == before


def test_a_script_that_does_not_fit_changes_nothing() -> None:
    for state in STATES[:60]:
        for code in state.legal_codes()[:3]:
            before = state.fields()
            with pytest.raises(ValueError, match="do not fit"):
                state.apply(code, ChanceFeed.script([(2, 0)] * 16))
            assert state.fields() == before


@pytest.mark.parametrize("side", [-1, 2, 10**9])
def test_there_are_two_sides(side: int) -> None:
    with pytest.raises(ValueError, match="0 or 1"):
        STATES[0].score(side)


# ---- chance


@pytest.mark.parametrize("seed", [-1, 2**64, "x", None])
def test_seeds_are_unsigned_64_bit_numbers(seed: Any) -> None:
    with pytest.raises((OverflowError, TypeError)):
        ChanceFeed.random(seed)
    with pytest.raises((OverflowError, TypeError)):
        ChanceFeed.deal([], {}, [], seed)


@pytest.mark.parametrize(
    "events",
    [
        [(0, 0)] * 17,
        [(4, 0)],
        [(-1, 0)],
        [(0, -1)],
        [(0, 63)],
        [(0, 64)],
        [(3, 100)],
        [(0, 256)],
        [(0, 10**30)],
        [(0,)],
        [(0, 0, 0)],
        [0],
        [("deck", "g5")],
        5,
        None,
    ],
)
def test_scripts_of_what_is_no_event_are_refused(events: Any) -> None:
    with pytest.raises((ValueError, OverflowError, TypeError)):
        ChanceFeed.script(events)


@pytest.mark.parametrize(
    ("deck", "under", "spirits"),
    [
        ([0] * 49, {}, []),
        ([10], {}, []),
        ([64], {}, []),
        ([-1], {}, []),
        ([10**30], {}, []),
        (["g5"], {}, []),
        ([], {10: 0}, []),
        ([], {0: 10}, []),
        ([], {-1: 0}, []),
        ([], {0: 64}, []),
        ([], [], []),
        ([], {}, [0] * 20),
        ([], {}, [19]),
        ([], {}, [-1]),
        ([], {}, [10**30]),
        (None, {}, []),
    ],
)
def test_shuffles_of_what_is_no_tile_or_spirit_are_refused(
    deck: Any, under: Any, spirits: Any
) -> None:
    with pytest.raises((ValueError, OverflowError, TypeError, AttributeError)):
        ChanceFeed.deal(deck, under, spirits, 1)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(sorted(bridge.TILE_CODES)), max_size=48),
    st.lists(st.integers(0, 18), max_size=19),
    st.integers(0, len(STATES) - 1),
)
def test_a_shuffle_that_does_not_fit_the_state_breaks_nothing(
    deck: list[int], spirits: list[int], number: int
) -> None:
    state = STATES[number].copy()
    feed = ChanceFeed.deal(deck, {}, spirits, 1)
    before = all_tiles(state)
    while state.legal_count():
        state.apply(state.legal_codes()[0], feed)
        assert not all_tiles(state) & ~before, "a tile came back into the game"
        before = all_tiles(state)
        GameState.from_fields(state.fields())


def all_tiles(state: GameState) -> int:
    """The union of all places of tiles."""
    fields = state.fields()
    active = 1 << fields["active"] if fields["active"] != bridge.NO_TILE else 0
    found: int = fields["pool"] | fields["queue"] | active
    for side in fields["sides"]:
        found |= side["tiles"] | side["hand"]
    return found


@pytest.mark.parametrize("n", [0, -1, 2**32, 10**30])
def test_random_numbers_below_what_is_no_bound_are_refused(n: int) -> None:
    with pytest.raises(ValueError, match="is not in"):
        ChanceFeed.random(1).below(n)


# ---- playouts


@variants
def test_a_playout_is_uniform_choice_at_every_decision(rules: Rules) -> None:
    """The contract of playout.pxd: member random_below(option_count) of the legal decisions."""
    for seed in range(250):
        fast, slow = new_state(rules, seed), new_state(rules, seed)
        fast_feed, slow_feed = ChanceFeed.random(seed), ChanceFeed.random(seed)
        fast.play_out(fast_feed)
        while count := slow.legal_count():
            slow.apply(slow.legal_codes()[slow_feed.below(count)], slow_feed)
        assert fast.fields() == slow.fields()
        assert fast_feed.below(2**32 - 1) == slow_feed.below(2**32 - 1)


def test_a_playout_starts_from_any_phase() -> None:
    for seed, state in enumerate(STATES):
        fast, slow = state.copy(), state.copy()
        fast_feed, slow_feed = ChanceFeed.random(seed), ChanceFeed.random(seed)
        fast.play_out(fast_feed)
        while count := slow.legal_count():
            slow.apply(slow.legal_codes()[slow_feed.below(count)], slow_feed)
        assert fast.fields() == slow.fields()


# ---- scoring


def random_panorama(chooser: random.Random) -> Panorama:
    """Any cells, reachable or not, with spirits and fireflies on full squares."""
    cells = chooser.sample(CELLS, chooser.randint(0, len(CELLS)))
    rainbows = cells[: chooser.randint(0, min(12, len(cells)))]
    full = [it for it in SQUARES if set(SQUARES[it]) <= set(cells)]
    chooser.shuffle(full)
    spirits = chooser.sample(Rules(fireflies=True).spirits[:-1], min(len(full), 9))
    fireflies = full[len(spirits) : len(spirits) + chooser.randint(0, 3)]
    covered = chooser.randint(0, 12)
    return Panorama(
        tiles=tuple(cells[len(rainbows) :]),
        rainbows=tuple(rainbows),
        spirits=tuple(
            SpiritOnSquare(spirit, full[number], covered=number == covered)
            for number, spirit in enumerate(spirits)
        ),
        firefly_squares=tuple(fireflies),
    )


def position_over(panorama: Panorama, rules: Rules) -> Position:
    """The end of a game with this panorama of player 0; all else lies in the deck."""
    return Position(
        rules=rules,
        phase=Phase.OVER,
        player=0,
        hands=((), ()),
        deck_size=48 - len(panorama.tiles),
        queue=(),
        panoramas=(panorama, Panorama()),
        spirit_deck_size=len(rules.spirits) - len(panorama.spirits),
    )


def test_scores_of_random_panoramas_are_those_of_the_oracle() -> None:
    for seed in range(2500):
        panorama = random_panorama(random.Random(seed))
        score = Game.from_position(position_over(panorama, Rules(fireflies=True))).score(0)
        expected = score_sheet(
            OraclePanorama(
                tiles=set(panorama.tiles),
                rainbows=set(panorama.rainbows),
                met={on.spirit: on.square for on in panorama.spirits},
                covered=next((on.spirit for on in panorama.spirits if on.covered), None),
                firefly_squares=set(panorama.firefly_squares),
            ),
            set(),
        )
        assert {part: getattr(score, part) for part in score.__slots__} == {
            part: expected[part] for part in score.__slots__
        }, panorama


# ---- sampled worlds


def sampled(observation: Observation, seed: int) -> Fields:
    knowledge = bridge.knowledge_of_observation(observation)
    return knowledge.sample(ChanceFeed.random(seed)).fields()


@variants
def test_sampled_worlds_agree_with_the_observation(rules: Rules) -> None:
    for seed in range(8):
        for game in decisions(seed, rules):
            seen = game.observation(game.player)
            world = sampled(seen, seed)
            mine, theirs = world["sides"]
            hand = set(bridge.codes(theirs["hand"]))
            assert len(hand) == seen.opponent_hand_size
            assert hand >= set(seen.opponent_known_tiles)
            assert not hand & set(seen.opponent_excluded_tiles)
            assert bridge.codes(mine["hand"]) == seen.your_hand
            assert not hand & set(bridge.codes(world["pool"]))
            covers = sum(place.covers for place in seen.queue)
            assert world["pool"].bit_count() == seen.deck_size + covers
            assert GameState.from_fields(world).legal_codes() == [
                bridge.move_to_code(move, 0) for move in game.legal_moves
            ]


def test_sampled_hands_hold_known_tiles_and_no_excluded_ones() -> None:
    known = excluded = 0
    for seed in range(300):
        _, position = rare_position(seed, Rules(fireflies=True))
        seen = Game.from_position(position).observation(position.player)
        knowledge, feed = bridge.knowledge_of_observation(seen), ChanceFeed.random(seed)
        known += bool(seen.opponent_known_tiles)
        excluded += bool(seen.opponent_excluded_tiles and seen.opponent_hand_size)
        for _ in range(20):
            hand = bridge.codes(knowledge.sample(feed).fields()["sides"][1]["hand"])
            assert len(hand) == seen.opponent_hand_size
            assert set(hand) >= set(seen.opponent_known_tiles)
            assert set(hand).isdisjoint(seen.opponent_excluded_tiles)
    assert known
    assert excluded


def test_sampled_worlds_differ() -> None:
    seen = Game(seed=1).observation(0)
    assert len({sampled(seen, seed)["sides"][1]["hand"] for seed in range(200)}) > 190


def test_sampling_is_reproducible() -> None:
    seen = Game(seed=1).observation(0)
    assert sampled(seen, 5) == sampled(seen, 5)


def test_sampled_hands_are_uniform() -> None:
    """Two hidden tiles of six candidates: 15 hands (chi-square, 14 degrees, 0.1 %)."""
    candidates = ("r1", "o2", "g3", "b4", "k5", "p6")
    excluded, known = ("r9", "p4"), ("g9",)
    rest = tuple(it for it in CELLS if it not in {*candidates, *excluded, *known, "r5", "o5"})
    seen = Observation(
        rules=Rules(fireflies=True),
        phase=Phase.PLAY,
        your_hand=("r5",),
        opponent_hand_size=3,
        opponent_known_tiles=known,
        opponent_excluded_tiles=excluded,
        deck_size=5,
        queue=(QueueTile("o5", covers=True),),
        you=Panorama(tiles=rest),
        opponent=Panorama(),
        spirit_deck_size=19,
    )
    knowledge, feed = bridge.knowledge_of_observation(seen), ChanceFeed.random(7)
    samples = 6000
    hands = Counter(
        bridge.codes(knowledge.sample(feed).fields()["sides"][1]["hand"]) for _ in range(samples)
    )
    possible = [
        tuple(sorted((*pair, "g9"), key=CELLS.index)) for pair in combinations(candidates, 2)
    ]
    assert set(hands) == set(possible)
    expected = samples / len(possible)
    assert sum((hands[hand] - expected) ** 2 / expected for hand in possible) < 36.1


# ---- Knowledge


def _knowledge_arguments() -> tuple[Fields, int, int]:
    fields = STATES[0].fields()
    other = fields["sides"][1]["hand"]
    fields["sides"][1]["hand"] = 0
    fields["pool"] |= other
    return fields, 3, fields["pool"]


def test_knowledge_is_accepted() -> None:
    assert Knowledge(*_knowledge_arguments()).legal_count() == STATES[0].legal_count()


@pytest.mark.parametrize("hidden", [-1, 2, 4, 49, 2**40])
def test_knowledge_of_a_wrong_number_is_refused(hidden: int) -> None:
    fields, _, candidates = _knowledge_arguments()
    with pytest.raises(ValueError, match="not a state of the game"):
        Knowledge(fields, hidden, candidates)


@pytest.mark.parametrize("candidates", [0, 1, -1, 2**64, 2**64 - 1, 1 << 10])
def test_knowledge_of_wrong_candidates_is_refused(candidates: int) -> None:
    fields, hidden, _ = _knowledge_arguments()
    with pytest.raises(ValueError, match="not a state of the game"):
        Knowledge(fields, hidden, candidates)


@settings(max_examples=400, deadline=None)
@given(
    st.lists(MUTATIONS, min_size=1, max_size=2),
    st.integers(0, 127),
    st.integers(-1, 6),
    st.integers(0, 2**64 - 1),
)
def test_mutated_knowledge_is_refused_or_safe(
    mutations: list[tuple[Any, Any]], flip: int, hidden: int, candidates: int
) -> None:
    fields, _, pool = _knowledge_arguments()
    try:
        knowledge = Knowledge(mutated(fields, mutations, flip), hidden, pool & candidates)
    except BAD_INPUT:
        return
    world = knowledge.sample(ChanceFeed.random(1))
    GameState.from_fields(world.fields())
    world.play_out(ChanceFeed.random(1))
    assert world.legal_codes() == []


# ---- the batch of random games


@variants
def test_play_games_is_deal_and_playout(rules: Rules) -> None:
    mask = bridge.spirit_mask(rules.spirits)
    half_points, draws, first, second, signature = play_games(rules.fireflies, mask, 2000, 3)
    assert play_games(rules.fireflies, mask, 2000, 3)[-1] == signature
    assert play_games(rules.fireflies, mask, 2000, 4)[-1] != signature
    assert play_games(rules.fireflies, mask, 0, 3) == (0, 0, 0, 0, 0)
    assert 0.5 < half_points / 4000 < 0.65
    assert 0 < draws < 300
    assert 12 < first / 2000 < 22
    assert second < first


def test_the_signature_of_random_base_games() -> None:
    """A change of this number is a change of the rules, or of the order of random numbers."""
    mask = bridge.spirit_mask(Rules().spirits)
    assert play_games(False, mask, 300_000, 1)[-1] == 16387922454601086132


SIGNATURES = {
    "base": 9134490731477235475,
    "fireflies": 13590746297694550894,
    "beginner": 2324962083548692105,
}


@pytest.mark.parametrize("name", VARIANTS)
def test_the_signatures_of_the_variants(name: str) -> None:
    rules = VARIANTS[name]
    mask = bridge.spirit_mask(rules.spirits)
    assert play_games(rules.fireflies, mask, 20_000, 1)[-1] == SIGNATURES[name]
