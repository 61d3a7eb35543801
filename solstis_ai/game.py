"""A game of Solstis for Python users: ``Game`` in the manner of python-chess.

>>> game = Game(seed=1)
>>> len(game.legal_moves)
3
>>> move = next(iter(game.legal_moves))
>>> events = game.push(move)
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from solstis_ai import bridge
from solstis_ai._fast import ChanceFeed, GameState
from solstis_ai.errors import GameError, IllegalMoveError, NotationError
from solstis_ai.notation import (
    ChanceEvent,
    ChanceKind,
    format_chance,
    format_position,
    parse_chance,
)
from solstis_ai.notation.codes import checked_list
from solstis_ai.observation import Observation, Panorama
from solstis_ai.position import Position
from solstis_ai.vocabulary import BLUE_SPIRITS, CELLS, Move, Phase, Rules

__all__ = ["Game", "LegalMoves", "Score", "Setup"]

_CHANCE_KINDS = tuple(ChanceKind)

_MOST_EVENTS = 16  # MAX_EVENTS of the core: more than follow any decision


@dataclass(frozen=True, slots=True)
class Setup:
    """The dealt tiles (R6).

    Attributes:
        hands: Two hands of three tiles, player 0 first.
        queue: Six pairs (face-up tile, face-down tile below it).
    """

    hands: tuple[tuple[str, ...], tuple[str, ...]]
    queue: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        if not _are_groups(self.hands, 2, 3) or not _are_groups(self.queue, 6, 2):
            raise NotationError("setup: two hands of three tiles and six queue pairs are needed")
        tiles = self.tiles
        for tile in tiles:
            if tile not in CELLS:
                raise NotationError(f"setup: {tile!r} is no tile")
        if len(set(tiles)) != len(tiles):
            raise NotationError("setup: a tile is dealt twice")

    @property
    def tiles(self) -> list[str]:
        """All tiles that are not in the deck."""
        return [*self.hands[0], *self.hands[1], *(tile for pair in self.queue for tile in pair)]


def _are_groups(groups: object, number: int, size: int) -> bool:
    """Whether these are so many sequences of so many members."""
    return (
        isinstance(groups, tuple | list)
        and len(groups) == number
        and all(isinstance(group, tuple | list) and len(group) == size for group in groups)
    )


@dataclass(frozen=True, slots=True)
class Score:
    """Stars of one player by part (R24).

    Attributes:
        total: Sum of all parts.
        area: Land tiles of the largest area.
        fires: Fire icons on lit land tiles.
        spirits: Uncovered spirits.
        spirit_bonus: Further stars by uncovered blue spirit that gives any kind of them.
        fireflies: Fireflies on lit squares.
    """

    total: int
    area: int
    fires: int
    spirits: int
    spirit_bonus: dict[str, int] = field(default_factory=dict)
    fireflies: int = 0


class LegalMoves:
    """A view of the legal decisions of a game: iterate, ``in`` (moves or their words), ``len``.

    The view is live: it tells the decisions of the game as it stands when asked.
    """

    def __init__(self, state: GameState) -> None:
        self._state = state

    def __iter__(self) -> Iterator[Move]:
        return map(bridge.move_from_code, self._state.legal_codes())

    def __len__(self) -> int:
        return self._state.legal_count()

    def __contains__(self, move: object) -> bool:
        return any(move in (legal, str(legal)) for legal in self)

    def __repr__(self) -> str:
        return f"<LegalMoves: {', '.join(map(str, self)) or 'none'}>"


class Game:
    """One game between players 0 and 1; player 0 begins.

    Args:
        rules: The variant; the base game by default.
        seed: Determines the whole shuffle. Any integer; a random one by default.
        setup: Dealt tiles; the rest is shuffled by ``seed``.

    Raises:
        GameError: If the rules do not go together (R5).
        NotationError: If the setup is not one.
    """

    def __init__(
        self, rules: Rules | None = None, *, seed: int | None = None, setup: Setup | None = None
    ) -> None:
        self._rules = _checked(rules or Rules())
        shuffle = _Shuffle(self._rules, secrets.randbits(64) if seed is None else seed, setup)
        self._state = shuffle.state()
        self._feed = shuffle.feed()

    @classmethod
    def from_position(cls, position: Position, *, seed: int | None = None) -> Game:
        """Go on from a full state; what is hidden is drawn at random by ``seed``.

        Raises:
            GameError: If the position is no state of the game.
        """
        game = cls.__new__(cls)
        game._rules = _checked(position.rules)
        try:
            game._state = bridge.state_of_position(position)
        except ValueError as error:
            raise GameError(f"position: {error}") from error
        game._feed = ChanceFeed.random(secrets.randbits(64) if seed is None else seed % (1 << 64))
        return game

    @property
    def rules(self) -> Rules:
        """The variant."""
        return self._rules

    @property
    def phase(self) -> Phase:
        """The kind of decision that is due."""
        return tuple(Phase)[self._state.phase]

    @property
    def player(self) -> int:
        """The player who decides, 0 or 1."""
        return self._state.mover

    @property
    def over(self) -> bool:
        """Whether the game has ended (R21, R25)."""
        return self.phase is Phase.OVER

    @property
    def legal_moves(self) -> LegalMoves:
        """All decisions that the player may take; none when the game is over."""
        return LegalMoves(self._state)

    def push(
        self, move: Move | str, chance: Sequence[ChanceEvent | str] | None = None
    ) -> tuple[ChanceEvent, ...]:
        """Take a decision; on an error the game stays as it was.

        Args:
            move: The decision, or its words.
            chance: What chance adds, instead of what the shuffle would: all events that
                follow, in order.

        Returns:
            The chance events that followed.

        Raises:
            NotationError: If the words are no move or no chance event, or ``chance`` is no list.
            IllegalMoveError: If the move is not legal, or ``chance`` does not fit it.
        """
        if isinstance(move, str):
            move = Move.parse(move)
        if move not in self.legal_moves:
            raise IllegalMoveError(self._illegal(move))
        code = bridge.move_to_code(move, self.player)
        if chance is None:
            self._state.apply(code, self._feed)
            return _events(self._feed)
        events = [_checked_event(e) for e in checked_list("chance", chance, "['flip o8']")]
        feed = ChanceFeed.script([_event_numbers(event) for event in events[:_MOST_EVENTS]])
        try:
            self._state.apply(code, feed)
        except ValueError as error:
            raise IllegalMoveError(_misfit(move, events, feed)) from error
        return _events(feed)

    def copy(self) -> Game:
        """An independent copy that will see the same chance."""
        other = Game.__new__(Game)
        other._rules = self._rules
        other._state = self._state.copy()
        other._feed = self._feed.copy()
        return other

    def observation(self, seat: int) -> Observation:
        """What this seat may see and know; it must be the seat that decides.

        Raises:
            GameError: If the game is over or the other seat decides.
        """
        if self.over:
            raise GameError("the game is over: there is nothing to decide")
        if seat != self.player:
            raise GameError(f"seat {seat!r} does not decide now, seat {self.player} does")
        return bridge.observation_of_state(self._state, self._rules, seat)

    def position(self) -> Position:
        """The full state, hidden hands included."""
        return bridge.position_of_state(self._state, self._rules)

    def panorama(self, player: int) -> Panorama:
        """What lies before one player."""
        return self.position().panoramas[_checked_player(player)]

    def score(self, player: int) -> Score:
        """Stars of a player as if the game ended now, last acts left out (R24)."""
        total, area, fires, spirits, bonus, fireflies = self._state.score(_checked_player(player))
        owned = {on.spirit for on in self.panorama(player).spirits if not on.covered}
        scoring = [spirit for spirit in BLUE_SPIRITS if spirit in owned and spirit != "squirrel"]
        return Score(
            total=total,
            area=area,
            fires=fires,
            spirits=spirits,
            spirit_bonus={spirit: bonus[BLUE_SPIRITS.index(spirit)] for spirit in scoring},
            fireflies=fireflies,
        )

    @property
    def winner(self) -> int | None:
        """0 or 1 once the game is over and not a draw (R24, R25), else None."""
        half_points = self._state.half_points()
        return None if not self.over or half_points == 1 else int(half_points == 0)

    def __repr__(self) -> str:
        return f"<Game: {format_position(self.position())}>"

    def _illegal(self, move: Move) -> str:
        shown = [str(legal) for legal in self.legal_moves][:8]
        more = ", ..." if len(self.legal_moves) > len(shown) else ""
        return f"{move} is not legal now; legal: {', '.join(shown) or 'nothing'}{more}"


def _checked(rules: Rules) -> Rules:
    if rules.fireflies and not rules.evil_spirit:
        raise GameError("rules: the beginner's game does not go together with Fireflies (R5)")
    return rules


def _checked_player(player: int) -> int:
    if player not in (0, 1):
        raise GameError(f"player {player!r} is neither 0 nor 1")
    return player


class _Shuffle:
    """A complete shuffle by one seed: setup, deck, queue bottoms and spirit deck (R6)."""

    def __init__(self, rules: Rules, seed: int, setup: Setup | None) -> None:
        self._rules = rules
        # random.Random takes the absolute value of a number, but a text as it is.
        self._random = random.Random(seed if seed >= 0 else str(seed))
        dealt = setup.tiles if setup else []
        rest = self._shuffled([tile for tile in CELLS if tile not in dealt])
        if setup is None:
            tiles, rest = rest[:18], rest[18:]
            pairs = tuple(zip(tiles[:6], tiles[6:12], strict=True))
            setup = Setup((tuple(tiles[12:15]), tuple(tiles[15:])), pairs)
        self._setup = setup
        self._deck = rest
        self._spirits = self._shuffled(rules.spirits)

    def _shuffled(self, items: Sequence[str]) -> list[str]:
        """Fisher-Yates on ``random()``, whose sequence for a seed never changes."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            chosen = int(self._random.random() * (last + 1))
            deck[last], deck[chosen] = deck[chosen], deck[last]
        return deck

    def state(self) -> GameState:
        """The dealt state."""
        empty = GameState.empty(self._rules.fireflies, bridge.spirit_mask(self._rules.spirits))
        fields = empty.fields()
        queue = bridge.board(up for up, _ in self._setup.queue)
        fields.update(queue=queue, covering=queue, deck_size=len(self._deck))
        for side, hand in zip(fields["sides"], self._setup.hands, strict=True):
            side["hand"] = bridge.board(hand)
            queue |= side["hand"]
        fields["pool"] &= ~queue
        return GameState.from_fields(fields)

    def feed(self) -> ChanceFeed:
        """The chance of this shuffle."""
        numbers = bridge.TILE_NUMBERS
        return ChanceFeed.deal(
            deck=[numbers[tile] for tile in self._deck],
            under={numbers[up]: numbers[below] for up, below in self._setup.queue},
            spirits=[bridge.SPIRIT_NUMBERS[spirit] for spirit in self._spirits],
            seed=self._random.getrandbits(64),
        )


def _checked_event(event: ChanceEvent | str) -> ChanceEvent:
    return parse_chance(format_chance(event) if isinstance(event, ChanceEvent) else event)


def _event_numbers(event: ChanceEvent) -> tuple[int, int]:
    numbers = bridge.SPIRIT_NUMBERS if event.kind is ChanceKind.SPIRIT else bridge.TILE_NUMBERS
    return _CHANCE_KINDS.index(event.kind), numbers[event.name]


def _events(feed: ChanceFeed) -> tuple[ChanceEvent, ...]:
    names: tuple[dict[int, str], dict[int, str]] = (
        bridge.TILE_CODES,
        dict(enumerate(bridge.SPIRIT_NUMBERS)),
    )
    return tuple(
        ChanceEvent(_CHANCE_KINDS[kind], names[_CHANCE_KINDS[kind] is ChanceKind.SPIRIT][value])
        for kind, value in feed.events
    )


def _misfit(move: Move, chance: Sequence[ChanceEvent], feed: ChanceFeed) -> str:
    index, wanted = feed.failure or (0, -1)
    given = f"'{format_chance(chance[index])}'" if index < len(chance) else "no event"
    due = f"a possible '{_CHANCE_KINDS[wanted]}' event" if wanted >= 0 else "no further event"
    return f"after {move}: chance event {index + 1} is {given}, but {due} is due"
