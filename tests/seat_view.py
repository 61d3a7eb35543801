"""What one seat sees of a game, told from the rules (R9, R14, R17, R23, section 9), and both seats
following a game by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solstis_ai.game import Game
from solstis_ai.notation import ChanceEvent, ChanceKind, format_chance
from solstis_ai.position import Position
from solstis_ai.tracker import SeatTracker
from solstis_ai.vocabulary import Move, MoveKind


def seen_events(
    seat: int, before: Position, move: Move, chance: Sequence[ChanceEvent], after: Position
) -> list[str]:
    """The events after a decision, in the words in which ``seat`` sees them."""
    happened = [
        format_chance(event) if sees else str(event.kind)
        for event, sees in zip(chance, _who_sees(seat, before.player, move, chance), strict=True)
    ]
    return [*_shown(seat, before, move, after), *happened]


def _who_sees(seat: int, mover: int, move: Move, chance: Sequence[ChanceEvent]) -> Iterator[bool]:
    """Whether ``seat`` sees what each event names."""
    stolen = False
    for number, event in enumerate(chance):
        if event.kind in (ChanceKind.FLIP, ChanceKind.STEAL):
            yield True
        elif stolen:  # the victim draws (R17 fly)
            yield seat != mover
        elif number == 0 and (move.kind is MoveKind.PLAY or move.target == "eagle"):
            yield True  # to the table (R9, R17)
        else:
            yield seat == mover
        stolen = event.kind is ChanceKind.STEAL


def _shown(seat: int, before: Position, move: Move, after: Position) -> list[str]:
    own, hand = before.player == seat, before.hands[1 - seat]
    drawn = before.turn.drawn_spirits
    if move.kind is MoveKind.MEET and not own and len(drawn) == 2:
        return [f"show {spirit}" for spirit in drawn if spirit != move.target]
    fox = move.kind is MoveKind.MEET and own and move.target == "fox"
    ends = move.kind in (MoveKind.PASS, MoveKind.COVER)
    if fox or (ends and not after.hands[1 - seat]):
        return [f"show {tile}" for tile in hand]
    return []


class FollowedGame:
    """A game that two trackers follow, each by what its seat sees.

    Attributes:
        game: The game.
        trackers: One for each seat.
        pushed: What each tracker was told, as (move, events).
    """

    def __init__(self, game: Game) -> None:
        start = game.position()
        queue = [place.tile for place in start.queue]
        self.game = game
        self.trackers = tuple(
            SeatTracker(seat, game.rules, hand=start.hands[seat], queue=queue) for seat in (0, 1)
        )
        self.pushed: tuple[list[tuple[str, list[str]]], ...] = ([], [])

    def push(
        self, move: Move, chance: Sequence[ChanceEvent | str] | None = None
    ) -> tuple[ChanceEvent, ...]:
        """Take a decision in the game and tell both trackers what their seats see of it."""
        before = self.game.position()
        events = self.game.push(move, chance)
        after = self.game.position()
        for seat, tracker in enumerate(self.trackers):
            seen = seen_events(seat, before, move, events, after)
            self.pushed[seat].append((str(move), seen))
            tracker.push(move, seen)
        return events

    @property
    def over(self) -> bool:
        """Whether the game has ended; checked against both trackers."""
        assert [tracker.over for tracker in self.trackers] == [self.game.over] * 2
        return self.game.over
