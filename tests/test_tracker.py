"""``SeatTracker``: what it makes of a seat's view is what the seat sees, and never more."""

from __future__ import annotations

import doctest
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from decisions import RECORDED
from random_games import VARIANTS, with_other_hidden_tiles
from rare_positions import rare_position
from seat_view import FollowedGame, seen_events
from seeds import changing_seeds, tell

from solstis_ai import tracker as tracker_module
from solstis_ai.errors import (
    GameError,
    InvalidObservationError,
    NotationError,
    SolstisError,
    TrackingError,
)
from solstis_ai.game import Game, Setup
from solstis_ai.notation import SeenEvent, SeenKind, format_observation
from solstis_ai.position import Position
from solstis_ai.recorded import read_games
from solstis_ai.tracker import SeatTracker
from solstis_ai.vocabulary import CELLS, SPIRITS, Move, MoveKind, Rules

ALL_RECORDED = Path(__file__).parents[2] / "shared" / "conformance"
FIREFLIES = Rules(fireflies=True)

HAND = ("r4", "b8", "p5")
QUEUE = ("r3", "o5", "g6", "b2", "b9", "k7")

variants = pytest.mark.parametrize("variant", sorted(VARIANTS))


# ---- the same as the game's own observation


def _check_decision(followed: FollowedGame) -> None:
    """Whoever decides has an observation that is the same, byte for byte."""
    seat = followed.game.player
    assert [it.player for it in followed.trackers] == [seat, seat]
    found = format_observation(followed.trackers[seat].observation())
    assert found == format_observation(followed.game.observation(seat))


def _follow(followed: FollowedGame, seed: int) -> None:
    """A random game to its end, in some games with as many spirits drawn as possible."""
    chooser = random.Random(seed)
    drawing = chooser.random() < 0.3
    while not followed.over:
        _check_decision(followed)
        legal = list(followed.game.legal_moves)
        draw = drawing and Move.parse("draw") in legal
        followed.push(Move.parse("draw") if draw else chooser.choice(legal))


def _follow_random_games(rules: Rules, number: int) -> None:
    for seed in changing_seeds(number):
        try:
            _follow(FollowedGame(Game(rules, seed=seed)), seed)
        except (AssertionError, SolstisError) as error:
            tell(error, seed)
            raise


def _follow_record(recorded: dict[str, Any]) -> int:
    queue = tuple((pair["up"], pair["under"]) for pair in recorded["setup"]["queue"])
    first, second = (tuple(hand) for hand in recorded["setup"]["hands"])
    game = Game(Rules(**recorded["rules"]), seed=0, setup=Setup((first, second), queue))
    followed = FollowedGame(game)
    for event in recorded["events"]:
        _check_decision(followed)
        followed.push(Move.parse(event["move"]), event["chance"])
    assert followed.over
    return len(recorded["events"])


def test_every_decision_of_the_recorded_games_here() -> None:
    assert sum(map(_follow_record, RECORDED)) == 885


@pytest.mark.skipif(not ALL_RECORDED.is_dir(), reason="the complete recorded games are not here")
@pytest.mark.timeout(600)
def test_every_decision_of_all_recorded_games() -> None:
    paths = sorted(ALL_RECORDED.glob("*.jsonl"))
    assert sum(_follow_record(game) for path in paths for game in read_games(path)) == 19639


@variants
def test_every_decision_of_random_games(variant: str) -> None:
    _follow_random_games(VARIANTS[variant], 60)


@pytest.mark.long
@pytest.mark.timeout(3600)
@variants
def test_every_decision_of_many_random_games(variant: str) -> None:
    _follow_random_games(VARIANTS[variant], 1500)


# ---- going on from an observation


@variants
def test_a_tracker_goes_on_from_an_observation(variant: str) -> None:
    followed = FollowedGame(Game(VARIANTS[variant], seed=3))
    chooser, resumed = random.Random(3), [it.copy() for it in followed.trackers]
    while not followed.over:
        seat = followed.game.player
        resumed[seat] = SeatTracker.from_observation(followed.game.observation(seat), seat)
        assert resumed[seat].observation() == followed.trackers[seat].observation()
        followed.push(chooser.choice(list(followed.game.legal_moves)))
        for tracker, pushed in zip(resumed, followed.pushed, strict=True):
            tracker.push(*pushed[-1])
    assert all(tracker.over for tracker in resumed)


@variants
def test_rare_positions_are_followed_to_the_end(variant: str) -> None:
    """Empty decks, single spirits, forced tiles without use, shown hands, passes."""
    followed = 0
    for seed in changing_seeds(60):
        _, position = rare_position(seed, VARIANTS[variant])
        try:
            followed += _follow_from(position, seed)
        except (AssertionError, TrackingError) as error:
            tell(error, seed)
            raise
    assert followed


def _follow_from(position: Position, seed: int) -> bool:
    """Follow from here for whoever decides; False when no whole game leads here."""
    game, chooser = Game.from_position(position, seed=seed), random.Random(seed)
    seat = game.player
    try:
        tracker = SeatTracker.from_observation(game.observation(seat), seat)
    except InvalidObservationError:
        return False
    while not game.over:
        if game.player == seat:
            assert tracker.observation() == game.observation(seat)
        move, before = chooser.choice(list(game.legal_moves)), game.position()
        events = game.push(move)
        tracker.push(move, seen_events(seat, before, move, events, game.position()))
    return tracker.over


def test_an_observation_that_cannot_be_is_refused() -> None:
    observation = Game(seed=1).observation(0)
    with pytest.raises(TrackingError, match="seat: 2 is neither"):
        SeatTracker.from_observation(observation, 2)
    twice = Game(seed=1).observation(0)
    object.__setattr__(twice, "your_hand", ("r1", "r1", "r2"))
    with pytest.raises(InvalidObservationError):
        SeatTracker.from_observation(twice)


# ---- fairness


def _other_names(position: Position, chooser: random.Random) -> dict[str, str]:
    """Other names for the hidden tiles, as the deciding seat may think them (section 9)."""
    other = 1 - position.player
    changed = with_other_hidden_tiles(position, chooser)
    shown = set(position.known[other])
    names: dict[str, str] = {}
    for now, then in (
        (set(position.hands[other]) - shown, set(changed.hands[other]) - shown),
        (set(position.pool), set(changed.pool)),
    ):
        names.update(zip(sorted(now), chooser.sample(sorted(then), len(then)), strict=True))
    return names


def _renamed_start(start: Position, names: dict[str, str]) -> Position:
    first, second = (tuple(names.get(tile, tile) for tile in hand) for hand in start.hands)
    return replace(start, hands=(first, second))


@variants
def test_games_that_differ_in_hidden_tiles_look_the_same(variant: str) -> None:
    """The whole game is played again with other tiles wherever the seat has seen none."""
    differing = 0
    for seed in changing_seeds(15):
        chooser = random.Random(seed)
        game = FollowedGame(Game(VARIANTS[variant], seed=seed))
        start, played = game.game.position(), []
        for _ in range(chooser.randint(10, 60)):
            if not game.over:
                move = chooser.choice(list(game.game.legal_moves))
                played.append((move, game.push(move)))
        if game.over:
            continue
        seat, names = game.game.player, _other_names(game.game.position(), chooser)
        other = FollowedGame(Game.from_position(_renamed_start(start, names)))
        for move, events in played:
            other.push(move, [replace(it, name=names.get(it.name, it.name)) for it in events])
        try:
            assert other.pushed[seat] == game.pushed[seat]
            found = other.trackers[seat].observation()
            assert found == game.trackers[seat].observation() == other.game.observation(seat)
        except AssertionError as error:
            tell(error, seed)
            raise
        differing += other.game.position() != game.game.position()
    assert differing


@variants
def test_whatever_else_a_seat_is_told_is_refused(variant: str) -> None:
    """A name too many or too few, an event too many or too few; and nothing changes."""
    refused: Counter[str] = Counter()
    for seed in changing_seeds(8):
        game, chooser = FollowedGame(Game(VARIANTS[variant], seed=seed)), random.Random(seed)
        while not game.over:
            before = [tracker.copy() for tracker in game.trackers]
            known = game.game.position().known
            events = game.push(chooser.choice(list(game.game.legal_moves)))
            for seat, tracker in enumerate(before):
                move, seen = game.pushed[seat][-1]
                needless = {f"show {tile}" for tile in known[1 - seat]}  # the fox has shown them
                seen = [words for words in seen if words not in needless]
                for kind, wrong in _wrong(seen, [str(it.name) for it in events]):
                    _check_refused(tracker, move, wrong)
                    refused[kind] += 1
    assert {"named", "unnamed", "missing", "added"} <= set(refused)


def _wrong(seen: list[str], names: list[str]) -> Iterator[tuple[str, list[str]]]:
    shown = len([it for it in seen if it.startswith("show")])
    for number, words in enumerate(seen):
        around = seen[:number], seen[number + 1 :]
        if words in ("deck", "spirit"):
            named = f"{words} {names[number - shown]}"
            yield "named", [*around[0], named, *around[1]]
        elif words.startswith(("deck", "spirit")):
            yield "unnamed", [*around[0], words.split()[0], *around[1]]
        yield "missing", [*around[0], *around[1]]
        yield "added", [*around[0], words, words, *around[1]]
    yield "added", [*seen, "deck"]


def _check_refused(tracker: SeatTracker, move: str, seen: list[str]) -> None:
    changed = tracker.copy()
    with pytest.raises(TrackingError):
        changed.push(move, seen)
    assert changed._state.fields() == tracker._state.fields()
    assert changed._unseen_spirits == tracker._unseen_spirits


@variants
def test_nonsense_is_refused_and_changes_nothing(variant: str) -> None:
    for seed in changing_seeds(5):
        chooser = random.Random(seed)
        tracker = FollowedGame(Game(VARIANTS[variant], seed=seed)).trackers[1]
        before = tracker._state.fields()
        for _ in range(200):
            words = [_nonsense(chooser) for _ in range(chooser.randint(1, 3))]
            with pytest.raises((TrackingError, NotationError)):
                tracker.push(f"{chooser.choice(list(MoveKind))} {chooser.choice(CELLS)}", words)
            assert tracker._state.fields() == before


def _nonsense(chooser: random.Random) -> str:
    """No event that can follow the first decision of a game."""
    kind = chooser.choice(list(SeenKind))
    return f"{kind} {chooser.choice([*CELLS, *SPIRITS])}" if kind != "deck" else "deck z"


# ---- what is told when it does not fit

TOLD: list[tuple[str, list[str]]] = [
    ("play r4", []),
    ("capture r3", ["flip o8", "deck o4"]),
    ("play p4", ["deck r5"]),
    ("capture o5", ["flip o10", "deck"]),
]


def _tracker_after(number: int) -> SeatTracker:
    tracker = SeatTracker(0, hand=HAND, queue=QUEUE)
    for move, events in TOLD[:number]:
        tracker.push(move, events)
    return tracker


@pytest.mark.parametrize(
    ("number", "move", "events", "told"),
    [
        (0, "play g1", [], "play g1 is not legal for seat 0 now; legal: play r4, play b8, play p5"),
        (0, "play r4", ["deck g1"], "event 1 is 'deck g1', but no further event is due"),
        (1, "capture r3", [], "after capture r3: event 1 is missing, but a possible 'flip' is due"),
        (1, "capture r3", ["deck o4", "flip o8"], "event 1 is 'deck o4', but a possible 'flip'"),
        (1, "capture r3", ["flip o8"], "event 2 is missing, but a possible 'deck' is due"),
        (1, "capture r3", ["flip o8", "deck"], "the seat sees the tile of 'deck': name it"),
        (1, "capture r3", ["flip r4", "deck o8"], "r4 cannot have been in the deck or under"),
        (1, "capture r3", ["flip o8", "deck o4", "deck"], "event 3 is 'deck', but no further"),
        (1, "capture r3", ["flip o8", "deck o4", "deck o4"], "o4 is told twice"),
        (2, "play p4", ["deck r5", "show p4"], "p4 is told twice"),
        (1, "capture r3", ["show o7", "flip o8", "deck o4"], "nothing shows o7 to the seat"),
        (1, "capture r3", ["show bee", "flip o8", "deck o4"], "nothing shows bee to the seat"),
        (1, "capture r3", ["flip o8", "spirit"], "'spirit' with its name is due, not 'spirit'"),
        (2, "play o4", [], "after play o4: o4 cannot have been in the other hand"),
        (2, "play p4", ["deck"], "the seat sees the tile of 'deck': name it"),
        (2, "pass", [], "the other hand must have held a tile that can be played"),
        (3, "capture g6", ["flip o10", "deck"], "capture g6 is not legal for seat 1 now"),
        (3, "capture o5", ["flip o10", "deck g10"], "does not see 'deck g10': leave out the name"),
        (3, "capture o5", ["flip o10", *["deck"] * 40], "event 3 is 'deck', but no further"),
        (3, "capture o5", ["flip o10", "spirit bee"], "'spirit' alone is due, not 'spirit bee'"),
    ],
)
def test_what_does_not_fit_is_told(number: int, move: str, events: list[str], told: str) -> None:
    tracker = _tracker_after(number)
    with pytest.raises(TrackingError, match=re.escape(told)):
        tracker.push(move, events)
    tracker.push(*TOLD[number])  # as it was


@pytest.mark.parametrize("words", ["flip", "steal", "show", "roll 6", "deck b1", "spirit g5", ""])
def test_words_that_are_no_event_are_refused(words: str) -> None:
    with pytest.raises(NotationError):
        _tracker_after(1).push("capture r3", [words])


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ("flip o8", "events: 'flip o8' is no list; give one, such as ['flip o8']"),
        (None, "events: None is no list"),
        ([None], "event: None is no text"),
        ([3], "event: 3 is no text"),
    ],
)
def test_events_of_another_type_are_refused(events: Any, told: str) -> None:
    tracker = _tracker_after(1)
    with pytest.raises(NotationError, match=re.escape(told)):
        tracker.push("capture r3", events)
    tracker.push(*TOLD[1])  # as it was


def test_values_are_taken_like_words() -> None:
    tracker = _tracker_after(3)
    tracker.push(
        Move.parse("capture o5"),
        [SeenEvent(SeenKind.FLIP, "o10"), SeenEvent(SeenKind.DECK)],
    )
    assert tracker.observation() == _tracker_after(4).observation()


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"seat": 2}, "seat: 2 is neither 0 nor 1"),
        ({"seat": True}, "seat: True is neither 0 nor 1"),
        ({"seat": 1.0}, "seat: 1.0 is neither 0 nor 1"),
        ({"first_player": False}, "first_player: False is neither 0 nor 1"),
        ({"first_player": -1}, "first_player: -1 is neither 0 nor 1"),
        ({"hand": None}, "hand: None is no list"),
        ({"hand": "r4"}, "hand: 'r4' is no list"),
        ({"queue": 6}, "queue: 6 is no list"),
        ({"hand": HAND[:2]}, "hand: 3 tiles are dealt, not 2"),
        ({"hand": ("r4", "b8", "b1")}, "hand: 'b1' is no tile"),
        ({"hand": ("r4", "r4", "b8")}, "hand: r4 is dealt twice"),
        ({"queue": QUEUE[:5]}, "queue: 6 tiles are dealt, not 5"),
        ({"queue": ("r4", *QUEUE[1:])}, "queue: r4 is dealt twice"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(changed: dict[str, Any], told: str) -> None:
    arguments: dict[str, Any] = {"seat": 0, "hand": HAND, "queue": QUEUE}
    with pytest.raises(TrackingError, match=re.escape(told)):
        SeatTracker(**{**arguments, **changed})
    with pytest.raises(GameError, match="R5"):
        SeatTracker(**arguments, rules=Rules(fireflies=True, evil_spirit=False))


# ---- spirits that the other player draws, and the fox


def _until(
    followed: FollowedGame, chooser: random.Random, start: str, seat: int | None
) -> str | None:
    """Play on until a decision that begins like this is possible for ``seat`` (any if None)."""
    while not followed.over:
        legal = sorted(map(str, followed.game.legal_moves))
        wanted = [move for move in legal if move.startswith(start)]
        if wanted and seat in (None, followed.game.player):
            return wanted[0]
        drawing = [move for move in legal if move == "draw"]
        followed.push(Move.parse(chooser.choice(drawing or legal)))
    return None


def _games_with(start: str, seat: int | None, rules: Rules) -> Iterator[tuple[FollowedGame, str]]:
    """Games before a decision that begins like this, and the decision."""
    for seed in range(1000):
        followed = FollowedGame(Game(rules, seed=seed))
        move = _until(followed, random.Random(seed), start, seat)
        if move is not None:
            yield followed, move


def test_the_other_player_draws_spirits_that_nobody_else_sees() -> None:
    followed, _ = next(_games_with("draw", 1, Rules()))
    tracker = followed.trackers[0].copy()
    for wrong in ([], ["spirit"], ["spirit bee", "spirit wolf"], ["spirit"] * 3):
        with pytest.raises(TrackingError, match="'spirit', 'spirit' are due"):
            tracker.push("draw", wrong)
    followed.push(Move.parse("draw"))
    meeting = next(iter(followed.game.legal_moves))
    other = next(
        spirit
        for spirit in followed.game.observation(1).turn.drawn_spirits
        if spirit != meeting.target
    )
    tracker = followed.trackers[0].copy()
    for move, events, told in (
        ("draw", ["spirit", "spirit"], "draw: one of the two drawn spirits must be met"),
        ("play g5", [], "play g5: one of the two drawn spirits must be met"),
        (str(meeting), [], "'show' of the other drawn spirit is due first"),
        (str(meeting), ["show g5"], "'show' of the other drawn spirit is due first"),
        (str(meeting), [f"show {meeting.target}"], "cannot have been drawn"),
        (str(meeting), ["show cow"], "cannot have been drawn"),
    ):
        with pytest.raises(TrackingError, match=re.escape(told)):
            tracker.push(move, events)
    followed.push(meeting)
    with pytest.raises(TrackingError):
        tracker.push(meeting, followed.pushed[0][-1][1][1:])
    tracker.push(meeting, followed.pushed[0][-1][1])
    placed = followed.game.position()
    assert other in placed.spirit_line or other == "evil_spirit"


def test_the_fox_shows_the_other_hand() -> None:
    followed, move = next(_games_with("meet fox", None, FIREFLIES))
    seat = followed.game.player
    tracker, hand = followed.trackers[seat].copy(), followed.game.position().hands[1 - seat]
    for wrong in ([], [f"show {tile}" for tile in hand[1:]]):
        with pytest.raises(TrackingError, match="'show' of each tile in the other hand is due"):
            tracker.push(move, wrong)
    tracker.push(move, [f"show {tile}" for tile in hand])
    assert tracker.observation().opponent_known_tiles == hand


def test_shown_tiles_stay_known_until_they_are_played() -> None:
    for followed, move in _games_with("meet fox", None, FIREFLIES):
        seat, hand = followed.game.player, followed.game.position().hands
        followed.push(Move.parse(move))
        followed.push(next(iter(followed.game.legal_moves)))
        if _until(followed, random.Random(1), "play", seat) is None:
            continue
        known = followed.trackers[seat].observation().opponent_known_tiles
        assert set(known) == set(hand[1 - seat]) & set(followed.game.position().hands[1 - seat])
        if 0 < len(known) < len(hand[1 - seat]):
            return
    raise AssertionError("no game in which shown tiles stay")


# ---- the rest of what a tracker offers


def test_either_seat_may_begin() -> None:
    """With the seats the other way round, the observations are the same."""
    followed = FollowedGame(Game(seed=5))
    start, chooser = followed.game.position(), random.Random(5)
    queue = [place.tile for place in start.queue]
    swapped = [
        SeatTracker(1 - seat, hand=start.hands[seat], queue=queue, first_player=1)
        for seat in (0, 1)
    ]
    while not followed.over:
        seat = followed.game.player
        assert swapped[seat].player == swapped[seat].seat == 1 - seat
        assert swapped[seat].observation() == followed.game.observation(seat)
        followed.push(chooser.choice(list(followed.game.legal_moves)))
        for tracker, pushed in zip(swapped, followed.pushed, strict=True):
            tracker.push(*pushed[-1])
    assert all(tracker.over for tracker in swapped)


def test_only_the_seat_that_decides_has_an_observation() -> None:
    with pytest.raises(GameError, match="seat 0 does not decide now, seat 1 does"):
        _tracker_after(2).observation()
    followed = FollowedGame(Game(seed=6))
    _follow(followed, 6)
    with pytest.raises(GameError, match="the game is over"):
        followed.trackers[0].observation()
    with pytest.raises(TrackingError, match="is not legal for seat"):
        followed.trackers[0].push("pass")


def test_a_copy_is_independent() -> None:
    tracker = _tracker_after(0)
    other = tracker.copy()
    other.push("play r4")
    assert tracker.observation() == _tracker_after(0).observation()
    assert other.observation() == _tracker_after(1).observation()
    assert (other.seat, other.rules) == (0, Rules())


def test_a_tracker_tells_what_it_is() -> None:
    assert repr(_tracker_after(2)) == "<SeatTracker: seat 0, seat 1 decides>"
    followed = FollowedGame(Game(seed=6))
    _follow(followed, 6)
    assert repr(followed.trackers[1]) == "<SeatTracker: seat 1, over>"


def test_the_example_in_the_module() -> None:
    found = doctest.testmod(tracker_module)
    assert found.attempted
    assert not found.failed


def test_the_example_in_the_documentation(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[1] / "docs" / "clients.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    (code,) = [block for block in blocks if "SeatTracker" in block]
    exec(code, {})
    printed = re.findall(r"^print\(.*\)  # (.*)$", code, flags=re.MULTILINE)
    assert printed
    assert capsys.readouterr().out.splitlines() == printed
