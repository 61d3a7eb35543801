"""The right half of the picture: the recommended move, the alternatives, the outlook, why."""

from __future__ import annotations

import textwrap

from solstis_ai.picture.svg import Element, Point, element, group, label, rect, width_of
from solstis_ai.search.types import STAR_PARTS, Analysis, MoveStatistics, Outlook, StarsOutlook

__all__ = ["WIDTH", "add_answer"]

WIDTH = 480.0
_MOST = 8
_ROW = 26.0
_WORDS, _FIGURES = 170.0, 110.0
_BAR = WIDTH - _WORDS - _FIGURES
_LETTERS = 66  # of a reason in one line
_SCALE = 45.0  # stars that fill the width of a bar


def add_answer(root: Element, at: Point, analysis: Analysis) -> Point:
    """Draw the answer; returns the lower right corner."""
    drawing = group(root, "answer")
    at = _add_move(drawing, at, analysis)
    at = _add_alternatives(drawing, at, analysis)
    if analysis.outlook:
        at = _add_stars(drawing, at, analysis.outlook)
        at = _add_doubt(drawing, at, analysis.outlook)
    at = _add_reasons(drawing, at, analysis.reasons)
    label(drawing, at.plus(0, 10), _effort(analysis), "small muted")
    return at.plus(WIDTH, 16)


def _add_move(drawing: Element, at: Point, analysis: Analysis) -> Point:
    label(drawing, at.plus(0, 24), str(analysis.move), "move ink")
    wins = f"wins {analysis.win_probability:.1%}"
    if analysis.exact:
        wins += ", exact"
    elif analysis.solved:
        wins += f" ± {analysis.alternatives[0].standard_error:.1%}, only move"
    label(drawing, at.plus(WIDTH, 24), wins, "title ink", "end")
    if rest := ", then ".join(str(move) for move in analysis.line[1:]):
        label(drawing, at.plus(0, 46), f"then {rest}", "muted")
        at = at.plus(0, 20)
    return at.plus(0, 46)


def _heading(drawing: Element, at: Point, words: str) -> Point:
    element(drawing, "line", x1=at.x, y1=at.y, x2=at.x + WIDTH, y2=at.y, class_="rule")
    label(drawing, at.plus(0, 24), words, "title ink")
    return at.plus(0, 38)


# ---- alternatives ------------------------------------------------------------------------


def _add_alternatives(drawing: Element, at: Point, analysis: Analysis) -> Point:
    at = _heading(drawing, at, "Chance to win")
    for entry in analysis.alternatives[:_MOST]:
        _add_alternative(drawing, at, entry, entry.move == analysis.move)
        at = at.plus(0, _ROW)
    left = len(analysis.alternatives) - _MOST
    if left > 0:
        label(drawing, at.plus(0, 12), f"... and {left} more", "muted")
        at = at.plus(0, _ROW)
    return at.plus(0, 8)


def _add_alternative(drawing: Element, at: Point, entry: MoveStatistics, best: bool) -> None:
    label(drawing, at.plus(0, 14), str(entry.move), "ink code" if best else "ink")
    bar = at.plus(_WORDS, 2)
    rect(drawing, bar, _BAR, 15, "bar-ground")
    share, error = entry.win_probability, entry.standard_error
    rect(drawing, bar, _BAR * share, 15, "bar-best" if best else "bar").set(
        "data-move", str(entry.move)
    )
    low, high = (bar.x + _BAR * min(max(share + by, 0), 1) for by in (-error, error))
    element(drawing, "line", x1=low, x2=high, y1=bar.y + 7.5, y2=bar.y + 7.5, class_="whisker")
    label(drawing, at.plus(WIDTH, 14), f"{share:.1%} ± {error:.1%}", "ink", "end")


# ---- outlook -----------------------------------------------------------------------------


def _add_stars(drawing: Element, at: Point, outlook: Outlook) -> Point:
    at = _heading(drawing, at, "Expected stars")
    for name, stars in (("You", outlook.you), ("Opponent", outlook.opponent)):
        _add_side(drawing, at, name, stars)
        at = at.plus(0, _ROW)
    x = 0.0
    for part in STAR_PARTS:
        if outlook.you.fireflies.mean or outlook.opponent.fireflies.mean or part != "fireflies":
            rect(drawing, at.plus(x, 3), 10, 10, f"part-{part}")
            label(drawing, at.plus(x + 15, 12), part, "small muted")
            x += width_of(part, 11) + 34
    return at.plus(0, 30)


def _add_side(drawing: Element, at: Point, name: str, stars: StarsOutlook) -> None:
    label(drawing, at.plus(0, 14), name)
    bar = at.plus(80, 1)
    width = WIDTH - 80 - _FIGURES
    rect(drawing, bar, width, 18, "bar-ground")
    x = bar.x
    for part in STAR_PARTS:
        length = width * getattr(stars, part).mean / _SCALE
        element(drawing, "rect", x=x, y=bar.y, width=length, height=18, class_=f"part-{part}")
        x += length
    words = f"{stars.total.mean:.1f}, spread {stars.total.spread:.1f}"
    label(drawing, at.plus(WIDTH, 14), words, "ink", "end")


def _add_doubt(drawing: Element, at: Point, outlook: Outlook) -> Point:
    """How the variance of the lead splits."""
    if not outlook.lead.spread:
        return at
    label(drawing, at.plus(0, 13), "Doubt")
    share, bar = outlook.hand_share, at.plus(80, 2)
    width = WIDTH - 80 - 2 * _FIGURES
    element(drawing, "rect", x=bar.x, y=bar.y, width=width, height=14, class_="future-part")
    element(drawing, "rect", x=bar.x, y=bar.y, width=width * share, height=14, class_="hand-part")
    words = f"{share:.0%} other hand, {1 - share:.0%} future draws"
    label(drawing, at.plus(WIDTH, 13), words, "small ink", "end")
    return at.plus(0, 30)


# ---- why ---------------------------------------------------------------------------------


def _add_reasons(drawing: Element, at: Point, reasons: tuple[str, ...]) -> Point:
    at = _heading(drawing, at, "Why")
    for reason in reasons:
        for n, line in enumerate(textwrap.wrap(reason, _LETTERS)):
            if n == 0:
                label(drawing, at.plus(0, 12), "•")
            label(drawing, at.plus(14, 12), line)
            at = at.plus(0, 18)
        at = at.plus(0, 4)
    return at.plus(0, 6)


def _effort(analysis: Analysis) -> str:
    early = ", ended early" if analysis.truncated else ""
    return f"{analysis.iterations:,} iterations{early}, seed {analysis.seed}"
