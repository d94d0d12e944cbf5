# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "pin>=3.0"]
# ///
"""Pinocchio: every quantity of the vocabulary, from its own URDF and MJCF loaders (https://github.com/stack-of-tasks/pinocchio)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source
from robodyn_check.sdk.layout import CoordinateForm, JointLayout, Layout, RegressorLayout
from robodyn_check.sdk.readback import BodyReadback, JointReadback, Readback, matrix, numbers, vector

#: Parameter order of Inertia.toDynamicParameters and of the regressor: xx xy yy xz yz zz.
ORDER = ("m", "mx", "my", "mz", "xx", "xy", "yy", "xz", "yz", "zz")
FORMS: dict[tuple[int, int], CoordinateForm] = {
    (1, 1): "angle",
    (2, 1): "cos_sin",
    (4, 3): "quaternion",
    (7, 6): "pose",
}


class Pinocchio(Adapter):
    """Armature is in M, RNEA, ABA and the kinetic energy; damping and friction are held, but enter none of them."""

    name = "pinocchio"
    library = "pin"
    homepage = "https://github.com/stack-of-tasks/pinocchio"
    formats = ("urdf", "mjcf")
    coriolis = "christoffel"
    cost = 5.0
    profiles: ClassVar[dict[str, str]] = {
        "": "the file as it is, by Pinocchio's own loader",
        "mimic": "with mimic=True: joints that follow another one are eliminated",
    }

    def version(self) -> str:
        import pinocchio

        return str(pinocchio.__version__)

    def load(self, source: Source) -> Layout:
        import pinocchio as pin

        self.pin, self.source = pin, source
        if source.format == "mjcf":
            self.model = pin.buildModelFromMJCF(str(source.path))
        else:
            more: dict[str, Any] = {"mimic": True} if source.profile == "mimic" else {}
            base = (pin.JointModelFreeFlyer(), "floating_base") if source.base == "floating" else ()
            self.model = pin.buildModelFromUrdf(str(source.path), *base, **more)
        self.loaded_gravity = vector(self.model.gravity.linear)
        self.model.gravity.linear = np.array(source.gravity)
        self.data = self.model.createData()
        frames = [frame for frame in self.model.frames if frame.type == pin.FrameType.BODY and frame.name != "universe"]
        # MJCF bodies without a name get one of Pinocchio's own; the order is the file's.
        named = all(frame.name in source.links for frame in frames)
        by_order = not named and len(frames) == len(source.links)
        links = source.links if by_order else tuple(frame.name for frame in frames if frame.name in source.links)
        kept = frames if by_order else [frame for frame in frames if frame.name in source.links]
        # A link and a joint may share a name: always ask with the frame's type.
        self.frames = [self.model.getFrameId(frame.name, pin.FrameType.BODY) for frame in kept]
        self.slots = self._slots()
        layouts = tuple(self._joint_layout(name, joint) for name, joint, _ in self.slots if not _follows(joint))
        reduced = tuple(name for name, joint, _ in self.slots if _follows(joint))
        carriers = {body: name for name, _, body in self.slots}  # of several joints on one body the last one
        bodies = tuple(carriers[body] for body in range(1, self.model.njoints))
        regressor = RegressorLayout(frame="joint", bodies=bodies, order=ORDER)
        return Layout(
            joints=layouts, links=links, nq=self.model.nq, nv=self.model.nv, regressor=regressor, reduced=reduced
        )

    def _slots(self) -> list[tuple[str, Any, int]]:
        """Return (name, joint, Pinocchio's joint number), several joints on one MJCF body taken apart."""
        slots = []
        for body in range(1, self.model.njoints):
            name, joint = self.model.names[body], self.model.joints[body]
            parts = list(joint.extract().joints) if joint.shortname() == "JointModelComposite" else [joint]
            # "Composite_" and the name of the first; the others follow it in the file.
            first = name.removeprefix("Composite_") if len(parts) > 1 else name
            start = self.source.joints.index(first) if first in self.source.joints else None
            for offset, part in enumerate(parts):
                slots.append((first if start is None else self.source.joints[start + offset], part, body))
        unknown = any(name not in self.source.joints for name, _, _ in slots)
        if unknown and self.source.format == "mjcf" and len(slots) == len(self.source.joints):
            return [(name, *slot[1:]) for name, slot in zip(self.source.joints, slots, strict=True)]
        return slots

    @staticmethod
    def _joint_layout(name: str, joint: Any) -> JointLayout:
        q, v = (tuple(range(start, start + n)) for start, n in ((joint.idx_q, joint.nq), (joint.idx_v, joint.nv)))
        if joint.shortname() == "JointModelPlanar":  # x, y, cos, sin; velocity in the child's frame
            return JointLayout(name=name, q=q, v=v, form="x_y_cos_sin", linear="body")
        return JointLayout(name=name, q=q, v=v, form=FORMS[joint.nq, joint.nv])

    def readback(self) -> Readback:
        model, pin = self.model, self.pin
        carriers: dict[int, str | None] = {0: None, **{body: name for name, _, body in self.slots}}
        bodies = []
        for body, inertia in enumerate(model.inertias):
            links = tuple(
                frame.name for frame in model.frames if frame.type == pin.FrameType.BODY and frame.parentJoint == body
            )
            if body or inertia.mass:
                name = carriers[body] or "world"
                bodies.append(_body(name, inertia, carriers[body], tuple(one for one in links if one != "universe")))
        joints = [self._joint(name, joint, body) for name, joint, body in self.slots if not _follows(joint)]
        fixed = [one for one in model.frames if one.type == pin.FrameType.FIXED_JOINT and one.name != "universe"]
        joints += [
            JointReadback(name=one.name, kind="fixed", **self._placement(one.parentFrame, one.placement))
            for one in fixed
        ]
        total = float(sum(inertia.mass for inertia in model.inertias))
        return Readback(bodies=tuple(bodies), joints=tuple(joints), gravity=self.loaded_gravity, total_mass=total)

    def _joint(self, name: str, joint: Any, body: int) -> JointReadback:
        """Return one moving joint; joints inside a composite have no placement of their own to show."""
        model, dofs = self.model, slice(joint.idx_v, joint.idx_v + joint.nv)
        kinds = {"P": "prismatic", "R": "revolute", "F": "floating", "S": "ball"}
        short = joint.shortname().removeprefix("JointModel")
        kind = "continuous" if "UB" in short or short == "RevoluteUnboundedUnaligned" else kinds[short[0]]
        kind = "planar" if short == "Planar" else kind
        axis = None
        if joint.nv == 1:
            S = np.asarray(joint.createData().S).reshape(6)
            axis = vector(S[:3] if kind == "prismatic" else S[3:])
        friction = (
            model.upperDryFrictionLimit if hasattr(model, "upperDryFrictionLimit") else model.friction
        )  # 4.x, 3.x
        whole = sum(slot[2] == body for slot in self.slots) == 1
        frame = model.frames[model.getFrameId(model.names[body], self.pin.FrameType.JOINT)]
        return JointReadback(
            name=name,
            kind=kind,
            axis=axis,
            armature=numbers(model.armature[dofs]),
            damping=numbers(model.damping[dofs]),
            friction=numbers(friction[dofs]),
            **(self._placement(frame.parentFrame, model.jointPlacements[body]) if whole else {}),
        )

    def _placement(self, parent: int, placement: Any) -> dict[str, Any]:
        """Return the parent link and the placement in its frame."""
        frame = self.model.frames[parent]
        relative = frame.placement.actInv(placement)
        name = None if frame.name == "universe" else frame.name
        return {
            "parent": name,
            "rotation": matrix(relative.rotation),
            "translation": vector(relative.translation),
        }

    def link_poses(self, q: Any) -> Any:
        self.pin.framesForwardKinematics(self.model, self.data, q)
        return [self.data.oMf[frame].homogeneous[:3] for frame in self.frames]

    def link_jacobians(self, q: Any) -> Any:
        self.pin.computeJointJacobians(self.model, self.data, q)
        self.pin.updateFramePlacements(self.model, self.data)
        aligned = self.pin.LOCAL_WORLD_ALIGNED
        return [self.pin.getFrameJacobian(self.model, self.data, frame, aligned) for frame in self.frames]

    def mass_matrix(self, q: Any) -> Any:
        return self.pin.crba(self.model, self.data, q)

    def coriolis_matrix(self, q: Any, v: Any) -> Any:
        return self.pin.computeCoriolisMatrix(self.model, self.data, q, v)

    def bias_force(self, q: Any, v: Any) -> Any:
        return self.pin.nonLinearEffects(self.model, self.data, q, v)

    def gravity_vector(self, q: Any) -> Any:
        return self.pin.computeGeneralizedGravity(self.model, self.data, q)

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        return self.pin.rnea(self.model, self.data, q, v, a)

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        return self.pin.aba(self.model, self.data, q, v, tau)

    def joint_torque_regressor(self, q: Any, v: Any, a: Any) -> Any:
        return self.pin.computeJointTorqueRegressor(self.model, self.data, q, v, a)

    def kinetic_energy(self, q: Any, v: Any) -> Any:
        return self.pin.computeKineticEnergy(self.model, self.data, q, v)

    def potential_energy(self, q: Any) -> Any:
        return self.pin.computePotentialEnergy(self.model, self.data, q)


def _follows(joint: Any) -> bool:
    """Tell whether a joint has no coordinate of its own."""
    return bool(joint.shortname() == "JointModelMimic")


def _body(name: str, inertia: Any, joint: str | None, links: tuple[str, ...]) -> BodyReadback:
    com = vector(inertia.lever)
    return BodyReadback(
        name=name, mass=float(inertia.mass), com=com, inertia=matrix(inertia.inertia), joint=joint, links=links
    )
