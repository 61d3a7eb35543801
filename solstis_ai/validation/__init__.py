"""The checks that an observation passes before the engine sees it.

Everything that a real game can show is accepted; what contradicts the rules or itself, as far
as one seat can tell, is refused. What is accepted is safe for the engine: counts add up and at
least one decision is legal. One module per topic; each relies on the topics before it.
"""

from __future__ import annotations

from solstis_ai.observation import Observation
from solstis_ai.validation.board import check_board
from solstis_ai.validation.codes import check_codes, check_variant
from solstis_ai.validation.hands import check_hands
from solstis_ai.validation.phases import check_knowledge, check_phase
from solstis_ai.validation.spirits import check_spirits
from solstis_ai.validation.tiles import check_tiles
from solstis_ai.validation.turn import (
    check_ending,
    check_filled_cells,
    check_met_spirit,
    check_turn_fields,
)
from solstis_ai.validation.types import check_types

__all__ = ["validate"]

_CHECKS = (
    check_types,
    check_variant,
    check_codes,
    check_turn_fields,
    check_ending,
    check_board,
    check_hands,
    check_tiles,
    check_spirits,
    check_met_spirit,
    check_filled_cells,
    check_knowledge,
    check_phase,
)


def validate(observation: Observation) -> None:
    """Refuse an observation that no game can produce.

    Raises:
        InvalidObservationError: At the first contradiction. ``field`` is the path of the value
            that is wrong, such as ``observation.you.spirits[0].square``; ``reason`` says what
            is wrong and what would be right.
    """
    for check in _CHECKS:
        check(observation)
