from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import chance_events, observations, positions

from solstis_ai.errors import NotationError
from solstis_ai.notation import (
    ChanceEvent,
    ChanceKind,
    format_chance,
    format_observation,
    format_position,
    parse_chance,
    parse_observation,
    parse_position,
)
from solstis_ai.observation import Observation, Panorama, QueueTile, SpiritOnSquare
from solstis_ai.position import Position
from solstis_ai.validation import validate
from solstis_ai.vocabulary import CELLS, Phase, Rules

OBSERVATION = "solstis-observation/1 rules=base phase=play deck=3 opponent.hand=3 spirit_deck=15"
POSITION = "solstis-position/1 rules=base phase=play player=0 deck=3 spirit_deck=15"


@given(observations)
def test_observation_round_trip(observation: Observation) -> None:
    assert parse_observation(format_observation(observation)) == observation


@given(positions)
def test_position_round_trip(position: Position) -> None:
    assert parse_position(format_position(position)) == position


@given(chance_events)
def test_chance_round_trip(event: ChanceEvent) -> None:
    assert parse_chance(format_chance(event)) == event


@given(observations)
def test_the_line_does_not_depend_on_the_order_of_lists(observation: Observation) -> None:
    you = observation.you
    turned = replace(
        observation,
        your_hand=observation.your_hand[::-1],
        queue=observation.queue[::-1],
        spirit_line=observation.spirit_line[::-1],
        you=replace(you, tiles=you.tiles[::-1], spirits=you.spirits[::-1]),
    )
    assert format_observation(turned) == format_observation(observation)


@given(observations)
def test_fields_are_read_in_any_order(observation: Observation) -> None:
    head, *fields = format_observation(observation).split(" ")
    assert parse_observation(" ".join([head, *reversed(fields)])) == observation


def test_words_of_a_line() -> None:
    observation = Observation(
        rules=Rules(fireflies=True),
        phase=Phase.PLAY,
        your_hand=("p7", "r10", "r2"),
        opponent_hand_size=3,
        deck_size=20,
        queue=(QueueTile("g5", covers=True), QueueTile("r1")),
        you=Panorama(
            tiles=("r1",),
            rainbows=("o1",),
            spirits=(SpiritOnSquare("fox", "g5"), SpiritOnSquare("bee", "r1", covered=True)),
        ),
        opponent=Panorama(),
        spirit_deck_size=13,
    )
    assert format_observation(observation) == (
        "solstis-observation/1 rules=fireflies phase=play deck=20 queue=r1,g5*"
        " you.hand=r2,r10,p7 you.tiles=r1 you.rainbows=o1 you.spirits=bee@r1!,fox@g5"
        " opponent.hand=3 spirit_deck=13"
    )


@pytest.mark.parametrize(
    ("line", "offending"),
    [
        ("", "first word"),
        ("solstis-observation/2 rules=base", "solstis-observation/2"),
        (POSITION, "solstis-position/1"),
        (f"{OBSERVATION} turn", "'turn'"),
        (f"{OBSERVATION} =5", "'=5'"),
        (f"{OBSERVATION} line=", "'line='"),
        (f"{OBSERVATION} deck=3", "'deck' is there twice"),
        (f"{OBSERVATION} weather=fine", "'weather'"),
        (OBSERVATION.replace(" deck=3", ""), "'deck' is missing"),
        (OBSERVATION.replace("deck=3", "deck=-3"), "deck: '-3'"),
        (OBSERVATION.replace("deck=3", "deck=03"), "deck: '03'"),
        (OBSERVATION.replace("deck=3", "deck=٣"), "deck: '٣'"),
        (OBSERVATION.replace("rules=base", "rules=chess"), "rules: 'chess'"),
        (OBSERVATION.replace("phase=play", "phase=rest"), "phase: 'rest'"),
        (f"{OBSERVATION} you.hand=r1,x9", "you.hand: 'x9'"),
        (f"{OBSERVATION} you.hand=r1,,r2", "you.hand: ''"),
        (f"{OBSERVATION} queue=*r1", "queue: '*r1'"),
        (f"{OBSERVATION} queue=r1**", "queue: 'r1*'"),
        (f"{OBSERVATION} you.spirits=bee", "you.spirits: ''"),
        (f"{OBSERVATION} you.spirits=bee@b9", "you.spirits: 'b9'"),
        (f"{OBSERVATION} you.spirits=cat@r1", "you.spirits: 'cat'"),
        (f"{OBSERVATION} you.fireflies=r10", "you.fireflies: 'r10'"),
        (f"{OBSERVATION} you.evil_cell=q1", "you.evil_cell: 'q1'"),
        (f"{OBSERVATION} line=cat", "line: 'cat'"),
        (f"{OBSERVATION} evil_spirit=0", "evil_spirit: '0'"),
        (f"{OBSERVATION} turn.extra=no", "turn.extra: 'no'"),
    ],
)
def test_malformed_observations(line: str, offending: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_observation(line)
    assert offending in str(caught.value)


@pytest.mark.parametrize(
    ("line", "offending"),
    [
        (OBSERVATION, "solstis-observation/1"),
        (POSITION.replace("player=0", "player=01"), "player: '01'"),
        (POSITION.replace(" player=0", ""), "'player' is missing"),
        (f"{POSITION} evil_spirit=you", "evil_spirit: 'you'"),
        (f"{POSITION} 1.hand=r0", "1.hand: 'r0'"),
        (f"{POSITION} 2.hand=r1", "'2.hand'"),
    ],
)
def test_malformed_positions(line: str, offending: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(line)
    assert offending in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "deck", "deck ", "deck bee", "spirit g5", "flip x1", "roll 6", "deck g5 g6", " "]
)
def test_malformed_chance(text: str) -> None:
    with pytest.raises(NotationError):
        parse_chance(text)


def test_chance_words() -> None:
    assert parse_chance("steal g5") == ChanceEvent(ChanceKind.STEAL, "g5")
    assert format_chance(ChanceEvent(ChanceKind.SPIRIT, "bee")) == "spirit bee"


_KEYS = st.sampled_from(
    ["rules", "phase", "player", "deck", "queue", "you.hand", "you.spirits", "0.hand", "turn.met"]
)
_TEXTS = st.text() | st.sampled_from(["base", "play", "1", "r1*,g5", "bee@r1!", "bee@", "@r1"])
_LINES = st.text() | st.builds(
    " ".join,
    st.lists(st.builds("{}={}".format, _KEYS, _TEXTS), max_size=4).map(
        lambda fields: [*OBSERVATION.split(" ")[:1], *fields]
    ),
)


@given(_LINES)
def test_arbitrary_text_raises_nothing_but_notation_errors(text: str) -> None:
    for line in (text, text.replace("observation", "position")):
        for parse in (parse_observation, parse_position, parse_chance):
            with contextlib.suppress(NotationError):
                parse(line)


def test_a_value_that_no_line_can_hold_is_refused() -> None:
    observation = parse_observation(OBSERVATION)
    for wrong in (
        replace(observation, your_hand=("r1 deck=4",)),
        replace(observation, deck_size=-1),
        replace(observation, spirit_line=("cat",)),
        replace(observation, queue=(QueueTile("?"),)),
        replace(observation, you=Panorama(spirits=(SpiritOnSquare("bee", "?"),))),
    ):
        with pytest.raises(NotationError):
            format_observation(wrong)


def test_the_pool_is_what_is_nowhere_else() -> None:
    position = parse_position(
        f"{POSITION} queue=r1*,r2 0.hand=r3 1.hand=r4 0.tiles=r5 1.tiles=r6 discarded=r7"
        " turn.played=r8 turn.drawn=r9"
    )
    assert position.pool == ("r10", *CELLS[10:])


def test_the_examples_of_the_documentation_are_canonical() -> None:
    text = (Path(__file__).parents[1] / "docs" / "notation.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("solstis-")]
    assert len(lines) == 2
    observation = parse_observation(lines[0])
    validate(observation)
    assert format_observation(observation) == lines[0]
    assert format_position(parse_position(lines[1])) == lines[1]
