"""The JSON Schema of ``[tool.robodyn-check]``; ``python -m robodyn_check.settings_schema`` writes it beside this file.

For editors and for validation. A test fails when it is stale, and another where it and the readers disagree.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from robodyn_check.report.render import FORMATS
from robodyn_check.settings import DEFAULT_LIBRARIES, Settings
from robodyn_check.settings_values import BASES, FAIL_ON

SCHEMA_FILE = Path(__file__).with_name("settings.schema.json")
_WORDS = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_DEFAULTS = Settings()
_FORMAT_PATTERN = f"^({'|'.join(FORMATS)})(=.+)?$"


def _words(description: str, **more: Any) -> dict[str, Any]:
    return {"description": description, **_WORDS, **more}


def _integer(description: str, least: int, default: int) -> dict[str, Any]:
    return {"description": description, "type": "integer", "minimum": least, "default": default}


#: One schema for every key of `settings.KEYS`.
PROPERTIES: dict[str, dict[str, Any]] = {
    "models": _words("URDF or MJCF files."),
    "lib": _words(
        f"Libraries, NAME[:PROFILE][==VERSION | @PATH/TO/python]; without it {', '.join(DEFAULT_LIBRARIES)}, "
        "of which missing ones are skipped."
    ),
    "adapter": _words("Adapter files or programs of your own."),
    "isolated": {
        "description": "Give every library an environment of its own.",
        "type": "boolean",
        "default": _DEFAULTS.isolated,
    },
    "samples": _integer("Number of states.", 1, _DEFAULTS.samples),
    "seed": _integer("Seed of the states.", 0, _DEFAULTS.seed),
    "base": {"description": "Base of a URDF robot.", "enum": list(BASES), "default": _DEFAULTS.base},
    "gravity": {
        "description": "Gravity in m/s², world axes; without it the format's own.",
        "type": "array",
        "items": {"type": "number"},
        "minItems": 3,
        "maxItems": 3,
    },
    "timeout": {
        "description": "Seconds that one call to a library may take.",
        "type": "number",
        "exclusiveMinimum": 0,
        "default": _DEFAULTS.timeout,
    },
    "memory": _integer("Memory of one library's process, MiB.", 64, _DEFAULTS.memory),
    "jobs": {
        "description": "Libraries that work at a time; without it one per core.",
        "type": "integer",
        "minimum": 1,
    },
    "certify": {
        "description": "Number of states to certify, or all; without it by the robot's size; 0: none.",
        "anyOf": [{"type": "integer", "minimum": 0}, {"const": "all"}],
    },
    "select": _words("Only these checks: codes, their beginnings, or slugs."),
    "ignore": {
        "description": "Not these checks: words, or a table from code to the reason.",
        "anyOf": [*_WORDS["anyOf"], {"type": "object", "additionalProperties": {"type": "string", "pattern": r"\S"}}],
    },
    "format": {
        "description": "Output formats, NAME or NAME=FILE.",
        "anyOf": [
            {"type": "string", "pattern": _FORMAT_PATTERN},
            {"type": "array", "items": {"type": "string", "pattern": _FORMAT_PATTERN}},
        ],
    },
    "fail_on": {
        "description": "The weakest verdict that fails the run.",
        "enum": list(FAIL_ON),
        "default": _DEFAULTS.fail_on,
    },
    "strict": {
        "description": "Do not excuse faults that are known to be the library's.",
        "type": "boolean",
        "default": _DEFAULTS.strict,
    },
    "exit_zero": {"description": "Exit with 0 whatever was found.", "type": "boolean", "default": _DEFAULTS.exit_zero},
    "known_failures": {"description": "Your list of known failures.", "type": "string", "minLength": 1},
}


def settings_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12); keys may be written with - or with _, unknown ones are refused."""
    spelled = {name.replace("_", "-"): entry for name, entry in PROPERTIES.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "[tool.robodyn-check] of pyproject.toml, or robodyn-check.toml",
        "type": "object",
        "properties": {**spelled, **PROPERTIES},
        "additionalProperties": False,
    }


def schema_text() -> str:
    """Return the text of settings.schema.json."""
    return json.dumps(settings_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
