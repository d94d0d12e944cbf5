from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.model.build import build_mechanism
from robodyn_check.model.mjcf import read_mjcf
from robodyn_check.model.mjcf_compare import compare_with_compiled
from robodyn_check.model.placements import float_number
from robodyn_check.model.read import read_model
from robodyn_check.reference.engine import evaluate
from tests.model.mjcf_texts import COMPILED_MODELS, INERTIAL, ODD_MODELS, SHARED, compiled, corpus, mjcf

if TYPE_CHECKING:
    from pathlib import Path

QUICK = (
    "dmc_acrobot",
    "dmc_fish",
    "dmc_manipulator",
    "dmc_rodent",
    "gen_rope_ball",
    "mj_cassie",
    "mj_tidybot",
    "rsm_vx300s",
    "um_b2w",
)
CASES = sorted(path.parent for path in SHARED.glob("cases/case_[56]?_*/model.xml"))
ALL_MODELS = {**ODD_MODELS, **COMPILED_MODELS}


def read(text: str, tmp_path: Path, name: str = "model.xml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_mjcf(path, path.read_bytes(), compile_mjcf=compiled)


@pytest.mark.parametrize("text", ALL_MODELS.values(), ids=ALL_MODELS.keys())
def test_our_reading_is_the_model_that_mujoco_compiles(text: str, tmp_path: Path):
    robot = read(text, tmp_path)
    results = compare_with_compiled(robot, compiled(tmp_path / "model.xml"))
    assert [result.message for result in results if result.verdict != "pass"] == []


@pytest.mark.parametrize("text", ODD_MODELS.values(), ids=ODD_MODELS.keys())
def test_what_the_file_states_needs_no_compiler(text: str, tmp_path: Path):
    (tmp_path / "model.xml").write_text(text)
    robot = read_mjcf(tmp_path / "model.xml", text.encode())
    assert robot.compiler is None
    assert all(link.inertial is None or link.inertial.source == "file" for link in robot.links)


@pytest.mark.parametrize("path", corpus("mjcf", QUICK), ids=lambda path: path.parent.name)
def test_real_robots_are_read_as_mujoco_compiles_them(path: Path):
    results = compare_with_compiled(read_model(path), compiled(path))
    assert [result.message for result in results if result.verdict != "pass"] == []


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_public_cases_give_their_right_values(folder: Path):
    expected = json.loads((folder / "expected.json").read_text())
    mechanism = build_mechanism(read_model(folder / "model.xml", compile_mjcf=compiled))
    assert list(mechanism.joint_names) == expected["joints"]
    state = {name: np.array([expected[name]]) for name in ("q", "qd")}
    mass_matrix = evaluate(mechanism, "mass_matrix", state["q"], state["qd"])[0]
    gravity_vector = evaluate(mechanism, "gravity_vector", state["q"], state["qd"])[0]
    coriolis_force = evaluate(mechanism, "coriolis_force", state["q"], state["qd"])[0]
    for got, name in ((mass_matrix, "M"), (gravity_vector, "g"), (coriolis_force, "Cqd")):
        want = np.array(expected[name])
        assert np.abs(got - want).max() <= 1e-12 * max(1.0, np.abs(want).max()), name


def test_unnamed_bodies_and_joints_get_the_names_that_all_parts_use(tmp_path: Path):
    robot = read(
        mjcf(f'<body>{INERTIAL}<joint/><joint axis="1 0 0"/><body name="hand"><joint/>{INERTIAL}</body></body>'
             f"<body>{INERTIAL}</body>"),
        tmp_path,
    )  # fmt: skip
    assert [link.name for link in robot.links] == ["body#1", "hand", "body#3"]
    assert [joint.name for joint in robot.joints] == ["body#1/joint#0", "body#1/joint#1", "hand/joint#0", "body#3/weld"]


def test_lines_are_those_of_the_file(tmp_path: Path):
    body = f'<body\n  name="a"\n  pos="1 2 3">\n<joint\n armature="2"/>\n{INERTIAL}</body>'
    robot = read(f"<mujoco>\n<worldbody>\n{body}</worldbody></mujoco>", tmp_path)
    link, joint = robot.links[0], robot.joints[0]
    assert (link.line, joint.line) == (3, 6)
    assert joint.armature is not None
    assert joint.armature.line == 7
    assert joint.placements[0].xyz[0].line == 5
    assert link.inertial is not None
    assert link.inertial.mass.line == 8


def test_numbers_keep_their_text_and_degrees(tmp_path: Path):
    robot = read(mjcf(f'<body euler="0 0 45.50"><joint range="-90.0 90"/>{INERTIAL}</body>'), tmp_path)
    joint = robot.joints[0]
    rotation = joint.placements[0].rotation
    assert rotation is not None
    assert [number.text for number in rotation.numbers] == ["0", "0", "45.50"]
    assert all(number.degrees for number in rotation.numbers)
    assert joint.limits is not None
    assert joint.limits.lower is not None
    assert joint.limits.lower.text == "-90.0"
    assert float_number(joint.limits.lower) == -math.pi / 2


def test_a_slide_is_never_in_degrees(tmp_path: Path):
    robot = read(mjcf(f'<body><joint type="slide" range="-1 1" ref="0.5"/>{INERTIAL}</body>'), tmp_path)
    joint = robot.joints[0]
    assert joint.reference is not None
    assert not joint.reference.degrees


def test_a_joint_away_from_the_origin_has_poses_to_it_and_back(tmp_path: Path):
    robot = read(mjcf(f'<body pos="1 0 0"><joint pos="0.1 -0.2 +3"/>{INERTIAL}</body>'), tmp_path)
    joint = robot.joints[0]
    assert joint.child_placement is not None
    assert [number.text for number in joint.placements[-1].xyz] == ["0.1", "-0.2", "+3"]
    assert [number.text for number in joint.child_placement.xyz] == ["-0.1", "0.2", "-3"]


def test_joints_after_the_first_hang_on_their_own_body(tmp_path: Path):
    robot = read(mjcf(f'<body name="a"><joint name="x"/><joint name="y" axis="1 0 0"/>{INERTIAL}</body>'), tmp_path)
    first, second = robot.joints
    assert (first.parent, first.child) == (None, "a")
    assert (second.parent, second.child) == ("a", "a")


def test_a_free_joint_gives_the_pose_in_the_world(tmp_path: Path):
    robot = read(mjcf(f'<body pos="0 0 2"><freejoint name="root"/>{INERTIAL}</body>'), tmp_path)
    (joint,) = robot.joints
    assert (joint.kind, joint.origin_is_absolute, joint.name) == ("floating", True, "root")
    assert build_mechanism(robot).base == "floating"


@pytest.mark.parametrize(
    ("body", "tail", "tag", "owner"),
    [
        ('<body name="a" gravcomp="1"/>', "", "body@gravcomp", "a"),
        ('<body name="a" mocap="true"/>', "", "body@mocap", "a"),
        ('<body><joint name="j" stiffness="2"/></body>', "", "joint@stiffness", "j"),
        ('<body><joint name="j" damping="1 2 3"/></body>', "", "joint@damping", "j"),
        ('<body><joint name="j"/></body>', '<equality><joint joint1="j"/></equality>', "joint", "j"),
        ('<body><joint name="j"/></body>', '<tendon><fixed armature="1"/></tendon>', "fixed", None),
        ('<body><joint name="j"/></body>', '<actuator><position joint="j"/></actuator>', "position", "j"),
        ("", '<option density="1.2"/>', "option@density", None),
    ],
)
def test_what_is_outside_the_smooth_model_is_listed(body: str, tail: str, tag: str, owner: str | None, tmp_path: Path):
    robot = read(mjcf(body, tail=tail), tmp_path)
    assert [(element.tag, element.owner) for element in robot.outside] == [(tag, owner)]
    assert robot.outside[0].line == 1


def test_a_motor_without_rotor_is_not_outside(tmp_path: Path):
    text = mjcf(f'<body><joint name="j"/>{INERTIAL}</body>', tail='<actuator><motor joint="j"/></actuator>')
    assert read(text, tmp_path).outside == ()


def test_deep_chains_do_not_recurse(tmp_path: Path):
    count = 3000
    text = mjcf("<body><joint/>" * count + INERTIAL + "</body>" * count)
    assert len(read(text, tmp_path).links) == count
