"""The exam counts honestly: what is found, what is missed, what cannot be seen, and what was cried for nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from robodyn_check.faults.fault import reference_answerer
from robodyn_check.faults.file_faults import sized_faults, whole_faults
from robodyn_check.faults.library import LIBRARY_FAULTS
from robodyn_check.model.read import read_model
from robodyn_check.run import exam as exam_module
from robodyn_check.run import exam_class as class_module
from robodyn_check.run.exam import Exam, Mark, examine
from robodyn_check.run.exam_class import exam_class
from robodyn_check.run.exam_page import exam_page
from robodyn_check.run.exam_sizes import BOUNDS, RULES, Threshold, threshold

if TYPE_CHECKING:
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.run.exam_class import ExamClass

MODELS = Path(__file__).parents[2] / "models"


@pytest.fixture(scope="module")
def arm() -> RobotModel:
    return read_model(MODELS / "planar_2r" / "model.urdf")


@pytest.fixture(scope="module")
def swing() -> RobotModel:
    """The smallest robot: each pupil costs a full set of checks."""
    return read_model(MODELS / "pendulum" / "model.urdf")


@pytest.fixture(scope="module")
def pupils(swing: RobotModel) -> ExamClass:
    return exam_class(swing, base="fixed", seed=0)


def test_an_honest_pupil_gives_no_finding(pupils: ExamClass):
    assert pupils.findings(reference_answerer(pupils.setting.mechanism)) == []


def test_each_fault_of_a_few_is_found_and_one_without_a_place_is_not_applicable(
    swing: RobotModel, monkeypatch: pytest.MonkeyPatch
):
    few = tuple(fault for fault in LIBRARY_FAULTS if fault.name in {"gravity-sign", "gravity-magnitude"})
    assert few, "the faults are called like this"
    nowhere = replace(few[0], name="nowhere", plant=lambda _scene: None)
    monkeypatch.setattr(exam_module, "LIBRARY_FAULTS", (*few, nowhere))
    monkeypatch.setattr(exam_module, "whole_faults", lambda _robot: ())
    outcome = Exam()
    examine(outcome, swing, numbers=0)
    assert outcome.false_alarms == []
    assert [mark.outcome for mark in outcome.marks] == ["found"] * len(few) + ["not applicable"]
    assert all(mark.on_expected for mark in outcome.marks)


def test_a_blind_jury_misses_and_says_so(swing: RobotModel, monkeypatch: pytest.MonkeyPatch):
    few = tuple(fault for fault in LIBRARY_FAULTS if fault.name == "gravity-sign")
    monkeypatch.setattr(exam_module, "LIBRARY_FAULTS", few)
    monkeypatch.setattr(exam_module, "whole_faults", lambda _robot: ())
    monkeypatch.setattr(class_module, "WRONG", frozenset())
    outcome = Exam()
    examine(outcome, swing, numbers=0)
    assert [mark.outcome for mark in outcome.marks] == ["missed"]
    assert "- missed: gravity-sign on pendulum" in exam_page(outcome, "exam")


def test_a_change_that_moves_nothing_is_proven_so(swing: RobotModel, pupils: ExamClass):
    assert pupils.moves_like(swing)
    lost = next(fault for fault in whole_faults(swing) if fault.kind == "inertial-lost")
    assert not pupils.moves_like(lost.change(swing, 0.0))


def test_bounds_see_smaller_changes_than_fixed_tolerances(swing: RobotModel, pupils: ExamClass):
    mass = next(fault for fault in sized_faults(swing, seed=0, count=20) if fault.kind == "mass")
    found = threshold(pupils, mass)
    size = found.smallest[BOUNDS]
    assert size is not None
    assert size <= 1e-11
    assert all((found.smallest[rule] or 1.0) > size for rule in RULES)


def test_numbers_are_drawn_by_seed_every_kind_in_turn(arm: RobotModel):
    first, again, other = (sized_faults(arm, seed=seed, count=6) for seed in (1, 1, 2))
    assert [(one.kind, one.element) for one in first] == [(one.kind, one.element) for one in again]
    assert len({one.kind for one in first}) == 6
    assert [(one.kind, one.element) for one in first] != [(one.kind, one.element) for one in other]


def test_every_change_touches_its_own_element_alone(arm: RobotModel):
    for fault in sized_faults(arm, seed=0, count=100):
        changed = fault.change(arm, 1e-3)
        touched = {after.name for before, after in zip(arm.links, changed.links, strict=True) if before != after}
        touched |= {after.name for before, after in zip(arm.joints, changed.joints, strict=True) if before != after}
        assert touched == {fault.element}


def test_the_page_counts_what_it_shows():
    marks = [
        Mark(model="m", fault="f", cause="c", element="l", outcome="found", quantities=("mass_matrix",)),
        Mark(model="m", fault="f", cause="c", element="k", outcome="not observable"),
    ]
    sizes = [
        Threshold(
            model="m", kind="mass", element=str(k), smallest={BOUNDS: 10.0**-k, **dict.fromkeys(RULES)}, observable=True
        )
        for k in range(6, 13)
    ]
    page = exam_page(Exam(marks=marks, thresholds=sizes, twins=1), "robodyn-check exam")
    assert "**1 of 1 found**; 1 more change nothing that moves" in page
    assert "| f | c | 1 | 0 | 1 | mass_matrix |" in page
    assert "median **1e-09**" in page
