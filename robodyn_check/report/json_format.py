"""The JSON report: `to_json` writes it, `read_report` reads it back. Equal reports give equal bytes.

The names are those of report/results.py, with two differences: ``summary.passed`` is spelled ``pass``, and ``complete``
stands in a last key, ``footer``, which proves that the file is whole. A double that is not finite is the string
``NaN``, ``Infinity`` or ``-Infinity``; None is null. ``mechanism`` and ``readback`` are plain JSON and come back as
such (a tuple as a list). ``schema_version`` is major.minor: additions are minor, changes are major.
"""

from __future__ import annotations

import json
import math
import types
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Union, get_args, get_origin, get_type_hints

from robodyn_check.errors import UsageError
from robodyn_check.report import results
from robodyn_check.report.results import SCHEMA_VERSION, Report, Summary

if TYPE_CHECKING:
    from collections.abc import Iterable

#: How doubles that JSON cannot write are spelled.
NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
#: One encoder for all: `json.dumps` with options makes a new one every time.
_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def to_json(report: Report) -> str:
    """Write a report as JSON: a key a line, lists of numbers on one line, a newline at the end."""
    plain = _plain(report)
    plain["footer"] = {"complete": plain.pop("complete")}
    first = {"schema_version": plain.pop("schema_version")}
    return _written(first | plain, "\n") + "\n"


def dumps(value: object) -> str:
    """Write any frozen record of the project as JSON, in the same spelling as a report."""
    return _written(_plain(value), "\n") + "\n"


def read_report(text: str) -> Report:
    """Read a report that `to_json` wrote, of this major version.

    Raises:
        UsageError: Not JSON, cut off, another major version, or a field that is missing or of the wrong type.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(
            f"the report is not JSON: line {error.lineno}, column {error.colno}: {error.msg}. "
            "It may be cut off; write it again with --format json=FILE."
        ) from None
    if not isinstance(data, dict):
        raise UsageError(f"the report must be a JSON object, not {_kind(data)}. Write one with --format json=FILE.")
    _check_version(data.get("schema_version"))
    footer = data.get("footer")
    if not isinstance(footer, dict) or not isinstance(footer.get("complete"), bool):
        raise UsageError(
            'the report has no "footer", so it is cut off: the run that wrote it was killed. Write it again.'
        )
    report = _value(Report, {**data, "complete": footer["complete"]}, "report")
    assert isinstance(report, Report)
    return report


def json_name(owner: type, field: Field[Any]) -> str:
    """Return the name that a field has in JSON."""
    return "pass" if owner is Summary and field.name == "passed" else field.name


def hints_of(owner: type) -> dict[str, Any]:
    """Return the resolved types of a dataclass of report/results.py."""
    return get_type_hints(owner, vars(results))


def _plain(value: object) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else _spelled(value)
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    kind: Any = type(value)
    return {name: _plain(getattr(value, attribute)) for attribute, name in _names(kind)}


def _spelled(value: float) -> str:
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


@cache
def _names(owner: type[Any]) -> tuple[tuple[str, str], ...]:
    """Return the fields of a dataclass, each with its name in JSON."""
    return tuple((field.name, json_name(owner, field)) for field in fields(owner))


def _written(value: Any, newline: str) -> str:
    """Write plain data; what holds no object and no list stays on one line."""
    if isinstance(value, dict):
        if _holds_more(value.values()):
            inner = newline + " "
            pairs = [f"{_ENCODE(key)}: {_written(entry, inner)}" for key, entry in value.items()]
            return "{" + inner + ("," + inner).join(pairs) + newline + "}"
    elif isinstance(value, list) and _holds_more(value):
        inner = newline + " "
        return "[" + inner + ("," + inner).join([_written(entry, inner) for entry in value]) + newline + "]"
    return _ENCODE(value)


def _holds_more(entries: Iterable[object]) -> bool:
    return any(type(entry) in {dict, list} for entry in entries)


def _check_version(version: object) -> None:
    ours = SCHEMA_VERSION.split(".", maxsplit=1)[0]
    if not isinstance(version, str) or version.split(".", maxsplit=1)[0] != ours:
        found = "no schema_version" if version is None else f"schema_version {version!r}"
        raise UsageError(
            f"the report has {found}; this robodyn-check reads version {ours}.x. "
            "Check the model again, or read the report with the version that wrote it."
        )


def _value(hint: Any, data: object, place: str) -> object:
    """Read one value of a declared type; every fault names its place: ``report.models[0].states.seed``."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in {Union, types.UnionType}:
        if data is None and type(None) in arguments:
            return None
        (hint,) = (argument for argument in arguments if argument is not type(None))
        return _value(hint, data, place)
    if is_dataclass(hint):
        assert isinstance(hint, type)
        return _record(hint, data, place)
    if origin is tuple:
        return _entries(arguments, data, place)
    if origin is dict:
        if not isinstance(data, dict):
            _refuse(data, place, "an object")
        return {key: _value(arguments[1], entry, f"{place}.{key}") for key, entry in data.items()}
    return _scalar(hint, data, place)


def _record(owner: type, data: object, place: str) -> object:
    if not isinstance(data, dict):
        _refuse(data, place, "an object")
    hints, given = hints_of(owner), {}
    for field in fields(owner):
        name = json_name(owner, field)
        if name in data:
            given[field.name] = _value(hints[field.name], data[name], f"{place}.{name}")
        elif field.default is MISSING and field.default_factory is MISSING:
            raise UsageError(f"{place}.{name} is missing from the report. Write the report again.")
    return owner(**given)


def _entries(arguments: tuple[Any, ...], data: object, place: str) -> tuple[object, ...]:
    if not isinstance(data, list):
        _refuse(data, place, "a list")
    hints = arguments[:1] * len(data) if arguments[-1] is Ellipsis else arguments
    if len(hints) != len(data):
        _refuse(data, place, f"a list of {len(hints)}")
    return tuple(_value(hint, entry, f"{place}[{k}]") for k, (hint, entry) in enumerate(zip(hints, data, strict=True)))


def _scalar(hint: Any, data: object, place: str) -> object:
    if hint is object:
        return data
    if get_origin(hint) is Literal:
        allowed = get_args(hint)
        return data if data in allowed else _refuse(data, place, " or ".join(map(repr, allowed)))
    if hint is float:
        if isinstance(data, str) and data in NOT_FINITE:
            return NOT_FINITE[data]
        if isinstance(data, (int, float)) and not isinstance(data, bool):
            return float(data)
        _refuse(data, place, "a number")
    names = {str: "a string", int: "a whole number", bool: "true or false"}
    return data if type(data) is hint else _refuse(data, place, names[hint])


def _refuse(data: object, place: str, expected: str) -> NoReturn:
    raise UsageError(f"{place} must be {expected}, not {_kind(data)}. Write the report again.")


def _kind(data: object) -> str:
    shown = json.dumps(data, ensure_ascii=False)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
