"""The decisions of the recorded games in tests/data, as the deciding seat sees them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from solstis_ai.game import Game, Setup
from solstis_ai.observation import Observation
from solstis_ai.recorded import read_games
from solstis_ai.vocabulary import Rules

DATA = Path(__file__).parent / "data"
RECORDED = [game for path in sorted(DATA.glob("recorded_*.jsonl")) for game in read_games(path)]


def decisions_of(recorded: dict[str, Any]) -> Iterator[tuple[Observation, list[str] | None]]:
    """What the deciding seat sees at each decision, and the recorded legal moves."""
    queue = tuple((pair["up"], pair["under"]) for pair in recorded["setup"]["queue"])
    first, second = (tuple(hand) for hand in recorded["setup"]["hands"])
    game = Game(Rules(**recorded["rules"]), seed=0, setup=Setup((first, second), queue))
    for event in recorded["events"]:
        yield game.observation(event["player"]), event["legal"]
        game.push(event["move"], chance=event["chance"])
