"""One number read wrongly by a loader is named for what it is, at the link or joint that is written, welds included."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from robodyn_check.diagnosis.diagnose import Alternative, Diagnosis, diagnose
from robodyn_check.faults.fault import reference_answerer
from robodyn_check.faults.file_faults import FileFault, reversed_rpy, sized_faults, whole_faults
from robodyn_check.model.build import build_mechanism
from tests.checks.conftest import bench
from tests.diagnosis.exam import evidence_of

if TYPE_CHECKING:
    from robodyn_check.model.robot import RobotModel

PLACE = bench("sliding_root")
ROBOT = PLACE.scene.robot
WELDS = [joint for joint in ROBOT.joints if joint.kind == "fixed" and joint.parent != ROBOT.links[0].name]
#: A weld that carries a moving joint, which departs along with it as far as bodies tell.
CARRYING = next(weld for weld in WELDS if any(j.parent == weld.child and j.kind != "fixed" for j in ROBOT.joints))


def diagnosis_under(robot: RobotModel) -> Diagnosis:
    found = diagnose(evidence_of(PLACE, reference_answerer(build_mechanism(robot))), library="planted", version="1")
    assert found is not None
    return found


def fault_of(kind: str, element: str | None = None) -> FileFault:
    faults = (*sized_faults(ROBOT, seed=0, count=10_000), *whole_faults(ROBOT))
    return next(one for one in faults if one.kind == kind and element in {None, one.element})


@pytest.mark.parametrize("size", [1e-1, 1e-3, 1e-6])
def test_a_weld_that_stands_elsewhere_is_named_and_not_what_it_carries(size: float):
    fault = fault_of("joint-xyz", CARRYING.name)
    found = diagnosis_under(fault.change(ROBOT, size))
    assert (found.general.name, found.general.element) == ("joint-placement-differs", CARRYING.name)


@pytest.mark.parametrize(
    ("kind", "element"),
    [("rpy-order", "joint1"), ("com-in-millimetres", "link3"), ("axis", "joint3"), ("axis", "joint0")],
)
def test_a_misreading_has_its_own_name(kind: str, element: str):
    fault = fault_of(kind, element)
    found = diagnosis_under(fault.change(ROBOT, 1e-3))
    assert (found.general.name, found.general.element) == (fault.causes[0], element)


def test_rpy_in_another_order_everywhere_is_one_cause():
    robot = ROBOT
    for joint in ROBOT.joints:
        if joint.placements and joint.placements[0].rotation is not None:
            robot = reversed_rpy(robot, joint.name)
    assert diagnosis_under(robot).general.name == "rpy-order"


def test_an_inertia_on_a_body_of_several_links_is_told_with_all_of_them():
    fault = fault_of("mass", CARRYING.child)
    found = diagnosis_under(fault.change(ROBOT, 1e-3))
    assert found.general.name == "inertial-parameters-differ"
    there = {found.general.element} | {one.element for one in found.alternatives}
    assert CARRYING.child in there
    told = next(line for line in found.general.evidence if line.startswith("no answer tells it from"))
    assert all(f"at {one.element}" in told for one in found.alternatives)


def test_a_slide_whose_placement_moves_along_it_may_have_its_zero_elsewhere():
    """Both are the same robot: its placement X exp(a q) is moved by X exp(a d)."""
    slide = PLACE.scene.mechanism.joints[0]
    assert slide.kind == "prismatic"
    mechanism = PLACE.scene.mechanism
    moved = mechanism.p_tree.copy()
    moved[:, slide.body] += 0.25 * mechanism.R_tree[:, :, slide.body] @ mechanism.axis[:, slide.body]
    answer = reference_answerer(replace(mechanism, p_tree=moved))
    found = diagnose(evidence_of(PLACE, answer), library="planted", version="1")
    assert found is not None
    assert (found.general.name, found.general.element) == ("joint-offset", slide.name)
    assert found.alternatives == (Alternative(cause="joint-placement-differs", element=slide.name),)
