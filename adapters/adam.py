# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "adam-robotics[casadi]>=0.4"]
# ///
"""adam: URDF by its own reader, NumPy arithmetic; always a free base, of which a fixed one takes the joint blocks."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.limits import refuse
from robodyn_check.sdk.readback import Readback
from robodyn_check.sdk.rotations import from_quaternion

BASE = 6  # velocity coordinates of the free base, before those of the joints
STANDARD = (0.0, 0.0, -9.81)


class Adam(Adapter):
    """Mixed velocities: a base velocity is that of the base's origin, in world axes, linear first."""

    name = "adam"
    library = "adam-robotics"
    homepage = "https://github.com/gbionics/adam"
    cost = 1500.0
    chunk = 50
    needs_mechanism = True
    profiles: ClassVar[dict[str, str]] = {
        "": "the file as it is, NumPy, gravity handed over",
        "default": "as a first-time user asks: adam's own gravity, 9.80665 m/s², where the robot's is 9.81",
        "casadi": "as without profile, by the CasADi functions",
    }
    limits: ClassVar[dict[str, str]] = {"joint_kind": "revolute, continuous, prismatic and fixed joints only"}

    def version(self) -> str:
        import adam  # noqa: F401 - is it there?

        return version("adam-robotics")

    def load(self, source: Source) -> Layout:
        refuse(self.limits, source)
        if source.profile == "casadi":
            from adam.casadi import KinDynComputations
        else:
            from adam.numpy import KinDynComputations

        self.floating = source.base == "floating"
        names = [name for name in source.joints if name not in source.free_joints]
        options: dict[str, Any] = {"root_link": source.root_link}
        if source.profile != "default" or source.gravity != STANDARD:
            options["gravity"] = np.array([*source.gravity, 0.0, 0.0, 0.0])
        self.solver = KinDynComputations(str(source.path), names, **options)
        self.functions: dict[str, Any] = {}
        self.casadi = source.profile == "casadi"
        self.first = 0 if self.floating else BASE  # of the velocity coordinates that are asked for
        self.links = source.links
        shift_q, shift_v = (7, BASE) if self.floating else (0, 0)
        joints = [JointLayout(name=name, q=(shift_q + k,), v=(shift_v + k,)) for k, name in enumerate(names)]
        if self.floating:
            q, v = tuple(range(7)), tuple(range(BASE))
            base = JointLayout(name="floating_base", q=q, v=v, form="pose", linear="world", angular="world")
            joints.insert(0, base)
        return Layout(joints=tuple(joints), links=source.links, nq=shift_q + len(names), nv=shift_v + len(names))

    def readback(self) -> Readback:
        return Readback(total_mass=float(self.solver.get_total_mass()))

    def _call(self, name: str, *arguments: Any, frame: str | None = None) -> Any:
        """Ask adam, by its method or by the CasADi function of that name, which is made once."""
        if not self.casadi:
            return getattr(self.solver, name)(*(() if frame is None else (frame,)), *arguments)
        key = f"{name} {frame}"
        if key not in self.functions:
            make = getattr(self.solver, f"{name}_fun")
            self.functions[key] = make() if frame is None else make(frame)
        return self.functions[key](*arguments).full()

    def _state(self, q: Any) -> tuple[Any, Any]:
        """Return the base's pose (4, 4) and the joints' positions."""
        pose = np.eye(4)
        if not self.floating:
            return pose, q
        pose[:3, :3], pose[:3, 3] = from_quaternion(q[None, 3:7])[0], q[:3]
        return pose, q[7:]

    def _speeds(self, v: Any) -> tuple[Any, Any]:
        """Return the base's velocity and those of the joints."""
        return (v[:BASE], v[BASE:]) if self.floating else (np.zeros(BASE), v)

    def link_poses(self, q: Any) -> Any:
        return [np.array(self._call("forward_kinematics", *self._state(q), frame=link))[:3] for link in self.links]

    def link_jacobians(self, q: Any) -> Any:
        state = self._state(q)
        return [np.array(self._call("jacobian", *state, frame=link))[:, self.first :] for link in self.links]

    def mass_matrix(self, q: Any) -> Any:
        return self._call("mass_matrix", *self._state(q))[self.first :, self.first :]

    def coriolis_force(self, q: Any, v: Any) -> Any:
        return self._call("coriolis_term", *self._state(q), *self._speeds(v))[self.first :]

    def bias_force(self, q: Any, v: Any) -> Any:
        return self._call("bias_force", *self._state(q), *self._speeds(v))[self.first :]

    def gravity_vector(self, q: Any) -> Any:
        return self._call("gravity_term", *self._state(q))[self.first :]
