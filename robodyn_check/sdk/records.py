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
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable

    Converter = Callable[[Any], Any]

Record = TypeVar("Record")
SPELLINGS: dict[str, float] = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class MalformedRecord(ValueError):
    """A message's content has the wrong shape; the text names the place and what was expected there."""


class _Misfit(Exception):
    """What stands at a place inside a record and was not expected; those above add where it is."""

    def __init__(self, problem: str, place: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.place = place

    def inside(self, step: str) -> _Misfit:
        """Return the same misfit as seen from one level above."""
        return _Misfit(self.problem, step + self.place)


def spell(number: float) -> float | str:
    """Return the JSON form of a double: itself, or the word for what JSON cannot write."""
    if math.isnan(number):
        return "NaN"
    return number if math.isfinite(number) else ("Infinity" if number > 0 else "-Infinity")


def to_json(value: Any) -> Any:
    """Turn a dataclass, and all that it holds, into what `json.dumps` takes."""
    kind: Any = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is float:
        return spell(value)
    if isinstance(value, (tuple, list)):
        return [to_json(entry) for entry in value]
    if isinstance(value, dict):
        return {str(key): to_json(entry) for key, entry in value.items()}
    names = _field_names(kind)
    return _odd(value) if names is None else {name: to_json(getattr(value, name)) for name in names}


_AS_THEY_ARE = frozenset({str, int, bool, type(None)})


def _odd(value: Any) -> Any:
    """Write what is neither a record nor of one of JSON's own types."""
    if isinstance(value, float):
        return spell(float(value))
    if isinstance(value, (str, int)):
        return value
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "item"):  # a NumPy scalar that an adapter left in a record
        return to_json(value.item())
    message = f"cannot be written as JSON: {value!r}"
    raise MalformedRecord(message)


@cache
def _field_names(kind: type) -> tuple[str, ...] | None:
    """Return the names of a dataclass's fields, None for any other type."""
    return tuple(field.name for field in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else None


def from_json(record: type[Record], data: Any, place: str) -> Record:
    """Build a frozen dataclass from decoded JSON; unknown fields are ignored, so that newer peers stay readable.

    Raises:
        MalformedRecord: A field is missing or has the wrong type; the text starts with its place.
    """
    try:
        return cast("Record", _converter(cast("Any", record))(data))
    except _Misfit as misfit:
        message = f"{place}{misfit.place}: {misfit.problem}"
        raise MalformedRecord(message) from misfit


@cache
def _converter(hint: Any) -> Converter:  # noqa: PLR0911 - one return per kind of annotation
    """Return the function that turns decoded JSON into the annotated type; it raises _Misfit."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return lambda data: data
    if origin in {Union, types.UnionType}:
        return _to_optional(parts)
    if origin is Literal:
        return _to_choice(parts)
    if origin is tuple:
        return _to_array(_converter(parts[0])) if parts[1:] == (Ellipsis,) else _to_entries(parts)
    if origin is dict:
        return _to_object(_converter(parts[1]))
    if dataclasses.is_dataclass(hint):
        return _to_record(cast("type", hint))
    if hint is float:
        return _number
    if hint is Path:
        text = _to_leaf(str)
        return lambda data: Path(text(data))
    return _to_leaf(hint)


def _to_record(record: type) -> Converter:
    hints = get_type_hints(record)
    fields = [(field.name, _converter(hints[field.name]), _is_required(field)) for field in dataclasses.fields(record)]

    def convert(data: Any) -> Any:
        if not isinstance(data, dict):
            raise _expected("an object", data)
        values = {}
        for name, converter, required in fields:
            if name in data:
                try:
                    values[name] = converter(data[name])
                except _Misfit as misfit:
                    raise misfit.inside(f".{name}") from misfit
            elif required:
                raise _Misfit(f"missing (present: {', '.join(sorted(data)) or 'none'})", f".{name}")
        return record(**values)

    return convert


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _to_optional(choices: tuple[Any, ...]) -> Converter:
    """Convert to the one real choice of ``X | None``."""
    (choice,) = (_converter(choice) for choice in choices if choice is not type(None))
    may_be_none = type(None) in choices
    return lambda data: None if data is None and may_be_none else choice(data)


def _to_choice(choices: tuple[Any, ...]) -> Converter:
    def convert(data: Any) -> Any:
        if data not in choices:
            raise _expected("one of " + ", ".join(map(repr, choices)), data)
        return data

    return convert


def _to_array(item: Converter) -> Converter:
    def convert(data: Any) -> tuple[Any, ...]:
        return _each((item,) * len(_list(data)), data)

    return convert


def _to_entries(hints: tuple[Any, ...]) -> Converter:
    items = tuple(map(_converter, hints))

    def convert(data: Any) -> tuple[Any, ...]:
        if len(_list(data)) != len(items):
            raise _expected(f"an array of {len(items)} entries", data)
        return _each(items, data)

    return convert


def _list(data: Any) -> Any:
    if not isinstance(data, (list, tuple)):
        raise _expected("an array", data)
    return data


def _each(items: tuple[Converter, ...], data: Any) -> tuple[Any, ...]:
    """Convert entry by entry."""
    values: list[Any] = []
    try:
        for item, entry in zip(items, data, strict=True):
            values.append(item(entry))
    except _Misfit as misfit:
        raise misfit.inside(f"[{len(values)}]") from misfit
    return tuple(values)


def _to_object(item: Converter) -> Converter:
    """Convert an object with free names."""

    def convert(data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise _expected("an object", data)
        values = {}
        for key, entry in data.items():
            try:
                values[str(key)] = item(entry)
            except _Misfit as misfit:
                raise misfit.inside(f".{key}") from misfit
        return values

    return convert


def _number(data: Any) -> float:
    if type(data) is float:
        return data
    if isinstance(data, str) and data in SPELLINGS:
        return SPELLINGS[data]
    if isinstance(data, (int, float)) and not isinstance(data, bool):
        return float(data)
    raise _expected("a number", data)


def _to_leaf(kind: type) -> Converter:
    """Convert text, an integer or a truth value."""
    words = {int: "an integer", str: "a string", bool: "true or false"}

    def convert(data: Any) -> Any:
        if isinstance(data, bool) is not (kind is bool) or not isinstance(data, kind):
            raise _expected(words.get(kind, str(kind)), data)
        return data

    return convert


def _expected(wanted: str, data: Any) -> _Misfit:
    """Say what was expected and what stands there."""
    text = json.dumps(data, default=str)
    return _Misfit(f"expected {wanted}, got {text if len(text) <= 80 else text[:77] + '...'}")
