# /// script
# requires-python = ">=3.10,<3.12"
# dependencies = ["numpy", "pybullet>=3.2.5"]
# ///
"""PyBullet: URDF and MJCF by its own loaders, fixed base; forward dynamics is one explicit step of its simulation."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source
from robodyn_check.sdk.bodies import carriers
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.limits import refuse
from robodyn_check.sdk.readback import BodyReadback, JointReadback, Readback, matrix, vector

if TYPE_CHECKING:
    from pathlib import Path

BASE = -1  # PyBullet's number of the root link
KINDS = {0: "revolute", 1: "prismatic", 2: "ball", 3: "planar", 4: "fixed"}
FIXED = 4
#: Length of the one step, s. The step is explicit, v' = v + dt a(q, v), so its only error is the rounding of v', which
#: is smallest against a where dt is not small.
STEP = 1.0
#: No clamp on joint speeds, rad/s or m/s: the default of 100 would cut v'.
NO_CLAMP = 1e100
#: Joint limits that are never reached, rad or m.
FAR = 1e10


class PyBullet(Adapter):
    """Joint limits, damping and motors are switched off after loading; shapes are not loaded but in ``default``."""

    name = "pybullet"
    library = "pybullet"
    homepage = "https://pybullet.org"
    formats = ("urdf", "mjcf")
    cost = 40.0
    needs_mechanism = True
    clients: ClassVar[dict[int, Path]] = {}  # the open ones of this process, with their robots
    profiles: ClassVar[dict[str, str]] = {
        "": "with URDF_USE_INERTIA_FROM_FILE, without shapes, damping, limits and motors",
        "default": "as a first-time user loads it: inertia computed from the collision shapes, joint damping acts",
        "merged": "as without profile, and with URDF_MERGE_FIXED_LINKS",
    }
    limits: ClassVar[dict[str, str]] = {
        "floating_base": "its mass matrix and inverse dynamics take no pose of the base",
        "joint_kind": "revolute, continuous and prismatic joints only",
        "no_joints": "needs at least one moving joint",
    }

    def version(self) -> str:
        import pybullet  # noqa: F401 - is it there?

        return version("pybullet")

    def load(self, source: Source) -> Layout:
        import pybullet

        refuse(self.limits, source)
        self.p, self.source = pybullet, source
        self.client = pybullet.connect(pybullet.DIRECT)
        self._forget_other_robots(source.path)
        self.gravity = source.gravity
        flags = 0
        if source.profile != "default":
            flags = (
                pybullet.URDF_USE_INERTIA_FROM_FILE
                | pybullet.URDF_IGNORE_COLLISION_SHAPES
                | pybullet.URDF_IGNORE_VISUAL_SHAPES
            )
        if source.profile == "merged":
            flags |= pybullet.URDF_MERGE_FIXED_LINKS
        if source.format == "mjcf":
            made = self._call("loadMJCF", str(source.path), flags=flags)
            if len(made) != 1:
                raise ValueError(f"loadMJCF made {len(made)} bodies of the model, where one robot was expected")
            (self.body,) = made
        else:
            self.body = self._call("loadURDF", str(source.path), useFixedBase=True, flags=flags)
        count = self._call("getNumJoints", self.body)
        self.infos = [self._call("getJointInfo", self.body, number) for number in range(count)]
        self.moving = [number for number, info in enumerate(self.infos) if info[2] != FIXED]
        self._free_joints(damped=source.profile == "default")
        self._call("setTimeStep", STEP)
        root = self._call("getBodyInfo", self.body)[0].decode()
        names = [(BASE, root), *((number, info[12].decode()) for number, info in enumerate(self.infos))]
        self.links = [number for number, name in names if name in source.links]
        joints = tuple(
            JointLayout(name=self.infos[number][1].decode(), q=(k,), v=(k,)) for k, number in enumerate(self.moving)
        )
        n, held = len(self.moving), tuple(name for _, name in names if name in source.links)
        return Layout(joints=joints, links=held, nq=n, nv=n)

    def _forget_other_robots(self, path: Path) -> None:
        """Close the clients of robots that were loaded before: each takes tens of megabytes."""
        for client in [client for client, other in self.clients.items() if other != path]:
            self.p.disconnect(client)
            del self.clients[client]
        self.clients[self.client] = path

    def _call(self, function: str, *arguments: Any, **options: Any) -> Any:
        return getattr(self.p, function)(*arguments, physicsClientId=self.client, **options)

    def _free_joints(self, *, damped: bool) -> None:
        """Switch off what the simulation would add: motors, limits, the drag on links, and joint damping."""
        for number in (BASE, *range(len(self.infos))):
            self._call("changeDynamics", self.body, number, linearDamping=0.0, angularDamping=0.0)
        for number in self.moving:
            # One property a call: together with others, jointDamping is not taken.
            self._call("changeDynamics", self.body, number, maxJointVelocity=NO_CLAMP)
            self._call("changeDynamics", self.body, number, jointLowerLimit=-FAR, jointUpperLimit=FAR)
            if not damped:
                self._call("changeDynamics", self.body, number, jointDamping=0.0)
        motor, nothing = self.p.VELOCITY_CONTROL, [0.0] * len(self.moving)
        self._call("setJointMotorControlArray", self.body, self.moving, motor, forces=nothing)

    def readback(self) -> Readback:
        bodies, joints, carrier = [], [], carriers(self.source.mechanism)
        for number in (BASE, *range(len(self.infos))):
            held = self._call("getDynamicsInfo", self.body, number)
            R = np.array(self.p.getMatrixFromQuaternion(held[4])).reshape(3, 3)  # axes of the principal moments
            inertia = matrix(R * np.array(held[2]) @ R.T)
            name = (self._call("getBodyInfo", self.body)[0] if number == BASE else self.infos[number][12]).decode()
            bodies.append(
                BodyReadback(
                    name=name,
                    mass=held[0],
                    com=vector(held[3]),
                    inertia=inertia,
                    joint=carrier.get(name),
                    links=(name,),
                )
            )
        for info in self.infos:
            one = info[2] != FIXED
            joints.append(
                JointReadback(
                    name=info[1].decode(),
                    kind=KINDS[info[2]],
                    child=info[12].decode(),
                    axis=vector(info[13]) if one else None,
                    damping=(info[6],) if one else None,
                    friction=(info[7],) if one else None,
                )
            )
        total = sum(body.mass for body in bodies[1:])  # a fixed base is given none
        return Readback(bodies=tuple(bodies), joints=tuple(joints), total_mass=total)

    def _set(self, q: Any, v: Any) -> None:
        for number, position, speed in zip(self.moving, q, v, strict=True):
            self._call("resetJointState", self.body, number, position, speed)

    def _torques(self, q: Any, v: Any, a: Any, gravity: tuple[float, float, float]) -> Any:
        self._call("setGravity", *gravity)
        return self._call("calculateInverseDynamics", self.body, list(q), list(v), list(a))

    def link_poses(self, q: Any) -> Any:
        self._set(q, np.zeros(len(q)))
        out = []
        for number in self.links:
            if number == BASE:  # known by the pose of its inertial frame
                held = self._call("getDynamicsInfo", self.body, BASE)
                inertial = self._call("getBasePositionAndOrientation", self.body)
                place = self.p.multiplyTransforms(*inertial, *self.p.invertTransform(held[3], held[4]))
            else:
                place = self._call("getLinkState", self.body, number, computeForwardKinematics=True)[4:6]
            out.append(np.column_stack([np.reshape(self.p.getMatrixFromQuaternion(place[1]), (3, 3)), place[0]]))
        return out

    def link_jacobians(self, q: Any) -> Any:
        still = [0.0] * len(q)
        out = np.zeros((len(self.links), 6, len(q)))
        for row, number in enumerate(self.links):
            if number != BASE:  # which does not move
                point = [0.0, 0.0, 0.0]  # in the link's frame
                halves = self._call("calculateJacobian", self.body, number, point, list(q), still, still)
                out[row] = np.concatenate(halves)
        return out

    def mass_matrix(self, q: Any) -> Any:
        return self._call("calculateMassMatrix", self.body, list(q))

    def coriolis_force(self, q: Any, v: Any) -> Any:
        return self._torques(q, v, np.zeros(len(q)), (0.0, 0.0, 0.0))

    def bias_force(self, q: Any, v: Any) -> Any:
        return self._torques(q, v, np.zeros(len(q)), self.gravity)

    def gravity_vector(self, q: Any) -> Any:
        return self._torques(q, np.zeros(len(q)), np.zeros(len(q)), self.gravity)

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        return self._torques(q, v, a, self.gravity)

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        self._call("setGravity", *self.gravity)
        self._set(q, v)
        self._call("setJointMotorControlArray", self.body, self.moving, self.p.TORQUE_CONTROL, forces=list(tau))
        self._call("stepSimulation")
        after = [state[1] for state in self._call("getJointStates", self.body, self.moving)]
        return (np.array(after) - v) / STEP
