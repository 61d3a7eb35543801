"""What the oracle's snapshots look like as observations and positions of the package."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from oracle import OracleGame, RandomChance
from oracle.material import EVIL_SPIRIT, NUMBER_OF_RAINBOWS
from oracle.random_play import random_game
from oracle.state import State

from solstis_ai.observation import (
    EvilSpiritPlace,
    Observation,
    Panorama,
    QueueTile,
    SpiritOnSquare,
    Turn,
)
from solstis_ai.position import EvilSpiritSeat, Position
from solstis_ai.vocabulary import CELLS, SPIRITS, Phase, Rules

Snapshot = dict[str, Any]
Side = dict[str, Any]


def observation_of(snapshot: Snapshot, player: int, played_tile: str = "") -> Observation:
    """What ``player``, who decides, sees of the snapshot.

    ``played_tile`` is the hand tile of this turn in phase ``capture``, which a snapshot does not
    tell from a drawn one; when it is empty, the active tile is the played one.
    """
    mine, theirs = snapshot["sides"][player], snapshot["sides"][1 - player]
    return Observation(
        rules=rules_of(snapshot),
        phase=Phase(snapshot["phase"]),
        your_hand=in_order(mine["hand"]),
        opponent_hand_size=len(theirs["hand"]),
        opponent_known_tiles=in_order(theirs["known"]),
        opponent_excluded_tiles=in_order(
            tile for tile in theirs["excluded"] if tile in unseen_by(snapshot, player)
        ),
        deck_size=snapshot["deck_size"],
        queue=queue_of(snapshot),
        you=panorama_of(mine),
        opponent=panorama_of(theirs),
        discarded_tiles=in_order(snapshot["discarded"]),
        spirit_line=in_order(snapshot["spirit_line"], SPIRITS),
        spirit_deck_size=len(snapshot["spirit_deck"]),
        evil_spirit=place_of(snapshot, player),
        turn=turn_of(snapshot, played_tile),
    )


def position_of(snapshot: Snapshot, played_tile: str = "") -> Position:
    """The whole state of the snapshot; see ``observation_of``."""
    first, second = snapshot["sides"]
    return Position(
        rules=rules_of(snapshot),
        phase=Phase(snapshot["phase"]),
        player=snapshot["player"],
        hands=(in_order(first["hand"]), in_order(second["hand"])),
        known=(in_order(first["known"]), in_order(second["known"])),
        excluded=(in_order(first["excluded"]), in_order(second["excluded"])),
        deck_size=snapshot["deck_size"],
        queue=queue_of(snapshot),
        panoramas=(panorama_of(first), panorama_of(second)),
        discarded_tiles=in_order(snapshot["discarded"]),
        spirit_line=in_order(snapshot["spirit_line"], SPIRITS),
        spirit_deck_size=len(snapshot["spirit_deck"]),
        evil_spirit=seat_of(snapshot),
        turn=turn_of(snapshot, played_tile),
    )


def in_order(codes: Iterable[str], order: tuple[str, ...] = CELLS) -> tuple[str, ...]:
    return tuple(sorted(codes, key=order.index))


def rules_of(snapshot: Snapshot) -> Rules:
    fireflies = State.from_snapshot(snapshot).fireflies
    return Rules(fireflies=fireflies, evil_spirit=snapshot["evil_spirit"] != "none")


def queue_of(snapshot: Snapshot) -> tuple[QueueTile, ...]:
    covers = dict(snapshot["queue"])
    return tuple(QueueTile(tile, covers[tile]) for tile in in_order(covers))


def panorama_of(side: Side) -> Panorama:
    met = dict(entry.split("@") for entry in side["met"])
    return Panorama(
        tiles=in_order(side["tiles"]),
        rainbows=in_order(side["rainbows"]),
        spirits=tuple(
            SpiritOnSquare(spirit, met[spirit], spirit == side["covered"])
            for spirit in in_order(met, SPIRITS)
        ),
        firefly_squares=in_order(side["firefly_squares"]),
        evil_spirit_cell=side["evil_cell"] or "",
    )


def unseen_by(snapshot: Snapshot, player: int) -> set[str]:
    theirs = snapshot["sides"][1 - player]
    return set(snapshot["pool"]) | set(theirs["hand"]) - set(theirs["known"])


def seat_of(snapshot: Snapshot) -> EvilSpiritSeat:
    """The oracle keeps a drawn evil spirit at once; here it is ``drawn`` until a spirit is met."""
    place = snapshot["evil_spirit"]
    if place in ("none", "deck"):
        return EvilSpiritSeat.HIDDEN
    if place == "drawn" or EVIL_SPIRIT in snapshot["drawn_spirits"]:
        return EvilSpiritSeat.DRAWN
    return EvilSpiritSeat.OUT if place == "out" else EvilSpiritSeat(place[-1])


def place_of(snapshot: Snapshot, player: int) -> EvilSpiritPlace:
    seat = seat_of(snapshot)
    if seat in (EvilSpiritSeat.PLAYER_0, EvilSpiritSeat.PLAYER_1):
        return EvilSpiritPlace.YOU if seat == str(player) else EvilSpiritPlace.OPPONENT
    return EvilSpiritPlace(seat)


def turn_of(snapshot: Snapshot, played_tile: str) -> Turn:
    active = snapshot["active_tile"] or ""
    second_chance = active and played_tile and active != played_tile
    return Turn(
        played_tile=played_tile if second_chance else active,
        drawn_tile=active if second_chance else "",
        rainbows_to_place=snapshot["rainbows_to_place"],
        filled_cells=in_order(snapshot["filled_cells"]),
        drawn_spirits=in_order(snapshot["drawn_spirits"], SPIRITS),
        met_spirit=snapshot["met_spirit"] or "",
        extra_turn=snapshot["extra_turn"],
        forced_tile=snapshot["forced_tile"] or "",
        opponent_passed=snapshot["passes"] > 0,
    )


Chooser = Callable[[list[str], random.Random], str]


def any_of(legal: list[str], decider: random.Random) -> str:
    """A random decision."""
    return decider.choice(legal)


def drawing(legal: list[str], decider: random.Random) -> str:
    """A random decision, but the spirit deck is drawn as fast as possible."""
    return "draw" if "draw" in legal else decider.choice(legal)


def decisions(
    seed: int, *, fireflies: bool, evil_spirit: bool, choose: Chooser = any_of
) -> Iterator[tuple[OracleGame, str]]:
    """A random game at each of its decisions, with the tile played this turn, if any."""
    game = random_game(seed, fireflies=fireflies, evil_spirit=evil_spirit)
    chance, decider = RandomChance(seed), random.Random(-1 - seed)
    played = ""
    while not game.over:
        yield game, played if game.state.phase == "capture" else ""
        move = choose(game.legal(), decider)
        played = move.removeprefix("play ") if move.startswith("play ") else played
        game.apply(move, chance)


# ---- the other way: a world that an observation allows, with "you" as player 0


def world_of(observation: Observation, chance: random.Random) -> OracleGame:
    """A game that looks like this to its player 0; what is hidden is drawn at random."""
    hidden = observation.opponent_hand_size - len(observation.opponent_known_tiles)
    unseen = set(CELLS) - seen_tiles(observation)
    candidates = sorted(unseen - set(observation.opponent_excluded_tiles))
    theirs = {*observation.opponent_known_tiles, *chance.sample(candidates, hidden)}
    snapshot = {
        **common_snapshot(observation),
        "pool": sorted(unseen - theirs),
        "sides": [
            side_of(observation.you, observation.your_hand, (), ()),
            side_of(
                observation.opponent,
                sorted(theirs),
                observation.opponent_known_tiles,
                observation.opponent_excluded_tiles,
            ),
        ],
    }
    return OracleGame.from_snapshot(snapshot, fireflies=observation.rules.fireflies)


def seen_tiles(observation: Observation) -> set[str]:
    turn = observation.turn
    return {
        *observation.your_hand,
        *observation.opponent_known_tiles,
        *(place.tile for place in observation.queue),
        *observation.you.tiles,
        *observation.opponent.tiles,
        *observation.discarded_tiles,
        turn.played_tile,
        turn.drawn_tile,
    }


def common_snapshot(observation: Observation) -> Snapshot:
    """All but the two sides and the pool."""
    turn = observation.turn
    placed = len(observation.you.rainbows) + len(observation.opponent.rainbows)
    return {
        "phase": str(observation.phase),
        "player": 0,
        "deck_size": observation.deck_size,
        "queue": sorted([place.tile, place.covers] for place in observation.queue),
        "spirit_deck": sorted(hidden_spirits(observation)),
        "spirit_line": sorted(observation.spirit_line),
        "drawn_spirits": sorted(turn.drawn_spirits),
        "active_tile": turn.drawn_tile or turn.played_tile or None,
        "rainbows_to_place": turn.rainbows_to_place,
        "rainbow_supply": NUMBER_OF_RAINBOWS - placed - turn.rainbows_to_place,
        "filled_cells": sorted(turn.filled_cells),
        "met_spirit": turn.met_spirit or None,
        "forced_tile": turn.forced_tile or None,
        "extra_turn": turn.extra_turn,
        "passes": int(turn.opponent_passed),
        "evil_spirit": oracle_place(observation),
        "discarded": sorted(observation.discarded_tiles),
    }


def hidden_spirits(observation: Observation) -> set[str]:
    met = (
        spirit.spirit for side in (observation.you, observation.opponent) for spirit in side.spirits
    )
    seen = {*met, *observation.spirit_line, *observation.turn.drawn_spirits}
    if observation.evil_spirit is not EvilSpiritPlace.HIDDEN:
        seen.add(EVIL_SPIRIT)
    return set(observation.rules.spirits) - seen


def oracle_place(observation: Observation) -> str:
    if observation.evil_spirit is EvilSpiritPlace.HIDDEN:
        return "deck" if observation.rules.evil_spirit else "none"
    if observation.evil_spirit is EvilSpiritPlace.OUT:
        return "out"
    if observation.evil_spirit is EvilSpiritPlace.DRAWN and observation.rules.fireflies:
        return "drawn"
    holder = 1 if observation.evil_spirit is EvilSpiritPlace.OPPONENT else 0
    return f"{'on' if observation.rules.fireflies else 'kept'}{holder}"


def side_of(
    panorama: Panorama, hand: Iterable[str], known: Iterable[str], excluded: Iterable[str]
) -> Side:
    covered = [met.spirit for met in panorama.spirits if met.covered]
    return {
        "hand": sorted(hand),
        "tiles": sorted(panorama.tiles),
        "rainbows": sorted(panorama.rainbows),
        "met": sorted(f"{met.spirit}@{met.square}" for met in panorama.spirits),
        "covered": covered[0] if covered else None,
        "firefly_squares": sorted(panorama.firefly_squares),
        "evil_cell": panorama.evil_spirit_cell or None,
        "known": sorted(known),
        "excluded": sorted(excluded),
    }
