"""Replaying recorded games (rules §11) on the oracle."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from oracle.chance import ScriptedChance, ScriptError
from oracle.game import OracleGame
from oracle.material import WINNING_FIREFLIES

RecordedGame = dict[str, Any]
Observer = Callable[[OracleGame], None]


class ReplayMismatch(AssertionError):
    """A recorded game and the oracle differ."""

    def __init__(self, game: str, event: int | None, what: str, expected: Any, found: Any) -> None:
        self.game = game
        self.event = event  # index in events[], None for the final result
        self.what = what
        self.expected = expected
        self.found = found
        place = "final" if event is None else f"event {event}"
        super().__init__(f"{game}, {place}, {what}: expected {expected!r}, found {found!r}")


def load_games(path: Path) -> list[RecordedGame]:
    """The recorded games of a file, one a line."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def game_of(recorded: RecordedGame) -> OracleGame:
    """A game at the start of a recorded game."""
    queue = recorded["setup"]["queue"]
    return OracleGame(
        recorded["setup"]["hands"],
        [(place["up"], place["under"] is not None) for place in queue],
        fireflies=recorded["rules"]["fireflies"],
        evil_spirit=recorded["rules"]["evil_spirit"],
    )


def replay(recorded: RecordedGame, observe: Observer | None = None) -> OracleGame:
    """Replay a game; ReplayMismatch at the first difference. Returns the finished game.

    `observe` is called before the first decision and after every one.
    """
    game = game_of(recorded)
    for number, event in enumerate(recorded["events"]):
        if observe is not None:
            observe(game)
        _replay_event(recorded["id"], number, event, game)
    if observe is not None:
        observe(game)
    _compare_end(recorded, game)
    return game


def _replay_event(name: str, number: int, event: dict[str, Any], game: OracleGame) -> None:
    """One decision: who decides, what is legal, what happens."""

    def compare(what: str, expected: Any, found: Any) -> None:
        if expected != found:
            raise ReplayMismatch(name, number, what, expected, found)

    compare("over", False, game.over)
    compare("player", event["player"], game.player)
    if event["legal"] is not None:
        compare("legal", sorted(event["legal"]), game.legal())
    chance = ScriptedChance(event["chance"])
    try:
        happened = game.apply(event["move"], chance)
        chance.finish()
    except (ScriptError, ValueError) as error:
        what = f"{event['move']} ({error})"
        raise ReplayMismatch(name, number, what, event["chance"], game.snapshot()) from error
    compare("chance", event["chance"], happened)


def _compare_end(recorded: RecordedGame, game: OracleGame) -> None:
    """The finals; after a victory by fireflies `total` only tells the winner."""
    name = recorded["id"]
    if not game.over:
        raise ReplayMismatch(name, None, "over", True, game.over)
    finals = recorded["final"]
    winner = winner_of(finals)
    if winner != game.winner:
        raise ReplayMismatch(name, None, "winner", winner, game.winner)
    ignored = {"total"} if won_by_fireflies(finals) else set()
    for player, expected in enumerate(finals):
        found = game.score(player)
        for key in sorted(set(expected) | set(found)):
            if key not in ignored and expected.get(key) != found.get(key):
                what = f"player {player} {key}"
                raise ReplayMismatch(name, None, what, expected.get(key), found.get(key))


def winner_of(finals: list[dict[str, Any]]) -> int | None:
    """The winner of a recorded game, None for a draw."""
    if finals[0]["total"] == finals[1]["total"]:
        return None
    return 0 if finals[0]["total"] > finals[1]["total"] else 1


def won_by_fireflies(finals: list[dict[str, Any]]) -> bool:
    """R25: has one player four fireflies?"""
    return any(len(final["firefly_squares"]) >= WINNING_FIREFLIES for final in finals)
