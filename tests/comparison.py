"""Compare the engine with the oracle, decision by decision."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from oracle import OracleGame, RandomChance
from oracle.random_play import random_game

from solstis_ai.game import Game
from solstis_ai.observation import Panorama, QueueTile
from solstis_ai.position import EvilSpiritSeat, Position
from solstis_ai.vocabulary import RED_SPIRIT, Phase, Rules

Decider = Callable[[random.Random, Sequence[str]], str]


def any_move(choices: random.Random, legal: Sequence[str]) -> str:
    """Uniformly random."""
    return choices.choice(legal)


def draw_spirits(choices: random.Random, legal: Sequence[str]) -> str:
    """Draws whenever that is possible, so that the spirit deck runs out."""
    return "draw" if "draw" in legal else choices.choice(legal)


def cluster(choices: random.Random, legal: Sequence[str]) -> str:
    """Prefers middle columns, so that squares are completed early and often."""
    return min(choices.sample(legal, min(len(legal), 4)), key=_distance)


def _distance(move: str) -> float:
    code = move.rsplit(maxsplit=1)[-1]
    return abs(int(code[1:]) - 5.5) if code[1:].isdigit() else 0


DECIDERS: tuple[Decider, ...] = (any_move, draw_spirits, cluster)


def snapshot_of(game: Game) -> dict[str, Any]:
    """The position of a game in the form of `OracleGame.snapshot()`."""
    position = game.position()
    turn = position.turn
    over = position.phase is Phase.OVER
    return {
        "phase": str(position.phase),
        "player": position.player,
        "deck_size": position.deck_size,
        "pool": sorted(position.pool),
        "queue": sorted([place.tile, place.covers] for place in position.queue),
        "spirit_deck": sorted(_spirit_deck(position)),
        "spirit_line": sorted(position.spirit_line),
        "drawn_spirits": sorted(turn.drawn_spirits),
        "active_tile": turn.drawn_tile or turn.played_tile or None,
        "rainbows_to_place": turn.rainbows_to_place,
        "rainbow_supply": game._state.fields()["supply"],  # a position does not tell it
        "filled_cells": [] if over else sorted(turn.filled_cells),
        "met_spirit": turn.met_spirit or None,
        "forced_tile": turn.forced_tile or None,
        "extra_turn": turn.extra_turn,
        "passes": int(turn.opponent_passed),
        "evil_spirit": _evil(position),
        "discarded": sorted(position.discarded_tiles),
        "sides": [_side(position, player) for player in (0, 1)],
    }


def _spirit_deck(position: Position) -> list[str]:
    seen = {on.spirit for panorama in position.panoramas for on in panorama.spirits}
    seen |= {*position.spirit_line, *position.turn.drawn_spirits}
    if position.evil_spirit is not EvilSpiritSeat.HIDDEN:
        seen.add(RED_SPIRIT)
    deck = [spirit for spirit in position.rules.spirits if spirit not in seen]
    assert len(deck) == position.spirit_deck_size
    return deck


def _evil(position: Position) -> str:
    where = position.evil_spirit
    if not position.rules.evil_spirit:
        return "none"
    if where is EvilSpiritSeat.HIDDEN:
        return "deck"
    if where is EvilSpiritSeat.DRAWN and not position.rules.fireflies:
        return f"kept{position.player}"  # the oracle keeps it from the draw on (R15)
    if where in (EvilSpiritSeat.DRAWN, EvilSpiritSeat.OUT):
        return str(where)
    return ("on" if position.rules.fireflies else "kept") + str(where)


def _side(position: Position, player: int) -> dict[str, Any]:
    panorama = position.panoramas[player]
    unseen = {*position.pool, *position.hands[player]}
    return {
        "hand": sorted(position.hands[player]),
        "tiles": sorted(panorama.tiles),
        "rainbows": sorted(panorama.rainbows),
        "met": sorted(f"{on.spirit}@{on.square}" for on in panorama.spirits),
        "covered": next((on.spirit for on in panorama.spirits if on.covered), None),
        "firefly_squares": sorted(panorama.firefly_squares),
        "evil_cell": panorama.evil_spirit_cell or None,
        "known": sorted(position.known[player]),
        "excluded": sorted(unseen & set(position.excluded[player])),
    }


def oracle_snapshot(oracle: OracleGame) -> dict[str, Any]:
    """The oracle's snapshot, with `excluded` reduced to tiles that are still unseen."""
    snapshot: dict[str, Any] = oracle.snapshot()
    for side in snapshot["sides"]:
        unseen = {*snapshot["pool"], *side["hand"]}
        side["excluded"] = sorted(unseen & set(side["excluded"]))
    return snapshot


def game_of(oracle: OracleGame, rules: Rules) -> Game:
    """An engine game at the beginning of an oracle's game."""
    snapshot: dict[str, Any] = oracle.snapshot()
    return Game.from_position(opening_position(snapshot, rules), seed=0)


def opening_position(snapshot: dict[str, Any], rules: Rules) -> Position:
    """The position of a dealt oracle game before its first decision."""
    return Position(
        rules=rules,
        phase=Phase.PLAY,
        player=0,
        hands=(tuple(snapshot["sides"][0]["hand"]), tuple(snapshot["sides"][1]["hand"])),
        deck_size=snapshot["deck_size"],
        queue=tuple(QueueTile(tile, covers) for tile, covers in snapshot["queue"]),
        panoramas=(Panorama(), Panorama()),
        spirit_deck_size=len(rules.spirits),
    )


def assert_same(game: Game, oracle: OracleGame) -> None:
    """Same position, same legal decisions."""
    expected, found = oracle_snapshot(oracle), snapshot_of(game)
    assert found == expected
    assert sorted(map(str, game.legal_moves)) == oracle.legal()


def assert_same_end(game: Game, oracle: OracleGame) -> None:
    """Same winner, same stars."""
    assert game.over
    assert game.winner == oracle.winner
    for player in (0, 1):
        score, expected = game.score(player), oracle.score(player)
        assert score.total == expected["total"]
        assert score.area == expected["area"]
        assert score.fires == expected["fires"]
        assert score.spirits == expected["spirits"]
        assert score.fireflies == expected["fireflies"]
        assert score.spirit_bonus == expected["spirit_bonus"]


def play_and_compare(seed: int, rules: Rules, decide: Decider = any_move) -> Game:
    """A whole random game on both sides; raises AssertionError at the first difference."""
    oracle = random_game(seed, fireflies=rules.fireflies, evil_spirit=rules.evil_spirit)
    return go_on_and_compare(game_of(oracle, rules), oracle, seed, decide)


def go_on_and_compare(
    game: Game, oracle: OracleGame, seed: int, decide: Decider = any_move
) -> Game:
    """Both to the end of the game, by the same random decisions and outcomes."""
    chance, choices = RandomChance(seed), random.Random(seed)
    while not oracle.over:
        assert_same(game, oracle)
        move = decide(choices, oracle.legal())
        game.push(move, oracle.apply(move, chance))
    assert_same(game, oracle)
    assert_same_end(game, oracle)
    return game
