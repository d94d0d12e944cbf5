from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from robodyn_check.report.json_format import to_json
from robodyn_check.report.schema import SCHEMA_FILE, report_schema, schema_text
from tests.report import fixtures


def errors(data: Any) -> list[str]:
    validator = jsonschema.Draft202012Validator(report_schema())
    return [error.message for error in validator.iter_errors(data)]


def test_the_schema_file_is_what_the_dataclasses_say():
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), "run: python -m robodyn_check.report.schema"


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(report_schema())


@pytest.mark.parametrize("make", [*fixtures.REPORTS.values(), fixtures.hostile], ids=[*fixtures.REPORTS, "hostile"])
def test_reports_are_valid(make: fixtures.Make):
    assert errors(json.loads(to_json(make()))) == []


@pytest.mark.parametrize("field", ["schema_version", "tool", "models", "summary", "exit_code", "footer"])
def test_a_report_without_a_field_is_not_valid(field: str):
    data = json.loads(to_json(fixtures.mixed()))
    del data[field]
    assert errors(data)


def test_a_wrong_verdict_is_not_valid():
    data = json.loads(to_json(fixtures.mixed()))
    data["models"][0]["results"][0]["verdict"] = "meh"
    assert errors(data)
