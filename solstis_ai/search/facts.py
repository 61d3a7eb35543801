"""What a move does on the board, in plain sentences: facts that the seat can see."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from solstis_ai.observation import Observation, Panorama
from solstis_ai.search.effects import (
    FOURTH_FIREFLY,
    counted,
    evil_moves,
    fireflies_after,
    listed,
    meeting_facts,
    noun,
    series,
    sure_to_meet,
    wins_at_once,
)
from solstis_ai.search.panoramas import (
    areas,
    fire_icons,
    fires,
    full_squares,
    largest_area,
    lit_fireflies,
    lit_icons,
    locked,
    matches,
    with_tiles,
    worth,
)
from solstis_ai.validation.geometry import SQUARE_CELLS, filled_cells, new_squares
from solstis_ai.vocabulary import CELLS, Move, MoveKind, Phase

__all__ = ["board_facts"]


def board_facts(observation: Observation, line: Sequence[Move]) -> Iterator[str]:
    """What the first move of ``line`` does, and the capture that follows a play."""
    move = line[0]
    yield from _FACTS[move.kind](observation, move, line)


# ---- one function for each kind of move --------------------------------------------------


def _play(observation: Observation, move: Move, line: Sequence[Move]) -> Iterator[str]:
    tile = move.target
    if observation.turn.forced_tile == tile:
        yield "The fox has forced this tile."
    matched = matches(tile, [place.tile for place in observation.queue])
    if not matched:
        yield f"{tile} matches nothing in the queue and leads to a second chance."
        return
    yield f"{tile} can capture {listed(matched)}."
    if len(line) > 1 and line[1].kind is MoveKind.CAPTURE:
        yield from _captured(observation, line[1].target, tile)


def _capture(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    turn = observation.turn
    yield from _captured(observation, move.target, turn.drawn_tile or turn.played_tile)


def _captured(observation: Observation, tile: str, by: str) -> Iterator[str]:
    yield from _placed(observation, [tile, by])
    yield from _out_of_queue(observation, tile)


def _out_of_queue(observation: Observation, tile: str) -> Iterator[str]:
    yield from _denied(observation, tile)
    if any(place.covers for place in observation.queue if place.tile == tile):
        yield f"A face-down tile under {tile} is turned up."


def _rainbow(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    own = observation.you
    after = replace(own, rainbows=(*own.rainbows, move.target))
    yield from _changes(observation, after, [move.target])


def _draw(observation: Observation, _move: Move, _line: Sequence[Move]) -> Iterator[str]:
    if observation.spirit_line and sure_to_meet(replace(observation, spirit_line=())):
        yield f"It leaves {series(observation.spirit_line)} in the line."
    if wins_at_once(observation, observation.you, []):
        yield FOURTH_FIREFLY


def _meet(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    yield from meeting_facts(observation, move)


def _add(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    yield from _placed(observation, [move.target])
    if move.target not in observation.your_hand:
        yield from _out_of_queue(observation, move.target)


def _take(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    yield f"The opponent loses {move.target}."
    yield from _placed(observation, [move.target])


def _force(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    if wins_at_once(observation, observation.you, []):
        yield FOURTH_FIREFLY
        return
    matched = matches(move.target, [place.tile for place in observation.queue])
    if matched:
        yield f"As the queue is, the opponent can capture {listed(matched)} with {move.target}."
    else:
        passes = "" if _deck_left(observation) else ", so that the opponent has to pass"
        yield f"As the queue is, {move.target} matches nothing{passes}."


def _evil(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    if cell := observation.you.evil_spirit_cell:
        yield f"It leaves {cell} of your panorama."
    yield f"As long as it lies on {move.target}, the opponent can place nothing there."
    before = filled_cells(observation.opponent)
    if squares := full_squares(before | {move.target}) - full_squares(before):
        yield f"It blocks {noun(squares)}."


def _pass(observation: Observation, _move: Move, _line: Sequence[Move]) -> Iterator[str]:
    if forced := observation.turn.forced_tile:
        yield f"{forced} cannot capture."
    elif observation.your_hand:
        yield "No tile of the hand can capture."
    else:
        yield "The hand is empty."
    if observation.turn.opponent_passed:
        yield "The opponent has passed, too, so that the game ends."


def _cover(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    spirit, other = move.target, observation.opponent
    waiting = observation.opponent_hand_size if _owns(other, "squirrel") else 0
    rest = ""
    if waiting and spirit == "squirrel":
        rest = f", and what it places: {counted(waiting, 'tile')} left in the hand"
    elif waiting:
        rest = ", as it is now"
    yield f"The {spirit} is worth {counted(worth(other, spirit), 'star')} to the opponent{rest}."


def _owns(panorama: Panorama, spirit: str) -> bool:
    return any(met.spirit == spirit and not met.covered for met in panorama.spirits)


_FACTS: dict[MoveKind, Callable[[Observation, Move, Sequence[Move]], Iterator[str]]] = {
    MoveKind.PLAY: _play,
    MoveKind.CAPTURE: _capture,
    MoveKind.RAINBOW: _rainbow,
    MoveKind.DRAW: _draw,
    MoveKind.MEET: _meet,
    MoveKind.ADD: _add,
    MoveKind.TAKE: _take,
    MoveKind.FORCE: _force,
    MoveKind.EVIL: _evil,
    MoveKind.PASS: _pass,
    MoveKind.COVER: _cover,
}


# ---- what tiles do in a panorama ---------------------------------------------------------


def _placed(observation: Observation, tiles: Sequence[str]) -> Iterator[str]:
    """What land tiles do in the own panorama (R12, R14, R24)."""
    own = observation.you
    for tile in tiles:
        if tile == own.evil_spirit_cell:
            yield f"{tile} is discarded, since the evil spirit lies on its cell."
        elif tile in locked(own):
            yield f"{tile} is discarded, since a locked rainbow lies on its cell."
        elif tile in own.rainbows:
            yield f"The rainbow on {tile} is placed anew."
    yield from _changes(observation, with_tiles(own, tiles), tiles)


def _changes(observation: Observation, after: Panorama, placed: Sequence[str]) -> Iterator[str]:
    """Squares, fires and area that ``placed`` bring."""
    before = observation.you
    arrived = [cell for cell in placed if cell not in locked(before)]
    yield from _square_facts(observation, after, arrived, alone=len(placed) == 1)
    yield from _fire_facts(before, after)
    if flies := lit_fireflies(after) - lit_fireflies(before):
        yield f"It lights {counted(len(flies), 'firefly', 'fireflies')}."
    yield from _area_facts(before, after)


def _square_facts(
    observation: Observation, after: Panorama, arrived: Sequence[str], *, alone: bool
) -> Iterator[str]:
    """Squares that ``arrived`` complete or make new again, and what they bring (R14, R25)."""
    before, filled = observation.you, observation.turn.filled_cells
    completed = full_squares(filled_cells(after)) - full_squares(filled_cells(before))
    fresh = new_squares(after, {*filled, *arrived}) - new_squares(before, filled)
    if completed:
        makers = [cell for cell in arrived if any(cell in SQUARE_CELLS[it] for it in completed)]
        words = f"{series(makers)} complete{'s' * (len(makers) == 1)}"
        yield f"{'It completes' if alone else words} {noun(completed)}{_use(observation)}."
    if (again := fresh - completed) and _use(observation) == "":
        was, count = ("were", "count") if len(again) > 1 else ("was", "counts")
        yield f"{noun(again).capitalize()} {was} full before and {count} as new again."
    if fresh and observation.phase is not Phase.FINAL_RAINBOW:
        yield from _meeting_ahead(observation, after, arrived)


def _use(observation: Observation) -> str:
    """What is to be added where a completed square brings no spirit."""
    if observation.phase is Phase.FINAL_RAINBOW:
        return ", too late for a spirit"
    if observation.turn.met_spirit:
        return "" if observation.rules.fireflies else ", too late for a spirit"
    return "" if _spirits_left(observation) else ", but no spirit is left"


def _spirits_left(observation: Observation) -> bool:
    return bool(observation.spirit_line or observation.spirit_deck_size)


def _meeting_ahead(
    observation: Observation, after: Panorama, arrived: Collection[str]
) -> Iterator[str]:
    """What new squares bring besides a spirit: fireflies (R25), an evil spirit that leaves."""
    if wins_at_once(observation, after, arrived):
        yield FOURTH_FIREFLY
        return
    ahead = fireflies_after(observation, after, arrived)
    if number := ahead - fireflies_after(observation, observation.you, []):
        spirit = "" if observation.turn.met_spirit else " besides the spirit"
        yield f"That brings {counted(number, 'firefly', 'fireflies')}{spirit}."
    met = observation.turn.met_spirit
    if not met and sure_to_meet(observation) and (where := evil_moves(observation)):
        yield f"With the spirit met there, the evil spirit goes {where}."


def _fire_facts(before: Panorama, after: Panorama) -> Iterator[str]:
    """Fire icons that are new, and those already there that are lit now (R2, R24)."""
    gained = fire_icons(after) - fire_icons(before)
    lit = lit_icons(after) - lit_icons(before)
    if gained:
        bright = len(gained & lit)
        some = "lit" if bright == len(gained) else f"{bright} of them lit"
        yield f"That brings {counted(len(gained), 'fire')}, {some if bright else 'not lit yet'}."
    if older := lit - gained:
        yield f"It lights {counted(len(older), 'fire')} already there."


def _area_facts(before: Panorama, after: Panorama) -> Iterator[str]:
    """How the area that counts changes; rainbows can make a poorer one the largest (R24)."""
    large, small = largest_area(after), largest_area(before)
    if large > small and areas(before):
        yield f"The largest area grows from {small} to {counted(large, 'land tile')}."
    elif large < small:
        yield f"The largest area now has {counted(large, 'land tile')} instead of {small}."


def _denied(observation: Observation, tile: str) -> Iterator[str]:
    """What the opponent cannot do any more, since ``tile`` leaves the queue."""
    if not _could_take(observation, tile):
        return
    other = observation.opponent
    after = with_tiles(other, [tile])
    gains = []
    squares = full_squares(filled_cells(after)) - full_squares(filled_cells(other))
    if squares and _spirits_left(observation):
        gains.append(f"complete {noun(squares)}")
    if gained := fires(after) - fires(other):
        gains.append(f"bring {counted(gained, 'fire')}")
    if gains:
        yield f"The opponent, for whom {tile} would {' and '.join(gains)}, cannot have it."


def _could_take(observation: Observation, tile: str) -> bool:
    """Whether the opponent may have a tile that captures ``tile``, or draw one yet (R20)."""
    if _deck_left(observation):
        return True
    if not observation.opponent_hand_size:
        return False
    return bool(matches(tile, _possible_hand(observation)))


def _deck_left(observation: Observation) -> int:
    """Tiles in the deck when the opponent's turn begins: the own hand is refilled before (R11)."""
    limit = 4 if _owns(observation.you, "bear") else 3
    hand = len(observation.your_hand) - (observation.phase is Phase.PLAY)
    return max(observation.deck_size - max(limit - hand, 0), 0)


def _possible_hand(observation: Observation) -> Collection[str]:
    """Tiles that may be in the other hand."""
    known = observation.opponent_known_tiles
    if len(known) == observation.opponent_hand_size:
        return known
    seen = {
        *observation.your_hand,
        *(place.tile for place in observation.queue),
        *observation.you.tiles,
        *observation.opponent.tiles,
        *observation.discarded_tiles,
        *observation.opponent_excluded_tiles,
        observation.turn.played_tile,
        observation.turn.drawn_tile,
    }
    return set(CELLS) - seen
