# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "brax>=0.12", "jax[cpu]"]
# ///
"""Brax's generalized pipeline: MJCF by its own loader, in double precision on the processor."""

from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar
from xml.sax.saxutils import quoteattr

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.bodies import MovingBody, moving_bodies
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.limits import refuse
from robodyn_check.sdk.rotations import from_quaternion

#: Read by JAX when it is imported.
SETTINGS = {"JAX_ENABLE_X64": "1", "JAX_PLATFORMS": "cpu"}


class Brax(Adapter):
    """No forward dynamics apart from its stepping, which adds passive forces, constraints and an implicit matrix."""

    name = "brax"
    library = "brax"
    homepage = "https://github.com/google/brax"
    formats = ("mjcf",)
    cost = 3000.0
    chunk = 50
    needs_mechanism = True
    profiles: ClassVar[dict[str, str]] = {
        "": "the file as it is, by brax.io.mjcf.load; a URDF as profile canonical has it",
        "canonical": "moving bodies with the links that each joint carries merged, and a shape, without which it fails",
    }
    limits: ClassVar[dict[str, str]] = {
        "floating_base": "robots with a fixed base only",
        "joint_kind": "hinges and slides only",
        "no_joints": "needs at least one moving joint",
        "massless_body": "profile canonical: MuJoCo, which reads it, refuses a moving body without mass or inertia",
    }

    def version(self) -> str:
        os.environ.update(SETTINGS)
        import brax  # noqa: F401 - is it there?

        return version("brax")

    def load(self, source: Source) -> Layout:
        refuse(self.limits, source)
        os.environ.update(SETTINGS)
        import jax
        from brax.generalized import dynamics, pipeline
        from brax.io import mjcf

        canonical = source.translated or source.profile == "canonical"
        path = self._canonical(source) if canonical else source.path
        system = mjcf.load(str(path))
        system = system.replace(gravity=jax.numpy.array(source.gravity))

        def answer(q: Any, v: Any) -> Any:
            state = pipeline.init(system, q, v)
            return state.mass_mx, dynamics.inverse(system, state), state.x.pos, state.x.rot

        self.answer = jax.jit(answer)
        self._ask(np.zeros(system.nq), np.zeros(system.nv))  # Brax looks at the model itself when it is asked
        names = [system.mj_model.joint(number).name for number in range(system.mj_model.njnt)]
        if not canonical and len(names) == len(source.joints):  # depth first in both: the order names unnamed joints
            names = list(source.joints)
        self.links = [(row, name, np.eye(3)) for row, name in enumerate(system.link_names) if name in source.links]
        if canonical:
            rows = {name: row for row, name in enumerate(system.link_names)}
            self.links = [(rows[body.joint], link, turn) for body in self.bodies for link, turn in _at_joint(body)]
        joints = tuple(JointLayout(name=name, q=(k,), v=(k,)) for k, name in enumerate(names))
        links, n = tuple(link for _, link, _ in self.links), len(names)
        return Layout(joints=joints, links=links, nq=n, nv=n, notes=("translated",) if canonical else ())

    def _canonical(self, source: Source) -> Path:
        """Write the robot into a file of this process's own: each body is called as the joint that moves it."""
        assert source.mechanism is not None, "the adapter declares needs_mechanism"
        self.bodies = moving_bodies(source.mechanism)
        if any(not body.mass or not body.inertia.any() for body in self.bodies):
            raise Unsupported("massless_body", self.limits["massless_body"])
        shape = '<geom type="sphere" size="0.01" contype="0" conaffinity="0"/>'
        text = f'<mujoco><compiler angle="radian"/><worldbody>{shape}{self._below(None)}</worldbody></mujoco>'
        path = Path("canonical.xml")
        path.write_text(text, encoding="utf-8")
        return path

    def _below(self, parent: str | None) -> str:
        return "".join(_body(body, self._below(body.joint)) for body in self.bodies if body.parent == parent)

    def _ask(self, q: Any, v: Any) -> list[Any]:
        return [np.asarray(one) for one in self.answer(q, v)]

    def link_poses(self, q: Any) -> Any:
        *_, positions, quaternions = self._ask(q, np.zeros(len(q)))
        rotations = from_quaternion(np.roll(quaternions, -1, axis=1))  # wxyz there
        return [np.column_stack([rotations[row] @ turn, positions[row]]) for row, _, turn in self.links]

    def mass_matrix(self, q: Any) -> Any:
        return self._ask(q, np.zeros(len(q)))[0]

    def bias_force(self, q: Any, v: Any) -> Any:
        return self._ask(q, v)[1]

    def gravity_vector(self, q: Any) -> Any:
        return self._ask(q, np.zeros(len(q)))[1]


def _body(body: MovingBody, below: str) -> str:
    place, inertia, name = body.placement, body.inertia, quoteattr(body.joint)
    entries = (*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2])
    kind = "slide" if body.kind == "prismatic" else "hinge"
    return (
        f'<body name={name} pos="{_numbers(place[:3, 3])}" xyaxes="{_numbers(place[:3, :2].T.ravel())}">'
        f'<joint name={name} type="{kind}" axis="0 0 1" armature="{_numbers(body.armature or (0.0,))}"/>'
        f'<inertial pos="{_numbers(body.com)}" mass="{body.mass!r}" fullinertia="{_numbers(entries)}"/>{below}</body>'
    )


def _at_joint(body: MovingBody) -> list[tuple[str, Any]]:
    """Return the links whose origin is the body's, each with how its frame is turned from the body's."""
    return [(link, place[:3, :3]) for link, place in body.links if not place[:3, 3].any()]


def _numbers(values: Any) -> str:
    return " ".join(repr(float(value)) for value in values)
