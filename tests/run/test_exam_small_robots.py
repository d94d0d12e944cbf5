"""Small robots tell little, and what they tell is named: gravity that turns nothing at rest, planes that are tilted."""

from __future__ import annotations

from functools import cache

import pytest

from robodyn_check.faults.fault import Scene
from robodyn_check.faults.file_faults import sized_faults
from robodyn_check.faults.in_models import FOLDER
from robodyn_check.faults.library import library_fault
from robodyn_check.model.read import read_model
from robodyn_check.run.exam_class import ExamClass, exam_class
from robodyn_check.run.exam_marks import file_mark, library_mark


@cache
def pupils_of(model: str) -> ExamClass:
    return exam_class(read_model(FOLDER / f"{model}.urdf"), base="fixed", seed=0)


@pytest.mark.parametrize(
    ("model", "fault"),
    [
        ("fixed_link_between_joints", "gravity-sign"),
        ("fixed_link_between_joints", "gravity-magnitude"),
        ("fixed_link_between_joints", "gravity-circulates"),
        ("oblique_axis", "gravity-frame"),
        ("oblique_axis", "armature-injected"),
        ("rotated_inertial", "gravity-frame"),
        ("rotated_inertial", "inertial-rotation-ignored"),
        ("planar_joint", "gravity-magnitude"),
    ],
)
def test_a_fault_in_a_library_is_named(model: str, fault: str):
    pupils = pupils_of(model)
    scene = Scene(robot=pupils.robot, mechanism=pupils.setting.mechanism, answer=pupils.honest, seed=0)
    mark = library_mark(pupils, library_fault(fault), scene)
    assert mark.outcome == "found"
    assert mark.naming is not None
    assert (mark.naming.name, mark.naming.place) == ("right", "right")


@pytest.mark.parametrize(
    ("model", "kind", "size"),
    [
        ("planar_joint", "axis", 1e-6),
        ("planar_joint", "joint-xyz", 1e-3),
        ("planar_joint", "com", 1e-3),
        ("rotated_inertial", "com", 1e-3),
        ("rotated_inertial", "inertia-diagonal", 1e-1),
        ("oblique_axis", "axis", 1e-3),
    ],
)
def test_a_changed_number_is_named(model: str, kind: str, size: float):
    pupils = pupils_of(model)
    marks = [
        file_mark(pupils, fault, size) for fault in sized_faults(pupils.robot, seed=0, count=99) if fault.kind == kind
    ]
    found = [mark.naming for mark in marks if mark.naming is not None]
    assert found
    assert {(one.name, one.place) for one in found} == {("right", "right")}


def test_what_turns_nothing_is_proven_to_be_unobservable():
    """The link's origin stands on the axis, and a turn about the axis leaves the axis where it is."""
    pupils = pupils_of("oblique_axis")
    scene = Scene(robot=pupils.robot, mechanism=pupils.setting.mechanism, answer=pupils.honest, seed=0)
    assert library_mark(pupils, library_fault("jacobian-body-axes"), scene).outcome == "not observable"
