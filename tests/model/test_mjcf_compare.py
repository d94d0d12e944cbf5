from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from robodyn_check.model.mjcf import read_mjcf
from robodyn_check.model.mjcf_compare import compare_with_compiled
from tests.model.mjcf_texts import INERTIAL, compiled, mjcf

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXT = mjcf(
    f'<body name="a" pos="1 2 3" euler="10 20 30">\n<joint name="j" pos="0 0 1" axis="1 2 2" ref="30" range="-90 90" '
    f'armature="2" damping="3" frictionloss="4"/>\n{INERTIAL}</body>',
    head='<option gravity="0 0 -2"/>',
)


def changed(change: Callable[[dict[str, Any]], None], tmp_path: Path) -> list[str]:
    (tmp_path / "model.xml").write_text(TEXT)
    robot = read_mjcf(tmp_path / "model.xml", TEXT.encode())
    held = compiled(tmp_path / "model.xml")
    assert [result.verdict for result in compare_with_compiled(robot, held)] == ["pass"]
    broken = copy.deepcopy(held)
    change(broken)
    results = compare_with_compiled(robot, broken)
    assert {(result.code, result.verdict, result.subject) for result in results} == {("RD150", "fail", "model")}
    return [f"{result.where.line if result.where else None}: {result.message}" for result in results]


def scale(part: str, name: str, *, by: float = 1 + 1e-9) -> Callable[[dict[str, Any]], None]:
    def change(held: dict[str, Any]) -> None:
        entry = held[part][0] if isinstance(held[part], list) and name else held
        value = entry[name or part]
        entry[name or part] = [x * by for x in value] if isinstance(value, list) else value * by

    return change


@pytest.mark.parametrize(
    ("part", "name", "by", "words"),
    [
        ("bodies", "mass", 1 + 1e-12, "3: mass of body 'a': the file says 1, MuJoCo"),
        ("bodies", "pos", 1 + 1e-12, "position of body 'a'"),
        ("bodies", "ipos", 1 + 1e-12, "3: centre of mass of body 'a'"),
        ("bodies", "diaginertia", 1 + 1e-12, "3: inertia of body 'a'"),
        ("joints", "axis", -1, "2: axis of joint 'j'"),
        ("joints", "pos", 1 + 1e-12, "2: pos of joint 'j'"),
        ("joints", "armature", 1 + 1e-12, "2: armature of joint 'j'"),
        ("joints", "damping", 1 + 1e-12, "2: damping of joint 'j'"),
        ("joints", "frictionloss", 1 + 1e-12, "2: frictionloss of joint 'j'"),
        ("joints", "qpos0", 57.3, "2: ref of joint 'j'"),
        ("joints", "range", 57.3, "2: range of joint 'j'"),
        ("gravity", "", 1 + 1e-12, "1: gravity"),
    ],
)
def test_a_value_that_two_readers_hold_differently_is_found(
    part: str, name: str, by: float, words: str, tmp_path: Path
):
    (told,) = changed(scale(part, name, by=by), tmp_path)
    assert words in told
    assert "The file is the truth here" in told


def test_an_orientation_read_in_radians_is_found(tmp_path: Path):
    (told,) = changed(lambda held: held["bodies"][0].update(quat=[1.0, 0.0, 0.0, 0.0]), tmp_path)
    assert "orientation of body 'a'" in told


def test_a_joint_or_body_that_only_one_reader_has_is_found(tmp_path: Path):
    assert "'a'" in changed(lambda held: held["bodies"][0].update(name="b"), tmp_path)[0]
    assert "joint 'j'" in changed(lambda held: held["joints"].clear(), tmp_path)[0]


def test_a_joint_of_another_kind_is_found(tmp_path: Path):
    (told,) = changed(lambda held: held["joints"][0].update(type="slide"), tmp_path)
    assert "kind of joint 'j': the file says revolute" in told


def test_values_that_came_from_the_compiler_are_not_compared_with_it(tmp_path: Path):
    text = mjcf('<body name="a"><joint/><geom size="1"/></body>')
    (tmp_path / "model.xml").write_text(text)
    robot = read_mjcf(tmp_path / "model.xml", text.encode(), compile_mjcf=compiled)
    held = compiled(tmp_path / "model.xml")
    held["bodies"][0]["mass"] *= 2
    assert compare_with_compiled(robot, held)[0].verdict == "pass"
    inertial = robot.links[0].inertial
    assert inertial is not None
    stated = replace(robot, links=(replace(robot.links[0], inertial=replace(inertial, source="file")),))
    assert compare_with_compiled(stated, held)[0].verdict == "fail"
