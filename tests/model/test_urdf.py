"""URDF: defaults, every value with its line, every fault of the file at once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.model.urdf_texts import ARM, BASE, joint, link, robot

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.errors import Fault
    from robodyn_check.model.robot import RobotModel

    Read = Callable[[str | bytes], RobotModel]
    ReadFaults = Callable[[str | bytes], tuple[Fault, ...]]


def test_values_keep_their_text_and_line(read: Read) -> None:
    model = read(ARM)
    inertial = model.links[1].inertial
    assert inertial is not None
    assert (inertial.mass.text, inertial.mass.value, inertial.mass.line) == ("1.2", 1.2, 6)
    assert [number.text for number in inertial.inertia] == ["0.002", "0", "0", "0.011", "0", "0.012"]
    assert (model.name, model.format, len(model.sha256), model.root_links()) == ("arm", "urdf", 64, ("base",))
    assert [j.name for j in model.joints] == ["shoulder", "elbow"]
    assert model.joints[1].line == 24


def test_defaults_are_those_of_the_specification(read: Read) -> None:
    model = read(
        robot(
            BASE,
            link("a"),
            '<joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint>',
        )
    )
    (j,) = model.joints
    assert j.axis is not None
    assert [number.value for number in j.axis] == [1, 0, 0]
    assert [number.value for number in j.placements[0].xyz] == [0, 0, 0]
    assert j.placements[0].rotation is None
    assert (j.limits, j.mimic, j.damping) == (None, None, None)
    assert model.links[0].inertial is None


def test_every_part_of_a_joint_is_read(read: Read) -> None:
    model = read(
        robot(
            BASE,
            link("a"),
            link("b"),
            joint("j", "base", "a"),
            '<joint name="k" type="prismatic"><origin xyz="1 2 3" rpy=".1 .2 .3"/><parent link="a"/><child link="b"/>'
            '<limit lower="-1" upper="2" effort="3" velocity="4"/><dynamics damping="5" friction="6"/>'
            '<mimic joint="j" multiplier="-2" offset=".5"/></joint>',
        )
    )
    k = model.joints[1]
    assert k.limits is not None
    assert k.mimic is not None
    assert k.placements[0].rotation is not None
    limits = (k.limits.lower, k.limits.upper, k.limits.effort, k.limits.velocity)
    assert [number.value for number in limits if number] == [-1, 2, 3, 4]
    assert (k.damping and k.damping.value, k.friction and k.friction.value) == (5, 6)
    assert (k.mimic.joint, k.mimic.multiplier.value, k.mimic.offset.value) == ("j", -2, 0.5)
    assert k.placements[0].rotation.kind == "rpy"


@pytest.mark.parametrize(
    ("geometry", "kind", "sizes"),
    [
        ('<box size="1 2 3"/>', "box", [1, 2, 3]),
        ('<sphere radius="2"/>', "sphere", [2]),
        ('<cylinder radius="1" length="2"/>', "cylinder", [1, 2]),
        ('<capsule radius="1" length="2"/>', "capsule", [1, 2]),
        ('<mesh filename="a.stl" scale="1 1 1"/>', "mesh", []),
    ],
)
def test_shapes_are_kept_for_lint(read: Read, geometry: str, kind: str, sizes: list[float]) -> None:
    model = read(robot(f'<link name="a"><collision><geometry>{geometry}</geometry></collision></link>'))
    (shape,) = model.links[0].shapes
    assert (shape.kind, shape.role, [number.value for number in shape.sizes]) == (kind, "collision", sizes)


def test_extensions_are_kept_as_written_with_their_owner(read: Read) -> None:
    model = read(
        robot(
            BASE,
            link("a"),
            joint("j", "base", "a").replace("  </joint>", '<drake:rotor_inertia value="1e-3"/>  </joint>'),
            '<transmission name="t"><joint name="j"/></transmission>\n<gazebo reference="a"><mu1>1</mu1></gazebo>\n',
        )
    )
    kept = [(element.tag, element.owner, element.line) for element in model.extensions]
    assert kept == [("drake:rotor_inertia", "j", 16), ("transmission", "j", 17), ("gazebo", "a", 18)]
    assert model.extensions[0].text == '<drake:rotor_inertia value="1e-3"/>'


def test_attributes_that_urdf_does_not_know_are_kept(read: Read) -> None:
    model = read(robot(BASE, link("a").replace('izz="', 'iyx="3" izz="'), joint("j", "base", "a")))
    (extra,) = model.extensions
    assert (extra.tag, extra.text, extra.owner, extra.line) == ("inertia@iyx", "3", "a", 7)


BROKEN = {
    "duplicate link": (
        robot(BASE, link("a"), link("a"), joint("j", "base", "a")),
        10,
        "link 'a' is defined twice, in lines 3 and 10",
        "duplicate-name",
    ),
    "duplicate joint": (
        robot(BASE, link("a"), link("b"), joint("j", "base", "a"), joint("j", "a", "b")),
        24,
        "joint 'j' is defined twice, in lines 17 and 24",
        "duplicate-name",
    ),
    "missing parent": (
        robot(BASE, link("a"), joint("j", "bsae", "a")),
        10,
        "joint 'j' names the parent link 'bsae', which does not exist. Did you mean 'base'?",
        "undefined-link",
    ),
    "missing child": (
        robot(BASE, link("forearm"), joint("j", "base", "forarm")),
        10,
        "joint 'j' names the child link 'forarm', which does not exist. Did you mean 'forearm'?",
        "undefined-link",
    ),
    "drake's world": (
        robot(link("a"), joint("j", "world", "a")),
        9,
        'Add <link name="world"/>: only Drake knows it without.',
        "undefined-link",
    ),
    "two parents": (
        robot(BASE, link("a"), link("b"), joint("j", "base", "a"), joint("k", "base", "b"), joint("l", "a", "b")),
        31,
        "link 'b' has two parents: joint 'k' (line 24) and joint 'l' (line 31)",
        "kinematic-loop",
    ),
    "loop": (
        robot(BASE, link("a"), link("b"), joint("j", "base", "a"), joint("k", "a", "b"), joint("l", "b", "a")),
        31,
        "kinematic loop 'b' -> 'a' -> 'b' through joints 'l', 'k'",
        "kinematic-loop",
    ),
    "loop without a root": (
        robot(link("a"), link("b"), joint("k", "a", "b"), joint("l", "b", "a")),
        23,
        "kinematic loop 'b' -> 'a' -> 'b' through joints 'l', 'k'",
        "kinematic-loop",
    ),
    "self loop": (
        robot(BASE, link("a"), joint("j", "base", "a"), joint("k", "a", "a")),
        17,
        "joint 'k' connects link 'a' to itself",
        "kinematic-loop",
    ),
    "two roots": (
        robot(BASE, link("a"), link("stray"), joint("j", "base", "a")),
        10,
        "2 links have no parent joint: 'base' (line 2), 'stray' (line 10)",
        "multiple-root-links",
    ),
    "zero axis": (
        ARM.replace('<axis xyz="0 1 0"/>', '<axis xyz="0 0.0 -0"/>', 1),
        21,
        "axis '0 0.0 -0' of revolute joint 'shoulder' has length zero",
        "joint-axis-zero",
    ),
    "axis without xyz": (ARM.replace('<axis xyz="0 1 0"/>', "<axis/>", 1), 21, "has no 'xyz'", "missing-attribute"),
    "unknown type": (
        ARM.replace('"revolute"', '"Revolut"', 1),
        17,
        "'Revolut', expected one of revolute, continuous, prismatic, fixed, planar, floating. Did you mean 'revolute'?",
        "unknown-joint-type",
    ),
    "no type": (ARM.replace(' type="revolute"', "", 1), 17, "joint 'shoulder' has no type", "missing-attribute"),
    "no name": (ARM.replace("</robot>", "<link/></robot>"), 31, "<link> has no name", "missing-attribute"),
    "robot without name": (ARM.replace('<robot name="arm">', "<robot>"), 1, "<robot> has no name", "missing-attribute"),
    "no parent": (ARM.replace('<parent link="base"/>', "", 1), 17, 'has no <parent link="..."/>', "missing-element"),
    "child names nothing": (
        ARM.replace('<child link="forearm"/>', "<child/>"),
        27,
        "has no 'link'",
        "missing-attribute",
    ),
    "no mass": (
        ARM.replace('<mass value="1.2"/>', "", 1),
        4,
        "the inertial of link 'upper_arm' has no <mass>",
        "missing-element",
    ),
    "no inertia entry": (ARM.replace(' iyz="0"', "", 1), 7, "<inertia> has no 'iyz'", "missing-attribute"),
    "two masses": (
        ARM.replace('<mass value="1.2"/>', '<mass value="1.2"/><mass value="2"/>', 1),
        6,
        "the inertial of link 'upper_arm' has a second <mass> (the first is in line 6)",
        "duplicate-element",
    ),
    "nan": (
        ARM.replace('"1.2"', '"nan"', 1),
        6,
        "mass of link 'upper_arm': 'nan' is not a finite number",
        "non-finite-number",
    ),
    "two numbers": (ARM.replace("0.1 0 0", "0.1 0", 1), 5, "has 2 ('0.1 0'), expected 3 numbers", "wrong-number-count"),
    "xacro value": (
        ARM.replace('"1.2"', '"${m * 2}"', 1),
        6,
        "'${m * 2}' is an expression of xacro",
        "xacro-not-expanded",
    ),
    "xacro name": (
        ARM.replace('"shoulder"', '"${prefix}shoulder"'),
        17,
        "is an expression of xacro",
        "xacro-not-expanded",
    ),
    "xacro element": (
        ARM.replace("</robot>", '<xacro:arm prefix="l"/></robot>'),
        31,
        "'xacro:arm' is an element of xacro, which is not a part of URDF; run xacro first",
        "xacro-not-expanded",
    ),
    "mimic of nothing": (
        ARM.replace("  </joint>", '<mimic joint="sholder"/></joint>', 2).replace('<mimic joint="sholder"/>', "", 1),
        30,
        "joint 'elbow' mimics joint 'sholder', which does not exist. Did you mean 'shoulder'?",
        "undefined-joint",
    ),
    "no link": (robot(), 1, "the robot has no <link>", "missing-element"),
}


@pytest.mark.parametrize(("text", "line", "words", "cause"), BROKEN.values(), ids=BROKEN.keys())
def test_a_fault_names_line_value_and_remedy(faults: ReadFaults, text: str, line: int, words: str, cause: str) -> None:
    (fault,) = faults(text)
    assert words in fault.message
    assert (fault.line, fault.cause, fault.code) == (line, cause, "RD100")
    assert str(fault).endswith(f"model.urdf:{line}: {fault.message}")


def test_a_mimic_circle_is_told_for_each_joint(faults: ReadFaults) -> None:
    text = ARM.replace("  </joint>", '<mimic joint="elbow"/>\n</joint>', 1)
    head, tail = text.rsplit("  </joint>", 1)
    found = faults(head + '<mimic joint="shoulder"/></joint>' + tail)
    assert [fault.cause for fault in found] == ["mimic-cycle", "mimic-cycle"]
    assert "leads back to 'shoulder'" in found[0].message


def test_all_faults_of_a_file_come_in_one_go_sorted_by_line(faults: ReadFaults) -> None:
    text = ARM.replace('"1.2"', '"1,2"').replace('"revolute"', '"hinge"', 1).replace('<child link="forearm"/>', "")
    assert [(fault.line, fault.cause) for fault in faults(text)] == [
        (6, "not-a-number"),
        (13, "not-a-number"),
        (17, "unknown-joint-type"),
        (24, "missing-element"),
    ]


def test_a_zero_axis_on_a_fixed_joint_is_legal(read: Read) -> None:
    model = read(ARM.replace('"revolute"', '"fixed"').replace("0 1 0", "0 0 0"))
    assert [j.axis for j in model.joints] == [None, None]


def test_a_chain_of_5000_links_is_read_without_recursion(read: Read) -> None:
    n = 5000
    parts = [f'<link name="l{k}"/>' for k in range(n)]
    parts += [
        f'<joint name="j{k}" type="fixed"><parent link="l{k}"/><child link="l{k + 1}"/></joint>' for k in range(n - 1)
    ]
    assert len(read(robot(*parts)).links) == n


def test_a_loop_of_5000_links_is_told_at_once(faults: ReadFaults) -> None:
    n = 5000
    parts = [f'<link name="l{k}"/>' for k in range(n)]
    parts += [
        f'<joint name="j{k}" type="fixed"><parent link="l{k}"/><child link="l{(k + 1) % n}"/></joint>' for k in range(n)
    ]
    (fault,) = faults(robot(*parts))
    assert "(5000 links)" in fault.message


def test_names_cannot_write_to_the_terminal(faults: ReadFaults) -> None:
    (fault,) = faults(robot(BASE, link("a"), joint("j\u009b31m", "base", "a").replace('"revolute"', '"x"')))
    assert "\u009b" not in fault.message
    assert "j\\x9b31m" in fault.message


def test_a_long_chain_of_mimics_and_many_faults_are_judged_in_linear_time(faults: ReadFaults) -> None:
    n = 4000
    parts = [f'<link name="l{k}"/>' for k in range(n)]
    for k in range(n - 1):
        ends = f'<parent link="l{k}"/><child link="l{k + 1}"/>'
        parts.append(f'<joint name="j{k}" type="continuous">{ends}<mimic joint="j{(k + 1) % (n - 1)}"/></joint>')
    began = time.process_time()
    assert len(faults(robot(*parts))) == n - 1
    assert time.process_time() - began < 5
