"""The right half of the picture: the recommended move, the alternatives, the outlook, why."""

from __future__ import annotations

from solstis_ai.observation import Observation
from solstis_ai.picture.style import width_of, wrapped
from solstis_ai.picture.svg import Element, Point, element, group, label, rect
from solstis_ai.search.types import STAR_PARTS, Analysis, MoveStatistics, Outlook, StarsOutlook
from solstis_ai.wording import best_of, counted, was_tried

__all__ = ["WIDTH", "add_answer"]

WIDTH = 520.0
_MOST = 8
_ROW = 26.0
_WORDS, _STARS = 155.0, 70.0
_BAR = 172.0
_SIDE, _FIGURES = 80.0, 130.0
_SIDE_BAR = WIDTH - _SIDE - _FIGURES
_SCALE = 45.0  # stars that fill the width of a bar
_GAP = 16.0
_UNKNOWN = "-"


def add_answer(root: Element, at: Point, observation: Observation, analysis: Analysis) -> Point:
    """Draw the answer; returns the lower right corner."""
    drawing = group(root, "answer")
    at = _add_move(drawing, at, analysis)
    at = _add_alternatives(drawing, at, analysis)
    at = _add_stars(drawing, at, analysis)
    if analysis.outlook and observation.opponent_hand_size:
        at = _add_doubt(drawing, at, analysis.outlook)
    at = _add_reasons(drawing, at, analysis.reasons)
    label(drawing, at.plus(0, 10), _effort(analysis), "small muted")
    return at.plus(WIDTH, 16)


def _add_move(drawing: Element, at: Point, analysis: Analysis) -> Point:
    """The move, its chance to win beside or below it, and the likely rest of the turn."""
    move, wins = str(analysis.move), _wins(analysis)
    label(drawing, at.plus(0, 24), move, "move ink")
    if width_of(move, "move") + _GAP + width_of(wins, "title") <= WIDTH:
        label(drawing, at.plus(WIDTH, 24), wins, "title ink", "end")
    else:
        at = at.plus(0, 26)
        label(drawing, at.plus(0, 24), wins, "title ink")
    for line in wrapped(_rest(analysis), WIDTH):
        label(drawing, at.plus(0, 46), line, "muted")
        at = at.plus(0, 20)
    return at.plus(0, 46)


def _wins(analysis: Analysis) -> str:
    best = best_of(analysis)
    if not was_tried(analysis, best):
        return "nothing was searched"
    wins = f"wins {analysis.win_probability:.1%}"
    if analysis.exact:
        return f"{wins}, exact"
    return f"{wins} ± {best.standard_error:.1%}, only move" if analysis.solved else wins


def _rest(analysis: Analysis) -> list[str]:
    """What follows the move, in pieces that belong together."""
    *others, last = [f"then {move}" for move in analysis.line[1:]] or [""]
    return [f"{piece}," for piece in others] + [last] if last else []


def _heading(drawing: Element, at: Point, words: str, hint: str = "") -> Point:
    element(drawing, "line", x1=at.x, y1=at.y, x2=at.x + WIDTH, y2=at.y, class_="rule")
    label(drawing, at.plus(0, 24), words, "title ink")
    if hint:
        label(drawing, at.plus(WIDTH, 24), hint, "small muted", "end")
    return at.plus(0, 38)


# ---- alternatives ------------------------------------------------------------------------


def _add_alternatives(drawing: Element, at: Point, analysis: Analysis) -> Point:
    at = _heading(drawing, at, "Chance to win", "stars, you : opponent")
    for entry in analysis.alternatives[:_MOST]:
        best = entry.move == analysis.move
        label(drawing, at.plus(0, 14), str(entry.move), "ink strong" if best else "ink")
        rect(drawing, at.plus(_WORDS, 2), _BAR, 15, "bar-ground")
        wins = _UNKNOWN
        if was_tried(analysis, entry):
            _add_bar(drawing, at.plus(_WORDS, 2), entry, best)
            wins = f"{entry.win_probability:.1%} ± {entry.standard_error:.1%}"
        label(drawing, at.plus(WIDTH - _STARS, 14), wins, "ink", "end")
        label(drawing, at.plus(WIDTH, 14), _stars(entry), "small muted", "end")
        at = at.plus(0, _ROW)
    left = len(analysis.alternatives) - _MOST
    if left > 0:
        label(drawing, at.plus(0, 12), f"... and {left} more", "muted")
        at = at.plus(0, _ROW)
    return at.plus(0, 8)


def _add_bar(drawing: Element, bar: Point, entry: MoveStatistics, best: bool) -> None:
    """The chance to win with a move, and its error."""
    share, error = entry.win_probability, entry.standard_error
    rect(drawing, bar, _BAR * share, 15, "bar-best" if best else "bar").set(
        "data-move", str(entry.move)
    )
    low, high = (bar.x + _BAR * min(max(share + by, 0), 1) for by in (-error, error))
    element(drawing, "line", x1=low, x2=high, y1=bar.y + 7.5, y2=bar.y + 7.5, class_="whisker")


def _stars(entry: MoveStatistics) -> str:
    own, other = entry.expected_stars, entry.opponent_expected_stars
    return _UNKNOWN if own is None or other is None else f"{own:.1f} : {other:.1f}"


# ---- outlook -----------------------------------------------------------------------------


def _add_stars(drawing: Element, at: Point, analysis: Analysis) -> Point:
    """The stars of both sides: by part where games were sampled, else as one number."""
    if best_of(analysis).expected_stars is None:
        return at
    at = _heading(drawing, at, "Expected stars")
    outlook = analysis.outlook
    means = analysis.expected_stars, analysis.opponent_expected_stars
    sides = (outlook.you, outlook.opponent) if outlook else (None, None)
    scale = _SIDE_BAR / max(_SCALE, *means)
    for name, mean, stars in zip(("You", "Opponent"), means, sides, strict=True):
        label(drawing, at.plus(0, 14), name)
        bar = at.plus(_SIDE, 1)
        rect(drawing, bar, _SIDE_BAR, 18, "bar-ground")
        if stars:
            _add_parts(drawing, bar, stars, scale)
        else:
            element(drawing, "rect", x=bar.x, y=bar.y, width=mean * scale, height=18, class_="bar")
        spread = f", spread {stars.total.spread:.1f}" if stars else ""
        label(drawing, at.plus(WIDTH, 14), f"{mean:.1f}{spread}", "ink", "end")
        at = at.plus(0, _ROW)
    return _add_legend(drawing, at, _names_of_parts(outlook)) if outlook else at.plus(0, 10)


def _add_parts(drawing: Element, bar: Point, stars: StarsOutlook, scale: float) -> None:
    x = bar.x
    for part in STAR_PARTS:
        length = getattr(stars, part).mean * scale
        element(drawing, "rect", x=x, y=bar.y, width=length, height=18, class_=f"part-{part}")
        x += length


def _names_of_parts(outlook: Outlook) -> dict[str, str]:
    """Those that can be in the bars; most games have no fireflies."""
    fireflies = outlook.you.fireflies.mean or outlook.opponent.fireflies.mean
    return {f"part-{part}": part for part in STAR_PARTS if fireflies or part != "fireflies"}


def _add_doubt(drawing: Element, at: Point, outlook: Outlook) -> Point:
    """How the variance of the lead splits."""
    if not outlook.splits_doubt:
        return at
    label(drawing, at.plus(0, 13), "Doubt")
    bar, share = at.plus(_SIDE, 2), outlook.hand_share
    for class_, part in (("future-part", 1.0), ("hand-part", share)):
        width = _SIDE_BAR * part
        element(drawing, "rect", x=bar.x, y=bar.y, width=width, height=14, class_=class_)
    hand = round(100 * share)
    names = {
        "hand-part": f"{hand}% other hand",
        "future-part": f"{100 - hand}% future draws and decisions",
    }
    return _add_legend(drawing, at.plus(0, 22), names)


def _add_legend(drawing: Element, at: Point, names: dict[str, str]) -> Point:
    """What the colours of a bar mean, by classes."""
    x = _SIDE
    for class_, words in names.items():
        rect(drawing, at.plus(x, 3), 10, 10, class_)
        label(drawing, at.plus(x + 15, 12), words, "small muted")
        x += width_of(words, "small") + 30
    return at.plus(0, 30)


# ---- why ---------------------------------------------------------------------------------


def _add_reasons(drawing: Element, at: Point, reasons: tuple[str, ...]) -> Point:
    at = _heading(drawing, at, "Why")
    for reason in reasons:
        label(drawing, at.plus(0, 12), "•")
        for line in wrapped(reason.split(), WIDTH - 14):
            label(drawing, at.plus(14, 12), line)
            at = at.plus(0, 18)
        at = at.plus(0, 4)
    return at.plus(0, 6)


def _effort(analysis: Analysis) -> str:
    early = ", ended early" if analysis.truncated else ""
    return f"{counted(analysis.iterations, 'iteration')}{early}, seed {analysis.seed}"
