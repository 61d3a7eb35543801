"""Observations and moves as protobuf messages and as JSON.

Conversion only: apart from enums that are unset or unknown and lists without measure, nothing is
judged here; that is the work of ``solstis_ai.validation``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message

from solstis_ai.errors import FieldError, InvalidObservationError, NotationError
from solstis_ai.observation import (
    EvilSpiritPlace,
    Observation,
    Panorama,
    QueueTile,
    SpiritOnSquare,
    Turn,
)
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.vocabulary import Move, Phase, Rules
from solstis_ai.wire_json import parsed

__all__ = [
    "message_from_json",
    "move_from_proto",
    "move_to_proto",
    "observation_from_json",
    "observation_from_proto",
    "observation_to_json",
    "observation_to_proto",
]

_Message = TypeVar("_Message", bound=Message)
_Element = TypeVar("_Element")

_MOST_ELEMENTS = 100
"""Elements that a list has; no list of a game has more."""

_PHASE_TO_PROTO: dict[Phase, pb.Phase] = {
    phase: getattr(pb, f"PHASE_{phase.name}") for phase in Phase if phase is not Phase.OVER
}
_PHASE_FROM_PROTO = {number: phase for phase, number in _PHASE_TO_PROTO.items()}

_PLACE_TO_PROTO = {
    EvilSpiritPlace.HIDDEN: pb.EVIL_SPIRIT_PLACE_UNSPECIFIED,
    EvilSpiritPlace.DRAWN: pb.EVIL_SPIRIT_PLACE_DRAWN,
    EvilSpiritPlace.YOU: pb.EVIL_SPIRIT_PLACE_YOU,
    EvilSpiritPlace.OPPONENT: pb.EVIL_SPIRIT_PLACE_OPPONENT,
    EvilSpiritPlace.OUT: pb.EVIL_SPIRIT_PLACE_OUT,
}
_PLACE_FROM_PROTO = {number: place for place, number in _PLACE_TO_PROTO.items()}


def observation_to_proto(observation: Observation) -> pb.Observation:
    """The wire message of an observation.

    Raises:
        InvalidObservationError: If the phase is ``over``, for which the wire has no value, or the
            wire cannot hold a number or a text.
    """
    phase = _phase_to_proto(observation.phase)
    try:
        return _observation_message(observation, phase)
    except ValueError as error:
        raise InvalidObservationError("observation", f"cannot be sent: {error}") from error


def _observation_message(observation: Observation, phase: pb.Phase) -> pb.Observation:
    return pb.Observation(
        rules=_rules_to_proto(observation.rules),
        phase=phase,
        your_hand=observation.your_hand,
        opponent_hand_size=observation.opponent_hand_size,
        opponent_known_tiles=observation.opponent_known_tiles,
        opponent_excluded_tiles=observation.opponent_excluded_tiles,
        deck_size=observation.deck_size,
        queue=[pb.QueueTile(tile=it.tile, covers=it.covers) for it in observation.queue],
        you=_panorama_to_proto(observation.you),
        opponent=_panorama_to_proto(observation.opponent),
        discarded_tiles=observation.discarded_tiles,
        spirit_line=observation.spirit_line,
        spirit_deck_size=observation.spirit_deck_size,
        evil_spirit=_PLACE_TO_PROTO[observation.evil_spirit],
        turn=_turn_to_proto(observation.turn),
    )


def observation_from_proto(message: pb.Observation) -> Observation:
    """The observation in a wire message; fields that are absent take their defaults.

    Raises:
        InvalidObservationError: If ``phase`` is not set, an enum has an unknown number, or a
            list is longer than any of a game.
    """
    return Observation(
        rules=_rules_from_proto(message.rules),
        phase=_phase_from_proto(message.phase),
        your_hand=_few(message.your_hand, "your_hand"),
        opponent_hand_size=message.opponent_hand_size,
        opponent_known_tiles=_few(message.opponent_known_tiles, "opponent_known_tiles"),
        opponent_excluded_tiles=_few(message.opponent_excluded_tiles, "opponent_excluded_tiles"),
        deck_size=message.deck_size,
        queue=tuple(QueueTile(it.tile, it.covers) for it in _few(message.queue, "queue")),
        you=_panorama_from_proto(message.you, "you"),
        opponent=_panorama_from_proto(message.opponent, "opponent"),
        discarded_tiles=_few(message.discarded_tiles, "discarded_tiles"),
        spirit_line=_few(message.spirit_line, "spirit_line"),
        spirit_deck_size=message.spirit_deck_size,
        evil_spirit=_place_from_proto(message.evil_spirit),
        turn=_turn_from_proto(message.turn),
    )


def observation_to_json(observation: Observation) -> str:
    """The protobuf JSON form on one line: lowerCamelCase names, empty fields left out."""
    return json_format.MessageToJson(observation_to_proto(observation), indent=None)


def observation_from_json(text: str) -> Observation:
    """Read the protobuf JSON form; lowerCamelCase and snake_case names are both accepted.

    Raises:
        InvalidObservationError: If the text is no JSON object, has unknown fields, or a value
            is of the wrong type; ``field`` is its path.
    """
    try:
        message = parsed(text, pb.Observation)
    except FieldError as error:
        path = f"observation.{error.field}" if error.field else "observation"
        raise InvalidObservationError(path, error.reason) from error
    return observation_from_proto(message)


def message_from_json(text: bytes, message_type: type[_Message]) -> _Message:
    """Read the protobuf JSON form of a request.

    Raises:
        FieldError: If the text is no JSON object, has unknown fields, or a value is of the wrong
            type; ``field`` is its path, ``request`` for the whole.
    """
    try:
        return parsed(text.decode("utf-8"), message_type)
    except UnicodeDecodeError as error:
        raise FieldError("request", f"must be UTF-8: {error.reason}") from error
    except FieldError as error:
        raise FieldError(error.field or "request", error.reason) from error


def _few(elements: Sequence[_Element], name: str) -> tuple[_Element, ...]:
    """All elements of a list of an observation; one that no game has is not even looked through."""
    if len(elements) > _MOST_ELEMENTS:
        reason = f"has {len(elements):,} elements; no list has more than {_MOST_ELEMENTS}"
        raise InvalidObservationError(f"observation.{name}", reason)
    return tuple(elements)


def _rules_to_proto(rules: Rules) -> pb.Rules:
    return pb.Rules(fireflies=rules.fireflies, evil_spirit=rules.evil_spirit)


def _rules_from_proto(message: pb.Rules) -> Rules:
    """The evil spirit plays when the field is absent (R5)."""
    with_evil_spirit = message.evil_spirit if message.HasField("evil_spirit") else True
    return Rules(fireflies=message.fireflies, evil_spirit=with_evil_spirit)


def _phase_to_proto(phase: Phase) -> pb.Phase:
    if phase not in _PHASE_TO_PROTO:
        raise InvalidObservationError("observation.phase", f"{phase} is no phase of the wire")
    return _PHASE_TO_PROTO[phase]


def _phase_from_proto(number: pb.Phase) -> Phase:
    if number == pb.PHASE_UNSPECIFIED:
        raise InvalidObservationError("observation.phase", "is not set; say which decision is due")
    if number not in _PHASE_FROM_PROTO:
        raise InvalidObservationError("observation.phase", f"{number} is no known phase")
    return _PHASE_FROM_PROTO[number]


def _place_from_proto(number: pb.EvilSpiritPlace) -> EvilSpiritPlace:
    if number not in _PLACE_FROM_PROTO:
        raise InvalidObservationError("observation.evil_spirit", f"{number} is no known place")
    return _PLACE_FROM_PROTO[number]


def _panorama_to_proto(panorama: Panorama) -> pb.Panorama:
    return pb.Panorama(
        tiles=panorama.tiles,
        rainbows=panorama.rainbows,
        spirits=[
            pb.SpiritOnSquare(spirit=it.spirit, square=it.square, covered=it.covered)
            for it in panorama.spirits
        ],
        firefly_squares=panorama.firefly_squares,
        evil_spirit_cell=panorama.evil_spirit_cell,
    )


def _panorama_from_proto(message: pb.Panorama, name: str) -> Panorama:
    spirits = _few(message.spirits, f"{name}.spirits")
    return Panorama(
        tiles=_few(message.tiles, f"{name}.tiles"),
        rainbows=_few(message.rainbows, f"{name}.rainbows"),
        spirits=tuple(SpiritOnSquare(it.spirit, it.square, it.covered) for it in spirits),
        firefly_squares=_few(message.firefly_squares, f"{name}.firefly_squares"),
        evil_spirit_cell=message.evil_spirit_cell,
    )


def _turn_to_proto(turn: Turn) -> pb.Turn:
    return pb.Turn(
        played_tile=turn.played_tile,
        drawn_tile=turn.drawn_tile,
        rainbows_to_place=turn.rainbows_to_place,
        filled_cells=turn.filled_cells,
        drawn_spirits=turn.drawn_spirits,
        met_spirit=turn.met_spirit,
        forced_tile=turn.forced_tile,
        extra_turn=turn.extra_turn,
        opponent_passed=turn.opponent_passed,
    )


def _turn_from_proto(message: pb.Turn) -> Turn:
    return Turn(
        played_tile=message.played_tile,
        drawn_tile=message.drawn_tile,
        rainbows_to_place=message.rainbows_to_place,
        filled_cells=_few(message.filled_cells, "turn.filled_cells"),
        drawn_spirits=_few(message.drawn_spirits, "turn.drawn_spirits"),
        met_spirit=message.met_spirit,
        forced_tile=message.forced_tile,
        extra_turn=message.extra_turn,
        opponent_passed=message.opponent_passed,
    )


def move_to_proto(move: Move) -> pb.Move:
    """The wire message of a move."""
    message = pb.Move()
    chosen = getattr(message, move.kind)
    chosen.SetInParent()
    for name, word in zip(_word_fields(chosen), (move.target, move.square), strict=False):
        setattr(chosen, name, word)
    return message


def move_from_proto(message: pb.Move) -> Move:
    """The move in a wire message.

    Raises:
        NotationError: If no kind is set, or a code is not one of the vocabulary.
    """
    kind = message.WhichOneof("kind")
    if kind is None:
        raise NotationError("the move has no kind")
    chosen = getattr(message, kind)
    return Move.parse(" ".join([kind, *(getattr(chosen, name) for name in _word_fields(chosen))]))


def _word_fields(chosen: Message) -> list[str]:
    """The fields of one kind of move, declared in the order of its words (rules, section 10)."""
    return [field.name for field in chosen.DESCRIPTOR.fields]
