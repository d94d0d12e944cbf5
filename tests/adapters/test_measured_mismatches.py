"""The mismatches that were measured of today's libraries, by number: each is a finding of a test on a small model."""

from __future__ import annotations

import pytest

from robodyn_check.faults.in_models import MODEL_FAULTS
from tests.adapters import test_compiled_libraries, test_wider_libraries

#: number or name -> library and model of every finding that shows it
SHOWN: dict[str, set[tuple[str, str]]] = {
    "1 pybullet turns gravity by the base's inertial frame": {("pybullet", "hanging_arm_turned_base")},
    "2 pybullet takes inertia from shapes": {("pybullet:default", "hanging_arm_box")},
    "3 pybullet merges links without their inertial origins": {("pybullet:merged", "hanging_arm_welded_sides")},
    "4 pybullet simulates an axis at its length": {("pybullet", "hanging_arm_long_axis")},
    "5 pybullet simulates damping": {("pybullet:default", "damped_arm")},
    "6 pybullet gives a link without inertial 1 kg": {("pybullet", "massless_tip")},
    "8 adam's own gravity": {("adam:default", "hanging_arm")},
    "9 adam's prismatic joints raise": {("adam", "slider")},
    "10 adam does not normalise axes; its casadi Jacobian of two joints raises": {
        ("adam", "hanging_arm_long_axis"),
        ("adam:casadi", "hanging_arm"),
    },
    "11 urdf2casadi drops rotations of inertials, lengths of axes and side branches": {
        ("urdf2casadi", "hanging_arm_turned_inertial"),
        ("urdf2casadi", "hanging_arm_long_axis"),
        ("urdf2casadi", "hanging_arm_welded_sides"),
    },
    "12 a chain of KDL drops side branches": {("kdl", "hanging_arm_welded_sides")},
    "13 genesis gives joints an armature": {("genesis", "hanging_arm")},
    "14 dart damps implicitly": {("dart:default", "damped_arm")},
    "17 mjx and warp damp in qacc and qfrc_inverse": {
        ("mjx:default", "damped_arm"),
        ("mujoco-warp:default", "damped_arm"),
    },
    "21 brax wants a geom, and fuses bodies without joint as text": {
        ("brax", "arm_without_geom"),
        ("brax", "arm_on_a_stand"),
        ("brax", "arm_on_a_bracket"),
        ("brax", "arm_on_a_turned_bracket"),
    },
    "21b brax's slides are wrong": {("brax", "pole_and_slider")},
    "pinocchio ignores the axis of a planar joint": {("pinocchio", "planar_joint_about_y")},
    "drake replaces an inertia that no body has": {("drake", "impossible_inertia")},
    "drake loses armature": {("drake", "armature_arm")},
    "drake's forward dynamics damps": {("drake:default", "damped_arm")},
    "mujoco refuses moving links without mass": {("mujoco", "massless_between_joints")},
    "mujoco's qacc holds damping, friction and mimic joints": {
        ("mujoco:default", "damped_arm"),
        ("mujoco:default", "friction"),
        ("mujoco:default", "mimic_pair"),
    },
    "mujoco weighs shapes": {("mujoco:default", "shape_without_inertial")},
    "mujoco needs collision meshes": {("mujoco:default", "missing_collision_mesh")},
    "robotics-toolbox: coriolis() raises, and accel() of one joint": {("robotics-toolbox", "upright_arm")},
    "robotics-toolbox: oblique axis": {("robotics-toolbox", "oblique_axis")},
    "robotics-toolbox: negative axis": {("robotics-toolbox", "negative_axis")},
    "robotics-toolbox: fixed link between two joints": {("robotics-toolbox", "fixed_link_between_joints")},
    "robotics-toolbox: fixed links side by side": {("robotics-toolbox", "welds_side_by_side")},
    "robotics-toolbox: friction acts": {("robotics-toolbox:default", "friction")},
    "robotics-toolbox: planar and floating joints are fixed": {
        ("robotics-toolbox", "planar_joint"),
        ("robotics-toolbox", "floating_joint"),
    },
    "robotics-toolbox: a picture in an unknown package": {("robotics-toolbox", "package_mesh")},
    "rbdl refuses a root without inertial, turned inertials and planar joints": {
        ("rbdl", "upright_arm"),
        ("rbdl", "welded_to_world"),
        ("rbdl", "rotated_inertial"),
        ("rbdl", "planar_joint"),
    },
    "rbdl loses digits near a quarter of pitch": {("rbdl", "near_quarter_pitch")},
    "biorbd gives links without mass 1e-8 kg": {("biorbd:default", "massless_tip")},
}
#: number -> why no finding: conventions, usage and noise, which the adapters take care of.
ABSORBED = {
    "7": "where a point of PyBullet's Jacobian counts from",
    "16": "Coriolis matrices of two factorisations",
    "18": "noise of single precision",
    "19": "a model must outlive its loader",
    "20": "joints are matched by name",
    "22": "which torch is installed",
}
#: number -> what a test would need.
OUT_OF_REACH = {"15": "jaxsim reads a URDF as a floating robot by running `gz sdf` of SDFormat 1.10"}
NUMBERS = [*map(str, range(1, 23)), "21b"]
TESTED = (
    {(fault.library, fault.model) for fault in MODEL_FAULTS}
    | {(library, model.rpartition(".")[0]) for library, model, _ in test_wider_libraries.FAULTS}
    | {(library, model.rpartition(".")[0]) for library, model in test_compiled_libraries.FAULTS}
)


@pytest.mark.parametrize("mismatch", SHOWN)
def test_a_mismatch_is_a_finding_of_a_test(mismatch: str):
    assert SHOWN[mismatch] <= TESTED


def test_no_number_is_left_out():
    told = {text.partition(" ")[0] for text in SHOWN if text[0].isdigit()} | ABSORBED.keys() | OUT_OF_REACH.keys()
    assert told == set(NUMBERS)
