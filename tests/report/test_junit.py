from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from robodyn_check.report.junit import junit
from tests.report import fixtures

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.report.results import Report


SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).parent / "schemas" / "junit.xsd"))


def cases(report: Report) -> list[ET.Element]:
    return list(ET.fromstring(junit(report)).iter("testcase"))  # noqa: S314 - our own text


@pytest.mark.parametrize("make", [*fixtures.REPORTS.values(), fixtures.hostile], ids=[*fixtures.REPORTS, "hostile"])
def test_counts_are_those_of_the_cases(make: fixtures.Make):
    root = ET.fromstring(junit(make()))  # noqa: S314 - our own text
    for suites in (root, *root):
        counters = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
        for counter, tag in counters.items():
            if suites is root and counter == "skipped":
                continue  # the format has it on suites alone
            assert int(suites.get(counter, "-1")) == len(list(suites.iter(tag)))


@pytest.mark.parametrize("make", [*fixtures.REPORTS.values(), fixtures.hostile], ids=[*fixtures.REPORTS, "hostile"])
def test_the_report_is_valid_against_the_schema_of_the_format(make: fixtures.Make):
    SCHEMA.assertValid(etree.fromstring(junit(make()).encode()))


@pytest.mark.parametrize(
    "change",
    [
        lambda root: root.set("skipped", "1"),
        lambda root: root[0].set("tests", "-1"),
        lambda root: root[0].attrib.pop("name"),
        lambda root: root[0][0].append(etree.Element("warning")),
        lambda root: root[0].set("time", "1,5"),
    ],
    ids=["attribute-beyond", "negative-count", "suite-without-name", "element-beyond", "comma-in-time"],
)
def test_the_schema_sees_what_does_not_belong(change: Callable[[etree._Element], object]):
    root = etree.fromstring(junit(fixtures.mixed()).encode())
    change(root)
    assert not SCHEMA.validate(root)


@pytest.mark.parametrize("make", fixtures.REPORTS.values(), ids=fixtures.REPORTS)
def test_cases_of_a_suite_have_names_of_their_own_without_numbers(make: fixtures.Make):
    names = [(case.get("classname"), case.get("name")) for case in cases(make())]
    assert len(names) == len(set(names))
    assert not any(re.search(r"\d", name or "") for _, name in names)


def test_names_do_not_move_when_versions_and_values_do():
    def names(report: Report) -> list[tuple[str | None, str | None]]:
        return [(case.get("classname"), case.get("name")) for case in cases(report)]

    report = fixtures.mixed()
    model = report.models[0]
    newer = replace(
        model,
        subjects=tuple(replace(subject, version="9.9") for subject in model.subjects),
        results=tuple(replace(result, margin=0.5, error=1e-9) for result in model.results),
    )
    assert names(replace(report, models=(newer,))) == names(report)


def test_verdicts_become_their_kind():
    found = {case.get("name"): [child.tag for child in case] for case in cases(fixtures.mixed())}
    assert found["gravity-vector-agrees of gravity_vector against reference"] == ["failure"]
    assert found["answers of gravity_vector"] == ["error"]
    assert found["regressor-agrees"] == ["skipped"]
    assert found["axis-not-unit"] == ["system-out"]
    assert found["mass-matrix-agrees of mass_matrix against reference"] == ["skipped"]


def test_a_known_failure_says_why_it_is_no_failure():
    (known,) = [case for case in cases(fixtures.mixed()) if "known" in str(ET.tostring(case))]
    assert known[0].get("message") == "known fail: oblique axes lose digits"


def test_several_findings_of_one_claim_are_one_case_with_all_of_them():
    report = fixtures.report(
        fixtures.model((fixtures.failed("drake"), fixtures.failed("drake", margin=3.0)), (fixtures.subject("drake"),))
    )
    (case,) = cases(report)
    assert "2.0e+12 times" in (case[0].text or "")
    assert "3 times" in (case[0].text or "")
