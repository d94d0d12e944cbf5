"""Rigid doubles: rotors that add J to the diagonal and nothing else, on either format, and a base that is turned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.errors import UsageError
from robodyn_check.faults.random_models import random_robot
from robodyn_check.flexible.double import drives_of, elastic_joints, native_mjcf, rigid_double, turned_base
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.elastic import Springs
from robodyn_check.model.joint_data import Drive, JointData
from robodyn_check.model.read import read_model
from robodyn_check.model.write_mjcf import write_mjcf
from robodyn_check.model.write_urdf import write_urdf
from robodyn_check.reference.engine import evaluate

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.model.robot import RobotModel
    from robodyn_check.model.translation import Translation

INERTIA = [0.5, 0.4, 0.2, 0.1]
ROBOT = random_robot(3, group="branched", dofs=4)
MODELS = Path(__file__).parents[2] / "models"


def positions(count: int) -> np.ndarray:
    return np.random.default_rng(1).uniform(-1, 1, (3, count))


def test_the_double_has_the_robot_and_its_rotors_side_by_side():
    alone, double = build_mechanism(ROBOT), build_mechanism(rigid_double(ROBOT, INERTIA))
    x, v = positions(8), positions(8) * 2
    M = evaluate(double, "mass_matrix", x)
    np.testing.assert_array_equal(M[:, :4, :4], evaluate(alone, "mass_matrix", x[:, :4]))
    assert not M[:, :4, 4:].any()
    np.testing.assert_allclose(M[:, 4:, 4:], np.tile(np.diag(INERTIA), (3, 1, 1)), rtol=1e-15)
    h = evaluate(double, "bias_force", x, v)
    np.testing.assert_array_equal(h[:, :4], evaluate(alone, "bias_force", x[:, :4], v[:, :4]))
    assert np.abs(h[:, 4:]).max() == 0.0


def test_a_sliding_joint_has_a_rotor_that_does_not_weigh():
    robot = read_model(MODELS / "cart_pole" / "model.urdf")
    double = build_mechanism(rigid_double(robot, [3.0, 0.5]))
    assert not evaluate(double, "gravity_vector", positions(4))[:, 2:].any()


@pytest.mark.parametrize("write", [write_urdf, write_mjcf], ids=["urdf", "mjcf"])
def test_both_formats_hold_the_double(tmp_path: Path, write: Callable[[RobotModel], Translation]):
    double = rigid_double(ROBOT, INERTIA)
    path = tmp_path / ("double.urdf" if write is write_urdf else "double.xml")
    path.write_text(write(double).text)
    again, here = build_mechanism(read_model(path)), build_mechanism(double)
    order = [again.joint_names.index(name) for name in here.joint_names]
    x = positions(8)
    there = np.empty_like(x)
    there[:, order] = x
    M = evaluate(again, "mass_matrix", there)[:, order][:, :, order]
    np.testing.assert_allclose(M, evaluate(here, "mass_matrix", x), rtol=1e-12, atol=1e-12)


def test_the_native_model_names_one_tendon_a_joint():
    springs = Springs(stiffness=np.arange(1.0, 5.0), damping=np.zeros(4), motor_inertia=np.array(INERTIA))
    text = native_mjcf(rigid_double(ROBOT, INERTIA), springs)
    assert text.count("<fixed ") == 4
    assert 'stiffness="3.0"' in text
    assert text.count('springlength="0"') == 4


@pytest.mark.parametrize("source", ["urdf", "mjcf"])
def test_a_turned_base_turns_every_link_and_no_mass_matrix(source: str):
    robot = ROBOT if source == "urdf" else random_robot(4, dofs=5, source_format="mjcf")
    here, there = build_mechanism(robot), build_mechanism(turned_base(robot))
    x = positions(here.nq)
    np.testing.assert_allclose(
        evaluate(there, "mass_matrix", x), evaluate(here, "mass_matrix", x), rtol=1e-11, atol=1e-11
    )
    moved = [here.links.index(name) for name in here.links if here.link_body[here.links.index(name)] >= 0]
    poses = evaluate(here, "link_poses", x)[:, moved]
    turned = evaluate(there, "link_poses", x)[:, [there.links.index(here.links[k]) for k in moved]]
    assert (np.abs(poses - turned)[:, :, :, :3].max(axis=(0, 2, 3)) > 0.1).all()


def data(**drive: float) -> JointData:
    return JointData(path="arm.joints.toml", drives=dict.fromkeys(elastic_joints(ROBOT), Drive(**drive)))


def test_lacking_stiffness_or_inertia_is_said_with_the_way_out():
    with pytest.raises(UsageError, match=r"arm\.joints\.toml: no stiffness for '.*Write one under \[joints.NAME\]"):
        drives_of(ROBOT, data(damping=1.0))
    with pytest.raises(UsageError, match=r"no motor inertia for '.*gear_ratio and rotor_inertia, or motor_inertia"):
        drives_of(ROBOT, data(stiffness=1.0, gear_ratio=100.0))
    assert drives_of(ROBOT, data(stiffness=1.0, gear_ratio=10.0, rotor_inertia=1e-3))[2] == pytest.approx([0.1] * 4)


def test_joints_of_several_degrees_of_freedom_are_refused():
    joints = tuple(replace(joint, kind="ball") if joint.kind == "revolute" else joint for joint in ROBOT.joints)
    with pytest.raises(UsageError, match="have more than one degree of freedom"):
        elastic_joints(replace(ROBOT, joints=joints))
    with pytest.raises(UsageError, match="no joint of this robot moves"):
        elastic_joints(replace(ROBOT, joints=()))
