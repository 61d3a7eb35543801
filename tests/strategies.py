"""Hypothesis strategies for well-formed values: right words and numbers, any combination."""

from __future__ import annotations

from hypothesis import strategies as st

from solstis_ai.notation import ChanceEvent, ChanceKind
from solstis_ai.observation import (
    EvilSpiritPlace,
    Observation,
    Panorama,
    QueueTile,
    SpiritOnSquare,
    Turn,
)
from solstis_ai.position import EvilSpiritSeat, Position
from solstis_ai.vocabulary import CELLS, SPIRITS, SQUARES, Move, MoveKind, Phase, Rules

cells = st.sampled_from(CELLS)
squares = st.sampled_from(SQUARES)
spirits = st.sampled_from(SPIRITS)
numbers = st.integers(0, 48)


def board_ordered(
    codes: st.SearchStrategy[str], order: tuple[str, ...]
) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(codes, max_size=6).map(lambda found: tuple(sorted(found, key=order.index)))


cell_lists = board_ordered(cells, CELLS)
square_lists = board_ordered(squares, SQUARES)
spirit_lists = board_ordered(spirits, SPIRITS)


def queue_order(place: QueueTile) -> tuple[int, bool]:
    return CELLS.index(place.tile), place.covers


def met_order(met: SpiritOnSquare) -> tuple[int, int, bool]:
    return SPIRITS.index(met.spirit), SQUARES.index(met.square), met.covered


rules = st.builds(Rules, fireflies=st.booleans(), evil_spirit=st.booleans())

queues = st.lists(st.builds(QueueTile, cells, st.booleans()), max_size=8).map(
    lambda found: tuple(sorted(found, key=queue_order))
)

panoramas = st.builds(
    Panorama,
    tiles=cell_lists,
    rainbows=cell_lists,
    spirits=st.lists(st.builds(SpiritOnSquare, spirits, squares, st.booleans()), max_size=4).map(
        lambda found: tuple(sorted(found, key=met_order))
    ),
    firefly_squares=square_lists,
    evil_spirit_cell=st.just("") | cells,
)

turns = st.builds(
    Turn,
    played_tile=st.just("") | cells,
    drawn_tile=st.just("") | cells,
    rainbows_to_place=numbers,
    filled_cells=cell_lists,
    drawn_spirits=spirit_lists,
    met_spirit=st.just("") | spirits,
    extra_turn=st.booleans(),
    forced_tile=st.just("") | cells,
    opponent_passed=st.booleans(),
)

observations = st.builds(
    Observation,
    rules=rules,
    phase=st.sampled_from([phase for phase in Phase if phase is not Phase.OVER]),
    your_hand=cell_lists,
    opponent_hand_size=numbers,
    opponent_known_tiles=cell_lists,
    opponent_excluded_tiles=cell_lists,
    deck_size=numbers,
    queue=queues,
    you=panoramas,
    opponent=panoramas,
    discarded_tiles=cell_lists,
    spirit_line=spirit_lists,
    spirit_deck_size=numbers,
    evil_spirit=st.sampled_from(EvilSpiritPlace),
    turn=turns,
)

positions = st.builds(
    Position,
    rules=rules,
    phase=st.sampled_from(Phase),
    player=st.integers(0, 1),
    hands=st.tuples(cell_lists, cell_lists),
    known=st.tuples(cell_lists, cell_lists),
    excluded=st.tuples(cell_lists, cell_lists),
    deck_size=numbers,
    queue=queues,
    panoramas=st.tuples(panoramas, panoramas),
    discarded_tiles=cell_lists,
    spirit_line=spirit_lists,
    spirit_deck_size=numbers,
    evil_spirit=st.sampled_from(EvilSpiritSeat),
    turn=turns,
)

chance_events = st.builds(
    ChanceEvent, st.sampled_from([ChanceKind.DECK, ChanceKind.FLIP, ChanceKind.STEAL]), cells
) | st.builds(ChanceEvent, st.just(ChanceKind.SPIRIT), spirits)

_TILE_MOVES = [
    kind
    for kind in MoveKind
    if kind not in (MoveKind.DRAW, MoveKind.PASS, MoveKind.MEET, MoveKind.COVER)
]

moves = (
    st.builds(Move, st.sampled_from(_TILE_MOVES), cells)
    | st.builds(Move, st.sampled_from([MoveKind.DRAW, MoveKind.PASS]))
    | st.builds(Move, st.just(MoveKind.COVER), spirits)
    | st.builds(Move, st.just(MoveKind.MEET), spirits, squares)
)
