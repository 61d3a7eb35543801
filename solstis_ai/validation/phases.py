"""What each phase needs, so that there is a legal decision (rules R7-R23, section 10)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from solstis_ai.observation import EvilSpiritPlace, Observation, Panorama
from solstis_ai.validation.codes import indexed, refuse
from solstis_ai.validation.geometry import allowed_cells, isolated, matches, new_squares
from solstis_ai.vocabulary import RED_SPIRIT, Phase

__all__ = ["check_knowledge", "check_phase"]


def check_knowledge(observation: Observation) -> None:
    """Only your fox shows you tiles (R17)."""
    if observation.opponent_known_tiles and not _has(observation.you, "fox"):
        refuse("opponent_known_tiles", "must be empty, you have not met the fox (R17)")


def check_phase(observation: Observation) -> None:
    """The phase is possible, and at least one decision is legal."""
    _CHECKS[observation.phase](observation)


def _check_play(observation: Observation) -> None:
    """A tile, or else a pass, is legal (R7, R20); the opponent's fox may force one (R17, R22)."""
    if not observation.turn.forced_tile:
        return
    if observation.turn.forced_tile not in observation.your_hand:
        refuse("turn.forced_tile", "is not in your hand")
    if not _has(observation.opponent, "fox"):
        refuse("turn.forced_tile", "must be empty, the opponent has not met the fox (R17)")
    if observation.turn.opponent_passed:
        refuse("turn.forced_tile", "must be empty, the opponent passed and met no fox")


def _check_capture(observation: Observation) -> None:
    """The active tile matches a face-up queue tile (R8, R9)."""
    turn = observation.turn
    queue = [place.tile for place in observation.queue]
    if turn.drawn_tile:
        _check_second_chance(observation, queue)
    active = "drawn_tile" if turn.drawn_tile else "played_tile"
    tile = turn.drawn_tile or turn.played_tile
    if not _matching(tile, queue):
        refuse(f"turn.{active}", f"{tile} matches no face-up queue tile, it cannot capture (R7)")


def _check_second_chance(observation: Observation, queue: list[str]) -> None:
    """The played tile matched nothing and lies in the queue, with nothing under it (R9)."""
    played = observation.turn.played_tile
    if played not in queue:
        refuse("turn.played_tile", f"{played} must be in the queue, a second tile is drawn (R9)")
    index = queue.index(played)
    if observation.queue[index].covers:
        refuse(f"queue[{index}].covers", f"nothing lies under {played}, just played (R9)")
    others = _matching(played, [tile for tile in queue if tile != played])
    if others:
        refuse("turn.drawn_tile", f"must be empty, {played} itself can capture {others[0]} (R8)")


def _check_rainbow(observation: Observation) -> None:
    """There is an allowed cell (R13)."""
    if not allowed_cells(observation.you):
        refuse("turn.rainbows_to_place", "must be 0, no cell of your panorama is allowed (R13)")


def _check_new_square(observation: Observation) -> None:
    if not new_squares(observation.you, observation.turn.filled_cells):
        refuse("turn.filled_cells", "complete no new square, so no spirit is met (R14)")


def _check_meet(observation: Observation) -> None:
    """There are a new square and a spirit to meet (R14)."""
    _check_new_square(observation)
    if not observation.spirit_deck_size and not observation.spirit_line:
        refuse("spirit_line", "has no spirit to meet, and the spirit deck is empty (R14)")


def _check_meet_drawn(observation: Observation) -> None:
    """A drawn spirit, or one of the line if the evil spirit came alone, can be met (R14, R15)."""
    _check_new_square(observation)
    alone = set(observation.turn.drawn_spirits) == {RED_SPIRIT}
    if alone and not observation.spirit_line:
        refuse("spirit_line", "has no spirit to meet, and the evil spirit came alone (R15)")


def _check_add(observation: Observation) -> None:
    """There is a tile to add (R17 deer, beetle)."""
    if observation.turn.met_spirit == "deer" and not observation.your_hand:
        refuse("your_hand", "has no tile that the deer could add (R17)")
    if observation.turn.met_spirit == "beetle" and not observation.queue:
        refuse("queue", "has no tile that the beetle could add (R17)")


def _check_take(observation: Observation) -> None:
    """There is an isolated land tile to take (R17 viper)."""
    if not isolated(observation.opponent.tiles, observation.opponent):
        refuse("opponent.tiles", "none is isolated, the viper has nothing to take (R17)")


def _check_force(observation: Observation) -> None:
    """The opponent's hand is shown and not empty (R17 fox)."""
    if not observation.opponent_hand_size:
        refuse("opponent_hand_size", "is 0, the fox has no tile to force (R17)")
    _check_shown(observation)


def _check_shown(observation: Observation) -> None:
    known, size = len(observation.opponent_known_tiles), observation.opponent_hand_size
    if known != size:
        refuse("opponent_known_tiles", f"are {known}; the fox has shown all {size} (R17)")


def _check_evil(observation: Observation) -> None:
    """The evil spirit goes to an allowed cell of the other panorama (R26)."""
    if not observation.rules.fireflies:
        refuse("phase", "evil is a phase of the expansion only (R26)")
    if observation.evil_spirit not in (EvilSpiritPlace.DRAWN, EvilSpiritPlace.YOU):
        refuse("evil_spirit", "must be drawn or you: it is to be placed (R26)")
    if not allowed_cells(observation.opponent):
        refuse("opponent", "has no cell where the evil spirit may be placed (R26)")
    _check_evil_after_meeting(observation)
    _check_fireflies_given(observation)
    _check_promises(observation)


def _check_evil_after_meeting(observation: Observation) -> None:
    """A spirit was met this turn, unless a newly drawn evil spirit was the last of the deck."""
    drawn_alone = observation.evil_spirit == EvilSpiritPlace.DRAWN
    drawn_alone = drawn_alone and not observation.spirit_deck_size
    if not observation.turn.met_spirit and not drawn_alone:
        refuse("turn.met_spirit", "is missing; the evil spirit moves after a meeting (R26)")


def _check_fireflies_given(observation: Observation) -> None:
    """After a meeting every other new square has its firefly before the phase (R25, R26)."""
    turn = observation.turn
    bare = new_squares(observation.you, turn.filled_cells) if turn.met_spirit else frozenset()
    if bare:
        refuse("you.firefly_squares", f"must contain the new square {min(bare)} (R25)")


def _check_promises(observation: Observation) -> None:
    """What the spirit met this turn leaves for later: another turn, a forced tile (R17)."""
    turn = observation.turn
    if turn.extra_turn != (turn.met_spirit == "groundhog"):
        refuse("turn.extra_turn", "must be true exactly if the groundhog was met this turn (R17)")
    if turn.met_spirit == "fox":
        _check_forced_by_you(observation)
    elif turn.forced_tile:
        refuse("turn.forced_tile", "must be empty, the fox was not met this turn (R17)")


def _check_forced_by_you(observation: Observation) -> None:
    _check_shown(observation)
    forced, known = observation.turn.forced_tile, observation.opponent_known_tiles
    if forced not in (known or ("",)):
        refuse("turn.forced_tile", "must be one of opponent_known_tiles: the fox forces one (R17)")


def _check_cover(observation: Observation) -> None:
    """The opponent holds the evil spirit of the base game and has a spirit (R23a)."""
    if observation.rules.fireflies:
        refuse("phase", "cover is a phase of the base game only (R26)")
    if observation.evil_spirit != EvilSpiritPlace.OPPONENT:
        refuse("evil_spirit", "must be opponent: its holder's spirit is covered (R23a)")
    if not observation.opponent.spirits:
        refuse("opponent.spirits", "must not be empty: one is to be covered (R23a)")
    _check_both_had_to_pass(observation)


def _check_both_had_to_pass(observation: Observation) -> None:
    """Both passed on this queue, which the base game allows only without a match (R20, R21)."""
    queue = [place.tile for place in observation.queue]
    for field, tile in indexed("your_hand", observation.your_hand):
        if matching := _matching(tile, queue):
            refuse(field, f"{tile} can capture {matching[0]}, so the game goes on (R20)")


def _check_final_rainbow(observation: Observation) -> None:
    """Your squirrel acts, and there is an allowed cell (R23b)."""
    if not _has(observation.you, "squirrel"):
        refuse("you.spirits", "have no uncovered squirrel, whose last act this phase is (R23b)")
    if observation.turn.rainbows_to_place > len(observation.you.tiles):
        refuse("turn.rainbows_to_place", "each was displaced by a tile, there are fewer (R12)")
    _check_rainbow(observation)


def _has(panorama: Panorama, name: str) -> bool:
    """Whether the uncovered spirit ``name`` is on the panorama."""
    return any(spirit.spirit == name and not spirit.covered for spirit in panorama.spirits)


def _matching(tile: str, others: Iterable[str]) -> list[str]:
    """Those of ``others`` that the tile matches (R7)."""
    return [other for other in others if matches(tile, other)]


_CHECKS: dict[Phase, Callable[[Observation], None]] = {
    Phase.PLAY: _check_play,
    Phase.CAPTURE: _check_capture,
    Phase.RAINBOW: _check_rainbow,
    Phase.MEET: _check_meet,
    Phase.MEET_DRAWN: _check_meet_drawn,
    Phase.ADD: _check_add,
    Phase.TAKE: _check_take,
    Phase.FORCE: _check_force,
    Phase.EVIL: _check_evil,
    Phase.COVER: _check_cover,
    Phase.FINAL_RAINBOW: _check_final_rainbow,
}
