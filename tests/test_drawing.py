"""Positions and answers as text."""

from __future__ import annotations

import io
from dataclasses import replace

from fakes.observations import FORCED, OPENING
from rich.console import Console, RenderableType

from solstis_ai.drawing import draw_analysis, draw_panorama, draw_position
from solstis_ai.observation import EvilSpiritPlace, Panorama, SpiritOnSquare, Turn
from solstis_ai.search.types import Analysis, MoveStatistics
from solstis_ai.vocabulary import CELLS, Move, Rules


def plain(drawing: RenderableType) -> list[str]:
    """The lines of a drawing where there is no terminal."""
    console = Console(file=io.StringIO(), width=100)
    console.print(drawing)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_the_mountain_with_everything_on_it() -> None:
    panorama = Panorama(
        tiles=("r1", "r2", "o1", "o2", "b2", "k4", "p7"),
        rainbows=("k3", "r10"),
        spirits=(SpiritOnSquare("bee", "r1"), SpiritOnSquare("wolf", "b3", covered=True)),
        firefly_squares=("k4",),
        evil_spirit_cell="g10",
    )

    assert plain(draw_panorama(panorama)) == [
        "               .    .    .    p7",
        "                  *",
        "          ~~   k4   .    .    .    .",
        "            (2)",
        "     b2   .    .    .    .    .    .    .",
        ".    .    .    .    .    .    .    .    .    !!",
        "o1   o2   .    .    .    .    .    .    .    .",
        "  (1)",
        "r1   r2   .    .    .    .    .    .    .    ~~",
        "(1) bee on r1  (2) wolf on b3, covered  * firefly on k4  ~~ rainbow  !! evil spirit",
    ]


def test_a_full_panorama_names_every_cell_once() -> None:
    words = " ".join(plain(draw_panorama(Panorama(tiles=CELLS)))).split()

    assert sorted(words) == sorted(CELLS)


def test_the_opening() -> None:
    lines = plain(draw_position(OPENING))

    assert lines[0] == "OPPONENT  (base game)"
    assert "Queue     r3+  o5+  g8+  b4+  k6+  p5+" in lines
    assert "Hand      r1  g5  k4" in lines
    assert (
        "Unseen    30 in the deck, 3 in the other hand, 6 under the queue (+), 15 spirits" in lines
    )
    assert "To do: play a tile of the hand" in lines
    assert not [line for line in lines if line.startswith(("Line", "Evil", "Out", "Turn", "Known"))]


def test_what_is_known_and_pending() -> None:
    observation = replace(
        FORCED,
        opponent_known_tiles=("b5",),
        opponent_excluded_tiles=("r6", "p4"),
        discarded_tiles=("o9",),
        evil_spirit=EvilSpiritPlace.OPPONENT,
        turn=Turn(
            played_tile="r3",
            drawn_tile="r5",
            rainbows_to_place=2,
            drawn_spirits=("bee", "fox"),
            met_spirit="deer",
            forced_tile="g5",
            extra_turn=True,
            opponent_passed=True,
        ),
    )
    lines = plain(draw_position(observation))

    assert lines[0] == "OPPONENT  (with fireflies)"
    assert "Known     the opponent has b5" in lines
    assert "Excluded  the opponent has none of r6 p4" in lines
    assert "Line      bee" in lines
    assert "Evil      with the opponent" in lines
    assert "Out       o9" in lines
    pending = " ".join(lines[next(n for n, line in enumerate(lines) if line.startswith("Turn")) :])
    for words in (
        "played r3",
        "drew r5",
        "rainbows to place: 2",
        "drew bee and fox",
        "met deer",
        "g5 is forced",
        "another turn follows",
        "the opponent has passed",
    ):
        assert words in pending


def test_the_beginners_game_is_named() -> None:
    observation = replace(OPENING, rules=Rules(evil_spirit=False))

    assert plain(draw_position(observation))[0] == "OPPONENT  (without the evil spirit)"


def analysis_of(moves: int, *, solved: bool = False, truncated: bool = False) -> Analysis:
    alternatives = tuple(
        MoveStatistics(Move.parse(f"rainbow {cell}"), 1000 - n, 2000, 0.5, 0.0123)
        for n, cell in enumerate(CELLS[:moves])
    )
    return Analysis(
        move=alternatives[0].move,
        win_probability=0.6254,
        expected_stars=21.26,
        opponent_expected_stars=17.0,
        alternatives=alternatives,
        line=(alternatives[0].move, Move.parse("draw")),
        iterations=12345,
        elapsed_seconds=0.5,
        solved=solved,
        truncated=truncated,
        seed=7,
        reasons=("Because.",),
    )


def test_an_answer() -> None:
    lines = plain(draw_analysis(analysis_of(2)))

    assert lines[:2] == [
        "Move: rainbow r1, then draw",
        "Wins 62.5%, expected stars 21.3 to 17.0",
    ]
    assert lines[2].split() == ["Move", "Visits", "Available", "Wins", "+-"]
    assert lines[4].split() == ["rainbow", "r1", "1,000", "2,000", "50.0%", "1.2%"]
    assert lines[-2:] == ["- Because.", "12,345 iterations in 0.50 s, seed 7"]


def test_an_answer_tells_how_it_came_about() -> None:
    assert plain(draw_analysis(analysis_of(1, solved=True)))[1].endswith(", exact")
    assert "ended early" in plain(draw_analysis(analysis_of(1, truncated=True)))[-1]


def test_many_alternatives_are_cut() -> None:
    lines = plain(draw_analysis(analysis_of(20)))

    assert any(line.strip() == "... and 8 more" for line in lines)
    assert sum("rainbow r" in line or "rainbow o" in line for line in lines[2:]) == 12
