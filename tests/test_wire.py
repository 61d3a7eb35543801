from __future__ import annotations

import json
import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given
from hypothesis import strategies as st
from strategies import moves, observations

from solstis_ai.errors import FieldError, InvalidObservationError, NotationError
from solstis_ai.notation import parse_observation
from solstis_ai.observation import EvilSpiritPlace, Observation
from solstis_ai.v1 import opponent_pb2 as pb
from solstis_ai.vocabulary import Move, Phase, Rules
from solstis_ai.wire import (
    message_from_json,
    move_from_proto,
    move_to_proto,
    observation_from_json,
    observation_from_proto,
    observation_to_json,
    observation_to_proto,
)

OBSERVATION = parse_observation(
    "solstis-observation/1 rules=base phase=play deck=3 queue=r1* you.hand=g5 opponent.hand=3"
    " spirit_deck=15"
)


@given(observations)
def test_proto_round_trip(observation: Observation) -> None:
    message = pb.Observation.FromString(observation_to_proto(observation).SerializeToString())
    assert observation_from_proto(message) == observation


@given(observations)
def test_json_round_trip(observation: Observation) -> None:
    assert observation_from_json(observation_to_json(observation)) == observation


@given(observations)
def test_snake_case_is_read_too(observation: Observation) -> None:
    camel = observation_to_json(observation)
    snake = re.sub(
        r'"\w+":', lambda key: re.sub("[A-Z]", lambda it: f"_{it[0].lower()}", key[0]), camel
    )
    assert observation_from_json(snake) == observation


@given(moves)
def test_move_round_trip(move: Move) -> None:
    message = pb.Move.FromString(move_to_proto(move).SerializeToString())
    assert move_from_proto(message) == move


def test_each_kind_of_move_is_its_own_message() -> None:
    assert move_to_proto(Move.parse("meet bee g5")) == pb.Move(
        meet=pb.MeetMove(spirit="bee", square="g5")
    )
    assert move_to_proto(Move.parse("pass")).WhichOneof("kind") == "pass"


def test_json_names() -> None:
    text = observation_to_json(OBSERVATION)
    assert "\n" not in text
    assert json.loads(text)["yourHand"] == ["g5"]
    assert json.loads(text)["phase"] == "PHASE_PLAY"


def test_absent_fields_take_their_defaults() -> None:
    observation = observation_from_proto(pb.Observation(phase=pb.PHASE_PLAY))
    assert observation.rules == Rules(fireflies=False, evil_spirit=True)
    assert observation.evil_spirit is EvilSpiritPlace.HIDDEN
    assert observation.your_hand == ()


def test_the_evil_spirit_can_stay_in_the_box() -> None:
    message = pb.Observation(phase=pb.PHASE_PLAY, rules=pb.Rules(evil_spirit=False))
    assert observation_from_proto(message).rules == Rules(evil_spirit=False)


def test_every_phase_with_a_decision_has_a_number() -> None:
    for phase in Phase:
        if phase is not Phase.OVER:
            message = pb.Observation(phase=f"PHASE_{phase.name}")
            assert observation_from_proto(message).phase is phase
    assert len(pb.Phase.keys()) == len(Phase)  # without OVER, with UNSPECIFIED


def test_a_finished_game_has_no_wire_form() -> None:
    over = parse_observation(
        "solstis-observation/1 rules=base phase=over deck=0 opponent.hand=0 spirit_deck=0"
    )
    with pytest.raises(InvalidObservationError, match=r"observation\.phase"):
        observation_to_proto(over)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "observation"),
        ("{", "observation"),
        ("null", "observation"),
        ("[]", "observation"),
        ("[" * 100_000, "observation"),
        ('{"turn":' * 100_000, "observation"),
        ('{"weather": 1}', "observation"),
        ('{"turn": {"weather": 1}}', "observation.turn"),
        ('{"deckSize": "many"}', "observation.deck_size"),
        ('{"deckSize": 1.5}', "observation.deck_size"),
        ('{"deckSize": 1e30}', "observation.deck_size"),
        ('{"deckSize": NaN}', "observation.deck_size"),
        ('{"deckSize": 1, "deckSize": 2}', "observation"),
        ('{"deckSize": 1, "deck_size": 2}', "observation.deck_size"),
        ('{"yourHand": "r1"}', "observation.your_hand"),
        ('{"yourHand": [1]}', "observation.your_hand[0]"),
        ('{"your_hand": ["r1", "r2", 3, 4]}', "observation.your_hand[2]"),
        ('{"yourHand": ["r1", null]}', "observation.your_hand[1]"),
        (r'{"yourHand": ["\ud800"]}', "observation.your_hand[0]"),
        (f'{{"yourHand": [{"1," * 100}1]}}', "observation.your_hand[0]"),
        ('{"queue": 3}', "observation.queue"),
        ('{"queue": [{"tile": "r1"}, 3]}', "observation.queue[1]"),
        ('{"queue": [{"tile": "r1"}, {"tile": 3}]}', "observation.queue[1].tile"),
        (f'{{"queue": [{"{}," * 100}{{"tile": 3}}]}}', "observation.queue[100].tile"),
        ('{"rules": {"fireflies": [1]}}', "observation.rules.fireflies"),
        ('{"rules": {"evilSpirit": 1}}', "observation.rules.evil_spirit"),
        ('{"rules": [null]}', "observation.rules"),
        ('{"rules": [{}]}', "observation.rules"),
        ('{"rules": ["fireflies"]}', "observation.rules"),
        ('{"rules": "fireflies"}', "observation.rules"),
        ('{"rules": 5}', "observation.rules"),
        ('{"queue": [[null]]}', "observation.queue[0]"),
        ('{"queue": [{}, ["tile"]]}', "observation.queue[1]"),
        ('{"queue": {"tile": null}}', "observation.queue"),
        ('{"you": {"spirits": [{"square": [[]]}]}}', "observation.you.spirits[0].square"),
        ('{"turn": {"extraTurn": "yes"}}', "observation.turn.extra_turn"),
        ('{"you": {"spirits": [{"square": []}]}}', "observation.you.spirits[0].square"),
        ('{"phase": "PHASE_REST"}', "observation.phase"),
        ('{"phase": ["PHASE_PLAY"]}', "observation.phase"),
        ('{"phase": 99}', "observation.phase"),
        ('{"phase": "PHASE_UNSPECIFIED"}', "observation.phase"),
        ("{}", "observation.phase"),
        ('{"phase": "PHASE_PLAY", "evilSpirit": 99}', "observation.evil_spirit"),
    ],
)
def test_malformed_json(text: str, field: str) -> None:
    with pytest.raises(InvalidObservationError) as caught:
        observation_from_json(text)
    assert caught.value.field == field
    assert caught.value.reason


def lists_of(message: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The paths of all lists below a descriptor, but not of those in lists."""
    for field in message.fields:
        if field.is_repeated:
            yield (*path, field.name)
        elif field.message_type is not None:
            yield from lists_of(field.message_type, (*path, field.name))


@pytest.mark.parametrize("path", [*lists_of(pb.Observation.DESCRIPTOR)], ids=".".join)
def test_a_list_that_no_game_has_is_not_looked_through(path: tuple[str, ...]) -> None:
    message = observation_to_proto(OBSERVATION)
    inner: Any = message
    for name in path[:-1]:
        inner = getattr(inner, name)
    elements = getattr(inner, path[-1])
    del elements[:]
    kind = type(inner).DESCRIPTOR.fields_by_name[path[-1]].message_type
    elements.extend([GetMessageClass(kind)() if kind else ""] * 101)

    with pytest.raises(InvalidObservationError) as caught:
        observation_from_proto(message)
    assert caught.value.field == ".".join(("observation", *path))
    assert caught.value.reason == "has 101 elements; no list has more than 100"


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from([10**400, "1e3", "-1.0", "1_0", "PHASE_PLAY"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([field.json_name for field in pb.Observation.DESCRIPTOR.fields])
            | st.sampled_from(["tile", "spirits", "evilSpirit", "fireflies", "@type", "[x]"])
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def test_malformed_json_of_a_request() -> None:
    text = b'{"observation": {"you": {"tiles": ["r1", 2]}}}'
    with pytest.raises(FieldError) as caught:
        message_from_json(text, pb.RecommendMoveRequest)
    assert caught.value.field == "observation.you.tiles[1]"


LIST = 0
"""A type of its own beside those of protobuf."""

_SMALL = {"1", "1.0", '"1"', '"1.0"', '"1e2"'}
_SIGNED = _SMALL | {"-1", '"-1"'}
_LARGE = {"9007199254740993", '"9007199254740993"'}
FITTING = {
    FieldDescriptor.TYPE_BOOL: {"true", "false"},
    FieldDescriptor.TYPE_STRING: {'"text"', '"NaN"', '"1e400"', '"1_0"', '" 1"', '"1.5"'}
    | {value for value in _SIGNED | _LARGE if value.startswith('"')},
    FieldDescriptor.TYPE_ENUM: {"1", "1.0", "-1", '"1"', '"-1"'},
    FieldDescriptor.TYPE_INT32: _SIGNED,
    FieldDescriptor.TYPE_INT64: _SIGNED | _LARGE,
    FieldDescriptor.TYPE_UINT64: _SMALL | _LARGE,
    FieldDescriptor.TYPE_DOUBLE: _SIGNED | _LARGE | {"1.5", '"1.5"', '"NaN"'},
    FieldDescriptor.TYPE_MESSAGE: {"{}"},
    LIST: {"[]"},
}
"""JSON values by the type of the field that they may be given to."""

UNFIT = {"NaN", "Infinity", "1e400", "9" * 400, '"1e400"', r'"\ud800"', "[[]]", "[null]"}
VALUES = sorted(UNFIT.union(*FITTING.values()))


def values_of(kind: Any, path: str = "", form: str = "@") -> Iterator[tuple[str, str, int]]:
    """Each value below a descriptor: its path, a JSON text with @ in its place, and its type."""
    for field in kind.fields:
        name = f"{path}.{field.name}".strip(".")
        inner = form.replace("@", f'{{"{field.json_name}": @}}')
        if field.is_repeated:
            yield name, inner, LIST
            name, inner = f"{name}[0]", inner.replace("@", "[@]")
        yield name, inner, field.type
        if field.message_type:
            yield from values_of(field.message_type, name, inner)


PLACES = [*values_of(pb.AnalyzePositionRequest.DESCRIPTOR)]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("place", PLACES, ids=itemgetter(0))
def test_a_value_fits_its_field_or_is_refused_by_its_path(
    place: tuple[str, str, int], value: str
) -> None:
    path, form, kind = place
    text = form.replace("@", value)
    if value in FITTING[kind]:
        read = message_from_json(text.encode(), pb.AnalyzePositionRequest)
        assert read == json_format.Parse(text, pb.AnalyzePositionRequest())
    else:
        with pytest.raises(FieldError) as caught:
            message_from_json(text.encode(), pb.AnalyzePositionRequest)
        assert re.fullmatch(rf"{re.escape(path)}(\[0\])*", caught.value.field)
        assert caught.value.reason.startswith("must be ")


@pytest.mark.parametrize("place", PLACES, ids=itemgetter(0))
def test_null_stands_for_a_field_that_is_absent_and_for_no_element(
    place: tuple[str, str, int],
) -> None:
    path, form, _ = place
    text = form.replace("@", "null").encode()
    if path.endswith("]"):
        with pytest.raises(FieldError, match=rf"^{re.escape(path)}: must be "):
            message_from_json(text, pb.AnalyzePositionRequest)
    else:
        message_from_json(text, pb.AnalyzePositionRequest)


def test_every_request_is_of_types_that_are_known() -> None:
    """Those of the tests above: no request has a value that is not in theirs."""
    for method in pb.DESCRIPTOR.services_by_name["OpponentService"].methods:
        assert {*map(itemgetter(0), values_of(method.input_type))} <= {*map(itemgetter(0), PLACES)}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"rules": [null]}', "must be a JSON object"),
        ('{"queue": {}}', "must be a list"),
        ('{"queue": [{"tile": ["r1"]}]}', "must be a string"),
        ('{"queue": [{"covers": 1}]}', "must be true or false"),
        ('{"deckSize": true}', "must be a whole number from -2147483648 to 2147483647"),
        ('{"evilSpirit": true}', "must be one of EVIL_SPIRIT_PLACE_UNSPECIFIED, "),
        ('{"yourHnd": []}', "has no field 'yourHnd'; its fields are rules, phase, yourHand, "),
    ],
)
def test_a_value_of_the_wrong_type_is_told_the_right_one(text: str, reason: str) -> None:
    with pytest.raises(InvalidObservationError) as caught:
        observation_from_json(text)
    assert caught.value.reason.startswith(reason)


@given(_JSON.map(json.dumps) | st.text())
def test_arbitrary_json_raises_nothing_else(text: str) -> None:
    try:
        observation_from_json(text)
    except InvalidObservationError as error:
        assert error.field.startswith("observation")


@pytest.mark.parametrize(
    "message",
    [
        pb.Move(),
        pb.Move(play=pb.PlayMove()),
        pb.Move(play=pb.PlayMove(tile="x1")),
        pb.Move(play=pb.PlayMove(tile="g5 g6")),
        pb.Move(meet=pb.MeetMove(spirit="bee")),
        pb.Move(meet=pb.MeetMove(spirit="bee", square="r10")),
        pb.Move(cover=pb.CoverMove(spirit="g5")),
    ],
)
def test_malformed_moves(message: pb.Move) -> None:
    with pytest.raises(NotationError):
        move_from_proto(message)
