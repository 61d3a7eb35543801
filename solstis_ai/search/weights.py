"""The networks that come with the package, one for each kind of game.

Each file holds the arrays of an ``Evaluator`` by name; ``training/`` makes them.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np

from solstis_ai.search.evaluator import Evaluator
from solstis_ai.vocabulary import Rules

__all__ = ["evaluator_for", "read_evaluator", "warm_up"]

_ARRAYS = ("rows", "bias", "output", "output_bias", "cell", "capture", "spirit")


def evaluator_for(rules: Rules) -> Evaluator:
    """The evaluator for games of these rules; the beginner's game shares that of the base game."""
    return _packaged("fireflies" if rules.fireflies else "base")


def warm_up() -> None:
    """Read all networks now, so that no search has to wait the milliseconds that it takes."""
    for fireflies in (False, True):
        evaluator_for(Rules(fireflies=fireflies))


@cache
def _packaged(name: str) -> Evaluator:
    with resources.as_file(resources.files(__package__) / f"network_{name}.npz") as path:
        return read_evaluator(path)


def read_evaluator(path: Path) -> Evaluator:
    """The evaluator of a file.

    Raises:
        OSError: If the file cannot be read.
        KeyError: If an array is missing.
        ValueError: If an array has another shape or type.
    """
    with np.load(path) as file:
        return Evaluator(*(file[name] for name in _ARRAYS))
