"""One hand-written case for each thing that is refused, with the field that is named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from accepted_observations import ACCEPTED, ALL_MET, EXPANSION_ALONE, observation

from solstis_ai.errors import InvalidObservationError
from solstis_ai.observation import (
    Observation,
    Panorama,
    QueueTile,
    SpiritOnSquare,
    Turn,
)
from solstis_ai.validation import validate
from solstis_ai.vocabulary import CELLS


def refusal(refused: Observation) -> InvalidObservationError:
    with pytest.raises(InvalidObservationError) as caught:
        validate(refused)
    assert caught.value.reason
    return caught.value


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    validate(observation(name))


@pytest.mark.parametrize(
    "changes",
    [
        "",
        EXPANSION_ALONE,
        EXPANSION_ALONE + "phase=meet turn.spirits=",
        EXPANSION_ALONE + "phase=evil turn.spirits=",
    ],
)
def test_the_evil_spirit_drawn_alone(changes: str) -> None:
    """R15, R26: a spirit of the line may be met before it is placed."""
    validate(observation("alone", changes))


REFUSED = [
    # the variant and the phase
    ("play", "rules=fireflies+no_evil_spirit", "rules.evil_spirit"),
    ("play", "phase=over", "phase"),
    # numbers and codes
    ("play", "deck=31", "deck_size"),
    ("play", "opponent.hand=5", "opponent_hand_size"),
    ("play", "spirit_deck=20", "spirit_deck_size"),
    ("rainbow", "turn.rainbows=5", "turn.rainbows_to_place"),
    ("play", "you.hand=r5,r9,r5", "your_hand[2]"),
    ("play", "queue=r7*,o4*,g5*,g9*,b2*,b2*", "queue[5].tile"),
    ("discarded", "you.rainbows=g1,g1", "you.rainbows[1]"),
    ("discarded", "discarded=g1,g1", "discarded_tiles[1]"),
    ("discarded", "line=squirrel,squirrel", "spirit_line[1]"),
    ("discarded", "line=cow", "spirit_line[0]"),
    ("play", "rules=no_evil_spirit line=evil_spirit", "spirit_line[0]"),
    ("deer", "turn.filled=r9,r9", "turn.filled_cells[1]"),
    ("deer", "turn.met=cow", "turn.met_spirit"),
    ("fireflies", "you.fireflies=b3,b3", "you.firefly_squares[1]"),
    # fields of the turn that do not belong to the phase, or are missing
    ("play", "turn.played=b8", "turn.played_tile"),
    ("play", "turn.drawn=g1", "turn.drawn_tile"),
    ("play", "turn.rainbows=1", "turn.rainbows_to_place"),
    ("discarded", "turn.filled=r2", "turn.filled_cells"),
    ("play", "turn.spirits=bee,wolf", "turn.drawn_spirits"),
    ("discarded", "turn.met=bird", "turn.met_spirit"),
    ("play", "turn.extra=yes", "turn.extra_turn"),
    ("capture", "turn.forced=r5", "turn.forced_tile"),
    ("capture", "turn.passed=yes", "turn.opponent_passed"),
    ("capture", "turn.filled=r1", "turn.filled_cells"),
    ("cover", "turn.filled=r1", "turn.filled_cells"),
    ("final", "turn.filled=r1", "turn.filled_cells"),
    ("capture", "turn.played=", "turn.played_tile"),
    ("rainbow", "turn.rainbows=", "turn.rainbows_to_place"),
    ("final", "turn.rainbows=", "turn.rainbows_to_place"),
    ("meet", "turn.filled=", "turn.filled_cells"),
    ("meet_drawn", "turn.spirits=", "turn.drawn_spirits"),
    ("beetle", "turn.met=", "turn.met_spirit"),
    ("viper", "turn.met=", "turn.met_spirit"),
    ("fox", "turn.met=", "turn.met_spirit"),
    # panoramas
    ("discarded", "you.rainbows=g1,r2", "you.rainbows[1]"),
    ("rainbow", "you.rainbows=r1,p4", "you.rainbows"),
    ("discarded", "you.spirits=bird@g6", "you.spirits[0].square"),
    ("deer", "you.spirits=wolf@o1,bird@r8,deer@r8", "you.spirits[2].square"),
    ("fireflies", "you.spirits=deer@b3", "you.firefly_squares[0]"),
    ("fireflies", "you.fireflies=o4", "you.firefly_squares[0]"),
    ("fireflies", "opponent.fireflies=r8,o8", "opponent.firefly_squares[0]"),
    ("discarded", "opponent.fireflies=r3", "opponent.firefly_squares[0]"),
    ("discarded", "you.fireflies=o1 you.spirits=", "you.firefly_squares"),
    (
        "evil_firefly",
        "you.rainbows=r9,o5,o6 you.fireflies=r7,r8,o5,o6",
        "you.firefly_squares",
    ),
    ("evil_firefly", "you.spirits= line=bee,fish,phoenix", "you.firefly_squares"),
    ("fireflies", "you.evil_cell=", "you.evil_spirit_cell"),
    ("fireflies", "opponent.evil_cell=r1", "opponent.evil_spirit_cell"),
    ("fireflies", "you.evil_cell=r2", "you.evil_spirit_cell"),
    ("fireflies", "you.evil_cell=b3", "you.evil_spirit_cell"),
    ("kept", "opponent.evil_cell=r1", "opponent.evil_spirit_cell"),
    (
        "play",
        "you.rainbows=r1,r2,r3,r4,r5,r6,r7,r8,r9,r10 opponent.rainbows=r1,r2,r3",
        "you.rainbows",
    ),
    (
        "rainbow",
        "you.rainbows=r1,r2,r3,r4,r5,r6,r7,r8,r9,r10 opponent.rainbows=r1,r2",
        "turn.rainbows_to_place",
    ),
    # the end
    ("play", "turn.passed=yes", "turn.opponent_passed"),
    ("cover", "deck=1", "deck_size"),
    ("final", "deck=1", "deck_size"),
    # hands
    ("play", "you.hand=r5,r9", "your_hand"),
    ("play", "you.hand=r5,r9,b8,b9", "your_hand"),
    ("play", "opponent.hand=2", "opponent_hand_size"),
    ("play", "opponent.hand=4", "opponent_hand_size"),
    ("kept", "opponent.hand=3", "opponent_hand_size"),
    ("capture", "you.hand=r5,r9,b9", "your_hand"),
    ("passed", "opponent.hand=4", "opponent_hand_size"),
    ("final", "you.hand=r9", "your_hand"),
    ("cover", "you.hand=r6,o1,r3,o7", "your_hand"),
    # tiles
    ("play", "you.hand=r5,r9,r7", "queue[0].tile"),
    ("discarded", "you.tiles=r2,o1,o2,o4,o5,o7,o9,g2,g3,g6,g9,b4,b6,b7,g8", "you.tiles[14]"),
    ("discarded", "discarded=r1", "discarded_tiles[0]"),
    ("known", "opponent.known=r1,b8", "opponent_known_tiles[1]"),
    ("capture", "turn.played=r5", "turn.played_tile"),
    ("capture", "turn.played=g5", "turn.played_tile"),
    ("second_chance", "turn.drawn=o1", "turn.drawn_tile"),
    ("known", "opponent.excluded=r4", "opponent_excluded_tiles"),
    ("passed", "opponent.excluded=r1", "opponent_excluded_tiles[0]"),
    ("passed", "opponent.excluded=g7", "opponent_hand_size"),
    ("play", "deck=29", "deck_size"),
    ("play", "queue=r7*,o4*,g5*,g9*,b2*,k7*,k8* deck=28", "queue"),
    ("play", "queue=r7,o4*,g5*,g9*,b2*,k7*,k8 deck=30", "queue"),
    ("play", "queue=r7,o4*,g5*,g9*,b2*,k7*", "deck_size"),
    ("fox", "opponent.known=r1,g3,b5,r4", "opponent_known_tiles"),
    ("discarded", "discarded=b2 deck=8", "discarded_tiles[0]"),
    ("discarded", "you.spirits=", "discarded_tiles[0]"),
    # spirits
    ("deer", "opponent.spirits=wolf@r4", "opponent.spirits[0].square"),
    ("final", "you.spirits=squirrel@r4,wolf@r5", "opponent.spirits[1].spirit"),
    ("discarded", "line=bird", "spirit_line[0]"),
    ("meet_drawn", "line=bird", "turn.drawn_spirits[0]"),
    ("discarded", "you.spirits=evil_spirit@o1", "you.spirits[0].spirit"),
    ("discarded", "line=evil_spirit", "spirit_line[0]"),
    ("discarded", "evil_spirit=you", "spirit_deck_size"),
    ("play", "evil_spirit=you spirit_deck=14", "evil_spirit"),
    ("play", "rules=no_evil_spirit evil_spirit=you", "evil_spirit"),
    ("kept", "evil_spirit=out", "evil_spirit"),
    ("kept", "evil_spirit=drawn", "evil_spirit"),
    ("evil_drawn", "evil_spirit=you", "evil_spirit"),
    ("meet_drawn", "evil_spirit=drawn spirit_deck=12", "evil_spirit"),
    ("play", "spirit_deck=14", "spirit_deck_size"),
    ("meet", "line=bee,wolf spirit_deck=13", "spirit_line"),
    ("discarded", "line= spirit_deck=14", "spirit_deck_size"),
    ("meet_drawn", "turn.spirits=bird spirit_deck=14", "spirit_deck_size"),
    ("meet_drawn", "turn.spirits=bird,beetle,bee spirit_deck=12", "spirit_deck_size"),
    ("meet_drawn", "turn.spirits=bird you.spirits=beetle@o7", "turn.drawn_spirits"),
    ("discarded", "you.spirits=bird@o1!", "you.spirits[0].covered"),
    ("final", "opponent.spirits=bee@o2,wolf@r7", "opponent.spirits"),
    ("final", "opponent.spirits=bee@o2!,wolf@r7!", "opponent.spirits[1].covered"),
    ("final", "you.spirits=squirrel@r4,beetle@r5!", "you.spirits[1].covered"),
    # the spirit met and the cells filled this turn
    ("beetle", "turn.met=bird line= you.spirits=bird@o7,beetle@g7", "you.spirits[1].square"),
    ("beetle", "turn.met=bird line=beetle you.spirits=bird@o7", "turn.met_spirit"),
    ("fish", "turn.met=squirrel line=fish you.spirits=squirrel@o6", "turn.met_spirit"),
    ("beetle", "you.spirits=bird@o7 line=beetle", "turn.met_spirit"),
    ("beetle", "turn.filled=o2", "turn.filled_cells"),
    ("beetle", "turn.filled=o8,g8,k4", "turn.filled_cells[2]"),
    ("fish", "turn.filled=o6,o7,g2,g6", "turn.filled_cells"),
    ("meet", "turn.filled=o8,g8,o2", "turn.filled_cells"),
    ("rainbow", "turn.rainbows=2", "turn.rainbows_to_place"),
    ("deer", "turn.filled=r8,r9,o6,k8 you.rainbows=r8,o6,k8", "turn.filled_cells"),
    # what is known and forced
    ("known", "you.spirits=viper@o9", "opponent_known_tiles"),
    ("forced", "turn.forced=g4", "turn.forced_tile"),
    ("forced", "opponent.spirits=viper@o9", "turn.forced_tile"),
    (
        "passed",
        "rules=fireflies opponent.spirits=fox@o3 opponent.rainbows=g4 line=bee spirit_deck=17"
        " turn.forced=r1",
        "turn.forced_tile",
    ),
    # phases
    ("capture", "queue=r7*,o4*,g5*,g9*,b2*,k7* turn.played=p6", "turn.played_tile"),
    ("second_chance", "turn.played=p5", "turn.played_tile"),
    ("second_chance", "queue=o2,o4*,g7*,b2*,b4*,k3*,k6*", "queue[2].covers"),
    ("second_chance", "turn.played=b2", "queue[3].covers"),
    ("second_chance", "queue=o2*,o7*,g7,b2*,b4*,k3*,k6*", "turn.drawn_tile"),
    ("second_chance", "turn.drawn=p5", "turn.drawn_tile"),
    ("meet", "turn.filled=o2", "turn.filled_cells"),
    ("meet_drawn", "turn.filled=o2", "turn.filled_cells"),
    ("alone", ALL_MET, "spirit_line"),
    ("alone", ALL_MET + "phase=meet evil_spirit=you turn.spirits=", "spirit_line"),
    ("alone", "phase=meet turn.spirits=", "evil_spirit"),
    ("alone", EXPANSION_ALONE + "phase=play turn.spirits= turn.filled=", "evil_spirit"),
    ("alone", EXPANSION_ALONE + "phase=rainbow turn.rainbows=1 turn.spirits=", "evil_spirit"),
    ("evil", "evil_spirit=drawn you.evil_cell= turn.met=", "turn.met_spirit"),
    ("deer", "you.hand= queue=g5,k4,o6,g4", "your_hand"),
    ("viper", "opponent.tiles=r3,r4,r9,r10,o3,o10,b8,b9,k8,g9", "opponent.tiles"),
    ("fox", "opponent.known=r1,g3", "opponent_known_tiles"),
    ("evil", "evil_spirit=opponent you.evil_cell= opponent.evil_cell=r1", "evil_spirit"),
    ("evil", "turn.met= turn.filled=", "turn.met_spirit"),
    ("evil_firefly", "you.fireflies=", "you.firefly_squares"),
    ("evil", "turn.extra=yes", "turn.extra_turn"),
    ("evil_groundhog", "turn.extra=", "turn.extra_turn"),
    ("evil", "turn.forced=r1", "turn.forced_tile"),
    ("evil_fox", "turn.forced=", "turn.forced_tile"),
    ("evil_fox", "turn.forced=r2", "turn.forced_tile"),
    ("evil_fox", "opponent.known=r1,b6", "opponent_known_tiles"),
    ("beetle", "phase=evil evil_spirit=you line=", "phase"),
    ("cover", "evil_spirit=you", "evil_spirit"),
    ("cover", "rules=fireflies opponent.evil_cell=r1 spirit_deck=17", "phase"),
    ("cover", "opponent.spirits= you.spirits=eagle@r4 you.rainbows=o4", "opponent.spirits"),
    ("cover", "opponent.spirits= spirit_deck=14", "evil_spirit"),
    ("cover", "you.hand=b4,o1", "opponent.tiles[12]"),
    (
        "cover",
        "queue=k6 opponent.tiles=r7,r8,r9,o4,o9,g2,g3,g4,g5,g7,g8,g9,b4,b8,k3,k4,k7,k8,p4",
        "your_hand[0]",
    ),
    ("final", "you.spirits=frog@r4,beetle@r5 line=squirrel,deer,bear", "you.spirits"),
]


@pytest.mark.parametrize(("name", "changes", "field"), REFUSED)
def test_refused(name: str, changes: str, field: str) -> None:
    assert refusal(observation(name, changes)).field == f"observation.{field}"


def test_the_beetle_needs_a_queue() -> None:
    tiles = "r4,r5,r9,r10,g3,g10,k4,k7,k8,p4"
    refused = observation("beetle", f"queue= opponent.tiles={tiles} deck=27")
    assert refusal(refused).field == "observation.queue"


def with_all_unseen_in_the_queue(one: Observation) -> Observation:
    seen = {*one.your_hand, *one.you.tiles, *one.opponent.tiles}
    queue = tuple(QueueTile(tile) for tile in CELLS if tile not in seen)
    return replace(one, queue=queue, opponent_hand_size=0, opponent_known_tiles=(), deck_size=0)


def test_the_fox_needs_a_hand() -> None:
    refused = with_all_unseen_in_the_queue(observation("fox"))
    assert refusal(refused).field == "observation.opponent_hand_size"


def test_a_final_rainbow_was_displaced_by_a_tile() -> None:
    squirrel = Panorama(
        rainbows=("r1", "r2", "o1", "o2"), spirits=(SpiritOnSquare("squirrel", "r1"),)
    )
    one = replace(observation("final", "line=deer,bear spirit_deck=9"), you=squirrel)
    assert refusal(with_all_unseen_in_the_queue(one)).field == "observation.turn.rainbows_to_place"


def test_a_full_panorama_takes_no_rainbow() -> None:
    refused = replace(
        observation("rainbow", "rules=base deck=0 spirit_deck=15"),
        your_hand=CELLS[46:],
        queue=tuple(QueueTile(tile) for tile in CELLS[40:46]),
        you=Panorama(tiles=CELLS[:37], rainbows=CELLS[37:]),
    )
    assert refusal(refused).field == "observation.turn.rainbows_to_place"


def test_a_full_panorama_takes_no_evil_spirit() -> None:
    mine = ("r1", "r2", "o1", "o2")
    theirs = tuple(cell for cell in CELLS[:40] if cell not in mine)
    refused = replace(
        observation("evil", "deck=0 evil_spirit=drawn spirit_deck=17 turn.met=bee line="),
        your_hand=CELLS[46:],
        queue=tuple(QueueTile(tile) for tile in CELLS[43:46]),
        you=Panorama(tiles=mine, spirits=(SpiritOnSquare("bee", "r1"),)),
        opponent=Panorama(tiles=theirs, rainbows=(*mine, *CELLS[40:])),
        turn=Turn(met_spirit="bee", filled_cells=("r1",)),
    )
    assert refusal(refused).field == "observation.opponent"


PLAY = observation("play")
UNWORDED = [
    (replace(PLAY, your_hand=("r5", "r9", "x9")), "your_hand[2]"),
    (replace(PLAY, your_hand=("r5", "", "b8")), "your_hand[1]"),
    (replace(PLAY, your_hand=("r5", 9, "b8")), "your_hand[1]"),  # type: ignore[arg-type]
    (replace(PLAY, your_hand=("r5", ["b"], "b8")), "your_hand[1]"),  # type: ignore[arg-type]
    (replace(PLAY, your_hand=(PLAY.your_hand * 1000)), "your_hand[3]"),
    (replace(PLAY, your_hand=("?" * 10**6,)), "your_hand[0]"),
    (replace(PLAY, queue=(QueueTile("b10"),)), "queue[0].tile"),
    (replace(PLAY, opponent_known_tiles=("x",)), "opponent_known_tiles[0]"),
    (replace(PLAY, opponent_excluded_tiles=("x",)), "opponent_excluded_tiles[0]"),
    (replace(PLAY, discarded_tiles=("x",)), "discarded_tiles[0]"),
    (replace(PLAY, spirit_line=("cat",)), "spirit_line[0]"),
    (replace(PLAY, you=Panorama(tiles=("x",))), "you.tiles[0]"),
    (replace(PLAY, you=Panorama(rainbows=("x",))), "you.rainbows[0]"),
    (replace(PLAY, you=Panorama(firefly_squares=("r10",))), "you.firefly_squares[0]"),
    (replace(PLAY, opponent=Panorama(evil_spirit_cell="x")), "opponent.evil_spirit_cell"),
    (
        replace(PLAY, opponent=Panorama(spirits=(SpiritOnSquare("cat", "r1"),))),
        "opponent.spirits[0].spirit",
    ),
    (
        replace(PLAY, opponent=Panorama(spirits=(SpiritOnSquare("bee", "r10"),))),
        "opponent.spirits[0].square",
    ),
    (replace(PLAY, turn=Turn(played_tile="x")), "turn.played_tile"),
    (replace(PLAY, turn=Turn(drawn_tile="x")), "turn.drawn_tile"),
    (replace(PLAY, turn=Turn(forced_tile="x")), "turn.forced_tile"),
    (replace(PLAY, turn=Turn(filled_cells=("x",))), "turn.filled_cells[0]"),
    (replace(PLAY, turn=Turn(drawn_spirits=("cat",))), "turn.drawn_spirits[0]"),
    (replace(PLAY, turn=Turn(rainbows_to_place=-1)), "turn.rainbows_to_place"),
    (replace(PLAY, deck_size=-1), "deck_size"),
    (replace(PLAY, deck_size=True), "deck_size"),
    (replace(PLAY, deck_size="30"), "deck_size"),  # type: ignore[arg-type]
    (replace(PLAY, opponent_hand_size=-1), "opponent_hand_size"),
    (replace(PLAY, spirit_deck_size=-1), "spirit_deck_size"),
    (replace(PLAY, phase="rest"), "phase"),  # type: ignore[arg-type]
    (replace(PLAY, evil_spirit="moon"), "evil_spirit"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("refused", "field"), UNWORDED, ids=[field for _, field in UNWORDED])
def test_refused_without_words(refused: Observation, field: str) -> None:
    error = refusal(refused)
    assert error.field == f"observation.{field}"
    assert len(error.reason) < 200


def test_a_reason_says_what_would_be_right() -> None:
    error = refusal(observation("play", "deck=29"))
    assert error.reason == (
        "39 of the 48 tiles are unseen, but a deck of 29, 6 under the queue and 3 unknown in the"
        " opponent's hand are 38"
    )


@pytest.mark.parametrize("name", ACCEPTED)
def test_the_order_of_lists_does_not_matter(name: str) -> None:
    one = observation(name)
    you = one.you
    turned = replace(
        one,
        your_hand=one.your_hand[::-1],
        queue=one.queue[::-1],
        spirit_line=one.spirit_line[::-1],
        you=replace(you, tiles=you.tiles[::-1], spirits=you.spirits[::-1]),
        turn=replace(one.turn, drawn_spirits=one.turn.drawn_spirits[::-1]),
    )
    validate(turned)
