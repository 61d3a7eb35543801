"""Recorded games: read, replay, compare (rules, section 11).

A recorded game is one JSON object a line: setup, every decision with the set of legal ones
and the chance events that followed, and the final panoramas and scores.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solstis_ai.errors import IllegalMoveError, RecordedGameError
from solstis_ai.game import Game, Setup
from solstis_ai.vocabulary import Rules

__all__ = ["MismatchError", "ReplayReport", "read_games", "replay", "replay_files"]

_FIREFLIES_TO_WIN = 4
_DISCARD_FROM_HAND = ("meet", "add", "pass", "cover")  # fly; deer; squirrel at the end


class MismatchError(RecordedGameError):
    """A recorded game and the engine differ.

    Args:
        game: Id of the recorded game.
        where: Number of the event, from 0, or "final".
        expected: What was recorded.
        found: What the engine has.
    """

    def __init__(self, game: str, where: str, expected: object, found: object) -> None:
        super().__init__(game, where, expected, found)
        self.game, self.where, self.expected, self.found = game, where, expected, found

    def __str__(self) -> str:
        where = f"game {self.game}, event {self.where}"
        return f"{where}: expected {self.expected}, found {self.found}"


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """What a replay of several games gave.

    Attributes:
        games: Number of games, malformed ones included.
        events: Number of events that were replayed.
        mismatches: The first difference of each game that has one.
        malformed: What is no recorded game, each with file and line, and files without any.
    """

    games: int
    events: int
    mismatches: tuple[MismatchError, ...]
    malformed: tuple[RecordedGameError, ...] = ()


def read_games(path: Path) -> Iterator[dict[str, Any]]:
    """The games of a file, one JSON object a line; empty lines are passed over.

    Raises:
        RecordedGameError: If the file cannot be read or a line is no JSON object.
    """
    for number, line in _lines(path):
        with _located(path, number):
            recorded = _parsed(line)
        yield recorded


def replay_files(paths: list[Path]) -> ReplayReport:
    """Replay all games of these files.

    Raises:
        RecordedGameError: If a file cannot be read; whatever else is wrong is reported.
    """
    tally = _Tally()
    for path in paths:
        lines = _lines(path)
        if not lines:
            tally.malformed.append(RecordedGameError(f"{path}: no game in this file"))
        for number, line in lines:
            tally.replay(path, number, line)
    return ReplayReport(tally.games, tally.events, tuple(tally.mismatches), tuple(tally.malformed))


class _Tally:
    """What is known of the games replayed so far."""

    def __init__(self) -> None:
        self.games = self.events = 0
        self.mismatches: list[MismatchError] = []
        self.malformed: list[RecordedGameError] = []

    def replay(self, path: Path, number: int, line: bytes) -> None:
        """Replay one game and count; go on when it is wrong."""
        self.games += 1
        try:
            with _located(path, number):
                recorded = _parsed(line)
                self.events += replay(recorded)
        except MismatchError as mismatch:
            self.mismatches.append(mismatch)
            final = mismatch.where == "final"
            self.events += len(recorded["events"]) if final else int(mismatch.where)
        except RecordedGameError as error:
            self.malformed.append(error)


def _lines(path: Path) -> list[tuple[int, bytes]]:
    """The lines of a file that are not empty, with their numbers from 1."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise RecordedGameError(f"{path}: {error.strerror}") from error
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        recorded = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise RecordedGameError(f"no JSON: {error}") from error
    if not isinstance(recorded, dict):
        raise RecordedGameError("a JSON object is needed")
    return recorded


@contextmanager
def _located(path: Path, number: int) -> Iterator[None]:
    """Add file and line to what is told of a malformed game."""
    try:
        yield
    except MismatchError:
        raise
    except RecordedGameError as error:
        raise RecordedGameError(f"{path}, line {number}: {error}") from error


def replay(recorded: dict[str, Any]) -> int:
    """Replay one game and compare everything that is recorded.

    Returns:
        The number of its events.

    Raises:
        MismatchError: At the first difference.
        RecordedGameError: If the record is malformed.
    """
    with _wellformed(f"game {recorded.get('id', 'without id')}"):
        return _Replay(recorded).run()


@contextmanager
def _wellformed(place: str) -> Iterator[None]:
    try:
        yield
    except RecordedGameError:
        raise
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise RecordedGameError(f"{place} is malformed: {error!r}") from error


class _Replay:
    def __init__(self, recorded: dict[str, Any]) -> None:
        self._recorded = recorded
        self._id = str(recorded["id"])
        rules, setup = recorded["rules"], recorded["setup"]
        first, second = setup["hands"]
        queue = tuple((pair["up"], pair["under"]) for pair in setup["queue"])
        self._game = Game(
            Rules(fireflies=rules["fireflies"], evil_spirit=rules["evil_spirit"]),
            seed=0,
            setup=Setup((tuple(first), tuple(second)), queue),
        )
        # The records list a tile that R12 discards straight out of a hand as left over there.
        self._discarded_from_hand: tuple[set[str], set[str]] = (set(), set())

    def run(self) -> int:
        events = self._recorded["events"]
        for number, event in enumerate(events):
            with _wellformed(f"game {self._id}, event {number}"):
                self._step(str(number), event)
        self._check("final", {"over": True}, {"over": self._game.over})
        for player in (0, 1):
            self._compare_end(player, self._recorded["final"][player])
        return len(events)

    def _check(self, where: str, expected: object, found: object) -> None:
        if expected != found:
            raise MismatchError(self._id, where, expected, found)

    def _step(self, where: str, event: dict[str, Any]) -> None:
        game = self._game
        self._check(where, f"player {event['player']}", f"player {game.player}")
        legal = sorted(map(str, game.legal_moves))
        if event["legal"] is not None:
            self._check(where, event["legal"], legal)
        watched = event["move"].startswith(_DISCARD_FROM_HAND)
        hands = game.position().hands if watched else ((), ())
        if event["chance"] is None:
            raise TypeError("chance is null")
        try:
            game.push(event["move"], event["chance"])
        except IllegalMoveError as error:
            raise MismatchError(self._id, where, event["move"], str(error)) from error
        if watched:
            discarded = set(game.position().discarded_tiles)
            for player in (0, 1):
                self._discarded_from_hand[player].update(discarded & set(hands[player]))

    def _compare_end(self, player: int, expected: dict[str, Any]) -> None:
        found = self._end(player)
        if any(len(end["firefly_squares"]) >= _FIREFLIES_TO_WIN for end in self._recorded["final"]):
            found["total"] = expected["total"]  # not a count of stars then: see the winner
            self._check_firefly_winner()
        for key, value in found.items():
            name = f"player {player} {key}"
            self._check("final", {name: expected[key]}, {name: value})

    def _check_firefly_winner(self) -> None:
        winners = [
            player
            for player in (0, 1)
            if len(self._recorded["final"][player]["firefly_squares"]) >= _FIREFLIES_TO_WIN
        ]
        self._check("final", {"winner": winners[0]}, {"winner": self._game.winner})

    def _end(self, player: int) -> dict[str, Any]:
        position = self._game.position()
        panorama, score = position.panoramas[player], self._game.score(player)
        hand = {*position.hands[player], *self._discarded_from_hand[player]}
        return {
            "total": score.total,
            "area": score.area,
            "fires": score.fires,
            "spirits": score.spirits,
            "spirit_bonus": score.spirit_bonus,
            "fireflies": score.fireflies,
            "tiles": sorted(panorama.tiles),
            "rainbows": sorted(panorama.rainbows),
            "met": sorted(f"{on.spirit}@{on.square}" for on in panorama.spirits),
            "covered": next((on.spirit for on in panorama.spirits if on.covered), None),
            "firefly_squares": sorted(panorama.firefly_squares),
            "evil_cell": panorama.evil_spirit_cell or None,
            "hand": sorted(hand),
        }
