"""The words of chance events (rules, section 10)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from solstis_ai.notation.codes import checked_code, checked_text, checked_word
from solstis_ai.vocabulary import CELLS, SPIRITS

__all__ = ["ChanceEvent", "ChanceKind", "format_chance", "parse_chance"]


class ChanceKind(StrEnum):
    """The first word of a chance event (rules, section 10)."""

    DECK = "deck"
    FLIP = "flip"
    STEAL = "steal"
    SPIRIT = "spirit"


@dataclass(frozen=True, slots=True)
class ChanceEvent:
    """What chance decided after a move; ``name`` is a tile or, after ``spirit``, a spirit."""

    kind: ChanceKind
    name: str


def format_chance(event: ChanceEvent) -> str:
    """The words of a chance event, such as ``"deck g5"``."""
    return f"{event.kind} {event.name}"


def parse_chance(text: str) -> ChanceEvent:
    """Read the words of a chance event.

    Raises:
        NotationError: If ``text`` is not a chance event in the words of section 10.
    """
    kind, _, name = checked_text("chance event", text).partition(" ")
    event = ChanceEvent(checked_word("chance event", kind, ChanceKind), name)
    checked_code(repr(text)[:40], name, SPIRITS if event.kind is ChanceKind.SPIRIT else CELLS)
    return event
