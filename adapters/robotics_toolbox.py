# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "roboticstoolbox-python>=1.1"]
# ///
"""Robotics Toolbox for Python: URDF by its own loader (https://github.com/petercorke/robotics-toolbox-python)."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.bodies import SINGLE, moving_bodies, world_links
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.readback import IDENTITY, BodyReadback, JointReadback, Readback, matrix, vector

if TYPE_CHECKING:
    from robodyn_check.sdk.readback import Readback as Mechanism

WEIGHTLESS = (0.0, 0.0, 0.0)


class RoboticsToolbox(Adapter):
    """Friction acts in its recursive Newton-Euler: it is switched off after the readback, but in ``default``."""

    name = "robotics-toolbox"
    library = "roboticstoolbox-python"
    homepage = "https://github.com/petercorke/robotics-toolbox-python"
    coriolis = "christoffel"
    cost = 60000.0
    chunk = 20
    needs_mechanism = True
    profiles: ClassVar[dict[str, str]] = {
        "": "the file as it is, by its own loader, friction switched off",
        "default": "as a first-time user loads it: what the loader takes for viscous friction acts",
        "canonical": "a robot built link by link: joint axes along z, fixed links merged",
    }
    limits: ClassVar[dict[str, str]] = {
        "floating_base": "robots with a fixed base only",
        "joint_kind": "profile canonical: revolute, continuous and prismatic joints only",
    }

    def version(self) -> str:
        return version("roboticstoolbox-python")

    def load(self, source: Source) -> Layout:
        if source.base == "floating":
            raise Unsupported("floating_base", self.limits["floating_base"])
        self.source = source
        self.spare: Any = None
        self.turned: dict[str, Any] = {}  # of a canonical robot: from each link's axes to its joint's
        self.robot = self._loaded()
        self.held = self._read()
        self._prepare(self.robot)
        self.links = [link for link in self.robot.links if link.name in source.links]
        self.paths = [self._path(link) for link in self.links]
        joints = tuple(
            JointLayout(name=link._joint_name, q=(link.jindex,), v=(link.jindex,))  # noqa: SLF001 - no public name
            for link in self.robot.links
            if link.isjoint
        )
        n, names = self.robot.n, tuple(link.name for link in self.links)
        notes = ("translated",) if source.profile == "canonical" else ()
        return Layout(joints=joints, links=names, nq=n, nv=n, notes=notes)

    def _loaded(self) -> Any:
        import roboticstoolbox
        from roboticstoolbox.models.URDF.URDFRobot import URDF_file

        canonical = self.source.profile == "canonical"
        assert self.source.mechanism is not None, "the adapter declares needs_mechanism"
        links = self._canonical(self.source.mechanism) if canonical else URDF_file(self.source.path)[0]
        return roboticstoolbox.Robot(links, name="robot")

    def _prepare(self, robot: Any) -> None:
        robot.gravity = np.array(self.source.gravity)
        if self.source.profile != "default":
            for link in robot.links:
                link.B, link.Tc = 0.0, [0.0, 0.0]

    def _canonical(self, mechanism: Mechanism) -> list[Any]:
        """Build links: one for each moving joint, and one without mass at each link's frame, for its pose."""
        from roboticstoolbox.ets import ET, ETS
        from roboticstoolbox.robot.Link import Link

        base = Link(ETS(), name="/world")  # a name that no file has: a slash leads it
        bodies: dict[str | None, Any] = {None: base}
        frames = [self._frame(name, place, base) for name, place in world_links(mechanism)]
        for body in moving_bodies(mechanism):
            self.turned[f"/{body.joint}"] = matrix(body.rotation)
            if body.kind not in SINGLE:
                raise Unsupported("joint_kind", self.limits["joint_kind"])
            motion = ET.tz() if body.kind == "prismatic" else ET.Rz()
            bodies[body.joint] = Link(
                ETS([ET.SE3(body.placement), motion]),
                name=f"/{body.joint}",
                joint_name=body.joint,
                parent=bodies[body.parent],
                m=body.mass,
                r=body.com,
                I=body.inertia,
                Jm=sum(body.armature),  # with a gear ratio of 1
                G=1.0,
            )
            frames += [self._frame(name, place, bodies[body.joint]) for name, place in body.links]
        return [*bodies.values(), *frames]

    @staticmethod
    def _frame(name: str, place: Any, parent: Any) -> Any:
        from roboticstoolbox.ets import ET, ETS
        from roboticstoolbox.robot.Link import Link

        return Link(ETS(ET.SE3(place)), name=name, parent=parent)

    def _path(self, link: Any) -> list[int]:
        """Return the columns of a link's Jacobian: the joints between it and the world."""
        columns, above = [], link
        while above is not None:
            columns += [above.jindex] if above.isjoint else []
            above = above.parent
        return columns[::-1]

    def _read(self) -> Readback:
        bodies = [
            BodyReadback(
                name=link.name,
                mass=float(link.m),
                com=vector(link.r),
                inertia=matrix(link.I),
                joint=self._carrier(link),
                links=(link.name,),
                rotation=self.turned.get(link.name, IDENTITY),
            )
            for link in self.robot.links
            if link.m or link.isjoint
        ]
        joints = [
            JointReadback(
                name=link._joint_name,  # noqa: SLF001 - no public name
                kind="prismatic" if link.isprismatic else "revolute",
                parent=None if link.parent is None else link.parent.name,
                child=link.name,
                armature=(float(link.Jm),),
                damping=(float(link.B),),
                friction=(float(link.Tc[0]),),
            )
            for link in self.robot.links
            if link.isjoint
        ]
        total = float(sum(link.m for link in self.robot.links))
        gravity = vector(self.robot.gravity)
        return Readback(bodies=tuple(bodies), joints=tuple(joints), gravity=gravity, total_mass=total)

    @staticmethod
    def _carrier(link: Any) -> str | None:
        above = link
        while above is not None and not above.isjoint:
            above = above.parent
        return None if above is None else above._joint_name  # noqa: SLF001 - no public name

    def readback(self) -> Readback:
        return self.held

    def link_poses(self, q: Any) -> Any:
        frames = self.robot.fkine_all(q)
        return [frames[link.number].A[:3] for link in self.links]

    def link_jacobians(self, q: Any) -> Any:
        out = np.zeros((len(self.links), 6, self.robot.n))
        for row, (link, columns) in enumerate(zip(self.links, self.paths, strict=True)):
            if columns:  # a Jacobian has columns for the joints on the way to its link only
                out[row][:, columns] = self.robot.jacob0(q, end=link)
        return out

    def mass_matrix(self, q: Any) -> Any:
        return self.robot.inertia(q)

    def coriolis_matrix(self, q: Any, v: Any) -> Any:
        # A robot of its own: coriolis() copies links, and a copy enters itself among the children of the original's
        # parent (Link.__deepcopy__), so that fkine_all and jacob0 are wrong afterwards.
        if self.spare is None:
            self.spare = self._loaded()
            self._prepare(self.spare)
        return self.spare.coriolis(q, v)

    def coriolis_force(self, q: Any, v: Any) -> Any:
        return self.robot.rne(q, v, np.zeros_like(v), gravity=WEIGHTLESS)

    def bias_force(self, q: Any, v: Any) -> Any:
        return self.robot.rne(q, v, np.zeros_like(v))

    def gravity_vector(self, q: Any) -> Any:
        return self.robot.gravload(q)

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        return self.robot.rne(q, v, a)

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        return self.robot.accel(q, v, tau)
