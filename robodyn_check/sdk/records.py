"""Frozen dataclasses to JSON and back, checked field by field.

What comes from a stranger's program is not trusted: a wrong type is reported with its place, for example
``layout.joints[2].q: expected an array of integers, got "x"``. Numbers that JSON cannot spell travel as the strings
``"NaN"``, ``"Infinity"`` and ``"-Infinity"``.
"""

from __future__ import annotations

import dataclasses
import json
import math
import types
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

Record = TypeVar("Record")
SPELLINGS: dict[str, float] = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class MalformedRecord(ValueError):
    """A message's content has the wrong shape; the text names the place and what was expected there."""


def spell(number: float) -> float | str:
    """Return the JSON form of a double: itself, or the word for what JSON cannot write."""
    if math.isnan(number):
        return "NaN"
    return number if math.isfinite(number) else ("Infinity" if number > 0 else "-Infinity")


def to_json(value: Any) -> Any:  # noqa: PLR0911 - one return per kind of value
    """Turn a dataclass, and all that it holds, into what `json.dumps` takes."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): to_json(entry) for key, entry in value.items()}
    if isinstance(value, (tuple, list)):
        return [to_json(entry) for entry in value]
    if isinstance(value, float):
        return spell(float(value))
    if isinstance(value, (str, bool, int)) or value is None:
        return value
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "item"):  # a NumPy scalar that an adapter left in a record
        return to_json(value.item())
    message = f"cannot be written as JSON: {value!r}"
    raise MalformedRecord(message)


def from_json(record: type[Record], data: Any, place: str) -> Record:
    """Build a frozen dataclass from decoded JSON; unknown fields are ignored, so that newer peers stay readable.

    Raises:
        MalformedRecord: A field is missing or has the wrong type; the text starts with its place.
    """
    if not isinstance(data, dict):
        raise MalformedRecord(_expected(place, "an object", data))
    hints = _hints(cast("Any", record))
    values = {}
    for field in dataclasses.fields(cast("Any", record)):
        if field.name in data:
            values[field.name] = _convert(hints[field.name], data[field.name], f"{place}.{field.name}")
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            known = ", ".join(sorted(data)) or "none"
            message = f"{place}.{field.name}: missing (present: {known})"
            raise MalformedRecord(message)
    return record(**values)


@lru_cache(maxsize=32)
def _hints(record: type) -> dict[str, Any]:
    return get_type_hints(cast("Any", record))


def _convert(hint: Any, data: Any, place: str) -> Any:  # noqa: PLR0911 - one return per kind of annotation
    """Convert decoded JSON to the annotated type."""
    origin = get_origin(hint)
    if hint is Any:
        return data
    if origin in {Union, types.UnionType}:
        return _convert_union(get_args(hint), data, place)
    if origin is Literal:
        if data in get_args(hint):
            return data
        raise MalformedRecord(_expected(place, "one of " + ", ".join(map(repr, get_args(hint))), data))
    if origin is tuple:
        return _convert_tuple(get_args(hint), data, place)
    if origin is dict:
        return _convert_dict(get_args(hint), data, place)
    if dataclasses.is_dataclass(hint):
        return from_json(cast("type", hint), data, place)
    return _convert_plain(hint, data, place)


def _convert_union(choices: tuple[Any, ...], data: Any, place: str) -> Any:
    """Convert to the one real choice of ``X | None``."""
    if data is None and type(None) in choices:
        return None
    (choice,) = (choice for choice in choices if choice is not type(None))
    return _convert(choice, data, place)


def _convert_tuple(items: tuple[Any, ...], data: Any, place: str) -> tuple[Any, ...]:
    """Convert an array; a tuple of fixed length checks it."""
    if not isinstance(data, (list, tuple)):
        raise MalformedRecord(_expected(place, "an array", data))
    if len(items) == 2 and items[1] is Ellipsis:
        items = (items[0],) * len(data)
    if len(items) != len(data):
        raise MalformedRecord(_expected(place, f"an array of {len(items)} entries", data))
    return tuple(
        _convert(item, entry, f"{place}[{number}]")
        for number, (item, entry) in enumerate(zip(items, data, strict=True))
    )


def _convert_dict(hints: tuple[Any, ...], data: Any, place: str) -> dict[str, Any]:
    """Convert an object with free names."""
    if not isinstance(data, dict):
        raise MalformedRecord(_expected(place, "an object", data))
    return {str(key): _convert(hints[1], entry, f"{place}.{key}") for key, entry in data.items()}


def _convert_plain(hint: Any, data: Any, place: str) -> Any:
    """Convert a leaf: number, text, truth value or path."""
    if hint is float:
        if isinstance(data, str) and data in SPELLINGS:
            return SPELLINGS[data]
        if isinstance(data, (int, float)) and not isinstance(data, bool):
            return float(data)
        raise MalformedRecord(_expected(place, "a number", data))
    if hint is Path:
        return Path(_convert_plain(str, data, place))
    if isinstance(data, bool) is not (hint is bool) or not isinstance(data, hint):
        words = {int: "an integer", str: "a string", bool: "true or false"}
        raise MalformedRecord(_expected(place, words.get(hint, str(hint)), data))
    return data


def _expected(place: str, wanted: str, data: Any) -> str:
    """Say what stands at a place and what was expected there."""
    text = json.dumps(data, default=str)
    return f"{place}: expected {wanted}, got {text if len(text) <= 80 else text[:77] + '...'}"
