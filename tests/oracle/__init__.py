"""The rules of Solstis as a slow, obvious oracle for tests."""

from oracle.chance import ChanceSource, RandomChance, ScriptedChance, ScriptError
from oracle.game import OracleGame
from oracle.recorded import ReplayMismatchError, load_games, replay

__all__ = [
    "ChanceSource",
    "OracleGame",
    "RandomChance",
    "ReplayMismatchError",
    "ScriptError",
    "ScriptedChance",
    "load_games",
    "replay",
]
