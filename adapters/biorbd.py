# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "biorbd>=1.9"]
# ///
"""biorbd, which holds RBDL in a wheel: it gets the robot as a bioMod text (https://github.com/pyomeca/biorbd)."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.bodies import SINGLE, moving_bodies, world_links
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.readback import BodyReadback, Readback, matrix, vector

if TYPE_CHECKING:
    from collections.abc import Iterable


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
        "floating_base": "robots with a fixed base only",
        "joint_kind": "revolute, continuous and prismatic joints only",
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
            "floating_base": source.base == "floating",
            "joint_kind": any(body.kind not in SINGLE for body in bodies),
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
            motion = f"{'translations' if body.kind == 'prismatic' else 'rotations'} z"
            parent = "" if above is None else f"joint{above}"
            segments.append(self._segment(f"joint{number}", parent, body.placement, motion))
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
        joints = tuple(JointLayout(name=body.joint, q=(k,), v=(k,)) for k, body in enumerate(bodies))
        names = tuple(name for name, _ in self.links)
        return Layout(joints=joints, links=names, nq=len(bodies), nv=len(bodies), notes=("translated",))

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
        return self.model.massMatrix(q).to_array()

    def bias_force(self, q: Any, v: Any) -> Any:
        return self.model.NonLinearEffect(q, v).to_array()

    def gravity_vector(self, q: Any) -> Any:
        return self.model.NonLinearEffect(q, q * 0.0).to_array()

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        return self.model.InverseDynamics(q, v, a).to_array()

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        return self.model.ForwardDynamics(q, v, tau).to_array()

    def kinetic_energy(self, q: Any, v: Any) -> Any:
        return self.model.KineticEnergy(q, v)

    def potential_energy(self, q: Any) -> Any:
        return self.model.PotentialEnergy(q)


def _numbers(values: Iterable[Any]) -> str:
    return " ".join(repr(float(value)) for value in values)
