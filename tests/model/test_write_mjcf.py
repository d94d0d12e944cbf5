from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robodyn_check.errors import ModelError, TranslationError
from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.mjcf import read_mjcf
from robodyn_check.model.mjcf_compare import compare_with_compiled
from robodyn_check.model.read import read_model
from robodyn_check.model.write_mjcf import write_mjcf
from tests.model.mjcf_texts import ODD_MODELS, compiled, corpus
from tests.model.translations import difference, without_lines
from tests.model.urdf_texts import BASE, link, robot

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from robodyn_check.model.robot import RobotModel

Base = Literal["fixed", "floating"]
#: eps times the size of the terms, as for URDF.
BOUND = 64.0
SOME = corpus("urdf")[4::11]


def joint(name: str, parent: str, child: str, *, kind: str = "revolute", inside: str = "") -> str:
    """Return a joint of a URDF."""
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def mjcf(text: str) -> RobotModel:
    return read_mjcf("model.xml", text.encode())


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", SOME, ids=lambda path: path.parent.name)
def test_real_urdf_robots_move_alike_as_mjcf(path: Path, base: Base):
    try:
        original = read_model(path)
    except ModelError as error:
        pytest.skip(f"not readable: {error.faults[0]}")
    translation = write_mjcf(original, base=base)
    assert translation.base == base
    assert difference(original, mjcf(translation.text), translation, base=base) <= BOUND


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), base=st.sampled_from(["fixed", "floating"]))
def test_random_robots_move_alike_as_mjcf(seed: int, base: Base):
    original = random_robot(seed, kinds=("planar",) if seed % 3 == 0 else (), floating=base == "floating")
    translation = write_mjcf(original, base=base)
    assert difference(original, mjcf(translation.text), translation, base=base) <= BOUND


@settings(max_examples=20, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000))
def test_random_mjcf_robots_with_ball_joints_and_rotors_move_alike(seed: int):
    original = random_robot(seed, kinds=("ball", "planar"), armature=True, source_format="mjcf")
    translation = write_mjcf(original)
    assert difference(original, mjcf(translation.text), translation) <= BOUND


@pytest.mark.parametrize("text", ODD_MODELS.values(), ids=ODD_MODELS.keys())
def test_an_mjcf_in_plain_words_moves_alike(text: str):
    original = mjcf(text)
    translation = write_mjcf(original)
    assert difference(original, mjcf(translation.text), translation) <= BOUND


@pytest.mark.parametrize("seed", range(6))
def test_mujoco_compiles_the_translation_to_the_same_numbers(seed: int, tmp_path: Path):
    original = random_robot(seed, kinds=("planar",), floating=True)
    path = tmp_path / "model.xml"
    path.write_text(write_mjcf(original, base="floating").text)
    (result,) = compare_with_compiled(read_model(path), compiled(path))
    assert result.verdict == "pass"


def test_numbers_that_need_no_change_keep_their_text(read: Callable[[str], RobotModel]):
    text = robot(
        BASE,
        '<link name="a"><inertial><origin xyz="0.10 0 0"/><mass value="1.50"/><inertia ixx=".1" ixy="0.01" ixz="0" '
        'iyy="1e-1" iyz="0" izz=".10"/></inertial></link>',
        joint("j", "base", "a", inside='<origin xyz="0 1.0 0"/><axis xyz="0 0 2.0"/>'),
    )
    written = write_mjcf(read(text)).text
    for part in (
        'pos="0 1.0 0"',
        'pos="0.10 0 0"',
        'mass="1.50"',
        'fullinertia=".1 1e-1 .10 0.01 0 0"',
        'axis="0 0 2.0"',
    ):
        assert part in written


def test_names_survive_and_the_worlds_name_is_given_up(read: Callable[[str], RobotModel]):
    original = read(robot(link("a &lt;&quot;&amp;"), link("world"), joint("j/1", "a &lt;&quot;&amp;", "world")))
    translation = write_mjcf(original)
    again = mjcf(translation.text)
    assert [entry.name for entry in again.links] == ['a <"&', "world_link"]
    assert [entry.name for entry in again.joints if entry.kind != "fixed"] == ["j/1"]
    assert "link 'world' is called 'world_link'" in " ".join(translation.notes)


def test_a_massless_root_called_world_is_the_world(read: Callable[[str], RobotModel]):
    original = read(robot('<link name="world"/>', link("a"), joint("j", "world", "a")))
    assert [entry.name for entry in mjcf(write_mjcf(original).text).links] == ["a"]


def test_massless_links_are_folded_and_named(read: Callable[[str], RobotModel], tmp_path: Path):
    parts = [BASE, '<link name="x"/>', '<link name="y"/>', link("tip")]
    axes = [f'<axis xyz="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1")]
    ends = [("base", "x"), ("x", "y"), ("y", "tip")]
    chain = [joint(f"to_{child}", parent, child, inside=axis) for (parent, child), axis in zip(ends, axes, strict=True)]
    translation = write_mjcf(read(robot(*parts, *chain)))
    assert "massless links are no bodies here" in translation.notes[0]
    assert "'x', 'y'" in translation.notes[0]
    (tmp_path / "model.xml").write_text(translation.text)
    assert len(compiled(tmp_path / "model.xml")["bodies"]) == 2


def test_a_body_never_gets_more_than_six_joints(read: Callable[[str], RobotModel]):
    count = 10
    links = [BASE, *(f'<link name="m{k}"/>' for k in range(count)), link("tip")]
    names = ["base", *(f"m{k}" for k in range(count)), "tip"]
    chain = [joint(f"j{k}", names[k], names[k + 1]) for k in range(count + 1)]
    original = read(robot(*links, *chain))
    again = mjcf(write_mjcf(original).text)
    assert len([entry for entry in again.joints if entry.kind == "revolute"]) == count + 1


def test_a_branching_massless_link_stays_as_it_is(read: Callable[[str], RobotModel]):
    parts = [BASE, '<link name="m"/>', link("a"), link("b")]
    original = read(robot(*parts, joint("j", "base", "m"), joint("ja", "m", "a"), joint("jb", "m", "b")))
    assert "m" in [entry.name for entry in mjcf(write_mjcf(original).text).links]


def test_a_floating_joint_in_the_worlds_frame_is_free(read: Callable[[str], RobotModel]):
    floating = '<joint name="f" type="floating"><parent link="world"/><child link="a"/></joint>'
    translation = write_mjcf(read(robot('<link name="world"/>', link("a"), floating)))
    assert translation.base == "floating"
    assert mjcf(translation.text).joints[0].origin_is_absolute


@pytest.mark.parametrize("where", ['<origin xyz="0 0 1"/>', ""], ids=["placed", "below_a_joint"])
def test_a_floating_joint_elsewhere_is_refused_with_its_name(where: str, read: Callable[[str], RobotModel]):
    floating = f'<joint name="f" type="floating">{where}<parent link="a"/><child link="b"/></joint>'
    kind = "fixed" if where else "revolute"
    original = read(robot(BASE, link("a"), link("b"), joint("j", "base", "a", kind=kind), floating))
    with pytest.raises(TranslationError, match="joint 'f' is floating below link 'a'"):
        write_mjcf(original)


def test_nothing_that_could_act_is_written(read: Callable[[str], RobotModel]):
    inside = '<limit lower="0" upper="1" effort="1" velocity="1"/><dynamics damping="1" friction="1"/>'
    translation = write_mjcf(read(robot(BASE, link("a"), joint("j", "base", "a", inside=inside))))
    for word in ("range", "damping", "friction", "geom"):
        assert word not in translation.text
    assert translation.notes == ("limits, damping and friction are not written",)


def test_writing_twice_changes_nothing():
    text = write_mjcf(random_robot(3)).text
    again = write_mjcf(mjcf(text)).text
    assert without_lines(mjcf(again)) == without_lines(mjcf(text))
