"""Positions of self-play games on file, and what they are worth as targets of training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from solstis_ai.search.evaluator import FEATURES

Array = np.ndarray[Any, Any]

WORDS = FEATURES // 64
TURN_WORD, DECK_WORD = 36, 37  # see _fast/features.pxd
PLAY_BIT = np.uint64(50)
SQUARE_WORDS = (5, 6, 19, 20, 35)
NUMBER_WORDS = (12, 13, 26, 27, 36, 37, 38, 39)


class Positions(NamedTuple):
    """Positions in the order of their games.

    Attributes:
        words: uint64, shape (n, WORDS): the features as 64-bit sets.
        values: float32, shape (n,): share of points that the search of the position expected.
        results: float32, shape (n,): points of the side that decided, in the end.
        targets: float32, shape (n,): what a network is trained to say.
    """

    words: Array
    values: Array
    results: Array
    targets: Array

    def where(self, chosen: Array) -> Positions:
        """The positions that are chosen."""
        return Positions(*(column[chosen] for column in self))

    @property
    def turn_begins(self) -> Array:
        """Whether each position is the beginning of a turn."""
        found: Array = (self.words[:, TURN_WORD] >> PLAY_BIT & np.uint64(1)).astype(bool)
        return found


def deck_bits(words: Array) -> Array:
    """The size of the deck as one-hot bits."""
    bits: Array = words[:, DECK_WORD] & np.uint64((1 << 49) - 1)
    return bits


def buckets(words: Array) -> Array:
    """The output row of each position: by the size of the deck (search/network.pxd)."""
    sizes: Array = np.log2(deck_bits(words).astype(np.float64)).astype(int)
    return (sizes + 3) // 4


def faded(file: dict[str, Array], fade: float) -> Array:
    """Values mixed with those of later positions of the same game, and its result at last.

    target[t] = (1 - fade) * value[t] + fade * target[t + 1], told from the side of t: the
    lambda return (Sutton 1988), cut where a random decision was taken.
    """
    targets = file["values"].astype(np.float64)
    sides, slipped, deck = file["sides"], file["slipped"], deck_bits(file["features"])
    last = np.append(deck[1:] > deck[:-1], True)  # the deck never grows within a game
    following = 0.0
    for t in range(len(targets) - 1, -1, -1):
        if last[t]:
            following = float(file["results"][t])
        elif sides[t] != sides[t + 1]:
            following = 1 - following
        if not slipped[t]:
            targets[t] = (1 - fade) * targets[t] + fade * following
        following = float(targets[t])
    return targets.astype(np.float32)


def read(path: Path, fade: float) -> Positions:
    """The positions of one file of ``generate.py``."""
    with np.load(path) as archive:
        names = ("features", "values", "results", "sides", "slipped")
        file = {name: archive[name] for name in names}
    return Positions(file["features"], file["values"], file["results"], faded(file, fade))


def read_all(paths: Sequence[Path], fade: float) -> Positions:
    """The positions of several files, one after the other."""
    parts = [read(path, fade) for path in paths]
    return Positions(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def mirrored_features() -> Array:
    """Feature numbers on the mirrored mountain, by feature number (R1, R2 are symmetric)."""
    found = np.arange(FEATURES)
    for word in set(range(WORDS)) - set(NUMBER_WORDS):
        last = 8 if word in SQUARE_WORDS else 9  # a square is named by its left cell
        for row in range(6):
            for column in range(last + 1):
                here, there = 11 * row + column, 11 * row + last - column
                if max(here, there) < 64:
                    found[64 * word + here] = 64 * word + there
    return found


def features_in(words: Array) -> Array:
    """Numbers of all features that are present anywhere, or in a mirror."""
    merged = np.bitwise_or.reduce(words, axis=0)
    seen = np.unpackbits(merged.view(np.uint8), bitorder="little").astype(bool)
    return np.flatnonzero(seen | seen[mirrored_features()])


def unpacked(words: Array, features: Array) -> Array:
    """float32 of shape (n, len(features)): 1 where a feature is present."""
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    return bits[:, features].astype(np.float32)
