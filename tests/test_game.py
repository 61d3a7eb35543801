"""The public API: ``Game`` as a user of python-chess expects it."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from random_games import VARIANTS, decisions, finished, game_after

from solstis_ai.errors import IllegalMoveError, NotationError
from solstis_ai.game import Game, Setup
from solstis_ai.notation import ChanceEvent, ChanceKind, format_position, parse_position
from solstis_ai.observation import Panorama, QueueTile, SpiritOnSquare, Turn
from solstis_ai.position import EvilSpiritSeat, Position
from solstis_ai.vocabulary import CELLS, Move, MoveKind, Phase, Rules

variants = pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)

SETUP = Setup(
    hands=(("g5", "r1", "r5"), ("b7", "g7", "p5")),
    queue=(
        ("g6", "o9"),
        ("g10", "k4"),
        ("o1", "p4"),
        ("o3", "g3"),
        ("k7", "b6"),
        ("k3", "b5"),
    ),
)


def opening() -> Game:
    return Game(seed=1, setup=SETUP)


def meeting() -> Game:
    """A game before a meeting that can draw."""
    return next(game for game in decisions(3) if Move(MoveKind.DRAW) in game.legal_moves)


# ---- legal moves


def test_legal_moves_are_counted_listed_and_found() -> None:
    game = opening()
    assert list(game.legal_moves) == [Move.parse(f"play {tile}") for tile in ("r1", "r5", "g5")]
    assert len(game.legal_moves) == 3
    assert Move.parse("play g5") in game.legal_moves
    assert Move.parse("play g6") not in game.legal_moves
    assert Move.parse("capture g5") not in game.legal_moves
    assert Move(MoveKind.PLAY, "nonsense") not in game.legal_moves
    assert "play g5" in game.legal_moves
    assert "play g6" not in game.legal_moves
    assert Move(MoveKind.PLAY, "g5", "r1") not in game.legal_moves
    assert repr(game.legal_moves) == "<LegalMoves: play r1, play r5, play g5>"


def test_legal_moves_are_a_live_view() -> None:
    game = opening()
    view = game.legal_moves
    game.push("play g5")
    assert {str(move) for move in view} == {"capture g6", "capture g10"}


@variants
def test_membership_length_and_iteration_agree(rules: Rules) -> None:
    for game in decisions(5, rules):
        moves = list(game.legal_moves)
        assert len(moves) == len(set(moves)) == len(game.legal_moves) > 0
        assert all(move in game.legal_moves for move in moves)


def test_a_finished_game_has_no_moves() -> None:
    game = finished(1)
    assert game.over
    assert game.phase is Phase.OVER
    assert list(game.legal_moves) == []
    assert len(game.legal_moves) == 0
    with pytest.raises(IllegalMoveError, match="legal: nothing"):
        game.push("pass")


# ---- push


def test_push_takes_words_and_moves() -> None:
    by_words, by_moves = opening(), opening()
    assert by_words.push("play g5") == by_moves.push(Move(MoveKind.PLAY, "g5"))
    assert by_words.push(" capture  g6 ") == by_moves.push(Move.parse("capture g6"))
    assert by_words.position() == by_moves.position()
    assert by_words.panorama(0) == Panorama(tiles=("g5", "g6"))


def test_push_returns_what_chance_did() -> None:
    game = opening()
    assert game.push("play g5") == ()
    flip, refill = game.push("capture g6")
    assert flip == ChanceEvent(ChanceKind.FLIP, "o9")
    assert refill.kind is ChanceKind.DECK
    assert refill.name in game.position().hands[0]


@pytest.mark.parametrize("move", ["play p7", "capture g6", "pass", "draw", "meet bee g5"])
def test_an_illegal_move_leaves_the_game_unchanged(move: str) -> None:
    game = opening()
    before = game.position()
    with pytest.raises(IllegalMoveError, match=f"{move} is not legal now; legal: play r1"):
        game.push(move)
    assert game.position() == before


@pytest.mark.parametrize("words", ["", "play", "play x1", "castle", "play g5 g6", "meet bee"])
def test_what_is_no_move_leaves_the_game_unchanged(words: str) -> None:
    game = opening()
    before = game.position()
    with pytest.raises(NotationError):
        game.push(words)
    assert game.position() == before


def test_only_some_of_many_legal_moves_are_told() -> None:
    rainbow = next(game for game in decisions(3) if len(game.legal_moves) > 8)
    with pytest.raises(IllegalMoveError, match=r"\.\.\.$"):
        rainbow.push("pass")


# ---- scripted chance


def test_scripted_chance_happens() -> None:
    game = opening()
    game.push("play g5", [])
    events = game.push("capture g6", ["flip k5", ChanceEvent(ChanceKind.DECK, "p7")])
    assert list(map(str, (event.name for event in events))) == ["k5", "p7"]
    assert QueueTile("k5") in game.position().queue
    assert "p7" in game.position().hands[0]


@pytest.mark.parametrize(
    ("chance", "told"),
    [
        ([], "chance event 1 is no event, but a possible 'flip' event is due"),
        (["flip k5"], "chance event 2 is no event, but a possible 'deck' event is due"),
        (["deck k5"], "chance event 1 is 'deck k5', but a possible 'flip' event is due"),
        (["flip g5"], "chance event 1 is 'flip g5', but a possible 'flip' event is due"),
        (["flip b7"], "chance event 1 is 'flip b7', but"),
        (["flip k5", "deck k5"], "chance event 2 is 'deck k5', but a possible 'deck'"),
        (["flip k5", "deck b8", "deck b9"], "chance event 3 is 'deck b9', but no further event"),
        (["flip k5", "deck b8", *["deck b9"] * 50], "chance event 3 is 'deck b9', but no"),
        (["spirit bee"], "chance event 1 is 'spirit bee', but a possible 'flip'"),
    ],
)
def test_chance_that_does_not_fit_leaves_the_game_unchanged(chance: list[str], told: str) -> None:
    game = opening()
    game.push("play g5")
    before, after = game.position(), game.copy()
    with pytest.raises(IllegalMoveError) as caught:
        game.push("capture g6", chance)
    assert f"after capture g6: {told}" in str(caught.value)
    assert game.position() == before
    assert game.push("capture g6") == after.push("capture g6")


@pytest.mark.parametrize(
    "event", ["flip", "roll 6", "flip bee", "spirit g5", ChanceEvent(ChanceKind.FLIP, "bee")]
)
def test_what_is_no_chance_event_leaves_the_game_unchanged(event: ChanceEvent | str) -> None:
    game = opening()
    game.push("play g5")
    before = game.position()
    with pytest.raises(NotationError):
        game.push("capture g6", [event])
    assert game.position() == before


@pytest.mark.parametrize(
    ("chance", "told"),
    [
        ("flip k5", "chance: 'flip k5' is no list; give one, such as ['flip o8']"),
        (7, "chance: 7 is no list"),
        ([None], "chance event: None is no text"),
    ],
)
def test_chance_of_another_type_leaves_the_game_unchanged(chance: Any, told: str) -> None:
    game = opening()
    game.push("play g5")
    before = game.position()
    with pytest.raises(NotationError, match=re.escape(told)):
        game.push("capture g6", chance)
    assert game.position() == before


def test_a_spirit_that_is_not_in_the_deck_cannot_be_drawn() -> None:
    game = meeting()
    for wrong in (["spirit cow", "spirit bee"], ["spirit bee", "spirit bee"], ["spirit bee"]):
        with pytest.raises(IllegalMoveError, match="spirit"):
            game.push("draw", wrong)
    game.push("draw", ["spirit bee", "spirit frog"])
    assert game.position().turn.drawn_spirits == ("bee", "frog")


def test_the_shuffle_goes_on_after_scripted_outcomes() -> None:
    """Scripted outcomes take tiles and spirits out of the shuffle; none may come twice."""
    for seed in range(60):
        chooser = random.Random(seed)
        game = Game(seed=seed)
        while not game.over:
            move = chooser.choice(list(game.legal_moves))
            events = game.copy().push(move)
            if [event.kind for event in events] == [ChanceKind.DECK]:
                game.push(move, [f"deck {chooser.choice(game.position().pool)}"])
            elif str(move) == "draw" and len(events) == 2:
                game.push(move, [events[1], events[0]])
            else:
                game.push(move)
            assert Counter(all_tiles(game.position())) == Counter(CELLS)


def all_tiles(position: Position) -> list[str]:
    turn = position.turn
    return [
        *position.pool,
        *position.hands[0],
        *position.hands[1],
        *(place.tile for place in position.queue),
        *position.panoramas[0].tiles,
        *position.panoramas[1].tiles,
        *position.discarded_tiles,
        *filter(None, [turn.drawn_tile or turn.played_tile]),
    ]


# ---- copies and seeds


def test_copies_are_independent_and_see_the_same_chance() -> None:
    for game in decisions(4):
        twin, before = game.copy(), game.position()
        move = next(iter(twin.legal_moves))
        events = twin.push(move)
        assert game.position() == before
        assert game.copy().push(move) == events
        assert game.copy().rules == twin.rules


@variants
def test_the_same_seed_gives_the_same_game(rules: Rules) -> None:
    one, other = finished(9, rules), finished(9, rules)
    assert one.position() == other.position()
    assert one.position() != finished(10, rules).position()


@pytest.mark.parametrize("seed", [-1, 2**70, 0])
def test_any_integer_is_a_seed(seed: int) -> None:
    assert Game(seed=seed).position() == Game(seed=seed).position()


def test_without_a_seed_games_differ() -> None:
    assert Game().position() != Game().position()


def test_the_shuffle_of_a_seed_stays_for_ever() -> None:
    position = Game(seed=1).position()
    assert position.hands == (("o8", "k8", "p7"), ("g1", "b8", "p6"))
    assert [place.tile for place in position.queue] == ["r3", "o3", "o4", "b5", "k5", "k7"]


def test_deals_are_fair() -> None:
    """Every tile comes to the first hand about equally often (chi-square, 47 degrees, 0.1 %)."""
    games = 3000
    dealt = Counter(tile for seed in range(games) for tile in Game(seed=seed).position().hands[0])
    expected = games * 3 / 48
    assert sum((dealt[tile] - expected) ** 2 / expected for tile in CELLS) < 82.7


# ---- setup


@variants
def test_setup(rules: Rules) -> None:
    position = Game(rules, seed=2).position()
    assert [len(hand) for hand in position.hands] == [3, 3]
    assert len(position.queue) == 6
    assert all(place.covers for place in position.queue)
    assert (position.deck_size, len(position.pool)) == (30, 36)
    assert position.spirit_deck_size == len(rules.spirits)
    assert position.panoramas == (Panorama(), Panorama())
    assert (position.phase, position.player, position.turn) == (Phase.PLAY, 0, Turn())


def test_a_given_setup_is_dealt() -> None:
    position = Game(seed=1, setup=SETUP).position()
    assert set(position.hands[0]) == {"g5", "r1", "r5"}
    assert set(position.hands[1]) == {"b7", "g7", "p5"}
    assert {place.tile for place in position.queue} == {"g6", "g10", "o1", "o3", "k7", "k3"}


def test_wrong_setups_are_refused() -> None:
    hands, queue = SETUP.hands, SETUP.queue
    for wrong_hands, wrong_queue, told in [
        (hands, queue[:5], "six queue pairs"),
        ((hands[0], hands[1][:2]), queue, "three tiles"),
        ((hands[0],), queue, "two hands"),
        ((hands[0], hands[0]), queue, "twice"),
        ((hands[0], ("b7", "g7", "b1")), queue, "'b1' is no tile"),
        (hands, (("g5", "o9"), *queue[1:]), "twice"),
        (hands, (("g6", ""), *queue[1:]), "'' is no tile"),
        (hands, (("g6",), *queue[1:]), "six queue pairs"),
        (hands, (("g6", None), *queue[1:]), "None is no tile"),
        (hands, (("g6", ["g7"]), *queue[1:]), "is no tile"),
        (hands, None, "six queue pairs"),
        (None, queue, "two hands"),
        (("g5g", "r1r"), queue, "two hands"),
    ]:
        with pytest.raises(NotationError, match=told):
            Setup(wrong_hands, wrong_queue)  # type: ignore[arg-type]  # wrong on purpose


def test_the_beginners_game_does_not_go_with_fireflies() -> None:
    rules = Rules(fireflies=True, evil_spirit=False)
    with pytest.raises(ValueError, match="R5"):
        Game(rules)
    with pytest.raises(ValueError, match="R5"):
        Game.from_position(replace(Game(seed=1).position(), rules=rules))


# ---- observations


@variants
def test_only_the_seat_that_decides_observes(rules: Rules) -> None:
    for game in decisions(6, rules):
        observation, position = game.observation(game.player), game.position()
        assert observation.phase is game.phase
        assert observation.your_hand == position.hands[game.player]
        assert observation.you == game.panorama(game.player)
        assert observation.opponent == game.panorama(1 - game.player)
        assert observation.opponent_hand_size == len(position.hands[1 - game.player])
        for seat in (1 - game.player, 2, -1):
            with pytest.raises(ValueError, match="does not decide now"):
                game.observation(seat)


def test_nobody_observes_a_finished_game() -> None:
    with pytest.raises(ValueError, match="over"):
        finished(1).observation(0)


def test_excluded_tiles_are_told_as_long_as_they_are_unseen() -> None:
    position = game_after(1, 12).position()
    unseen, seen = position.pool[0], position.queue[0].tile
    both = tuple(sorted((unseen, seen), key=CELLS.index))
    excluded = ((), both) if position.player == 0 else (both, ())
    game = Game.from_position(replace(position, excluded=excluded))
    assert game.observation(game.player).opponent_excluded_tiles == (unseen,)


# ---- positions


@variants
@pytest.mark.parametrize("seed", range(6))
def test_position_round_trip_at_every_decision(rules: Rules, seed: int) -> None:
    for game in decisions(seed, rules):
        position = game.position()
        assert parse_position(format_position(position)) == position
        again = Game.from_position(parse_position(format_position(position)), seed=7)
        assert again.position() == position
        assert list(again.legal_moves) == list(game.legal_moves)
        assert again.observation(again.player) == game.observation(game.player)
        assert [again.score(player) for player in (0, 1)] == [game.score(0), game.score(1)]


@variants
def test_a_finished_position_keeps_its_result(rules: Rules) -> None:
    for seed in range(20):
        game = finished(seed, rules)
        again = Game.from_position(game.position())
        assert again.over
        assert again.winner == game.winner
        assert [again.score(player) for player in (0, 1)] == [game.score(0), game.score(1)]


def test_a_position_goes_on_by_its_seed() -> None:
    position = game_after(2, 20).position()

    def end(seed: int) -> Position:
        game = Game.from_position(position, seed=seed)
        while not game.over:
            game.push(next(iter(game.legal_moves)))
        return game.position()

    assert end(1) == end(1)
    assert len({format_position(end(seed)) for seed in range(5)}) > 1


def _wrong_positions() -> dict[str, Position]:
    right = game_after(1, 12).position()
    hands, queue, (first, second) = right.hands, right.queue, right.panoramas
    return {
        "unknown tile": replace(right, hands=(("x9", *hands[0][1:]), hands[1])),
        "tile in two hands": replace(right, hands=(hands[0], (hands[0][0], *hands[1][1:]))),
        "tile twice in a hand": replace(right, hands=((hands[0][0],) * 3, hands[1])),
        "tile in hand and queue": replace(right, queue=(QueueTile(hands[0][0]), *queue[1:])),
        "hand tile missing": replace(right, hands=(hands[0][1:], hands[1])),
        "deck too large": replace(right, deck_size=right.deck_size + 1),
        "deck enormous": replace(right, deck_size=10**30),
        "deck negative": replace(right, deck_size=-1),
        "no such player": replace(right, player=2),
        "negative player": replace(right, player=-1),
        "spirit deck too small": replace(right, spirit_deck_size=right.spirit_deck_size - 1),
        "spirit in two places": replace(
            right,
            spirit_line=("bee",),
            panoramas=(Panorama(spirits=(SpiritOnSquare("bee", "r1"),)), Panorama()),
        ),
        "unknown spirit": replace(right, spirit_line=("cat",)),
        "13 rainbows": replace(
            right, panoramas=(Panorama(rainbows=CELLS[:13]), right.panoramas[1])
        ),
        "tile and rainbow on a cell": replace(
            right, panoramas=(replace(first, rainbows=first.tiles[:1]), second)
        ),
        "capture without a tile": replace(right, phase=Phase.CAPTURE, turn=Turn()),
        "rainbow phase without rainbow": replace(right, phase=Phase.RAINBOW, turn=Turn()),
        "nothing to meet": replace(right, phase=Phase.MEET, turn=Turn()),
        "no evil spirit to cover for": replace(right, phase=Phase.COVER, turn=Turn()),
        "forced tile of nobody": replace(right, turn=Turn(forced_tile=right.pool[0])),
        "tile forced in the other hand": replace(
            right, turn=Turn(forced_tile=hands[1 - right.player][0])
        ),
    }


@pytest.mark.parametrize("name", _wrong_positions())
def test_what_is_no_position_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="not a state of the game"):
        Game.from_position(_wrong_positions()[name])


# ---- the end


def _over(rules: Rules, first: Panorama, second: Panorama, **changes: object) -> Game:
    tiles = len(first.tiles) + len(second.tiles)
    spirits = len(first.spirits) + len(second.spirits)
    position = Position(
        rules=rules,
        phase=Phase.OVER,
        player=0,
        hands=((), ()),
        deck_size=48 - tiles,
        queue=(),
        panoramas=(first, second),
        spirit_deck_size=len(rules.spirits) - spirits,
    )
    return Game.from_position(replace(position, **changes))  # type: ignore[arg-type]  # by name


def test_score_parts_and_winner() -> None:
    first = Panorama(
        tiles=("r1", "r2", "o1", "o2", "b2", "g2", "p4"),
        rainbows=("k4",),
        spirits=(SpiritOnSquare("bee", "r1"),),
    )
    game = _over(Rules(), first, Panorama(tiles=("r10",)))
    score = game.score(0)
    assert (score.area, score.fires, score.spirits, score.fireflies) == (6, 1, 1, 0)
    assert score.spirit_bonus == {"bee": 0}
    assert score.total == 8
    assert game.score(1).total == 1
    assert game.winner == 0


def test_a_covered_spirit_scores_nothing() -> None:
    tiles = ("r1", "r2", "o1", "o2")
    free = Panorama(tiles=tiles, spirits=(SpiritOnSquare("wolf", "r1"),))
    covered = Panorama(tiles=tiles, spirits=(SpiritOnSquare("wolf", "r1", covered=True),))
    held = {"evil_spirit": EvilSpiritSeat.PLAYER_0, "spirit_deck_size": 13}
    assert _over(Rules(), free, Panorama(), **held).score(0).total == 6
    score = _over(Rules(), covered, Panorama(), **held).score(0)
    assert (score.total, score.spirits, score.spirit_bonus) == (4, 0, {})


def test_equal_stars_are_a_draw() -> None:
    game = _over(Rules(), Panorama(tiles=("r1",)), Panorama(tiles=("o2",)))
    assert game.over
    assert game.winner is None


def test_four_fireflies_win_against_any_stars() -> None:
    tiles = tuple(f"{row}{column}" for row in "ro" for column in range(1, 9))
    spirit = (SpiritOnSquare("bee", "r7"),)
    four = Panorama(
        rainbows=tiles[:5] + tiles[8:13],
        firefly_squares=("r1", "r2", "r3", "r4"),
    )
    game = _over(Rules(fireflies=True), four, Panorama(tiles=tiles, spirits=spirit))
    assert game.score(1).total > game.score(0).total
    assert game.winner == 0


def test_there_is_no_winner_before_the_end() -> None:
    assert all(game.winner is None for game in decisions(3))


@variants
def test_the_winner_has_more_stars(rules: Rules) -> None:
    results = Counter[int | None]()
    for seed in range(40):
        game = finished(seed, rules)
        if any(len(it.firefly_squares) >= 4 for it in game.position().panoramas):
            continue
        first, second = game.score(0).total, game.score(1).total
        assert game.winner == (None if first == second else int(second > first))
        results[game.winner] += 1
    assert results[0]
    assert results[1]


def test_the_total_is_the_sum_of_the_parts() -> None:
    for game in decisions(8, Rules(fireflies=True)):
        for player in (0, 1):
            score = game.score(player)
            parts = (score.area, score.fires, score.spirits, score.fireflies)
            assert score.total == sum(parts) + sum(score.spirit_bonus.values())


def test_wrong_players_are_refused() -> None:
    for player in (-1, 2):
        with pytest.raises((ValueError, IndexError)):
            Game(seed=1).score(player)
