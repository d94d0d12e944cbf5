"""What a library holds beside the file: each difference is found and located, and none where all is equal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robodyn_check.diagnosis.readback import differences, notes
from robodyn_check.harness.describe import describe
from robodyn_check.model.robot import Number
from robodyn_check.sdk.readback import BodyReadback, Readback, matrix
from tests.checks.conftest import ROBOTS, bench

SCENE = bench("vertical_root").scene
TRUTH = describe(SCENE.robot, SCENE.mechanism)


def with_body(name: str, **changes: object) -> Readback:
    """Return the truth with one body changed."""
    bodies = tuple(replace(body, **changes) if body.name == name else body for body in TRUTH.bodies)  # type: ignore[arg-type]
    return replace(TRUTH, bodies=bodies)


def merged() -> Readback:
    """Return the truth with all links of a joint merged into one body, in the joint's frame."""
    bodies = []
    for joint in dict.fromkeys(body.joint for body in TRUTH.bodies if body.joint):
        parts = [body for body in TRUTH.bodies if body.joint == joint]
        mass = sum(body.mass for body in parts)
        centres = [np.array(body.rotation) @ body.com + body.translation for body in parts]
        com = sum((body.mass * c for body, c in zip(parts, centres, strict=True)), np.zeros(3)) / mass
        inertia = np.zeros((3, 3))
        for body, centre in zip(parts, centres, strict=True):
            turn, d = np.array(body.rotation), centre - com
            inertia += turn @ np.array(body.inertia) @ turn.T + body.mass * (np.eye(3) * (d @ d) - np.outer(d, d))
        names = tuple(body.name for body in parts)
        bodies.append(
            BodyReadback(name=joint, mass=mass, com=tuple(com), inertia=matrix(inertia), joint=joint, links=names)
        )
    return replace(TRUTH, bodies=tuple(bodies))


@pytest.mark.parametrize("name", ROBOTS)
def test_the_truth_differs_in_nothing(name: str) -> None:
    scene = bench(name).scene
    truth = describe(scene.robot, scene.mechanism)
    assert differences(scene.robot, truth, truth) == ()


def test_merged_bodies_differ_in_nothing_unless_one_is_changed() -> None:
    held = merged()
    assert differences(SCENE.robot, TRUTH, held) == ()
    first = replace(held.bodies[0], mass=held.bodies[0].mass + 1)
    (found,) = differences(SCENE.robot, TRUTH, replace(held, bodies=(first, *held.bodies[1:])))
    assert (found.code, found.cause) == ("RD151", "loaded-model-differs")


@pytest.mark.parametrize(
    ("changes", "cause", "words"),
    [
        ({"mass": 7.5}, "loaded-model-differs", "mass 7.5 kg, the file"),
        ({"com": (1.0, 2.0, 3.0)}, "loaded-model-differs", "centre of mass (1, 2, 3)"),
        ({"inertia": np.eye(3).tolist()}, "inertia-replaced-by-sphere", "inertia (1, 0, 0, 1, 0, 1)"),
        ({"mass": 0.0, "inertia": np.zeros((3, 3)).tolist()}, "link-inertia-dropped", "mass 0 kg"),
    ],
)
def test_a_changed_body_is_named_with_both_values(changes: dict[str, object], cause: str, words: str) -> None:
    (found,) = differences(SCENE.robot, TRUTH, with_body("link2", **changes))
    assert (found.code, found.cause, found.element) == ("RD151", cause, "link2")
    assert words in found.text


@pytest.mark.parametrize(
    ("changes", "code", "cause"),
    [
        ({"axis": (0.0, 0.6, 0.8)}, "RD152", "joint-axis-differs"),
        ({"translation": (9.0, 0.0, 0.0)}, "RD152", "joint-placement-differs"),
        ({"armature": (0.0,)}, "RD153", "armature-dropped"),
        ({"armature": (5.0,)}, "RD153", "armature-differs"),
        ({"damping": (0.3,)}, "RD155", "joint-damping-differs"),
        ({"friction": (0.3,)}, "RD155", "joint-friction-differs"),
    ],
)
def test_a_changed_joint_is_named(changes: dict[str, object], code: str, cause: str) -> None:
    name = SCENE.mechanism.joints[1].name
    joints = tuple(replace(joint, **changes) if joint.name == name else joint for joint in TRUTH.joints)  # type: ignore[arg-type]
    (found,) = differences(SCENE.robot, TRUTH, replace(TRUTH, joints=joints))
    assert (found.code, found.cause, found.element) == (code, cause, name)


def test_gravity_is_compared_only_where_the_file_states_it() -> None:
    held = replace(TRUTH, gravity=(0.0, 0.0, -1.62))
    assert differences(SCENE.robot, TRUTH, held) == ()
    zero, down = Number(text="0", value=0.0), Number(text="-9.81", value=-9.81, line=3)
    (found,) = differences(replace(SCENE.robot, gravity=(replace(zero, line=3), zero, down)), TRUTH, held)
    assert (found.code, found.cause, found.line) == ("RD154", "gravity-vector-differs", 3)
    assert "gravity (0, 0, -1.62), the file (0, 0, -9.81)" in found.text


def test_what_is_harmless_is_a_note() -> None:
    root = replace(TRUTH.bodies[0], name="base", joint=None, mass=2.0, links=("base",))
    truth = replace(TRUTH, bodies=(root, *TRUTH.bodies[1:]))
    told = notes(truth, TRUTH if TRUTH.bodies[0].name != "base" else merged(), mimics=("m",), reduced=())
    assert any(text.startswith("root-link-merged-into-world: 'base' (2 kg)") for text in told)
    assert any(text.startswith("mimic-joint-ignored: m ") for text in told)
    assert notes(TRUTH, TRUTH, mimics=("m",), reduced=("m",)) == ()
