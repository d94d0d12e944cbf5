from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robodyn_check.errors import ModelError, TranslationError
from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.mjcf import read_mjcf
from robodyn_check.model.read import read_model
from robodyn_check.model.urdf import read_urdf
from robodyn_check.model.write_urdf import write_urdf
from robodyn_check.model.xml import parse_xml
from tests.model.mjcf_texts import INERTIAL, corpus, mjcf
from tests.model.translations import difference, unordered, without_lines
from tests.model.urdf_texts import ARM

if TYPE_CHECKING:
    from pathlib import Path

    from robodyn_check.model.robot import RobotModel

#: eps times the size of the terms: composing frames and turning quaternions into angles costs a few roundings a joint.
BOUND = 64.0
#: The first of each kind of robot that the corpus names.
EVERY_NINTH = corpus("urdf")[::9]
STATED = ("gen_ur5e", "dmc_fish", "dmc_jumping_ball", "mj_anymal_b", "mjc_car", "rsm_yumi", "rs_iiwa")

EXTENDED = """<robot name="r&amp;d" version="1.0"><!-- names and texts that have to survive -->
<link name="base" kind="x"><inertial><mass value="1.50" unit="kg"/><inertia ixx=".1" ixy="0" ixz="-0.0" iyy="1e-1"
 iyz="0" izz="+.1"/></inertial><visual><geometry><mesh filename="package://a/b.stl"/></geometry></visual>
 <collision><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry></collision>
 <collision><geometry><capsule radius="1" length="2"/></geometry></collision>
 <collision><geometry><sphere radius="1.0"/></geometry></collision><drake:proximity a="&lt;1&gt;"/></link>
<link name="tip &lt;1&gt;"/><link name="end"/><joint name="j" type="revolute"><origin rpy="0 0.50 1."/>
<parent link="base"/>
<child link="tip &lt;1&gt;"/><axis xyz="0 0 2" rpy="0 0 0"/>
<limit lower="-1.0" upper="1" effort="3" velocity="4" acceleration="5"/>
<dynamics friction="0.10"/><calibration rising="0"/></joint>
<joint name="k" type="prismatic"><parent link="tip &lt;1&gt;"/><child link="end"/><limit effort="1" velocity="1"/>
<mimic joint="j" multiplier="2.0"/></joint>
<transmission name="t"><joint name="j"><x/></joint></transmission>
<gazebo reference="base"><y>text</y></gazebo><gazebo><z/></gazebo></robot>"""


def urdf(text: str) -> RobotModel:
    data = text.encode()
    return read_urdf("model.urdf", data, parse_xml(data, "model.urdf"))


@pytest.mark.parametrize("text", [ARM, EXTENDED], ids=["arm", "everything"])
def test_what_a_urdf_says_survives_writing(text: str):
    robot = urdf(text)
    again = urdf(write_urdf(robot).text)
    assert unordered(again) == unordered(robot)


@pytest.mark.parametrize("path", EVERY_NINTH, ids=lambda path: path.parent.name)
def test_real_urdfs_are_the_same_robot_after_writing(path: Path):
    try:
        robot = read_model(path)
    except ModelError as error:
        pytest.skip(f"not readable: {error.faults[0]}")
    translation = write_urdf(robot)
    assert unordered(urdf(translation.text)) == unordered(robot)
    assert (translation.base, translation.notes) == ("fixed", ())


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), mimic=st.booleans())
def test_random_robots_keep_every_number_as_text(seed: int, mimic: bool):  # noqa: FBT001 - drawn, not chosen
    robot = random_robot(seed, mimic=mimic, kinds=("planar",) if seed % 2 else ())
    text = write_urdf(robot).text
    again = urdf(text)
    assert without_lines(urdf(write_urdf(again).text)) == without_lines(again)
    for ours, theirs in zip(robot.joints, again.joints, strict=True):
        assert without_lines((ours.axis, ours.placements)) == without_lines((theirs.axis, theirs.placements))
    for link, same in zip(robot.links, again.links, strict=True):
        assert without_lines(link.inertial) == without_lines(same.inertial)


def test_an_attribute_without_a_certain_place_is_named_as_lost():
    robot = urdf('<robot name="r"><link name="a"><visual><origin xyz="0 0 0" abc="1"/></visual></link></robot>')
    assert write_urdf(robot).notes == ("attribute 'origin@abc' is not written",)


def read(text: str) -> RobotModel:
    return read_mjcf("model.xml", text.encode())


@pytest.mark.parametrize("path", corpus("mjcf", STATED), ids=lambda path: path.parent.name)
def test_real_mjcf_robots_move_alike_as_urdf(path: Path):
    robot = read_model(path)
    translation = write_urdf(robot)
    assert difference(robot, urdf(translation.text), translation) <= BOUND


@pytest.mark.parametrize(
    "bodies",
    [
        (
            f'<body name="a" pos="0 0 1" euler="10 90 30"><joint pos="0.1 0.2 0.3" axis="1 2 3"/>{INERTIAL}'
            f'<body name="b" quat="1 2 3 4"><joint type="slide" axis="1 1 0"/><joint pos="1 0 0" axis="0 1 0"/>'
            f'{INERTIAL}</body><frame euler="0 90 0"><body name="c" zaxis="0 1 1">{INERTIAL}</body></frame></body>'
        ),
        f'<body name="a">{INERTIAL}</body><body name="b" pos="1 0 0"><joint range="-10 10"/>{INERTIAL}</body>',
        f'<body name="a" pos="0 0 1"><freejoint name="root"/>{INERTIAL}<body name="b"><joint/>{INERTIAL}</body></body>',
    ],
    ids=["anchors_and_stacks", "two_roots", "free_root"],
)
def test_what_urdf_has_other_words_for_moves_alike(bodies: str):
    robot = read(mjcf(bodies, head='<option gravity="1 2 -3"/>'))
    translation = write_urdf(robot)
    assert translation.base == ("floating" if "freejoint" in bodies else "fixed")
    assert difference(robot, urdf(translation.text), translation) <= BOUND


def test_limits_are_written_in_radians_and_none_as_continuous():
    bodies = f'<body><joint name="j" range="-180 90"/>{INERTIAL}<body><joint name="k"/>{INERTIAL}</body></body>'
    limited, free = urdf(write_urdf(read(mjcf(bodies))).text).joints
    assert (limited.kind, free.kind) == ("revolute", "continuous")
    assert limited.limits is not None
    assert limited.limits.lower is not None
    assert limited.limits.lower.text == "-3.141592653589793"


@pytest.mark.parametrize(
    ("bodies", "words"),
    [
        (f'\n<body><joint name="b" type="ball"/>{INERTIAL}</body>', r"model\.xml:2: joint 'b' is a ball joint"),
        (f'\n<body><joint name="r" armature="0.10"/>{INERTIAL}</body>', r"model\.xml:2: joint 'r' has armature 0\.10"),
        (f'\n<body><joint name="z" ref="90"/>{INERTIAL}</body>', r"model\.xml:2: joint 'z' has ref 90"),
        (
            f'<body><freejoint name="f"/>{INERTIAL}</body><body>{INERTIAL}</body>',
            r"model\.xml:1: joint 'f' is free beside other bodies",
        ),
    ],
)
def test_what_urdf_cannot_say_is_refused_with_its_name(bodies: str, words: str):
    with pytest.raises(TranslationError, match=words):
        write_urdf(read(mjcf(bodies)))


def test_the_notes_say_what_a_loader_has_to_know():
    arm = f'<body gravcomp="1"><joint/><joint axis="1 0 0"/>{INERTIAL}</body>'
    bodies = f'<body><freejoint name="root"/>{INERTIAL}{arm}</body>'
    notes = write_urdf(read(mjcf(bodies, head='<option gravity="0 0 -1"/>'))).notes
    assert notes == (
        "the free joint 'root' becomes the floating base; its initial pose is not written",
        "1 massless link stands between the joints of one body",
        "URDF has no gravity; the file's is handed over when the robot is loaded",
        "1 element outside the smooth rigid-body model is not written",
    )
