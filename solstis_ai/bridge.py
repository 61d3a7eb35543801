"""Between the codes of the Python API and the numbers of the core.

Tiles, cells and squares are bit numbers in the core, sets of them are integers; the layout
is drawn in ``_fast/types.pxd``. Nothing here knows a rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any

from solstis_ai._fast import GameState, Knowledge
from solstis_ai.observation import (
    EvilSpiritPlace,
    Observation,
    Panorama,
    QueueTile,
    SpiritOnSquare,
    Turn,
)
from solstis_ai.position import EvilSpiritSeat, Position
from solstis_ai.vocabulary import (
    CELLS,
    RAINBOW_TOTAL,
    RED_SPIRIT,
    ROW_LETTERS,
    SPIRITS,
    Move,
    MoveKind,
    Phase,
    Rules,
)

__all__ = [
    "knowledge_of_observation",
    "move_from_code",
    "move_to_code",
    "observation_of_state",
    "position_of_state",
    "spirit_mask",
    "state_of_position",
]

NO_TILE = 63
NO_SPIRIT = len(SPIRITS)

TILE_NUMBERS = {cell: 11 * ROW_LETTERS.index(cell[0]) + int(cell[1:]) - 1 for cell in CELLS}
TILE_CODES = {number: cell for cell, number in TILE_NUMBERS.items()}
SPIRIT_NUMBERS = {spirit: number for number, spirit in enumerate(SPIRITS)}
_KINDS = tuple(MoveKind)
_PHASES = tuple(Phase)


def board(cells: Iterable[str]) -> int:
    """The set of these cells (or tiles, or squares) as an integer."""
    return reduce(or_, (1 << TILE_NUMBERS[cell] for cell in cells), 0)


_ALL = board(CELLS)


def codes(cells: int) -> tuple[str, ...]:
    """The members of a set, in board order."""
    return tuple(code for code, number in TILE_NUMBERS.items() if cells >> number & 1)


def spirit_mask(spirits: Iterable[str]) -> int:
    """The set of these spirits as an integer."""
    return reduce(or_, (1 << SPIRIT_NUMBERS[spirit] for spirit in spirits), 0)


def spirits(mask: int) -> tuple[str, ...]:
    """The members of a set of spirits, in the order of ``SPIRITS``."""
    return tuple(spirit for spirit, number in SPIRIT_NUMBERS.items() if mask >> number & 1)


def _tile_number(code: str) -> int:
    return TILE_NUMBERS[code] if code else NO_TILE


def _spirit_number(spirit: str) -> int:
    return SPIRIT_NUMBERS[spirit] if spirit else NO_SPIRIT


def _tile_code(number: int) -> str:
    return TILE_CODES.get(number, "")


# ---- moves -------------------------------------------------------------------------------


def move_to_code(move: Move, side: int) -> int:
    """The move code of a decision by ``side`` (layout in ``_fast/types.pxd``)."""
    code = side << 15 | _KINDS.index(move.kind) << 11
    if move.kind is MoveKind.MEET:
        return code | SPIRIT_NUMBERS[move.target] << 6 | TILE_NUMBERS[move.square]
    if move.kind is MoveKind.COVER:
        return code | SPIRIT_NUMBERS[move.target]
    return code | (TILE_NUMBERS[move.target] if move.target else 0)


def move_from_code(code: int) -> Move:
    """The decision with this move code."""
    kind, spirit, number = _KINDS[code >> 11 & 15], code >> 6 & 31, code & 63
    if kind in (MoveKind.DRAW, MoveKind.PASS):
        return Move(kind)
    if kind is MoveKind.MEET:
        return Move(kind, SPIRITS[spirit], TILE_CODES[number])
    if kind is MoveKind.COVER:
        return Move(kind, SPIRITS[number])
    return Move(kind, TILE_CODES[number])


def added_tile(code: int) -> int | None:
    """The number of the tile that a decision of deer or beetle adds; None for any other."""
    return code & 63 if _KINDS[code >> 11 & 15] is MoveKind.ADD else None


# ---- from the core -----------------------------------------------------------------------


def _panorama(fields: dict[str, Any], side: int) -> Panorama:
    own = fields["sides"][side]
    met = spirits(own["spirits"])
    return Panorama(
        tiles=codes(own["tiles"]),
        rainbows=codes(own["rainbows"]),
        spirits=tuple(
            SpiritOnSquare(
                spirit=spirit,
                square=TILE_CODES[fields["square_of"][SPIRIT_NUMBERS[spirit]]],
                covered=fields["covered"] == SPIRIT_NUMBERS[spirit],
            )
            for spirit in met
        ),
        firefly_squares=codes(own["firefly_squares"]),
        evil_spirit_cell="".join(codes(own["evil_cell"])),
    )


def _turn(fields: dict[str, Any], phase: Phase) -> Turn:
    active, played = _tile_code(fields["active"]), _tile_code(fields["played"])
    met = SPIRITS[fields["met"]] if fields["met"] < NO_SPIRIT else ""
    return Turn(
        played_tile=played,
        drawn_tile=active if active != played else "",
        rainbows_to_place=fields["pending"],
        filled_cells=codes(fields["filled"]),
        drawn_spirits=spirits(fields["drawn"]),
        met_spirit=met,
        extra_turn=met == "groundhog",
        forced_tile=_tile_code(fields["forced"]),
        opponent_passed=phase is Phase.PLAY and fields["passes"] == 1,
    )


def _queue(fields: dict[str, Any]) -> tuple[QueueTile, ...]:
    covering = set(codes(fields["covering"]))
    return tuple(QueueTile(tile, tile in covering) for tile in codes(fields["queue"]))


def _discarded(fields: dict[str, Any]) -> tuple[str, ...]:
    in_game = fields["pool"] | fields["queue"]
    for side in fields["sides"]:
        in_game |= side["tiles"] | side["hand"]
    if fields["active"] != NO_TILE:
        in_game |= 1 << fields["active"]
    return codes(_ALL & ~in_game)


def _relative_evil(number: int, seat: int) -> EvilSpiritPlace:
    """Where the evil spirit is for ``seat``; the core counts places from side 0."""
    places = tuple(EvilSpiritPlace)
    you, opponent = places.index(EvilSpiritPlace.YOU), places.index(EvilSpiritPlace.OPPONENT)
    if seat == 1 and number in (you, opponent):
        number = you + opponent - number
    return places[number]


def observation_of_state(state: GameState, rules: Rules, seat: int) -> Observation:
    """What ``seat`` sees; nothing of it depends on a hidden tile."""
    fields = state.fields()
    phase = _PHASES[fields["phase"]]
    own, other = fields["sides"][seat], fields["sides"][1 - seat]
    unseen = fields["pool"] | (other["hand"] & ~other["known"])
    return Observation(
        rules=rules,
        phase=phase,
        your_hand=codes(own["hand"]),
        opponent_hand_size=other["hand"].bit_count(),
        opponent_known_tiles=codes(other["known"]),
        opponent_excluded_tiles=codes(other["excluded"] & unseen),
        deck_size=fields["deck_size"],
        queue=_queue(fields),
        you=_panorama(fields, seat),
        opponent=_panorama(fields, 1 - seat),
        discarded_tiles=_discarded(fields),
        spirit_line=spirits(fields["line"]),
        spirit_deck_size=fields["spirit_deck"].bit_count(),
        evil_spirit=_relative_evil(fields["evil"], seat),
        turn=_turn(fields, phase),
    )


def position_of_state(state: GameState, rules: Rules) -> Position:
    """The complete state."""
    fields = state.fields()
    phase = _PHASES[fields["phase"]]
    sides = fields["sides"]
    return Position(
        rules=rules,
        phase=phase,
        player=fields["mover"],
        hands=(codes(sides[0]["hand"]), codes(sides[1]["hand"])),
        known=(codes(sides[0]["known"]), codes(sides[1]["known"])),
        excluded=(codes(sides[0]["excluded"]), codes(sides[1]["excluded"])),
        deck_size=fields["deck_size"],
        queue=_queue(fields),
        panoramas=(_panorama(fields, 0), _panorama(fields, 1)),
        discarded_tiles=_discarded(fields),
        spirit_line=spirits(fields["line"]),
        spirit_deck_size=fields["spirit_deck"].bit_count(),
        evil_spirit=tuple(EvilSpiritSeat)[fields["evil"]],
        turn=_turn(fields, phase),
    )


# ---- to the core -------------------------------------------------------------------------


def _side(panorama: Panorama, hand: Iterable[str]) -> dict[str, int]:
    return {
        "tiles": board(panorama.tiles),
        "rainbows": board(panorama.rainbows),
        "hand": board(hand),
        "known": 0,
        "excluded": 0,
        "spirit_squares": board(on.square for on in panorama.spirits),
        "firefly_squares": board(panorama.firefly_squares),
        "evil_cell": board(filter(None, [panorama.evil_spirit_cell])),
        "spirits": spirit_mask(on.spirit for on in panorama.spirits),
    }


def _spirit_deck(seen: Observation | Position, met: int, evil_hidden: bool) -> int:
    gone = met | spirit_mask(seen.spirit_line) | spirit_mask(seen.turn.drawn_spirits)
    if not evil_hidden:
        gone |= spirit_mask([RED_SPIRIT])
    return spirit_mask(seen.rules.spirits) & ~gone


def _passes(seen: Observation | Position) -> int:
    if seen.phase in (Phase.COVER, Phase.FINAL_RAINBOW):
        return 2
    return int(seen.turn.opponent_passed)


def _fields(
    seen: Observation | Position, panoramas: tuple[Panorama, Panorama], sides: list[dict[str, int]]
) -> dict[str, Any]:
    """Fields that observation and position share; ``pool`` is what lies nowhere else."""
    on_squares = [on for panorama in panoramas for on in panorama.spirits]
    turn = seen.turn
    active = _tile_number(turn.drawn_tile or turn.played_tile)
    rainbows = sum(len(panorama.rainbows) for panorama in panoramas)
    used = board(seen.discarded_tiles) | board(tile.tile for tile in seen.queue)
    for side in sides:
        used |= side["tiles"] | side["hand"]
    if active != NO_TILE:
        used |= 1 << active
    return {
        "fireflies": seen.rules.fireflies,
        "sides": sides,
        "pool": _ALL & ~used,
        "queue": board(tile.tile for tile in seen.queue),
        "covering": board(tile.tile for tile in seen.queue if tile.covers),
        "filled": board(turn.filled_cells),
        "spirit_deck": _spirit_deck(
            seen, sides[0]["spirits"] | sides[1]["spirits"], seen.evil_spirit.value == "hidden"
        ),
        "line": spirit_mask(seen.spirit_line),
        "drawn": spirit_mask(turn.drawn_spirits),
        "phase": _PHASES.index(seen.phase),
        "mover": 0,
        "deck_size": seen.deck_size,
        "supply": RAINBOW_TOTAL - rainbows - turn.rainbows_to_place,
        "pending": turn.rainbows_to_place,
        "active": active,
        "played": _tile_number(turn.played_tile),
        "met": _spirit_number(turn.met_spirit),
        "forced": _tile_number(turn.forced_tile),
        "passes": _passes(seen),
        "evil": 0,
        "covered": _spirit_number("".join(on.spirit for on in on_squares if on.covered)),
        "square_of": {SPIRIT_NUMBERS[on.spirit]: TILE_NUMBERS[on.square] for on in on_squares},
    }


def knowledge_of_observation(observation: Observation) -> Knowledge:
    """The information set of a valid observation, told from side 0.

    Raises:
        ValueError: If the observation is not valid (``validation.validate`` says why).
    """
    panoramas = (observation.you, observation.opponent)
    sides = [
        _side(observation.you, observation.your_hand),
        _side(observation.opponent, observation.opponent_known_tiles),
    ]
    sides[1]["known"] = sides[1]["hand"]
    sides[1]["excluded"] = board(observation.opponent_excluded_tiles)
    fields = _fields(observation, panoramas, sides)
    fields["evil"] = tuple(EvilSpiritPlace).index(observation.evil_spirit)
    hidden = observation.opponent_hand_size - len(observation.opponent_known_tiles)
    return Knowledge(fields, hidden, fields["pool"] & ~sides[1]["excluded"])


def state_of_position(position: Position) -> GameState:
    """The full state of a position.

    Raises:
        ValueError: If the position is no state of the game.
    """
    try:
        fields = _fields_of_position(position)
        state = GameState.from_fields(fields)
    except KeyError as error:
        raise ValueError(f"not a state of the game: {error} is no code") from error
    except OverflowError as error:
        raise ValueError(f"not a state of the game: a number is out of range: {error}") from error
    if fields["spirit_deck"].bit_count() != position.spirit_deck_size:
        raise ValueError("not a state of the game: number of spirits in the deck")
    return state


def _fields_of_position(position: Position) -> dict[str, Any]:
    sides = [_side(position.panoramas[i], position.hands[i]) for i in range(2)]
    for i in range(2):
        sides[i]["known"] = board(position.known[i])
        sides[i]["excluded"] = board(position.excluded[i])
    fields = _fields(position, position.panoramas, sides)
    fields["mover"] = position.player
    fields["evil"] = tuple(EvilSpiritSeat).index(position.evil_spirit)
    if position.phase is Phase.OVER:
        fields["passes"] = 2
    return fields
