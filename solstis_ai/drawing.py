"""Draws positions and answers as text for a terminal; plain where there is none.

A panorama is drawn as the mountain it is, the top row first. Between the rows stand the
squares: ``(1)`` for the first spirit of the legend below, ``*`` for a firefly, each in the
middle of its four cells.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from solstis_ai.observation import EvilSpiritPlace, Observation, Panorama, QueueTile, Turn
from solstis_ai.search.types import Analysis, MoveStatistics
from solstis_ai.vocabulary import CELLS, ROW_LETTERS, Phase

__all__ = ["draw_analysis", "draw_panorama", "draw_position"]

_STYLES = {"r": "red", "o": "orange3", "g": "green", "b": "blue", "k": "hot_pink", "p": "purple"}
_COLUMNS = range(1, 11)
_WIDTH = 5
_EMPTY, _RAINBOW, _EVIL = ".", "~~", "!!"
_MANY_ALTERNATIVES = 12

_DUE = {
    Phase.PLAY: "play a tile of the hand",
    Phase.CAPTURE: "capture a tile of the queue",
    Phase.RAINBOW: "place a rainbow",
    Phase.MEET: "meet a spirit: draw, or take one of the line",
    Phase.MEET_DRAWN: "meet a drawn spirit",
    Phase.ADD: "add a tile",
    Phase.TAKE: "take an isolated tile",
    Phase.FORCE: "choose the tile that the opponent must play",
    Phase.EVIL: "place the evil spirit",
    Phase.COVER: "cover a spirit of the opponent",
    Phase.FINAL_RAINBOW: "place a rainbow displaced at the end",
    Phase.OVER: "nothing; the game is over",
}

_EVIL_PLACES = {
    EvilSpiritPlace.HIDDEN: "",
    EvilSpiritPlace.DRAWN: "just drawn",
    EvilSpiritPlace.YOU: "with you",
    EvilSpiritPlace.OPPONENT: "with the opponent",
    EvilSpiritPlace.OUT: "out of the game",
}


def draw_position(observation: Observation) -> Text:
    """Both panoramas, the common display, the hand and what is due."""
    rules = "with fireflies" if observation.rules.fireflies else "base game"
    if not observation.rules.evil_spirit:
        rules = "without the evil spirit"
    return Text("\n").join(
        (
            Text(f"OPPONENT  ({rules})", style="bold"),
            draw_panorama(observation.opponent),
            Text("YOU", style="bold"),
            draw_panorama(observation.you),
            *_facts(observation),
            Text(f"To do: {_DUE[observation.phase]}", style="bold"),
            Text(),
        )
    )


def draw_panorama(panorama: Panorama) -> Text:
    """The six rows of a panorama, with what lies on its squares, and the legend."""
    marks = _marks(panorama)
    lines = []
    for row in reversed(range(len(ROW_LETTERS))):
        lines.append(_row(panorama, ROW_LETTERS[row]))
        if row and (between := _between(marks, ROW_LETTERS[row - 1])):
            lines.append(between)
    lines.append(Text(_legend(panorama)))
    return Text("\n").join(lines)


def draw_analysis(analysis: Analysis) -> Group:
    """The recommended move, the table of alternatives and the reasons."""
    rest = ", then ".join(str(move) for move in analysis.line[1:])
    headline = Text.assemble(
        "Move: ", (str(analysis.move), "bold"), f", then {rest}" if rest else ""
    )
    return Group(
        headline,
        Text(_outlook(analysis)),
        _alternatives(analysis.alternatives),
        *(Text(f"- {reason}") for reason in analysis.reasons),
        Text(_effort(analysis), style="dim"),
    )


def _row(panorama: Panorama, letter: str) -> Text:
    row = Text()
    for column in _COLUMNS:
        cell = f"{letter}{column}"
        row.append_text(_cell(panorama, cell) if cell in CELLS else Text(" " * _WIDTH))
    row.rstrip()
    return row


def _cell(panorama: Panorama, cell: str) -> Text:
    if cell in panorama.tiles:
        return _padded(cell, _STYLES[cell[0]])
    if cell in panorama.rainbows:
        return _padded(_RAINBOW, "bright_white")
    if cell == panorama.evil_spirit_cell:
        return _padded(_EVIL, "bright_red")
    return _padded(_EMPTY, "dim")


def _padded(word: str, style: str) -> Text:
    return Text.assemble((word, style), " " * (_WIDTH - len(word)))


def _marks(panorama: Panorama) -> dict[str, str]:
    """What lies on each square that carries something."""
    fireflies = dict.fromkeys(panorama.firefly_squares, " * ")
    spirits = {met.square: f"({n})" for n, met in enumerate(panorama.spirits, start=1)}
    return fireflies | spirits


def _between(marks: dict[str, str], lower_row: str) -> Text:
    """The line above ``lower_row``, with the marks of the squares that it begins."""
    columns = (marks.get(f"{lower_row}{column}", "") for column in _COLUMNS)
    return Text("".join(f"  {mark:<3}" for mark in columns).rstrip())


def _legend(panorama: Panorama) -> str:
    """What the marks mean."""
    spirits = [
        f"({n}) {met.spirit} on {met.square}{', covered' if met.covered else ''}"
        for n, met in enumerate(panorama.spirits, start=1)
    ]
    fireflies = [f"* firefly on {square}" for square in panorama.firefly_squares]
    rainbows = [f"{_RAINBOW} rainbow"] if panorama.rainbows else []
    evil = [f"{_EVIL} evil spirit"] if panorama.evil_spirit_cell else []
    return "  ".join(spirits + fireflies + rainbows + evil)


def _facts(observation: Observation) -> Iterable[Text]:
    for name, words in _named_facts(observation):
        if words:
            yield Text(f"{name:<10}{words}")


def _named_facts(observation: Observation) -> Iterable[tuple[str, str]]:
    yield "Queue", "  ".join(_queue_tile(entry) for entry in observation.queue)
    yield "Hand", "  ".join(observation.your_hand)
    yield "Unseen", _unseen(observation)
    yield "Known", _listed("the opponent has", observation.opponent_known_tiles)
    yield "Excluded", _listed("the opponent has none of", observation.opponent_excluded_tiles)
    yield "Line", "  ".join(observation.spirit_line)
    yield "Evil", _EVIL_PLACES[observation.evil_spirit]
    yield "Out", "  ".join(observation.discarded_tiles)
    yield "Turn", "; ".join(_pending(observation.turn))


def _queue_tile(entry: QueueTile) -> str:
    return f"{entry.tile}{'+' if entry.covers else ''}"


def _unseen(observation: Observation) -> str:
    covered = sum(entry.covers for entry in observation.queue)
    return (
        f"{observation.deck_size} in the deck, {observation.opponent_hand_size} in the other hand, "
        f"{covered} under the queue (+), {observation.spirit_deck_size} spirits"
    )


def _listed(words: str, codes: tuple[str, ...]) -> str:
    return f"{words} {' '.join(codes)}" if codes else ""


def _pending(turn: Turn) -> Iterable[str]:
    happened = (
        (turn.played_tile, f"played {turn.played_tile}"),
        (turn.drawn_tile, f"drew {turn.drawn_tile}"),
        (turn.rainbows_to_place, f"rainbows to place: {turn.rainbows_to_place}"),
        (turn.drawn_spirits, f"drew {' and '.join(turn.drawn_spirits)}"),
        (turn.met_spirit, f"met {turn.met_spirit}"),
        (turn.forced_tile, f"{turn.forced_tile} is forced"),
        (turn.extra_turn, "another turn follows"),
        (turn.opponent_passed, "the opponent has passed"),
    )
    return (words for value, words in happened if value)


def _outlook(analysis: Analysis) -> str:
    exact = ", exact" if analysis.solved else ""
    return (
        f"Wins {analysis.win_probability:.1%}, expected stars {analysis.expected_stars:.1f} "
        f"to {analysis.opponent_expected_stars:.1f}{exact}"
    )


def _alternatives(alternatives: tuple[MoveStatistics, ...]) -> Table:
    table = Table(box=box.SIMPLE, show_edge=False)
    table.add_column("Move")
    for name in ("Visits", "Available", "Wins", "+-"):
        table.add_column(name, justify="right")
    for entry in alternatives[:_MANY_ALTERNATIVES]:
        table.add_row(
            str(entry.move),
            f"{entry.visits:,}",
            f"{entry.available:,}",
            f"{entry.win_probability:.1%}",
            f"{entry.standard_error:.1%}",
        )
    if len(alternatives) > _MANY_ALTERNATIVES:
        table.add_row(f"... and {len(alternatives) - _MANY_ALTERNATIVES} more")
    return table


def _effort(analysis: Analysis) -> str:
    truncated = ", ended early" if analysis.truncated else ""
    return (
        f"{analysis.iterations:,} iterations in {analysis.elapsed_seconds:.2f} s"
        f"{truncated}, seed {analysis.seed}"
    )
