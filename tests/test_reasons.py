"""The sentences behind an answer: what they say, and when they are silent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from fakes.engine import OUTLOOK
from fakes.observations import FORCED, OPENING

from solstis_ai.notation import parse_observation
from solstis_ai.observation import (
    EvilSpiritPlace,
    Observation,
    Panorama,
    QueueTile,
    SpiritOnSquare,
    Turn,
)
from solstis_ai.search.facts import board_facts
from solstis_ai.search.reasons import exact_reasons, reasons
from solstis_ai.search.types import MoveStatistics, StarsEstimate
from solstis_ai.vocabulary import CELLS, Move, Phase, Rules


def facts(observation: Observation, *line: str) -> list[str]:
    return list(board_facts(observation, [Move.parse(words) for words in line]))


def capturing(tile: str, *queue: str, **sides: Panorama) -> Observation:
    """``tile`` has been played and may capture one of ``queue``."""
    return replace(
        OPENING,
        phase=Phase.CAPTURE,
        queue=tuple(QueueTile(other) for other in queue),
        turn=Turn(played_tile=tile),
        **sides,  # type: ignore[arg-type]  # by name
    )


# ---- facts of the board


def test_a_play_names_what_it_can_capture() -> None:
    assert facts(OPENING, "play g5") == ["g5 can capture o5, g8 and p5."]
    assert facts(replace(OPENING, queue=()), "play g5") == [
        "g5 matches nothing in the queue and leads to a second chance."
    ]
    assert facts(FORCED, "play g5")[0] == "The fox has forced this tile."


def test_a_play_tells_of_the_capture_that_follows() -> None:
    own = Panorama(tiles=("o5", "o6", "g6"))
    observation = replace(OPENING, you=own, queue=(QueueTile("g8", covers=True),))
    assert facts(observation, "play g5", "capture g8") == [
        "g5 can capture g8.",
        "g5 completes the square o5.",
        "The largest area grows from 3 to 4 land tiles.",
        "A face-down tile under g8 is turned up.",
    ]
    assert facts(observation, "play g5", "draw") == ["g5 can capture g8."]


def test_the_second_chance_captures_with_the_drawn_tile() -> None:
    own = Panorama(tiles=("o5", "o6", "g6"))
    observation = replace(
        capturing("r1", "g8", you=own), turn=Turn(played_tile="r1", drawn_tile="g5")
    )
    assert "g5 completes the square o5." in facts(observation, "capture g8")


def test_fires_gained_and_lit() -> None:
    assert "That brings 2 fires, not lit yet." in facts(capturing("p4", "p7"), "capture p7")
    lit = Panorama(tiles=("r2", "o2", "g2"))
    assert "That brings 1 fire, lit." in facts(capturing("b2", "b5", you=lit), "capture b5")
    assert "That brings 2 fires, 1 of them lit." in facts(
        capturing("b2", "b9", you=lit), "capture b9"
    )
    ninth = Panorama(tiles=("p5",))
    assert "That brings 2 fires, not lit yet." in facts(
        capturing("p6", "r6", you=ninth), "capture r6"
    )
    dark = Panorama(tiles=("b2", "o2"))
    assert "It lights 1 fire already there." in facts(capturing("g2", "r2", you=dark), "capture r2")


def test_the_fire_that_is_lit_need_not_be_the_one_that_comes() -> None:
    """b3 lights the fire on b2, and brings the fire on b9, which is not lit."""
    seen = parse_observation(
        "solstis-observation/1 rules=fireflies phase=play deck=17 queue=r10,b9,p7 "
        "you.hand=r7,g9,b3 you.tiles=r2,r5,o2,g1,g2,g3,g7,g8,k3,k8 opponent.hand=3 "
        "opponent.tiles=r1,r4,r8,o1,o7,b6,b7,b8,k4,k6,p5,p6 spirit_deck=19"
    )
    found = facts(seen, "play b3", "capture b9")
    assert "That brings 1 fire, not lit yet." in found
    assert "It lights 1 fire already there." in found


def test_areas_by_their_land_tiles() -> None:
    """A rainbow can make an area the largest that has fewer land tiles (R24)."""
    one = replace(OPENING, you=Panorama(rainbows=("r1",)))
    assert "The largest area grows from 0 to 1 land tile." in facts(one, "add r2")
    own = Panorama(tiles=("r1", "g1", "g2"), rainbows=("r2",))
    found = facts(replace(OPENING, you=own), "rainbow r3")
    assert found == ["The largest area now has 1 land tile instead of 2."]


def test_what_is_denied_to_the_other_side() -> None:
    other = Panorama(tiles=("b8", "k7", "b7"))
    found = facts(capturing("r8", "k8", opponent=other), "capture k8")
    assert (
        "The opponent, for whom k8 would complete the square b7 and bring 1 fire, cannot have it."
        in found
    )
    # The tile out of the own hand was never to be had.
    assert not any(
        "opponent" in it for it in facts(capturing("k8", "r8", opponent=other), "capture r8")
    )
    locked = replace(other, evil_spirit_cell="k8")
    assert not any(
        "opponent" in it for it in facts(capturing("r8", "k8", opponent=locked), "capture k8")
    )


def test_nothing_is_denied_to_a_side_that_cannot_take_it() -> None:
    """An empty deck, and no tile left that could capture (R20)."""
    other = Panorama(tiles=("b8", "k7", "b7"))
    last = replace(
        capturing("r8", "k8", "r1", opponent=other),
        deck_size=0,
        opponent_hand_size=1,
        opponent_known_tiles=("o8",),
        discarded_tiles=("p4", "p5", "p6", "p7"),
    )

    def denied(seen: Observation) -> bool:
        return any("cannot have it" in it for it in facts(seen, "capture k8"))

    assert denied(last)
    assert not denied(replace(last, opponent_known_tiles=("o9",)))
    assert denied(replace(last, opponent_known_tiles=()))
    assert not denied(replace(last, opponent_hand_size=0, opponent_known_tiles=()))
    no_spirits = facts(replace(last, spirit_deck_size=0), "capture k8")
    assert "The opponent, for whom k8 would bring 1 fire, cannot have it." in no_spirits


def test_a_discarded_tile_completes_nothing() -> None:
    """Why it is discarded is told, and what the other tile does (R12, R26)."""
    own = Panorama(tiles=("g7", "b6", "b7"), evil_spirit_cell="p6")
    seen = replace(capturing("g6", "p6", you=own), rules=Rules(fireflies=True))
    found = facts(seen, "capture p6")
    assert "p6 is discarded, since the evil spirit lies on its cell." in found
    assert "g6 completes the square g6." in found


def test_a_square_that_brings_no_spirit_says_so() -> None:
    own = Panorama(tiles=("o5", "o6", "g6"))
    seen = replace(OPENING, you=own)
    assert "It completes the square o5, but no spirit is left." in facts(
        replace(seen, spirit_deck_size=0), "add g5"
    )
    late = replace(seen, turn=Turn(met_spirit="beetle", filled_cells=("r1",)))
    assert "It completes the square o5, too late for a spirit." in facts(late, "add g5")
    last = replace(seen, phase=Phase.FINAL_RAINBOW)
    assert "It completes the square o5, too late for a spirit." in facts(last, "rainbow g5")


def test_a_square_counts_again_when_its_rainbow_makes_way() -> None:
    """R12, R14: it carries nothing yet, and a cell of it is filled this turn."""
    own = Panorama(tiles=("o5", "o6", "g6"), rainbows=("g5",))
    found = facts(capturing("g5", "g1", you=own), "capture g1")
    assert "The square o5 was full before and counts as new again." in found
    assert not any("complete" in it for it in found)
    # A tile that is discarded fills nothing.
    own = Panorama(
        tiles=("r1", "r2", "o2", "g1", "g2"),
        rainbows=("o1",),
        spirits=(SpiritOnSquare("bee", "r1"),),
    )
    assert not any(
        "as new again" in it for it in facts(capturing("o1", "o7", you=own), "capture o7")
    )


FIREFLIES = replace(OPENING, rules=Rules(fireflies=True), spirit_deck_size=19)
THREE = ("r1", "r3", "r5")
"""Squares with a firefly; the tiles of the rows 1 and 2 up to column 6 fill them."""
SIX = tuple(f"{row}{column}" for row in "ro" for column in range(1, 7))


def test_what_a_move_does_for_fireflies() -> None:
    """R25: one new square gets the spirit, the others a firefly; the fourth wins."""
    own = Panorama(tiles=("o7", "o8", "o9", "g7", "g9"))
    seen = replace(FIREFLIES, you=own)
    assert "That brings 1 firefly besides the spirit." in facts(seen, "rainbow g8")
    assert "The fourth firefly wins at once." not in facts(seen, "rainbow g8")
    met = replace(seen, turn=Turn(met_spirit="fish"))
    assert "That brings 2 fireflies." in facts(met, "rainbow g8")
    assert not any("firefl" in it for it in facts(replace(seen, rules=Rules()), "rainbow g8"))
    won = replace(own, tiles=(*SIX, *own.tiles), firefly_squares=THREE)
    assert "The fourth firefly wins at once." in facts(replace(seen, you=won), "rainbow g8")
    # The only spirit left may be the evil one, and then none is met.
    unsure = replace(seen, you=won, spirit_deck_size=1)
    assert "The fourth firefly wins at once." not in facts(unsure, "rainbow g8")


def test_fireflies_of_a_meeting() -> None:
    own = Panorama(tiles=("o7", "o8", "o9", "g7", "g8", "g9"))
    seen = replace(FIREFLIES, you=own, turn=Turn(filled_cells=("g8",)))
    assert "A firefly goes to the square o8." in facts(seen, "meet wolf o7")
    three = replace(own, tiles=(*SIX, *own.tiles), firefly_squares=THREE)
    won = replace(seen, you=three, evil_spirit=EvilSpiritPlace.YOU)
    assert facts(won, "meet groundhog o7") == ["The fourth firefly wins at once."]
    assert facts(won, "draw") == ["The fourth firefly wins at once."]


def test_fireflies_that_are_lit() -> None:
    own = Panorama(tiles=("g2", "g3", "b2", "b3", "r2"), firefly_squares=("g2",))
    assert "It lights 1 firefly." in facts(replace(FIREFLIES, you=own), "rainbow o2")


def test_the_evil_spirit_is_passed_on() -> None:
    """R15, R16 and R26."""
    own = Panorama(tiles=("o5", "o6", "g6"))
    seen = replace(OPENING, you=own, evil_spirit=EvilSpiritPlace.YOU)
    ahead = "With the spirit met there, the evil spirit goes to the opponent."
    assert ahead in facts(seen, "rainbow g5")
    assert ahead not in facts(replace(seen, evil_spirit=EvilSpiritPlace.OPPONENT), "rainbow g5")
    assert "The evil spirit goes to the opponent." in facts(seen, "meet wolf o5")
    drawn = replace(
        seen,
        evil_spirit=EvilSpiritPlace.DRAWN,
        turn=Turn(drawn_spirits=("wolf", "evil_spirit")),
    )
    assert "The evil spirit stays with you." in facts(drawn, "meet wolf o5")
    assert "The evil spirit goes to the opponent's panorama." in facts(
        replace(drawn, rules=Rules(fireflies=True)), "meet wolf o5"
    )


def test_discarded_tiles_and_displaced_rainbows() -> None:
    own = Panorama(
        tiles=("r1", "r2", "o2"),
        rainbows=("o1", "g7"),
        spirits=(SpiritOnSquare("bee", "r1"),),
    )
    found = facts(capturing("o1", "o7", you=own), "capture o7")
    assert "o1 is discarded, since a locked rainbow lies on its cell." in found
    found = facts(capturing("g7", "o7", you=own), "capture o7")
    assert "The rainbow on g7 is placed anew." in found


def test_rainbows_add_and_take() -> None:
    own = Panorama(tiles=("o5", "o6", "g6"))
    observation = replace(OPENING, you=own)
    assert "It completes the square o5." in facts(observation, "rainbow g5")
    assert "It completes the square o5." in facts(observation, "add g5")
    assert facts(observation, "take g5")[:2] == [
        "The opponent loses g5.",
        "It completes the square o5.",
    ]


def test_a_tile_of_the_hand_is_denied_to_nobody() -> None:
    other = replace(OPENING, opponent=Panorama(tiles=("k5", "p4", "p5", "b6", "b7", "k7")))
    assert not any("opponent" in it for it in facts(other, "add k4"))
    assert any("opponent" in it for it in facts(other, "add k6"))


def test_spirits_tell_what_they_score_now() -> None:
    own = Panorama(
        tiles=("r1", "r2", "o1", "o2", "p4"),
        rainbows=("g9",),
        spirits=(SpiritOnSquare("fish", "r1"),),
    )
    observation = replace(OPENING, you=own)
    assert facts(observation, "meet bee o1") == [
        "The bee scores a star for each brown spirit: 1 as it is now."
    ]
    assert facts(observation, "meet wolf o1") == [
        "The wolf scores a star for each area: 3 as it is now."
    ]
    assert facts(observation, "meet groundhog o1") == ["The groundhog gives another turn."]
    two = replace(observation, turn=Turn(drawn_spirits=("wolf", "moth")))
    assert "The moth goes to the line." in facts(two, "meet wolf o1")


NOTHING = replace(
    OPENING,
    your_hand=(),
    opponent_hand_size=0,
    deck_size=0,
    queue=(),
    you=Panorama(rainbows=CELLS[:6]),
    opponent=Panorama(tiles=("b3", "b4"), rainbows=CELLS[6:12]),
)
"""No brown spirit does anything here."""


@pytest.mark.parametrize(
    ("spirit", "why", "changes"),
    [
        ("fish", "no rainbow is left", {"you": Panorama(rainbows=CELLS[:5])}),
        ("deer", "the hand is empty", {"your_hand": ("r1",)}),
        ("eagle", "the deck is empty", {"deck_size": 1}),
        ("bear", "the deck is empty", {"deck_size": 1}),
        ("fly", "the opponent's hand is empty", {"opponent_hand_size": 1}),
        ("beetle", "the queue is empty", {"queue": (QueueTile("r1"),)}),
        ("viper", "the opponent has no isolated tile", {"opponent": Panorama(tiles=("b3", "k4"))}),
        ("fox", "the opponent's hand is empty", {"opponent_hand_size": 1}),
    ],
)
def test_a_spirit_without_effect_says_why(spirit: str, why: str, changes: dict[str, Any]) -> None:
    """R17."""
    sentence = f"The {spirit} has no effect, since {why}."
    assert facts(NOTHING, f"meet {spirit} r1") == [sentence]
    [other] = facts(replace(NOTHING, **changes), f"meet {spirit} r1")
    assert "no effect" not in other


def test_another_turn_without_a_tile_says_so() -> None:
    idle = "The groundhog gives another turn, in which no tile can be played."
    assert facts(NOTHING, "meet groundhog r1") == [idle]
    last = replace(NOTHING, your_hand=("r1",), queue=(QueueTile("r2"),))
    assert facts(last, "meet groundhog r1") == ["The groundhog gives another turn."]


def test_what_covering_a_spirit_takes_away() -> None:
    """Its own star, what it gives, and what others give for it (R23, R24)."""
    names = ("wolf", "bee", "bird", "fish")
    spirits = tuple(SpiritOnSquare(name, "r1") for name in names)
    other = Panorama(tiles=("r1", "r2", "o1", "o2", "g9"), spirits=spirits)
    seen = replace(OPENING, opponent=other, opponent_hand_size=2)
    assert facts(seen, "cover fish") == ["The fish is worth 2 stars to the opponent."]
    assert facts(seen, "cover wolf") == ["The wolf is worth 4 stars to the opponent."]
    more = replace(other, spirits=(*spirits, SpiritOnSquare("squirrel", "r1")))
    seen = replace(seen, opponent=more)
    assert facts(seen, "cover wolf") == ["The wolf is worth 4 stars to the opponent, as it is now."]
    assert facts(seen, "cover squirrel") == [
        "The squirrel is worth 2 stars to the opponent, and what it places: "
        "2 tiles left in the hand."
    ]


def test_drawing_forcing_blocking_and_passing() -> None:
    line = replace(OPENING, spirit_line=("bee", "wolf"))
    assert facts(line, "draw") == ["It leaves bee and wolf in the line."]
    assert facts(OPENING, "draw") == []
    assert facts(OPENING, "force k4") == [
        "As the queue is, the opponent can capture b4 and k6 with k4."
    ]
    assert facts(replace(OPENING, queue=()), "force k4") == ["As the queue is, k4 matches nothing."]
    empty = replace(OPENING, queue=(), deck_size=1, your_hand=("r1", "g5"))
    assert facts(empty, "force k4") == [
        "As the queue is, k4 matches nothing, so that the opponent has to pass."
    ]
    other = replace(
        OPENING,
        you=Panorama(evil_spirit_cell="r3"),
        opponent=Panorama(tiles=("o5", "o6", "g6")),
    )
    assert facts(other, "evil g5") == [
        "It leaves r3 of your panorama.",
        "As long as it lies on g5, the opponent can place nothing there.",
        "It blocks the square o5.",
    ]
    assert facts(OPENING, "pass") == ["No tile of the hand can capture."]
    assert facts(FORCED, "pass") == ["g5 cannot capture."]
    second = replace(OPENING, your_hand=(), turn=Turn(opponent_passed=True))
    assert facts(second, "pass") == [
        "The hand is empty.",
        "The opponent has passed, too, so that the game ends.",
    ]


# ---- numbers


def row(words: str, wins: float, error: float = 0.01, **parts: float) -> MoveStatistics:
    """A move whose outlook has these means of the own side, and a spread of 2 in each."""
    known = {"area": 12.0, "fires": 3.0, "spirits": 3.0, "bonuses": 2.0, "fireflies": 1.0} | parts
    stars = {part: StarsEstimate(mean, 2.0) for part, mean in known.items()}
    total = StarsEstimate(sum(known.values()), 5.0)
    outlook = replace(OUTLOOK, samples=1024, you=replace(OUTLOOK.you, total=total, **stars))
    return MoveStatistics(Move.parse(words), 1000, 1000, wins, error, outlook=outlook)


def said(
    rows: Sequence[MoveStatistics], observation: Observation = OPENING, *, forced: bool = False
) -> tuple[str, ...]:
    return reasons(observation, rows, [rows[0].move], forced)


@pytest.mark.parametrize(
    ("wins", "stars", "told"),
    [
        (0.5, (20.0, 18.0), "That is 50.0 percentage points more than play k4."),
        (0.9997, (20.0, 18.0), "That is a little more than play k4."),
        (1.0, (20.0, 18.5), "The chance is the same with play k4, but it ends 1.5 stars worse."),
        (1.0, (20.0, 17.0), "With play k4 it comes to the same."),
    ],
)
def test_a_solved_move_is_compared_by_its_lead(
    wins: float, stars: tuple[float, float], told: str
) -> None:
    rows = [solved_row("play g5", 1.0, (21.0, 18.0)), solved_row("play k4", wins, stars)]
    assert exact_reasons(OPENING, rows, [rows[0].move])[-1] == told


def solved_row(words: str, wins: float, stars: tuple[float, float]) -> MoveStatistics:
    own, other = stars
    return MoveStatistics(Move.parse(words), 0, 0, wins, 0.0, own, other)


OPEN = replace(OPENING, deck_size=0, queue=(QueueTile("r3"),))
COVERED = replace(OPEN, queue=(QueueTile("r3", covers=True),))


@pytest.mark.parametrize(
    ("seen", "wins", "told"),
    [
        (OPEN, 1.0, "a sure win"),
        (OPEN, 0.0, "lost against best play"),
        (OPEN, 0.5, "even against best play, a draw or won as often as lost"),
        (OPEN, 0.625, "a chance to win of 62% against best play (a draw counts half)"),
        (OPEN, 0.999, "a chance to win of over 99% against best play (a draw counts half)"),
        (COVERED, 1.0, "a sure win"),
        (COVERED, 0.0, "lost against an opponent who sees every hand"),
        (
            COVERED,
            0.004,
            "a chance to win of under 1% against an opponent who sees every hand "
            "(a draw counts half)",
        ),
    ],
)
def test_the_verdict_of_a_solved_ending(seen: Observation, wins: float, told: str) -> None:
    rows = [solved_row("play g5", wins, (12.0, 25.0))]
    found = exact_reasons(seen, rows, [rows[0].move])
    foe = "an opponent who sees every hand" if seen is COVERED else "best play"
    assert found[-3:] == (
        f"Worked out to the end: {told}.",
        f"Against {foe} it ends at 12.0 to 25.0 stars on average.",
        "It is the only legal move.",
    )


@pytest.mark.parametrize(
    ("wins", "told"), [(1.0, "100%"), (0.996, "over 99%"), (0.994, "99%"), (0.0, "0%")]
)
def test_no_chance_is_rounded_to_certainty(wins: float, told: str) -> None:
    assert (
        f"The search puts the chance to win at {told}; sampled" in said([row("play g5", wins)])[1]
    )


def test_a_move_that_the_search_has_begun_to_prefer() -> None:
    """Two standard errors of the difference are 2.83 percentage points."""
    best, second, third = row("play g5", 0.5), row("play k4", 0.5), row("play r1", 0.53)
    better = (
        "The search has begun to prefer play r1, "
        "but has not looked at it often enough to change its mind."
    )
    for rows in ([best, third, second], [best, second, third]):
        assert said(rows)[2] == better
        assert not any("clear difference" in it for it in said(rows))
    assert better not in said([best, second, replace(third, visits=19)])
    assert better not in said([best, second, replace(third, win_probability=0.528)])


def test_a_move_that_was_rarely_tried_may_be_better_than_it_looks() -> None:
    best, second = row("play g5", 0.9), row("play k4", 0.5)
    assert said([best, replace(second, visits=100)])[2].startswith("That is 40.0 percentage")
    assert said([best, replace(second, visits=99)])[2].startswith("That is up to 40.0 percentage")


def test_a_move_that_was_hardly_tried_is_not_compared() -> None:
    best, second = row("play g5", 0.99), row("play k4", 0.0, 0.2)
    found = said([best, replace(second, visits=19)])
    assert found[2] == "The search looked at play k4 too rarely to compare the two."
    assert "percentage points more" in said([best, replace(second, visits=20)])[2]


def test_numbers_of_the_answer() -> None:
    found = said([row("play g5", 0.625, area=14.0), row("play k4", 0.5)])
    assert found == (
        "g5 can capture o5, g8 and p5.",
        "The search puts the chance to win at 62%; "
        "sampled games end at 23.0 to 17.2 stars on average.",
        "That is 12.5 percentage points more than play k4.",
        "It brings you 2.0 stars more from the largest area than play k4.",
        "12% of the doubt is the other hand, the rest future draws and decisions.",
    )


def test_differences_are_told_by_part_the_favourable_first() -> None:
    best = row("play g5", 0.7, area=11.0, fires=3.5, spirits=5.0, bonuses=1.5)
    [sentence] = [it for it in said([best, row("play k4", 0.5)]) if it.startswith("It brings")]
    assert sentence == (
        "It brings you 2.0 stars more from spirits and 0.5 stars more from fires, but 1.0 stars "
        "fewer from the largest area than play k4."
    )


def test_what_speaks_against_the_move_is_told_last_and_as_such() -> None:
    best, second = row("play g5", 0.7, area=10.5), row("play k4", 0.5)
    assert second.outlook
    other = replace(second.outlook.opponent, area=StarsEstimate(13.5, 2.0))
    rows = [best, replace(second, outlook=replace(second.outlook, opponent=other))]
    assert said(rows)[3:5] == (
        "It leaves the opponent 2.5 stars fewer from the largest area than play k4.",
        "But it brings you 1.5 stars fewer from the largest area than play k4.",
    )


def test_what_the_other_side_gets_less_of() -> None:
    best, second = row("play g5", 0.7), row("play k4", 0.5)
    assert second.outlook
    other = replace(second.outlook.opponent, area=StarsEstimate(13.5, 2.0))
    second = replace(second, outlook=replace(second.outlook, opponent=other))
    assert "It leaves the opponent 2.5 stars fewer from the largest area than play k4." in said(
        [best, second]
    )


def test_a_tie_is_silent_about_differences() -> None:
    """Two standard errors of the difference: 2.83 percentage points."""
    tie = said([row("play g5", 0.528, area=16.0), row("play k4", 0.5)])
    assert "The search sees no clear difference from play k4." in tie
    assert not any("more" in it or "fewer" in it for it in tie)
    clear = said([row("play g5", 0.529, area=16.0), row("play k4", 0.5)])
    assert "It brings you 4.0 stars more from the largest area than play k4." in clear


@pytest.mark.parametrize(("by", "told"), [(0.26, False), (0.28, True)])
def test_parts_within_their_error_are_not_told(by: float, told: bool) -> None:
    """Three standard errors of a difference: 0.265 stars."""
    found = said([row("play g5", 0.7, area=12.0 + by), row("play k4", 0.5)])
    assert any(it.startswith("It brings you") for it in found) == told


def test_small_parts_are_not_told_however_sure() -> None:
    best, second = row("play g5", 0.7, area=12.15), row("play k4", 0.5)
    rows = [replace(it, outlook=replace(it.outlook, samples=10**6)) for it in (best, second)]  # type: ignore[type-var]
    assert not any(it.startswith("It brings you") for it in said(rows))


def test_a_single_move_is_told_as_what_it_is() -> None:
    assert said([row("play g5", 0.6)], forced=True)[-2] == "It is the only legal move."
    assert said([row("play g5", 0.6)])[-2] == "No other move was noticed."


def test_nothing_is_compared_with_a_move_that_was_not_tried() -> None:
    untried = replace(row("play k4", 0.5), visits=0, outlook=None)
    assert not any("play k4" in it for it in said([row("play g5", 0.7), untried]))


def with_doubt(**changes: object) -> MoveStatistics:
    best = row("play g5", 0.7)
    assert best.outlook
    return replace(best, outlook=replace(best.outlook, **changes))  # type: ignore[arg-type]


def doubts(best: MoveStatistics, observation: Observation = OPENING) -> list[str]:
    return [it for it in said([best, row("play k4", 0.5)], observation) if "doubt" in it]


def test_the_split_of_the_doubt() -> None:
    assert doubts(with_doubt(hand_share=0.304)) == [
        "30% of the doubt is the other hand, the rest future draws and decisions."
    ]
    assert doubts(with_doubt(hand_share=0.004)) == [
        "The doubt is in future draws and decisions, hardly in the other hand."
    ]
    assert doubts(with_doubt(hand_share=0.996)) == [
        "The doubt is in the other hand, hardly in future draws and decisions."
    ]


def test_no_word_of_doubt_without_samples_or_without_doubt() -> None:
    assert doubts(with_doubt(samples=511)) == []
    assert doubts(with_doubt(lead=StarsEstimate(3.0, 0.0))) == []
    assert doubts(with_doubt(), replace(OPENING, opponent_hand_size=0)) == []
