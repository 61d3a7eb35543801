"""Concrete positions for rules, above all for those that random games rarely reach."""

from __future__ import annotations

from typing import Any

import pytest
from oracle import OracleGame, ScriptedChance
from oracle.material import CELLS, FIRE_TILES, NEIGHBOURS, SQUARES, TILES, matches
from oracle.panorama import Panorama
from oracle.score import score_sheet

# ---- building positions


def words(text: str) -> list[str]:
    return sorted(text.split())


def side(
    hand: str = "",
    tiles: str = "",
    rainbows: str = "",
    met: str = "",
    firefly_squares: str = "",
    evil_cell: str | None = None,
    known: str = "",
) -> dict[str, Any]:
    """One player's entry of a snapshot."""
    return {
        "hand": words(hand),
        "tiles": words(tiles),
        "rainbows": words(rainbows),
        "met": words(met),
        "covered": None,
        "firefly_squares": words(firefly_squares),
        "evil_cell": evil_cell,
        "known": words(known),
        "excluded": [],
    }


def position(
    mine: dict[str, Any],
    theirs: dict[str, Any],
    *,
    queue: str = "",
    covering: str = "",
    deck: str = "",
    under: str = "",
    spirit_deck: str = "",
    line: str = "",
    fireflies: bool = False,
    **more: Any,
) -> OracleGame:
    """Player 0 (mine) decides. Tiles that are not mentioned are out of the game."""
    snapshot: dict[str, Any] = {
        "phase": "play",
        "player": 0,
        "deck_size": len(words(deck)),
        "pool": words(deck + " " + under),
        "queue": [[tile, tile in words(covering)] for tile in words(queue + " " + covering)],
        "spirit_deck": words(spirit_deck),
        "spirit_line": words(line),
        "drawn_spirits": [],
        "active_tile": None,
        "rainbows_to_place": 0,
        "rainbow_supply": 12 - len(mine["rainbows"]) - len(theirs["rainbows"]),
        "filled_cells": [],
        "met_spirit": None,
        "forced_tile": None,
        "extra_turn": False,
        "passes": 0,
        "evil_spirit": "none",
        "discarded": [],
        "sides": [mine, theirs],
    }
    snapshot.update(more)
    game = OracleGame.from_snapshot(snapshot, fireflies=fireflies)
    assert game.snapshot() == snapshot
    return game


R1 = "r1 r2 o1 o2"  # the square r1


def at_meeting(
    spirit: str, mine: dict[str, Any], theirs: dict[str, Any], **more: Any
) -> OracleGame:
    """Player 0 has just filled the square r1 and may meet this spirit of the line."""
    mine["tiles"] = sorted(set(mine["tiles"]) | set(words(R1)) - set(mine["rainbows"]))
    defaults: dict[str, Any] = {"phase": "meet", "filled_cells": ["r1"], "line": spirit}
    return position(mine, theirs, **{**defaults, **more})


def do(game: OracleGame, *moves: str, chance: str = "") -> None:
    """Perform moves; chance is "deck g5, flip k3" for all of them together."""
    events = [event.strip() for event in chance.split(",") if event.strip()]
    script = ScriptedChance(events)
    happened = [event for move in moves for event in game.apply(move, script)]
    script.finish()
    assert happened == events


def verbs(game: OracleGame) -> set[str]:
    return {move.split()[0] for move in game.legal()}


def rainbow_cells(game: OracleGame) -> list[str]:
    assert verbs(game) <= {"rainbow"}
    return [move.split()[1] for move in game.legal()]


# ---- R1, R2: material


def test_material() -> None:
    assert len(TILES) == len(set(TILES)) == 48
    assert len(SQUARES) == 33
    assert sum(len(neighbours) for neighbours in NEIGHBOURS.values()) == 2 * 80
    assert sorted(NEIGHBOURS["g2"]) == ["b2", "g1", "g3", "o2"]
    assert sorted(NEIGHBOURS["p4"]) == ["k4", "p5"]
    assert sorted(NEIGHBOURS["g1"]) == ["g2", "o1"]
    assert sorted(SQUARES["b3"]) == ["b3", "b4", "k3", "k4"]
    assert "b2" not in SQUARES
    assert "p4" not in SQUARES
    assert len(FIRE_TILES) == 8


def test_matching() -> None:
    assert matches("g1", "g10")
    assert matches("g10", "r10")
    assert not matches("g1", "r10")


# ---- R7 to R11: a turn


def test_capture_turns_up_the_tile_below_and_refills() -> None:
    game = position(
        side(hand="g5 k3 p4"), side(), queue="o5", covering="g1", deck="b2 b3", under="b4"
    )
    do(game, "play g5")
    assert game.legal() == ["capture g1", "capture o5"]
    do(game, "capture g1", chance="flip b3, deck b4")
    assert game.state.queue == {"o5": False, "b3": False}
    assert game.score(0)["tiles"] == ["g1", "g5"]
    assert (game.player, game.state.sides[0].hand) == (1, {"k3", "p4", "b4"})


def test_capture_is_a_decision_even_when_there_is_one_choice() -> None:
    game = position(side(hand="g5"), side(), queue="g1")
    do(game, "play g5")
    assert game.legal() == ["capture g1"]


def test_second_chance_can_capture_the_tile_just_added() -> None:
    game = position(side(hand="g5 k3 p4"), side(), queue="r1", deck="g7 b2")
    do(game, "play g5", chance="deck g7")
    assert game.legal() == ["capture g5"]
    do(game, "capture g5", chance="deck b2")
    assert game.score(0)["tiles"] == ["g5", "g7"]
    assert game.state.queue == {"r1": False}


def test_no_match_brings_a_rainbow() -> None:
    game = position(side(hand="g5 k3 p4"), side(), queue="r1", deck="b7 b2")
    do(game, "play g5", chance="deck b7")
    assert game.state.queue == {"r1": False, "g5": False, "b7": False}
    assert rainbow_cells(game) == sorted(CELLS)  # R13: an empty panorama
    do(game, "rainbow p7", chance="deck b2")
    assert game.score(0)["rainbows"] == ["p7"]
    assert (game.player, game.state.rainbow_supply) == (1, 11)


def test_no_rainbow_when_the_supply_is_used_up() -> None:
    row = "r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 o1 o3"
    game = position(side(hand="g5 k3 p4"), side(rainbows=row), queue="r1", deck="b7 b2")
    assert game.state.rainbow_supply == 0
    do(game, "play g5", chance="deck b7, deck b2")
    assert (game.player, game.state.rainbow_supply) == (1, 0)
    assert game.score(0)["rainbows"] == []


# ---- R12, R13: placing


def test_a_free_rainbow_is_displaced_and_must_be_placed() -> None:
    game = position(side(hand="g5", rainbows="g5"), side(), queue="g1")
    do(game, "play g5", "capture g1")
    assert game.score(0)["rainbows"] == []
    assert rainbow_cells(game) == words("b5 g2 g4 g6 o1 o5")
    do(game, "rainbow b5")
    assert game.score(0)["rainbows"] == ["b5"]
    assert (game.player, game.state.rainbow_supply) == (1, 11)


def test_two_rainbows_are_displaced_after_both_tiles_one_after_the_other() -> None:
    game = position(side(hand="g5", rainbows="g5 g1"), side(), queue="g1")
    do(game, "play g5", "capture g1")
    assert game.state.rainbows_to_place == 2
    assert rainbow_cells(game) == words("b5 g2 g4 g6 o1 o5")
    do(game, "rainbow b5")
    assert game.state.rainbows_to_place == 1
    assert rainbow_cells(game) == words("b4 b6 g2 g4 g6 k5 o1 o5")
    do(game, "rainbow k5")
    assert game.player == 1


def test_a_rainbow_locked_by_a_spirit_discards_the_tile() -> None:
    mine = side(hand="o2", tiles="r1 r2 o1", rainbows="o2", met="bee@r1")
    game = position(mine, side(), queue="o5")
    do(game, "play o2", "capture o5")
    assert game.state.discarded == {"o2"}
    assert game.score(0)["tiles"] == words("r1 r2 o1 o5")
    assert game.score(0)["rainbows"] == ["o2"]
    assert game.player == 1


def test_a_rainbow_locked_by_a_firefly_discards_the_tile() -> None:
    mine = side(hand="o2", tiles="r1 r2 o1", rainbows="o2", firefly_squares="r1")
    game = position(mine, side(), queue="o5", fireflies=True)
    do(game, "play o2", "capture o5")
    assert game.state.discarded == {"o2"}


def test_a_rainbow_in_a_square_without_spirit_is_free() -> None:
    mine = side(hand="o2", tiles="r1 r2 o1", rainbows="o2")
    game = position(mine, side(), queue="o5")
    do(game, "play o2", "capture o5")
    assert game.state.discarded == set()
    assert verbs(game) == {"rainbow"}


def test_the_evil_spirit_of_the_expansion_discards_the_tile_of_its_cell() -> None:
    mine = side(hand="g5", evil_cell="g5")
    game = position(mine, side(), queue="g1", fireflies=True, evil_spirit="on0")
    do(game, "play g5", "capture g1")
    assert game.state.discarded == {"g5"}
    assert game.score(0)["tiles"] == ["g1"]


def test_the_evil_spirits_cell_is_not_empty_and_gives_no_adjacency() -> None:
    assert Panorama(tiles={"r1"}, evil_cell="r2").allowed_cells() == ["o1"]
    assert len(Panorama(evil_cell="r2").allowed_cells()) == 47


def test_a_rainbow_without_allowed_cell_goes_back_to_the_supply() -> None:
    mine = side(tiles=" ".join(cell for cell in CELLS if cell != "p7"), evil_cell="p7")
    game = at_meeting("fish", mine, side(), fireflies=True, evil_spirit="on0")
    do(game, "meet fish r1")
    assert (game.state.rainbow_supply, game.state.rainbows_to_place) == (12, 0)
    assert verbs(game) == {"evil"}


# ---- R14: meeting


def test_a_cell_that_changes_from_rainbow_to_tile_is_filled_this_turn() -> None:
    mine = side(hand="o2", tiles="r1 r2 o1", rainbows="o2")
    game = position(mine, side(), queue="o5", line="bee")
    do(game, "play o2", "capture o5", "rainbow g2")
    assert game.legal() == ["meet bee r1"]


def test_a_square_filled_in_an_earlier_turn_is_not_new() -> None:
    mine = side(hand="o5", tiles=R1)
    game = position(mine, side(), queue="o6", line="bee")
    do(game, "play o5", "capture o6")
    assert game.player == 1


def test_a_square_that_carries_a_spirit_or_firefly_is_not_new() -> None:
    panorama = Panorama(tiles={"r1", "r2", "r3", "r4", "o1", "o2", "o3", "o4"})
    assert panorama.new_squares({"r2", "r3"}) == ["r1", "r2", "r3"]
    panorama.met["bee"] = "r1"
    panorama.firefly_squares.add("r3")
    assert panorama.new_squares({"r2", "r3"}) == ["r2"]


def test_empty_line_forces_the_draw() -> None:
    game = at_meeting("", side(), side(), spirit_deck="bee wolf moth")
    assert game.legal() == ["draw"]
    do(game, "draw", chance="spirit wolf, spirit bee")
    assert game.legal() == ["meet bee r1", "meet wolf r1"]
    do(game, "meet wolf r1")
    assert game.state.spirit_line == {"bee"}


def test_empty_spirit_deck_leaves_the_line() -> None:
    game = at_meeting("bee", side(), side())
    assert game.legal() == ["meet bee r1"]


def test_no_spirit_left_no_meeting_and_no_fireflies() -> None:
    mine = side(hand="o2", tiles="r1 r2 o1")
    game = position(mine, side(), queue="o5", fireflies=True)
    do(game, "play o2", "capture o5")
    assert game.player == 1
    assert game.score(0)["met"] == game.score(0)["firefly_squares"] == []


def test_the_last_spirit_of_the_deck_is_drawn_alone() -> None:
    game = at_meeting("bee", side(), side(), spirit_deck="wolf")
    assert game.legal() == ["draw", "meet bee r1"]
    do(game, "draw", chance="spirit wolf")
    assert game.legal() == ["meet wolf r1"]
    do(game, "meet wolf r1")
    assert game.state.spirit_line == {"bee"}


# ---- R15, R16: the evil spirit of the base game


def test_evil_spirit_drawn_with_another_one() -> None:
    game = at_meeting("bee", side(), side(), spirit_deck="wolf evil_spirit", evil_spirit="deck")
    do(game, "draw", chance="spirit wolf, spirit evil_spirit")
    assert game.state.evil_spirit == "kept0"
    assert game.legal() == ["meet wolf r1"]
    do(game, "meet wolf r1")
    assert game.state.evil_spirit == "kept0"  # R16: not on the very meeting that drew it
    assert game.state.spirit_line == {"bee"}


def test_evil_spirit_drawn_alone_then_a_spirit_of_the_line() -> None:
    game = at_meeting("bee wolf", side(), side(), spirit_deck="evil_spirit", evil_spirit="deck")
    do(game, "draw", chance="spirit evil_spirit")
    assert game.snapshot()["drawn_spirits"] == ["evil_spirit"]
    assert game.legal() == ["meet bee r1", "meet wolf r1"]
    do(game, "meet bee r1")
    assert game.state.evil_spirit == "kept0"
    assert game.state.spirit_line == {"wolf"}
    assert game.player == 1


def test_evil_spirit_drawn_alone_with_an_empty_line() -> None:
    game = at_meeting("", side(), side(), spirit_deck="evil_spirit", evil_spirit="deck")
    do(game, "draw", chance="spirit evil_spirit")
    assert (game.player, game.state.phase, game.state.evil_spirit) == (1, "play", "kept0")
    assert game.score(0)["met"] == []
    assert game.snapshot()["drawn_spirits"] == []


def test_evil_spirit_passes_on_when_its_holder_meets_a_spirit() -> None:
    game = at_meeting("bee", side(), side(), evil_spirit="kept0")
    do(game, "meet bee r1")
    assert game.state.evil_spirit == "kept1"
    game = at_meeting("bee", side(), side(), evil_spirit="kept1")
    do(game, "meet bee r1")
    assert game.state.evil_spirit == "kept1"
    game = at_meeting("", side(), side(), spirit_deck="wolf", evil_spirit="kept0")
    do(game, "draw", "meet wolf r1", chance="spirit wolf")
    assert game.state.evil_spirit == "kept1"


# ---- R17: brown effects


def test_fish() -> None:
    game = at_meeting("fish", side(), side())
    do(game, "meet fish r1")
    assert rainbow_cells(game) == ["g1", "g2", "o3", "r3"]
    do(game, "rainbow o3")
    assert game.player == 1


def test_fish_without_supply() -> None:
    row = "r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 o1 o3"
    game = at_meeting("fish", side(), side(rainbows=row))
    do(game, "meet fish r1")
    assert game.player == 1


def test_deer_places_from_the_hand_and_the_refill_draws_two() -> None:
    game = at_meeting("deer", side(hand="g5 k3"), side(), deck="b2 b3 b4")
    do(game, "meet deer r1")
    assert game.legal() == ["add g5", "add k3"]
    do(game, "add g5", chance="deck b4, deck b2")
    assert game.state.sides[0].hand == {"k3", "b2", "b4"}
    assert "g5" in game.score(0)["tiles"]


def test_deer_with_an_empty_hand() -> None:
    game = at_meeting("deer", side(), side())
    do(game, "meet deer r1")
    assert game.player == 1


def test_eagle_and_its_empty_deck() -> None:
    game = at_meeting("eagle", side(hand="g5 k3"), side(), deck="b2 b3")
    do(game, "meet eagle r1", chance="deck b3, deck b2")
    assert "b3" in game.score(0)["tiles"]
    game = at_meeting("eagle", side(hand="g5 k3"), side(), covering="b9", under="b2")
    do(game, "meet eagle r1")  # the tile below the queue tile is not in the deck
    assert game.player == 1


def test_bear_draws_at_once_and_has_a_hand_of_four() -> None:
    game = at_meeting("bear", side(hand="g5 k3"), side(), deck="b2 b3 b4")
    do(game, "meet bear r1", chance="deck b3, deck b2")
    assert game.state.sides[0].hand == {"g5", "k3", "b2", "b3"}
    game = at_meeting("bear", side(hand="g5 k3"), side())
    do(game, "meet bear r1")
    assert game.state.sides[0].hand == {"g5", "k3"}


def test_fly_compensates_before_anything_else() -> None:
    mine = side(hand="g5 k3", rainbows="o3")
    game = at_meeting("fly", mine, side(hand="o3 p4 p5", known="o3 p4"), deck="b2 b3 b4")
    do(game, "meet fly r1", chance="steal o3, deck b2")
    assert game.state.sides[1].hand == {"p4", "p5", "b2"}
    assert game.state.sides[1].known == {"p4"}
    assert verbs(game) == {"rainbow"}
    do(game, "rainbow g1", chance="deck b3")
    assert game.player == 1


def test_fly_with_an_empty_deck_compensates_nothing() -> None:
    game = at_meeting("fly", side(), side(hand="o3 p4"), covering="b9", under="b2")
    do(game, "meet fly r1", chance="steal o3")
    assert game.state.sides[1].hand == {"p4"}
    assert "o3" in game.score(0)["tiles"]


def test_fly_with_an_empty_hand() -> None:
    game = at_meeting("fly", side(), side())
    do(game, "meet fly r1")
    assert game.player == 1


def test_a_stolen_tile_can_be_discarded() -> None:
    mine = side(rainbows="o2")
    game = at_meeting("fly", mine, side(hand="o2 p4"))
    do(game, "meet fly r1", chance="steal o2")  # the square r1 carries the fly by now
    assert game.state.discarded == {"o2"}
    assert game.state.sides[1].hand == {"p4"}


def test_beetle_takes_from_the_queue() -> None:
    game = at_meeting("beetle", side(), side(), queue="o5", covering="b9", under="b2")
    do(game, "meet beetle r1")
    assert game.legal() == ["add b9", "add o5"]
    do(game, "add b9", chance="flip b2")
    assert game.state.queue == {"o5": False, "b2": False}
    assert "b9" in game.score(0)["tiles"]
    game = at_meeting("beetle", side(), side())
    do(game, "meet beetle r1")
    assert game.player == 1


def test_groundhog_refills_then_takes_a_turn_of_its_own() -> None:
    mine = side(hand="o3 r3", tiles="o4")
    game = at_meeting("groundhog", mine, side(), queue="r4", deck="b2", spirit_deck="bee wolf")
    do(game, "meet groundhog r1", chance="deck b2")
    assert (game.player, game.state.phase, game.state.extra_turn) == (0, "play", False)
    do(game, "play r3", "capture r4")
    assert game.player == 1  # r3 and r4 fill no square without o3
    game = at_meeting("groundhog", mine, side(), queue="r3", deck="b2", spirit_deck="bee wolf")
    do(game, "meet groundhog r1", chance="deck b2")
    do(game, "play o3", chance="")
    assert game.legal() == ["capture r3"]
    do(game, "capture r3")
    assert game.legal() == ["draw"]  # R14: another spirit in the second turn


def test_viper_takes_isolated_land_tiles_only() -> None:
    theirs = side(tiles="p4 k8 g1 g2 b5 o10", rainbows="b6 r5", evil_cell="r10")
    game = at_meeting("viper", side(), theirs, fireflies=True, evil_spirit="on1")
    do(game, "meet viper r1")
    assert game.legal() == ["take k8", "take o10", "take p4"]
    do(game, "take k8")
    assert "k8" in game.score(0)["tiles"]
    assert "k8" not in game.score(1)["tiles"]
    assert game.player == 1


def test_viper_without_isolated_tile() -> None:
    theirs = side(tiles="p4 p5", rainbows="r5")
    game = at_meeting("viper", side(), theirs, fireflies=True)
    do(game, "meet viper r1")
    assert game.player == 1


def test_vipers_tile_is_discarded_on_a_locked_rainbow() -> None:
    game = at_meeting("viper", side(rainbows="o2"), side(tiles="o2"), fireflies=True)
    do(game, "meet viper r1", "take o2")
    assert game.state.discarded == {"o2"}
    assert game.score(1)["tiles"] == []
    assert game.score(0)["rainbows"] == ["o2"]


def test_vipers_tile_can_displace_a_rainbow() -> None:
    game = at_meeting("viper", side(rainbows="o3"), side(tiles="o3"), fireflies=True)
    do(game, "meet viper r1", "take o3")
    assert verbs(game) == {"rainbow"}


def test_fox_shows_the_hand_and_forces_a_tile() -> None:
    game = at_meeting("fox", side(), side(hand="g5 k3"), fireflies=True, deck="b2 b3 b4 b5")
    do(game, "meet fox r1")
    assert game.legal() == ["force g5", "force k3"]
    do(game, "force k3", chance="deck b2, deck b3, deck b4")
    assert game.state.sides[1].known == {"g5", "k3"}
    assert game.legal() == ["play k3"]
    do(game, "play k3", chance="deck b5")
    assert game.state.forced_tile is None
    assert game.state.sides[1].known == {"g5"}


def test_fox_with_an_empty_hand() -> None:
    game = at_meeting("fox", side(), side(), fireflies=True)
    do(game, "meet fox r1")
    assert (game.player, game.state.forced_tile) == (1, None)


def test_an_effect_never_brings_a_second_spirit() -> None:
    mine = side(hand="o4", tiles="r3 r4 o3")
    game = at_meeting("deer", mine, side(), spirit_deck="bee wolf")
    do(game, "meet deer r1", "add o4")
    assert game.player == 1
    assert game.score(0)["met"] == ["deer@r1"]


# ---- R20 to R22: passing


def test_empty_deck_only_what_captures() -> None:
    game = position(side(hand="g5 k3"), side(), queue="g1")
    assert game.legal() == ["play g5"]
    game = position(side(hand="p4 k3"), side(), queue="g1")
    assert game.legal() == ["pass"]
    game = position(side(), side(), queue="g1")
    assert game.legal() == ["pass"]


def test_passing_is_not_final_and_tells_something() -> None:
    game = position(side(hand="p4"), side(hand="g5 g7"), queue="g1 g2")
    do(game, "pass")
    assert (game.player, game.state.passes) == (1, 1)
    row_g = [f"g{column}" for column in range(1, 11)]
    assert game.state.sides[0].excluded == {*row_g, "r1", "o1", "r2", "o2", "b2"}
    do(game, "play g5", "capture g1")
    assert (game.player, game.state.passes, game.legal()) == (0, 0, ["pass"])


def test_two_passes_end_the_game() -> None:
    game = position(side(hand="p4"), side(hand="p5"), queue="g1")
    do(game, "pass", "pass")
    assert game.over
    assert game.legal() == []
    assert game.score(0)["hand"] == ["p4"]
    assert game.winner is None


def test_forced_tile_and_empty_deck() -> None:
    game = position(side(hand="g5 k3"), side(hand="p4"), queue="g1", forced_tile="g5")
    assert game.legal() == ["play g5"]
    game = position(side(hand="g5 k3"), side(hand="g4"), queue="g1", forced_tile="k3")
    assert game.legal() == ["pass"]
    do(game, "pass")
    assert game.state.sides[0].excluded == set()  # the pass tells nothing of the other tiles
    assert game.state.forced_tile is None
    do(game, "play g4", "capture g1")
    assert game.legal() == ["pass"]  # the queue is empty


# ---- R23: last acts


def ended(mine: dict[str, Any], theirs: dict[str, Any], **more: Any) -> OracleGame:
    """Both players have passed."""
    game = position(mine, theirs, **more)
    do(game, "pass", "pass")
    return game


def test_the_other_player_covers_a_spirit() -> None:
    mine = side(tiles=R1 + " g1 g2", met="bee@r1 deer@o1")
    game = ended(mine, side(), evil_spirit="kept0")
    assert (game.player, game.legal()) == (1, ["cover bee", "cover deer"])
    do(game, "cover deer")
    assert game.over
    assert game.score(0)["covered"] == "deer"
    assert (game.score(0)["spirits"], game.score(0)["spirit_bonus"]) == (1, {"bee": 0})
    assert game.winner == 0


def test_no_spirit_to_cover() -> None:
    game = ended(side(tiles="r1"), side(tiles=R1, met="bee@r1"), evil_spirit="kept0")
    assert game.over
    assert game.score(1)["covered"] is None


def test_squirrel_places_the_hand_and_then_its_displaced_rainbows() -> None:
    mine = side(hand="o3 o4 p7", tiles=R1 + " r3", rainbows="o3 o4", met="squirrel@r1")
    game = ended(mine, side(), spirit_deck="bee wolf", fireflies=True)
    assert (game.player, game.state.phase) == (0, "final_rainbow")
    assert game.state.rainbows_to_place == 2
    assert set(words(R1 + " r3 o3 o4 p7")) == set(game.score(0)["tiles"])
    assert rainbow_cells(game) == words("g1 g2 g3 g4 k7 o5 p6 r4")
    do(game, "rainbow r4")
    assert "r5" in rainbow_cells(game)
    do(game, "rainbow r5")
    assert game.over
    assert game.score(0)["met"] == ["squirrel@r1"]  # no spirits, no fireflies
    assert game.score(0)["firefly_squares"] == game.score(0)["hand"] == []


def test_squirrels_tile_on_a_locked_rainbow_is_discarded() -> None:
    mine = side(hand="o2 g5", tiles="r1 r2 o1", rainbows="o2", met="squirrel@r1")
    game = ended(mine, side())
    assert game.over
    assert game.state.discarded == {"o2"}
    assert game.score(0)["tiles"] == words("r1 r2 o1 g5")
    assert game.score(0)["hand"] == []


def test_squirrels_tile_on_the_evil_spirits_cell_is_discarded() -> None:
    mine = side(hand="p4", tiles=R1, met="squirrel@r1", evil_cell="p4")
    game = ended(mine, side(), fireflies=True, evil_spirit="on0")
    assert game.state.discarded == {"p4"}


def test_a_covered_squirrel_does_nothing() -> None:
    mine = side(hand="p4", tiles=R1, met="squirrel@r1")
    game = ended(mine, side(), evil_spirit="kept0")
    do(game, "cover squirrel")
    assert game.over
    assert game.score(0)["hand"] == ["p4"]
    assert game.score(0)["spirits"] == 0


def test_squirrel_of_the_player_who_covers() -> None:
    mine = side(tiles=R1, met="bee@r1")
    theirs = side(hand="g5", tiles="r5 r6 o5 o6", rainbows="g5", met="squirrel@r5")
    game = ended(mine, theirs, evil_spirit="kept0")
    do(game, "cover bee")
    assert (game.player, game.state.phase) == (1, "final_rainbow")


# ---- R24: score


def scored(
    tiles: str = "", rainbows: str = "", met: str = "", fireflies: str = "", covered: str = ""
) -> dict[str, Any]:
    panorama = Panorama(
        tiles=set(words(tiles)),
        rainbows=set(words(rainbows)),
        met=dict.fromkeys(words(met), ""),
        covered=covered or None,
        firefly_squares=set(words(fireflies)),
    )
    return score_sheet(panorama, set())


def test_largest_area_counts_cells_but_scores_land_tiles() -> None:
    assert scored("g1 g2 p4", "g3 g4 p5")["area"] == 2  # four cells against two
    assert scored("p4 p5 p6", "r1 r2 r3 r4")["area"] == 0  # four cells without land tile
    assert scored()["total"] == 0


def test_among_equal_areas_the_one_with_more_land_tiles() -> None:
    assert scored("r1 p4 p5", "r2 r3 p6", met="cow")["area"] == 2
    assert scored("r1 p4 p5", "r2 r3 p6", met="cow")["spirit_bonus"] == {"cow": 1}
    assert scored("p4 r1 r2", "p5 p6 r3")["area"] == 2


def test_cow_without_second_area() -> None:
    assert scored("r1 r2", met="cow")["spirit_bonus"] == {"cow": 0}


def test_fires_must_be_lit() -> None:
    assert scored("b2 g2 o2 r2")["fires"] == 1
    assert scored("b2 g2 o2")["fires"] == 0
    assert scored("b2 g2 o2", "r2")["fires"] == 1  # a rainbow of row 1 lights
    assert scored("g2 o2 r2", "b2")["fires"] == 0  # a rainbow has no fire icon


def test_the_ninth_fire() -> None:
    column = "p5 k5 b5 g5 o5 r5"
    assert scored(column + " p6")["fires"] == 3
    assert scored(column, "p6")["fires"] == 1
    assert scored("p5 p6", met="ladybug moth")["spirit_bonus"] == {"ladybug": 3, "moth": 0}


def test_blue_spirits() -> None:
    assert scored(met="bee fish fox moth")["spirit_bonus"]["bee"] == 2
    assert scored("r1 g1 p4", "k8", met="wolf")["spirit_bonus"] == {"wolf": 4}
    assert scored(met="bird squirrel cow fish")["spirit_bonus"] == {"bird": 2, "cow": 0}
    assert scored("r1", "r2 p4", met="frog")["spirit_bonus"] == {"frog": 2}
    assert scored("b2 g2 o2 r2 p4", met="moth")["spirit_bonus"] == {"moth": 1}


def test_fireflies_score_when_lit_and_for_the_phoenix_always() -> None:
    sheet = scored(R1 + " p4 p5 k4 k5", met="phoenix", fireflies="r1 k4")
    assert (sheet["fireflies"], sheet["spirit_bonus"]) == (1, {"phoenix": 2})


def test_a_covered_spirit_counts_nowhere() -> None:
    assert scored(met="bee fish deer", covered="fish")["spirit_bonus"] == {"bee": 1}
    assert scored(met="bird moth wolf", covered="moth")["spirit_bonus"] == {"bird": 1, "wolf": 0}
    assert scored(met="bee fish", covered="bee")["spirit_bonus"] == {}
    assert scored(met="bee fish", covered="bee")["total"] == 1


# ---- R25: fireflies


def test_every_other_new_square_gets_a_firefly() -> None:
    mine = side(tiles="r3 o3", evil_cell="p4")
    game = at_meeting("bee", mine, side(), fireflies=True, filled_cells=["o2"], evil_spirit="on0")
    do(game, "meet bee r2")
    assert game.score(0)["firefly_squares"] == ["r1"]
    assert verbs(game) == {"evil"}  # R26: afterwards


def test_squares_filled_by_the_effect_get_fireflies() -> None:
    mine = side(hand="o4", tiles="r3 r4 o3")
    game = at_meeting("deer", mine, side(), fireflies=True, filled_cells=["r1"])
    do(game, "meet deer r1")
    assert game.score(0)["firefly_squares"] == []
    do(game, "add o4")
    assert game.score(0)["firefly_squares"] == ["r3"]  # the square r2 was complete before


def test_no_fireflies_in_the_base_game() -> None:
    game = at_meeting("bee", side(tiles="r3 o3"), side(), filled_cells=["o2"])
    do(game, "meet bee r2")
    assert game.score(0)["firefly_squares"] == []


def test_the_fourth_firefly_wins_at_once_whatever_the_stars() -> None:
    mine = side(tiles=R1 + " r3 o3 r6 r7 o6 o7 g6 g7 b6 b7", firefly_squares="r6 o6 g6")
    theirs = side(tiles="p4 p5 p6 p7 k3 k4 k5 k6 k7 k8 b3 g3 g4 g5 g8 g9 o5 r5 r8 r9")
    game = at_meeting("bee", mine, theirs, fireflies=True, filled_cells=["o2"], deck="b2")
    game.state.evil_spirit = "drawn"
    do(game, "meet bee r1")
    assert game.over
    assert game.winner == 0
    assert game.score(0)["total"] < game.score(1)["total"]
    assert game.state.evil_spirit == "drawn"  # it is not placed any more
    assert game.state.sides[0].hand == set()  # no refill either


def test_there_is_no_fifth_firefly() -> None:
    columns = " ".join(f"r{column} o{column}" for column in range(1, 8))
    filled = words(columns)
    game = at_meeting("bee", side(tiles=columns), side(), fireflies=True, filled_cells=filled)
    do(game, "meet bee r3")
    assert game.score(0)["firefly_squares"] == ["r1", "r2", "r4", "r5"]
    assert game.winner == 0


# ---- R26: the evil spirit of the expansion


def test_newly_drawn_evil_spirit_is_placed_after_effect_and_fireflies() -> None:
    more: dict[str, Any] = {"spirit_deck": "fish evil_spirit", "evil_spirit": "deck"}
    game = at_meeting("", side(), side(tiles="p4"), fireflies=True, deck="b2", **more)
    do(game, "draw", chance="spirit evil_spirit, spirit fish")
    assert game.state.evil_spirit == "drawn"
    do(game, "meet fish r1")
    assert verbs(game) == {"rainbow"}
    do(game, "rainbow g1")
    assert (game.player, game.legal()) == (0, ["evil k4", "evil p5"])
    do(game, "evil k4", chance="deck b2")
    assert (game.player, game.state.evil_spirit) == (1, "on1")
    assert game.score(1)["evil_cell"] == "k4"


def test_evil_spirit_leaves_the_panorama_of_a_player_who_meets_a_spirit() -> None:
    mine = side(evil_cell="p4")
    game = at_meeting("bee", mine, side(), fireflies=True, evil_spirit="on0")
    do(game, "meet bee r1")
    assert len(game.legal()) == 48
    do(game, "evil p4")
    assert (game.score(0)["evil_cell"], game.score(1)["evil_cell"]) == (None, "p4")
    assert game.state.evil_spirit == "on1"


def test_evil_spirit_stays_on_the_other_panorama() -> None:
    game = at_meeting("bee", side(), side(evil_cell="p4"), fireflies=True, evil_spirit="on1")
    do(game, "meet bee r1")
    assert (game.player, game.state.evil_spirit) == (1, "on1")


FULL_RAINBOWS = "r1 r2 o1 o2"
FULL_TILES = " ".join(cell for cell in CELLS if cell not in FULL_RAINBOWS.split())


def test_evil_spirit_without_allowed_cell_stays() -> None:
    theirs = side(tiles=FULL_TILES, rainbows=FULL_RAINBOWS)
    mine = side(evil_cell="p4")
    game = at_meeting("bee", mine, theirs, fireflies=True, evil_spirit="on0")
    do(game, "meet bee r1")
    assert (game.player, game.state.evil_spirit) == (1, "on0")
    assert game.score(0)["evil_cell"] == "p4"


def test_newly_drawn_evil_spirit_without_allowed_cell_leaves_the_game() -> None:
    theirs = side(tiles=FULL_TILES, rainbows=FULL_RAINBOWS)
    more: dict[str, Any] = {"spirit_deck": "bee evil_spirit", "evil_spirit": "deck"}
    game = at_meeting("", side(), theirs, fireflies=True, **more)
    do(game, "draw", "meet bee r1", chance="spirit bee, spirit evil_spirit")
    assert (game.player, game.state.evil_spirit) == (1, "out")


def test_evil_spirit_of_the_expansion_drawn_alone() -> None:
    more: dict[str, Any] = {"spirit_deck": "evil_spirit", "evil_spirit": "deck"}
    game = at_meeting("bee", side(tiles="r3 o3"), side(), fireflies=True, **more)
    do(game, "draw", chance="spirit evil_spirit")
    assert game.legal() == ["meet bee r1"]
    do(game, "meet bee r1")
    assert verbs(game) == {"evil"}


def test_evil_spirit_of_the_expansion_drawn_alone_with_an_empty_line() -> None:
    more: dict[str, Any] = {"spirit_deck": "evil_spirit", "evil_spirit": "deck"}
    mine = side(tiles="r3 o3")
    game = at_meeting("", mine, side(), fireflies=True, filled_cells=["o2"], deck="b2", **more)
    do(game, "draw", chance="spirit evil_spirit")
    assert verbs(game) == {"evil"}
    do(game, "evil p4", chance="deck b2")
    assert game.state.evil_spirit == "on1"
    assert game.score(0)["met"] == game.score(0)["firefly_squares"] == []


def test_evil_spirit_of_the_expansion_takes_no_star() -> None:
    mine = side(tiles=R1, met="bee@r1", evil_cell="p4")
    game = ended(mine, side(), fireflies=True, evil_spirit="on0")
    assert game.over
    assert game.score(0)["spirits"] == 1


# ---- snapshots


def test_the_variant_is_inferred_from_the_spirits() -> None:
    base = position(side(), side(), spirit_deck="bee fish")
    assert not OracleGame.from_snapshot(base.snapshot()).state.fireflies
    for where in ({"spirit_deck": "cow"}, {"line": "phoenix"}):
        game = position(side(), side(), fireflies=True, **where)
        assert OracleGame.from_snapshot(game.snapshot()).state.fireflies
    game = position(side(tiles=R1, met="fox@r1"), side(), fireflies=True)
    assert OracleGame.from_snapshot(game.snapshot()).state.fireflies


def test_illegal_meeting() -> None:
    game = at_meeting("bee", side(), side())
    with pytest.raises(ValueError, match="illegal"):
        do(game, "meet wolf r1")
