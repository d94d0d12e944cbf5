# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "dartpy>=6.16"]
# ///
"""DART (dartpy): URDF by its own loader; Lie-group joints keep rotation vectors, made from poses by DART itself."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source
from robodyn_check.sdk.bodies import carriers
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.limits import refuse
from robodyn_check.sdk.readback import BodyReadback, JointReadback, Readback, matrix, numbers, vector

KINDS = {
    "RevoluteJoint": "revolute",
    "PrismaticJoint": "prismatic",
    "WeldJoint": "fixed",
    "FreeJoint": "floating",
    "PlanarJoint": "planar",
}


class Dart(Adapter):
    """Forward dynamics treats damping implicitly, over a step of 1 ms; it is set to zero after loading."""

    name = "dart"
    library = "dartpy"
    homepage = "https://github.com/dartsim/dart"
    cost = 40.0
    needs_mechanism = True
    profiles: ClassVar[dict[str, str]] = {
        "": "the file as it is, links without inertial weigh nothing; damping and friction set to zero after loading",
        "default": "as a first-time user loads it: 1 kg for links without inertial, implicit joint damping acts",
    }
    limits: ClassVar[dict[str, str]] = {
        "joint_kind": "revolute, continuous and prismatic joints, and a floating base",
        "world_link": "a root link named 'world' is DART's own world, which does not float",
    }

    def version(self) -> str:
        import dartpy  # noqa: F401 - is it there?

        return version("dartpy")

    def load(self, source: Source) -> Layout:
        import dartpy

        refuse(self.limits, source)
        loader = dartpy.utils.DartLoader()
        options, root = dartpy.utils.DartLoader.Options(), dartpy.utils.DartLoader.RootJointType
        options.mDefaultRootJointType = root.FLOATING if source.base == "floating" else root.FIXED
        if source.profile != "default":  # where the file states no inertial
            options.mDefaultInertia = dartpy.dynamics.Inertia(0.0, np.zeros(3), np.zeros((3, 3)))
        loader.setOptions(options)
        self.skeleton = loader.parseSkeleton(str(source.path))
        if self.skeleton is None:
            raise ValueError("DartLoader.parseSkeleton returned nothing")
        self.dart, self.floating = dartpy, source.base == "floating"
        self.joints = [self.skeleton.getJoint(k) for k in range(self.skeleton.getNumJoints())]
        self.held = self._read(carriers(source.mechanism))
        if source.profile != "default":
            self._smooth_only()
        self.skeleton.setGravity(np.array(source.gravity))
        bodies = [self.skeleton.getBodyNode(k) for k in range(self.skeleton.getNumBodyNodes())]
        self.bodies = [body for body in bodies if body.getName() in source.links]
        dofs = self.skeleton.getNumDofs()
        return Layout(
            joints=tuple(self._layout(joint) for joint in self.joints if joint.getNumDofs()),
            links=tuple(body.getName() for body in self.bodies),
            nq=dofs + 1 if self.floating else dofs,
            nv=dofs,
            jacobian_rows="angular_linear",
        )

    def _smooth_only(self) -> None:
        """Take damping, friction, springs and the servos of mimic joints out of the forward dynamics."""
        for joint in self.joints:
            joint.setActuatorType(self.dart.dynamics.ActuatorType.FORCE)
            for dof in range(joint.getNumDofs()):
                joint.setDampingCoefficient(dof, 0.0)
                joint.setCoulombFriction(dof, 0.0)
                joint.setSpringStiffness(dof, 0.0)

    def _layout(self, joint: Any) -> JointLayout:
        first = joint.getIndexInSkeleton(0)
        if joint.getType() == "FreeJoint":  # the first; velocity [angular; linear] in world axes
            v = (3, 4, 5, 0, 1, 2)
            return JointLayout(
                name="floating_base", q=tuple(range(7)), v=v, form="pose", linear="world", angular="world"
            )
        return JointLayout(name=joint.getName(), q=(first + 1 if self.floating else first,), v=(first,))

    def _read(self, carrier: dict[str, str | None]) -> Readback:
        bodies, joints = [], []
        for joint in self.joints:
            child, above = joint.getChildBodyNode(), joint.getParentBodyNode()
            held = child.getInertia()
            bodies.append(
                BodyReadback(
                    name=child.getName(),
                    mass=held.getMass(),
                    com=vector(held.getLocalCOM()),
                    inertia=matrix(held.getMoment()),
                    joint=carrier.get(child.getName()),
                    links=(child.getName(),),
                )
            )
            dofs, kind = range(joint.getNumDofs()), KINDS.get(joint.getType(), joint.getType())
            joints.append(
                JointReadback(
                    name="floating_base" if kind == "floating" else joint.getName(),
                    kind=kind,
                    parent=None if above is None else above.getName(),
                    child=child.getName(),
                    axis=vector(joint.getAxis()) if kind in {"revolute", "prismatic"} else None,
                    damping=numbers(joint.getDampingCoefficient(k) for k in dofs),
                    friction=numbers(joint.getCoulombFriction(k) for k in dofs),
                )
            )
        gravity = vector(self.skeleton.getGravity())
        return Readback(bodies=tuple(bodies), joints=tuple(joints), gravity=gravity, total_mass=self.skeleton.getMass())

    def readback(self) -> Readback:
        return self.held

    def _set(self, q: Any, v: Any = None, a: Any = None) -> None:
        if self.floating:
            x, y, z, w = q[3:7]
            pose = self.dart.math.Isometry3()
            pose.set_rotation(self.dart.math.Quaternion(w, x, y, z).to_rotation_matrix())
            pose.set_translation(q[:3])
            q = np.concatenate([self.dart.dynamics.FreeJoint.convertToPositions(pose), q[7:]])
        self.skeleton.setPositions(q)
        self.skeleton.setVelocities(np.zeros(self.skeleton.getNumDofs()) if v is None else v)
        if a is not None:
            self.skeleton.setAccelerations(a)

    def link_poses(self, q: Any) -> Any:
        self._set(q)
        return [body.getWorldTransform().matrix()[:3] for body in self.bodies]

    def link_jacobians(self, q: Any) -> Any:
        self._set(q)
        out = np.zeros((len(self.bodies), 6, self.skeleton.getNumDofs()))
        for row, body in enumerate(self.bodies):  # columns for the coordinates that move the body only
            columns = [body.getDependentGenCoordIndex(k) for k in range(body.getNumDependentGenCoords())]
            if columns:
                out[row][:, columns] = body.getWorldJacobian(np.zeros(3))
        return out

    def mass_matrix(self, q: Any) -> Any:
        self._set(q)
        return self.skeleton.getMassMatrix()

    def coriolis_force(self, q: Any, v: Any) -> Any:
        self._set(q, v)
        return self.skeleton.getCoriolisForces()

    def bias_force(self, q: Any, v: Any) -> Any:
        self._set(q, v)
        return self.skeleton.getCoriolisAndGravityForces()

    def gravity_vector(self, q: Any) -> Any:
        self._set(q)
        return self.skeleton.getGravityForces()

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        self._set(q, v, a)
        self.skeleton.computeInverseDynamics()
        return self.skeleton.getForces()

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        self._set(q, v)
        self.skeleton.setForces(tau)
        self.skeleton.computeForwardDynamics()
        return self.skeleton.getAccelerations()

    def kinetic_energy(self, q: Any, v: Any) -> Any:
        self._set(q, v)
        return self.skeleton.computeKineticEnergy()

    def potential_energy(self, q: Any) -> Any:
        self._set(q)
        return self.skeleton.computePotentialEnergy()
