"""Where the 48 tiles are: none is seen twice, and the unseen ones add up (rules R1, R6, R12)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from solstis_ai.observation import EvilSpiritPlace, Observation
from solstis_ai.validation.codes import Item, indexed, queue_tiles, refuse
from solstis_ai.validation.geometry import CELL_SET, locked_rainbows, matches
from solstis_ai.vocabulary import CELLS, Phase

__all__ = ["check_tiles"]

_COVERED_AT_SETUP = 6
_AFTER_TWO_PASSES = (Phase.COVER, Phase.FINAL_RAINBOW)
_HAS_BLOCKED = (EvilSpiritPlace.YOU, EvilSpiritPlace.OPPONENT)


def check_tiles(observation: Observation) -> None:
    """Each tile is in one place, and deck, queue and hidden hand hold all unseen ones."""
    seen = _seen_once(observation)
    _check_excluded(observation, seen)
    _check_unseen(observation, CELL_SET - seen)
    _check_covers(observation)
    _check_discarded(observation)


def _seen(observation: Observation) -> Iterator[Item]:
    """All tiles that the seat sees or knows, with their paths."""
    return chain(
        indexed("your_hand", observation.your_hand),
        indexed("opponent_known_tiles", observation.opponent_known_tiles),
        queue_tiles(observation),
        indexed("you.tiles", observation.you.tiles),
        indexed("opponent.tiles", observation.opponent.tiles),
        indexed("discarded_tiles", observation.discarded_tiles),
        _active_tile(observation),
    )


def _active_tile(observation: Observation) -> Iterator[Item]:
    """The tile about to capture (R8, R9). With a second chance the played one is in the queue."""
    turn = observation.turn
    if turn.drawn_tile:
        yield "turn.drawn_tile", turn.drawn_tile
    elif turn.played_tile:
        yield "turn.played_tile", turn.played_tile


def _seen_once(observation: Observation) -> frozenset[str]:
    places: dict[str, str] = {}
    for field, tile in _seen(observation):
        if tile in places:
            refuse(field, f"tile {tile} is also in observation.{places[tile]}")
        places[tile] = field
    return frozenset(places)


def _check_excluded(observation: Observation, seen: frozenset[str]) -> None:
    """Only a pass excludes tiles, and passes happen with an empty deck (R20, section 9)."""
    excluded = observation.opponent_excluded_tiles
    if excluded and observation.deck_size:
        refuse("opponent_excluded_tiles", "must be empty while deck_size is above 0 (R20)")
    for field, tile in indexed("opponent_excluded_tiles", excluded):
        if tile in seen:
            refuse(field, f"tile {tile} is seen elsewhere; list unseen tiles only")


def _check_unseen(observation: Observation, unseen: frozenset[str]) -> None:
    covers = sum(1 for place in observation.queue if place.covers)
    hidden = observation.opponent_hand_size - len(observation.opponent_known_tiles)
    if hidden < 0:
        refuse("opponent_known_tiles", f"{-hidden} more than opponent_hand_size")
    needed = observation.deck_size + covers + hidden
    if needed != len(unseen):
        refuse(
            "deck_size",
            f"{len(unseen)} of the 48 tiles are unseen, but a deck of {observation.deck_size},"
            f" {covers} under the queue and {hidden} unknown in the opponent's hand are {needed}",
        )
    if hidden > len(unseen - _not_in_opponent_hand(observation)):
        refuse("opponent_hand_size", f"a pass leaves no {hidden} unseen tiles for the hand (R20)")


def _not_in_opponent_hand(observation: Observation) -> frozenset[str]:
    """Tiles excluded by a pass, those of a pass on the present queue included (section 9)."""
    excluded = frozenset(observation.opponent_excluded_tiles)
    if not _opponent_passed_freely(observation):
        return excluded
    queue = [place.tile for place in observation.queue]
    return excluded.union(tile for tile in CELLS if any(matches(tile, it) for it in queue))


def _opponent_passed_freely(observation: Observation) -> bool:
    """Whether the last pass was the opponent's, and no fox of yours was the reason (R21, R22)."""
    passed = observation.turn.opponent_passed or observation.phase in _AFTER_TWO_PASSES
    return passed and all(spirit.spirit != "fox" for spirit in observation.you.spirits)


def _check_covers(observation: Observation) -> None:
    """Each of the six covered tiles of the setup turns up by a tile that left the queue (R6)."""
    covers = sum(1 for place in observation.queue if place.covers)
    left = len(observation.you.tiles) + len(observation.opponent.tiles)
    left += len(observation.discarded_tiles)
    if not _COVERED_AT_SETUP - left <= covers <= _COVERED_AT_SETUP:
        refuse("queue", f"{covers} tiles are covered; at setup 6, and one less by each capture")


def _check_discarded(observation: Observation) -> None:
    """A tile is discarded by a locked rainbow or by the evil spirit on its cell (R12)."""
    if observation.rules.fireflies and observation.evil_spirit in _HAS_BLOCKED:
        return
    locked = locked_rainbows(observation.you) | locked_rainbows(observation.opponent)
    for field, tile in indexed("discarded_tiles", observation.discarded_tiles):
        if tile not in locked:
            refuse(field, f"cell {tile} has no locked rainbow, nothing discards this tile (R12)")
