"""What is read off a panorama for sentences and pictures, against the core and the rules."""

from __future__ import annotations

from dataclasses import replace

import pytest
from random_games import VARIANTS, finished

from solstis_ai.observation import Panorama, SpiritOnSquare
from solstis_ai.search.panoramas import (
    areas,
    bonus,
    fires,
    full_squares,
    largest_area,
    lit_fires,
    locked,
    matches,
    with_tiles,
)
from solstis_ai.vocabulary import BLUE_SPIRITS, CELLS, SQUARES, Rules


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
def test_it_counts_like_the_core(rules: Rules) -> None:
    """Area, fires and bonuses of both sides at the end of random games (R24)."""
    bonuses = 0
    for seed in range(40):
        game = finished(seed, rules)
        for player in range(2):
            score, panorama = game.score(player), game.position().panoramas[player]
            assert largest_area(panorama) == score.area
            assert lit_fires(panorama) == score.fires
            for met in panorama.spirits:
                if met.spirit in BLUE_SPIRITS and not met.covered:
                    assert bonus(panorama, met.spirit) == score.spirit_bonus.get(met.spirit, 0)
                    bonuses += 1
    assert bonuses > 40


def test_areas_are_ordered_by_cells_then_by_tiles() -> None:
    panorama = Panorama(tiles=("r1", "r4", "r5", "p4"), rainbows=("o1", "b2"))
    assert areas(panorama)[:2] == [{"r4", "r5"}, {"r1", "o1"}]
    assert len(areas(panorama)) == 4
    assert areas(Panorama()) == []
    assert largest_area(Panorama()) == 0


def test_the_ninth_fire_needs_both_tiles() -> None:
    assert fires(Panorama(tiles=("p5",))) == 1
    assert fires(Panorama(tiles=("p5", "p6"))) == 3
    assert fires(Panorama(tiles=CELLS)) == lit_fires(Panorama(tiles=CELLS)) == 9
    assert lit_fires(Panorama(tiles=("p5", "p6"))) == 0


def test_full_squares() -> None:
    assert full_squares({"r1", "r2", "o1", "o2", "g1"}) == {"r1"}
    assert full_squares(CELLS) == set(SQUARES)


def test_tiles_displace_free_rainbows_and_no_locked_ones() -> None:
    """R12, and the evil spirit of R26."""
    panorama = Panorama(
        tiles=("r1", "r2", "o2"),
        rainbows=("o1", "g7"),
        spirits=(SpiritOnSquare("bee", "r1"),),
        evil_spirit_cell="p4",
    )
    assert locked(panorama) == {"o1", "p4"}
    after = with_tiles(panorama, ["o1", "g7", "p4", "b3"])
    assert after.tiles == ("r1", "r2", "o2", "g7", "b3")
    assert after.rainbows == ("o1",)
    fireflies = replace(panorama, spirits=(), firefly_squares=("r1",))
    assert locked(fireflies) == {"o1", "p4"}
    assert locked(replace(panorama, spirits=())) == {"p4"}


def test_matches_are_in_the_row_or_the_column() -> None:
    assert matches("g1", ["g10", "r1", "r10", "b2", "o1"]) == ["g10", "r1", "o1"]
