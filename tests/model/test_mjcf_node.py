from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import ModelError
from robodyn_check.model.mjcf import read_mjcf
from robodyn_check.model.mjcf_compare import compare_with_compiled
from tests.model.mjcf_texts import INERTIAL, compiled, mjcf

if TYPE_CHECKING:
    from pathlib import Path

    from robodyn_check.model.robot import RobotModel


def read(folder: Path, **files: str) -> RobotModel:
    for name, text in files.items():
        file = folder / f"{name.replace('__', '/')}.xml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return read_mjcf(folder / "main.xml", (folder / "main.xml").read_bytes())


def faults(folder: Path, **files: str) -> list[str]:
    with pytest.raises(ModelError) as caught:
        read(folder, **files)
    return [str(fault).removeprefix(f"{folder}/") for fault in caught.value.faults]


def test_an_included_part_stands_where_the_include_is(tmp_path: Path):
    robot = read(
        tmp_path,
        main=mjcf('<body name="a"><include file="parts/joint.xml"/><include file="parts/mass.xml"/></body>'),
        parts__joint='<mujocoinclude><joint name="x"/><joint name="y" axis="1 0 0"/></mujocoinclude>',
        parts__mass=f"<mujocoinclude>{INERTIAL}</mujocoinclude>",
    )
    assert [joint.name for joint in robot.joints] == ["x", "y"]
    assert robot.links[0].inertial is not None
    assert compare_with_compiled(robot, compiled(tmp_path / "main.xml"))[0].verdict == "pass"


def test_an_include_is_looked_for_beside_the_main_file_first(tmp_path: Path):
    robot = read(
        tmp_path,
        main='<mujoco><include file="sub/a.xml"/></mujoco>',
        sub__a='<mujoco><include file="b.xml"/></mujoco>',
        b='<mujoco><option gravity="0 0 -22"/></mujoco>',
        sub__b='<mujoco><option gravity="0 0 -11"/></mujoco>',
    )
    assert robot.gravity is not None
    assert [number.value for number in robot.gravity] == [0, 0, compiled(tmp_path / "main.xml")["gravity"][2]]


def test_what_is_included_carries_the_line_of_the_include(tmp_path: Path):
    robot = read(
        tmp_path,
        main='<mujoco>\n\n<include file="a.xml"/>\n</mujoco>',
        a=f'<mujoco>\n\n\n\n\n<worldbody><body name="a">{INERTIAL}</body></worldbody></mujoco>',
    )
    assert robot.links[0].line == 3
    assert robot.links[0].inertial is not None
    assert robot.links[0].inertial.mass.line == 3


def test_a_fault_in_an_included_file_names_that_file_and_line(tmp_path: Path):
    told = faults(
        tmp_path,
        main='<mujoco>\n<include file="parts/a.xml"/></mujoco>',
        parts__a='<mujoco>\n<option\n gravity="0 x 0"/></mujoco>',
    )
    assert told == ["parts/a.xml:3: gravity of <option>: 'x' is not a number"]


@pytest.mark.parametrize(
    ("main", "words"),
    [
        ('<mujoco>\n<include file="nothing.xml"/></mujoco>', "main.xml:2: <include> names 'nothing.xml', which does"),
        ("<mujoco>\n<include/></mujoco>", "main.xml:2: <include> has no file attribute"),
        ('<mujoco>\n<include file="/etc/hostname"/></mujoco>', "which is outside the model's folder and is not opened"),
        ('<mujoco>\n<include file="../secret.xml"/></mujoco>', "which is outside the model's folder and is not opened"),
        ('<mujoco>\n<include file="main.xml"/></mujoco>', "main.xml:2: <include> names 'main.xml' a second time"),
        ('<mujoco>\n<include file="broken.xml"/></mujoco>', "broken.xml:2: not well-formed XML"),
        ('<mujoco>\n<include file="a.xml"/>\n<include file="a.xml"/></mujoco>', "main.xml:3: <include> names 'a.xml'"),
    ],
)  # fmt: skip
def test_an_include_that_cannot_be_followed_is_a_fault(main: str, words: str, tmp_path: Path):
    (tmp_path / "secret.xml").write_text("<mujoco/>")
    told = faults(tmp_path / "robot", main=main, broken="<mujoco>\n<", a="<mujoco/>")
    assert len(told) == 1
    assert words in told[0]


def test_includes_in_a_circle_end(tmp_path: Path):
    told = faults(
        tmp_path,
        main='<mujoco><include file="a.xml"/></mujoco>',
        a='<mujoco><include file="b.xml"/></mujoco>',
        b='<mujoco><include file="a.xml"/></mujoco>',
    )
    assert len(told) == 1
    assert told[0].startswith("b.xml:1: <include> names 'a.xml' a second time")
