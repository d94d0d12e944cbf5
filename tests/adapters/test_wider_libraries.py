"""Libraries beyond the default set: right on an ordinary arm; each of their real faults is found, and known."""

from __future__ import annotations

import pytest

from tests.adapters.library_runs import run

#: library -> quantities whose agreement with the truth must have been judged on an ordinary arm
RIGHT = {
    "idyntree": {"RD250", "RD350", "RD351", "RD451", "RD453", "RD454", "RD650", "RD651"},
    "dart": {"RD250", "RD350", "RD453", "RD454", "RD550", "RD551", "RD650", "RD651", "RD750"},
    "pybullet": {"RD250", "RD350", "RD453", "RD454", "RD651", "RD750"},
    "adam": {"RD250", "RD453", "RD454", "RD650", "RD651"},
    "exudyn": {"RD250", "RD453", "RD454", "RD650"},
    "urdf2casadi": {"RD250", "RD350", "RD453", "RD454", "RD650", "RD750"},
    "frax": {"RD250", "RD350", "RD453", "RD454", "RD650", "RD750"},
    "kdl": {"RD250", "RD350", "RD454", "RD650", "RD651"},
    "simbody": {"RD250", "RD350", "RD452", "RD453", "RD454", "RD550", "RD551", "RD650", "RD651", "RD750"},
    "kdl:canonical": {"RD250", "RD350", "RD454"},
    "sapien": {"RD250", "RD350", "RD450", "RD452", "RD453", "RD454", "RD650", "RD651", "RD750"},
}
#: (library, model, base): codes by which the fault shows
FAULTS = {
    ("idyntree", "hanging_arm.urdf", "floating"): {"RD401"},
    ("idyntree:default", "hanging_arm.urdf", "floating"): {"RD454", "RD904"},
    ("idyntree", "weightless_link.urdf", "fixed"): {"RD250", "RD350"},
    ("pybullet", "hanging_arm_turned_base.urdf", "fixed"): {"RD454", "RD453"},
    ("pybullet:default", "hanging_arm_box.urdf", "fixed"): {"RD250", "RD750"},
    ("pybullet:merged", "hanging_arm_welded_sides.urdf", "fixed"): {"RD250", "RD454"},
    ("pybullet", "hanging_arm_long_axis.urdf", "fixed"): {"RD750"},
    ("pybullet:default", "damped_arm.urdf", "fixed"): {"RD750"},
    ("pybullet", "massless_tip.urdf", "fixed"): {"RD250", "RD750"},
    ("pybullet", "hanging_arm.urdf", "fixed"): {"RD650"},
    ("pybullet", "hanging_arm.xml", "fixed"): {"RD250", "RD350", "RD750"},
    ("pybullet", "armature_arm.xml", "fixed"): {"RD942"},
    ("dart:default", "damped_arm.urdf", "fixed"): {"RD750"},
    ("dart:default", "massless_tip.urdf", "fixed"): {"RD250"},
    ("adam:default", "hanging_arm.urdf", "fixed"): {"RD454"},
    ("adam", "slider.urdf", "fixed"): {"RD942"},
    ("adam", "hanging_arm_long_axis.urdf", "fixed"): {"RD250"},
    ("adam", "double_axis.urdf", "fixed"): {"RD942"},
    ("adam:casadi", "hanging_arm.urdf", "fixed"): {"RD651"},
    ("urdf2casadi", "hanging_arm_turned_inertial.urdf", "fixed"): {"RD250", "RD750"},
    ("urdf2casadi", "hanging_arm_long_axis.urdf", "fixed"): {"RD250", "RD454"},
    ("urdf2casadi", "hanging_arm_welded_sides.urdf", "fixed"): {"RD250", "RD454"},
    ("urdf2casadi", "double_axis.urdf", "fixed"): {"RD942"},
    ("simbody", "weightless_link.urdf", "fixed"): {"RD943"},
    ("frax", "upright_arm.urdf", "fixed"): {"RD942"},
    ("kdl", "hanging_arm_welded_sides.urdf", "fixed"): {"RD250", "RD454"},
    ("sapien", "point_mass.urdf", "fixed"): {"RD250", "RD453", "RD750"},
    ("sapien", "shape_without_inertial.urdf", "fixed"): {"RD250", "RD750"},
    ("sapien", "hanging_arm_offset_base.urdf", "fixed"): {"RD650"},
    ("sapien", "friction_alone.urdf", "fixed"): {"RD942"},
    ("sapien", "no_range.urdf", "fixed"): {"RD942"},
}


@pytest.mark.parametrize("library", RIGHT)
def test_an_ordinary_arm_is_computed_right(library: str):
    found = run(library, "hanging_arm.urdf")
    assert found.status == "ok"
    assert RIGHT[library] <= found.passed
    assert found.unknown == set()
    assert found.held_otherwise == set()


@pytest.mark.parametrize(("library", "model", "base"), FAULTS, ids=lambda value: str(value).removesuffix(".urdf"))
def test_a_real_fault_is_found_and_known(library: str, model: str, base: str):
    found = run(library, model, base=base)
    assert FAULTS[library, model, base] <= found.wrong
    assert found.unknown == set()


@pytest.mark.parametrize("library", RIGHT)
def test_a_joint_may_stand_before_the_one_that_carries_it(library: str):
    found = run(library, "elbow_first.urdf")
    assert found.status == "ok"
    assert found.unknown == set()


@pytest.mark.parametrize("library", ["kdl:canonical", "simbody", "exudyn", "dart"])
def test_mass_welded_to_the_side_of_a_chain_counts(library: str):
    assert run(library, "hanging_arm_welded_sides.urdf").wrong == set()


def test_idyntree_stands_where_a_removed_root_link_stood():
    assert run("idyntree", "raised_arm.urdf").wrong == set()


def test_simbody_holds_a_free_base():
    assert run("simbody", "hanging_arm.urdf", base="floating").wrong == set()
