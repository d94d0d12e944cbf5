# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "mujoco>=3.3"]
# ///
"""MuJoCo: URDF and MJCF by its own loader, no contacts, limits, friction, damping or actuators in the dynamics."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.readback import BodyReadback, JointReadback, Readback, matrix, numbers, vector

FREE, BALL, SLIDE, HINGE = range(4)
KINDS = {FREE: "floating", BALL: "ball", SLIDE: "prismatic", HINGE: "revolute"}
SIZES = {FREE: (7, 6), BALL: (4, 3), SLIDE: (1, 1), HINGE: (1, 1)}


class MuJoCo(Adapter):
    """The faithful recipe keeps fixed links apart (fusestatic) and takes a URDF's inertia from the file alone."""

    name = "mujoco"
    library = "mujoco"
    homepage = "https://github.com/google-deepmind/mujoco"
    formats = ("urdf", "mjcf")
    cost = 8.0
    profiles: ClassVar[dict[str, str]] = {
        "": "fixed links kept apart, inertia of a URDF from the file alone, smooth dynamics only",
        "default": "as a first-time user loads it: fixed links fused, damping, friction, limits, equalities in qacc",
        "elastic": "like the faithful one, with the springs and dampers of joints and tendons in the dynamics",
    }
    limits: ClassVar[dict[str, str]] = {
        "world_link": "a root link named 'world' is MuJoCo's own world body, which does not float",
        "floating_base": "MjModel.from_xml_path gives a URDF no floating base (profile default)",
    }

    def version(self) -> str:
        import mujoco

        return str(mujoco.__version__)

    def load(self, source: Source) -> Layout:
        import mujoco

        self.mujoco, self.source = mujoco, source
        self.remarks: tuple[str, ...] = ()
        naive = source.profile == "default"
        if naive and source.format == "urdf" and source.base == "floating":
            raise Unsupported("floating_base", self.limits["floating_base"])
        if source.format == "urdf" and source.base == "floating" and source.root_link == "world":
            raise Unsupported("world_link", self.limits["world_link"])
        if naive or source.format == "mjcf":
            self.model = mujoco.MjModel.from_xml_path(str(source.path))
        else:
            self.model = self._faithful_urdf(source)
        self.data = mujoco.MjData(self.model)
        self.places = self._joints()
        self.held = self._read()
        notes = () if naive else self._smooth_only()
        self.model.opt.gravity[:] = source.gravity
        links = self._links()
        self.bodies = [body for body, _ in links]
        layouts = tuple(self._layout(name, ids) for name, ids in self.places)
        names = tuple(name for _, name in links)
        return Layout(joints=layouts, links=names, nq=self.model.nq, nv=self.model.nv, notes=(*notes, *self.remarks))

    def _faithful_urdf(self, source: Source, *, fuse: bool = False) -> Any:
        """Compile a URDF without shapes: they would bring contacts, mesh files, and mass where the file states none."""
        spec = self.mujoco.MjSpec.from_file(str(source.path))
        spec.compiler.fusestatic = fuse
        spec.compiler.inertiafromgeom = self.mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_FALSE
        for element in [*spec.geoms, *spec.meshes]:
            spec.delete(element)
        if source.base == "floating":
            spec.worldbody.first_body().add_freejoint().name = "floating_base"
        try:
            return spec.compile()
        except ValueError as error:
            if fuse or "depth limit" not in str(error):
                raise
        self.remarks = ("fixed links fused, as MuJoCo does by default: kept apart they nest too deeply for it",)
        return self._faithful_urdf(source, fuse=True)

    def _smooth_only(self) -> tuple[str, ...]:
        """Switch off, by MuJoCo's own flags, everything that is not smooth rigid-body dynamics."""
        model, bit = self.model, self.mujoco.mjtDisableBit
        notes = (f"{model.neq} equality constraints switched off",) if model.neq else ()
        off = ["mjDSBL_CONSTRAINT", "mjDSBL_ACTUATION"]
        if self.source.profile != "elastic":  # 3.3: one flag
            off += ["mjDSBL_PASSIVE"] if hasattr(bit, "mjDSBL_PASSIVE") else ["mjDSBL_SPRING", "mjDSBL_DAMPER"]
        for name in off:
            model.opt.disableflags |= int(getattr(bit, name))
        model.opt.disableflags &= ~int(bit.mjDSBL_GRAVITY)  # gravity is an argument of load
        model.opt.enableflags = 0
        model.opt.density = model.opt.viscosity = 0.0
        model.body_gravcomp[:] = 0.0
        return notes

    def _joints(self) -> list[tuple[str, tuple[int, ...]]]:
        """Return the file's joints with MuJoCo's numbers; a planar joint becomes NAME_TX, NAME_TY, NAME_RZ."""
        names, wanted = [self.model.joint(k).name for k in range(self.model.njnt)], self.source.joints
        # Both count depth first, so the order also names the joints that an MJCF leaves without a name.
        if self.source.format == "mjcf" and len(names) == len(wanted):
            return [(name, (number,)) for number, name in enumerate(wanted)]
        places: list[tuple[str, tuple[int, ...]]] = []
        for number, name in enumerate(names):
            planar = name.removesuffix("_TX")
            if name not in wanted and planar in wanted:
                places.append((planar, (number, number + 1, number + 2)))
            elif not any(number in ids for _, ids in places):
                places.append((name, (number,)))
        return places

    def _links(self) -> list[tuple[int, str]]:
        """Return (body, name of the link) for the links that MuJoCo holds."""
        names = [self.model.body(k).name for k in range(1, self.model.nbody)]
        if self.source.format == "mjcf" and len(names) == len(self.source.links):
            return list(enumerate(self.source.links, start=1))
        return [(number, name) for number, name in enumerate(names, start=1) if name in self.source.links]

    def _layout(self, name: str, ids: tuple[int, ...]) -> JointLayout:
        model = self.model
        q = tuple(int(model.jnt_qposadr[k]) + i for k in ids for i in range(SIZES[model.jnt_type[k]][0]))
        v = tuple(int(model.jnt_dofadr[k]) + i for k in ids for i in range(SIZES[model.jnt_type[k]][1]))
        if len(ids) == 3:
            return JointLayout(name=name, q=q, v=v, form="x_y_angle")
        if model.jnt_type[ids[0]] == FREE:  # p, quaternion wxyz; velocity linear in the world, angular in the body
            return JointLayout(name=name, q=(*q[:3], *q[4:], q[3]), v=v, form="pose", linear="world", angular="body")
        if model.jnt_type[ids[0]] == BALL:
            return JointLayout(name=name, q=(*q[1:], q[0]), v=v, form="quaternion")
        return JointLayout(name=name, q=q, v=v)

    def _read(self) -> Readback:
        """Read the model as compiled, before anything is switched off."""
        model, joint_of = self.model, {ids[-1]: name for name, ids in self.places}
        carrier: dict[int, str | None] = {0: None}
        places = {0: (np.eye(3), np.zeros(3))}  # of each body in the frame of its carrier after motion
        bodies, link_names = [], dict(self._links())
        for body in range(1, model.nbody):
            own = range(model.body_jntadr[body], model.body_jntadr[body] + model.body_jntnum[body])
            carrier[body] = joint_of.get(own[-1]) if own else carrier[int(model.body_parentid[body])]
            places[body] = (np.eye(3), -model.jnt_pos[own[-1]]) if own else self._welded(body, places)
            R = self._rotation(model.body_iquat[body])  # stored as principal moments and their axes
            bodies.append(
                BodyReadback(
                    name=link_names.get(body, model.body(body).name),
                    mass=float(model.body_mass[body]),
                    com=vector(model.body_ipos[body]),
                    inertia=matrix(R * model.body_inertia[body] @ R.T),
                    joint=carrier[body],
                    links=(link_names[body],) if body in link_names else (),
                    rotation=matrix(places[body][0]),
                    translation=vector(places[body][1]),
                )
            )
        joints = tuple(self._joint(name, ids, link_names) for name, ids in self.places)
        gravity = vector(model.opt.gravity)
        return Readback(bodies=tuple(bodies), joints=joints, gravity=gravity, total_mass=float(model.body_mass.sum()))

    def _welded(self, body: int, places: dict[int, Any]) -> tuple[Any, Any]:
        """Return where a body without joints sits in the frame of its parent's carrier."""
        R, p = places[int(self.model.body_parentid[body])]
        return R @ self._rotation(self.model.body_quat[body]), R @ self.model.body_pos[body] + p

    def _rotation(self, quaternion: Any) -> Any:
        R = np.zeros(9)
        self.mujoco.mju_quat2Mat(R, quaternion)
        return R.reshape(3, 3)

    def _joint(self, name: str, ids: tuple[int, ...], link_names: dict[int, str]) -> JointReadback:
        model, first = self.model, ids[0]
        dofs = list(self._layout(name, ids).v)
        kind = "planar" if len(ids) == 3 else KINDS[model.jnt_type[first]]
        body = int(model.jnt_bodyid[first])
        return JointReadback(
            name=name,
            kind=kind,
            parent=link_names.get(int(model.body_parentid[body])),
            child=link_names.get(body),
            axis=vector(model.jnt_axis[ids[-1]]) if kind in {"revolute", "prismatic", "planar"} else None,
            armature=numbers(model.dof_armature[dofs]),
            damping=numbers(np.asarray(model.dof_damping).reshape(model.nv, -1)[dofs, 0]),
            friction=numbers(model.dof_frictionloss[dofs]),
            reference=float(model.qpos0[model.jnt_qposadr[first]]) if SIZES[model.jnt_type[first]][0] == 1 else None,
        )

    def readback(self) -> Readback:
        return self.held

    def _position(self, q: Any, v: Any = 0.0) -> None:
        self.data.qpos[:], self.data.qvel[:] = q, v
        self.mujoco.mj_fwdPosition(self.model, self.data)
        self.mujoco.mj_fwdVelocity(self.model, self.data)

    def link_poses(self, q: Any) -> Any:
        self._position(q)
        d = self.data
        return [np.column_stack([d.xmat[body].reshape(3, 3), d.xpos[body]]) for body in self.bodies]

    def link_jacobians(self, q: Any) -> Any:
        self._position(q)
        out = np.zeros((len(self.bodies), 6, self.model.nv))
        for row, body in enumerate(self.bodies):
            self.mujoco.mj_jacBody(self.model, self.data, out[row, :3], out[row, 3:], body)
        return out

    def mass_matrix(self, q: Any) -> Any:
        self._position(q)
        M = np.zeros((self.model.nv, self.model.nv))
        if hasattr(self.data, "qM"):  # up to 3.9: mj_fullM(m, dst, qM); the change lies between 3.9 and 3.13
            self.mujoco.mj_fullM(self.model, M, self.data.qM)
        else:
            self.mujoco.mj_fullM(self.model, self.data, M)
        return M

    def bias_force(self, q: Any, v: Any) -> Any:
        self._position(q, v)
        return self.data.qfrc_bias.copy()

    def coriolis_force(self, q: Any, v: Any) -> Any:
        flag = int(self.mujoco.mjtDisableBit.mjDSBL_GRAVITY)
        self.model.opt.disableflags |= flag
        try:
            return self.bias_force(q, v)
        finally:
            self.model.opt.disableflags &= ~flag

    def gravity_vector(self, q: Any) -> Any:
        return self.bias_force(q, 0.0)

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        self.data.qpos[:], self.data.qvel[:], self.data.qacc[:] = q, v, a
        self.mujoco.mj_inverse(self.model, self.data)
        return self.data.qfrc_inverse.copy()

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        self.data.qpos[:], self.data.qvel[:], self.data.qfrc_applied[:] = q, v, tau
        self.mujoco.mj_forward(self.model, self.data)
        return self.data.qacc.copy()

    def kinetic_energy(self, q: Any, v: Any) -> Any:
        self._position(q, v)
        self.mujoco.mj_energyVel(self.model, self.data)
        return float(self.data.energy[1])

    def potential_energy(self, q: Any) -> Any:
        self._position(q)
        self.mujoco.mj_energyPos(self.model, self.data)
        return float(self.data.energy[0])
