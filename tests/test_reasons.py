"""The sentences behind an answer: what they say, and when they are silent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from fakes.engine import OUTLOOK
from fakes.observations import FORCED, OPENING

from solstis_ai.observation import Observation, Panorama, QueueTile, SpiritOnSquare, Turn
from solstis_ai.search.facts import board_facts
from solstis_ai.search.reasons import exact_reasons, reasons
from solstis_ai.search.types import MoveStatistics, StarsEstimate
from solstis_ai.vocabulary import Move, Phase


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
    other = replace(OPENING, opponent=replace(own, spirits=(SpiritOnSquare("wolf", "r1"),)))
    assert facts(other, "cover wolf") == ["The wolf is worth 4 stars to the opponent."]


def test_drawing_forcing_blocking_and_passing() -> None:
    line = replace(OPENING, spirit_line=("bee", "wolf"))
    assert facts(line, "draw") == ["It leaves bee and wolf in the line."]
    assert facts(OPENING, "draw") == []
    assert facts(OPENING, "force k4") == [
        "As the queue is, the opponent can capture b4 and k6 with k4."
    ]
    assert facts(replace(OPENING, queue=()), "force k4") == ["As the queue is, k4 matches nothing."]
    other = replace(OPENING, opponent=Panorama(tiles=("o5", "o6", "g6")))
    assert facts(other, "evil g5")[1] == "It blocks the square o5."
    assert facts(OPENING, "pass") == ["No tile of the hand can capture."]
    assert facts(FORCED, "pass") == ["g5 cannot capture."]


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
        (1.0, (20.0, 18.5), "play k4 wins as often, but leads by 1.5 stars less."),
        (1.0, (20.0, 17.0), "play k4 wins as often and leads by as much."),
    ],
)
def test_a_solved_move_is_compared_by_its_lead(
    wins: float, stars: tuple[float, float], told: str
) -> None:
    rows = [row("play g5", 1.0, 0.0), row("play k4", wins, 0.0)]
    assert exact_reasons(OPENING, rows, [rows[0].move], [(21.0, 18.0), stars])[-1] == told


def test_a_move_that_was_hardly_tried_is_not_compared() -> None:
    best, second = row("play g5", 0.99), row("play k4", 0.0, 0.2)
    found = said([best, replace(second, visits=19)])
    assert found[2] == "The search looked at play k4 too rarely to compare the two."
    assert "percentage points more" in said([best, replace(second, visits=20)])[2]


def test_numbers_of_the_answer() -> None:
    found = said([row("play g5", 0.625, area=14.0), row("play k4", 0.5)])
    assert found == (
        "g5 can capture o5, g8 and p5.",
        "Wins 62% of the simulated games; sampled games end at 23.0 to 17.2 stars on average.",
        "That is 12.5 percentage points more than play k4.",
        "It brings you 2.0 stars more from the largest area than play k4.",
        "12% of the doubt is the other hand, the rest future draws and decisions.",
    )


def test_differences_are_told_by_part_the_largest_first() -> None:
    best = row("play g5", 0.7, area=11.0, fires=3.5, spirits=5.0, bonuses=1.5)
    [sentence] = [it for it in said([best, row("play k4", 0.5)]) if it.startswith("It brings")]
    assert sentence == (
        "It brings you 2.0 stars more from spirits, 1.0 stars fewer from the largest area and "
        "0.5 stars more from fires than play k4."
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


def test_no_word_of_doubt_without_samples_or_without_doubt() -> None:
    assert doubts(with_doubt(samples=511)) == []
    assert doubts(with_doubt(lead=StarsEstimate(3.0, 0.0))) == []
    assert doubts(with_doubt(), replace(OPENING, opponent_hand_size=0)) == []
