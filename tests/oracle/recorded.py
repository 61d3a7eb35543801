"""Replaying recorded games (rules §11) on the oracle.

One peculiarity of the recorded games: the `hand` of `final[]` lists the tiles left over and also
every tile that R12 discarded straight from that hand (by the other player's fly, by the deer, by
the squirrel), although such a tile is out of the game and was not playable any more. The replay
reckons with it exactly: it notes these tiles and expects them in the recorded hand.
"""

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


class ReplayMismatchError(AssertionError):
    """A recorded game and the oracle differ."""

    def __init__(
        self, game: str, event: int | None, what: str, expected: object, found: object
    ) -> None:
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
    """Replay a game; ReplayMismatchError at the first difference. Returns the finished game.

    `observe` is called before the first decision and after every one.
    """
    game = game_of(recorded)
    discarded_from_hand: list[set[str]] = [set(), set()]
    for number, event in enumerate(recorded["events"]):
        if observe is not None:
            observe(game)
        hands_before = [set(side.hand) for side in game.state.sides]
        _replay_event(recorded["id"], number, event, game)
        for player in (0, 1):
            discarded_from_hand[player] |= hands_before[player] & game.state.discarded
    if observe is not None:
        observe(game)
    _compare_end(recorded, game, discarded_from_hand)
    return game


def _replay_event(name: str, number: int, event: dict[str, Any], game: OracleGame) -> None:
    """One decision: who decides, what is legal, what happens."""

    def compare(what: str, expected: object, found: object) -> None:
        if expected != found:
            raise ReplayMismatchError(name, number, what, expected, found)

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
        raise ReplayMismatchError(name, number, what, event["chance"], game.snapshot()) from error
    compare("chance", event["chance"], happened)


def _compare_end(
    recorded: RecordedGame, game: OracleGame, discarded_from_hand: list[set[str]]
) -> None:
    """The finals; after a victory by fireflies `total` only tells the winner."""
    name = recorded["id"]
    if not game.over:
        raise ReplayMismatchError(name, None, "over", True, game.over)
    finals = recorded["final"]
    winner = winner_of(finals)
    if winner != game.winner:
        raise ReplayMismatchError(name, None, "winner", winner, game.winner)
    ignored = {"total"} if won_by_fireflies(finals) else set()
    for player, expected in enumerate(finals):
        found = game.score(player)
        found["hand"] = sorted([*found["hand"], *discarded_from_hand[player]])
        for key in sorted(set(expected) | set(found)):
            if key not in ignored and expected.get(key) != found.get(key):
                what = f"player {player} {key}"
                raise ReplayMismatchError(name, None, what, expected.get(key), found.get(key))


def winner_of(finals: list[dict[str, Any]]) -> int | None:
    """The winner of a recorded game, None for a draw."""
    if finals[0]["total"] == finals[1]["total"]:
        return None
    return 0 if finals[0]["total"] > finals[1]["total"] else 1


def won_by_fireflies(finals: list[dict[str, Any]]) -> bool:
    """R25: has one player four fireflies?"""
    return any(len(final["firefly_squares"]) >= WINNING_FIREFLIES for final in finals)
