"""What a drawing has to mark of a move."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.observations import OPENING

from solstis_ai.marking import NOTHING, Marks, marks_of
from solstis_ai.observation import Observation, Panorama, SpiritOnSquare, Turn
from solstis_ai.vocabulary import Move, Phase

CAPTURING = replace(OPENING, phase=Phase.CAPTURE, turn=Turn(played_tile="g5"))
SECOND_CHANCE = replace(OPENING, phase=Phase.CAPTURE, turn=Turn(played_tile="g5", drawn_tile="b8"))
LOCKED = Panorama(rainbows=("g5", "o5"), spirits=(SpiritOnSquare("bee", "o4"),))
"""Both rainbows are part of the square, so that tiles of their cells are discarded (R12)."""


@pytest.mark.parametrize(
    ("observation", "line", "marks"),
    [
        (OPENING, "play g5, capture g8", Marks(hand="g5", queue="g8", cells=("g5", "g8"))),
        (OPENING, "play g5", Marks(hand="g5", cells=("g5",))),
        (replace(OPENING, queue=()), "play g5", Marks(hand="g5")),
        (CAPTURING, "capture o5", Marks(queue="o5", cells=("g5", "o5"))),
        (SECOND_CHANCE, "capture b4, draw", Marks(queue="b4", cells=("b8", "b4"))),
        (replace(CAPTURING, you=LOCKED), "capture p5", Marks(queue="p5", cells=("p5",))),
        (replace(OPENING, you=LOCKED), "play g5, capture o5", Marks(hand="g5", queue="o5")),
        (OPENING, "rainbow r7", Marks(cells=("r7",))),
        (OPENING, "draw", NOTHING),
        (OPENING, "pass", NOTHING),
        (OPENING, "meet bee r1", Marks(spirit="bee", square="r1")),
        (OPENING, "add k4", Marks(hand="k4", cells=("k4",))),
        (OPENING, "add k6", Marks(queue="k6", cells=("k6",))),
        (OPENING, "take p7", Marks(opponent_cell="p7", cells=("p7",))),
        (OPENING, "force p7", Marks(known="p7")),
        (OPENING, "evil p7", Marks(opponent_cell="p7")),
        (OPENING, "cover bee", Marks(spirit="bee")),
    ],
)
def test_marks(observation: Observation, line: str, marks: Marks) -> None:
    assert marks_of(observation, [Move.parse(words) for words in line.split(", ")]) == marks
