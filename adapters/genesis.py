# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "genesis-world>=1.4", "torch"]
# ///
"""Genesis: URDF and MJCF by its own importers, on the processor in double precision; M and qacc of one step."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source
from robodyn_check.sdk.bodies import carriers
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.limits import refuse
from robodyn_check.sdk.readback import BodyReadback, JointReadback, Readback, matrix, vector
from robodyn_check.sdk.rotations import from_quaternion

FAR = 1e10  #: N m or N, an effort that is never reached
XYZW = [1, 2, 3, 0]  # Genesis' quaternions are w x y z


class Genesis(Adapter):
    """Kernels are compiled at the first robot, for minutes. M and the acceleration are those of the last step."""

    name = "genesis"
    library = "genesis-world"
    homepage = "https://github.com/Genesis-Embodied-AI/Genesis"
    formats = ("urdf", "mjcf")
    cost = 20000.0
    chunk = 10
    needs_mechanism = True
    profiles: ClassVar[dict[str, str]] = {
        "": "the file as it is, by Genesis' own importer, whose default gives every joint an armature of 0.1 kg m²",
        "no-armature": "the same without the armature that the file does not state",
    }
    limits: ClassVar[dict[str, str]] = {
        "floating_base": "robots with a fixed base only",
        "joint_kind": "revolute, continuous and prismatic joints only",
        "several_joints_on_a_body": "one joint for each body",
        "no_joints": "needs at least one moving joint",
    }

    def version(self) -> str:
        import genesis

        genesis.init(backend=genesis.cpu, precision="64", logging_level="error")
        return version("genesis-world")

    def load(self, source: Source) -> Layout:
        refuse(self.limits, source)
        import genesis as gs

        self.source = source
        self.scene = gs.Scene(
            show_viewer=False,
            sim_options=gs.options.SimOptions(gravity=source.gravity),
            rigid_options=gs.options.RigidOptions(
                enable_collision=False,
                enable_joint_limit=False,
                disable_constraint=True,
                integrator=gs.integrator.Euler,
            ),
        )
        given = {"default_armature": None} if source.profile == "no-armature" else {}
        shapes = {"collision": True, "visualization": False}
        if source.format == "urdf":
            morph = gs.morphs.URDF(file=str(source.path), fixed=True, merge_fixed_links=False, **shapes, **given)
        else:
            morph = gs.morphs.MJCF(file=str(source.path), **shapes, **given)
        self.robot = self.scene.add_entity(morph)
        self.scene.build()
        self.joints = [joint for joint in self.robot.joints if joint.n_dofs]
        self.held = self._read()
        nothing = np.zeros(self.robot.n_dofs)
        for switch_off in ("set_dofs_damping", "set_dofs_stiffness", "set_dofs_frictionloss"):
            getattr(self.robot, switch_off)(nothing)
        self.robot.set_dofs_force_range(nothing - FAR, nothing + FAR)  # efforts would be cut at the file's limits
        self.links = [(row, link) for row, link in enumerate(self.robot.links) if link.name in source.links]
        joints = tuple(
            JointLayout(name=joint.name, q=tuple(joint.qs_idx_local), v=tuple(joint.dofs_idx_local))
            for joint in self.joints
        )
        links = tuple(link.name for _, link in self.links)
        return Layout(joints=joints, links=links, nq=self.robot.n_qs, nv=self.robot.n_dofs)

    def _read(self) -> Readback:
        carrier = carriers(self.source.mechanism)
        bodies = []
        for link in self.robot.links:
            held = link.desc
            R = from_quaternion(np.asarray(held.inertial_quat, dtype=float)[XYZW])
            bodies.append(
                BodyReadback(
                    name=link.name,
                    mass=float(held.mass),
                    com=vector(held.inertial_pos),
                    inertia=matrix(R @ np.asarray(held.inertia, dtype=float) @ R.T),
                    joint=carrier.get(link.name),
                    links=(link.name,),
                )
            )
        armature, damping = (_numbers(getattr(self.robot, get)()) for get in ("get_dofs_armature", "get_dofs_damping"))
        joints = tuple(
            JointReadback(
                name=joint.name,
                kind="prismatic" if "PRISMATIC" in str(joint.type) else "revolute",
                child=joint.link.name,
                armature=tuple(float(armature[k]) for k in joint.dofs_idx_local),
                damping=tuple(float(damping[k]) for k in joint.dofs_idx_local),
            )
            for joint in self.joints
        )
        return Readback(bodies=tuple(bodies), joints=joints, total_mass=float(self.robot.get_mass()))

    def readback(self) -> Readback:
        return self.held

    def _set(self, q: Any, v: Any = None) -> None:
        self.robot.set_qpos(q)
        self.robot.set_dofs_velocity(np.zeros(len(q)) if v is None else v)

    def _step(self, q: Any, v: Any, tau: Any) -> None:
        self._set(q, v)
        self.robot.control_dofs_force(tau)
        self.scene.step()

    def link_poses(self, q: Any) -> Any:
        self._set(q)
        rows = [row for row, _ in self.links]
        R = from_quaternion(_numbers(self.robot.get_links_quat())[rows][:, XYZW])
        return np.concatenate([R, _numbers(self.robot.get_links_pos())[rows][:, :, None]], axis=2)

    def link_jacobians(self, q: Any) -> Any:
        self._set(q)
        return [_numbers(self.robot.get_jacobian(link)) for _, link in self.links]

    def mass_matrix(self, q: Any) -> Any:
        still = np.zeros(len(q))
        self._step(q, still, still)
        return _numbers(self.robot.get_mass_mat())

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        self._step(q, v, tau)
        return _numbers(self.robot.get_dofs_acc())

    def kinetic_energy(self, q: Any, v: Any) -> Any:
        self._set(q, v)
        return float(self.robot.get_kinetic_energy())

    def potential_energy(self, q: Any) -> Any:
        self._set(q)
        return float(self.robot.get_potential_energy())


def _numbers(tensor: Any) -> Any:
    return tensor.cpu().numpy()
