from __future__ import annotations

import jsonschema
import pytest

from robodyn_check.settings import KEYS, TABLE
from robodyn_check.settings_schema import PROPERTIES, SCHEMA_FILE, schema_text, settings_schema
from robodyn_check.settings_values import READERS


def test_the_schema_file_is_fresh() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), "python -m robodyn_check.settings_schema"


def test_every_key_has_a_schema() -> None:
    assert tuple(PROPERTIES) == KEYS


VALUES: list[tuple[str, object]] = [
    ("models", ["a.urdf"]),
    ("models", 3),
    ("lib", "pinocchio"),
    ("lib", [1]),
    ("isolated", True),
    ("samples", 1),
    ("samples", 0),
    ("samples", True),
    ("seed", 0),
    ("seed", -1),
    ("base", "floating"),
    ("base", "free"),
    ("gravity", [0, 0, -1.62]),
    ("gravity", [0, 0]),
    ("timeout", 0.5),
    ("timeout", 0),
    ("memory", 64),
    ("memory", 63),
    ("jobs", 1),
    ("jobs", 0),
    ("certify", "all"),
    ("certify", 0),
    ("certify", -1),
    ("ignore", {"RD104": "a reason"}),
    ("ignore", {"RD104": " "}),
    ("ignore", ["RD104"]),
    ("format", ["json=a.json", "terminal"]),
    ("fail_on", "warn"),
    ("fail_on", "never"),
    ("strict", False),
    ("known_failures", "known.toml"),
    ("known_failures", ""),
]


@pytest.mark.parametrize(("key", "value"), VALUES, ids=[f"{key}-{value}" for key, value in VALUES])
@pytest.mark.parametrize("spelling", ["_", "-"])
def test_schema_and_reader_agree(key: str, value: object, spelling: str) -> None:
    try:
        READERS[key](value)
        is_read = True
    except ValueError:
        is_read = False
    validator = jsonschema.Draft202012Validator(settings_schema())
    assert validator.is_valid({key.replace("_", spelling): value}) is is_read


def test_unknown_keys_are_refused() -> None:
    assert not jsonschema.Draft202012Validator(settings_schema()).is_valid({"sampels": 3})
    assert TABLE in settings_schema()["title"]
