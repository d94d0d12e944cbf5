"""A fail is reduced to one joint and round numbers, and the script that is written shows the same numbers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from robodyn_check.cli.main import main
from robodyn_check.faults.random_models import random_robot
from robodyn_check.run.shrink_steps import cost, length, round_states, rounder, smaller

pytest.importorskip("pinocchio", reason="Pinocchio is not installed")
if TYPE_CHECKING:
    from pathlib import Path

#: Pinocchio's MJCF loader loses the pose of a body that is fixed to the world.
MODEL = """<mujoco model="mounted"><compiler angle="radian"/><worldbody>
<body name="mount" pos="0 0 0.5" euler="1.5707963267948966 0 0">
<body name="upper" pos="0.1 0.2 0.3"><joint name="j1" axis="0 0 1" damping="0.3"/>
<inertial pos="0.21 0.03 0.07" mass="1.7" diaginertia="0.031 0.032 0.033"/>
<body name="lower" pos="0.4 0 0"><joint name="j2" axis="0 1 0"/>
<inertial pos="0.13 0 0.02" mass="0.9" diaginertia="0.011 0.012 0.013"/></body></body></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="module")
def shrunk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Check, then shrink, and return the folder."""
    folder = tmp_path_factory.mktemp("shrunk")
    model, report = folder / "mounted.xml", folder / "report.json"
    model.write_text(MODEL)
    words = ["check", str(model), "--lib", "pinocchio", "--samples", "12", "--strict"]  # the fault is a known one
    assert main([*words, "--format", f"json={report}"]) == 1
    assert main(["shrink", str(report), "RD454:pinocchio", "--out", str(folder / "out")]) == 0
    return folder / "out"


def test_one_joint_and_round_numbers_are_left(shrunk: Path) -> None:
    text = (shrunk / "model.xml").read_text()
    assert text.count("<joint") == 1
    assert "damping" not in text
    values = json.loads((shrunk / "expected.json").read_text())
    assert all(entry in {0.0, 1.0, 0.5, -1.0} for name in "qva" for entry in values["state"][name])


def test_the_script_is_short_and_was_run(shrunk: Path) -> None:
    script = (shrunk / "repro_pinocchio.py").read_text()
    assert script.count("\n") <= 40
    assert "robodyn" not in script
    report = (shrunk / "report.md").read_text()
    values = json.loads((shrunk / "expected.json").read_text())
    assert f"gravity_vector {values['pinocchio']}" in report
    assert f"expected {values['gravity_vector']}" in report


def test_a_finding_that_passes_cannot_be_reduced(
    shrunk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = shrunk.parent / "report.json"
    assert main(["shrink", str(report), "RD250:pinocchio", "--out", str(tmp_path)]) == 2
    assert "RD250:pinocchio:mass_matrix is no fail" in capsys.readouterr().err


@pytest.mark.parametrize("seed", range(3))
def test_cuts_are_shorter_and_every_step_is_another_robot(seed: int) -> None:
    robot = random_robot(seed)
    assert all(cost(one) < cost(robot) for one in list(smaller(robot))[1:])
    assert all(one != robot for one in rounder(robot) if cost(one) < cost(robot))


def test_a_round_state_cannot_get_rounder() -> None:
    import numpy as np  # noqa: PLC0415 - only here

    zero = {name: np.zeros(2) for name in ("q", "v", "a", "tau")}
    assert all(length(state) >= length(zero) for state in round_states(zero))
