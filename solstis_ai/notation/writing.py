"""Writing the line of an observation or position: canonical, empty fields left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from solstis_ai.notation.codes import (
    OBSERVATION_HEAD,
    POSITION_HEAD,
    checked_code,
    checked_number,
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
from solstis_ai.vocabulary import CELLS, SPIRITS, SQUARES, Rules

__all__ = ["format_observation", "format_position"]

_Pairs = Iterator[tuple[str, str]]
"""Fields as pairs of key and text; an empty text leaves the field out."""


def format_observation(observation: Observation) -> str:
    """The canonical line of an observation: lists in board order, empty fields left out.

    Raises:
        NotationError: If the observation has a code or number that no line can hold.
    """
    return _join(OBSERVATION_HEAD, _observation_fields(observation))


def format_position(position: Position) -> str:
    """The canonical line of a position: lists in board order, empty fields left out.

    Raises:
        NotationError: If the position has a code or number that no line can hold.
    """
    return _join(POSITION_HEAD, _position_fields(position))


def _join(head: str, pairs: Iterable[tuple[str, str]]) -> str:
    return " ".join([head, *(f"{key}={text}" for key, text in pairs if text)])


def _observation_fields(observation: Observation) -> _Pairs:
    yield "rules", _rules_text(observation.rules)
    yield "phase", observation.phase
    yield "deck", _number_text(observation.deck_size)
    yield "queue", _queue_text(observation.queue)
    yield "you.hand", _cells_text(observation.your_hand)
    yield from _panorama_fields("you", observation.you)
    yield "opponent.hand", _number_text(observation.opponent_hand_size)
    yield "opponent.known", _cells_text(observation.opponent_known_tiles)
    yield "opponent.excluded", _cells_text(observation.opponent_excluded_tiles)
    yield from _panorama_fields("opponent", observation.opponent)
    yield "discarded", _cells_text(observation.discarded_tiles)
    yield "spirit_deck", _number_text(observation.spirit_deck_size)
    yield "line", _spirits_text(observation.spirit_line)
    yield "evil_spirit", _unless(observation.evil_spirit, EvilSpiritPlace.HIDDEN)
    yield from _turn_fields(observation.turn)


def _position_fields(position: Position) -> _Pairs:
    yield "rules", _rules_text(position.rules)
    yield "phase", position.phase
    yield "player", checked_code("player", str(position.player), ("0", "1"))
    yield "deck", _number_text(position.deck_size)
    yield "queue", _queue_text(position.queue)
    for seat in (0, 1):
        yield f"{seat}.hand", _cells_text(position.hands[seat])
        yield f"{seat}.known", _cells_text(position.known[seat])
        yield f"{seat}.excluded", _cells_text(position.excluded[seat])
        yield from _panorama_fields(str(seat), position.panoramas[seat])
    yield "discarded", _cells_text(position.discarded_tiles)
    yield "spirit_deck", _number_text(position.spirit_deck_size)
    yield "line", _spirits_text(position.spirit_line)
    yield "evil_spirit", _unless(position.evil_spirit, EvilSpiritSeat.HIDDEN)
    yield from _turn_fields(position.turn)


def _panorama_fields(owner: str, panorama: Panorama) -> _Pairs:
    yield f"{owner}.tiles", _cells_text(panorama.tiles)
    yield f"{owner}.rainbows", _cells_text(panorama.rainbows)
    yield f"{owner}.spirits", _met_text(panorama.spirits)
    yield f"{owner}.fireflies", _cells_text(panorama.firefly_squares, SQUARES)
    yield f"{owner}.evil_cell", _optional_text(panorama.evil_spirit_cell, CELLS)


def _turn_fields(turn: Turn) -> _Pairs:
    yield "turn.played", _optional_text(turn.played_tile, CELLS)
    yield "turn.drawn", _optional_text(turn.drawn_tile, CELLS)
    yield "turn.rainbows", _unless(_number_text(turn.rainbows_to_place), "0")
    yield "turn.filled", _cells_text(turn.filled_cells)
    yield "turn.spirits", _spirits_text(turn.drawn_spirits)
    yield "turn.met", _optional_text(turn.met_spirit, SPIRITS)
    yield "turn.extra", "yes" if turn.extra_turn else ""
    yield "turn.forced", _optional_text(turn.forced_tile, CELLS)
    yield "turn.passed", "yes" if turn.opponent_passed else ""


def _unless(text: str, default: str) -> str:
    return "" if text == default else text


def _number_text(number: int) -> str:
    return str(checked_number("number", str(number)))


def _rules_text(rules: Rules) -> str:
    words = ["fireflies" * rules.fireflies, "no_evil_spirit" * (not rules.evil_spirit)]
    return "+".join(filter(None, words)) or "base"


def _in_order(codes: Iterable[str], order: Sequence[str]) -> list[str]:
    """The codes in the order of the vocabulary."""
    return sorted((checked_code("list", code, order) for code in codes), key=order.index)


def _cells_text(cells: Iterable[str], order: Sequence[str] = CELLS) -> str:
    return ",".join(_in_order(cells, order))


def _spirits_text(spirits: Iterable[str]) -> str:
    return ",".join(_in_order(spirits, SPIRITS))


def _optional_text(code: str, allowed: Sequence[str]) -> str:
    return code and checked_code("field", code, allowed)


def _queue_text(queue: Iterable[QueueTile]) -> str:
    ordered = sorted(queue, key=_queue_order)
    return ",".join(f"{place.tile}{'*' * place.covers}" for place in ordered)


def _queue_order(place: QueueTile) -> tuple[int, bool]:
    return CELLS.index(checked_code("queue", place.tile, CELLS)), place.covers


def _met_text(spirits: Iterable[SpiritOnSquare]) -> str:
    ordered = sorted(spirits, key=_met_order)
    return ",".join(f"{it.spirit}@{it.square}{'!' * it.covered}" for it in ordered)


def _met_order(met: SpiritOnSquare) -> tuple[int, int, bool]:
    spirit = checked_code("spirits", met.spirit, SPIRITS)
    square = checked_code("spirits", met.square, SQUARES)
    return SPIRITS.index(spirit), SQUARES.index(square), met.covered
