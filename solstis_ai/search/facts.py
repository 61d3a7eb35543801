"""What a move does on the board, in plain sentences: facts that the seat can see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from solstis_ai.observation import Observation, Panorama
from solstis_ai.search.panoramas import (
    areas,
    bonus,
    fires,
    full_squares,
    largest_area,
    lit_fires,
    locked,
    matches,
    with_tiles,
)
from solstis_ai.validation.geometry import filled_cells
from solstis_ai.vocabulary import BLUE_SPIRITS, CELLS, Move, MoveKind

__all__ = ["board_facts", "listed"]

_EFFECTS = {
    "fish": "places a rainbow at once",
    "deer": "places another tile of the hand at once",
    "eagle": "places a random tile of the deck at once",
    "bear": "draws a tile and raises the hand limit to four",
    "fly": "takes a random tile of the opponent's hand",
    "beetle": "takes a tile of the queue",
    "groundhog": "gives another turn",
    "viper": "takes an isolated tile of the opponent's panorama",
    "fox": "shows the opponent's hand and forces a tile",
    "bee": "scores a star for each brown spirit",
    "ladybug": "scores a star for each fire that is not lit",
    "wolf": "scores a star for each area",
    "squirrel": "places what is left of the hand at the end",
    "bird": "scores a star for each other blue spirit",
    "frog": "scores a star for each rainbow",
    "moth": "scores another star for each lit fire",
    "cow": "scores the second largest area",
    "phoenix": "scores another star for each firefly",
}


def board_facts(observation: Observation, line: Sequence[Move]) -> Iterator[str]:
    """What the first move of ``line`` does, and the capture that follows a play."""
    move = line[0]
    yield from _FACTS[move.kind](observation, move, line)


def listed(codes: Sequence[str]) -> str:
    """Codes of cells in board order, as one reads them."""
    return _series(sorted(codes, key=CELLS.index))


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
    yield from _placed(observation.you, [tile, by])
    yield from _denied(observation.opponent, tile)
    if any(place.covers for place in observation.queue if place.tile == tile):
        yield f"A face-down tile under {tile} is turned up."


def _rainbow(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    after = Panorama(tiles=observation.you.tiles, rainbows=(*observation.you.rainbows, move.target))
    yield from _changes(observation.you, after, [move.target])


def _draw(observation: Observation, _move: Move, _line: Sequence[Move]) -> Iterator[str]:
    if observation.spirit_line:
        yield f"It leaves {_series(observation.spirit_line)} in the line."


def _meet(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    spirit = move.target
    so_far = ""
    if spirit in BLUE_SPIRITS and spirit != "squirrel":
        so_far = f": {bonus(observation.you, spirit)} as it is now"
    yield f"The {spirit} {_EFFECTS[spirit]}{so_far}."


def _add(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    yield from _placed(observation.you, [move.target])
    if move.target not in observation.your_hand:
        yield from _denied(observation.opponent, move.target)


def _take(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    yield f"The opponent loses {move.target}."
    yield from _placed(observation.you, [move.target])


def _force(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    matched = matches(move.target, [place.tile for place in observation.queue])
    if matched:
        yield f"As the queue is, the opponent can capture {listed(matched)} with {move.target}."
    else:
        yield f"As the queue is, {move.target} matches nothing."


def _evil(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    yield f"Nothing can be placed on {move.target} of the opponent."
    before = filled_cells(observation.opponent)
    if squares := full_squares(before | {move.target}) - full_squares(before):
        yield f"It blocks {_noun(squares)}."


def _pass(observation: Observation, _move: Move, _line: Sequence[Move]) -> Iterator[str]:
    forced = observation.turn.forced_tile
    yield f"{forced or 'No tile of the hand'} can{'not' if forced else ''} capture."


def _cover(observation: Observation, move: Move, _line: Sequence[Move]) -> Iterator[str]:
    stars = 1 + bonus(observation.opponent, move.target)
    yield f"The {move.target} is worth {_counted(stars, 'star')} to the opponent."


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


def _placed(own: Panorama, tiles: Sequence[str]) -> Iterator[str]:
    """What land tiles do in the own panorama (R12, R14, R24)."""
    for tile in tiles:
        if tile in locked(own):
            yield f"{tile} is discarded, since its cell is taken for good."
        elif tile in own.rainbows:
            yield f"The rainbow on {tile} is placed anew."
    yield from _changes(own, with_tiles(own, tiles), tiles)


def _changes(before: Panorama, after: Panorama, placed: Sequence[str]) -> Iterator[str]:
    """Squares, fires and area that ``placed`` bring."""
    words = "It completes" if len(placed) == 1 else f"{placed[0]} and {placed[1]} complete"
    if squares := full_squares(filled_cells(after)) - full_squares(filled_cells(before)):
        yield f"{words} {_noun(squares)}."
    yield from _fire_facts(fires(after) - fires(before), lit_fires(after) - lit_fires(before))
    if (large := largest_area(after)) > (small := largest_area(before)) and areas(before):
        yield f"The largest area grows from {small} to {large} land tiles."


def _fire_facts(gained: int, lit: int) -> Iterator[str]:
    if gained:
        light = "not lit yet" if lit <= 0 else "lit" if lit >= gained else f"{lit} of them lit"
        yield f"That brings {_counted(gained, 'fire')}, {light}."
    if lit > gained:
        yield f"It lights {_counted(lit - gained, 'fire')} already there."


def _denied(other: Panorama, tile: str) -> Iterator[str]:
    """What the opponent cannot do any more, since ``tile`` leaves the queue."""
    after = with_tiles(other, [tile])
    gains = []
    if squares := full_squares(filled_cells(after)) - full_squares(filled_cells(other)):
        gains.append(f"complete {_noun(squares)}")
    if gained := fires(after) - fires(other):
        gains.append(f"bring {_counted(gained, 'fire')}")
    if gains:
        yield f"The opponent, for whom {tile} would {' and '.join(gains)}, cannot have it."


def _series(words: Sequence[str]) -> str:
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _noun(squares: frozenset[str]) -> str:
    return f"the square{'s' * (len(squares) > 1)} {listed(list(squares))}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
