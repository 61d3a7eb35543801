"""Reading the line of an observation or position: words and numbers are checked, rules not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from solstis_ai.errors import NotationError
from solstis_ai.notation.codes import (
    OBSERVATION_HEAD,
    POSITION_HEAD,
    checked_code,
    checked_number,
    checked_word,
)
from solstis_ai.observation import (
    EvilSpiritPlace,
    Observation,
    Panorama,
    QueueTile,
    SpiritOnSquare,
    Turn,
)
from solstis_ai.position import EvilSpiritSeat, Position
from solstis_ai.vocabulary import CELLS, SPIRITS, SQUARES, Phase, Rules

__all__ = ["parse_observation", "parse_position"]

_T = TypeVar("_T")

_RULES = {
    "base": Rules(),
    "fireflies": Rules(fireflies=True),
    "no_evil_spirit": Rules(evil_spirit=False),
    "fireflies+no_evil_spirit": Rules(fireflies=True, evil_spirit=False),
}


def parse_observation(text: str) -> Observation:
    """Read the line of an observation; fields may come in any order.

    Raises:
        NotationError: If the text is not such a line; the message names the offending part.
    """
    fields = _Fields(text, OBSERVATION_HEAD)
    observation = Observation(
        rules=fields.read("rules", _rules),
        phase=fields.read("phase", _phase),
        your_hand=fields.tiles("you.hand"),
        opponent_hand_size=fields.read("opponent.hand", checked_number),
        opponent_known_tiles=fields.tiles("opponent.known"),
        opponent_excluded_tiles=fields.tiles("opponent.excluded"),
        deck_size=fields.read("deck", checked_number),
        queue=fields.read("queue", _queue, ()),
        you=_panorama(fields, "you"),
        opponent=_panorama(fields, "opponent"),
        discarded_tiles=fields.tiles("discarded"),
        spirit_line=fields.spirits("line"),
        spirit_deck_size=fields.read("spirit_deck", checked_number),
        evil_spirit=fields.read("evil_spirit", _place, EvilSpiritPlace.HIDDEN),
        turn=_turn(fields),
    )
    fields.finish()
    return observation


def parse_position(text: str) -> Position:
    """Read the line of a position; fields may come in any order.

    Raises:
        NotationError: If the text is not such a line; the message names the offending part.
    """
    fields = _Fields(text, POSITION_HEAD)
    position = Position(
        rules=fields.read("rules", _rules),
        phase=fields.read("phase", _phase),
        player=fields.read("player", _player),
        hands=(fields.tiles("0.hand"), fields.tiles("1.hand")),
        known=(fields.tiles("0.known"), fields.tiles("1.known")),
        excluded=(fields.tiles("0.excluded"), fields.tiles("1.excluded")),
        deck_size=fields.read("deck", checked_number),
        queue=fields.read("queue", _queue, ()),
        panoramas=(_panorama(fields, "0"), _panorama(fields, "1")),
        discarded_tiles=fields.tiles("discarded"),
        spirit_line=fields.spirits("line"),
        spirit_deck_size=fields.read("spirit_deck", checked_number),
        evil_spirit=fields.read("evil_spirit", _seat, EvilSpiritSeat.HIDDEN),
        turn=_turn(fields),
    )
    fields.finish()
    return position


class _Fields:
    """The fields of a line, each to be read once. A reader gets the key, for its errors."""

    def __init__(self, text: str, head: str) -> None:
        first, *words = text.split() or [""]
        if first != head:
            raise NotationError(f"the first word is {first!r:.40}, must be {head!r}")
        self._texts: dict[str, str] = {}
        for word in words:
            self._add(word)

    def _add(self, word: str) -> None:
        key, equals, text = word.partition("=")
        if not (key and equals and text):
            raise NotationError(f"{word!r:.60} is no field, a field is key=value")
        if key in self._texts:
            raise NotationError(f"{key!r:.40} is there twice")
        self._texts[key] = text

    def read(self, key: str, reader: Callable[[str, str], _T], default: _T | None = None) -> _T:
        """The value of a field; without a default it must be there."""
        text = self._texts.pop(key, None)
        if text is not None:
            return reader(key, text)
        if default is None:
            raise NotationError(f"field {key!r} is missing")
        return default

    def tiles(self, key: str) -> tuple[str, ...]:
        """A list of tiles or cells in board order, empty if it is not there."""
        return self.read(key, _cells, ())

    def spirits(self, key: str) -> tuple[str, ...]:
        """A list of spirits in the order of the vocabulary, empty if it is not there."""
        return self.read(key, _spirits, ())

    def finish(self) -> None:
        """Refuse fields that nobody has read."""
        for key in self._texts:
            raise NotationError(f"{key!r:.40} is no field of this line")


def _rules(key: str, text: str) -> Rules:
    return _RULES[checked_code(key, text, tuple(_RULES))]


def _phase(key: str, text: str) -> Phase:
    return checked_word(key, text, Phase)


def _player(key: str, text: str) -> int:
    return int(checked_code(key, text, ("0", "1")))


def _place(key: str, text: str) -> EvilSpiritPlace:
    return checked_word(key, text, EvilSpiritPlace)


def _seat(key: str, text: str) -> EvilSpiritSeat:
    return checked_word(key, text, EvilSpiritSeat)


def _yes(key: str, text: str) -> bool:
    return checked_code(key, text, ("yes",)) == "yes"


def _cell(key: str, text: str) -> str:
    return checked_code(key, text, CELLS)


def _spirit(key: str, text: str) -> str:
    return checked_code(key, text, SPIRITS)


def _cells(key: str, text: str) -> tuple[str, ...]:
    return tuple(_cell(key, code) for code in text.split(","))


def _squares(key: str, text: str) -> tuple[str, ...]:
    return tuple(checked_code(key, code, SQUARES) for code in text.split(","))


def _spirits(key: str, text: str) -> tuple[str, ...]:
    return tuple(_spirit(key, code) for code in text.split(","))


def _queue(key: str, text: str) -> tuple[QueueTile, ...]:
    return tuple(
        QueueTile(_cell(key, word.removesuffix("*")), word.endswith("*"))
        for word in text.split(",")
    )


def _met(key: str, text: str) -> tuple[SpiritOnSquare, ...]:
    return tuple(_met_spirit(key, word) for word in text.split(","))


def _met_spirit(key: str, word: str) -> SpiritOnSquare:
    spirit, _, square = word.removesuffix("!").partition("@")
    checked_code(key, square, SQUARES)
    return SpiritOnSquare(_spirit(key, spirit), square, word.endswith("!"))


def _panorama(fields: _Fields, owner: str) -> Panorama:
    return Panorama(
        tiles=fields.tiles(f"{owner}.tiles"),
        rainbows=fields.tiles(f"{owner}.rainbows"),
        spirits=fields.read(f"{owner}.spirits", _met, ()),
        firefly_squares=fields.read(f"{owner}.fireflies", _squares, ()),
        evil_spirit_cell=fields.read(f"{owner}.evil_cell", _cell, ""),
    )


def _turn(fields: _Fields) -> Turn:
    return Turn(
        played_tile=fields.read("turn.played", _cell, ""),
        drawn_tile=fields.read("turn.drawn", _cell, ""),
        rainbows_to_place=fields.read("turn.rainbows", checked_number, 0),
        filled_cells=fields.tiles("turn.filled"),
        drawn_spirits=fields.spirits("turn.spirits"),
        met_spirit=fields.read("turn.met", _spirit, ""),
        extra_turn=fields.read("turn.extra", _yes, False),
        forced_tile=fields.read("turn.forced", _cell, ""),
        opponent_passed=fields.read("turn.passed", _yes, False),
    )
