"""Which fields of the turn a phase has, and what may be in them (rules R7-R17, section 10)."""

from __future__ import annotations

from dataclasses import dataclass, fields

from solstis_ai.observation import Observation, Turn
from solstis_ai.validation.codes import indexed, refuse
from solstis_ai.validation.geometry import SQUARE_CELLS, filled_cells
from solstis_ai.vocabulary import Phase

__all__ = ["check_ending", "check_filled_cells", "check_met_spirit", "check_turn_fields"]


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields of ``Turn`` that a phase needs, and those that it may have besides."""

    needed: frozenset[str] = frozenset()
    possible: frozenset[str] = frozenset()


def _fields(needed: str = "", possible: str = "") -> _Fields:
    return _Fields(frozenset(needed.split()), frozenset(possible.split()))


_FIELDS: dict[Phase, _Fields] = {
    Phase.PLAY: _fields(possible="forced_tile opponent_passed"),
    Phase.CAPTURE: _fields("played_tile", "drawn_tile"),
    Phase.RAINBOW: _fields("rainbows_to_place", "filled_cells met_spirit"),
    Phase.MEET: _fields("filled_cells"),
    Phase.MEET_DRAWN: _fields("filled_cells drawn_spirits"),
    Phase.ADD: _fields("filled_cells met_spirit"),
    Phase.TAKE: _fields("filled_cells met_spirit"),
    Phase.FORCE: _fields("filled_cells met_spirit"),
    Phase.EVIL: _fields(possible="filled_cells met_spirit extra_turn forced_tile"),
    Phase.COVER: _fields(),
    Phase.FINAL_RAINBOW: _fields("rainbows_to_place"),
}

_MEETABLE: dict[Phase, frozenset[str]] = {
    Phase.RAINBOW: frozenset({"fish", "deer", "eagle", "fly", "beetle", "viper"}),
    Phase.ADD: frozenset({"deer", "beetle"}),
    Phase.TAKE: frozenset({"viper"}),
    Phase.FORCE: frozenset({"fox"}),
}
"""The spirits whose effect leads to the phase (R17). Any may precede ``evil`` (R26)."""

_CAPTURED = 2


def check_turn_fields(observation: Observation) -> None:
    """Exactly the fields that belong to the phase are set."""
    phase, turn = observation.phase, observation.turn
    belonging = _FIELDS[phase]
    for name in (field.name for field in fields(Turn)):
        is_set = bool(getattr(turn, name))
        if is_set and name not in belonging.needed | belonging.possible:
            refuse(f"turn.{name}", f"must be empty in phase {phase}")
        if not is_set and name in belonging.needed:
            refuse(f"turn.{name}", f"is missing in phase {phase}")


def check_ending(observation: Observation) -> None:
    """Nobody passes, and nothing ends by passing, before the deck is empty (R19-R21)."""
    if not observation.deck_size:
        return
    if observation.turn.opponent_passed:
        refuse("turn.opponent_passed", "nobody passes while deck_size is above 0 (R20)")
    if observation.phase in (Phase.COVER, Phase.FINAL_RAINBOW):
        refuse("deck_size", f"must be 0 in phase {observation.phase}, at the end (R19-R21)")


def check_filled_cells(observation: Observation) -> None:
    """The cells filled this turn are filled, and no more than one turn can fill (R8-R14)."""
    turn, you = observation.turn, observation.you
    filled = filled_cells(you)
    for field, cell in indexed("turn.filled_cells", turn.filled_cells):
        if cell not in filled:
            refuse(field, f"cell {cell} of your panorama holds neither tile nor rainbow")
    effect = 1 if turn.met_spirit else 0
    tiles = len(set(turn.filled_cells) & set(you.tiles))
    if tiles > _CAPTURED + effect:
        refuse("turn.filled_cells", f"{tiles} tiles, at most {_CAPTURED + effect} come so far")
    _check_rainbows_this_turn(observation, tiles, effect)


def _check_rainbows_this_turn(observation: Observation, tiles: int, effect: int) -> None:
    """One rainbow instead of a capture (R10) or each captured tile displaces one (R12).

    The effect of a spirit brings or displaces one more (R17).
    """
    if observation.phase == Phase.FINAL_RAINBOW:
        return
    turn = observation.turn
    placed = len(set(turn.filled_cells) & set(observation.you.rainbows))
    most = max(1, min(tiles, _CAPTURED)) + effect
    if placed + turn.rainbows_to_place > most:
        field = "turn.rainbows_to_place" if turn.rainbows_to_place else "turn.filled_cells"
        refuse(field, f"at most {most} rainbows are placed in this turn so far (R10, R12)")


def check_met_spirit(observation: Observation) -> None:
    """The spirit met this turn is yours, on a new square, and its effect leads here (R14, R17)."""
    met, phase = observation.turn.met_spirit, observation.phase
    if not met:
        return
    allowed = _MEETABLE.get(phase)
    if allowed is not None and met not in allowed:
        refuse("turn.met_spirit", f"{met} leads to no {phase}; {', '.join(sorted(allowed))} may")
    squares = [spirit.square for spirit in observation.you.spirits if spirit.spirit == met]
    if not squares:
        refuse("turn.met_spirit", f"{met} is not among the spirits of your panorama")
    if not SQUARE_CELLS[squares[0]] & frozenset(observation.turn.filled_cells):
        refuse("turn.filled_cells", f"none is of the square {squares[0]}, where {met} was met")
