# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "biorbd>=1.9"]
# ///
"""biorbd, which holds RBDL in a wheel: it gets the robot as a bioMod text (https://github.com/pyomeca/biorbd)."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.bodies import moving_bodies, world_links
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.readback import BodyReadback, Readback, matrix, vector

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.sdk.bodies import MovingBody

#: How a bioMod says what a joint does, in the frame whose z is its axis.
MOTIONS = {
    "revolute": "rotations z",
    "continuous": "rotations z",
    "prismatic": "translations z",
    "ball": "rotations q",
    "floating": "translations xyz\nrotations q",
}


class Biorbd(Adapter):
    """A segment without mass for each moving joint, its axis along z, and welded to it one for each link."""

    name = "biorbd"
    library = "biorbd"
    homepage = "https://github.com/pyomeca/biorbd"
    formats = ("urdf", "mjcf")
    cost = 100.0
    needs_mechanism = True
    profiles: ClassVar[dict[str, str]] = {
        "": "every segment states its mass, also 0",
        "default": "as a first-time user writes it: links without mass state none",
    }
    limits: ClassVar[dict[str, str]] = {
        "joint_kind": "revolute, continuous, prismatic, ball and floating joints only",
        "armature": "segments have no rotors",
    }

    def version(self) -> str:
        import biorbd  # noqa: F401 - is it there?

        return version("biorbd")

    def load(self, source: Source) -> Layout:
        import biorbd

        assert source.mechanism is not None, "the adapter declares needs_mechanism"
        self.naive = source.profile == "default"
        bodies = moving_bodies(source.mechanism)
        reasons = {
            "joint_kind": any(body.kind not in MOTIONS for body in bodies),
            "armature": any(any(body.armature) for body in bodies),
        }
        for feature, reached in reasons.items():
            if reached:
                raise Unsupported(feature, self.limits[feature])
        inertials = {link.name: link for link in source.mechanism.bodies}
        self.links: list[tuple[str, str | None]] = []  # name and joint of each link, in the order of their segments
        # An inertia that never moves counts for nothing, and two segments without mass are refused: "cannot join".
        segments = [
            self._segment(
                self._number(name, None), "", place, inertial=inertials[name] if inertials[name].mass else None
            )
            for name, place in world_links(source.mechanism)
        ]
        for number, body in enumerate(bodies):
            above = [other.joint for other in bodies].index(body.parent) if body.parent is not None else None
            parent = "" if above is None else f"joint{above}"
            segments.append(self._segment(f"joint{number}", parent, body.placement, MOTIONS[body.kind]))
            segments += [
                self._segment(self._number(name, body.joint), f"joint{number}", place, inertial=inertials[name])
                for name, place in body.links
            ]
        # A file of this process's own, which the library reads by its name.
        path = Path("robot.bioMod")
        text = "\n".join(["version 4", f"gravity {_numbers(source.gravity)}", *segments, ""])
        path.write_text(text, encoding="utf-8")
        self.model = biorbd.Model(str(path))
        order = [segment.name().to_string() for segment in self.model.segments()]
        self.places = [order.index(f"link{number}") for number in range(len(self.links))]
        names = tuple(name for name, _ in self.links)
        nq, self.nv = self.model.nbQ(), self.model.nbQdot()
        return Layout(joints=_joints(bodies, self.nv), links=names, nq=nq, nv=self.nv, notes=("translated",))

    def _number(self, link: str, joint: str | None) -> str:
        """Return a segment's name for a link: names with blanks would end a word of the file."""
        self.links.append((link, joint))
        return f"link{len(self.links) - 1}"

    def _segment(
        self, name: str, parent: str, place: Any, motion: str = "", inertial: BodyReadback | None = None
    ) -> str:
        lines = [f"segment {name}"]
        lines += [f"parent {parent}"] if parent else []
        lines += ["RTinMatrix 1", "RT", *map(_numbers, place)]
        lines += [motion] if motion else []
        if inertial is None:
            lines.append("mass 0")
        elif inertial.mass or not self.naive:
            lines += [f"mass {inertial.mass!r}", f"com {_numbers(inertial.com)}"]
            lines += ["inertia", *map(_numbers, inertial.inertia)]
        return "\n".join([*lines, "endsegment"])

    def readback(self) -> Readback:
        held = []
        for (name, joint), place in zip(self.links, self.places, strict=True):
            inertia = self.model.segment(place).characteristics()
            held.append(
                BodyReadback(
                    name=name,
                    mass=float(inertia.mass()),
                    com=vector(inertia.CoM().to_array()),
                    inertia=matrix(inertia.inertia().to_array()),
                    joint=joint,
                    links=(name,),
                )
            )
        gravity = vector(self.model.getGravity().to_array())
        return Readback(bodies=tuple(held), gravity=gravity, total_mass=float(self.model.mass()))

    def link_poses(self, q: Any) -> Any:
        return [self.model.globalJCS(q, place).to_array()[:3] for place in self.places]

    def mass_matrix(self, q: Any) -> Any:
        # Sized as q is: a row and a column of zeros for the real part of each quaternion come last.
        return self.model.massMatrix(q).to_array()[: self.nv, : self.nv]

    def bias_force(self, q: Any, v: Any) -> Any:
        return self.model.NonLinearEffect(q, v).to_array()

    def gravity_vector(self, q: Any) -> Any:
        return self.model.NonLinearEffect(q, np.zeros(self.nv)).to_array()

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        return self.model.InverseDynamics(q, v, a).to_array()

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        return self.model.ForwardDynamics(q, v, tau).to_array()[: self.nv]  # sized as q is, too

    def kinetic_energy(self, q: Any, v: Any) -> Any:
        return self.model.KineticEnergy(q, v)

    def potential_energy(self, q: Any) -> Any:
        return self.model.PotentialEnergy(q)


def _joints(bodies: Iterable[MovingBody], nv: int) -> tuple[JointLayout, ...]:
    """Say where the coordinates of each joint stand: the last parts of all quaternions come after everything else."""
    joints, first, real_part = [], 0, nv
    for body in bodies:
        size = {"floating": 6, "ball": 3}.get(body.kind, 1)
        v = q = tuple(range(first, first + size))
        if size == 1:
            joints.append(JointLayout(name=body.joint, q=q, v=v))
        else:
            frames: dict[str, Any] = {"form": "quaternion"}
            if body.kind == "floating":
                frames = {"form": "pose", "linear": "world", "angular": "body"}
            joints.append(JointLayout(name=body.joint, q=(*q, real_part), v=v, **frames))
            real_part += 1
        first += size
    return tuple(joints)


def _numbers(values: Iterable[Any]) -> str:
    return " ".join(repr(float(value)) for value in values)
