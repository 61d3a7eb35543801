"""The gate to the compiled core: other modules take its names only from here."""

from solstis_ai._fast.state import ChanceFeed, GameState, Knowledge

__all__ = ["ChanceFeed", "GameState", "Knowledge"]
