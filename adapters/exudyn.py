# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "exudyn>=1.9"]
# ///
"""Exudyn: a kinematic tree of minimal coordinates, made from the robot's moving bodies (axes along z)."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source
from robodyn_check.sdk.bodies import moving_bodies, world_links
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.limits import refuse
from robodyn_check.sdk.readback import BodyReadback, Readback, matrix, vector

ROOT = -1  # Exudyn's number for "no parent"


class Exudyn(Adapter):
    """M and C v + g are those of the assembled system, as its solver asks for them."""

    name = "exudyn"
    library = "exudyn"
    homepage = "https://github.com/jgerstmayr/EXUDYN"
    formats = ("urdf", "mjcf")
    cost = 100.0
    needs_mechanism = True
    profiles: ClassVar[dict[str, str]] = {"": "moving bodies with the links that each joint carries merged"}
    limits: ClassVar[dict[str, str]] = {
        "floating_base": "robots with a fixed base only",
        "joint_kind": "revolute, continuous and prismatic joints only",
        "no_joints": "needs at least one moving joint",
        "armature": "a tree of links, without rotors",
    }

    def version(self) -> str:
        import exudyn  # noqa: F401 - is it there?

        return version("exudyn")

    def load(self, source: Source) -> Layout:
        import exudyn
        from exudyn.robotics import Robot, RobotLink

        refuse(self.limits, source)
        assert source.mechanism is not None, "the adapter declares needs_mechanism"
        bodies = moving_bodies(source.mechanism)
        numbers = {body.joint: number for number, body in enumerate(bodies)}
        self.robot = Robot(gravity=list(source.gravity))
        for body in bodies:
            kind = "Pz" if body.kind == "prismatic" else "Rz"
            parent = ROOT if body.parent is None else numbers[body.parent]
            link = RobotLink(body.mass, body.com, body.inertia, preHT=body.placement, jointType=kind, parent=parent)
            self.robot.AddLink(link)
        self.container = exudyn.SystemContainer()
        self.system = self.container.AddSystem()
        node = self.robot.CreateKinematicTree(self.system)["nodeGeneric"]
        self.system.Assemble()
        self.node, self.exudyn = node, exudyn
        self.solver, self.settings = exudyn.MainSolverImplicitSecondOrder(), exudyn.SimulationSettings()
        self.settings.displayComputationTime = False
        self.settings.solutionSettings.writeSolutionToFile = False
        self.solver.InitializeSolver(self.system, self.settings)
        placed = [(name, ROOT, place) for name, place in world_links(source.mechanism)]
        placed += [(name, numbers[body.joint], place) for body in bodies for name, place in body.links]
        self.placed, self.bodies = placed, bodies
        joints = tuple(JointLayout(name=body.joint, q=(k,), v=(k,)) for k, body in enumerate(bodies))
        links, n = tuple(name for name, _, _ in placed), len(bodies)
        return Layout(joints=joints, links=links, nq=n, nv=n, notes=("translated",))

    def readback(self) -> Readback:
        held = [self.robot.GetLink(number) for number in range(len(self.bodies))]
        return Readback(
            bodies=tuple(
                BodyReadback(
                    name=body.joint,
                    mass=float(link.mass),
                    com=vector(link.COM),
                    inertia=matrix(link.inertia),
                    joint=body.joint,
                    rotation=matrix(body.rotation),
                )
                for body, link in zip(self.bodies, held, strict=True)
            )
        )

    def _set(self, q: Any, v: Any) -> None:
        self.system.systemData.SetODE2Coordinates(q)
        self.system.systemData.SetODE2Coordinates_t(v)

    def link_poses(self, q: Any) -> Any:
        frames = [np.eye(4)] if not self.placed else self.robot.JointHT(q)
        return [(place if number == ROOT else frames[number] @ place)[:3] for _, number, place in self.placed]

    def mass_matrix(self, q: Any) -> Any:
        self._set(q, np.zeros(len(q)))
        self.solver.ComputeMassMatrix(self.system)
        return self.solver.GetSystemMassMatrix()

    def bias_force(self, q: Any, v: Any) -> Any:
        self._set(q, v)
        self.solver.ComputeODE2RHS(self.system)
        return -np.array(self.solver.GetSystemResidual())[: len(q)]  # a right-hand side there

    def gravity_vector(self, q: Any) -> Any:
        return self.bias_force(q, np.zeros(len(q)))
