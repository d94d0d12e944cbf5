"""MuJoCo's compiler refuses links that nest a thousand deep; fused, as it does by default, they are the same robot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.model.read import read_model
from robodyn_check.resources import resource_folder
from robodyn_check.sdk.adapter import Source
from robodyn_check.sdk.worker import load_adapter

if TYPE_CHECKING:
    from pathlib import Path

LINKS = 1100
LINK = (
    '<link name="l{0}"><inertial><mass value="0.1"/>'
    '<inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial></link>'
)
JOINT = '<joint name="j{0}" type="{1}"><parent link="l{0}"/><child link="l{2}"/><axis xyz="0 0 1"/></joint>'


def test_links_that_nest_too_deeply_are_fused_and_the_report_says_so(tmp_path: Path):
    pytest.importorskip("mujoco")
    parts = [LINK.format(number) for number in range(LINKS)]
    kinds = ["continuous", *["fixed"] * (LINKS - 2)]
    parts += [JOINT.format(number, kind, number + 1) for number, kind in enumerate(kinds)]
    path = tmp_path / "deep.urdf"
    path.write_text(f'<robot name="deep">{"".join(parts)}</robot>', encoding="utf-8")
    robot = read_model(path)
    layout = load_adapter(resource_folder("adapters") / "mujoco.py")().load(
        Source(
            path=path,
            format="urdf",
            base="fixed",
            gravity=(0.0, 0.0, -9.81),
            joints=("j0",),
            links=tuple(link.name for link in robot.links),
            root_link="l0",
        )
    )
    assert layout.nv == 1
    assert any("nest too deeply" in note for note in layout.notes)
