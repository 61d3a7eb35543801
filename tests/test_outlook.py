"""The outlook: stars by part after a move, their spread, and how the doubt splits."""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from dataclasses import astuple, replace

import pytest
from fakes.observations import FORCED, OPENING
from random_games import VARIANTS, decisions, game_after, with_other_hidden_tiles

from solstis_ai import bridge
from solstis_ai._fast import ChanceFeed, GameState
from solstis_ai.engine import Search, recommend
from solstis_ai.game import Game
from solstis_ai.observation import Observation
from solstis_ai.search.outlook import FUTURES_PER_HAND, sample_outlook
from solstis_ai.search.panoramas import matches
from solstis_ai.search.stars import BEST, LEAST_HANDS, OutlookTable, hand_share, hands_for
from solstis_ai.search.types import Analysis, Limits, Outlook
from solstis_ai.service.converters import analysis_to_proto
from solstis_ai.vocabulary import SQUARES, Rules, cells_of_square

variants = pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)


def observation_after(seed: int, number: int, rules: Rules | None = None) -> Observation:
    game = game_after(seed, number, rules)
    return game.observation(game.player)


MIDGAME = observation_after(11, 32)
"""A play of three tiles in the middle of a base game."""

MANY = observation_after(11, 25)
"""A rainbow to place, on many cells."""


def outlook_of(seen: Observation, hands: int, move: int = 0, seed: int = 1) -> Outlook:
    """The outlook of one legal move, from at least so many hands."""
    knowledge = bridge.knowledge_of_observation(seen)
    iterations = 32 * hands * FUTURES_PER_HAND * min(knowledge.legal_count(), BEST)
    code = knowledge.legal_codes()[move]
    return OutlookTable(seen, knowledge, seed).outlooks([code], iterations)[code]


# ---- sums


@variants
def test_parts_add_up_to_totals(rules: Rules) -> None:
    for number in (0, 12, 30, 42):
        outlook = outlook_of(observation_after(6, number, rules), 20)
        for stars in (outlook.you, outlook.opponent):
            total, *parts = (mean for mean, _ in astuple(stars))
            assert total == pytest.approx(sum(parts))
            assert total > 0
        lead = outlook.you.total.mean - outlook.opponent.total.mean
        assert outlook.lead.mean == pytest.approx(lead)
        assert outlook.samples == 20 * FUTURES_PER_HAND


def test_fireflies_bring_stars_in_the_expansion_alone() -> None:
    for rules in VARIANTS.values():
        outlook = outlook_of(observation_after(6, 30, rules), 40)
        assert bool(outlook.you.fireflies.mean) == rules.fireflies


def test_slices_of_hands_add_up() -> None:
    knowledge = bridge.knowledge_of_observation(MIDGAME)
    code = knowledge.legal_codes()[0]
    whole = sample_outlook(knowledge, code, 5, 0, 12)
    slices = [sample_outlook(knowledge, code, 5, *ends) for ends in ((0, 5), (5, 6), (6, 12))]
    assert _added(slices) == _added([whole])
    assert _added([sample_outlook(knowledge, code, 6, 0, 12)]) != _added([whole])


def _added(parts: Sequence[tuple[object, ...]]) -> list[int]:
    rows = [[n for it in part for n in (it if isinstance(it, tuple) else (it,))] for part in parts]
    return [sum(column) for column in zip(*rows, strict=True)]


def test_means_and_spreads_are_those_of_the_sums() -> None:
    knowledge = bridge.knowledge_of_observation(MIDGAME)
    code = knowledge.legal_codes()[0]
    stars, squares, *_ = sample_outlook(knowledge, code, 1, 0, 20)
    games = 20 * FUTURES_PER_HAND
    for (mean, spread), total, square in zip(
        astuple(outlook_of(MIDGAME, 20).you), stars, squares, strict=True
    ):
        assert mean == total / games
        assert spread**2 == pytest.approx((square - total**2 / games) / (games - 1))


def test_hand_squares_are_those_of_single_hands() -> None:
    knowledge = bridge.knowledge_of_observation(MIDGAME)
    code = knowledge.legal_codes()[0]
    leads = [sample_outlook(knowledge, code, 5, hand, hand + 1)[4] for hand in range(9)]
    whole = sample_outlook(knowledge, code, 5, 0, 9)
    assert whole[4] == sum(leads)
    assert whole[6] == sum(lead * lead for lead in leads)
    assert len(set(leads)) > 3


@variants
def test_a_slow_sample_has_the_same_means_and_spreads(rules: Rules) -> None:
    """One game at a time, by the policy in Python."""
    seen = observation_after(6, 36, rules)
    outlook = outlook_of(seen, 300)
    games = [_slow_game(seen, seed) for seed in range(250)]
    for side, stars in enumerate((outlook.you, outlook.opponent)):
        for part, (mean, spread) in enumerate(astuple(stars)):
            values = [game[side][part] for game in games]
            error = 4 * statistics.stdev(values) * (1 / 250 + 1 / 1200) ** 0.5
            assert mean == pytest.approx(statistics.fmean(values), abs=error + 0.01)
            assert spread == pytest.approx(statistics.stdev(values), rel=0.2, abs=0.05)


def _slow_game(seen: Observation, seed: int) -> list[tuple[int, ...]]:
    """Parts of both sides at the end of one game after the first legal move."""
    knowledge, chooser = bridge.knowledge_of_observation(seen), random.Random(seed)
    feed = ChanceFeed.random(seed)
    world = knowledge.sample(feed)
    code = knowledge.legal_codes()[0]
    while True:
        world.apply(code, feed)
        if not world.legal_count():
            break
        code = _slow_choice(world, chooser)
    scores = [world.score(side) for side in range(2)]
    return [
        (total, area, fires, spirits, sum(bonus), fireflies)
        for total, area, fires, spirits, bonus, fireflies in scores
    ]


def _slow_choice(world: GameState, chooser: random.Random) -> int:
    """What completes most squares, then what touches most; spirits at random."""
    codes = world.legal_codes()
    chooser.shuffle(codes)
    moves = {code: bridge.move_from_code(code) for code in codes}
    fields = world.fields()
    side = fields["sides"][fields["mover"]]
    filled = set(bridge.codes(side["tiles"] | side["rainbows"]))
    queue = bridge.codes(fields["queue"])
    if moves[codes[0]].kind == "play":
        return max(codes, key=lambda code: _slow_pair(filled, moves[code].target, queue))
    if moves[codes[0]].kind == "capture":
        filled |= set(bridge.codes(1 << fields["active"]))
    elif moves[codes[0]].kind != "rainbow":
        return codes[0]
    return max(codes, key=lambda code: _slow_worth(filled, moves[code].target))


def _slow_pair(filled: set[str], tile: str, queue: Sequence[str]) -> int:
    pairs = [
        _slow_worth(filled, captured) + _slow_worth(filled | {captured}, tile)
        for captured in matches(tile, queue)
    ]
    return max(pairs, default=0)


def _slow_worth(filled: set[str], cell: str) -> int:
    if cell in filled:
        return 0
    squares = [
        set(cells_of_square(square)) for square in SQUARES if cell in cells_of_square(square)
    ]
    beside = {other for square in squares for other in square}
    near = [it for it in beside & filled if it[0] == cell[0] or it[1:] == cell[1:]]
    return 8 * sum(square <= filled | {cell} for square in squares) + len(near)


def test_a_certain_end_has_no_spread_and_no_doubt() -> None:
    """The last decision of a base game: a spirit is covered, and the score stands."""
    game = next(
        game for seed in range(40) for game in decisions(seed) if game.phase == "cover"
    ).copy()
    seen, seat = game.observation(game.player), game.player
    outlook = outlook_of(seen, 8)
    code = bridge.knowledge_of_observation(seen).legal_codes()[0]
    game.push(bridge.move_from_code(code))
    assert game.over
    for player, stars in ((seat, outlook.you), (1 - seat, outlook.opponent)):
        score = game.score(player)
        parts = (score.total, score.area, score.fires, score.spirits)
        assert [stars.total.mean, stars.area.mean, stars.fires.mean, stars.spirits.mean] == [*parts]
        assert stars.total.spread == stars.area.spread == 0
    assert (outlook.lead.spread, outlook.hand_share) == (0, 0)


def test_all_moves_are_played_out_in_the_same_hands() -> None:
    """Where the hand matters, the leads of two moves go up and down together, hand by hand."""
    knowledge = bridge.knowledge_of_observation(_late_observations()[1])
    one, two, *_ = knowledge.legal_codes()

    def leads(code: int, seed: int) -> list[int]:
        return [sample_outlook(knowledge, code, seed, n, n + 1)[4] for n in range(400)]

    assert statistics.correlation(leads(one, 1), leads(two, 1)) > 0.5
    assert abs(statistics.correlation(leads(one, 1), leads(two, 2))) < 0.15


def test_the_sampler_refuses_what_is_not_legal() -> None:
    knowledge = bridge.knowledge_of_observation(OPENING)
    code = knowledge.legal_codes()[0]
    with pytest.raises(ValueError, match="not a legal move"):
        sample_outlook(knowledge, code + 1, 1, 0, 1)
    with pytest.raises(OverflowError):
        sample_outlook(knowledge, code, -1, 0, 1)


# ---- how the doubt splits


def share_of(leads: Sequence[Sequence[int]]) -> float:
    """``hand_share`` of the leads of each future of each hand."""
    every = [lead for hand in leads for lead in hand]
    return hand_share(
        len(leads),
        sum(every),
        sum(lead * lead for lead in every),
        sum(sum(hand) ** 2 for hand in leads),
    )


def slow_share(leads: Sequence[Sequence[int]]) -> float:
    """The textbook: mean squares from means."""
    means = [statistics.fmean(hand) for hand in leads]
    within = statistics.fmean(statistics.variance(hand) for hand in leads)
    of_hands = max(statistics.variance(means) - within / FUTURES_PER_HAND, 0.0)
    return of_hands / (of_hands + within)


@pytest.mark.parametrize(("hand", "future"), [(0.0, 5.0), (1.0, 8.0), (4.0, 4.0), (9.0, 2.0)])
def test_the_split_is_that_of_the_textbook(hand: float, future: float) -> None:
    chooser = random.Random(3)
    leads = []
    for _ in range(800):
        middle = chooser.gauss(2, hand)
        leads.append([round(100 * chooser.gauss(middle, future)) for _ in range(FUTURES_PER_HAND)])
    assert share_of(leads) == pytest.approx(slow_share(leads), abs=1e-9)
    assert share_of(leads) == pytest.approx(hand**2 / (hand**2 + future**2), abs=0.04)


def test_constructed_splits() -> None:
    half = FUTURES_PER_HAND // 2
    all_hand = [[lead] * FUTURES_PER_HAND for lead in (3, -2, 7)]
    all_future = [[5, -5] * half] * 4
    nothing = [[2] * FUTURES_PER_HAND] * 3
    assert share_of(all_hand) == 1.0
    assert share_of(all_future) == 0.0
    assert share_of(nothing) == 0.0


def test_a_hand_that_decides_has_a_share() -> None:
    """After its deck ran out the other hand matters, before it hardly does."""
    late = max((outlook_of(seen, 200).hand_share for seen in _late_observations()), default=0.0)
    assert late > 0.15
    assert outlook_of(OPENING, 200).hand_share < 0.1


def _late_observations() -> list[Observation]:
    return [
        game.observation(game.player)
        for seed in range(6)
        for game in decisions(seed)
        if game.phase == "play"
        and game.observation(game.player).deck_size == 1
        and game.observation(game.player).opponent_hand_size
    ]


def test_a_known_hand_has_no_share() -> None:
    """All of it shown by the fox, or all that is not excluded by a pass."""
    seen = _late_observations()[1]
    hand, rest = (_unseen(seen)[part] for part in (slice(3), slice(3, None)))
    assert seen.opponent_hand_size == 3
    assert outlook_of(seen, 60).hand_share > 0.1
    for certain in (
        replace(seen, opponent_known_tiles=hand),
        replace(seen, opponent_excluded_tiles=rest),
        replace(seen, opponent_known_tiles=hand[:1], opponent_excluded_tiles=rest),
    ):
        outlooks = [outlook_of(certain, 60, seed=seed) for seed in range(8)]
        assert [outlook.hand_share for outlook in outlooks] == [0.0] * 8
        assert all(outlook.lead.spread > 0 for outlook in outlooks)


def _unseen(seen: Observation) -> tuple[str, ...]:
    """Tiles of deck, queue bottoms and the other hand, in board order."""
    fields = bridge.knowledge_of_observation(seen).sample(ChanceFeed.random(1)).fields()
    return bridge.codes(fields["pool"] | fields["sides"][1]["hand"])


# ---- in an answer


def test_all_moves_have_an_outlook_the_best_few_a_better_one() -> None:
    rows = recommend(MANY, Limits(iterations=20_000)).alternatives
    assert len(rows) > BEST
    samples = [row.outlook.samples for row in rows if row.outlook]
    least = LEAST_HANDS * FUTURES_PER_HAND
    assert samples == [min(samples[:BEST])] * BEST + [least] * (len(rows) - BEST)
    assert samples[0] > 2 * least


def test_the_expected_stars_of_a_move_are_those_of_its_outlook() -> None:
    answer = recommend(MANY, Limits(iterations=5000))
    for row in answer.alternatives:
        assert row.outlook
        assert row.expected_stars == row.outlook.you.total.mean
        assert row.opponent_expected_stars == row.outlook.opponent.total.mean
    best = answer.alternatives[0]
    assert answer.expected_stars == best.expected_stars
    assert answer.opponent_expected_stars == best.opponent_expected_stars


def test_moves_that_were_not_tried_have_none() -> None:
    rows = recommend(MANY, Limits(iterations=2)).alternatives
    assert [row.outlook is not None for row in rows[:3]] == [True, True, False]
    assert [row.expected_stars is not None for row in rows[:3]] == [True, True, False]
    assert rows[2].opponent_expected_stars is None


def test_a_move_that_was_one_of_the_best_leaves_no_trace() -> None:
    knowledge = bridge.knowledge_of_observation(MANY)
    codes = knowledge.legal_codes()
    table = OutlookTable(MANY, knowledge, 1)
    table.outlooks(codes[::-1], 20_000)
    assert table.outlooks(codes, 20_000) == OutlookTable(MANY, knowledge, 1).outlooks(codes, 20_000)


def test_a_forced_move_has_an_outlook() -> None:
    outlook = recommend(FORCED).outlook
    assert outlook
    assert outlook.samples == 128


def test_the_outlook_of_an_answer_is_that_of_its_move() -> None:
    answer = recommend(MIDGAME, Limits(iterations=1000))
    assert answer.outlook == answer.alternatives[0].outlook
    other = replace(answer, move=answer.alternatives[1].move)
    assert other.outlook == answer.alternatives[1].outlook != answer.outlook


def test_more_iterations_sample_more_up_to_a_bound() -> None:
    counts = [hands_for(10**n, 3, stopped=False) for n in range(9)]
    assert counts == sorted(counts)
    assert counts[0] >= 4
    assert counts[4] * FUTURES_PER_HAND * 3 <= 10**4 / 32 < counts[5] * FUTURES_PER_HAND * 3
    assert counts[7] == counts[8] == 4096 // (3 * FUTURES_PER_HAND)
    assert hands_for(10**8, 3, stopped=True) * FUTURES_PER_HAND * 3 <= 256
    assert hands_for(100, 600, stopped=False) >= 4


def test_a_stopped_search_does_not_sample_long() -> None:
    search = Search(MIDGAME, Limits(iterations=300_000))
    search.run(max_seconds=0.05)
    search.stop()
    outlook = search.analysis().outlook
    assert outlook
    assert outlook.samples <= 256


def test_a_stop_takes_nothing_back() -> None:
    knowledge = bridge.knowledge_of_observation(MIDGAME)
    table, codes = OutlookTable(MIDGAME, knowledge, 1), knowledge.legal_codes()
    before = table.outlooks(codes, 100_000)
    assert table.outlooks(codes, 100_000, stopped=True) == before
    assert table.outlooks(codes, 100_000) == before


def test_the_answer_does_not_depend_on_when_it_was_asked_for() -> None:
    limits = Limits(iterations=60_000)
    curious = Search(MANY, limits, seed=5)
    while not curious.run(max_seconds=0.002):
        curious.analysis()
    assert timeless(curious.analysis()) == timeless(recommend(MANY, limits, seed=5))


def test_the_seed_changes_the_outlook() -> None:
    one, two = (recommend(MIDGAME, Limits(iterations=2000), seed).outlook for seed in (1, 2))
    assert one != two


@variants
def test_nothing_hidden_shows(rules: Rules) -> None:
    """Answers to equal observations of different true states, byte by byte."""
    chooser, different = random.Random(1), 0
    for number, game in enumerate(decisions(23, rules)):
        if number % 14:
            continue
        position = game.position()
        other = with_other_hidden_tiles(position, chooser)
        different += other != position
        answers = [
            recommend(it.observation(it.player), Limits(iterations=70_000))
            for it in (game, Game.from_position(other))
        ]
        one, two = (analysis_to_proto(timeless(answer)) for answer in answers)
        assert one.SerializeToString(deterministic=True) == two.SerializeToString(
            deterministic=True
        )
        assert one.alternatives[0].HasField("outlook") == (one.iterations > 0)  # not when solved
    assert different > 1


def timeless(analysis: Analysis) -> Analysis:
    return replace(analysis, elapsed_seconds=0.0)
