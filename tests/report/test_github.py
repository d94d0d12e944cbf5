from __future__ import annotations

import re

import pytest

from robodyn_check.report.github import ANNOTATIONS, SUMMARY_LIMIT, job_summary, workflow_commands
from robodyn_check.report.results import Report, Result, Where
from tests.report import fixtures


def commands(report: Report) -> list[str]:
    return [line for line in workflow_commands(report).splitlines() if line.startswith("::")]


def faults(number: int) -> Report:
    results = tuple(
        fixtures.failed(f"library{k}", where=Where(file="arm.urdf", line=k + 1), difference=None) for k in range(number)
    )
    return fixtures.report(fixtures.model(results, ()))


def test_failures_stand_at_the_line_of_their_cause():
    first = commands(fixtures.mixed())[0]
    assert first.startswith("::error file=arm.urdf,line=31,title=FAIL%3A drake%3A cause%3A armature dropped (elbow)::")


def test_known_failures_and_warnings_are_warnings_and_skips_are_silent():
    kinds = [command.split(" ")[0] for command in commands(fixtures.mixed())]
    assert kinds == ["::error", "::error", "::error", "::warning", "::warning"]


@pytest.mark.parametrize(("number", "shown"), [(0, 0), (10, 10), (11, 10), (40, 10)])
def test_there_are_at_most_ten_annotations(number: int, shown: int):
    found = commands(faults(number))
    assert len(found) == shown <= ANNOTATIONS
    if number > ANNOTATIONS:
        assert f"{number - 9} more findings" in found[-1]


def test_no_name_can_start_a_command_or_a_property():
    lines = workflow_commands(fixtures.hostile()).splitlines()
    assert all(re.match(r"::(error|warning|notice) |robodyn-check: ", line) for line in lines)
    for line in lines[:-1]:
        properties = line.split("::")[1]
        assert re.fullmatch(r"\w+ file=[^:,]*(,line=\d+)?,title=[^:,]*", properties)


def test_a_job_summary_stays_below_a_mebibyte():
    assert len(job_summary(fixtures.many(6000)).encode()) <= SUMMARY_LIMIT < 2**20


def test_each_finding_about_the_file_is_annotated_at_its_own_line():
    results = tuple(
        Result(code="RD107", slug="axis", verdict="warn", subject="model", where=Where(file="a.urdf", line=line))
        for line in (3, 9)
    )
    found = commands(fixtures.report(fixtures.model(results, ())))
    assert [line.split(",")[1] for line in found] == ["line=3", "line=9"]
