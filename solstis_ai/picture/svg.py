"""Elements of an SVG picture; ``xml.etree`` does the escaping."""

from __future__ import annotations

import math
from typing import NamedTuple
from xml.etree import ElementTree

__all__ = ["Element", "Point", "arrow", "circle", "element", "group", "label", "rect"]

Element = ElementTree.Element


class Point(NamedTuple):
    """A place in the picture, in pixels from the upper left corner."""

    x: float
    y: float

    def plus(self, x: float, y: float) -> Point:
        """The point so far to the right of and below this one."""
        return Point(self.x + x, self.y + y)


def element(parent: Element, tag: str, **attributes: str | float) -> Element:
    """A new child; ``class_`` stands for ``class`` and ``stroke_width`` for ``stroke-width``."""
    found = ElementTree.SubElement(parent, tag)
    for name, value in attributes.items():
        text = value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
        found.set(name.rstrip("_").replace("_", "-"), text)
    return found


def group(parent: Element, class_: str) -> Element:
    """A group of elements."""
    return element(parent, "g", class_=class_)


def rect(parent: Element, at: Point, width: float, height: float, class_: str) -> Element:
    """A rectangle with rounded corners; ``at`` is its upper left corner."""
    corner = min(6.0, width / 2, height / 2)
    return element(
        parent, "rect", x=at.x, y=at.y, width=width, height=height, rx=corner, class_=class_
    )


def circle(parent: Element, centre: Point, radius: float, class_: str) -> Element:
    """A circle."""
    return element(parent, "circle", cx=centre.x, cy=centre.y, r=radius, class_=class_)


def label(
    parent: Element, at: Point, words: str, class_: str = "ink", anchor: str = "start"
) -> Element:
    """A line of text; ``at`` is on its base line, at its start, ``middle`` or ``end``."""
    found = element(parent, "text", x=at.x, y=at.y, class_=class_, text_anchor=anchor)
    found.text = words
    return found


def arrow(parent: Element, start: Point, end: Point) -> None:
    """A curved arrow; its head is at ``end``."""
    length = math.dist(start, end) or 1.0
    bend = min(30.0, length / 6)
    normal = ((end.y - start.y) / length * bend, (start.x - end.x) / length * bend)
    middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2).plus(*normal)
    path = f"M{start.x:.1f},{start.y:.1f} Q{middle.x:.1f},{middle.y:.1f} {end.x:.1f},{end.y:.1f}"
    element(parent, "path", d=path, class_="arrow-casing")
    element(parent, "path", d=path, class_="arrow", marker_end="url(#head)")
