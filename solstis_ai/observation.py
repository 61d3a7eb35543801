"""What one seat may see and know when it has to decide (rules, section 9).

The names are those of the wire message ``solstis_ai.v1.Observation``, so that a field
path means the same in both. No field can hold a tile that the seat may not see.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from solstis_ai.vocabulary import Phase, Rules

__all__ = [
    "EvilSpiritPlace",
    "Observation",
    "Panorama",
    "QueueTile",
    "SpiritOnSquare",
    "Turn",
]


class EvilSpiritPlace(StrEnum):
    """Where the evil spirit is, told from the observing seat."""

    HIDDEN = "hidden"
    """Face down in the spirit deck, or not in this game at all."""
    DRAWN = "drawn"
    """Drawn this turn and not yet kept (R15) or placed (R26)."""
    YOU = "you"
    """Before you (base game) or on your panorama (expansion)."""
    OPPONENT = "opponent"
    """Before the opponent (base game) or on the opponent's panorama (expansion)."""
    OUT = "out"
    """Out of the game (R26)."""


@dataclass(frozen=True, slots=True)
class QueueTile:
    """A face-up queue tile, and whether a face-down tile lies under it (R6)."""

    tile: str
    covers: bool = False


@dataclass(frozen=True, slots=True)
class SpiritOnSquare:
    """A met spirit, its square, and whether the evil spirit has covered it (R14, R23a)."""

    spirit: str
    square: str
    covered: bool = False


@dataclass(frozen=True, slots=True)
class Panorama:
    """What lies before one player; all codes in board order.

    Attributes:
        tiles: Land tiles, each on its own cell.
        rainbows: Cells that hold a rainbow.
        spirits: Spirits met, with their squares.
        firefly_squares: Squares that carry a firefly token (R25).
        evil_spirit_cell: Cell of the evil spirit in the expansion (R26), else empty.
    """

    tiles: tuple[str, ...] = ()
    rainbows: tuple[str, ...] = ()
    spirits: tuple[SpiritOnSquare, ...] = ()
    firefly_squares: tuple[str, ...] = ()
    evil_spirit_cell: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """What is pending in the turn under way; at its beginning all but the last two is empty.

    Attributes:
        played_tile: Hand tile played this turn; in phase ``capture`` only.
        drawn_tile: Tile drawn for the second chance, which captures (R9); ``capture`` only.
        rainbows_to_place: Rainbows still to place, this one included.
        filled_cells: Cells of the own panorama filled this turn.
        drawn_spirits: The one or two spirits drawn; in phase ``meet_drawn`` only.
        met_spirit: Spirit met this turn, else empty.
        extra_turn: Whether another turn of this seat follows (groundhog).
        forced_tile: Tile forced by the fox: of the own hand at the beginning of the turn,
            of the opponent's hand once this seat has chosen it.
        opponent_passed: Whether the opponent has just passed (R21).
    """

    played_tile: str = ""
    drawn_tile: str = ""
    rainbows_to_place: int = 0
    filled_cells: tuple[str, ...] = ()
    drawn_spirits: tuple[str, ...] = ()
    met_spirit: str = ""
    extra_turn: bool = False
    forced_tile: str = ""
    opponent_passed: bool = False


@dataclass(frozen=True, slots=True)
class Observation:
    """All that one seat may see and know.

    Attributes:
        rules: The variant.
        phase: The decision that is due to this seat.
        your_hand: Own hand.
        opponent_hand_size: Number of tiles in the other hand.
        opponent_known_tiles: Tiles known to be in the other hand (fox).
        opponent_excluded_tiles: Unseen tiles known not to be in the other hand (pass).
        deck_size: Number of face-down tiles in the deck.
        queue: Face-up queue tiles.
        you: Own panorama.
        opponent: The other panorama.
        discarded_tiles: Tiles out of the game (R12).
        spirit_line: Face-up spirits beside the spirit deck.
        spirit_deck_size: Number of spirits in the spirit deck.
        evil_spirit: Where the evil spirit is.
        turn: What is pending this turn.
    """

    rules: Rules
    phase: Phase
    your_hand: tuple[str, ...]
    opponent_hand_size: int
    deck_size: int
    queue: tuple[QueueTile, ...]
    you: Panorama
    opponent: Panorama
    spirit_deck_size: int
    opponent_known_tiles: tuple[str, ...] = ()
    opponent_excluded_tiles: tuple[str, ...] = ()
    discarded_tiles: tuple[str, ...] = ()
    spirit_line: tuple[str, ...] = ()
    evil_spirit: EvilSpiritPlace = EvilSpiritPlace.HIDDEN
    turn: Turn = field(default_factory=Turn)
