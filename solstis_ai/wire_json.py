"""JSON texts as protobuf messages; what does not fit is refused with its path.

The parser of protobuf takes ``[]`` for a message and ``true`` for a number or an enum, and tells no
more than a part of the path of what it does refuse. So a text is compared with the fields of its
message first.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from solstis_ai.errors import FieldError

__all__ = ["parsed"]

_Message = TypeVar("_Message", bound=Message)

_LONE = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r"-?[0-9]{1,400}(\.[0-9]+)?([eE][+-]?[0-9]+)?")

_RANGES = {
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}


def parsed(text: str, message_type: type[_Message]) -> _Message:
    """The message of a JSON text; names in lowerCamelCase and in snake_case are both accepted.

    Raises:
        FieldError: If the text is no JSON object or does not fit the message; ``field`` is the path
            as on the wire, such as ``turn.drawn_spirits[1]``, and empty for the whole.
    """
    try:
        tree = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise FieldError("", f"must be a JSON object: {error}") from error
    _check_object(tree, message_type.DESCRIPTOR, "")
    return json_format.ParseDict(tree, message_type())


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    tree = dict(pairs)
    if len(tree) < len(pairs):
        raise ValueError("a field is given twice")
    return tree


def _check_object(value: object, kind: Any, path: str) -> None:
    """Refuse what is no message of the descriptor ``kind``."""
    if not isinstance(value, dict):
        raise FieldError(path, "must be a JSON object")
    given = set()
    for name, inner in value.items():
        field = _field(name, kind, path)
        below = f"{path}.{field.name}" if path else field.name
        if field.name in given:
            raise FieldError(below, "is given twice, in lowerCamelCase and in snake_case")
        given.add(field.name)
        if inner is not None:
            _check_field(inner, field, below)


def _field(name: str, kind: Any, path: str) -> FieldDescriptor:
    known = kind.fields_by_camelcase_name
    field: FieldDescriptor | None = known.get(name) or kind.fields_by_name.get(name)
    if field is None:
        raise FieldError(path, f"has no field {name!r:.40}; its fields are {', '.join(known)}")
    return field


def _check_field(value: object, field: FieldDescriptor, path: str) -> None:
    if not field.is_repeated:
        _check_single(value, field, path)
    elif not isinstance(value, list):
        raise FieldError(path, "must be a list")
    else:
        for index, element in enumerate(value):
            _check_single(element, field, f"{path}[{index}]")


def _check_single(value: object, field: FieldDescriptor, path: str) -> None:
    if field.message_type is not None:
        _check_object(value, field.message_type, path)
    elif complaint := _COMPLAINTS[field.cpp_type](value, field):
        raise FieldError(path, complaint)


def _bool_complaint(value: object, _: FieldDescriptor) -> str:
    return "" if isinstance(value, bool) else "must be true or false"


def _text_complaint(value: object, _: FieldDescriptor) -> str:
    if not isinstance(value, str):
        return "must be a string"
    return "must be a string of Unicode, without lone surrogates" if _LONE.search(value) else ""


def _enum_complaint(value: object, field: FieldDescriptor) -> str:
    assert field.enum_type is not None
    names = [entry.name for entry in field.enum_type.values]
    plain = not isinstance(value, str) or isinstance(_number(value), int)
    if value in names or (plain and not _whole_complaint(value, field)):
        return ""
    return f"must be one of {', '.join(names)}"


def _whole_complaint(value: object, field: FieldDescriptor) -> str:
    lowest, highest = _RANGES[field.cpp_type]
    number = _number(value)
    if number is not None and lowest <= number <= highest and number == int(number):
        return ""
    return f"must be a whole number from {lowest} to {highest}"


def _double_complaint(value: object, _: FieldDescriptor) -> str:
    number = _number(value)
    if number is not None and abs(number) <= sys.float_info.max:
        return ""
    return "" if value in ("NaN", "Infinity", "-Infinity") else "must be a number"


def _number(value: object) -> int | float | None:
    """The number that a value stands for, with or without quotes; None where it is none."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return int(value) if value.removeprefix("-").isdigit() else float(value)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


_COMPLAINTS: dict[int, Callable[[object, FieldDescriptor], str]] = {
    FieldDescriptor.CPPTYPE_BOOL: _bool_complaint,
    FieldDescriptor.CPPTYPE_STRING: _text_complaint,
    FieldDescriptor.CPPTYPE_ENUM: _enum_complaint,
    FieldDescriptor.CPPTYPE_INT32: _whole_complaint,
    FieldDescriptor.CPPTYPE_INT64: _whole_complaint,
    FieldDescriptor.CPPTYPE_UINT64: _whole_complaint,
    FieldDescriptor.CPPTYPE_DOUBLE: _double_complaint,
}
"""What is wrong with a single value, by the type of its field; empty where it fits."""
