"""How many tiles the two hands hold (rules R6, R11, R17, R19, R23)."""

from __future__ import annotations

from solstis_ai.observation import Observation, Panorama
from solstis_ai.validation.codes import refuse
from solstis_ai.vocabulary import Phase

__all__ = ["check_hands"]

_BETWEEN_TURNS = (Phase.PLAY, Phase.COVER)
_AFTER_ADDING = (Phase.RAINBOW, Phase.EVIL)


def check_hands(observation: Observation) -> None:
    """Hands are full while the deck has tiles, and never more than full."""
    _check_size(observation, "your_hand", len(observation.your_hand), _your_full_hand(observation))
    opponent_limit = _hand_limit(observation.opponent)
    _check_size(observation, "opponent_hand_size", observation.opponent_hand_size, opponent_limit)


def _hand_limit(panorama: Panorama) -> int:
    """Three, or four for the owner of the bear (R11, R17)."""
    return 4 if any(spirit.spirit == "bear" for spirit in panorama.spirits) else 3


def _your_full_hand(observation: Observation) -> int:
    """Your hand if no refill has failed: one less once a tile is played, or added by the deer."""
    limit = _hand_limit(observation.you)
    if observation.phase in _BETWEEN_TURNS:
        return limit
    if observation.phase == Phase.FINAL_RAINBOW:
        return 0
    added = observation.turn.met_spirit == "deer" and observation.phase in _AFTER_ADDING
    return limit - 1 - added


def _check_size(observation: Observation, field: str, size: int, full: int) -> None:
    if size > full:
        refuse(field, f"{size} tiles, at most {full} are possible in phase {observation.phase}")
    if size < full and observation.deck_size:
        reason = f"{size} tiles, must be {full} as long as the deck is not empty (R11)"
        refuse(field, reason)
