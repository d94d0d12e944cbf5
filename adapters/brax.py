# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "brax>=0.12", "jax[cpu]"]
# ///
"""Brax's generalized pipeline: MJCF by its own loader, in double precision on the processor."""

from __future__ import annotations

import os
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source
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
    profiles: ClassVar[dict[str, str]] = {"": "the file as it is, by brax.io.mjcf.load"}
    limits: ClassVar[dict[str, str]] = {
        "floating_base": "robots with a fixed base only",
        "joint_kind": "hinges and slides only",
        "no_joints": "needs at least one moving joint",
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

        system = mjcf.load(str(source.path))
        system = system.replace(gravity=jax.numpy.array(source.gravity))

        def answer(q: Any, v: Any) -> Any:
            state = pipeline.init(system, q, v)
            return state.mass_mx, dynamics.inverse(system, state), state.x.pos, state.x.rot

        self.answer = jax.jit(answer)
        self._ask(np.zeros(system.nq), np.zeros(system.nv))  # Brax looks at the model itself when it is asked
        names = [system.mj_model.joint(number).name for number in range(system.mj_model.njnt)]
        if len(names) == len(source.joints):  # depth first on both sides: the order names unnamed joints
            names = list(source.joints)
        self.rows = [row for row, name in enumerate(system.link_names) if name in source.links]
        joints = tuple(JointLayout(name=name, q=(k,), v=(k,)) for k, name in enumerate(names))
        links, n = tuple(system.link_names[row] for row in self.rows), len(names)
        return Layout(joints=joints, links=links, nq=n, nv=n)

    def _ask(self, q: Any, v: Any) -> list[Any]:
        return [np.asarray(one) for one in self.answer(q, v)]

    def link_poses(self, q: Any) -> Any:
        *_, positions, quaternions = self._ask(q, np.zeros(len(q)))
        rotations = from_quaternion(np.roll(quaternions, -1, axis=1))  # wxyz there
        return [np.column_stack([rotations[row], positions[row]]) for row in self.rows]

    def mass_matrix(self, q: Any) -> Any:
        return self._ask(q, np.zeros(len(q)))[0]

    def bias_force(self, q: Any, v: Any) -> Any:
        return self._ask(q, v)[1]

    def gravity_vector(self, q: Any) -> Any:
        return self._ask(q, np.zeros(len(q)))[1]
