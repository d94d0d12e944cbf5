# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "frax>=0.1", "jax[cpu]"]
# ///
"""frax: URDF by its own reader, compiled by JAX for double precision on the processor."""

from __future__ import annotations

import os
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.limits import refuse
from robodyn_check.sdk.readback import Readback

#: Read by JAX when it is imported.
SETTINGS = {"JAX_ENABLE_X64": "1", "JAX_PLATFORMS": "cpu"}
STANDARD = (0.0, 0.0, -9.81)  #: m/s²


class Frax(Adapter):
    """Functions are compiled at their first call. Gravity is fixed to 9.81 m/s² along -z but in ``rnea``."""

    name = "frax"
    library = "frax"
    homepage = "https://github.com/danielpmorton/frax"
    cost = 300.0
    chunk = 100
    needs_mechanism = True
    profiles: ClassVar[dict[str, str]] = {"": "the file as it is, by frax's own reader"}
    limits: ClassVar[dict[str, str]] = {
        "floating_base": "robots with a fixed base only",
        "joint_kind": "revolute, continuous, prismatic and fixed joints only",
        "no_joints": "needs at least one moving joint",
        "gravity": "its forward dynamics applies a gravity of 9.81 m/s² along -z, and no other",
    }

    def version(self) -> str:
        os.environ.update(SETTINGS)
        import frax  # noqa: F401 - is it there?

        return version("frax")

    def load(self, source: Source) -> Layout:
        refuse(self.limits, source)
        os.environ.update(SETTINGS)
        import jax
        from frax import Robot

        assert source.mechanism is not None, "the adapter declares needs_mechanism"
        self.robot = Robot(str(source.path))
        # Breadth first. A joint_ordering must have parents first, which the file's own order need not.
        names = list(self.robot.joint_names)
        self.gravity, self.jit = np.array(source.gravity), jax.jit
        self.standard = source.gravity == STANDARD
        # By frax's spatial axes [linear; angular]: the world accelerates against gravity.
        self.upward = np.array([*(-self.gravity), 0.0, 0.0, 0.0])
        self.functions: dict[str, Any] = {}
        children = {joint.name: str(joint.child) for joint in source.mechanism.joints}
        joints = tuple(JointLayout(name=name, q=(k,), v=(k,)) for k, name in enumerate(names))
        links = tuple(children[name] for name in names)  # whose frames are the joints' after motion
        return Layout(joints=joints, links=links, nq=len(names), nv=len(names))

    def readback(self) -> Readback:
        return Readback(total_mass=float(self.robot.total_mass))

    def _call(self, name: str, *arguments: Any) -> Any:
        if name not in self.functions:
            self.functions[name] = self.jit(getattr(self.robot, name))
        return np.asarray(self.functions[name](*arguments))

    def link_poses(self, q: Any) -> Any:
        return self._call("joint_to_world_transforms", q)[:, :3]

    def mass_matrix(self, q: Any) -> Any:
        return self._call("mass_matrix", q)

    def coriolis_force(self, q: Any, v: Any) -> Any:
        return self._call("centrifugal_coriolis_vector", q, v)

    def bias_force(self, q: Any, v: Any) -> Any:
        if self.standard:
            return self._call("nonlinear_bias", q, v)
        return self._call("rnea", q, v, None, self.upward, None)

    def gravity_vector(self, q: Any) -> Any:
        # The method gravity_vector knows 9.81 m/s² along -z alone; its sums are those of nonlinear_bias.
        return self._call("rnea", q, np.zeros(len(q)), None, self.upward, None)

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        return self._call("rnea", q, v, a, self.upward, None)

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        if not self.standard:
            raise Unsupported("gravity", self.limits["gravity"])
        return self._call("forward_dynamics", q, v, tau, None)
