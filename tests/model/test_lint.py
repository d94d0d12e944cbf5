"""The lint as a whole: every code has a text and a change that it finds; results have the common form."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from robodyn_check.model.lint import lint
from robodyn_check.model.lint_texts import LINT_TEXTS, UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.model.lint_texts import LintText
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.report.results import Result

    Read = Callable[[str | bytes], RobotModel]

GOOD = (Path(__file__).parent / "mutants" / "00_good.urdf").read_text()
FOREARM = 'ixx="0.0006" ixy="0" ixz="0" iyy="0.0056" iyz="0" izz="0.0057"'
ELBOW_LIMIT = 'lower="-2.5" upper="2.5" effort="30" velocity="4"'
FOREARM_BOX = '<box size="0.28 0.06 0.06"/>'
END = "</robot>\n"
TWIST = '<joint name="twist" type="continuous"><parent link="cross"/><child link="forearm"/></joint>'
HEAVY = '<inertial><mass value="5"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
TOOL = """<link name="{name}"><inertial><mass value="{mass}"/>
<inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial></link>
<joint name="to_{name}" type="continuous"><parent link="forearm"/><child link="{name}"/></joint>
"""


def changed(old: str, new: str) -> str:
    """Change one thing of the good arm."""
    assert old in GOOD
    return GOOD.replace(old, new, 1)


#: code -> (change, verdict, line, link or joint, words of the message)
CHANGES: dict[str, tuple[str, str, int, str, str]] = {
    "RD101": (changed('"2.4"', '"-2.4"'), "fail", 7, "shoulder", "has the negative mass -2.4 kg"),
    "RD102": (changed('"0.0071"', '"-0.0071"'), "fail", 8, "shoulder", "negative principal moment -0.0071 kg m²"),
    "RD103": (
        changed('izz="0.0175"', 'izz="0.0172"').replace('ixx="0.0019" ixy="0.0001"', 'ixx="0" ixy="0"', 1),
        "pass",
        19,
        "upper_arm",
        "its smallest moment is 0",
    ),
    "RD104": (
        changed('izz="0.0057"', 'izz="0.0087"'),
        "fail",
        30,
        "forearm",
        "0.0006 + 0.0056 < 0.0087 kg m², by 0.29 of the largest",
    ),
    "RD105": (changed('"0.9"', '"0"'), "fail", 29, "forearm", "has no mass but an inertia of up to 0.0057 kg m²"),
    "RD106": (
        changed('"0.9"', '"0"').replace(FOREARM, 'ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"'),
        "fail",
        26,
        "elbow",
        "'elbow' moves nothing: link 'forearm' has mass 0 and inertia 0",
    ),
    "RD107": (
        changed(FOREARM, 'ixx="0.0166" ixy="-0.0022" ixz="0" iyy="-0.0022" iyz="0.0166" izz="0"'),
        "fail",
        30,
        "forearm",
        "iyy probably is 0.0166 and iyz is 0",
    ),
    "RD108": (
        changed(FOREARM, FOREARM + ' iyx="0.003" izx="0"'),
        "warn",
        30,
        "forearm",
        "has iyx='0.003', which URDF does not know, but ixy='0'",
    ),
    "RD109": (
        changed(FOREARM, 'ixx="600" ixy="0" ixz="0" iyy="5600" iyz="0" izz="5700"'),
        "warn",
        30,
        "forearm",
        "a radius of gyration of 79.58 m, but the whole robot is about",
    ),
    "RD110": (
        changed(END, TOOL.format(name="a", mass=0.5) + TOOL.format(name="b", mass=0.6) + END),
        "warn",
        62,
        "a",
        "links 'a', 'b' of 2 different masses have the inertia 0.001 times the identity",
    ),
    "RD111": (
        changed('izz="0.0043"', 'izz="0.0000"')
        .replace('iyz="0.0002"', 'iyz="0"')
        .replace('ixx="0.0071"', 'ixx="0.0068"'),
        "warn",
        8,
        "shoulder",
        "is printed as 0.0000",
    ),
    "RD112": (
        changed('<link name="base"/>', '<link name="base"/><link name="cross"/>')
        .replace('<child link="forearm"/>', '<child link="cross"/>')
        .replace(END, TWIST + END),
        "pass",
        3,
        "cross",
        "moving link 'cross' has no <inertial>, so its mass is 0",
    ),
    "RD113": (
        changed(END, TOOL.format(name="left_tip", mass=0.5) + TOOL.format(name="right_tip", mass=0.6) + END),
        "warn",
        61,
        "left_tip",
        "link 'left_tip' weighs 0.5 kg, but 'right_tip' 0.6 kg (line 64)",
    ),
    "RD114": (
        changed('<origin xyz="0.12 0 0" rpy="0 0 0"/>', '<origin xyz="0.12 0.12 0" rpy="0 0 0"/>'),
        "warn",
        28,
        "forearm",
        "lies 0.09 m outside its shapes",
    ),
    "RD115": (
        changed(FOREARM, 'ixx="0.0057" ixy="0" ixz="0" iyy="0.0056" iyz="0" izz="0.0006"'),
        "warn",
        30,
        "forearm",
        "is smallest about the z axis of its box, which is longest along its x axis",
    ),
    "RD116": (
        changed(
            FOREARM,
            'ixx="0.00399861" ixy="0.0014185" ixz="-0.00092094" iyy="0.00406933" iyz="-0.00169178" izz="0.00556"',
        ),
        "warn",
        30,
        "forearm",
        "would be possible with ixy, ixz and iyz of opposite sign",
    ),
    "RD117": (
        changed('<link name="base"/>', '<link name="base">' + HEAVY + "</link>"),
        "pass",
        3,
        "base",
        "root link 'base' has an inertial of 5 kg",
    ),
    "RD118": (
        changed('<origin xyz="0.15 0 0" rpy="0 0 0"/>', '<origin xyz="150 0 0" rpy="0 0 0"/>'),
        "warn",
        17,
        "upper_arm",
        "the centre of mass of link 'upper_arm' (150 0 0) is 150 m away",
    ),
    "RD119": (
        changed('"0.9"', '"900"').replace(FOREARM, 'ixx="0.6" ixy="0" ixz="0" iyy="5.6" iyz="0" izz="5.7"'),
        "warn",
        29,
        "forearm",
        "has 900 kg in shapes of 0.001008 m³",
    ),
    "RD121": (
        changed('<axis xyz="0 0 1"/>', '<axis xyz="0 0.7 0.7"/>'),
        "warn",
        41,
        "yaw",
        "axis '0 0.7 0.7' of joint 'yaw' has length 0.989949494, not 1",
    ),
    "RD122": (
        changed(ELBOW_LIMIT, 'lower="1" upper="-1" effort="30" velocity="4"'),
        "fail",
        58,
        "elbow",
        "has a lower limit of 1 above its upper limit of -1",
    ),
    "RD123": (
        changed(ELBOW_LIMIT, 'lower="-90" upper="90" effort="30" velocity="4"'),
        "warn",
        58,
        "elbow",
        "limit -90 of revolute joint 'elbow' looks like degrees (-90 rad are 14.3 turns)",
    ),
    "RD124": (
        changed(ELBOW_LIMIT, 'lower="-1" upper="1" velocity="4"'),
        "fail",
        58,
        "elbow",
        "revolute joint 'elbow' has no effort, which URDF requires",
    ),
    "RD125": (
        changed(ELBOW_LIMIT, 'lower="-1" upper="1" effort="30" velocity="0"'),
        "warn",
        58,
        "elbow",
        "joint 'elbow' has the velocity limit 0",
    ),
    "RD126": (changed('friction="0.05"', 'friction="-0.05"'), "fail", 59, "elbow", "has the negative friction -0.05"),
    "RD127": (
        changed(ELBOW_LIMIT, 'effort="30" velocity="4"'),
        "warn",
        58,
        "elbow",
        "may only be at 0 (lower and upper are missing, and URDF takes 0)",
    ),
    "RD131": (
        changed(FOREARM_BOX, '<mesh filename="package://arm/a.stl"/>'),
        "warn",
        34,
        "forearm",
        "1 mesh file cannot be found: 'package://arm/a.stl'",
    ),
    "RD132": (
        changed(ELBOW_LIMIT, ELBOW_LIMIT + ' upperr="1"'),
        "warn",
        58,
        "elbow",
        "URDF does not know the attribute 'upperr' of <limit> in 'elbow'; did you mean 'upper'?",
    ),
}


def said(robot: RobotModel) -> list[Result]:
    return [result for result in lint(robot) if result.message]


def test_every_code_has_a_change_that_it_finds() -> None:
    assert set(CHANGES) == {text.code for text in LINT_TEXTS} - {UNREADABLE}


@pytest.mark.parametrize("code", sorted(CHANGES))
def test_a_rule_finds_its_change_with_value_and_line(read: Read, code: str) -> None:
    text, verdict, line, element, words = CHANGES[code]
    (result,) = [result for result in said(read(text)) if result.code == code]
    assert result.message is not None
    assert result.where is not None
    assert result.cause is not None
    assert words in result.message
    assert (result.verdict, result.where.line, result.cause.element) == (verdict, line, element)
    assert (result.subject, result.cause.name, result.cause.where) == ("model", result.slug, result.where)
    assert result.cause.advice


def test_a_sound_model_passes_every_code_once(read: Read) -> None:
    results = lint(read(GOOD))
    assert [result.code for result in results] == [text.code for text in LINT_TEXTS if text.code != UNREADABLE]
    assert {(result.verdict, result.message) for result in results} == {("pass", None)}


@pytest.mark.parametrize("text", LINT_TEXTS, ids=[text.code for text in LINT_TEXTS])
def test_every_text_is_complete(text: LintText) -> None:
    assert [heading for heading, _ in text.sections] == [
        "What it checks",
        "Why it matters",
        "Usual causes",
        "References",
    ]
    assert all(paragraph.endswith(".") for _, paragraph in text.sections)
    assert text.title.endswith(".")


def test_codes_and_slugs_are_unique_and_in_family_1() -> None:
    codes, slugs = [text.code for text in LINT_TEXTS], [text.slug for text in LINT_TEXTS]
    assert len(set(codes)) == len(codes)
    assert len(set(slugs)) == len(slugs)
    assert codes == sorted(codes)
    assert all(code.startswith("RD1") and int(code[3:]) < 50 for code in codes)


def test_a_chain_of_1500_links_is_judged_without_recursion(read: Read) -> None:
    n = 1500
    inertial = (
        '<inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>'
    )
    parts = ['<robot name="chain"><link name="l0"/>']
    for k in range(1, n):
        parts.append(
            f'<link name="l{k}">{inertial}</link><joint name="j{k}" type="continuous"><origin xyz="0.01 0 0"/>'
        )
        parts.append(f'<parent link="l{k - 1}"/><child link="l{k}"/></joint>')
    assert {result.verdict for result in lint(read("".join(parts) + END))} == {"pass"}
