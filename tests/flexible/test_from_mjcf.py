"""Elastic joints stated in MJCF: two hinges and a fixed tendon, with or without a gear, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import UsageError
from robodyn_check.flexible.from_mjcf import StatedDrives, stated_drives
from robodyn_check.model.read import read_model
from robodyn_check.run.flexible_model import read_flexible

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """<mujoco>
  <worldbody>
    <body name="arm">
      <inertial pos="0 0 -0.3" mass="1" diaginertia="0.4 0.4 0.1"/>
      <joint name="hinge" axis="0 1 0"/>
    </body>
    <body name="rotor">
      <inertial pos="0 0 0" mass="1" diaginertia="2e-5 2e-5 2e-5"/>
      <joint name="motor" axis="0 1 0" armature="1e-5"/>
    </body>
  </worldbody>
  <tendon>
    <fixed name="spring" stiffness="500" damping="2">
      <joint joint="hinge" coef="2"/>
      <joint joint="motor" coef="-0.02"/>
    </fixed>
  </tendon>
</mujoco>
"""


def stated(folder: Path, text: str) -> StatedDrives | None:
    path = folder / "arm.xml"
    path.write_text(text)
    return stated_drives(read_model(path))


def test_the_gear_ratio_is_in_the_coefficients(tmp_path: Path):
    found = stated(tmp_path, TEXT)
    assert found is not None
    drive = found.drives["hinge"]
    assert found.motors == ("motor",)
    assert found.ratios == pytest.approx((100.0,))
    assert drive.stiffness == pytest.approx(2000.0)
    assert drive.damping == pytest.approx(8.0)
    assert drive.reflected_inertia == pytest.approx(100.0**2 * 3e-5)
    assert [joint.name for joint in found.robot.joints] == ["hinge"]
    assert [link.name for link in found.robot.links] == ["arm"]


def test_a_robot_without_such_tendons_states_nothing(tmp_path: Path):
    assert stated(tmp_path, TEXT.replace('stiffness="500"', "")) is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('coef="-0.02"', 'coef="0.02"', "with coefficients of one sign"),
        ('pos="0 0 0" mass', 'pos="0.1 0 0" mass', "motor 'motor', which is coupled to other bodies or has weight"),
        ('damping="2"', 'damping="2" springlength="0.3"', "is at rest where q and θ differ"),
        ('stiffness="500"', 'stiffness="500 3"', "is not linear"),
    ],
)
def test_what_is_no_elastic_joint_is_refused_with_its_line(tmp_path: Path, old: str, new: str, message: str):
    with pytest.raises(UsageError, match=r"arm\.xml:13: the fixed tendon of 'hinge' and 'motor'") as caught:
        stated(tmp_path, TEXT.replace(old, new))
    assert message in str(caught.value)


def test_a_motor_on_the_link_is_refused(tmp_path: Path):
    body = TEXT[TEXT.index('    <body name="rotor">') : TEXT.index("  </worldbody>")]
    inside = TEXT.replace(body, "").replace('axis="0 1 0"/>\n    </body>', f'axis="0 1 0"/>\n{body}    </body>', 1)
    with pytest.raises(UsageError, match="joins two joints of one chain"):
        stated(tmp_path, inside)


def test_the_file_itself_is_loaded_only_where_it_has_our_coordinates(tmp_path: Path):
    path = tmp_path / "arm.xml"
    path.write_text(TEXT)
    assert not read_flexible(path, None).original
    path.write_text(TEXT.replace('coef="2"', 'coef="1"').replace('coef="-0.02"', 'coef="-1"'))
    assert read_flexible(path, None).original
    path.write_text(path.read_text().replace('name="hinge"', 'name="hinge" damping="0.1"'))
    assert not read_flexible(path, None).original
