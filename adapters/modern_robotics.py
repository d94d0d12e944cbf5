# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "modern_robotics>=1.1"]
# ///
"""Modern Robotics: screws and spatial inertias of serial chains, made from the robot (https://github.com/NxRLab/ModernRobotics)."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.bodies import SINGLE, MovingBody, inverse, moving_bodies, world_links
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.readback import BodyReadback, Readback, matrix, vector

NO_FORCE = np.zeros(6)  # at the tip


class ModernRobotics(Adapter):
    """No loader: link frames are the joints', axes along z, fixed links merged; 6-vectors are [angular; linear]."""

    name = "modern-robotics"
    library = "modern_robotics"
    homepage = "https://github.com/NxRLab/ModernRobotics"
    formats = ("urdf", "mjcf")
    cost = 15000.0
    chunk = 50
    needs_mechanism = True
    limits: ClassVar[dict[str, str]] = {
        "branching": "serial chains only",
        "floating_base": "robots with a fixed base only",
        "joint_kind": "revolute, continuous and prismatic joints only",
        "armature": "its inertia matrices hold links, no rotors",
        "no_joints": "needs at least one moving joint",
    }

    def version(self) -> str:
        import modern_robotics  # noqa: F401 - is it there?

        return version("modern_robotics")

    def load(self, source: Source) -> Layout:
        import modern_robotics as mr

        assert source.mechanism is not None, "the adapter declares needs_mechanism"
        bodies = moving_bodies(source.mechanism)
        self._refuse(bodies)
        self.mr, self.gravity, self.bodies = mr, np.array(source.gravity), bodies
        home = np.eye(4)
        self.Mlist, self.Glist, screws = [], [], []
        self.links: list[tuple[str, int, Any]] = [(name, 0, place) for name, place in world_links(source.mechanism)]
        for number, body in enumerate(bodies, start=1):
            home = home @ body.placement
            z = np.array([0, 0, 0, 0, 0, 1.0] if body.kind == "prismatic" else [0, 0, 1.0, 0, 0, 0])
            screws.append(mr.Adjoint(home) @ z)
            self.Mlist.append(body.placement)
            to_com = mr.Adjoint(inverse(mr.RpToTrans(np.eye(3), body.com)))
            at_com = np.block([[body.inertia, np.zeros((3, 3))], [np.zeros((3, 3)), body.mass * np.eye(3)]])
            self.Glist.append(to_com.T @ at_com @ to_com)
            self.links += [(name, number, home @ place) for name, place in body.links]
        self.Mlist.append(np.eye(4))  # the tool stands in the last link's frame
        self.Slist = np.array(screws).T
        joints = tuple(JointLayout(name=body.joint, q=(k,), v=(k,)) for k, body in enumerate(bodies))
        names = tuple(name for name, _, _ in self.links)
        n = len(bodies)
        return Layout(joints=joints, links=names, nq=n, nv=n, jacobian_rows="angular_linear", notes=("translated",))

    def _refuse(self, bodies: tuple[MovingBody, ...]) -> None:
        """Name the limit that a robot runs into."""
        reasons = {
            "no_joints": not bodies,
            "floating_base": bool(bodies) and bodies[0].kind == "floating",
            "joint_kind": any(body.kind not in SINGLE for body in bodies),
            "branching": [body.parent for body in bodies] != [None, *(body.joint for body in bodies[:-1])],
            "armature": any(any(body.armature) for body in bodies),
        }
        for feature, reached in reasons.items():
            if reached:
                raise Unsupported(feature, self.limits[feature])

    def readback(self) -> Readback:
        held = []
        for body, G in zip(self.bodies, self.Glist, strict=True):
            mass = float(G[5, 5])
            c = np.array([G[2, 4], G[0, 5], G[1, 3]]) / mass if mass else np.zeros(3)  # m [c]× is the upper right block
            about_com = G[:3, :3] - mass * (c @ c * np.eye(3) - np.outer(c, c))
            held.append(
                BodyReadback(
                    name=body.joint,
                    mass=mass,
                    com=vector(c),
                    inertia=matrix(about_com),
                    joint=body.joint,
                    rotation=matrix(body.rotation),
                )
            )
        return Readback(bodies=tuple(held))

    def link_poses(self, q: Any) -> Any:
        return [self.mr.FKinSpace(home, self.Slist[:, :k], q[:k])[:3] for _, k, home in self.links]

    def link_jacobians(self, q: Any) -> Any:
        out = np.zeros((len(self.links), 6, len(q)))
        for row, (_, k, home) in enumerate(self.links):
            if k == 0:
                continue
            screws = self.mr.Adjoint(inverse(home)) @ self.Slist[:, :k]
            body_jacobian = self.mr.JacobianBody(screws, q[:k])
            rotation = self.mr.FKinSpace(home, self.Slist[:, :k], q[:k])[:3, :3]  # from link axes to world axes
            out[row, :3, :k], out[row, 3:, :k] = rotation @ body_jacobian[:3], rotation @ body_jacobian[3:]
        return out

    def mass_matrix(self, q: Any) -> Any:
        return self.mr.MassMatrix(q, self.Mlist, self.Glist, self.Slist)

    def coriolis_force(self, q: Any, v: Any) -> Any:
        return self.mr.VelQuadraticForces(q, v, self.Mlist, self.Glist, self.Slist)

    def gravity_vector(self, q: Any) -> Any:
        return self.mr.GravityForces(q, self.gravity, self.Mlist, self.Glist, self.Slist)

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        return self.mr.InverseDynamics(q, v, a, self.gravity, NO_FORCE, self.Mlist, self.Glist, self.Slist)

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        return self.mr.ForwardDynamics(q, v, tau, self.gravity, NO_FORCE, self.Mlist, self.Glist, self.Slist)
