from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from robodyn_check.checks.texts import texts
from robodyn_check.report.results import Report, Result, Where
from robodyn_check.report.sarif import FINGERPRINT, sarif
from tests.report import fixtures

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))


def run(report: Report) -> Any:
    return json.loads(sarif(report))["runs"][0]


def fingerprints(report: Report) -> list[str]:
    return [result["partialFingerprints"][FINGERPRINT] for result in run(report)["results"]]


@pytest.mark.parametrize("make", [*fixtures.REPORTS.values(), fixtures.hostile], ids=[*fixtures.REPORTS, "hostile"])
def test_output_is_valid_against_the_standards_schema(make: fixtures.Make):
    validator = jsonschema.Draft4Validator(SCHEMA)
    assert [error.message for error in validator.iter_errors(json.loads(sarif(make())))] == []


def test_findings_have_file_line_and_level():
    results = run(fixtures.mixed())["results"]
    first = results[0]["locations"][0]["physicalLocation"]
    assert first == {"artifactLocation": {"uri": "arm.urdf"}, "region": {"startLine": 31}}
    assert [result["level"] for result in results] == ["error"] * 5 + ["warning"]


def test_known_failures_are_suppressed_not_hidden():
    suppressed = [result for result in run(fixtures.mixed())["results"] if "suppressions" in result]
    assert [entry["suppressions"][0]["justification"] for entry in suppressed] == ["oblique axes lose digits"]


def test_each_result_points_at_its_rule():
    found = run(fixtures.mixed())
    rules = found["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in found["results"])


def test_rules_carry_the_text_of_their_check():
    text = texts()[0]
    result = Result(code=text.code, slug=text.slug, verdict="fail", subject="model", message="bad")
    (rule,) = run(fixtures.report(fixtures.model((result,), ())))["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"] == text.title
    assert f"robodyn-check explain {text.code}" in rule["help"]["text"]


def test_fingerprints_stay_when_lines_numbers_versions_and_seeds_move():
    report = fixtures.mixed()
    model = report.models[0]
    moved = tuple(
        replace(
            result,
            margin=7.0,
            where=Where(file="arm.urdf", line=99) if result.where else None,
            worst=replace(result.worst, state=1, labels=("shoulder",)) if result.worst else None,
            again="another command",
        )
        for result in model.results
    )
    states = replace(model.states, seed=1) if model.states else None
    same = replace(report, models=(replace(model, results=moved, states=states),))
    assert sorted(fingerprints(same)) == sorted(fingerprints(report))


def test_fingerprints_are_all_different():
    found = fingerprints(fixtures.many(30))
    assert len(set(found)) == len(found)


def test_paths_become_addresses():
    where = Where(file="/robots/my arm#2.urdf", line=1)
    result = fixtures.failed("drake", where=where)
    (entry,) = run(fixtures.report(fixtures.model((result,), ())))["results"]
    address = entry["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert address == "file:///robots/my%20arm%232.urdf"
