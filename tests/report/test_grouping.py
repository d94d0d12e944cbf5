from __future__ import annotations

import pytest

from robodyn_check.report.grouping import groups
from robodyn_check.report.results import Cause, Result
from tests.report import fixtures


def test_findings_of_one_cause_are_one_group_with_the_worst_first():
    first = groups(fixtures.mixed().models[0])[0]
    assert first.cause == fixtures.DROPPED_ARMATURE
    assert [result.quantity for result in first.results] == ["mass_matrix", "inverse_dynamics"]


def test_groups_go_from_open_fails_to_skips():
    words = [group.word for group in groups(fixtures.mixed().models[0])]
    assert words == ["FAIL", "FAIL", "ERROR", "known fail", "warn", "skip"]


def test_every_finding_is_in_exactly_one_group_and_passes_are_in_none():
    model = fixtures.mixed().models[0]
    grouped = [id(result) for group in groups(model) for result in group.results]
    assert sorted(grouped) == sorted(id(result) for result in model.results if result.verdict != "pass")


def test_the_same_cause_in_two_libraries_stays_apart():
    results = tuple(fixtures.failed(library, cause=fixtures.DROPPED_ARMATURE) for library in ("drake", "mujoco"))
    model = fixtures.model(results, (fixtures.subject("drake"), fixtures.subject("mujoco")))
    assert [group.subject for group in groups(model)] == ["drake", "mujoco"]


def test_findings_about_the_file_are_grouped_by_check_each_with_its_own_place():
    results = tuple(
        Result(
            code="RD107",
            slug="axis-not-unit",
            verdict="warn",
            subject="model",
            message=f"axis of {joint}",
            cause=Cause(name="axis-not-unit", text="not unit", element=joint),
        )
        for joint in ("shoulder", "elbow")
    )
    (group,) = groups(fixtures.model(results, ()))
    assert (group.title, group.cause, len(group.results)) == ("axis-not-unit", None, 2)


@pytest.mark.parametrize(
    ("wrong", "title"),
    [
        ((), "differs from mujoco; the truth contradicts neither"),
        (("drake",), "differs from mujoco; the truth contradicts drake"),
        (("mujoco",), "differs from mujoco; the truth contradicts mujoco"),
        (("drake", "mujoco"), "differs from mujoco; the truth contradicts both"),
    ],
)
def test_two_libraries_that_differ_are_a_group_of_their_own_after_the_truth(wrong: tuple[str, ...], title: str):
    pair = fixtures.failed("drake", against="mujoco", margin=1e30)
    results = (pair, *(fixtures.failed(library) for library in wrong))
    found = groups(fixtures.model(results, (fixtures.subject("drake"), fixtures.subject("mujoco"))))
    assert [group.title for group in found] == ["no cause found"] * len(wrong) + [title]


def test_one_cause_shows_the_truth_before_other_libraries():
    results = (
        fixtures.failed("drake", against="mujoco", margin=1e30, cause=fixtures.DROPPED_ARMATURE),
        fixtures.failed("drake", cause=fixtures.DROPPED_ARMATURE),
    )
    (group,) = groups(fixtures.model(results, (fixtures.subject("drake"),)))
    assert [result.against for result in group.results] == ["reference", "mujoco"]
