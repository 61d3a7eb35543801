"""The rules of Solstis as a slow, obvious oracle for tests."""

from oracle.chance import ChanceSource, RandomChance, ScriptedChance, ScriptError
from oracle.game import OracleGame
from oracle.recorded import ReplayMismatch, load_games, replay

__all__ = [
    "ChanceSource",
    "OracleGame",
    "RandomChance",
    "ReplayMismatch",
    "ScriptError",
    "ScriptedChance",
    "load_games",
    "replay",
]
