"""Transmissions of a URDF as joint data: numbers, what stands before what, and a line for every fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import ModelError
from robodyn_check.model.joint_data import Drive, JointData
from robodyn_check.model.read import read_model
from robodyn_check.model.transmissions import transmissions, with_transmissions

if TYPE_CHECKING:
    from pathlib import Path

    from robodyn_check.model.robot import RobotModel

HEAD = """<robot name="arm">
<link name="base"/>
<link name="tip"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="flange"/>
<joint name="elbow" type="continuous"><parent link="base"/><child link="tip"/>
"""
MIDDLE = """</joint>
<joint name="mount" type="fixed"><parent link="tip"/><child link="flange"/></joint>
"""
ROTOR = "<rotorInertia>2e-5</rotorInertia>"
#: Couples two joints.
DIFFERENTIAL = """<transmission name="d"><joint name="elbow"/><joint name="mount"/>
<actuator name="m"><mechanicalReduction>5</mechanicalReduction></actuator></transmission>
"""


def arm(folder: Path, *, inside: str = "", beside: str = "") -> RobotModel:
    path = folder / "arm.urdf"
    path.write_text(f"{HEAD}{inside}{MIDDLE}{beside}</robot>\n")
    return read_model(path)


def simple(
    joint: str = "elbow", actuator: str = "<mechanicalReduction>100</mechanicalReduction>", own: str = ""
) -> str:
    return (
        f'<transmission name="t">\n <joint name="{joint}">{own}</joint>\n'
        f' <actuator name="m">\n  {actuator}\n </actuator>\n</transmission>\n'
    )


@pytest.mark.parametrize(
    ("beside", "inside"),
    [
        (simple(actuator=f"<mechanicalReduction>-100</mechanicalReduction>{ROTOR}"), ""),
        (simple(own="<mechanical_reduction>1e2</mechanical_reduction>", actuator=ROTOR.replace("I", "_i")), ""),
        (f'<ros2_control name="r" type="system">{simple(actuator=ROTOR)}</ros2_control>',
         '<drake:gear_ratio value="100"/>'),
        ("", '<drake:gear_ratio value="100"/><drake:rotor_inertia value="2e-5"/>'),
    ],
    ids=["ROS 1", "ROS 2", "ros2_control and Drake", "Drake"],
)  # fmt: skip
def test_gear_and_rotor_are_read_wherever_they_are_written(beside: str, inside: str, tmp_path: Path) -> None:
    found = transmissions(arm(tmp_path, beside=beside, inside=inside))
    assert found == {"elbow": Drive(gear_ratio=100.0, rotor_inertia=2e-5)}
    assert found["elbow"].reflected_inertia == pytest.approx(0.2)


def test_joint_data_stands_before_a_transmission_and_is_completed_by_it(tmp_path: Path) -> None:
    robot = arm(tmp_path, beside=simple())
    rotor = JointData(path="arm.joints.toml", drives={"elbow": Drive(rotor_inertia=1e-4, damping=2.0)})
    both = with_transmissions(rotor, robot)
    assert both is not None
    assert both.path == "arm.joints.toml"
    assert both.drives["elbow"] == Drive(rotor_inertia=1e-4, damping=2.0, gear_ratio=100.0)
    gear = JointData(path="arm.joints.toml", drives={"elbow": Drive(gear_ratio=50.0)})
    motor = JointData(path="arm.joints.toml", drives={"elbow": Drive(motor_inertia=0.3)})
    assert with_transmissions(gear, robot) == gear
    assert with_transmissions(motor, robot) == motor


def test_a_transmission_alone_is_joint_data(tmp_path: Path) -> None:
    robot = arm(tmp_path, beside=simple())
    data = with_transmissions(None, robot)
    assert data is not None
    assert data.path == f"transmissions of {robot.path}"
    assert data.drives == {"elbow": Drive(gear_ratio=100.0)}


@pytest.mark.parametrize(
    "beside",
    [
        "",
        simple(joint="mount"),
        DIFFERENTIAL,
        '<gazebo reference="elbow"><rotorInertia>1</rotorInertia></gazebo>',
    ],
    ids=["none", "of a fixed joint", "of two joints", "of something else"],
)
def test_what_says_nothing_about_one_joint_is_left_alone(beside: str, tmp_path: Path) -> None:
    assert with_transmissions(None, arm(tmp_path, beside=beside)) is None


@pytest.mark.parametrize(
    ("beside", "said"),
    [
        (simple(joint="elbw"), "arm.urdf:9: the model has no joint 'elbw'. Did you mean 'elbow'?"),
        (
            simple(actuator="<mechanicalReduction>fast</mechanicalReduction>"),
            "arm.urdf:11: mechanicalReduction of joint 'elbow' is 'fast'; expected a number other than 0",
        ),
        (
            simple(actuator="<rotorInertia>-1</rotorInertia>"),
            "arm.urdf:11: rotorInertia of joint 'elbow' is '-1'; expected a number above 0",
        ),
        (
            simple() + simple(actuator="<mechanicalReduction>50</mechanicalReduction>"),
            "arm.urdf:17: mechanicalReduction of joint 'elbow' is 50, but it is 100 elsewhere; keep one",
        ),
    ],
    ids=["joint", "word", "sign", "contradiction"],
)
def test_a_fault_is_shown_with_its_line(beside: str, said: str, tmp_path: Path) -> None:
    robot = arm(tmp_path, beside=beside)
    with pytest.raises(ModelError) as caught:
        transmissions(robot)
    assert said in str(caught.value)
