# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "idyntree>=13"]
# ///
"""iDynTree: URDF by its own loader, always with a free base, of which a fixed one takes the joint blocks."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.bodies import carriers, inverse
from robodyn_check.sdk.layout import JointLayout, Layout, RegressorLayout
from robodyn_check.sdk.limits import refuse
from robodyn_check.sdk.readback import BodyReadback, JointReadback, Readback, matrix, vector

BASE = 6  # velocity coordinates of the free base, before those of the joints


class IDynTree(Adapter):
    """Mixed velocities: a base velocity is that of the base's origin, in world axes, linear first."""

    name = "idyntree"
    library = "idyntree"
    homepage = "https://github.com/robotology/idyntree"
    cost = 30.0
    needs_mechanism = True
    profiles: ClassVar[dict[str, str]] = {
        "": "the file as it is, gravity from generalizedBiasForces at rest",
        "default": "as a first-time user asks: gravity from generalizedGravityForces",
    }
    limits: ClassVar[dict[str, str]] = {
        "joint_kind": "revolute, continuous, prismatic and fixed joints only",
        "removed_root": "a root link without mass is removed, and the base that floats is the link below it",
    }

    def version(self) -> str:
        import idyntree.bindings  # noqa: F401 - is it there?

        return version("idyntree")

    def load(self, source: Source) -> Layout:
        import idyntree.bindings as idt

        refuse(self.limits, source)
        loader = idt.ModelLoader()
        if not loader.loadModelFromFile(str(source.path), "urdf"):
            raise ValueError("ModelLoader.loadModelFromFile returned False")
        self.idt, self.source, self.gravity = idt, source, np.array(source.gravity)
        self.model = loader.model().copy()  # the loader owns what model() returns and frees it with itself
        self.solver = idt.KinDynComputations()
        self.solver.loadRobotModel(self.model)
        self.solver.setFrameVelocityRepresentation(idt.MIXED_REPRESENTATION)
        self.naive = source.profile == "default"
        self.floating, dofs = source.base == "floating", self.model.getNrOfDOFs()
        self.base = self._base(str(source.root_link))
        self.first = 0 if self.floating else BASE  # of the velocity coordinates that are asked for
        self.size = BASE + dofs
        names = [self.model.getFrameName(k) for k in range(self.model.getNrOfFrames())]
        self.frames = [(name, number) for number, name in enumerate(names) if name in source.links]
        return self._layout(dofs)

    def _base(self, root: str) -> Any:
        """Return where the base stands, (4, 4): of a root link without mass a frame is left, on the link below it."""
        frame = self.model.getFrameIndex(root)
        if self.model.getFrameLink(frame) != self.model.getDefaultBaseLink():
            raise ValueError(f"the root link {root!r} is no part of the base")
        root_in_base = self.model.getFrameTransform(frame).asHomogeneousTransform().toNumPy()
        if self.floating and (root_in_base != np.eye(4)).any():
            raise Unsupported("removed_root", self.limits["removed_root"])
        return inverse(root_in_base)

    def _layout(self, dofs: int) -> Layout:
        shift_q, shift_v = (7, BASE) if self.floating else (0, 0)
        joints = []
        if self.floating:
            q, v = tuple(range(7)), tuple(range(BASE))
            joints.append(JointLayout(name="floating_base", q=q, v=v, form="pose", linear="world", angular="world"))
        for number in range(self.model.getNrOfJoints()):
            joint = self.model.getJoint(number)
            if joint.getNrOfDOFs():
                q, v = (shift_q + joint.getPosCoordsOffset(),), (shift_v + joint.getDOFsOffset(),)
                joints.append(JointLayout(name=self.model.getJointName(number), q=q, v=v))
        bodies = tuple(self.model.getLinkName(k) for k in range(self.model.getNrOfLinks()))
        return Layout(
            joints=tuple(joints),
            links=tuple(name for name, _ in self.frames),
            nq=shift_q + dofs,
            nv=shift_v + dofs,
            regressor=RegressorLayout(frame="link", bodies=bodies),
        )

    def readback(self) -> Readback:
        model, bodies, joints, carrier = self.model, [], [], carriers(self.source.mechanism)
        for number in range(model.getNrOfLinks()):
            name, held = model.getLinkName(number), model.getLink(number).getInertia()
            bodies.append(
                BodyReadback(
                    name=name,
                    joint=carrier.get(name),
                    links=(name,),
                    mass=held.getMass(),
                    com=vector(held.getCenterOfMass().toNumPy()),
                    inertia=matrix(held.getRotationalInertiaWrtCenterOfMass().toNumPy()),
                )
            )
        for number in range(model.getNrOfJoints()):
            joint = model.getJoint(number)
            kind = "fixed" if joint.isFixedJoint() else "revolute" if joint.isRevoluteJoint() else "prismatic"
            parent, child = (
                model.getLinkName(k) for k in (joint.getFirstAttachedLink(), joint.getSecondAttachedLink())
            )
            joints.append(JointReadback(name=model.getJointName(number), kind=kind, parent=parent, child=child))
        return Readback(bodies=tuple(bodies), joints=tuple(joints), total_mass=model.getTotalMass())

    def _set(self, q: Any, v: Any = None, *, gravity: bool = True) -> None:
        twist, speeds = np.zeros(BASE), np.zeros(self.size - BASE)
        pose = self.base.copy()
        if v is not None:
            twist, speeds = (v[:BASE], v[BASE:]) if self.floating else (twist, v)
        if self.floating:
            x, y, z, w = q[3:7]
            rotation = self.idt.Rotation.RotationFromQuaternion(self.idt.Vector4.FromPython([w, x, y, z]))
            pose[:3, :3], pose[:3, 3], q = rotation.toNumPy(), q[:3], q[7:]
        acceleration = self.gravity if gravity else np.zeros(3)
        self.solver.setRobotState(pose, np.array(q), np.array(twist), np.array(speeds), acceleration)

    def _torques(self, ask: Any, *arguments: Any) -> Any:
        out = self.idt.FreeFloatingGeneralizedTorques(self.model)
        ask(*arguments, out)
        return np.concatenate([out.baseWrench().toNumPy(), out.jointTorques().toNumPy()])[self.first :]

    def link_poses(self, q: Any) -> Any:
        self._set(q)
        return [self.solver.getWorldTransform(frame).asHomogeneousTransform().toNumPy()[:3] for _, frame in self.frames]

    def link_jacobians(self, q: Any) -> Any:
        self._set(q)
        out = []
        for _, frame in self.frames:
            jacobian = self.idt.MatrixDynSize(BASE, self.size)
            self.solver.getFrameFreeFloatingJacobian(frame, jacobian)
            out.append(jacobian.toNumPy()[:, self.first :])
        return out

    def mass_matrix(self, q: Any) -> Any:
        self._set(q)
        out = self.idt.MatrixDynSize(self.size, self.size)
        self.solver.getFreeFloatingMassMatrix(out)
        return out.toNumPy()[self.first :, self.first :]

    def coriolis_matrix(self, q: Any, v: Any) -> Any:
        self._set(q, v)
        coriolis, mass, rate = (self.idt.MatrixDynSize(self.size, self.size) for _ in range(3))
        self.solver.getCoriolisAndMassMatrices(coriolis, mass, rate)
        return coriolis.toNumPy()[self.first :, self.first :]

    def coriolis_force(self, q: Any, v: Any) -> Any:
        self._set(q, v, gravity=False)
        return self._torques(self.solver.generalizedBiasForces)

    def bias_force(self, q: Any, v: Any) -> Any:
        self._set(q, v)
        return self._torques(self.solver.generalizedBiasForces)

    def gravity_vector(self, q: Any) -> Any:
        self._set(q)
        # Of a floating base generalizedGravityForces turns the wrench by the rotation of the state before.
        ask = self.solver.generalizedGravityForces if self.naive else self.solver.generalizedBiasForces
        return self._torques(ask)

    def _accelerations(self, a: Any) -> tuple[Any, Any]:
        """Return the base's acceleration and those of the joints."""
        base, joints = (a[:BASE], a[BASE:]) if self.floating else (np.zeros(BASE), a)
        return self.idt.Vector6.FromPython(list(base)), self.idt.VectorDynSize.FromPython(list(joints))

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        self._set(q, v)
        external = self.idt.LinkWrenches(self.model)
        external.zero()
        return self._torques(self.solver.inverseDynamics, *self._accelerations(a), external)

    def joint_torque_regressor(self, q: Any, v: Any, a: Any) -> Any:
        self._set(q, v)
        out = self.idt.MatrixDynSize(self.size, 10 * self.model.getNrOfLinks())
        self.solver.inverseDynamicsInertialParametersRegressor(*self._accelerations(a), out)
        return out.toNumPy()[self.first :]
