"""Follows a game from what one seat sees, and makes observations of it.

The rules stay in the core: a tracker holds a full state in which stand-ins lie wherever the seat
sees no tile. Before a decision they are exchanged, so that the tiles that the seat is told of
come from where it sees them come from; the core then performs the decision. Afterwards exactly
these tiles must have left the unseen ones. A hidden tile cannot show up in an observation,
because a tracker never learns of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from solstis_ai import bridge
from solstis_ai._fast import ChanceFeed, GameState
from solstis_ai.errors import GameError, NotationError, TrackingError
from solstis_ai.game import Game, Setup
from solstis_ai.notation import ChanceKind, SeenEvent, SeenKind, format_seen, parse_seen
from solstis_ai.notation.codes import checked_list
from solstis_ai.observation import EvilSpiritPlace, Observation
from solstis_ai.position import EvilSpiritSeat, Position
from solstis_ai.validation import validate
from solstis_ai.vocabulary import CELLS, SPIRITS, Move, MoveKind, Phase, Rules

__all__ = ["SeatTracker"]

_T = TypeVar("_T")

_CHANCE_KINDS = tuple(ChanceKind)
_HAND, _QUEUE = 3, 6  # R6
_MOST_EVENTS = 16  # MAX_EVENTS of the core: more than follow any decision


class SeatTracker:
    """One game as one seat sees it, from the deal to the end.

    >>> tracker = SeatTracker(
    ...     0, hand=("b7", "p7", "r8"), queue=("r2", "r4", "r9", "o1", "g3", "k5")
    ... )
    >>> tracker.observation().your_hand
    ('r8', 'b7', 'p7')
    >>> tracker.push("play r8")
    >>> tracker.push("capture r9", ["flip g9", "deck o7"])
    >>> tracker.player
    1

    Args:
        seat: The seat that is followed, 0 or 1.
        rules: The variant; the base game by default.
        hand: The three tiles that the seat is dealt.
        queue: The six face-up queue tiles.
        first_player: The seat that begins, 0 or 1.

    Raises:
        TrackingError: If seat, hand, queue or first player is none; the message begins with its
            name.
        GameError: If the rules do not go together (R5).
    """

    def __init__(
        self,
        seat: int,
        rules: Rules | None = None,
        *,
        hand: Sequence[str],
        queue: Sequence[str],
        first_player: int = 0,
    ) -> None:
        _check_seat("seat", seat)
        _check_seat("first_player", first_player)
        hand = _checked_tiles("hand", hand, _HAND)
        queue = _checked_tiles("queue", queue, _QUEUE, elsewhere=hand)
        self._seat, self._rules = seat, rules or Rules()
        self._state = _dealt_state(seat, self._rules, hand, queue, first_player)
        self._unseen_spirits = False  # the other player has drawn two and not yet met one

    @classmethod
    def from_observation(cls, observation: Observation, seat: int = 0) -> SeatTracker:
        """Go on from an observation, for instance of a stored game.

        Args:
            observation: What ``seat`` saw when it had to decide; its decision comes next.
            seat: The seat that is followed, 0 or 1.

        Raises:
            InvalidObservationError: If no game can produce the observation.
            TrackingError: If ``seat`` is none.
        """
        _check_seat("seat", seat)
        validate(observation)
        return cls._of_state(seat, observation.rules, _observed_state(observation, seat))

    @classmethod
    def _of_state(cls, seat: int, rules: Rules, state: GameState) -> SeatTracker:
        tracker = cls.__new__(cls)
        tracker._seat, tracker._rules = seat, rules
        tracker._state, tracker._unseen_spirits = state, False
        return tracker

    @property
    def seat(self) -> int:
        """The seat that is followed, 0 or 1."""
        return self._seat

    @property
    def rules(self) -> Rules:
        """The variant."""
        return self._rules

    @property
    def player(self) -> int:
        """The seat whose decision comes next, 0 or 1."""
        return self._state.mover

    @property
    def over(self) -> bool:
        """Whether the game has ended (R21, R25)."""
        return tuple(Phase)[self._state.phase] is Phase.OVER

    def push(self, move: Move | str, events: Sequence[SeenEvent | str] = ()) -> None:
        """Follow one decision of either player; on an error the tracker stays as it was.

        Args:
            move: The decision, or its words.
            events: What the seat then sees of chance, in order, as values or as words:

                - ``deck g5`` when the seat sees the tile: a second chance, the eagle, its own
                  refill, its own tile for the bear, and what it gets for a stolen tile. ``deck``
                  alone for each tile that goes to the other hand.
                - ``flip g5`` for the tile turned up in the queue.
                - ``steal g5`` for the tile that the fly takes out of either hand.
                - ``spirit bee`` for each spirit that the seat draws, ``spirit`` alone for each
                  that the other player draws.
                - ``show bee`` when the other player, having drawn two spirits, meets one: the
                  other of the two, before all other events.
                - ``show g5`` for each tile of the other hand when the seat meets the fox, and
                  when the squirrel places that hand at the end (R23); tiles that are known
                  already may be left out.

        Raises:
            NotationError: If the words are no move or no event, or ``events`` is no list.
            TrackingError: If the move is not legal, as far as the seat can tell, or if the
                events are not exactly those that the seat sees after it.
        """
        decision = Move.parse(str(move))
        seen = [_checked_event(e) for e in checked_list("events", events, "['flip o8']")]
        if self._is_unseen_draw(decision):
            _check_unseen_draw(seen)
            self._unseen_spirits = True
            return
        state = self._state
        if self._unseen_spirits:
            state, seen = _state_after_draw(state, decision, seen), seen[1:]
        self._state = _Step(state, self._seat, decision, seen).state_after()
        self._unseen_spirits = False

    def observation(self) -> Observation:
        """What the seat sees and knows; it must be the seat that decides.

        Raises:
            GameError: If the game is over or the other seat decides.
        """
        if self.over:
            raise GameError("the game is over: there is nothing to decide")
        if self.player != self._seat:
            raise GameError(f"seat {self._seat} does not decide now, seat {self.player} does")
        return bridge.observation_of_state(self._state, self._rules, self._seat)

    def copy(self) -> SeatTracker:
        """An independent copy."""
        other = self._of_state(self._seat, self._rules, self._state.copy())
        other._unseen_spirits = self._unseen_spirits
        return other

    def __repr__(self) -> str:
        due = "over" if self.over else f"seat {self.player} decides"
        return f"<SeatTracker: seat {self._seat}, {due}>"

    def _is_unseen_draw(self, decision: Move) -> bool:
        """Whether the other player draws two spirits; a single one is known by elimination."""
        return (
            decision.kind is MoveKind.DRAW
            and self.player != self._seat
            and not self._unseen_spirits
            and _is_legal(self._state, decision)
            and _spirits_in_deck(self._state) > 1
        )


# ---- the beginning -----------------------------------------------------------------------


def _check_seat(name: str, seat: int) -> None:
    if not isinstance(seat, int) or isinstance(seat, bool) or seat not in (0, 1):
        raise TrackingError(f"{name}: {seat!r} is neither 0 nor 1")


def _checked_tiles(
    name: str, tiles: Sequence[str], number: int, elsewhere: Sequence[str] = ()
) -> list[str]:
    try:
        tiles = checked_list(name, tiles, "['r4', 'b8', 'p5']")
    except NotationError as error:
        raise TrackingError(str(error)) from error
    for tile in tiles:
        if tile not in CELLS:
            raise TrackingError(f"{name}: {tile!r} is no tile; tiles are r1 to p7")
    twice = {tile for tile in tiles if [*tiles, *elsewhere].count(tile) > 1}
    if twice:
        raise TrackingError(f"{name}: {min(twice)} is dealt twice")
    if len(tiles) != number:
        raise TrackingError(f"{name}: {number} tiles are dealt, not {len(tiles)} (R6)")
    return tiles


def _dealt_state(
    seat: int, rules: Rules, hand: Sequence[str], queue: Sequence[str], first_player: int
) -> GameState:
    """The beginning, with stand-ins for the other hand and the tiles under the queue."""
    unseen = [tile for tile in CELLS if tile not in (*hand, *queue)]
    hands = _by_seat(seat, tuple(hand), tuple(unseen[:_HAND]))
    setup = Setup(hands, tuple(zip(queue, unseen[_HAND:], strict=False)))
    position = Game(rules, seed=0, setup=setup).position()
    return bridge.state_of_position(replace(position, player=first_player))


def _observed_state(observation: Observation, seat: int) -> GameState:
    """The state of an observation, with stand-ins for what is hidden."""
    seen = Position(
        rules=observation.rules,
        phase=observation.phase,
        player=seat,
        hands=_by_seat(seat, observation.your_hand, observation.opponent_known_tiles),
        known=_by_seat(seat, (), observation.opponent_known_tiles),
        excluded=_by_seat(seat, (), observation.opponent_excluded_tiles),
        deck_size=observation.deck_size,
        queue=observation.queue,
        panoramas=_by_seat(seat, observation.you, observation.opponent),
        discarded_tiles=observation.discarded_tiles,
        spirit_line=observation.spirit_line,
        spirit_deck_size=observation.spirit_deck_size,
        evil_spirit=_evil_spirit_seat(observation.evil_spirit, seat),
        turn=observation.turn,
    )
    possible = [it for it in seen.pool if it not in observation.opponent_excluded_tiles]
    hidden = observation.opponent_hand_size - len(observation.opponent_known_tiles)
    theirs = (*observation.opponent_known_tiles, *possible[:hidden])
    hands = _by_seat(seat, observation.your_hand, theirs)
    return bridge.state_of_position(replace(seen, hands=hands))


def _by_seat(seat: int, own: _T, other: _T) -> tuple[_T, _T]:
    return (own, other) if seat == 0 else (other, own)


def _evil_spirit_seat(place: EvilSpiritPlace, seat: int) -> EvilSpiritSeat:
    if place is EvilSpiritPlace.YOU:
        return EvilSpiritSeat(str(seat))
    if place is EvilSpiritPlace.OPPONENT:
        return EvilSpiritSeat(str(1 - seat))
    return EvilSpiritSeat(place)


# ---- spirits that the other player draws -------------------------------------------------


def _spirits_in_deck(state: GameState) -> int:
    spirits: int = state.fields()["spirit_deck"]
    return spirits.bit_count()


def _check_unseen_draw(seen: list[SeenEvent]) -> None:
    if seen != [SeenEvent(SeenKind.SPIRIT)] * 2:
        raise TrackingError(f"after draw: 'spirit', 'spirit' are due, not {_words(seen)}")


def _state_after_draw(state: GameState, decision: Move, seen: list[SeenEvent]) -> GameState:
    """The two spirits that the other player had drawn are seen once one is met (R14)."""
    if decision.kind is not MoveKind.MEET:
        raise TrackingError(f"{decision}: one of the two drawn spirits must be met now")
    shown = seen[0] if seen else SeenEvent(SeenKind.SPIRIT)
    if shown.kind is not SeenKind.SHOW or shown.name not in SPIRITS:
        raise TrackingError(f"after {decision}: 'show' of the other drawn spirit is due first")
    spirits = [SeenEvent(SeenKind.SPIRIT, name) for name in (decision.target, shown.name)]
    drawn = state.copy()
    try:
        drawn.apply(_code(state, Move(MoveKind.DRAW)), _feed(spirits))
    except ValueError as error:
        raise TrackingError(
            f"{decision}: {decision.target} and {shown.name} cannot have been drawn"
        ) from error
    return drawn


# ---- one decision ------------------------------------------------------------------------


class _Step:
    """One decision as a seat sees it. Sets of tiles are integers, as in the core."""

    def __init__(
        self, state: GameState, seat: int, move: Move, events: Sequence[SeenEvent]
    ) -> None:
        self._seat, self._move, self._events = seat, move, events
        self._fields = state.fields()
        self._theirs = self._fields["sides"][1 - seat]
        self._own_decision = self._fields["mover"] == seat
        self._unseen = _unseen_tiles(self._fields, seat)
        self._check_words()
        self._held = bridge.board(self._told_of_hand())
        self._pooled = bridge.board(self._names(SeenKind.DECK, SeenKind.FLIP))

    def state_after(self) -> GameState:
        """The state after the decision, in which stand-ins are the unseen tiles alone."""
        self._check_told_tiles()
        hand = self._other_hand()
        after = self._with_hand(hand)
        self._check_legal(after)
        script = self._chance_events(self._unseen & ~hand & ~self._pooled)
        feed = _feed(script)
        try:
            after.apply(_code(after, self._move), feed)
        except ValueError as error:
            raise self._misfit(feed) from error
        self._check_seen(_unseen_tiles(after.fields(), self._seat), script)
        return after

    # ---- what is told

    def _names(self, *kinds: SeenKind) -> list[str]:
        return [event.name for event in self._events if event.kind in kinds and event.name]

    def _chance(self) -> list[SeenEvent]:
        """The events but for what is shown, which is no chance."""
        return [event for event in self._events if event.kind is not SeenKind.SHOW]

    def _told_of_hand(self) -> list[str]:
        """Tiles that are told to be in the other hand before the decision."""
        shown = self._names(SeenKind.SHOW)
        if self._own_decision:
            return [*shown, *self._names(SeenKind.STEAL)]
        kind, target = self._move.kind, self._move.target
        from_queue = target in bridge.codes(self._fields["queue"])  # beetle, not deer
        played = kind is MoveKind.PLAY or (kind is MoveKind.ADD and not from_queue)
        return [*shown, target] if played else shown

    def _check_words(self) -> None:
        for event in self._events:
            if event.kind is SeenKind.SHOW and event.name not in CELLS:
                raise self._error(f"nothing shows {event.name} to the seat")
            if event.kind is SeenKind.SPIRIT and bool(event.name) != self._own_decision:
                wanted = "'spirit' with its name" if self._own_decision else "'spirit' alone"
                raise self._error(f"{wanted} is due, not '{format_seen(event)}'")

    def _check_told_tiles(self) -> None:
        told = [*self._told_of_hand(), *self._names(SeenKind.DECK, SeenKind.FLIP)]
        for tile in told:
            if told.count(tile) > 1:
                raise self._error(f"{tile} is told twice")
        for tile in bridge.codes(self._held & ~self._possible_hand()):
            raise self._error(f"{tile} cannot have been in the other hand")
        for tile in bridge.codes(self._pooled & ~self._unseen):
            raise self._error(f"{tile} cannot have been in the deck or under the queue")

    def _check_legal(self, before: GameState) -> None:
        if _is_legal(before, self._move):
            return
        legal = ", ".join(str(bridge.move_from_code(code)) for code in before.legal_codes()[:8])
        # What the other player may do depends on stand-ins.
        told = f"; legal: {legal or 'nothing'}" if self._own_decision else ""
        raise TrackingError(f"{self._move} is not legal for seat {before.mover} now{told}")

    # ---- stand-ins

    def _possible_hand(self) -> int:
        """Tiles that can be in the other hand, as far as the seat knows."""
        possible: int = self._unseen & ~self._theirs["excluded"] | self._theirs["known"]
        return possible

    def _other_hand(self) -> int:
        """The other hand: what is known or told of it, and stand-ins for the rest."""
        hand: int = self._theirs["known"] | self._held
        missing = self._theirs["hand"].bit_count() - hand.bit_count()
        free = self._possible_hand() & ~hand & ~self._pooled
        if not 0 <= missing <= free.bit_count():
            raise self._error(f"{hand.bit_count()} tiles of the other hand do not fit its size")
        if missing and self._move.kind is MoveKind.PASS and not self._own_decision:
            free = self._without_playable(free, missing)
        return hand | _lowest(free, missing)

    def _without_playable(self, tiles: int, needed: int) -> int:
        """Those of ``tiles`` with which the other player may pass (R20)."""
        left = tiles & ~self._playable(tiles)
        if left.bit_count() < needed:
            raise self._error("the other hand must have held a tile that can be played")
        return left

    def _playable(self, tiles: int) -> int:
        return bridge.board(
            tile
            for tile in bridge.codes(tiles)
            if _is_legal(self._holding(bridge.board([tile])), Move(MoveKind.PLAY, tile))
        )

    def _holding(self, tile: int) -> GameState:
        """The state with this tile in the other hand, instead of a stand-in if need be."""
        hand: int = self._theirs["hand"]
        replaced = 0 if hand & tile else _lowest(hand & ~self._theirs["known"], 1)
        return self._with_hand(hand & ~replaced | tile)

    def _with_hand(self, hand: int) -> GameState:
        sides = list(self._fields["sides"])
        sides[1 - self._seat] = {**self._theirs, "hand": hand}
        pool = self._unseen & ~hand
        return GameState.from_fields({**self._fields, "sides": sides, "pool": pool})

    # ---- chance

    def _chance_events(self, free: int) -> list[SeenEvent]:
        """What happens by chance; an event without a name gets a stand-in, a tile of ``free``."""
        tiles, spirits = iter(bridge.codes(free)), iter(bridge.spirits(self._fields["spirit_deck"]))
        stand_ins = {SeenKind.DECK: tiles, SeenKind.SPIRIT: spirits}
        return [
            event if event.name else SeenEvent(event.kind, next(stand_ins[event.kind], CELLS[0]))
            for event in self._chance()
        ]

    def _misfit(self, feed: ChanceFeed) -> TrackingError:
        index, wanted = feed.failure or (0, -1)
        chance = self._chance()
        given = f"'{format_seen(chance[index])}'" if index < len(chance) else "missing"
        due = f"a possible '{_CHANCE_KINDS[wanted]}'" if wanted >= 0 else "no further event"
        return self._error(f"event {index + 1} is {given}, but {due} is due")

    def _check_seen(self, unseen: int, script: list[SeenEvent]) -> None:
        """No tile but those told may have become seen, and each of these must have."""
        for tile in bridge.codes(unseen & self._held):
            raise self._error(f"nothing shows {tile} to the seat")
        for tile in bridge.codes(unseen & self._pooled):
            raise self._error(f"the seat does not see '{SeenKind.DECK} {tile}': leave out the name")
        seen = bridge.codes(self._unseen & ~unseen & ~(self._held | self._pooled))
        for event, used in zip(self._chance(), script, strict=True):
            if not event.name and used.name in seen:
                raise self._error(f"the seat sees the tile of '{format_seen(event)}': name it")
        if seen:
            raise self._error("'show' of each tile in the other hand is due")

    def _error(self, reason: str) -> TrackingError:
        return TrackingError(f"after {self._move}: {reason}")


# ---- small steps -------------------------------------------------------------------------


def _checked_event(event: SeenEvent | str) -> SeenEvent:
    return parse_seen(format_seen(event) if isinstance(event, SeenEvent) else event)


def _words(events: Sequence[SeenEvent]) -> str:
    return ", ".join(f"'{format_seen(event)}'" for event in events) or "nothing"


def _unseen_tiles(fields: dict[str, Any], seat: int) -> int:
    """Tiles that the seat does not see and does not know to be in the other hand."""
    other = fields["sides"][1 - seat]
    unseen: int = fields["pool"] | (other["hand"] & ~other["known"])
    return unseen


def _lowest(tiles: int, number: int) -> int:
    return bridge.board(bridge.codes(tiles)[:number])


def _code(state: GameState, move: Move) -> int:
    return bridge.move_to_code(move, state.mover)


def _is_legal(state: GameState, move: Move) -> bool:
    return _code(state, move) in state.legal_codes()


def _feed(events: Sequence[SeenEvent]) -> ChanceFeed:
    return ChanceFeed.script([_numbers(event) for event in events[:_MOST_EVENTS]])


def _numbers(event: SeenEvent) -> tuple[int, int]:
    numbers = bridge.SPIRIT_NUMBERS if event.kind is SeenKind.SPIRIT else bridge.TILE_NUMBERS
    return _CHANCE_KINDS.index(ChanceKind(event.kind)), numbers[event.name]
