# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "newton>=1.8"]
# ///
"""Newton: URDF and MJCF by its own importers, inverse dynamics in single precision on Warp's processor device."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source
from robodyn_check.sdk.bodies import carriers
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.limits import refuse
from robodyn_check.sdk.readback import BodyReadback, Readback, matrix, vector
from robodyn_check.sdk.rotations import from_quaternion

DEVICE = "cpu"


class Newton(Adapter):
    """Kernels are compiled once, for minutes, and kept beside the interpreter that runs them."""

    name = "newton"
    library = "newton"
    homepage = "https://github.com/newton-physics/newton"
    formats = ("urdf", "mjcf")
    precision = "single"
    cost = 2000.0
    chunk = 50
    needs_mechanism = True
    profiles: ClassVar[dict[str, str]] = {"": "the file as it is, by Newton's own importer"}
    limits: ClassVar[dict[str, str]] = {
        "floating_base": "robots with a fixed base only",
        "joint_kind": "revolute, continuous and prismatic joints only",
        "several_joints_on_a_body": "one joint for each body: Newton makes one of several axes",
        "no_joints": "needs at least one moving joint",
    }

    def version(self) -> str:
        import newton  # noqa: F401 - is it there?

        return version("newton")

    def load(self, source: Source) -> Layout:
        refuse(self.limits, source)
        import newton
        import warp

        warp.config.quiet = True
        warp.config.kernel_cache_dir = str(Path(sys.prefix) / "warp-kernels")
        self.newton, self.warp = newton, warp
        builder = newton.ModelBuilder(gravity=warp.vec3(*source.gravity))
        if source.format == "urdf":
            builder.add_urdf(str(source.path), floating=False, hide_visuals=True)
        else:
            builder.add_mjcf(str(source.path), parse_visuals=False, parse_mujoco_options=False)
        self.model = builder.finalize(device=DEVICE)
        self.state = self.model.state()
        self.size = self.model.joint_dof_count
        starts = self.model.joint_qd_start.numpy()
        labels = [label.rpartition("/")[2] for label in self.model.joint_label]
        moving = [(label, int(starts[k])) for k, label in enumerate(labels) if starts[k + 1] > starts[k]]
        bodies = [label.rpartition("/")[2] for label in self.model.body_label]
        self.bodies = bodies
        self.carriers = carriers(source.mechanism)
        self.rows = [row for row, name in enumerate(bodies) if name in source.links]
        joints = tuple(JointLayout(name=name, q=(k,), v=(k,)) for name, k in moving)
        links = tuple(bodies[row] for row in self.rows)
        return Layout(joints=joints, links=links, nq=self.size, nv=self.size)

    def readback(self) -> Readback:
        masses, centres, inertias = (
            getattr(self.model, name).numpy() for name in ("body_mass", "body_com", "body_inertia")
        )
        bodies = tuple(
            BodyReadback(
                name=name,
                mass=float(masses[k]),
                com=vector(centres[k]),
                inertia=matrix(inertias[k]),
                joint=self.carriers.get(name),
                links=(name,),
            )
            for k, name in enumerate(self.bodies)
        )
        return Readback(bodies=bodies, total_mass=float(masses.sum()), precision="single")

    def _set(self, q: Any, v: Any = None) -> None:
        self.state.joint_q.assign(np.asarray(q, dtype=np.float32))
        self.state.joint_qd.assign(np.asarray(np.zeros(self.size) if v is None else v, dtype=np.float32))
        self.newton.eval_fk(self.model, self.state.joint_q, self.state.joint_qd, self.state)

    def _forces(self, name: str) -> Any:
        out = self.warp.zeros(self.size, dtype=float, device=DEVICE)
        self.newton.eval_inverse_dynamics_passive(self.model, self.state, **{name: out})
        return out

    def link_poses(self, q: Any) -> Any:
        self._set(q)
        transforms = self.state.body_q.numpy()[self.rows].astype(float)
        return np.concatenate([from_quaternion(transforms[:, 3:]), transforms[:, :3, None]], axis=2)

    def _mass_matrix(self) -> Any:
        return self.newton.eval_mass_matrix(self.model, self.state)

    def mass_matrix(self, q: Any) -> Any:
        self._set(q)
        return self._mass_matrix().numpy()[0, : self.size, : self.size]

    def coriolis_force(self, q: Any, v: Any) -> Any:
        self._set(q, v)
        return self._forces("coriolis_force").numpy()

    def gravity_vector(self, q: Any) -> Any:
        self._set(q)
        return self._forces("gravity_force").numpy()

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        self._set(q, v)
        out = self.warp.zeros(self.size, dtype=float, device=DEVICE)
        self.newton.eval_inverse_dynamics_force(
            self.model,
            self.state,
            mass_matrix=self._mass_matrix(),
            joint_qdd=self.warp.array(np.asarray(a, dtype=np.float32), dtype=float, device=DEVICE),
            coriolis_force=self._forces("coriolis_force"),
            gravity_force=self._forces("gravity_force"),
            joint_f=out,
        )
        return out.numpy()
