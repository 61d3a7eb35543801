"""The left half of the picture: panoramas, queue, hands, and the recommended move in them."""

from __future__ import annotations

from collections.abc import Iterator

from solstis_ai.marking import Marks
from solstis_ai.observation import EvilSpiritPlace, Observation, Panorama, Turn
from solstis_ai.picture.board import (
    HEIGHT,
    STEP_X,
    STEP_Y,
    TILE_HEIGHT,
    TILE_WIDTH,
    WIDTH,
    add_back,
    add_mark,
    add_panorama,
    add_spirit,
    add_tile,
    cell_at,
    middle_of,
    spirits_at,
    square_at,
    width_of_spirit,
)
from solstis_ai.picture.style import width_of
from solstis_ai.picture.svg import Element, Point, arrow, group, label, rect
from solstis_ai.search.panoramas import matches
from solstis_ai.vocabulary import Phase
from solstis_ai.wording import counted

__all__ = ["add_table"]

_TITLE, _GAP = 24.0, 26.0
_QUEUE_ROW = 74.0
_IN_A_ROW = 10
_FACTS_X = 300.0  # right of a hand of four


class _Table:
    """Where everything lies; everything that a move can take has an entry in ``places``."""

    def __init__(self, root: Element, observation: Observation, marks: Marks, at: Point) -> None:
        self.observation = observation
        self.marks = marks
        self.drawing = group(root, "table")
        self.joins = bool(marks.hand) and not marks.cells and observation.phase is Phase.PLAY
        slots = len(observation.queue) + self.joins
        rows = max(1, -(-slots // _IN_A_ROW))
        self.opponent = at.plus(0, _TITLE)
        self.queue = self.opponent.plus(0, HEIGHT + _GAP + _TITLE)
        self.facts = self.queue.plus(0, rows * _QUEUE_ROW + 6)
        self.hand = self.facts.plus(0, _GAP)
        self.you = self.hand.plus(0, TILE_HEIGHT + _GAP + _TITLE)
        self.bottom = self.you.y + HEIGHT
        self.spirits = dict(_places_of_spirits(observation, self.facts.plus(0, 6)))

    def in_queue(self, number: int) -> Point:
        """The corner of the queue tile with this number, from 0."""
        row, column = divmod(number, _IN_A_ROW)
        return self.queue.plus(STEP_X * column, _QUEUE_ROW * row)

    def in_hand(self, number: int) -> Point:
        """The corner of a tile of the own hand."""
        return self.hand.plus(STEP_X * number + 56, 0)


def add_table(root: Element, at: Point, observation: Observation, marks: Marks) -> Point:
    """Draw what the seat sees, with ``marks``; returns the lower right corner."""
    table = _Table(root, observation, marks, at)
    _add_opponent(table)
    _add_queue(table)
    _add_you(table)
    _add_marks(table)
    _add_arrows(table)
    _add_matches(table)  # words lie over the arrows, which may cross them
    _add_facts(table)
    _add_spirit_marks(table)
    return Point(at.x + WIDTH, table.bottom)


# ---- what lies there ---------------------------------------------------------------------


def _add_opponent(table: _Table) -> None:
    label(table.drawing, table.opponent.plus(0, -10), "Opponent", "title ink")
    add_panorama(table.drawing, table.opponent, table.observation.opponent, "opponent")
    _add_evil(table, table.opponent, EvilSpiritPlace.OPPONENT, table.observation.opponent)
    _add_small_hand(table)


def _add_small_hand(table: _Table) -> None:
    """The other hand in the free corner of the mountain: known tiles, and backs."""
    seen = table.observation
    known = seen.opponent_known_tiles
    hidden = seen.opponent_hand_size - len(known)
    for n, tile in enumerate(known):
        add_tile(table.drawing, _known_at(table, n), tile)
    for n in range(hidden):
        add_back(table.drawing, table.opponent.plus(16.0 * n, len(known) and 46))


def _known_at(table: _Table, number: int) -> Point:
    """Three fit beside the top row, a fourth below them."""
    row, column = divmod(number, 3)
    return table.opponent.plus(STEP_X * column, STEP_Y * row)


def _add_evil(table: _Table, origin: Point, place: EvilSpiritPlace, panorama: Panorama) -> None:
    """The evil spirit before the player who holds it (base game)."""
    if table.observation.evil_spirit is place and not panorama.evil_spirit_cell:
        corner = origin.plus(WIDTH - 96, 0)
        rect(table.drawing, corner, 92, 24, "evil")
        label(table.drawing, corner.plus(46, 17), "evil spirit", "evil-word", "middle")


def _add_queue(table: _Table) -> None:
    label(table.drawing, table.queue.plus(0, -10), "Queue", "title ink")
    hint = "below each tile: what matches it"
    label(table.drawing, table.queue.plus(WIDTH, -10), hint, "small muted", "end")
    for number, entry in enumerate(table.observation.queue):
        corner = table.in_queue(number)
        if entry.covers:
            add_back(table.drawing, corner.plus(3, 5))
        add_tile(table.drawing, corner, entry.tile)


def _add_matches(table: _Table) -> None:
    """Below each tile of the queue, what may capture it now."""
    able = _able(table.observation)
    for number, entry in enumerate(table.observation.queue):
        at = table.in_queue(number).plus(TILE_WIDTH / 2, 58)
        by = " ".join(matches(entry.tile, able))
        label(table.drawing, at, by, "small muted haloed", "middle")


def _able(observation: Observation) -> tuple[str, ...]:
    """Tiles that may capture now."""
    if observation.phase is Phase.PLAY:
        return observation.your_hand
    turn = observation.turn
    return tuple(filter(None, [turn.drawn_tile or turn.played_tile]))


def _add_facts(table: _Table) -> None:
    """Deck, spirits, and what is pending, beside the hand."""
    seen, at = table.observation, table.hand.plus(_FACTS_X, 16)
    deck = counted(seen.deck_size, "tile")
    words = f"{deck} in the deck, {counted(seen.spirit_deck_size, 'spirit')} face down"
    label(table.drawing, at, words, "small muted haloed")
    label(table.drawing, at.plus(0, 18), ", ".join(_pending(seen.turn)), "small muted haloed")
    _add_spirits(table)


def _pending(turn: Turn) -> Iterator[str]:
    if active := turn.drawn_tile or turn.played_tile:
        yield f"{active} captures"
    if turn.rainbows_to_place:
        yield f"rainbows to place: {turn.rainbows_to_place}"
    if turn.forced_tile:
        yield f"{turn.forced_tile} is forced"


def _add_spirits(table: _Table) -> None:
    """Spirits that lie open: the line, or those just drawn."""
    for spirit, middle in table.spirits.items():
        add_spirit(table.drawing, middle, spirit)
    if table.spirits:
        words = _name_of_spirits(table.observation)
        label(table.drawing, table.facts.plus(0, 10), words, "muted haloed")


def _name_of_spirits(observation: Observation) -> str:
    return "Just drawn:" if observation.turn.drawn_spirits else "Line of spirits:"


def _places_of_spirits(observation: Observation, at: Point) -> Iterator[tuple[str, Point]]:
    """The middles of the spirits that lie open, from left to right."""
    x = width_of(_name_of_spirits(observation)) + 6
    for spirit in observation.turn.drawn_spirits or observation.spirit_line:
        half = width_of_spirit(spirit) / 2
        yield spirit, at.plus(x + half, 0)
        x += 2 * half + 8


def _add_you(table: _Table) -> None:
    label(table.drawing, table.you.plus(0, -10), "You", "title ink")
    add_panorama(table.drawing, table.you, table.observation.you, "you")
    _add_evil(table, table.you, EvilSpiritPlace.YOU, table.observation.you)
    label(table.drawing, table.hand.plus(0, 25), "Hand", "title ink")
    for number, tile in enumerate(table.observation.your_hand):
        add_tile(table.drawing, table.in_hand(number), tile)


# ---- the recommended move ----------------------------------------------------------------


def _add_marks(table: _Table) -> None:
    """Outlines around what is taken and filled."""
    marks, drawing = table.marks, table.drawing
    places = [
        (f"hand {marks.hand}", _hand_tile(table)),
        (f"queue {marks.queue}", _queue_tile(table)),
    ]
    places += [(f"cell {cell}", cell_at(table.you, cell)) for cell in marks.cells]
    if marks.opponent_cell:
        what = f"opponent {marks.opponent_cell}"
        places.append((what, cell_at(table.opponent, marks.opponent_cell)))
    places.append((f"known {marks.known}", _known_tile(table)))
    if table.joins:
        places.append(("joins the queue", table.in_queue(len(table.observation.queue))))
    for what, corner in places:
        if corner:
            add_mark(drawing, corner, TILE_WIDTH, TILE_HEIGHT, what)


def _add_spirit_marks(table: _Table) -> None:
    marks = table.marks
    if middle := _spirit(table):
        width = width_of_spirit(marks.spirit)
        corner = middle.plus(-width / 2, -9)
        add_mark(table.drawing, corner, width, 18, f"spirit {marks.spirit}")
    if marks.square:
        corner = square_at(table.you, marks.square).plus(-12, -12)
        add_mark(table.drawing, corner, 24, 24, f"square {marks.square}")


def _add_arrows(table: _Table) -> None:
    """From what is taken to where it goes."""
    marks = table.marks
    if marks.cells:
        for tile, corner in ((marks.hand, _hand_tile(table)), (marks.queue, _queue_tile(table))):
            if corner and tile in marks.cells:
                _arrow(table, middle_of(corner), middle_of(cell_at(table.you, tile)))
    if table.joins and (corner := _hand_tile(table)):
        slot = table.in_queue(len(table.observation.queue))
        _arrow(table, middle_of(corner), middle_of(slot))
    if marks.opponent_cell in marks.cells:
        start = cell_at(table.opponent, marks.opponent_cell)
        _arrow(table, middle_of(start), middle_of(cell_at(table.you, marks.opponent_cell)))
    if marks.square and (middle := _spirit(table)):
        arrow(table.drawing, middle.plus(0, 12), square_at(table.you, marks.square).plus(0, -12))


def _arrow(table: _Table, start: Point, end: Point) -> None:
    """Between the middles of two tiles, from edge to edge."""
    down = 1 if end.y > start.y else -1
    edge = down * (TILE_HEIGHT / 2 + 4)
    arrow(table.drawing, start.plus(0, edge), end.plus(0, -edge))


def _hand_tile(table: _Table) -> Point | None:
    hand = table.observation.your_hand
    return table.in_hand(hand.index(table.marks.hand)) if table.marks.hand in hand else None


def _queue_tile(table: _Table) -> Point | None:
    tiles = [entry.tile for entry in table.observation.queue]
    return table.in_queue(tiles.index(table.marks.queue)) if table.marks.queue in tiles else None


def _known_tile(table: _Table) -> Point | None:
    known = table.observation.opponent_known_tiles
    return _known_at(table, known.index(table.marks.known)) if table.marks.known in known else None


def _spirit(table: _Table) -> Point | None:
    """The middle of the marked spirit: beside the deck, or in the other panorama."""
    for met, middle in spirits_at(table.opponent, table.observation.opponent).items():
        if met.spirit == table.marks.spirit:
            return middle
    return table.spirits.get(table.marks.spirit)
