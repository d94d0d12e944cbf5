"""The exam counts honestly: what is found, what is missed, what cannot be seen, and what was cried for nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from robodyn_check.faults.fault import Scene, batched
from robodyn_check.faults.file_faults import sized_faults, whole_faults
from robodyn_check.faults.library import LIBRARY_FAULTS, library_fault
from robodyn_check.model.read import read_model
from robodyn_check.run import exam as exam_module
from robodyn_check.run import exam_class as class_module
from robodyn_check.run.exam import Exam, examine
from robodyn_check.run.exam_class import exam_class
from robodyn_check.run.exam_marks import Mark, library_mark
from robodyn_check.run.exam_observable import moves_like, observable
from robodyn_check.run.exam_page import exam_page
from robodyn_check.run.exam_rules import RULES, broken_by, rounding_twin
from robodyn_check.run.exam_sizes import BOTH, BOUNDS, HELD, READBACK, threshold
from robodyn_check.run.truth import answer

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


@pytest.fixture(scope="module")
def scene(pupils: ExamClass) -> Scene:
    return Scene(robot=pupils.robot, mechanism=pupils.setting.mechanism, answer=pupils.honest, seed=0)


def test_an_honest_pupil_gives_no_finding(pupils: ExamClass):
    assert pupils.paper(batched(pupils.honest)).wrong == ()


def test_a_right_pupil_that_rounds_otherwise_gives_no_finding(arm: RobotModel):
    place = exam_class(arm, base="fixed", seed=0)
    twin = rounding_twin(place)
    assert place.paper(twin).wrong == ()
    assert "absolute 1e-6" not in broken_by(place, twin)


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
    assert [mark.naming.name for mark in outcome.marks if mark.naming] == ["right"] * len(few)


def test_a_fault_whose_named_cause_is_wrong_counts_as_wrong(pupils: ExamClass, scene: Scene):
    """The fault is a real one; its right answer is falsified, so the diagnosis must come out as wrong."""
    fault = replace(library_fault("gravity-sign"), cause="armature-dropped")
    mark = library_mark(pupils, fault, scene)
    assert (mark.outcome, mark.naming and mark.naming.name) == ("found", "wrong")
    assert "named wrongly" in exam_page(Exam(marks=[mark]), "exam", version="1")
    assert "- gravity-sign on pendulum: armature-dropped at the whole robot; name wrong" in exam_page(
        Exam(marks=[mark]), "exam", version="1"
    )


def test_a_blind_jury_misses_and_says_so(swing: RobotModel, monkeypatch: pytest.MonkeyPatch):
    few = tuple(fault for fault in LIBRARY_FAULTS if fault.name == "gravity-sign")
    monkeypatch.setattr(exam_module, "LIBRARY_FAULTS", few)
    monkeypatch.setattr(exam_module, "whole_faults", lambda _robot: ())
    monkeypatch.setattr(class_module, "WRONG", frozenset())
    outcome = Exam()
    examine(outcome, swing, numbers=0)
    assert [mark.outcome for mark in outcome.marks] == ["missed"]
    assert "- missed: gravity-sign on pendulum" in exam_page(outcome, "exam", version="1")


def test_a_change_that_moves_nothing_is_proven_so(swing: RobotModel, pupils: ExamClass):
    assert moves_like(pupils, swing)
    lost = next(fault for fault in whole_faults(swing) if fault.kind == "inertial-lost")
    assert not moves_like(pupils, lost.change(swing, 0.0))


def test_a_fault_in_answers_is_observable_where_true_values_move(pupils: ExamClass, scene: Scene):
    """A pendulum has one coordinate, so C transposed is C; its gravity with the other sign is another one."""
    assert not observable(pupils, library_fault("coriolis-transposed"), scene)
    assert observable(pupils, library_fault("gravity-vector-sign"), scene)


def test_bounds_see_smaller_changes_than_fixed_tolerances(swing: RobotModel, pupils: ExamClass):
    mass = next(fault for fault in sized_faults(swing, seed=0, count=20) if fault.kind == "mass")
    found = threshold(pupils, mass)
    size = found.smallest[BOUNDS]
    assert size is not None
    assert size <= 1e-11
    assert all((found.smallest[rule] or 1.0) > size for rule in RULES)


@pytest.mark.parametrize("kind", ["mass", "com", "inertia-diagonal", "inertia-product", "joint-xyz", "axis"])
def test_the_readback_shows_every_change_of_what_is_held(swing: RobotModel, pupils: ExamClass, kind: str):
    fault = next(one for one in sized_faults(swing, seed=0, count=20) if one.kind == kind)
    found = threshold(pupils, fault)
    assert found.kept_promise
    shown, both = found.smallest[READBACK], found.smallest[BOTH]
    assert shown is not None
    assert shown <= 1.01 * HELD
    assert both is not None
    assert both <= shown


def test_a_readback_that_shows_nothing_breaks_the_promise(
    swing: RobotModel, pupils: ExamClass, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("robodyn_check.run.exam_sizes.differences", lambda *_arguments: ())
    mass = next(fault for fault in sized_faults(swing, seed=0, count=20) if fault.kind == "mass")
    found = threshold(pupils, mass)
    assert not found.kept_promise
    page = exam_page(Exam(thresholds=[found, found]), "exam", version="1")
    assert f"- not in the readback: mass of {mass.element} on pendulum, a change of 0.1 of what is held" in page


def test_another_robot_is_judged_by_its_answers(swing: RobotModel, pupils: ExamClass):
    lost = next(fault for fault in whole_faults(swing) if fault.kind == "inertial-lost")
    held = pupils.reading(lost.change(swing, 0.0))
    assert held is not None
    assert pupils.paper(partial(answer, held), agreement_only=True).wrong


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


def test_marks_know_where_a_fault_had_to_show():
    mark = Mark(
        model="m",
        fault="f",
        cause="c",
        element=None,
        outcome="found",
        quantities=("mass_matrix",),
        expected=("gravity_vector",),
    )
    assert not mark.on_expected
    assert replace(mark, expected=()).on_expected
