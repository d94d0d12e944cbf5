"""The JSON Schema of the report, made from the dataclasses, so that the two cannot part.

report.schema.json beside this file is its output; ``python -m robodyn_check.report.schema`` writes it again.
"""

from __future__ import annotations

import json
import types
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from robodyn_check.report.json_format import NOT_FINITE, hints_of, json_name
from robodyn_check.report.results import Report

SCHEMA_FILE = Path(__file__).with_name("report.schema.json")
_SCALARS: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    float: {"anyOf": [{"type": "number"}, {"enum": list(NOT_FINITE)}]},
    object: {},
}


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one report."""
    definitions: dict[str, Any] = {}
    _schema(Report, definitions)
    report = definitions.pop("Report")
    del report["properties"]["complete"]
    report["properties"]["schema_version"] = {"type": "string", "pattern": r"^1\.[0-9]+$"}
    report["properties"]["footer"] = {
        "description": "The last key; it proves that the file is whole.",
        "type": "object",
        "properties": {"complete": {"type": "boolean"}},
        "required": ["complete"],
    }
    report["required"] = sorted({*report["required"], "schema_version", "footer"})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "robodyn-check report",
        **report,
        "$defs": dict(sorted(definitions.items())),
    }


def schema_text() -> str:
    """Return the text of report.schema.json."""
    return json.dumps(report_schema(), indent=2, ensure_ascii=False) + "\n"


def _schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin, arguments = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        assert isinstance(hint, type)
        return _reference(hint, definitions)
    if origin in {Union, types.UnionType}:
        return {
            "anyOf": [
                {"type": "null"} if argument is type(None) else _schema(argument, definitions) for argument in arguments
            ]
        }
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple:
        size = {} if arguments[-1] is Ellipsis else {"minItems": len(arguments), "maxItems": len(arguments)}
        return {"type": "array", "items": _schema(arguments[0], definitions), **size}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1], definitions)}
    return dict(_SCALARS[hint])


def _reference(owner: type, definitions: dict[str, Any]) -> dict[str, Any]:
    if owner.__name__ not in definitions:
        definitions[owner.__name__] = {}
        hints = hints_of(owner)
        definitions[owner.__name__] = {
            "description": " ".join((owner.__doc__ or "").split()),
            "type": "object",
            "properties": {json_name(owner, field): _schema(hints[field.name], definitions) for field in fields(owner)},
            "required": [json_name(owner, f) for f in fields(owner) if f.default is MISSING],
        }
    return {"$ref": f"#/$defs/{owner.__name__}"}


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
