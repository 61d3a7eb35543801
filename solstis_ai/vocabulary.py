"""The words of the game: tiles, spirits, phases and decisions (rules R1-R5 and section 10).

Pure vocabulary, no rules. A tile, and the cell where it belongs, is a row letter and a
column, ``"r1"`` to ``"p7"``; a square is named by its bottom-left cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from solstis_ai.errors import NotationError

__all__ = [
    "BLUE_SPIRITS",
    "BROWN_SPIRITS",
    "CELLS",
    "RAINBOW_TOTAL",
    "RED_SPIRIT",
    "SPIRITS",
    "SQUARES",
    "Move",
    "MoveKind",
    "Phase",
    "Rules",
    "cells_of_square",
]

ROW_LETTERS = "rogbkp"
_ROW_COLUMNS = ((1, 10), (1, 10), (1, 10), (2, 9), (3, 8), (4, 7))

CELLS: tuple[str, ...] = tuple(
    f"{letter}{column}"
    for letter, (first, last) in zip(ROW_LETTERS, _ROW_COLUMNS, strict=True)
    for column in range(first, last + 1)
)
"""All 48 tiles (and cells), from the bottom row up and from left to right (R1)."""

RAINBOW_TOTAL = 12
"""Number of rainbow tiles (R3)."""

BLUE_SPIRITS = ("bee", "ladybug", "wolf", "squirrel", "bird", "frog", "moth", "cow", "phoenix")
BROWN_SPIRITS = ("fish", "deer", "eagle", "bear", "fly", "beetle", "groundhog", "viper", "fox")
RED_SPIRIT = "evil_spirit"
FIREFLIES_SPIRITS = frozenset({"cow", "phoenix", "viper", "fox"})

SPIRITS: tuple[str, ...] = (*BLUE_SPIRITS, *BROWN_SPIRITS, RED_SPIRIT)
"""All spirits: blue, then brown, then the evil spirit (R4)."""


def cells_of_square(square: str) -> tuple[str, str, str, str]:
    """The four cells of the 2x2 square with bottom-left cell ``square`` (R1).

    Cells that do not exist are named all the same; compare with ``SQUARES``.
    """
    row, column = ROW_LETTERS.index(square[0]), int(square[1:])
    above = ROW_LETTERS[row + 1] if row + 1 < len(ROW_LETTERS) else "?"
    return square, f"{square[0]}{column + 1}", f"{above}{column}", f"{above}{column + 1}"


SQUARES: tuple[str, ...] = tuple(
    cell for cell in CELLS if all(corner in CELLS for corner in cells_of_square(cell))
)
"""The 33 squares, named by their bottom-left cells (R1)."""


class Phase(StrEnum):
    """The kind of decision that is due; ``OVER`` when there is none."""

    PLAY = "play"
    CAPTURE = "capture"
    RAINBOW = "rainbow"
    MEET = "meet"
    MEET_DRAWN = "meet_drawn"
    ADD = "add"
    TAKE = "take"
    FORCE = "force"
    EVIL = "evil"
    COVER = "cover"
    FINAL_RAINBOW = "final_rainbow"
    OVER = "over"


class MoveKind(StrEnum):
    """The first word of a decision (rules, section 10)."""

    PLAY = "play"
    CAPTURE = "capture"
    RAINBOW = "rainbow"
    DRAW = "draw"
    MEET = "meet"
    ADD = "add"
    TAKE = "take"
    FORCE = "force"
    EVIL = "evil"
    PASS = "pass"
    COVER = "cover"


_WITHOUT_TARGET = (MoveKind.DRAW, MoveKind.PASS)
_WITH_SPIRIT = (MoveKind.MEET, MoveKind.COVER)


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """One decision; ``str(move)`` gives its words and ``Move.parse`` reads them.

    Attributes:
        kind: The kind of decision.
        target: Tile, cell or spirit; empty for ``draw`` and ``pass``.
        square: The square that receives the spirit; ``meet`` only.
    """

    kind: MoveKind
    target: str = ""
    square: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.kind, self.target, self.square)))

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read the words of a decision, such as ``"meet bee g5"``.

        Raises:
            NotationError: If ``text`` is not a decision in the words of section 10.
        """
        words = text.split()
        if not words or words[0] not in list(MoveKind):
            raise NotationError(f"{text!r} is not a move; moves begin with {', '.join(MoveKind)}")
        kind = MoveKind(words[0])
        expected = 1 if kind in _WITHOUT_TARGET else 3 if kind is MoveKind.MEET else 2
        if len(words) != expected:
            raise NotationError(f"{text!r}: {kind!s} takes {expected - 1} word(s) after it")
        move = cls(kind, *words[1:])
        move._check_words()
        return move

    def _check_words(self) -> None:
        allowed = SPIRITS if self.kind in _WITH_SPIRIT else CELLS
        if self.target and self.target not in allowed:
            noun = "spirit" if self.kind in _WITH_SPIRIT else "tile"
            raise NotationError(f"{str(self)!r}: {self.target!r} is no {noun}")
        if self.square and self.square not in SQUARES:
            raise NotationError(f"{str(self)!r}: {self.square!r} is no square")


@dataclass(frozen=True, slots=True)
class Rules:
    """The variant (R5).

    Attributes:
        fireflies: Play the Fireflies expansion.
        evil_spirit: Play with the evil spirit; False is the beginner's game.
    """

    fireflies: bool = False
    evil_spirit: bool = True

    @property
    def spirits(self) -> tuple[str, ...]:
        """The spirits of this variant, in the order of ``SPIRITS``."""
        return tuple(
            spirit
            for spirit in SPIRITS
            if (self.fireflies or spirit not in FIREFLIES_SPIRITS)
            and (self.evil_spirit or spirit != RED_SPIRIT)
        )
