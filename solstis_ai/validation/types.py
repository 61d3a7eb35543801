"""The types of an observation's values, for callers whose values come from anywhere."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from solstis_ai.errors import InvalidObservationError
from solstis_ai.observation import Observation

__all__ = ["check_types"]


@cache
def _field_types(expected: Any) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(expected)
    return tuple((field.name, hints[field.name]) for field in fields(expected))


def check_types(observation: Observation) -> None:
    """Refuse a value that is not of the type that its field declares."""
    _check("observation", observation, Observation)


def _check(path: str, value: object, expected: Any) -> None:
    if get_origin(expected) is tuple:
        _check_tuple(path, value, get_args(expected)[0])
    elif isinstance(expected, type) and is_dataclass(expected):
        _check_class(path, value, expected)
        for name, hint in _field_types(expected):
            _check(f"{path}.{name}", getattr(value, name), hint)
    else:
        _check_class(path, value, expected)


def _check_tuple(path: str, value: object, expected: Any) -> None:
    _check_class(path, value, tuple)
    for index, item in enumerate(value if isinstance(value, tuple) else ()):
        _check(f"{path}[{index}]", item, expected)


def _check_class(path: str, value: object, expected: Any) -> None:
    # A bool is an int to Python; a number of tiles is not.
    wanted = isinstance(value, expected) and (expected is not int or not isinstance(value, bool))
    if not wanted:
        kind = "one of its values" if issubclass(expected, Enum) else f"of type {expected.__name__}"
        raise InvalidObservationError(path, f"{value!r:.60} is not {kind}")
