"""Where the chance events of rules §10 come from."""

from __future__ import annotations

import random
from typing import Protocol


class ChanceSource(Protocol):
    """Decides every chance event of a game."""

    def choose(self, kind: str, options: list[str]) -> str:
        """One of `options` (sorted, never empty); kind is deck, flip, steal or spirit."""
        ...


class ScriptError(Exception):
    """The script of chance events does not fit the game."""


class ScriptedChance:
    """Plays back a list of events such as "deck g5", strictly."""

    def __init__(self, events: list[str]) -> None:
        self.left: list[str] = list(events)

    def choose(self, kind: str, options: list[str]) -> str:
        """The outcome of the next event; ScriptError if it is of another kind or impossible."""
        if not self.left:
            raise ScriptError(f"the game asks for a {kind} event, none is left")
        event = self.left.pop(0)
        event_kind, outcome = event.split()
        if event_kind != kind:
            raise ScriptError(f"the game asks for a {kind} event, next is {event!r}")
        if outcome not in options:
            raise ScriptError(f"{event!r} is impossible, possible are {options}")
        return outcome

    def finish(self) -> None:
        """ScriptError if events are left over."""
        if self.left:
            raise ScriptError(f"the game did not ask for {self.left}")


class RandomChance:
    """Every option equally likely, reproducible by its seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def choose(self, kind: str, options: list[str]) -> str:
        """A random option."""
        return self.random.choice(options)
