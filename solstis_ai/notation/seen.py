"""The words of chance as one seat sees it: those of section 10, some without name, and "show"."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from solstis_ai.errors import NotationError
from solstis_ai.notation.codes import checked_code, checked_text, checked_word
from solstis_ai.vocabulary import CELLS, SPIRITS

__all__ = ["SeenEvent", "SeenKind", "format_seen", "parse_seen"]


class SeenKind(StrEnum):
    """The first word of an event as one seat sees it."""

    DECK = "deck"
    """A tile drawn from the deck; without a name when the other player draws it unseen."""
    FLIP = "flip"
    """A tile turned up in the queue."""
    STEAL = "steal"
    """A tile that the fly takes out of a hand."""
    SPIRIT = "spirit"
    """A spirit drawn; without a name when the other player draws it."""
    SHOW = "show"
    """What was hidden until now: a tile of the other hand, or the other one of two spirits."""


_UNSEEN = (SeenKind.DECK, SeenKind.SPIRIT)


@dataclass(frozen=True, slots=True)
class SeenEvent:
    """What one seat sees of chance after a move; ``name`` is empty when it does not see which."""

    kind: SeenKind
    name: str = ""


def format_seen(event: SeenEvent) -> str:
    """The words of an event, such as ``"deck g5"``, or ``"deck"`` when the tile is not seen."""
    return " ".join(filter(None, (event.kind, event.name)))


def parse_seen(text: str) -> SeenEvent:
    """Read the words of an event as one seat sees it.

    Raises:
        NotationError: If ``text`` is no such event; only ``deck`` and ``spirit`` may lack a name.
    """
    first, _, name = checked_text("event", text).partition(" ")
    kind = checked_word("event", first, SeenKind)
    if name:
        checked_code(repr(text)[:40], name, _names(kind))
    elif kind not in _UNSEEN:
        raise NotationError(f"{text!r}: {kind} needs a name, such as '{kind} g5'")
    return SeenEvent(kind, name)


def _names(kind: SeenKind) -> tuple[str, ...]:
    if kind is SeenKind.SHOW:
        return (*CELLS, *SPIRITS)
    return SPIRITS if kind is SeenKind.SPIRIT else CELLS
