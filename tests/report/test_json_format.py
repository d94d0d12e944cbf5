from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from robodyn_check.errors import UsageError
from robodyn_check.report.json_format import read_report, to_json
from tests.report import fixtures

if TYPE_CHECKING:
    from robodyn_check.report.results import Report


def changed(report: Report, **changes: Any) -> str:
    return json.dumps({**json.loads(to_json(report)), **changes})


@pytest.mark.parametrize("make", fixtures.REPORTS.values(), ids=fixtures.REPORTS)
def test_a_report_reads_back_equal(make: fixtures.Make):
    assert read_report(to_json(make())) == make()


def test_hostile_text_reads_back_equal():
    assert read_report(to_json(fixtures.hostile())) == fixtures.hostile()


def test_equal_reports_give_equal_bytes():
    text = to_json(fixtures.mixed())
    assert to_json(read_report(text)) == text


def test_names_are_those_that_scripts_rely_on():
    data = json.loads(to_json(fixtures.mixed()))
    assert next(iter(data)) == "schema_version"
    assert list(data)[-1] == "footer"
    assert data["footer"] == {"complete": True}
    assert set(data["summary"]) == {"pass", "warn", "fail", "error", "skip", "known"}
    result = next(entry for entry in data["models"][0]["results"] if entry["verdict"] == "fail")
    assert {"code", "slug", "verdict", "known", "subject", "against", "quantity", "worst", "errors", "error", "bound",
            "margin", "cause", "where", "again"} <= set(result)  # fmt: skip
    assert set(result["worst"]) == {"index", "labels", "got", "expected", "bound", "state"}


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_doubles_that_are_not_finite_have_a_spelling(value: float):
    report = fixtures.report(
        fixtures.model((fixtures.passed("drake", "mass_matrix", error=value),), (fixtures.subject("drake"),))
    )
    read = read_report(to_json(report)).models[0].results[0].error
    assert read is not None
    assert read == value or (math.isnan(read) and math.isnan(value))


def test_unknown_fields_of_a_later_minor_version_are_passed_over():
    assert read_report(changed(fixtures.mixed(), schema_version="1.9", news=1)) == replace(
        fixtures.mixed(), schema_version="1.9"
    )


def test_fields_that_an_earlier_minor_version_did_not_have_take_their_defaults():
    data = json.loads(to_json(fixtures.all_pass()))
    for result in data["models"][0]["results"]:
        del result["difference"]
    assert read_report(json.dumps(data)) == fixtures.all_pass()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the report is not JSON: line 1, column 1"),
        (to_json(fixtures.mixed())[:-40], "It may be cut off; write it again with --format json=FILE"),
        ("[]", r"the report must be a JSON object, not \[\]"),
        ("{}", "the report has no schema_version; this robodyn-check reads version 1.x"),
        (changed(fixtures.mixed(), schema_version="2.0"), "schema_version '2.0'; this robodyn-check reads version 1.x"),
        (changed(fixtures.mixed(), footer=None), 'the report has no "footer", so it is cut off'),
        (changed(fixtures.mixed(), exit_code="one"), 'report.exit_code must be a whole number, not "one"'),
        (changed(fixtures.mixed(), exit_code=True), "report.exit_code must be a whole number, not true"),
        (changed(fixtures.mixed(), models=[3]), r"report.models\[0\] must be an object, not 3"),
        (changed(fixtures.mixed(), models={}), "report.models must be a list, not {}"),
        (changed(fixtures.mixed(), tool={}), "report.tool.name is missing"),
        (
            to_json(fixtures.mixed()).replace('"verdict": "warn"', '"verdict": "meh"'),
            r"report.models\[0\].results\[0\].verdict must be 'pass' or 'warn' or 'fail' or 'error' or 'skip', not",
        ),
        (
            to_json(fixtures.mixed()).replace('"fixed",\n    "gravity": [0.0, 0.0, -9.81]', '"fixed", "gravity": [0]'),
            r"states.gravity must be a list of 3, not \[0\]",
        ),
    ],
)  # fmt: skip
def test_a_report_that_cannot_be_read_says_where_and_what_to_do(text: str, message: str):
    with pytest.raises(UsageError, match=message):
        read_report(text)
