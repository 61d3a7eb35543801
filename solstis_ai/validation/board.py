"""The two panoramas and the supply of rainbows and fireflies (rules R3, R12-R14, R25, R26)."""

from __future__ import annotations

from collections.abc import Iterator

from solstis_ai.observation import EvilSpiritPlace, Observation, Panorama
from solstis_ai.validation.codes import Item, indexed, refuse
from solstis_ai.validation.geometry import SQUARE_CELLS, filled_cells, isolated
from solstis_ai.vocabulary import RAINBOW_TOTAL

__all__ = ["check_board"]

_MOST_FIREFLIES = 3


def check_board(observation: Observation) -> None:
    """Both panoramas are possible, and together they use no more than there is."""
    _check_side(observation, "you", observation.you, EvilSpiritPlace.YOU)
    _check_side(observation, "opponent", observation.opponent, EvilSpiritPlace.OPPONENT)
    _check_rainbow_supply(observation)


def _check_side(
    observation: Observation, side: str, panorama: Panorama, here: EvilSpiritPlace
) -> None:
    on_panorama = observation.rules.fireflies and observation.evil_spirit == here
    _check_rainbows(side, panorama)
    _check_evil_cell(side, panorama, on_panorama=on_panorama)
    _check_squares(side, panorama)
    _check_fireflies(side, panorama, expansion=observation.rules.fireflies)


def _check_rainbows(side: str, panorama: Panorama) -> None:
    """A rainbow holds no tile's cell, and all but the first were placed beside something (R13)."""
    for field, cell in indexed(f"{side}.rainbows", panorama.rainbows):
        if cell in panorama.tiles:
            refuse(field, f"cell {cell} holds the tile {cell} already")
    alone = isolated(panorama.rainbows, panorama)
    if len(alone) > 1:
        reason = f"{', '.join(sorted(alone))} touch nothing; at most one rainbow may (R13)"
        refuse(f"{side}.rainbows", reason)


def _check_evil_cell(side: str, panorama: Panorama, *, on_panorama: bool) -> None:
    """The evil spirit of the expansion stands on an empty cell, where the place says (R26)."""
    field, cell = f"{side}.evil_spirit_cell", panorama.evil_spirit_cell
    if cell and not on_panorama:
        refuse(field, f"must be empty unless fireflies is played and evil_spirit is {side}")
    if on_panorama and not cell:
        refuse(field, f"is missing, evil_spirit is {side} (R26)")
    if cell in filled_cells(panorama):
        refuse(field, f"cell {cell} holds a tile or a rainbow; the evil spirit's cell has none")


def _carried(side: str, panorama: Panorama) -> Iterator[Item]:
    for index, spirit in enumerate(panorama.spirits):
        yield f"{side}.spirits[{index}].square", spirit.square
    yield from indexed(f"{side}.firefly_squares", panorama.firefly_squares)


def _check_squares(side: str, panorama: Panorama) -> None:
    """Each square with a spirit or firefly is filled and carries nothing else (R14, R25)."""
    filled, taken = filled_cells(panorama), set[str]()
    for field, square in _carried(side, panorama):
        empty = SQUARE_CELLS[square] - filled
        if empty:
            refuse(field, f"square {square} is not filled: nothing on {', '.join(sorted(empty))}")
        if square in taken:
            refuse(field, f"square {square} carries a spirit or a firefly already")
        taken.add(square)


def _check_fireflies(side: str, panorama: Panorama, *, expansion: bool) -> None:
    """Fireflies come with a spirit met, in the expansion, and the fourth wins (R25)."""
    field, count = f"{side}.firefly_squares", len(panorama.firefly_squares)
    if count and not expansion:
        refuse(field, "must be empty without fireflies (R4)")
    if count > _MOST_FIREFLIES:
        refuse(field, f"are {count}; with the fourth the game is over (R25)")
    if count and not panorama.spirits:
        refuse(field, "must be empty as long as no spirit is met (R25)")


def _check_rainbow_supply(observation: Observation) -> None:
    placed = len(observation.you.rainbows) + len(observation.opponent.rainbows)
    if placed > RAINBOW_TOTAL:
        refuse("you.rainbows", f"with the opponent's are {placed}; there are 12 (R3)")
    if placed + observation.turn.rainbows_to_place > RAINBOW_TOTAL:
        left = RAINBOW_TOTAL - placed
        refuse("turn.rainbows_to_place", f"only {left} of 12 rainbows are not placed (R3)")
