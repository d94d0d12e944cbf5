"""NAME.joints.toml: read, defaults, payload, and a sentence with a line for every fault."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_check.errors import ModelError
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.joint_data import JointData, beside, with_payload
from robodyn_check.model.joint_data_reader import read_joint_data
from robodyn_check.model.read import read_model

MODEL = Path(__file__).parents[2] / "models" / "planar_2r" / "model.urdf"
ROBOT = read_model(MODEL)
FIRST, SECOND = (joint.name for joint in ROBOT.joints if joint.kind != "fixed")
LINK = ROBOT.links[-1].name


def read(folder: Path, text: str) -> JointData:
    path = folder / "arm.joints.toml"
    path.write_text(text)
    return read_joint_data(path, ROBOT)


def test_own_values_stand_before_defaults(tmp_path: Path):
    data = read(
        tmp_path,
        f"""
        [default]
        stiffness = 1000
        damping = 0.5
        gear_ratio = 100
        rotor_inertia = 2e-5
        [joints."{SECOND}"]
        stiffness = 2e3
        motor_inertia = 0.1
        """,
    )
    assert list(data.drives) == [FIRST, SECOND]
    first, second = data.drives[FIRST], data.drives[SECOND]
    assert (first.stiffness, first.damping) == (1000.0, 0.5)
    assert first.reflected_inertia == pytest.approx(0.2)
    assert (second.stiffness, second.damping, second.reflected_inertia) == (2000.0, 0.5, 0.1)
    assert second.gear_ratio is None


def test_an_own_gear_takes_the_place_of_a_default_motor_inertia(tmp_path: Path):
    text = f"[default]\nmotor_inertia = 0.3\n[joints.{FIRST}]\ngear_ratio = 10\nrotor_inertia = 1e-3\n"
    assert read(tmp_path, text).drives[FIRST].reflected_inertia == pytest.approx(0.1)


def test_what_is_not_said_is_unknown(tmp_path: Path):
    drive = read(tmp_path, f"[joints.{FIRST}]\ngear_ratio = 50\n").drives[FIRST]
    assert drive.stiffness is None
    assert drive.reflected_inertia is None


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[joint.a]\n", 1, "unknown table 'joint'. Did you mean 'joints'?"),
        ("[joints.nowhere]\nstiffness = 1\n", 1, "the model has no joint 'nowhere'."),
        (f"[joints.{FIRST}]\nstifness = 1\n", 2, "unknown key 'stifness'. Did you mean 'stiffness'?"),
        (f"[joints.{FIRST}]\n\nstiffness = -3\n", 3, "stiffness is -3; expected a number above 0"),
        (f"[joints.{FIRST}]\nstiffness = nan\n", 2, "stiffness is nan; expected a number above 0"),
        (f"[joints.{FIRST}]\ndamping = '1'\n", 2, "damping is '1'; expected a number at least 0"),
        (f"[joints.{FIRST}]\nmotor_inertia = 1\ngear_ratio = 2\n", 3, "write one of the two"),
        (f"[joints]\n{FIRST} = 3\n", 2, "expected a table with stiffness, damping"),
        ("[default]\nstiffness = true\n", 2, "stiffness is True; expected a number above 0"),
        ("[payload]\nmass = 1\n", 1, "a payload needs 'link' and 'mass'"),
        ("[payload]\nlink = 'nowhere'\nmass = 1\n", 2, "the model has no link 'nowhere'."),
        (f"[payload]\nlink = '{LINK}'\nmass = 1\ncenter_of_mass = [0, 1]\n", 4, "expected 3 numbers"),
        (f"[payload]\nlink = '{LINK}'\nmass = 1\ninertia = [1,2,0,1,0,1]\n", 4, "no body has the inertia"),
        ("a = \n", 1, "this is not valid TOML"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path: Path, text: str, line: int, message: str):
    with pytest.raises(ModelError) as caught:
        read(tmp_path, text)
    assert message in caught.value.faults[0].message
    assert caught.value.faults[0].line == line


def test_all_faults_are_reported_at_once(tmp_path: Path):
    with pytest.raises(ModelError) as caught:
        read(tmp_path, f"[joints.{FIRST}]\nstiffness = 0\n[joints.none]\n[payload]\nlink = 3\n")
    assert len(caught.value.faults) == 3


def test_a_missing_file_is_said(tmp_path: Path):
    with pytest.raises(ModelError, match=r"gone\.toml: cannot be read"):
        read_joint_data(tmp_path / "gone.toml", ROBOT)


def test_the_file_beside_the_model_is_found(tmp_path: Path):
    model = tmp_path / "arm.urdf"
    assert beside(model) is None
    (tmp_path / "arm.joints.toml").write_text("")
    assert beside(model) == tmp_path / "arm.joints.toml"


def test_a_payload_adds_its_mass_to_the_link_that_carries_it(tmp_path: Path):
    data = read(
        tmp_path,
        f"[payload]\nlink = '{LINK}'\nmass = 2\ncenter_of_mass = [0.1, 0, 0]\ninertia = [1, 0, 0, 1, 0, 1]\n",
    )
    loaded = build_mechanism(with_payload(ROBOT, data.payload))
    plain = build_mechanism(ROBOT)
    assert np.sum(loaded.mass) == pytest.approx(np.sum(plain.mass) + 2.0)
    assert loaded.nv == plain.nv
