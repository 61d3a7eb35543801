"""The order of the packages in docs/architecture.md: a file imports only from those above it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "solstis_ai"

ORDER = (
    "errors",
    "version",
    "workers",
    "vocabulary",
    "observation",
    "position",
    "validation",
    "v1",
    "wire_json",
    "wire",
    "notation",
    "_fast",
    "bridge",
    "game",
    "tracker",
    "recorded",
    "search",
    "benchmark",
    "players",
    "arena",
    "match_files",
    "engine",
    "instructions",
    "marking",
    "wording",
    "drawing",
    "picture",
    "service",
    "load",
    "cli",
    "__main__",
)

FOREIGN = {"grpc": "service", "click": "cli"}
"""Libraries that one package alone may import."""

SOURCES = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if "v1" not in path.parts and path != PACKAGE / "__init__.py"
)


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> Iterator[str]:
    """The full names that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_room_has_its_place() -> None:
    assert {room_of(path) for path in SOURCES} <= set(ORDER)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_up(path: Path) -> None:
    room = room_of(path)
    for name in imports_of(path):
        head, _, rest = name.partition(".")
        if head == "solstis_ai":
            assert ORDER.index(rest.partition(".")[0]) <= ORDER.index(room), name
        assert FOREIGN.get(head, room) == room, name
