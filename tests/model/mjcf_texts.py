"""MJCF texts and the two readings of a text, for the tests of MJCF."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
INERTIAL = '<inertial pos="0.1 0.2 0.3" euler="10 20 30" mass="1" diaginertia="1 1.1 1.2"/>'


def mjcf(bodies: str, *, head: str = "", tail: str = "") -> str:
    """Return an MJCF with these bodies."""
    return f'<mujoco model="m">{head}<worldbody>{bodies}</worldbody>{tail}</mujoco>'


def compiled(path: Path) -> dict[str, Any]:
    """Return what MuJoCo's compiler says, in this process: a start of its own takes a second."""
    pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    spec = importlib.util.spec_from_file_location("mujoco_compile", ROOT / "adapters" / "mujoco_compile.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    answer = module.main(str(path))
    assert "refused" not in answer, answer
    return dict(answer)


def corpus(form: str, names: tuple[str, ...] = ()) -> list[Path]:
    """Return model files of the corpus; none where it is not there."""
    index = SHARED / "corpus" / "index.json"
    if not index.is_file():
        return []
    robots = json.loads(index.read_text(encoding="utf-8"))["robots"]
    chosen = [robot for robot in robots if robot["format"] == form and (not names or robot["name"] in names)]
    return [index.parent / robot["file"] for robot in chosen]


#: Models whose every number both readings state, by what is special about them.
ODD_MODELS = {
    "frames_around_bodies_joints_inertials": mjcf(
        '<frame pos="1 2 3" euler="10 20 30"><body pos="1 0 0" quat="1 2 3 4"><frame pos=".1 .2 .3" '
        f'axisangle="1 1 0 40"><joint axis="1 2 3" pos=".1 .2 .4" ref="20" range="-10 20"/>{INERTIAL}'
        f'<body zaxis="1 2 -3"><joint type="slide" ref="2" range="0 4"/>{INERTIAL}</body></frame>'
        f'<frame euler="0 0 3"><body xyaxes="1 2 3 0 1 0"><joint pos="1 1 1"/><joint axis="1 0 0"/>{INERTIAL}</body>'
        "</frame></body></frame>"
    ),
    "mixed_euler_sequence": mjcf(
        f'<body euler="10 20 30"><freejoint/>{INERTIAL}<body euler="1 2 3"><joint type="ball" pos="0 0 1" '
        f'armature="2"/>{INERTIAL}</body></body>',
        head='<compiler eulerseq="zYx"/>',
    ),
    "radians_apply_from_anywhere": mjcf(
        f'<body euler="0 0 1"><joint range="0 1" ref="0.5"/>{INERTIAL}</body>', tail='<compiler angle="radian"/>'
    ),
    "full_inertia": mjcf(
        '<body><joint/><inertial pos="0 0 0" mass="1" fullinertia="3 4 5 .1 .2 .3"/></body>'
        '<body><joint/><frame euler="10 20 30" pos="1 1 1"><inertial pos="0 0 1" mass="1" '
        'fullinertia="3 4 5 .1 .2 .3"/></frame></body>'
    ),
    "default_classes": mjcf(
        f'<body childclass="a"><joint/>{INERTIAL}<frame childclass="b"><body><joint type="hinge"/>{INERTIAL}</body>'
        f'</frame><body><joint class="main"/>{INERTIAL}<body><joint class="b" axis="0 1 0"/>{INERTIAL}</body></body>'
        "</body>",
        head='<default><default class="a"><default class="b"><joint type="slide" armature="7"/></default>'
        '<joint axis="1 1 0" damping="3"/></default><joint armature=".5" pos="1 0 0"/></default>',
    ),
    "freejoint_takes_no_defaults": mjcf(
        f'<body><freejoint/>{INERTIAL}</body><body><joint type="free"/>{INERTIAL}</body>',
        head='<default><joint armature="3" damping="2"/></default>',
    ),
    "actuator_rotors": mjcf(
        f'<body><joint name="j" armature="1"/>{INERTIAL}</body>',
        head='<default><default class="m"><motor armature="0.5" gear="3"/></default></default>',
        tail='<actuator><position joint="j" class="m"/><motor joint="j" armature=".1"/></actuator>',
    ),
    "limits_of_every_kind": mjcf(
        f'<body><joint range="-90 90"/>{INERTIAL}<body><joint range="1 0"/>{INERTIAL}<body><joint range="0 9" '
        f'limited="false"/>{INERTIAL}<body><joint type="slide" range="0 9" limited="true"/>{INERTIAL}</body></body>'
        "</body></body>"
    ),
    "worldbody_in_pieces_and_welds": mjcf(
        f'<body pos="0 0 1">{INERTIAL}</body>', tail=f'<worldbody><body pos="1 0 0">{INERTIAL}</body></worldbody>'
    ),
    "gravity_switched_off": mjcf(
        f"<body><joint/>{INERTIAL}</body>", head='<option gravity="0 0 -3"><flag gravity="disable"/></option>'
    ),
    "gravity_of_the_moon": mjcf(
        f"<body><joint/>{INERTIAL}</body>", head='<option gravity="0 0 -1.62"/><option density="1.2"/>'
    ),
}

#: Models with numbers that only MuJoCo's compiler can say.
COMPILED_MODELS = {
    "inertia_from_shapes": mjcf(
        f'<body name="a"><joint/><geom size=".1"/><body name="b"><joint/>{INERTIAL}<geom size="1"/></body></body>'
    ),
    "shapes_win_over_inertials": mjcf(
        f'<body name="a"><joint/>{INERTIAL}<geom size=".1" pos="1 2 3"/></body><body name="b">{INERTIAL}</body>',
        head='<compiler inertiafromgeom="true"/>',
    ),
    "balanced_inertias": mjcf(
        '<body name="a"><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body>',
        head='<compiler balanceinertia="true"/>',
    ),
    "replicas": mjcf(
        f'<replicate count="3" offset="1 0 0"><body name="a"><joint name="j" pos=".1 0 0" range="0 9"/>{INERTIAL}'
        f'<body><joint type="ball"/>{INERTIAL}</body></body></replicate>'
    ),
    "aligned_free_joint": mjcf(f'<body name="a" pos="1 1 1"><freejoint align="true"/>{INERTIAL}</body>'),
    "missing_mesh_without_effect": mjcf(
        f'<body name="a"><joint/>{INERTIAL}<geom type="mesh" mesh="m" material="k"/></body>'
        '<body name="b"><joint/><geom size="1"/></body>',
        tail='<asset><mesh name="m" file="missing.stl"/><texture name="t" type="2d" file="missing.png"/>'
        '<material name="k" texture="t"/></asset>',
    ),
}
