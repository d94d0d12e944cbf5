# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy", "jaxsim>=0.9"]
# ///
"""jaxsim: URDF by SDFormat's converter, which it runs; compiled by JAX for double precision on the processor."""

from __future__ import annotations

import os
import shutil
from importlib.metadata import version
from typing import Any, ClassVar
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.bodies import SINGLE, MovingBody, moving_bodies
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.limits import refuse
from robodyn_check.sdk.readback import Readback

#: Read by JAX when it is imported.
SETTINGS = {"JAX_ENABLE_X64": "1", "JAX_PLATFORMS": "cpu"}
BASE = 6  # velocity coordinates of the base, which are there also where it does not move


class Jaxsim(Adapter):
    """Functions are compiled at their first call, for seconds each. Base velocities have world axes."""

    name = "jaxsim"
    library = "jaxsim"
    homepage = "https://github.com/gbionics/jaxsim"
    cost = 2000.0
    chunk = 50
    needs_mechanism = True
    profiles: ClassVar[dict[str, str]] = {
        "": "the file as it is, by `gz sdf`, which jaxsim runs to read a URDF",
        "canonical": "a robot written as SDF: joint axes along z, fixed links merged",
    }
    limits: ClassVar[dict[str, str]] = {
        "no_sdformat": "it reads a URDF by running `gz sdf`, which is not here; profile canonical needs none",
        "joint_kind": "revolute, continuous and prismatic joints, and a floating base",
        "armature": "profile canonical: links have no rotors",
        "massless_body": "profile canonical: jaxsim leaves out a body without mass",
        "no_joints": "needs at least one moving joint",
        "gravity": "gravity along z only",
    }

    def version(self) -> str:
        os.environ.update(SETTINGS)
        import jaxsim  # noqa: F401 - is it there?

        return version("jaxsim")

    def load(self, source: Source) -> Layout:
        canonical = source.profile == "canonical"
        shared = ("joint_kind", "no_joints", *(("armature",) if canonical else ()))
        refuse({feature: self.limits[feature] for feature in shared}, source)
        if any(source.gravity[:2]):
            raise Unsupported("gravity", self.limits["gravity"])
        if not canonical and shutil.which("gz") is None and shutil.which("ign") is None:
            raise Unsupported("no_sdformat", self.limits["no_sdformat"])
        import jax
        import jaxsim.api as js

        assert source.mechanism is not None, "the adapter declares needs_mechanism"
        self.bodies = moving_bodies(source.mechanism)
        self.js, self.jit, self.floating = js, jax.jit, source.base == "floating"
        text = self._sdf() if canonical else source.path.read_text(encoding="utf-8")
        self.model = js.model.JaxSimModel.build_from_model_description(
            text, is_urdf=not canonical, gravity=-source.gravity[2]
        )
        self.functions: dict[str, Any] = {}
        shift_q, shift_v = (7, BASE) if self.floating else (0, 0)
        names = self.model.joint_names()
        joints = [JointLayout(name=name, q=(shift_q + k,), v=(shift_v + k,)) for k, name in enumerate(names)]
        if self.floating:
            q = (0, 1, 2, 4, 5, 6, 3)  # the quaternion is w x y z
            form = JointLayout(
                name="floating_base", q=q, v=tuple(range(BASE)), form="pose", linear="world", angular="world"
            )
            joints.insert(0, form)
        self.first = 0 if self.floating else BASE
        self.links = self._links(canonical=canonical)
        n = len(names)
        notes = ("translated",) if canonical else ()
        return Layout(
            joints=tuple(joints),
            links=tuple(link for link, _, _ in self.links),
            nq=shift_q + n,
            nv=shift_v + n,
            notes=notes,
        )

    def _links(self, *, canonical: bool) -> list[tuple[str, int, Any]]:
        """Return the links at the joints: name, jaxsim's number, and how its frame is turned from jaxsim's."""
        held, found = self.model.link_names(), []
        for body in self.bodies:
            for link, place in body.links:
                name = _named(body.joint) if canonical else link
                if name in held and not place[:3, 3].any():
                    found.append((link, held.index(name), place if canonical else np.eye(4)))
        return found

    def _sdf(self) -> str:
        """Write the robot: one link for each moving body, and one that is welded to the world."""
        if any(not body.mass for body in self.bodies):
            raise Unsupported("massless_body", self.limits["massless_body"])
        parts = []
        if not self.floating:
            parts.append(_link("ground", 1.0, np.zeros(3), np.eye(3), still=True))
            weld = "<parent>world</parent><child>ground/link</child>"
            parts.append(f"<joint name='ground/weld' type='fixed'><pose>0 0 0 0 0 0</pose>{weld}</joint>")
        for body in self.bodies:
            parts.append(_link(body.joint, body.mass, body.com, body.inertia, still=body.kind == "floating"))
            parts += [_joint(body)] if body.kind in SINGLE else []
        return f"<sdf version='1.10'><model name='robot'>{''.join(parts)}</model></sdf>"

    def readback(self) -> Readback:
        return Readback(total_mass=float(sum(self.js.model.link_spatial_inertia_matrices(self.model)[:, 0, 0])))

    def _data(self, q: Any, v: Any) -> Any:
        given = {"joint_positions": q, "joint_velocities": v}
        if self.floating:
            given = {
                "base_position": q[:3],
                "base_quaternion": q[3:7],
                "joint_positions": q[7:],
                "base_linear_velocity": v[:3],
                "base_angular_velocity": v[3:BASE],
                "joint_velocities": v[BASE:],
            }
        return self.js.data.JaxSimModelData.build(self.model, **given)

    def _call(self, name: str, q: Any, v: Any = None, **given: Any) -> Any:
        """Call a function of jaxsim.api.model, compiled."""
        if name not in self.functions:
            function = getattr(self.js.model, name)
            self.functions[name] = self.jit(lambda q, v, given: function(self.model, self._data(q, v), **given))
        size = len(q) - 1 if self.floating else len(q)
        return self.functions[name](q, np.zeros(size) if v is None else v, given)

    def link_poses(self, q: Any) -> Any:
        poses = np.asarray(self._call("forward_kinematics", q))
        return [(poses[row] @ place)[:3] for _, row, place in self.links]

    def link_jacobians(self, q: Any) -> Any:
        held = np.asarray(self._call("generalized_free_floating_jacobian", q))
        return [held[row][:, self.first :] for _, row, _ in self.links]

    def mass_matrix(self, q: Any) -> Any:
        return np.asarray(self._call("free_floating_mass_matrix", q))[self.first :, self.first :]

    def coriolis_matrix(self, q: Any, v: Any) -> Any:
        return np.asarray(self._call("free_floating_coriolis_matrix", q, v))[self.first :, self.first :]

    def bias_force(self, q: Any, v: Any) -> Any:
        return np.asarray(self._call("free_floating_bias_forces", q, v))[self.first :]

    def gravity_vector(self, q: Any) -> Any:
        return np.asarray(self._call("free_floating_gravity_forces", q))[self.first :]

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        base = {"base_acceleration": a[:BASE]} if self.floating else {}
        out = self._call("inverse_dynamics", q, v, joint_accelerations=a[BASE - self.first :], **base)
        return np.concatenate([np.atleast_1d(part) for part in out])[self.first :]

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        if self.floating and tau[:BASE].any():
            return self._pushed(q, v, tau)
        out = self._call("forward_dynamics_aba", q, v, joint_forces=tau[BASE - self.first :])
        return np.concatenate([np.atleast_1d(part) for part in out])[self.first :]

    def _pushed(self, q: Any, v: Any, tau: Any) -> Any:
        """Apply the force on the floating base as the outer force on its link."""
        forces = np.zeros((self.model.number_of_links(), BASE))
        forces[0] = tau[:BASE]
        out = self._call("forward_dynamics_aba", q, v, joint_forces=tau[BASE:], link_forces=forces)
        return np.concatenate([np.atleast_1d(part) for part in out])

    def kinetic_energy(self, q: Any, v: Any) -> Any:
        return float(self._call("kinetic_energy", q, v))

    def potential_energy(self, q: Any) -> Any:
        return float(self._call("potential_energy", q))


def _link(joint: str, mass: float, com: Any, inertia: Any, *, still: bool = False) -> str:
    """Write the link of a joint, whose frame is the joint's after motion, or of the base."""
    entries = zip(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), inertia[np.triu_indices(3)], strict=True)
    tensor = "".join(f"<{entry}>{float(value)!r}</{entry}>" for entry, value in entries)
    where = "<pose>0 0 0 0 0 0</pose>" if still else f"<pose relative_to={quoteattr(joint)}>0 0 0 0 0 0</pose>"
    held = f"<pose>{_numbers(com)} 0 0 0</pose><mass>{mass!r}</mass><inertia>{tensor}</inertia>"
    return f"<link name={quoteattr(_named(joint))}>{where}<inertial>{held}</inertial></link>"


def _joint(body: MovingBody) -> str:
    above = _named("ground" if body.parent is None else body.parent)
    kind = "prismatic" if body.kind == "prismatic" else "revolute"
    pose = f"{_numbers(body.placement[:3, 3])} {_numbers(_roll_pitch_yaw(body.placement[:3, :3]))}"
    ends = f"<parent>{escape(above)}</parent><child>{escape(_named(body.joint))}</child>"
    where = f"<pose relative_to={quoteattr(above)}>{pose}</pose>"
    axis = "<axis><xyz>0 0 1</xyz><limit><lower>-1e16</lower><upper>1e16</upper></limit></axis>"
    return f"<joint name={quoteattr(body.joint)} type='{kind}'>{where}{ends}{axis}</joint>"


def _named(joint: str) -> str:
    return f"{joint}/link"


def _roll_pitch_yaw(R: Any) -> tuple[float, float, float]:
    """Return the angles of a rotation; they give it back to rounding at every pitch, since roll counts from yaw."""
    yaw = np.arctan2(R[1, 0], R[0, 0])
    c, s = np.cos(yaw), np.sin(yaw)
    pitch = np.arctan2(-R[2, 0], c * R[0, 0] + s * R[1, 0])
    roll = np.arctan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    return roll, pitch, yaw


def _numbers(values: Any) -> str:
    return " ".join(repr(float(value)) for value in values)
