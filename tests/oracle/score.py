"""The score (rule R24) in the words of the recorded games."""

from __future__ import annotations

from typing import Any

from oracle.material import (
    ALL_BLUE_SPIRITS,
    ALL_BROWN_SPIRITS,
    FIRE_TILES,
    NINTH_FIRE,
    SQUARES,
    row_of,
)
from oracle.panorama import Panorama


def ranked_areas(panorama: Panorama) -> list[set[str]]:
    """R24: areas, largest first: by cells, among equals by land tiles."""

    def size(area: set[str]) -> tuple[int, int]:
        return (len(area), len(area & panorama.tiles))

    return sorted(panorama.areas(), key=size, reverse=True)


def area_stars(panorama: Panorama, rank: int) -> int:
    """R24: the land tiles in the largest (rank 0) or second largest (rank 1) area."""
    areas = ranked_areas(panorama)
    return len(areas[rank] & panorama.tiles) if rank < len(areas) else 0


def lit_cells(panorama: Panorama) -> set[str]:
    """R24: the cells of every area with a cell of row 1."""
    lit: set[str] = set()
    for area in panorama.areas():
        if any(row_of(cell) == "r" for cell in area):
            lit |= area
    return lit


def fires_on(tiles: set[str]) -> int:
    """R2: the fire icons on these land tiles."""
    single = sum(1 for tile in FIRE_TILES if tile in tiles)
    ninth = 1 if all(tile in tiles for tile in NINTH_FIRE) else 0
    return single + ninth


def lit_fires(panorama: Panorama) -> int:
    """R24: the fire icons on lit land tiles."""
    return fires_on(panorama.tiles & lit_cells(panorama))


def unlit_fires(panorama: Panorama) -> int:
    """R24 ladybug: the fire icons on land tiles that are not lit."""
    return fires_on(panorama.tiles - lit_cells(panorama))


def lit_fireflies(panorama: Panorama) -> int:
    """R24: the fireflies whose square is lit. (Its four cells are of one area.)"""
    lit = lit_cells(panorama)
    return sum(
        1 for square in panorama.firefly_squares if all(cell in lit for cell in SQUARES[square])
    )


def counting_spirits(panorama: Panorama) -> list[str]:
    """R23, R24: the spirits that are not covered."""
    return sorted(spirit for spirit in panorama.met if spirit != panorama.covered)


def bonus_of(spirit: str, panorama: Panorama) -> int:
    """R24: what a blue spirit brings beyond its own star (the squirrel: nothing)."""
    spirits = counting_spirits(panorama)
    if spirit == "bee":
        return sum(1 for one in spirits if one in ALL_BROWN_SPIRITS)
    if spirit == "ladybug":
        return unlit_fires(panorama)
    if spirit == "wolf":
        return len(panorama.areas())
    if spirit == "bird":
        return sum(1 for one in spirits if one in ALL_BLUE_SPIRITS and one != "bird")
    if spirit == "frog":
        return len(panorama.rainbows)
    if spirit == "moth":
        return lit_fires(panorama)
    if spirit == "cow":
        return area_stars(panorama, 1)
    if spirit == "phoenix":
        return len(panorama.firefly_squares)
    raise ValueError(f"{spirit} has no bonus")


def spirit_bonus(panorama: Panorama) -> dict[str, int]:
    """R24: spirit -> bonus, for the uncovered spirits that can have one."""
    return {
        spirit: bonus_of(spirit, panorama)
        for spirit in counting_spirits(panorama)
        if spirit in ALL_BLUE_SPIRITS and spirit != "squirrel"
    }


def total_stars(panorama: Panorama) -> int:
    """R24: all stars of a panorama."""
    return (
        area_stars(panorama, 0)
        + lit_fires(panorama)
        + len(counting_spirits(panorama))
        + sum(spirit_bonus(panorama).values())
        + lit_fireflies(panorama)
    )


def score_sheet(panorama: Panorama, hand: set[str]) -> dict[str, Any]:
    """One entry of `final[]` of a recorded game."""
    return {
        "total": total_stars(panorama),
        "area": area_stars(panorama, 0),
        "fires": lit_fires(panorama),
        "spirits": len(counting_spirits(panorama)),
        "spirit_bonus": spirit_bonus(panorama),
        "fireflies": lit_fireflies(panorama),
        "tiles": sorted(panorama.tiles),
        "rainbows": sorted(panorama.rainbows),
        "met": sorted(f"{spirit}@{square}" for spirit, square in panorama.met.items()),
        "covered": panorama.covered,
        "firefly_squares": sorted(panorama.firefly_squares),
        "evil_cell": panorama.evil_cell,
        "hand": sorted(hand),
    }
