"""Draws positions and answers as text for a terminal; plain where there is none.

A panorama is drawn as the mountain it is, the top row first. Between the rows stand the
squares: ``(1)`` for the first spirit of the legend below, ``*`` for a firefly, each in the
middle of its four cells. Brackets, ``[g5]``, are around what the recommended move takes and
where it goes; ``(+)`` is the square that receives a spirit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from solstis_ai.marking import NOTHING, Marks
from solstis_ai.observation import EvilSpiritPlace, Observation, Panorama, QueueTile, Turn
from solstis_ai.search.panoramas import matches
from solstis_ai.search.types import STAR_PARTS, Analysis, MoveStatistics, Outlook, StarsOutlook
from solstis_ai.vocabulary import CELLS, ROW_LETTERS, Phase
from solstis_ai.wording import best_of, counted, was_tried

__all__ = ["draw_analysis", "draw_panorama", "draw_position"]

_CODE = r"\b[rogbkp](?:10|[1-9])\b"
_STYLES = {"r": "red", "o": "orange3", "g": "green", "b": "blue", "k": "hot_pink", "p": "purple"}
_TILE_STYLES = {
    "r": "bright_white on red3",
    "o": "black on orange1",
    "g": "black on green3",
    "b": "bright_white on dodger_blue3",
    "k": "black on hot_pink",
    "p": "bright_white on purple3",
}
_MARK_STYLE = "bold bright_yellow"
_RAINBOW_STYLE = "black on bright_white"
_EVIL_STYLE = "bright_red on grey19"
_COLUMNS = range(1, 11)
_WIDTH = 5
_EMPTY, _RAINBOW, _EVIL = ".", "~~", "!!"
_MANY_ALTERNATIVES = 12
_UNKNOWN = "-"

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


def draw_position(observation: Observation, marks: Marks = NOTHING) -> Text:
    """Both panoramas, the common display, the hand and what is due.

    Args:
        observation: What the seat sees.
        marks: What the recommended move takes, and where it goes.
    """
    rules = "with fireflies" if observation.rules.fireflies else "base game"
    if not observation.rules.evil_spirit:
        rules = "without the evil spirit"
    return Text("\n").join(
        (
            Text(f"OPPONENT  ({rules})", style="bold"),
            draw_panorama(observation.opponent, tuple(filter(None, [marks.opponent_cell]))),
            Text("YOU", style="bold"),
            draw_panorama(observation.you, marks.cells, marks.square),
            *_facts(observation, marks),
            Text(f"To do: {_DUE[observation.phase]}", style="bold"),
            Text(),
        )
    )


def draw_panorama(panorama: Panorama, marked: tuple[str, ...] = (), square: str = "") -> Text:
    """The six rows of a panorama, with what lies on its squares, and the legend.

    Args:
        panorama: The panorama.
        marked: Cells to put brackets around.
        square: Square to mark as the place of the next spirit, if any.
    """
    on_squares = _on_squares(panorama)
    if square:
        on_squares[square] = "(+)"
    lines = []
    for row in reversed(range(len(ROW_LETTERS))):
        lines.append(_row(panorama, ROW_LETTERS[row], marked))
        if row and (between := _between(on_squares, ROW_LETTERS[row - 1])):
            lines.append(between)
    lines.append(Text(_legend(panorama)))
    return Text("\n").join(lines)


def draw_analysis(analysis: Analysis) -> Group:
    """The recommended move, the table of alternatives, the outlook and the reasons."""
    rest = ", then ".join(str(move) for move in analysis.line[1:])
    headline = Text.assemble(
        "Move: ", (str(analysis.move), "bold"), f", then {rest}" if rest else ""
    )
    return Group(
        headline,
        Text(_result(analysis)),
        _alternatives(analysis),
        *_outlook(analysis.outlook),
        _reasons(analysis.reasons),
        Text(_effort(analysis), style="dim"),
    )


# ---- the mountain ------------------------------------------------------------------------


def _row(panorama: Panorama, letter: str, marked: tuple[str, ...]) -> Text:
    row = Text()
    for column in _COLUMNS:
        cell = f"{letter}{column}"
        if cell in CELLS:
            row.append_text(_cell(panorama, cell, cell in marked))
        else:
            row.append(" " * _WIDTH)
    row.rstrip()
    return row


def _cell(panorama: Panorama, cell: str, marked: bool) -> Text:
    """Five characters: code or sign in the middle, the last one free, or brackets around."""
    word, style = _content(panorama, cell)
    if marked:
        word = cell if word == _EMPTY else word
        return Text.assemble(("[", _MARK_STYLE), (f"{word:<3}", style), ("]", _MARK_STYLE))
    return Text.assemble((f" {word:<3}", style), " ")


def _content(panorama: Panorama, cell: str) -> tuple[str, str]:
    """What stands on a cell, and its style."""
    if cell in panorama.tiles:
        return cell, _TILE_STYLES[cell[0]]
    if cell in panorama.rainbows:
        return _RAINBOW, _RAINBOW_STYLE
    if cell == panorama.evil_spirit_cell:
        return _EVIL, _EVIL_STYLE
    return _EMPTY, "dim"


def _on_squares(panorama: Panorama) -> dict[str, str]:
    """What lies on each square that carries something."""
    fireflies = dict.fromkeys(panorama.firefly_squares, " * ")
    spirits = {met.square: f"({n})" for n, met in enumerate(panorama.spirits, start=1)}
    return fireflies | spirits


def _between(on_squares: dict[str, str], lower_row: str) -> Text:
    """The line above ``lower_row``, with what lies on the squares that it begins."""
    line = [" "] * (_WIDTH * len(_COLUMNS) + 1)
    for column in _COLUMNS:
        sign = on_squares.get(f"{lower_row}{column}", "")
        middle = _WIDTH * column - 1
        line[middle - 1 : middle - 1 + len(sign)] = sign
    return Text("".join(line).rstrip())


def _legend(panorama: Panorama) -> str:
    """What the signs mean."""
    spirits = [
        f"({n}) {met.spirit} on {met.square}{', covered' if met.covered else ''}"
        for n, met in enumerate(panorama.spirits, start=1)
    ]
    fireflies = [f"* firefly on {square}" for square in panorama.firefly_squares]
    rainbows = [f"{_RAINBOW} rainbow"] if panorama.rainbows else []
    evil = [f"{_EVIL} evil spirit"] if panorama.evil_spirit_cell else []
    return "  ".join(spirits + fireflies + rainbows + evil)


# ---- beside the panoramas ----------------------------------------------------------------


def _facts(observation: Observation, marks: Marks) -> Iterable[Text]:
    for name, words in _named_facts(observation, marks):
        if words:
            text = Text(f"{name:<10}{words}")
            text.highlight_regex(_CODE, lambda code: _STYLES[code[0]])
            text.highlight_regex(r"[\[\]]", _MARK_STYLE)
            yield text


def _named_facts(observation: Observation, marks: Marks) -> Iterable[tuple[str, str]]:
    known = _marked(observation.opponent_known_tiles, marks.known)
    yield "Queue", "  ".join(_queue_tile(entry, marks.queue) for entry in observation.queue)
    yield "Hand", "  ".join(_marked(observation.your_hand, marks.hand))
    yield "Matches", "  ".join(_matches(observation))
    yield "Unseen", _unseen(observation)
    yield "Known", _listed("the opponent has", known)
    yield "Excluded", _listed("the opponent has none of", observation.opponent_excluded_tiles)
    yield "Line", "  ".join(_marked(observation.spirit_line, marks.spirit))
    yield "Evil", _EVIL_PLACES[observation.evil_spirit]
    yield "Out", "  ".join(observation.discarded_tiles)
    yield "Turn", "; ".join(_pending(observation.turn))


def _marked(words: Iterable[str], marked: str) -> tuple[str, ...]:
    return tuple(f"[{word}]" if word == marked else word for word in words)


def _queue_tile(entry: QueueTile, marked: str) -> str:
    return f"{_marked([entry.tile], marked)[0]}{'+' if entry.covers else ''}"


def _matches(observation: Observation) -> Iterator[str]:
    """Which queue tiles stand in the row or column of a tile that may capture (R7)."""
    active = observation.turn.drawn_tile or observation.turn.played_tile
    able = observation.your_hand if observation.phase is Phase.PLAY else (active,)
    queue = [entry.tile for entry in observation.queue]
    for tile in filter(None, able):
        yield f"{tile}: {' '.join(matches(tile, queue)) or '-'}"


def _unseen(observation: Observation) -> str:
    covered = sum(entry.covers for entry in observation.queue)
    return (
        f"{observation.deck_size} in the deck, {observation.opponent_hand_size} in the other hand, "
        f"{covered} under the queue (+), {counted(observation.spirit_deck_size, 'spirit')}"
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


# ---- the answer --------------------------------------------------------------------------


def _result(analysis: Analysis) -> str:
    best = best_of(analysis)
    if not was_tried(analysis, best):
        return "Nothing was searched"
    sampled = analysis.solved and not analysis.exact
    error = f" +- {best.standard_error:.1%}" if sampled else ""
    kind = ", exact" if analysis.exact else ", only move" if sampled else ""
    return (
        f"Wins {analysis.win_probability:.1%}{error}, expected stars "
        f"{analysis.expected_stars:.1f} to {analysis.opponent_expected_stars:.1f}{kind}"
    )


def _table(first: str, *names: str) -> Table:
    table = Table(box=box.SIMPLE, show_edge=False)
    table.add_column(first)
    for name in names:
        table.add_column(name, justify="right")
    return table


def _alternatives(analysis: Analysis) -> Table:
    table = _table("Move", "Wins", "+-", "Stars", "to", "Visits", "Available")
    for entry in analysis.alternatives[:_MANY_ALTERNATIVES]:
        style = "bold" if entry.move == analysis.move else ""
        numbers = _numbers(entry) if was_tried(analysis, entry) else (_UNKNOWN,) * 4
        counts = (f"{entry.visits:,}", f"{entry.available:,}")
        table.add_row(str(entry.move), *numbers, *counts, style=style)
    left = len(analysis.alternatives) - _MANY_ALTERNATIVES
    if left > 0:
        table.add_row(f"... and {left} more")
    return table


def _numbers(entry: MoveStatistics) -> tuple[str, ...]:
    """What was found about a move."""
    return (
        f"{entry.win_probability:.1%}",
        f"{entry.standard_error:.1%}",
        _stars(entry.expected_stars),
        _stars(entry.opponent_expected_stars),
    )


def _stars(expected: float | None) -> str:
    return _UNKNOWN if expected is None else f"{expected:.1f}"


def _outlook(outlook: Outlook | None) -> Iterator[RenderableType]:
    """The stars after the recommended move by part, with spread."""
    if outlook is None:
        return
    sides = {"you": outlook.you, "opponent": outlook.opponent}
    parts = [part for part in STAR_PARTS if any(_mean(stars, part) for stars in sides.values())]
    table = _table("Stars", "total", "spread", *parts)
    for name, stars in sides.items():
        means = [f"{_mean(stars, part):.1f}" for part in parts]
        table.add_row(name, f"{stars.total.mean:.1f}", f"{stars.total.spread:.1f}", *means)
    yield table


def _mean(stars: StarsOutlook, part: str) -> float:
    mean: float = getattr(stars, part).mean
    return mean


def _reasons(reasons: Iterable[str]) -> Table:
    """One under the other, with long ones indented."""
    table = Table.grid(padding=(0, 1))
    for reason in reasons:
        table.add_row("-", Text(reason))
    return table


def _effort(analysis: Analysis) -> str:
    truncated = ", ended early" if analysis.truncated else ""
    return (
        f"{counted(analysis.iterations, 'iteration')} in {analysis.elapsed_seconds:.2f} s"
        f"{truncated}, seed {analysis.seed}"
    )
