"""Positions and answers as text."""

from __future__ import annotations

import io
from dataclasses import replace

from fakes.engine import OUTLOOK
from fakes.observations import FORCED, OPENING
from rich.console import Console, RenderableType

from solstis_ai.drawing import draw_analysis, draw_panorama, draw_position
from solstis_ai.marking import Marks
from solstis_ai.observation import EvilSpiritPlace, Panorama, SpiritOnSquare, Turn
from solstis_ai.search.types import Analysis, MoveStatistics, StarsEstimate
from solstis_ai.vocabulary import CELLS, Move, Phase, Rules


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
        "                .    .    .    p7",
        "                   *",
        "           ~~   k4   .    .    .    .",
        "             (2)",
        "      b2   .    .    .    .    .    .    .",
        " .    .    .    .    .    .    .    .    .    !!",
        " o1   o2   .    .    .    .    .    .    .    .",
        "   (1)",
        " r1   r2   .    .    .    .    .    .    .    ~~",
        "(1) bee on r1  (2) wolf on b3, covered  * firefly on k4  ~~ rainbow  !! evil spirit",
    ]


def test_marks_are_brackets() -> None:
    panorama = Panorama(tiles=("r1", "p4"), rainbows=("o1",))
    lines = plain(draw_panorama(panorama, ("p4", "g10", "o1"), "r9"))

    assert lines[0] == "               [p4 ] .    .    ."
    assert lines[3].split()[-1] == "[g10]"
    assert lines[4].startswith("[~~ ]")
    assert lines[5] == " " * 43 + "(+)"
    assert lines[6].startswith(" r1   .")


def test_the_recommended_move_is_marked() -> None:
    lines = plain(draw_position(OPENING, Marks(hand="g5", queue="g8", cells=("g5", "g8"))))

    assert "Queue     r3+  o5+  [g8]+  b4+  k6+  p5+" in lines
    assert "Hand      r1  [g5]  k4" in lines
    assert sum("[g5 ]" in line and "[g8 ]" in line for line in lines) == 1
    assert "[" not in "".join(plain(draw_position(OPENING)))


def test_marks_of_spirits_and_of_the_other_side() -> None:
    observation = replace(FORCED, opponent_known_tiles=("b5",))
    marks = Marks(opponent_cell="o1", spirit="bee", known="b5")
    lines = plain(draw_position(observation, marks))

    assert "Line      [bee]" in lines
    assert "Known     the opponent has [b5]" in lines
    assert sum("[o1 ]" in line for line in lines) == 1


def test_what_matches_the_queue() -> None:
    assert "Matches   r1: r3  g5: o5 g8 p5  k4: b4 k6" in plain(draw_position(OPENING))
    observation = replace(
        OPENING, phase=Phase.CAPTURE, turn=Turn(played_tile="k9", drawn_tile="b6")
    )
    assert "Matches   b6: b4 k6" in plain(draw_position(observation))
    nothing = replace(OPENING, your_hand=("g2",), queue=())
    assert "Matches   g2: -" in plain(draw_position(nothing))


def test_colours_on_a_terminal() -> None:
    console = Console(file=io.StringIO(), width=100, force_terminal=True, color_system="truecolor")
    console.print(draw_panorama(Panorama(tiles=("r1",), rainbows=("g2",))))
    assert isinstance(console.file, io.StringIO)
    assert "\x1b[97;48;5;160m r1 \x1b[0m" in console.file.getvalue()
    assert "\x1b[30;107m ~~ \x1b[0m" in console.file.getvalue()


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
        MoveStatistics(
            Move.parse(f"rainbow {cell}"),
            visits=1000 - n,
            available=2000,
            win_probability=0.5,
            standard_error=0.0123,
            expected_stars=None if n else OUTLOOK.you.total.mean,
            opponent_expected_stars=None if n else OUTLOOK.opponent.total.mean,
            outlook=None if n else OUTLOOK,
        )
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
    assert lines[2].split() == ["Move", "Wins", "+-", "Stars", "to", "Visits", "Available"]
    assert lines[4].split()[1:] == ["r1", "50.0%", "1.2%", "21.5", "17.2", "1,000", "2,000"]
    assert lines[5].split()[1:] == ["r2", "50.0%", "1.2%", "-", "-", "999", "2,000"]
    parts = "Stars total spread area fires spirits bonuses fireflies"
    assert lines[6].split() == parts.split()
    assert lines[8].split() == ["you", "21.5", "22.0", "12.0", "3.5", "3.0", "2.0", "1.0"]
    assert lines[9].split() == ["opponent", "17.2", "17.5", "11.0", "2.0", "3.2", "1.0", "0.0"]
    assert lines[-2:] == ["- Because.", "12,345 iterations in 0.50 s, seed 7"]


def test_a_move_that_was_never_tried_has_no_numbers() -> None:
    answer = analysis_of(2)
    best, other = answer.alternatives
    untried = replace(other, visits=0, standard_error=0.25)
    lines = plain(draw_analysis(replace(answer, alternatives=(best, untried))))
    assert lines[5].split()[1:] == ["r2", "-", "-", "-", "-", "0", "2,000"]

    nothing = replace(answer, alternatives=(replace(best, visits=0), untried))
    assert plain(draw_analysis(nothing))[1] == "Nothing was searched"


def test_a_solved_ending_has_numbers_without_visits() -> None:
    answer = analysis_of(1, solved=True)
    row = replace(answer.alternatives[0], visits=0, available=0, standard_error=0.0)
    lines = plain(draw_analysis(replace(answer, alternatives=(row,))))
    assert lines[1] == "Wins 62.5%, expected stars 21.3 to 17.0, exact"
    assert lines[4].split()[1:] == ["r1", "50.0%", "0.0%", "21.5", "17.2", "0", "0"]


def test_a_single_thing_is_told_as_one() -> None:
    assert plain(draw_analysis(replace(analysis_of(1), iterations=1)))[-1].startswith(
        "1 iteration in"
    )
    lines = plain(draw_position(replace(OPENING, spirit_deck_size=1)))
    assert any(line.endswith("6 under the queue (+), 1 spirit") for line in lines)


def test_parts_that_bring_nothing_are_left_out() -> None:
    none = StarsEstimate(0.0, 0.0)
    you, opponent = (replace(it, fireflies=none) for it in (OUTLOOK.you, OUTLOOK.opponent))
    answer = analysis_of(1)
    row = replace(answer.alternatives[0], outlook=replace(OUTLOOK, you=you, opponent=opponent))
    lines = plain(draw_analysis(replace(answer, alternatives=(row,))))

    assert not any("fireflies" in line for line in lines)


def test_an_answer_tells_how_it_came_about() -> None:
    forced = analysis_of(1, solved=True)
    assert plain(draw_analysis(forced))[1] == (
        "Wins 62.5% +- 1.2%, expected stars 21.3 to 17.0, only move"
    )
    sure = tuple(replace(row, standard_error=0.0) for row in forced.alternatives)
    assert plain(draw_analysis(replace(forced, alternatives=sure)))[1].endswith(", exact")
    assert "ended early" in plain(draw_analysis(analysis_of(1, truncated=True)))[-1]


def test_many_alternatives_are_cut() -> None:
    lines = plain(draw_analysis(analysis_of(20)))

    assert any(line.strip() == "... and 8 more" for line in lines)
    assert sum(line.startswith(" rainbow ") for line in lines) == 12
