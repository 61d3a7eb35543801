"""The picture of a position and an answer: well-formed, complete, and marked."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from fakes.engine import OUTLOOK, FakeSearch
from fakes.observations import FORCED, OPENING
from random_games import VARIANTS, decisions

from solstis_ai.engine import recommend
from solstis_ai.observation import (
    EvilSpiritPlace,
    Observation,
    Panorama,
    QueueTile,
    SpiritOnSquare,
    Turn,
)
from solstis_ai.picture import draw_picture
from solstis_ai.picture.style import size_of, width_of
from solstis_ai.search.reasons import reasons
from solstis_ai.search.types import LEAST_SAMPLES, Analysis, Limits, StarsEstimate
from solstis_ai.vocabulary import CELLS, Move, Phase, Rules

Root = ElementTree.Element

TEXT = "{http://www.w3.org/2000/svg}text"


def answer_of(observation: Observation, *line: str) -> Analysis:
    """An answer, recommending the first of ``line`` where there is one."""
    answer = FakeSearch(observation, Limits(iterations=100), None).analysis()
    moves = tuple(Move.parse(words) for words in line) or answer.line
    rows = tuple(replace(row, visits=50) for row in answer.alternatives)
    return replace(answer, move=moves[0], line=moves, alternatives=rows)


def picture(observation: Observation, *line: str, legal: Observation = OPENING) -> Root:
    return ElementTree.fromstring(draw_picture(observation, answer_of(legal, *line)))


def words_of(root: Root) -> list[str]:
    return [text.text or "" for text in root.iter(TEXT)]


def classed(root: Root, class_: str) -> list[Root]:
    return [it for it in root.iter() if class_ in it.get("class", "").split()]


def marked(root: Root) -> list[str]:
    return [it.get("data-marks", "") for it in classed(root, "mark")]


def panorama(root: Root, name: str) -> Root:
    [found] = [it for it in classed(root, "panorama") if name in it.get("class", "").split()]
    return found


# ---- the position


def test_every_cell_of_both_panoramas_is_named_once() -> None:
    root = picture(OPENING)
    for name in ("you", "opponent"):
        assert sorted(words_of(panorama(root, name))) == sorted(CELLS)


def test_everything_that_lies_in_a_panorama_is_drawn() -> None:
    lying = Panorama(
        tiles=("r1", "r2", "o1", "o2", "p5", "p6"),
        rainbows=("k3", "r10"),
        spirits=(SpiritOnSquare("bee", "r1"), SpiritOnSquare("fish", "b3", covered=True)),
        firefly_squares=("k4",),
        evil_spirit_cell="g10",
    )
    root = panorama(picture(replace(OPENING, you=lying)), "you")

    assert len(classed(root, "tile")) == 6
    assert len(classed(root, "rainbow")) == 2
    assert [len(classed(root, spirit)) for spirit in ("blue", "brown")] == [1, 1]
    assert words_of(classed(root, "covered")[0]) == ["fish"]
    assert len(classed(root, "firefly")) == 1
    assert "evil" in words_of(root)
    assert len(classed(root, "fire")) == 3  # two of their own, and the one between them
    assert len(classed(root, "fire-faint")) == 5  # b2, p4, p7, k8 and b9; a rainbow is on k3
    cells = {"k3", "r10", "g10"}
    assert sorted(set(words_of(root)) & set(CELLS)) == sorted(set(CELLS) - cells)


def test_the_ninth_fire_burns_between_two_tiles_alone() -> None:
    for tiles, burning in ((("p5",), 1), (("p6",), 1), (("p5", "p6"), 3)):
        root = panorama(picture(replace(OPENING, you=Panorama(tiles=tiles))), "you")
        assert (len(classed(root, "fire")), len(classed(root, "fire-faint"))) == (
            burning,
            9 - burning,
        )


def test_the_mountain_has_its_shape() -> None:
    """Rows upwards, columns to the right, spirits in the middle of their squares."""
    lying = Panorama(tiles=("r1", "r2", "o1", "o2"), spirits=(SpiritOnSquare("bee", "r1"),))
    root = panorama(picture(replace(OPENING, you=lying)), "you")
    at = {
        text.text: (float(text.get("x", "")), float(text.get("y", ""))) for text in root.iter(TEXT)
    }

    assert at["r1"][0] == at["o1"][0] < at["r2"][0]
    assert at["o1"][1] < at["r1"][1] == at["r10"][1]
    assert at["bee"][0] == (at["r1"][0] + at["r2"][0]) / 2
    assert at["o1"][1] < at["bee"][1] < at["r1"][1]


def test_hidden_tiles_are_backs() -> None:
    """One for each tile of the other hand and below the queue, and no other."""
    root = picture(replace(OPENING, queue=(QueueTile("r3", covers=True), QueueTile("o5"))))
    assert len(classed(root, "face-down")) == 1 + 3
    known = picture(replace(OPENING, opponent_known_tiles=("b5", "b6")))
    assert len(classed(known, "face-down")) == 6 + 1
    assert words_of(known).count("b5") == words_of(picture(OPENING)).count("b5") + 1


def test_queue_tiles_tell_what_matches_them() -> None:
    words = words_of(picture(OPENING))
    assert words.count("r1") == 2 + 1 + 1  # cells, hand, and below r3
    capturing = replace(OPENING, phase=Phase.CAPTURE, turn=Turn(played_tile="b9"))
    words = words_of(picture(capturing, "capture b4"))
    assert "b9" in words
    assert "b9 captures" in words


def test_what_lies_beside_the_panoramas() -> None:
    turn = Turn(rainbows_to_place=2, drawn_spirits=("wolf", "fox"), forced_tile="g5")
    words = words_of(picture(replace(OPENING, turn=turn, spirit_line=("bee",))))
    assert "30 tiles in the deck, 15 spirits face down" in words
    assert "rainbows to place: 2, g5 is forced" in words
    assert {"wolf", "fox"} <= set(words)
    assert "bee" in words_of(picture(replace(OPENING, spirit_line=("bee",))))
    for place in (EvilSpiritPlace.YOU, EvilSpiritPlace.OPPONENT):
        assert "evil spirit" in words_of(picture(replace(OPENING, evil_spirit=place)))
    assert "evil spirit" not in words_of(picture(OPENING))


def test_four_known_tiles_lie_beside_the_mountain() -> None:
    """The owner of the bear has four, and the fox shows all of them."""
    known = ("b5", "b6", "k8", "o10")
    root = picture(replace(OPENING, opponent_hand_size=4, opponent_known_tiles=known))
    cells = [_box_of_rect(it) for it in classed(panorama(root, "opponent"), "cell")]
    [table] = classed(root, "table")
    tiles = [it for it in table if it.get("class") == "tile"]
    hand = [_box_of_rect(next(iter(it))) for it in tiles if words_of(it)[0] in known]
    assert len(hand) == 4
    for one, other in itertools.product(hand, cells):
        assert not one.lies_on(other), other
    for one, other in itertools.combinations(hand, 2):
        assert not one.lies_on(other)


def test_spirits_side_by_side_can_all_be_read() -> None:
    names = ("groundhog", "squirrel", "ladybug")
    spirits = [SpiritOnSquare(name, f"r{n + 2}") for n, name in enumerate(names)]
    apart = SpiritOnSquare("phoenix", "g4")
    lying = Panorama(spirits=(spirits[1], apart, *spirits[::2]))
    root = panorama(picture(replace(OPENING, you=lying)), "you")
    boxes = {text.text: _box_of(text) for text in root.iter(TEXT)}
    for one, other in itertools.combinations(boxes.values(), 2):
        assert not one.lies_on(other), (one, other)
    heights = [boxes[name].bottom for name in names]
    assert heights[0] == heights[2] < heights[1]
    middle = (boxes["g4"].bottom + boxes["b4"].bottom) / 2
    assert boxes["phoenix"].bottom == pytest.approx(middle, abs=2)  # alone: in its square


def _box_of_rect(it: Root) -> _Box:
    left, top, width, height = (float(it.get(name, "")) for name in ("x", "y", "width", "height"))
    return _Box(it.get("class", ""), left, left + width, top, top + height)


# ---- the move


SPIRITS = replace(
    OPENING,
    opponent=Panorama(tiles=("r1", "r2", "o1", "o2"), spirits=(SpiritOnSquare("bee", "r1"),)),
    spirit_line=("wolf",),
    opponent_known_tiles=("b5", "b6"),
)


@pytest.mark.parametrize(
    ("observation", "line", "marks", "arrows"),
    [
        (OPENING, "play g5, capture g8", ["hand g5", "queue g8", "cell g5", "cell g8"], 2),
        (replace(OPENING, queue=()), "play g5", ["hand g5", "joins the queue"], 1),
        (OPENING, "rainbow r7", ["cell r7"], 0),
        (OPENING, "add k6", ["queue k6", "cell k6"], 1),
        (SPIRITS, "take r2", ["cell r2", "opponent r2"], 1),
        (SPIRITS, "evil g7", ["opponent g7"], 0),
        (SPIRITS, "force b6", ["known b6"], 0),
        (SPIRITS, "meet wolf g5", ["spirit wolf", "square g5"], 1),
        (SPIRITS, "cover bee", ["spirit bee"], 0),
        (SPIRITS, "draw", [], 0),
    ],
)
def test_the_move_is_marked(
    observation: Observation, line: str, marks: list[str], arrows: int
) -> None:
    root = picture(observation, *line.split(", "))
    assert marked(root) == marks
    assert len(classed(root, "arrow")) == arrows
    assert line.split(", ", maxsplit=1)[0] in [it.text for it in classed(root, "move")]


def test_marks_lie_on_what_they_mark() -> None:
    root = picture(OPENING, "play g5")
    [hand, cell] = classed(root, "mark")
    [code] = [text for text in panorama(root, "you").iter(TEXT) if text.text == "g5"]
    left, top = float(cell.get("x", "")), float(cell.get("y", ""))
    assert left < float(code.get("x", "")) < left + float(cell.get("width", ""))
    assert top < float(code.get("y", "")) < top + float(cell.get("height", ""))
    assert hand.get("y") != cell.get("y")


def test_words_lie_over_arrows() -> None:
    """An arrow to the queue crosses the line of spirits, and what matches the queue."""
    observation = replace(SPIRITS, phase=Phase.PLAY, turn=Turn())
    elements = list(picture(observation, f"play {observation.your_hand[0]}").iter())
    last_arrow = max(n for n, it in enumerate(elements) if it.get("class") == "arrow")
    over = [n for n, it in enumerate(elements) if it.get("class", "").endswith("haloed")]
    over += [n for n, it in enumerate(elements) if it.text in observation.spirit_line]
    assert len(over) > 3
    assert min(over) > last_arrow


# ---- the answer


def test_alternatives_have_bars_as_long_as_their_chances() -> None:
    root = picture(OPENING)
    bars = {
        it.get("data-move"): float(it.get("width", "")) for it in root.iter() if it.get("data-move")
    }
    answer = answer_of(OPENING)
    [ground] = {float(it.get("width", "")) for it in classed(root, "bar-ground")[:3]}
    assert bars == {
        str(row.move): pytest.approx(ground * row.win_probability, abs=0.1)
        for row in answer.alternatives
    }
    assert len(classed(root, "bar-best")) == 1
    assert "50.0% ± 3.1%" in words_of(root)


def test_only_the_numbers_of_a_solved_ending_are_called_exact() -> None:
    forced = answer_of(FORCED)
    assert "wins 62.5% ± 3.1%, only move" in answer_words(forced)
    rows = tuple(replace(row, standard_error=0.0) for row in forced.alternatives)
    assert "wins 62.5%, exact" in answer_words(replace(forced, alternatives=rows))
    assert "wins 62.5%" in answer_words(answer_of(OPENING))


def answer_words(answer: Analysis) -> list[str]:
    return words_of(ElementTree.fromstring(draw_picture(OPENING, answer)))


def test_stars_and_reasons_are_told() -> None:
    words = words_of(picture(OPENING))
    assert "21.5, spread 22.0" in words
    assert "17.2, spread 17.5" in words
    assert "21.5 : 17.2" in words
    assert "fireflies" in words
    assert "It is the first in the alphabet." in words
    assert "0 iterations, ended early, seed 17" in words


@pytest.mark.parametrize("samples", [LEAST_SAMPLES - 1, LEAST_SAMPLES])
@pytest.mark.parametrize("hand_size", [0, 3])
@pytest.mark.parametrize("spread", [0.0, 7.5])
@pytest.mark.parametrize(("share", "percent"), [(0.0, 0), (0.004, 0), (0.125, 12), (0.999, 100)])
def test_the_doubt_is_drawn_where_a_reason_tells_it(
    samples: int, hand_size: int, spread: float, share: float, percent: int
) -> None:
    """The sentence and the bar have the same limits and the same share."""
    seen = replace(OPENING, opponent_hand_size=hand_size)
    answer = answer_of(OPENING)
    best, *others = answer.alternatives
    lead = StarsEstimate(4.25, spread)
    outlook = replace(OUTLOOK, samples=samples, lead=lead, hand_share=share)
    rows = (replace(best, outlook=outlook), *others)
    [told] = [it for it in reasons(seen, rows, answer.line, False) if "doubt" in it] or [""]
    root = ElementTree.fromstring(draw_picture(seen, replace(answer, alternatives=rows)))

    assert ("Doubt" in words_of(root)) == bool(told)
    assert len(classed(root, "hand-part")) == 2 * bool(told)  # the bar, and what it means
    if told:
        assert (samples, hand_size, spread) == (LEAST_SAMPLES, 3, 7.5)
        assert "future draws and decisions" in told
        assert told.startswith(f"{percent}% of") or "hardly" in told
        assert f"{percent}% other hand" in words_of(root)
        assert f"{100 - percent}% future draws and decisions" in words_of(root)


def with_rows(answer: Analysis, **changes: Any) -> Analysis:
    return replace(
        answer, alternatives=tuple(replace(row, **changes) for row in answer.alternatives)
    )


def test_without_samples_the_stars_are_one_number() -> None:
    """A solved ending: no visits, no parts, and no spread."""
    rows = {"visits": 0, "standard_error": 0.0, "outlook": None}
    stars = {"expected_stars": 20.25, "opponent_expected_stars": 7.0}
    answer = replace(with_rows(answer_of(OPENING), **rows, **stars), solved=True)
    root = ElementTree.fromstring(
        draw_picture(OPENING, replace(answer, expected_stars=20.25, opponent_expected_stars=7.0))
    )
    words = words_of(root)
    assert "wins 62.5%, exact" in words
    assert words.count("20.2 : 7.0") == len(answer.alternatives)
    assert "Expected stars" in words
    assert {"20.2", "7.0"} <= set(words)
    assert not {"area", "Doubt"} & set(words)
    you, opponent = (it for it in classed(root, "bar") if it.get("data-move") is None)
    assert float(you.get("width", "")) / float(opponent.get("width", "")) == pytest.approx(
        20.25 / 7, rel=0.01
    )


def test_moves_that_were_never_tried_have_no_numbers() -> None:
    answer = answer_of(OPENING)
    best, *others = answer.alternatives
    untried = [replace(row, visits=0, win_probability=0.5, expected_stars=None) for row in others]
    root = ElementTree.fromstring(
        draw_picture(OPENING, replace(answer, alternatives=(best, *untried)))
    )
    bars = [it.get("data-move") for it in root.iter() if it.get("data-move")]
    assert bars == [str(best.move)]
    assert words_of(root).count("-") == 2 * len(untried)  # wins, and stars


def test_an_answer_without_a_search_says_so() -> None:
    untried = with_rows(answer_of(OPENING), visits=0, outlook=None, expected_stars=None)
    words = answer_words(untried)
    assert "nothing was searched" in words
    assert "Expected stars" not in words
    assert "Why" in words
    assert not [it for it in words if "%" in it]


def test_a_single_thing_is_told_as_one() -> None:
    observation = replace(OPENING, deck_size=1, spirit_deck_size=1)
    answer = replace(answer_of(OPENING), iterations=1, truncated=False)
    words = words_of(ElementTree.fromstring(draw_picture(observation, answer)))
    assert "1 tile in the deck, 1 spirit face down" in words
    assert "1 iteration, seed 17" in words


def test_many_alternatives_are_cut() -> None:
    answer = answer_of(OPENING)
    rows = answer.alternatives * 4
    root = ElementTree.fromstring(draw_picture(OPENING, replace(answer, alternatives=rows)))
    assert "... and 4 more" in words_of(root)
    assert sum(it.get("data-move") is not None for it in root.iter()) == 8


def test_text_is_escaped() -> None:
    answer = replace(answer_of(OPENING), reasons=("a < b & \"c\" > 'd'",))
    text = draw_picture(OPENING, answer)
    assert "a &lt; b &amp;" in text
    assert "a < b & \"c\" > 'd'" in words_of(ElementTree.fromstring(text))


def test_it_has_colours_for_dark_ground() -> None:
    text = draw_picture(OPENING, answer_of(OPENING))
    assert "@media (prefers-color-scheme: dark)" in text
    used = {
        name for it in ElementTree.fromstring(text).iter() for name in it.get("class", "").split()
    }
    styled = set(re.findall(r"\.([a-z-]+)[ ,{]", text))
    structure = {"panorama", "you", "opponent", "tile", "face-down", "token", "table", "answer"}
    assert used - styled <= structure


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
def test_every_position_fits_into_the_picture(rules: Rules) -> None:
    """All phases of random games: well-formed, finite, and inside the frame."""
    phases = set()
    for seed in range(12):
        for number, game in enumerate(decisions(seed, rules)):
            if game.phase in phases and number % 9:
                continue
            phases.add(game.phase)
            seen = game.observation(game.player)
            answer = recommend(seen, Limits(iterations=30))
            _check_frame(ElementTree.fromstring(draw_picture(seen, answer)))
    assert len(phases) > 5


LONG_LINES = [
    ("meet groundhog b6",),
    ("rainbow o3", *["rainbow g10"] * 12, "draw"),
    ("capture o10", "rainbow o3", "rainbow o4", "rainbow o5", "meet groundhog b6", "add g10"),
]


@pytest.mark.parametrize("line", LONG_LINES)
@pytest.mark.parametrize("solved", [False, True])
def test_long_moves_and_lines_fit_into_the_picture(line: tuple[str, ...], solved: bool) -> None:
    answer = replace(
        with_rows(answer_of(FORCED, *line), move=Move.parse(line[0])),
        win_probability=1.0,
        solved=solved,
        reasons=("It fills " + "and " * 100 + "no more.",),
    )
    root = ElementTree.fromstring(draw_picture(SPIRITS, answer))
    _check_frame(root)
    words = words_of(root)
    start = words.index("Chance to win")
    rest = [it for it in words[:start] if it.startswith("then ")]
    assert " ".join(rest) == ", ".join(f"then {move}" for move in line[1:])
    for told in rest[:-1]:
        assert told.endswith(","), "broken between two moves"


def _check_frame(root: Root) -> None:
    """All lies inside the frame, and no two texts lie on each other."""
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    for it in root.iter():
        if it.tag.endswith("rect"):
            assert 0 <= float(it.get("x", "")) <= width - float(it.get("width", ""))
            assert 0 <= float(it.get("y", "")) <= height - float(it.get("height", ""))
    boxes = [_box_of(text) for text in root.iter(TEXT) if text.text]
    for box in boxes:
        assert 0 <= box.left <= box.right <= width, box
        assert 0 <= box.top <= box.bottom <= height, box
    for one, other in itertools.combinations(boxes, 2):
        assert not one.lies_on(other), (one, other)


class _Box(NamedTuple):
    words: str
    left: float
    right: float
    top: float
    bottom: float

    def lies_on(self, other: _Box) -> bool:
        beside = self.right <= other.left or other.right <= self.left
        return not beside and self.top < other.bottom and other.top < self.bottom


def _box_of(text: Root) -> _Box:
    """Where a text lies, from its base line to the height of its capitals."""
    words, class_ = text.text or "", text.get("class", "")
    width, x, y = width_of(words, class_), float(text.get("x", "")), float(text.get("y", ""))
    left = x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor", "")]
    return _Box(words, left, left + width, y - 0.73 * size_of(class_), y)


def test_a_forced_move_is_drawn_too() -> None:
    root = picture(FORCED, legal=FORCED)
    assert marked(root) == ["hand g5", "cell g5"]
