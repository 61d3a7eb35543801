"""Colours and types of the picture, for light and dark surroundings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from xml.etree import ElementTree

from solstis_ai.picture.svg import Element, element

__all__ = ["add_style", "size_of", "width_of", "wrapped"]


class _Type(NamedTuple):
    """How a class of text is set: size in pixels, and weight."""

    size: float
    weight: int = 400


_PLAIN = _Type(13)
_TYPES = {
    "move": _Type(26, 700),
    "title": _Type(17, 700),
    "code": _Type(15, 700),
    "strong": _Type(13, 700),
    "evil-word": _Type(12, 700),
    "cell-code": _Type(12),
    "spirit-name": _Type(11, 600),
    "small": _Type(11),
}

_FAMILY = 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif'
_WIDTHS = {
    0.33: "ijlI'|.,:;/ ",
    0.4: "frt()[]-!",
    0.55: "cszo?",
    0.84: "wNOQGDH&#+=<>~±",
    0.98: "mMW%@",
}
"""Widths of characters, as parts of the size, in DejaVu Sans: few fonts are wider."""

_PART_OF_SIZE = {letter: part for part, letters in _WIDTHS.items() for letter in letters}
_USUAL, _BOLD = 0.64, 1.14

_TILES = {
    "r": ("#cf3a35", "#ffffff"),
    "o": ("#f39a2b", "#2a1a00"),
    "g": ("#2f8a45", "#ffffff"),
    "b": ("#2d74c4", "#ffffff"),
    "k": ("#f08dbd", "#3a0a20"),
    "p": ("#7445ad", "#ffffff"),
}
_PARTS = {
    "area": "#4d8f6b",
    "fires": "#e2872b",
    "spirits": "#3f6ea8",
    "bonuses": "#8f6bb3",
    "fireflies": "#d9b92e",
}

_BASE = """
.cell { stroke-width: 1; stroke-dasharray: 3 3; }
.back { fill: #6d667c; stroke: #4b4559; stroke-width: 1; }
.back-peak { fill: none; stroke: #a49db3; stroke-width: 1.5; }
.rainbow { fill: url(#rainbow); stroke: #ffffff; stroke-width: 1; }
.evil { fill: #26242c; stroke: #a33; stroke-width: 1.5; }
.evil-word { fill: #ff8080; }
.fire { fill: #ffd640; stroke: #7c2d00; stroke-width: 1; }
.fire-faint { fill: none; stroke: #c9823a; stroke-width: 1; opacity: 0.6; }
.firefly-glow { fill: #ffe34d; opacity: 0.45; }
.firefly { fill: #ffe34d; stroke: #5c4c00; stroke-width: 1.5; }
.spirit { stroke: #ffffff; stroke-width: 1.5; }
.blue { fill: #24508c; }
.brown { fill: #7b5028; }
.spirit-name { fill: #ffffff; }
.covered { opacity: 0.5; text-decoration: line-through; }
.mark-casing { fill: none; stroke: #1b1822; stroke-width: 7; }
.mark { fill: none; stroke: #ffc400; stroke-width: 4; }
.arrow-casing { fill: none; stroke: #1b1822; stroke-width: 6; opacity: 0.75; }
.arrow { fill: none; stroke: #ffc400; stroke-width: 3; stroke-linecap: round; }
.arrow-head { fill: #ffc400; stroke: #1b1822; stroke-width: 0.7; }
.haloed { paint-order: stroke; stroke-width: 4; stroke-linejoin: round; }
.bar { fill: #9d95ad; }
.bar-best { fill: #e0a800; }
.hand-part { fill: #b0567d; }
.future-part { fill: #7f8fa6; }
"""

_LIGHT = """
.paper { fill: #fbf9f6; stroke: #ded8e4; }
.ink, .code-empty { fill: #26222e; }
.muted, .cell-code { fill: #716a7d; }
.haloed { stroke: #fbf9f6; }
.cell { fill: #f1edf4; stroke: #c9c2d2; }
.bar-ground { fill: #e9e4ee; }
.whisker { stroke: #26222e; stroke-width: 1.5; }
.rule { stroke: #ded8e4; stroke-width: 1; }
"""

_DARK = """
.paper { fill: #1f1c26; stroke: #3a3545; }
.ink, .code-empty { fill: #f0edf5; }
.muted, .cell-code { fill: #a49cb3; }
.haloed { stroke: #1f1c26; }
.cell { fill: #292532; stroke: #4a4458; }
.bar-ground { fill: #34303f; }
.whisker { stroke: #f0edf5; }
.rule { stroke: #3a3545; }
"""


def size_of(class_: str = "") -> float:
    """The size of text of these classes, in pixels."""
    return _type_of(class_).size


def _type_of(class_: str) -> _Type:
    return next((_TYPES[name] for name in class_.split() if name in _TYPES), _PLAIN)


def width_of(words: str, class_: str = "") -> float:
    """About how wide a line of text of these classes is, in pixels; rather more than less."""
    style = _type_of(class_)
    parts = sum(_PART_OF_SIZE.get(letter, _USUAL) for letter in words)
    return parts * style.size * (_BOLD if style.weight > _PLAIN.weight else 1.0)


def wrapped(pieces: Iterable[str], width: float, class_: str = "") -> list[str]:
    """The pieces with spaces between them, on as many lines as they need; none is broken."""
    lines: list[str] = []
    for piece in pieces:
        if lines and width_of(f"{lines[-1]} {piece}", class_) <= width:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    return lines


def add_style(root: Element) -> None:
    """Style sheet, the gradient of the rainbows and the head of the arrows."""
    colours = [f".tile-{row} {{ fill: {fill}; }}" for row, (fill, _) in _TILES.items()]
    colours += [f".on-{row} {{ fill: {ink}; }}" for row, (_, ink) in _TILES.items()]
    colours += [f".part-{part} {{ fill: {fill}; }}" for part, fill in _PARTS.items()]
    colours += [
        f".{name} {{ font-size: {it.size}px; font-weight: {it.weight}; }}"
        for name, it in _TYPES.items()
    ]
    plain = f"\ntext {{ font-family: {_FAMILY}; font-size: {_PLAIN.size}px; }}"
    dark = f"@media (prefers-color-scheme: dark) {{{_DARK}}}\n"
    element(root, "style").text = plain + _BASE + "\n".join(colours) + _LIGHT + dark
    definitions = element(root, "defs")
    _add_rainbow(definitions)
    _add_head(definitions)


def _add_rainbow(definitions: Element) -> None:
    gradient = element(definitions, "linearGradient", id="rainbow", x1=0, y1=0, x2=1, y2=1)
    stops = ("#ef6a63", "#f7b25a", "#f5e663", "#74c27f", "#69a7e6", "#a884d6")
    for n, colour in enumerate(stops):
        stop = ElementTree.SubElement(gradient, "stop")
        stop.set("offset", f"{20 * n}%")
        stop.set("stop-color", colour)


def _add_head(definitions: Element) -> None:
    head = ElementTree.SubElement(definitions, "marker")
    sizes = {"id": "head", "orient": "auto", "viewBox": "0 0 10 10", "refX": "8", "refY": "5"}
    for name, value in (sizes | {"markerWidth": "5.5", "markerHeight": "5.5"}).items():
        head.set(name, value)
    element(head, "path", d="M0,0 L10,5 L0,10 L2.5,5 z", class_="arrow-head")
