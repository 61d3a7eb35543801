"""The complete true state of a game between two decisions.

Chance is lazy: the order of the two decks and the tiles under the queue are not part of it. All
unseen tiles form one pool, all unseen spirits another, and a draw picks from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from solstis_ai.observation import Panorama, QueueTile, Turn
from solstis_ai.vocabulary import CELLS, Phase, Rules

__all__ = ["EvilSpiritSeat", "Position"]

Tiles = tuple[str, ...]


class EvilSpiritSeat(StrEnum):
    """Where the evil spirit is, told with absolute seats."""

    HIDDEN = "hidden"
    """Face down in the spirit deck, or not in this game at all."""
    DRAWN = "drawn"
    """Drawn this turn and not yet kept (R15) or placed (R26)."""
    PLAYER_0 = "0"
    """Before player 0 (base game) or on that panorama (expansion)."""
    PLAYER_1 = "1"
    """Before player 1 (base game) or on that panorama (expansion)."""
    OUT = "out"
    """Out of the game (R26)."""


@dataclass(frozen=True, slots=True)
class Position:
    """A game between two decisions; pairs are indexed by player, 0 begins.

    Attributes:
        rules: The variant.
        phase: The decision that is due.
        player: Who decides, 0 or 1.
        hands: The two hands.
        deck_size: Number of face-down tiles in the deck.
        queue: Face-up queue tiles.
        panoramas: The two panoramas.
        spirit_deck_size: Number of spirits in the spirit deck.
        known: Tiles of each hand that the other player knows (fox).
        excluded: Tiles that cannot be in each hand, because of a pass (rules, section 9).
        discarded_tiles: Tiles out of the game (R12).
        spirit_line: Face-up spirits beside the spirit deck.
        evil_spirit: Where the evil spirit is.
        turn: What is pending; ``opponent_passed`` tells whether the turn before was a pass.
    """

    rules: Rules
    phase: Phase
    player: int
    hands: tuple[Tiles, Tiles]
    deck_size: int
    queue: tuple[QueueTile, ...]
    panoramas: tuple[Panorama, Panorama]
    spirit_deck_size: int
    known: tuple[Tiles, Tiles] = ((), ())
    excluded: tuple[Tiles, Tiles] = ((), ())
    discarded_tiles: Tiles = ()
    spirit_line: tuple[str, ...] = ()
    evil_spirit: EvilSpiritSeat = EvilSpiritSeat.HIDDEN
    turn: Turn = field(default_factory=Turn)

    @property
    def pool(self) -> Tiles:
        """The tiles of the deck and under the queue, in board order."""
        panoramas = (tile for panorama in self.panoramas for tile in panorama.tiles)
        placed = {*panoramas, *self.discarded_tiles, *(place.tile for place in self.queue)}
        held = {*self.hands[0], *self.hands[1], self.turn.played_tile, self.turn.drawn_tile}
        return tuple(tile for tile in CELLS if tile not in placed | held)
