"""A library that declares extension elements is judged by them; the file's standard reading stays everybody else's."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import pytest

from robodyn_check import check
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.resources import resource_folder
from robodyn_check.run.readings import reading_results, second_reading
from robodyn_check.run.truth import prepare
from robodyn_check.states import draw_states

if TYPE_CHECKING:
    from pathlib import Path

ROTORS = ("drake:rotor_inertia", "drake:gear_ratio")
URDF = """<robot xmlns:drake="http://drake.mit.edu" name="geared">
  <link name="base"/>
  <link name="arm"><inertial><origin xyz="0.2 0 0"/><mass value="1"/>
    <inertia ixx="0.015" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.025"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>
  <transmission name="t"><type>SimpleTransmission</type><joint name="hinge"/>
    <actuator name="m"><drake:rotor_inertia value="0.001"/><drake:gear_ratio value="50"/></actuator></transmission>
</robot>
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "geared.urdf"
    path.write_text(URDF, encoding="utf-8")
    return path


def test_the_reading_adds_what_the_gear_makes_of_the_rotor(model: Path):
    robot = read_model(model)
    mechanism = build_mechanism(robot)
    setting, _, _ = prepare(mechanism, draw_states(mechanism, count=3, seed=0), seed=0)
    reading = second_reading(robot, setting, ROTORS)
    assert reading is not None
    assert reading.added == {"hinge": pytest.approx(0.001 * 50**2)}
    assert reading.setting.mechanism.armature - mechanism.armature == pytest.approx([2.5])
    (warning,) = reading_results(reading, robot, "library")
    assert (warning.verdict, warning.where and warning.where.line) == ("warn", 6)
    assert second_reading(robot, setting, ()) is None
    assert second_reading(robot, setting, ("other:tag",)) is None


@pytest.mark.skipif(importlib.util.find_spec("pydrake") is None, reason="Drake is not installed")
def test_a_library_is_judged_by_the_reading_that_it_declares(model: Path, tmp_path: Path):
    text = (resource_folder("adapters") / "drake.py").read_text(encoding="utf-8")
    declared = text.replace("reads_extensions = (", f"reads_extensions = ({', '.join(map(repr, ROTORS))}, ", 1)
    adapter = tmp_path / "declaring.py"
    adapter.write_text(declared.replace('name = "drake"', 'name = "declaring"'), encoding="utf-8")
    report = check(model, libraries=["declaring", "drake"], adapters=[adapter], samples=5, certify=0)
    results = report.models[0].results
    mine = {one.code for one in results if one.subject == "declaring" and one.verdict in {"fail", "error", "warn"}}
    others = [one for one in results if one.subject == "drake" and one.verdict == "fail"]
    assert mine == {"RD157"}
    assert "RD250" in {one.code for one in others}
    assert {one.cause.name for one in others if one.cause is not None} == {"reflected-rotor-inertia"}
