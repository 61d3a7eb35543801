"""The complete state of a game between two decisions, and its snapshot."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import Any

from oracle.material import (
    EVIL_SPIRIT,
    EXPANSION_SPIRITS,
    HAND_LIMIT,
    NUMBER_OF_RAINBOWS,
    TILES,
    spirits_of,
)
from oracle.panorama import Panorama


@dataclass
class Side:
    """One player: panorama, hand, and what the other player knows about the hand (§9)."""

    panorama: Panorama = field(default_factory=Panorama)
    hand: set[str] = field(default_factory=set)
    known: set[str] = field(default_factory=set)  # shown by the fox, still in the hand
    excluded: set[str] = field(default_factory=set)  # cannot be in the hand, by its passes

    def lose_from_hand(self, tile: str) -> None:
        """The tile leaves the hand, and with it what was known of it."""
        self.hand.remove(tile)
        self.known.discard(tile)

    def lose_hand(self) -> None:
        """All tiles leave the hand."""
        self.hand.clear()
        self.known.clear()

    def snapshot(self) -> dict[str, object]:
        """As plain sorted lists and strings."""
        panorama = self.panorama
        return {
            "hand": sorted(self.hand),
            "tiles": sorted(panorama.tiles),
            "rainbows": sorted(panorama.rainbows),
            "met": sorted(f"{spirit}@{square}" for spirit, square in panorama.met.items()),
            "covered": panorama.covered,
            "firefly_squares": sorted(panorama.firefly_squares),
            "evil_cell": panorama.evil_cell,
            "known": sorted(self.known),
            "excluded": sorted(self.excluded),
        }

    @staticmethod
    def from_snapshot(snapshot: dict[str, Any]) -> Side:
        """The inverse of `snapshot`."""
        panorama = Panorama(
            tiles=set(snapshot["tiles"]),
            rainbows=set(snapshot["rainbows"]),
            met=dict(entry.split("@") for entry in snapshot["met"]),
            covered=snapshot["covered"],
            firefly_squares=set(snapshot["firefly_squares"]),
            evil_cell=snapshot["evil_cell"],
        )
        return Side(
            panorama=panorama,
            hand=set(snapshot["hand"]),
            known=set(snapshot["known"]),
            excluded=set(snapshot["excluded"]),
        )


@dataclass
class State:
    """Everything that a game in progress needs. `snapshot` loses nothing of it.

    Conventions of the snapshot that the rules do not fix:

    - `drawn_spirits` holds what `draw` brought, the evil spirit included: then the evil spirit
      does not pass on at this meeting (R16), and if it lies there alone, a spirit of the line is
      met (R15), still in phase meet_drawn.
    - `met_spirit` and `extra_turn` are of the running turn. A victory by fireflies (R25) stops the
      turn in the middle: they stay as they are. `filled_cells` is empty all the same.
    - `passes` is 0 again once the second pass has ended the game.
    - `player` of a finished game is the one who made the last decision, or whose squirrel acted.
    """

    fireflies: bool  # the variant, R5; not in the snapshot, the names of the spirits tell it
    phase: str = "play"
    player: int = 0
    deck_size: int = 0
    pool: set[str] = field(default_factory=set)  # unseen: in the deck or face down in the queue
    queue: dict[str, bool] = field(default_factory=dict)  # face-up tile -> covers a tile?
    spirit_deck: set[str] = field(default_factory=set)
    spirit_line: set[str] = field(default_factory=set)
    drawn_spirits: set[str] = field(default_factory=set)
    active_tile: str | None = None
    rainbows_to_place: int = 0
    rainbow_supply: int = NUMBER_OF_RAINBOWS
    filled_cells: set[str] = field(default_factory=set)
    met_spirit: str | None = None
    forced_tile: str | None = None
    extra_turn: bool = False
    passes: int = 0
    evil_spirit: str = "none"  # deck, drawn, kept0, kept1, on0, on1, out, none
    discarded: set[str] = field(default_factory=set)
    sides: list[Side] = field(default_factory=lambda: [Side(), Side()])

    def copy(self) -> State:
        """An independent copy."""
        copied: State = pickle.loads(pickle.dumps(self))  # faster than copy.deepcopy
        return copied

    def snapshot(self) -> dict[str, object]:
        """As plain sorted lists, strings and numbers."""
        return {
            "phase": self.phase,
            "player": self.player,
            "deck_size": self.deck_size,
            "pool": sorted(self.pool),
            "queue": [[tile, covers] for tile, covers in sorted(self.queue.items())],
            "spirit_deck": sorted(self.spirit_deck),
            "spirit_line": sorted(self.spirit_line),
            "drawn_spirits": sorted(self.drawn_spirits),
            "active_tile": self.active_tile,
            "rainbows_to_place": self.rainbows_to_place,
            "rainbow_supply": self.rainbow_supply,
            "filled_cells": sorted(self.filled_cells),
            "met_spirit": self.met_spirit,
            "forced_tile": self.forced_tile,
            "extra_turn": self.extra_turn,
            "passes": self.passes,
            "evil_spirit": self.evil_spirit,
            "discarded": sorted(self.discarded),
            "sides": [side.snapshot() for side in self.sides],
        }

    @staticmethod
    def from_snapshot(snapshot: dict[str, Any], fireflies: bool | None = None) -> State:
        """The inverse of `snapshot`. The variant is inferred unless it is given."""
        return State(
            fireflies=_has_expansion(snapshot) if fireflies is None else fireflies,
            phase=snapshot["phase"],
            player=snapshot["player"],
            deck_size=snapshot["deck_size"],
            pool=set(snapshot["pool"]),
            queue=dict(snapshot["queue"]),
            spirit_deck=set(snapshot["spirit_deck"]),
            spirit_line=set(snapshot["spirit_line"]),
            drawn_spirits=set(snapshot["drawn_spirits"]),
            active_tile=snapshot["active_tile"],
            rainbows_to_place=snapshot["rainbows_to_place"],
            rainbow_supply=snapshot["rainbow_supply"],
            filled_cells=set(snapshot["filled_cells"]),
            met_spirit=snapshot["met_spirit"],
            forced_tile=snapshot["forced_tile"],
            extra_turn=snapshot["extra_turn"],
            passes=snapshot["passes"],
            evil_spirit=snapshot["evil_spirit"],
            discarded=set(snapshot["discarded"]),
            sides=[Side.from_snapshot(side) for side in snapshot["sides"]],
        )


def _has_expansion(snapshot: dict[str, Any]) -> bool:
    """R4: the expansion is played if one of its spirits is anywhere."""
    names = snapshot["spirit_deck"] + snapshot["spirit_line"] + snapshot["drawn_spirits"]
    for side in snapshot["sides"]:
        names = names + [entry.split("@")[0] for entry in side["met"]]
    return any(name in EXPANSION_SPIRITS for name in names)


def _check_setup(hands: list[list[str]], queue_up: list[tuple[str, bool]]) -> None:
    """R6: two hands of three; only real tiles, none of them twice."""
    if [len(hand) for hand in hands] != [HAND_LIMIT, HAND_LIMIT]:
        raise ValueError(f"two hands of three tiles are needed, not {hands}")
    seen = [*hands[0], *hands[1], *[tile for tile, _ in queue_up]]
    if len(set(seen)) != len(seen) or any(tile not in TILES for tile in seen):
        raise ValueError(f"not all of these are different tiles: {seen}")


def initial_state(
    hands: list[list[str]],
    queue_up: list[tuple[str, bool]],
    *,
    fireflies: bool,
    evil_spirit: bool,
) -> State:
    """R6: the state after the setup."""
    if fireflies and not evil_spirit:
        raise ValueError("R5: the expansion is not played without the evil spirit")
    _check_setup(hands, queue_up)
    seen = [*hands[0], *hands[1], *[tile for tile, _ in queue_up]]
    pool = {tile for tile in TILES if tile not in seen}
    names = spirits_of(fireflies=fireflies, evil_spirit=evil_spirit)
    return State(
        fireflies=fireflies,
        deck_size=len(pool) - sum(1 for _, covers in queue_up if covers),
        pool=pool,
        queue=dict(queue_up),
        spirit_deck=set(names),
        evil_spirit="deck" if EVIL_SPIRIT in names else "none",
        sides=[Side(hand=set(hands[0])), Side(hand=set(hands[1]))],
    )
