# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "sapien>=3.0"]
# ///
"""SAPIEN: URDF by its own loader into PhysX, in single precision; M, C and dynamics by the Pinocchio that it brings."""

from __future__ import annotations

import warnings
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source
from robodyn_check.sdk.bodies import carriers
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.limits import refuse
from robodyn_check.sdk.readback import BodyReadback, JointReadback, Readback, matrix, vector
from robodyn_check.sdk.rotations import from_quaternion

XYZW = [1, 2, 3, 0]  # SAPIEN's quaternions are w x y z


class Sapien(Adapter):
    """Poses, C v, g and their sum come from PhysX; the rest from a PinocchioModel made of what PhysX holds."""

    name = "sapien"
    library = "sapien"
    homepage = "https://sapien.ucsd.edu"
    precision = "single"
    coriolis = "christoffel"
    cost = 60.0
    needs_mechanism = True
    profiles: ClassVar[dict[str, str]] = {"": "the file as it is, by SAPIEN's own loader"}
    limits: ClassVar[dict[str, str]] = {
        "floating_base": "its Pinocchio model leaves out the base",
        "joint_kind": "revolute, continuous and prismatic joints only",
        "no_joints": "needs at least one moving joint",
    }

    def version(self) -> str:
        warnings.simplefilter("ignore")  # about Vulkan, which draws pictures
        import sapien  # noqa: F401 - is it there?

        return version("sapien")

    def load(self, source: Source) -> Layout:
        refuse(self.limits, source)
        import sapien

        self.source = source
        sapien.physx.set_scene_config(gravity=np.array(source.gravity, dtype=np.float32))
        self.scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
        loader: Any = self.scene.create_urdf_loader()
        loader.fix_root_link = True
        builder = loader.load_file_as_articulation_builder(str(source.path))
        for link in builder.link_builders:
            link.visual_records.clear()  # pictures need a device that renders
        self.robot = builder.build()
        self.model = self.robot.create_pinocchio_model(list(source.gravity))
        names = [joint.name for joint in self.robot.active_joints]
        self.links = [(row, link) for row, link in enumerate(self.robot.links) if link.name in source.links]
        joints = tuple(JointLayout(name=name, q=(k,), v=(k,)) for k, name in enumerate(names))
        links = tuple(link.name for _, link in self.links)
        return Layout(joints=joints, links=links, nq=len(names), nv=len(names))

    def readback(self) -> Readback:
        bodies, carrier = [], carriers(self.source.mechanism)
        for link in self.robot.links:
            inertial = link.cmass_local_pose
            R = from_quaternion(np.asarray(inertial.q, dtype=float)[XYZW])  # axes of the principal moments
            inertia = matrix(R * np.asarray(link.inertia, dtype=float) @ R.T)
            bodies.append(
                BodyReadback(
                    name=link.name,
                    mass=float(link.mass),
                    com=vector(inertial.p),
                    inertia=inertia,
                    joint=carrier.get(link.name),
                    links=(link.name,),
                )
            )
        joints = tuple(
            JointReadback(
                name=joint.name,
                kind="prismatic" if joint.type == "prismatic" else "revolute",
                child=joint.child_link.name,
                armature=(float(joint.armature[0]),),
            )
            for joint in self.robot.active_joints
        )
        total = float(sum(body.mass for body in bodies))
        return Readback(bodies=tuple(bodies), joints=joints, total_mass=total, precision="single")

    def _passive(self, q: Any, v: Any, *, gravity: bool, coriolis: bool) -> Any:
        self.robot.set_qpos(q.astype(np.float32))
        self.robot.set_qvel(v.astype(np.float32))
        return self.robot.compute_passive_force(gravity=gravity, coriolis_and_centrifugal=coriolis)

    def link_poses(self, q: Any) -> Any:
        self.robot.set_qpos(q.astype(np.float32))
        poses = [link.entity_pose for _, link in self.links]
        R = from_quaternion(np.array([pose.q for pose in poses], dtype=float)[:, XYZW])
        return np.concatenate([R, np.array([pose.p for pose in poses], dtype=float)[:, :, None]], axis=2)

    def link_jacobians(self, q: Any) -> Any:
        self.model.compute_forward_kinematics(q)
        self.model.compute_full_jacobian(q)
        out = np.zeros((len(self.links), 6, len(q)))
        for number, (row, _) in enumerate(self.links):
            quaternion = np.asarray(self.model.get_link_pose(row).q, dtype=float)
            R = from_quaternion(quaternion[XYZW])
            local = self.model.get_link_jacobian(row, local=True)  # at the link's origin, in its axes
            out[number] = np.concatenate([R @ local[:3], R @ local[3:]])
        return out

    def mass_matrix(self, q: Any) -> Any:
        return self.model.compute_generalized_mass_matrix(q)

    def coriolis_matrix(self, q: Any, v: Any) -> Any:
        return self.model.compute_coriolis_matrix(q, v)

    def coriolis_force(self, q: Any, v: Any) -> Any:
        return self._passive(q, v, gravity=False, coriolis=True)

    def bias_force(self, q: Any, v: Any) -> Any:
        return self._passive(q, v, gravity=True, coriolis=True)

    def gravity_vector(self, q: Any) -> Any:
        return self._passive(q, np.zeros(len(q)), gravity=True, coriolis=False)

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        return self.model.compute_inverse_dynamics(q, v, a)

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        return self.model.compute_forward_dynamics(q, v, tau)
