"""A position and an answer as an SVG picture."""

from __future__ import annotations

from xml.etree import ElementTree

from solstis_ai.marking import marks_of
from solstis_ai.observation import Observation
from solstis_ai.picture.answer import WIDTH, add_answer
from solstis_ai.picture.style import add_style
from solstis_ai.picture.svg import Point, element, rect
from solstis_ai.picture.table import add_table
from solstis_ai.search.types import Analysis

__all__ = ["draw_picture"]

_MARGIN, _BETWEEN = 28.0, 36.0


def draw_picture(observation: Observation, analysis: Analysis) -> str:
    """The text of an SVG file, readable on light and on dark ground.

    Args:
        observation: What the seat sees.
        analysis: The answer to it; its move is marked.
    """
    root = ElementTree.Element("svg", xmlns="http://www.w3.org/2000/svg", role="img")
    element(root, "title").text = f"Solstis: {analysis.move}"
    add_style(root)
    paper = rect(root, Point(0.5, 0.5), 0, 0, "paper")
    marks = marks_of(observation, analysis.line)
    left = add_table(root, Point(_MARGIN, _MARGIN), observation, marks)
    right = add_answer(root, Point(left.x + _BETWEEN, _MARGIN), observation, analysis)
    _set_size(root, paper, left.x + _BETWEEN + WIDTH + _MARGIN, max(left.y, right.y) + _MARGIN)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _set_size(
    root: ElementTree.Element, paper: ElementTree.Element, width: float, height: float
) -> None:
    """Known once everything is drawn."""
    root.set("width", f"{width:.0f}")
    root.set("height", f"{height:.0f}")
    root.set("viewBox", f"0 0 {width:.0f} {height:.0f}")
    paper.set("width", f"{width - 1:.0f}")
    paper.set("height", f"{height - 1:.0f}")
