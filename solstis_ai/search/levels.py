"""Ten levels of play, from a first-time player to full strength.

A level is its number of iterations and the probability of a move to go unnoticed, never a time:
it plays alike on every machine. ``docs/levels.md`` has the figures, ``training/levels.py`` makes
them.
"""

from __future__ import annotations

from dataclasses import dataclass

from solstis_ai.errors import InvalidSearchError
from solstis_ai.search.types import Limits, SearchConfig, is_whole

__all__ = ["LEVELS", "Level", "level_numbered", "level_of_text"]


@dataclass(frozen=True, slots=True)
class Level:
    """One level.

    Attributes:
        number: 1 to 10; more is stronger.
        name: One word.
        description: One sentence.
        iterations: Search iterations for each decision.
        overlooks: Probability of each legal move to go unnoticed, 0 to 1.
        elo: Measured Elo difference to level 1, base game.
    """

    number: int
    name: str
    description: str
    iterations: int
    overlooks: float
    elo: int

    @property
    def limits(self) -> Limits:
        """What ends a search at this level."""
        return Limits(iterations=self.iterations)

    def granted(self, asked: Limits) -> Limits:
        """The limits of this level, where nothing else is asked for.

        Raises:
            InvalidSearchError: If ``asked`` sets iterations, time or several threads.
        """
        for name in ("iterations", "time_seconds", "threads"):
            if getattr(asked, name) != getattr(Limits(), name):
                raise InvalidSearchError(
                    f"limits.{name}", f"{self.title} determines the search; leave this out"
                )
        return self.limits

    @property
    def config(self) -> SearchConfig:
        """The constants of a search at this level; who overlooks moves solves no endings.

        Those levels play as they do at a ``Table``, by most visits.
        """
        whole = self.overlooks == 0
        return SearchConfig(overlooks=self.overlooks, endgame=whole, overtaking=whole)

    @property
    def title(self) -> str:
        """Number and name, as errors tell them: ``"level 5 (Moonlight)"``."""
        return f"level {self.number} ({self.name})"


LEVELS = (
    Level(1, "Spark", "The very first game: plays what it happens to look at.", 100, 0.995, 0),
    Level(2, "Candle", "Knows the rules; mostly sees one move, and plays it.", 100, 0.896, 61),
    Level(3, "Firefly", "Lights up now and then: sees one move, or two.", 100, 0.775, 123),
    Level(4, "Lantern", "Sees about half of the moves, and sometimes only one.", 100, 0.637, 184),
    Level(5, "Moonlight", "Sees two moves in three, and plays well what it sees.", 100, 0.485, 249),
    Level(6, "Dawn", "A good player with gaps: misses one move in four.", 100, 0.316, 310),
    Level(7, "Sunrise", "A good player who misses one move in ten.", 100, 0.129, 369),
    Level(8, "Daylight", "Misses hardly anything.", 170, 0.028, 431),
    Level(9, "Noon", "An expert who looks further.", 800, 0.01, 494),
    Level(10, "Solstice", "Misses nothing, thinks longest, and solves endings.", 100_000, 0.0, 562),
)
"""All levels, weakest first."""


def level_numbered(number: int) -> Level:
    """The level of a number.

    Raises:
        InvalidSearchError: If there is none; names ``level``.
    """
    for level in LEVELS:
        if is_whole(number) and level.number == number:
            return level
    raise InvalidSearchError("level", f"there is no level {number!r}; 1 to {len(LEVELS)}")


def level_of_text(text: str) -> Level:
    """The level of a number or a name, ``"5"`` or ``"moonlight"``.

    Raises:
        InvalidSearchError: If there is none; names ``level``.
    """
    for level in LEVELS:
        if text.lower() in (str(level.number), level.name.lower()):
            return level
    names = ", ".join(level.name for level in LEVELS)
    raise InvalidSearchError(
        "level", f"there is no level {text!r}; 1 to {len(LEVELS)}, or one of {names}"
    )
