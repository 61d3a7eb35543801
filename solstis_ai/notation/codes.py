"""The single words of the notation: codes, numbers and words of an enum."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TypeVar, cast

from solstis_ai.errors import NotationError

__all__ = [
    "OBSERVATION_HEAD",
    "POSITION_HEAD",
    "checked_code",
    "checked_list",
    "checked_number",
    "checked_text",
    "checked_word",
]

_Word = TypeVar("_Word", bound=StrEnum)
_Element = TypeVar("_Element")

OBSERVATION_HEAD = "solstis-observation/1"
"""The first word of an observation's line; the number is the version of the notation."""

POSITION_HEAD = "solstis-position/1"
"""The first word of a position's line; the number is the version of the notation."""


def checked_code(place: str, code: str, allowed: Sequence[str]) -> str:
    """``code``, if it is one of ``allowed``.

    Raises:
        NotationError: If not; the message names ``place``.
    """
    if code not in allowed:
        raise NotationError(f"{place}: {code!r:.40} is none of {allowed[0]} ... {allowed[-1]}")
    return code


def checked_list(place: str, values: Iterable[_Element], example: str) -> list[_Element]:
    """The elements of ``values``, which a caller may have got wrong: a text is no list.

    Raises:
        NotationError: If there are none to be had; the message names ``place`` and an example.
    """
    found = cast(object, values)
    if isinstance(found, str) or not isinstance(found, Iterable):
        raise NotationError(f"{place}: {found!r:.40} is no list; give one, such as {example}")
    return list(values)


def checked_text(place: str, value: object) -> str:
    """``value``, if it is a text.

    Raises:
        NotationError: If not; the message names ``place``.
    """
    if not isinstance(value, str):
        raise NotationError(f"{place}: {value!r:.40} is no text")
    return value


def checked_number(place: str, text: str) -> int:
    """The number in ``text``, which is not negative and without leading zeros.

    Raises:
        NotationError: If it is none, or has more than four digits; the message names ``place``.
    """
    if not re.fullmatch("0|[1-9][0-9]{0,3}", text):
        raise NotationError(f"{place}: {text!r:.40} is no number from 0 to 9999")
    return int(text)


def checked_word(place: str, text: str, words: type[_Word]) -> _Word:
    """The member of ``words`` with this text.

    Raises:
        NotationError: If there is none; the message names ``place``.
    """
    if text not in list(words):
        raise NotationError(f"{place}: {text!r:.40} is none of {', '.join(words)}")
    return words(text)
