"""Single values: codes, numbers, the variant, and no code twice in one list."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NoReturn

from solstis_ai.errors import InvalidObservationError
from solstis_ai.observation import EvilSpiritPlace, Observation, Panorama
from solstis_ai.validation.geometry import CELL_SET
from solstis_ai.vocabulary import SQUARES, Phase

__all__ = [
    "Item",
    "check_codes",
    "check_variant",
    "indexed",
    "queue_tiles",
    "refuse",
    "spirits_on_squares",
]

Item = tuple[str, str]
"""A field path below ``observation`` and the code found there."""

_MOST = {"deck_size": 30, "opponent_hand_size": 4, "spirit_deck_size": 19}
_TILE_LISTS = (
    "your_hand",
    "opponent_known_tiles",
    "opponent_excluded_tiles",
    "discarded_tiles",
)
_SQUARE_SET = frozenset(SQUARES)


def refuse(field: str, reason: str) -> NoReturn:
    """Raise the error for ``field``, a path below ``observation``."""
    raise InvalidObservationError(f"observation.{field}", reason)


def indexed(field: str, codes: Iterable[str]) -> Iterator[Item]:
    """Each code with its path: ``field[0]``, ``field[1]`` ..."""
    return ((f"{field}[{index}]", code) for index, code in enumerate(codes))


def spirits_on_squares(side: str, panorama: Panorama) -> Iterator[Item]:
    """The names of the spirits met, with their paths."""
    for index, spirit in enumerate(panorama.spirits):
        yield f"{side}.spirits[{index}].spirit", spirit.spirit


def check_variant(observation: Observation) -> None:
    """The variant exists and a decision is due (R5)."""
    if observation.rules.fireflies and not observation.rules.evil_spirit:
        refuse("rules.evil_spirit", "must be true with fireflies (R5)")
    if observation.phase not in list(Phase):
        refuse("phase", f"{observation.phase!r:.40} is no phase; one of {', '.join(Phase)}")
    if observation.phase == Phase.OVER:
        refuse("phase", "the game is over, no decision is due")
    if observation.evil_spirit not in list(EvilSpiritPlace):
        refuse("evil_spirit", f"{observation.evil_spirit!r:.40} is no place of the evil spirit")


def check_codes(observation: Observation) -> None:
    """Numbers are in range; every code exists in this variant, once in its list."""
    for name, most in _MOST.items():
        _check_number(name, getattr(observation, name), most)
    _check_number("turn.rainbows_to_place", observation.turn.rainbows_to_place, 4)
    for name in _TILE_LISTS:
        _check_list(indexed(name, getattr(observation, name)), CELL_SET, "tile")
    _check_list(queue_tiles(observation), CELL_SET, "tile")
    _check_panorama("you", observation.you, observation.rules.spirits)
    _check_panorama("opponent", observation.opponent, observation.rules.spirits)
    _check_list(
        indexed("spirit_line", observation.spirit_line), observation.rules.spirits, "spirit"
    )
    _check_turn(observation)


def queue_tiles(observation: Observation) -> Iterator[Item]:
    """The face-up queue tiles, with their paths."""
    for index, place in enumerate(observation.queue):
        yield f"queue[{index}].tile", place.tile


def _check_panorama(side: str, panorama: Panorama, spirits: Collection[str]) -> None:
    _check_list(indexed(f"{side}.tiles", panorama.tiles), CELL_SET, "tile")
    _check_list(indexed(f"{side}.rainbows", panorama.rainbows), CELL_SET, "cell")
    _check_list(spirits_on_squares(side, panorama), spirits, "spirit")
    for index, spirit in enumerate(panorama.spirits):
        _check_code(f"{side}.spirits[{index}].square", spirit.square, _SQUARE_SET, "square")
    fireflies = indexed(f"{side}.firefly_squares", panorama.firefly_squares)
    _check_list(fireflies, _SQUARE_SET, "square")
    _check_optional(f"{side}.evil_spirit_cell", panorama.evil_spirit_cell, CELL_SET, "cell")


def _check_turn(observation: Observation) -> None:
    turn, spirits = observation.turn, observation.rules.spirits
    _check_optional("turn.played_tile", turn.played_tile, CELL_SET, "tile")
    _check_optional("turn.drawn_tile", turn.drawn_tile, CELL_SET, "tile")
    _check_optional("turn.forced_tile", turn.forced_tile, CELL_SET, "tile")
    _check_optional("turn.met_spirit", turn.met_spirit, spirits, "spirit")
    _check_list(indexed("turn.filled_cells", turn.filled_cells), CELL_SET, "cell")
    _check_list(indexed("turn.drawn_spirits", turn.drawn_spirits), spirits, "spirit")


def _check_number(field: str, value: int, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        refuse(field, f"is {value!r:.40}, must be a number from 0 to {most}")


def _check_list(items: Iterable[Item], allowed: Collection[str], noun: str) -> None:
    found: set[str] = set()
    for field, code in items:
        _check_code(field, code, allowed, noun)
        if code in found:
            refuse(field, f"{noun} {code} is listed twice")
        found.add(code)


def _check_optional(field: str, code: str, allowed: Collection[str], noun: str) -> None:
    if code != "":
        _check_code(field, code, allowed, noun)


def _check_code(field: str, code: str, allowed: Collection[str], noun: str) -> None:
    if not isinstance(code, str) or code not in allowed:
        refuse(field, f"{code!r:.40} is no {noun} of this game; one is {min(allowed)!r}")
