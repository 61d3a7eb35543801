"""Observations for tests that need any valid one."""

from __future__ import annotations

from solstis_ai.observation import Observation, Panorama, QueueTile, SpiritOnSquare, Turn
from solstis_ai.vocabulary import Phase, Rules

OPENING = Observation(
    rules=Rules(),
    phase=Phase.PLAY,
    your_hand=("r1", "g5", "k4"),
    opponent_hand_size=3,
    deck_size=30,
    queue=tuple(QueueTile(tile, covers=True) for tile in ("r3", "o5", "g8", "b4", "k6", "p5")),
    you=Panorama(),
    opponent=Panorama(),
    spirit_deck_size=15,
)
"""The first decision of a base game: three plays."""

FORCED = Observation(
    rules=Rules(fireflies=True),
    phase=Phase.PLAY,
    your_hand=("r3", "g5", "k4"),
    opponent_hand_size=3,
    deck_size=26,
    queue=tuple(
        QueueTile(tile, tile in ("o5", "g8")) for tile in ("r4", "o5", "g8", "b4", "k6", "p5")
    ),
    you=Panorama(tiles=("r9", "g2", "b9", "k8")),
    opponent=Panorama(tiles=("r1", "r2", "o1", "o2"), spirits=(SpiritOnSquare("fox", "r1"),)),
    spirit_deck_size=17,
    spirit_line=("bee",),
    turn=Turn(forced_tile="g5"),
)
"""One legal move, because of the fox."""
