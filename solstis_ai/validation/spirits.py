"""Where the spirits are: each in one place, the rest in the deck (rules R4, R14-R16, R26)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from solstis_ai.observation import EvilSpiritPlace, Observation, Panorama
from solstis_ai.validation.codes import Item, indexed, refuse, spirits_on_squares
from solstis_ai.vocabulary import RED_SPIRIT, Phase

__all__ = ["check_spirits"]

_EFFECT_PHASES = (Phase.RAINBOW, Phase.ADD, Phase.TAKE, Phase.FORCE, Phase.EVIL)


def check_spirits(observation: Observation) -> None:
    """Every spirit of the variant is in one place, and the sizes fit."""
    seen = _seen_once(observation)
    _check_evil_never_met(observation)
    _check_evil_place(observation)
    _check_deck(observation, len(seen - {RED_SPIRIT}))
    _check_line(observation)
    _check_drawn(observation)
    _check_covered(observation)


def _met(observation: Observation) -> Iterator[Item]:
    return chain(
        spirits_on_squares("you", observation.you),
        spirits_on_squares("opponent", observation.opponent),
    )


def _seen_once(observation: Observation) -> frozenset[str]:
    seen = chain(
        _met(observation),
        indexed("spirit_line", observation.spirit_line),
        indexed("turn.drawn_spirits", observation.turn.drawn_spirits),
    )
    places: dict[str, str] = {}
    for field, spirit in seen:
        if spirit in places:
            refuse(field, f"spirit {spirit} is also in observation.{places[spirit]}")
        places[spirit] = field
    return frozenset(places)


def _check_evil_never_met(observation: Observation) -> None:
    """The evil spirit is kept or placed on a cell, never met or laid in the line (R15, R26)."""
    line = indexed("spirit_line", observation.spirit_line)
    for field, spirit in chain(_met(observation), line):
        if spirit == RED_SPIRIT:
            refuse(field, "the evil spirit is never met or in the line; say so in evil_spirit")


def _check_evil_place(observation: Observation) -> None:
    place, rules = observation.evil_spirit, observation.rules
    if place != EvilSpiritPlace.HIDDEN and not rules.evil_spirit:
        refuse("evil_spirit", "must be hidden in a game without the evil spirit (R5)")
    if place == EvilSpiritPlace.OUT and not rules.fireflies:
        refuse("evil_spirit", "cannot be out in the base game, where it is kept (R15)")
    drawn = RED_SPIRIT in observation.turn.drawn_spirits
    if drawn and place != EvilSpiritPlace.DRAWN:
        refuse("evil_spirit", "must be drawn, it is among the drawn spirits")
    if place == EvilSpiritPlace.DRAWN and not drawn and not _may_wait(observation):
        refuse("evil_spirit", "cannot be drawn here: it is not among the drawn spirits")
    _check_evil_came_with_another(observation)


def _may_wait(observation: Observation) -> bool:
    """Whether a drawn evil spirit of the expansion may be waiting to be placed (R26).

    It waits until the effect of the spirit met with it is finished. Drawn alone, it may wait
    while the player takes a spirit of the line.
    """
    if not observation.rules.fireflies:
        return False
    if observation.phase == Phase.EVIL:
        return True
    if observation.phase == Phase.MEET:
        return observation.spirit_deck_size == 0
    return observation.phase in _EFFECT_PHASES and observation.turn.met_spirit != ""


def _check_evil_came_with_another(observation: Observation) -> None:
    """Once the evil spirit is kept or placed, a spirit has been met.

    The other one drawn with it, or, as the variants have an odd number of spirits, those drawn
    before it was left alone (R14, R15).
    """
    settled = (EvilSpiritPlace.YOU, EvilSpiritPlace.OPPONENT, EvilSpiritPlace.OUT)
    if observation.evil_spirit in settled and not any(_met(observation)):
        refuse("evil_spirit", f"cannot be {observation.evil_spirit} before any spirit is met (R15)")


def _check_deck(observation: Observation, seen: int) -> None:
    total, size = len(observation.rules.spirits), observation.spirit_deck_size
    evil_seen = observation.evil_spirit != EvilSpiritPlace.HIDDEN
    unseen = total - seen - evil_seen
    if size != unseen:
        refuse("spirit_deck_size", f"is {size}, but {unseen} of the {total} spirits are unseen")
    if size and (total - size) % 2:
        refuse("spirit_deck_size", f"is {size}, but spirits leave the {total} by two (R14)")


def _check_line(observation: Observation) -> None:
    """A spirit comes to the line when the other one drawn with it is met (R14)."""
    met, line = sum(1 for _ in _met(observation)), len(observation.spirit_line)
    if line > met:
        refuse("spirit_line", f"has {line} spirits, at most the {met} met so far (R14)")


def _check_drawn(observation: Observation) -> None:
    """Two are drawn, or the last one alone (R14)."""
    drawn = len(observation.turn.drawn_spirits)
    last = observation.spirit_deck_size == 0 and len(observation.rules.spirits) % 2 == 1
    if drawn and drawn != (1 if last else 2):
        refuse("turn.drawn_spirits", f"are {drawn}, must be {1 if last else 2} (R14)")


def _covered(side: str, panorama: Panorama) -> Iterator[str]:
    for index, spirit in enumerate(panorama.spirits):
        if spirit.covered:
            yield f"{side}.spirits[{index}].covered"


def _check_covered(observation: Observation) -> None:
    """At the end of a base game the holder of the evil spirit has one covered spirit (R23a)."""
    _check_covered_of(observation, "you", observation.you, EvilSpiritPlace.YOU)
    _check_covered_of(observation, "opponent", observation.opponent, EvilSpiritPlace.OPPONENT)


def _check_covered_of(
    observation: Observation, side: str, panorama: Panorama, holds: EvilSpiritPlace
) -> None:
    covered = list(_covered(side, panorama))
    base, final = not observation.rules.fireflies, observation.phase == Phase.FINAL_RAINBOW
    if not (base and final and observation.evil_spirit == holds):
        if covered:
            refuse(covered[0], "only the holder's spirit, at the end of a base game (R23a)")
    elif len(covered) > 1:
        refuse(covered[1], "only one spirit is covered (R23a)")
    elif panorama.spirits and not covered:
        refuse(f"{side}.spirits", "one must be covered, the holder's of the evil spirit (R23a)")
