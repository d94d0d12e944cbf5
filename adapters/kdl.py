# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy"]
# ///
"""Orocos KDL (PyKDL, Debian's python3-pykdl): the chain from the root link to one tip of a tree of segments.

Not on the package index: ``apt install python3-pykdl`` and ``--lib kdl@/usr/bin/python3``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source
from robodyn_check.sdk.bodies import moving_bodies
from robodyn_check.sdk.chains import path_to, tip_link
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.limits import refuse

if TYPE_CHECKING:
    from robodyn_check.sdk.readback import Readback


class Kdl(Adapter):
    """Segments are made of joints and links as kdl_parser makes them of a URDF; a segment ends in its link's frame."""

    name = "kdl"
    homepage = "https://github.com/orocos/orocos_kinematics_dynamics"
    formats = ("urdf", "mjcf")
    cost = 60.0
    needs_mechanism = True
    profiles: ClassVar[dict[str, str]] = {
        "": "a segment for each joint, fixed ones included, as kdl_parser makes them; the chain to the last tip",
        "canonical": "a segment for each moving joint, with the links that it carries merged",
    }
    limits: ClassVar[dict[str, str]] = {
        "floating_base": "robots with a fixed base only",
        "joint_kind": "revolute, continuous, prismatic and fixed joints only",
        "branching": "serial chains only",
        "no_joints": "needs at least one moving joint",
        "several_joints_on_a_body": "one joint for each segment",
        "armature": "the robot's text carries links, no rotors",
    }

    def version(self) -> str:
        import PyKDL

        return str(getattr(PyKDL, "__version__", "1.5.1"))

    def load(self, source: Source) -> Layout:
        import PyKDL

        refuse(self.limits, source)
        assert source.mechanism is not None, "the adapter declares needs_mechanism"
        self.kdl, self.root = PyKDL, str(source.root_link)
        self.tree = PyKDL.Tree(self.root)
        canonical = source.profile == "canonical"
        names = self._merged(source.mechanism) if canonical else self._as_written(source.mechanism)
        self.links = () if canonical else tuple(str(j.child) for j in path_to(self.tip, source.mechanism))
        chain = self.tree.getChain(self.root, self.tip)
        gravity = PyKDL.Vector(*source.gravity)
        self.dynamics, self.inverse = PyKDL.ChainDynParam(chain, gravity), PyKDL.ChainIdSolver_RNE(chain, gravity)
        self.chain, self.segments = chain, chain.getNrOfSegments()
        self.chains = [self.tree.getChain(self.root, link) for link in self.links]
        n = chain.getNrOfJoints()
        joints = tuple(JointLayout(name=name, q=(k,), v=(k,)) for k, name in enumerate(names))
        notes = ("translated",) if canonical else ()
        return Layout(joints=joints, links=self.links, nq=n, nv=n, notes=notes)

    def _as_written(self, mechanism: Readback) -> list[str]:
        """Make a segment for each joint; return the moving joints on the chain to the tip."""
        links, waiting = {link.name: link for link in mechanism.bodies}, [self.root]
        while waiting:
            parent = waiting.pop(0)
            for joint in (one for one in mechanism.joints if one.parent == parent):
                place = self._frame(joint.rotation, joint.translation)
                # A link's frame is that of its joint after motion, but in an MJCF, where it may stand beside it.
                beside = self._frame(joint.child_rotation, joint.child_translation)
                held = links[str(joint.child)]
                inertia = self._inertia(held.mass, held.com, held.inertia)
                moving = self._joint(joint.name, joint.kind, place, joint.axis)
                self.tree.addSegment(self.kdl.Segment(str(joint.child), moving, place * beside, inertia), parent)
                waiting.append(str(joint.child))
        self.tip = tip_link(mechanism)
        return [joint.name for joint in path_to(self.tip, mechanism) if joint.kind != "fixed"]

    def _merged(self, mechanism: Readback) -> list[str]:
        """Make a segment for each moving body; return the moving joints."""
        parent, bodies = self.root, moving_bodies(mechanism)
        for body in bodies:
            place = self._frame(body.placement[:3, :3], body.placement[:3, 3])
            moving = self._joint(body.joint, body.kind, place, (0.0, 0.0, 1.0))
            inertia = self._inertia(body.mass, body.com, body.inertia)
            self.tree.addSegment(self.kdl.Segment(f"/{body.joint}", moving, place, inertia), parent)
            parent = f"/{body.joint}"
        self.tip = parent
        return [body.joint for body in bodies]

    def _frame(self, rotation: Any, translation: Any) -> Any:
        if rotation is None:
            return self.kdl.Frame.Identity()
        entries = [float(value) for row in rotation for value in row]
        return self.kdl.Frame(self.kdl.Rotation(*entries), self.kdl.Vector(*(float(value) for value in translation)))

    def _joint(self, name: str, kind: str, place: Any, axis: Any) -> Any:
        if kind == "fixed":
            return self.kdl.Joint(name, self.kdl.Joint.Fixed)
        motion = self.kdl.Joint.TransAxis if kind == "prismatic" else self.kdl.Joint.RotAxis
        return self.kdl.Joint(name, place.p, place.M * self.kdl.Vector(*axis), motion)

    def _inertia(self, mass: float, com: Any, inertia: Any) -> Any:
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = ([float(value) for value in row] for row in inertia)
        about_com = self.kdl.RotationalInertia(xx, yy, zz, xy, xz, yz)
        return self.kdl.RigidBodyInertia(float(mass), self.kdl.Vector(*(float(value) for value in com)), about_com)

    def _array(self, values: Any) -> Any:
        out = self.kdl.JntArray(len(values))
        for number, one in enumerate(values):
            out[number] = float(one)
        return out

    def link_poses(self, q: Any) -> Any:
        out = []
        for chain in self.chains:
            frame = self.kdl.Frame()
            self.kdl.ChainFkSolverPos_recursive(chain).JntToCart(self._array(q[: chain.getNrOfJoints()]), frame)
            out.append([[frame[row, column] for column in range(4)] for row in range(3)])
        return out

    def link_jacobians(self, q: Any) -> Any:
        out = np.zeros((len(self.chains), 6, len(q)))
        for number, chain in enumerate(self.chains):
            n = chain.getNrOfJoints()
            if n:
                jacobian = self.kdl.Jacobian(n)
                self.kdl.ChainJntToJacSolver(chain).JntToJac(self._array(q[:n]), jacobian)
                out[number, :, :n] = [[jacobian[row, column] for column in range(n)] for row in range(6)]
        return out

    def mass_matrix(self, q: Any) -> Any:
        n = len(q)
        out = self.kdl.JntSpaceInertiaMatrix(n)
        self.dynamics.JntToMass(self._array(q), out)
        return [[out[row, column] for column in range(n)] for row in range(n)]

    def coriolis_force(self, q: Any, v: Any) -> Any:
        out = self.kdl.JntArray(len(q))
        self.dynamics.JntToCoriolis(self._array(q), self._array(v), out)
        return list(out)

    def gravity_vector(self, q: Any) -> Any:
        out = self.kdl.JntArray(len(q))
        self.dynamics.JntToGravity(self._array(q), out)
        return list(out)

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        out = self.kdl.JntArray(len(q))
        nothing = [self.kdl.Wrench.Zero() for _ in range(self.segments)]
        self.inverse.CartToJnt(self._array(q), self._array(v), self._array(a), nothing, out)
        return list(out)
