# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "drake>=1.40"]
# ///
"""Drake's MultibodyPlant: URDF and MJCF by its own parser, in continuous time, without geometry."""

from __future__ import annotations

import logging
from typing import Any, ClassVar

import numpy as np

from robodyn_check.sdk.adapter import Adapter, Source, Unsupported
from robodyn_check.sdk.layout import JointLayout, Layout
from robodyn_check.sdk.readback import BodyReadback, JointReadback, Readback, matrix, numbers, vector

KINDS = {"quaternion_floating": "floating", "ball_rpy": "ball", "weld": "fixed"}


class Drake(Adapter):
    """No Coriolis matrix and no joint-torque regressor: MultibodyPlant offers only C v (CalcBiasTerm) and sums."""

    name = "drake"
    library = "drake"
    homepage = "https://drake.mit.edu"
    formats = ("urdf", "mjcf")
    cost = 25.0
    profiles: ClassVar[dict[str, str]] = {
        "": "the file as it is; joint damping is set to zero after loading",
        "default": "as a first-time user loads it: joint damping acts in the forward dynamics",
    }
    limits: ClassVar[dict[str, str]] = {
        "world_link": "a root link named 'world' is Drake's own world body, which does not float",
    }
    # Rotors (drake:rotor_inertia, drake:gear_ratio) are read too, and left out here on purpose: who compares Drake with
    # others wants to see the difference that they make, named and with its line, as a difference.
    reads_extensions = ("drake:damping", "drake:planar")

    def version(self) -> str:
        from importlib.metadata import version

        import pydrake.multibody.plant  # noqa: F401 - the import belongs to the start, not to the first load

        return version("drake")

    def load(self, source: Source) -> Layout:
        from pydrake.multibody.parsing import Parser
        from pydrake.multibody.plant import MultibodyPlant

        if source.format == "urdf" and source.base == "floating" and source.root_link == "world":
            raise Unsupported("world_link", self.limits["world_link"])
        self.source, self.warnings = source, _Warnings()
        logger = logging.getLogger("drake")  # where pydrake sends the parser's warnings
        logger.addHandler(self.warnings)
        try:
            plant: Any = MultibodyPlant(time_step=0.0)
            parser: Any = Parser(plant)
            self.plant = plant
            if source.format == "urdf" and source.path.suffix != ".urdf":  # the parser goes by the suffix
                instances = parser.AddModelsFromString(source.path.read_text(encoding="utf-8"), "urdf")
            else:
                instances = parser.AddModels(str(source.path))
            self.instances = [*instances]
            if source.format == "urdf" and source.base == "fixed" and source.root_link != "world":
                plant.WeldFrames(plant.world_frame(), plant.GetFrameByName(source.root_link, instances[0]))
            self.loaded_gravity = vector(plant.gravity_field().gravity_vector())
            plant.mutable_gravity_field().set_gravity_vector(source.gravity)
            self.constraints = plant.num_constraints()
            joints = [plant.get_joint(index) for index in plant.GetJointIndices()]
            self.damping = {joint.name(): numbers(joint.default_damping_vector()) for joint in joints}
            if source.profile != "default":
                for joint in joints:
                    joint.set_default_damping_vector(np.zeros(joint.num_velocities()))
                # Mimic joints became coupler constraints, with which continuous time refuses forward dynamics.
                for identifier in plant.GetConstraintIds():
                    plant.RemoveConstraint(identifier)
            plant.Finalize()
        finally:
            logger.removeHandler(self.warnings)
        self.context = plant.CreateDefaultContext()
        return self._layout()

    def _layout(self) -> Layout:
        plant, source = self.plant, self.source
        joints = [plant.get_joint(index) for index in plant.GetJointIndices()]  # with Finalize's own floating joints
        self.moving = self._named([joint for joint in joints if joint.num_velocities()])
        bodies = [plant.get_body(index) for instance in self.instances for index in plant.GetBodyIndices(instance)]
        if "world" in source.links and source.format == "urdf":  # a link of this name is Drake's world itself
            bodies.insert(0, plant.world_body())
        if source.format == "mjcf" and len(bodies) == len(source.links):  # the order names unnamed ones
            self.bodies, links = bodies, source.links
        else:
            self.bodies = [body for body in bodies if body.name() in source.links]
            links = tuple(body.name() for body in self.bodies)
        self.link_names = dict(zip((int(body.index()) for body in self.bodies), links, strict=True))
        what = "left out" if source.profile != "default" else "kept"
        notes = (f"{self.constraints} coupling constraints {what}",) if self.constraints else ()
        return Layout(
            joints=tuple(_joint_layout(name, joint) for name, joint in self.moving),
            links=links,
            nq=plant.num_positions(),
            nv=plant.num_velocities(),
            jacobian_rows="angular_linear",
            notes=notes,
        )

    def _named(self, joints: list[Any]) -> list[tuple[str, Any]]:
        """Return (the file's name, joint): Drake calls free and unnamed joints by their bodies; order tells."""
        source = self.source
        free = [joint.name() for joint in joints if joint.type_name() == "quaternion_floating"]
        other = [joint.name() for joint in joints if joint.name() not in free]
        names = dict(zip(free, source.free_joints, strict=False))
        wanted = [name for name in source.joints if name not in source.free_joints]
        if source.format == "mjcf" and len(other) == len(wanted) and not set(other) <= set(wanted):
            names |= dict(zip(other, wanted, strict=True))
        return [(names.get(joint.name(), joint.name()), joint) for joint in joints]

    def readback(self) -> Readback:
        plant = self.plant
        joints = [plant.get_joint(index) for index in plant.GetJointIndices()]
        inboard = {int(joint.child_body().index()): joint for joint in joints}
        names = {int(joint.index()): name for name, joint in self.moving}
        bodies, carriers = [], self._carriers(inboard)
        for body in self.bodies:
            if body.index() == plant.world_body().index():
                continue
            joint, pose = carriers[int(body.index())]
            inertia = body.default_spatial_inertia()
            about_com = inertia.Shift(inertia.get_com()).CalcRotationalInertia() if inertia.get_mass() else None
            tensor = np.zeros((3, 3)) if about_com is None else about_com.CopyToFullMatrix3()
            bodies.append(
                BodyReadback(
                    name=self.link_names[int(body.index())],
                    mass=inertia.get_mass(),
                    com=vector(inertia.get_com()),
                    inertia=matrix(tensor),
                    joint=None if joint is None else names[int(joint.index())],
                    links=(self.link_names[int(body.index())],),
                    rotation=matrix(pose.rotation().matrix()),
                    translation=vector(pose.translation()),
                )
            )
        rotors = {}
        for index in plant.GetJointActuatorIndices():
            actuator = plant.get_joint_actuator(index)
            rotors[actuator.joint().name()] = actuator.default_gear_ratio() ** 2 * actuator.default_rotor_inertia()
        return Readback(
            bodies=tuple(bodies),
            joints=tuple(self._joint(names.get(int(one.index()), one.name()), one, rotors) for one in joints),
            gravity=self.loaded_gravity,
            total_mass=float(sum(body.mass for body in bodies)),
            warnings=tuple(self.warnings.texts),
        )

    def _carriers(self, inboard: dict[int, Any]) -> dict[int, tuple[Any, Any]]:
        """Return the moving joint that carries each body (None: the world) and the body's pose in its frame."""
        from pydrake.math import RigidTransform

        plant = self.plant
        known: dict[int, tuple[Any, Any]] = {int(plant.world_body().index()): (None, RigidTransform())}
        for body in self.bodies:
            chain, at = [], int(body.index())  # up to what is known, then down again: chains may be thousands long
            while at not in known and at in inboard and not inboard[at].num_velocities():
                chain.append(at)
                at = int(inboard[at].parent_body().index())
            if at not in known:
                joint = inboard.get(at)
                placed = joint.frame_on_child().GetFixedPoseInBodyFrame().inverse() if joint else RigidTransform()
                known[at] = joint, placed
            for link in reversed(chain):
                weld = inboard[link]
                carrier, pose = known[int(weld.parent_body().index())]
                step = weld.frame_on_parent().GetFixedPoseInBodyFrame() @ weld.X_FM()
                known[link] = carrier, pose @ step @ weld.frame_on_child().GetFixedPoseInBodyFrame().inverse()
        return known

    def _joint(self, name: str, joint: Any, rotors: dict[str, float]) -> JointReadback:
        kind = joint.type_name()
        placement = joint.frame_on_parent().GetFixedPoseInBodyFrame()
        axes = {"revolute": "revolute_axis", "prismatic": "translation_axis"}
        axis = vector(getattr(joint, axes[kind])()) if kind in axes else None
        world = self.plant.world_body().index()
        damping = self.damping.get(joint.name(), (0.0,) * joint.num_velocities())
        return JointReadback(
            name=name,
            kind=KINDS.get(kind, kind),
            parent=None if joint.parent_body().index() == world else self._link(joint.parent_body()),
            child=self._link(joint.child_body()),
            rotation=matrix(placement.rotation().matrix()),
            translation=vector(placement.translation()),
            axis=axis,
            armature=(rotors.get(joint.name(), 0.0),) if joint.num_velocities() == 1 else None,
            damping=damping,
        )

    def _link(self, body: Any) -> str:
        return str(self.link_names.get(int(body.index()), body.name()))

    def _set(self, q: Any, v: Any = None) -> None:
        self.plant.SetPositions(self.context, q)
        self.plant.SetVelocities(self.context, np.zeros(self.plant.num_velocities()) if v is None else v)

    def link_poses(self, q: Any) -> Any:
        self._set(q)
        return [self.plant.EvalBodyPoseInWorld(self.context, body).GetAsMatrix34() for body in self.bodies]

    def link_jacobians(self, q: Any) -> Any:
        from pydrake.multibody.tree import JacobianWrtVariable

        self._set(q)
        W, kind = self.plant.world_frame(), JacobianWrtVariable.kV
        calculate = self.plant.CalcJacobianSpatialVelocity
        return [calculate(self.context, kind, body.body_frame(), np.zeros(3), W, W) for body in self.bodies]

    def mass_matrix(self, q: Any) -> Any:
        self._set(q)
        return self.plant.CalcMassMatrix(self.context)

    def coriolis_force(self, q: Any, v: Any) -> Any:
        self._set(q, v)
        return self.plant.CalcBiasTerm(self.context)  # has no gravity in it

    def gravity_vector(self, q: Any) -> Any:
        self._set(q)
        return -self.plant.CalcGravityGeneralizedForces(self.context)  # a right-hand side there

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        from pydrake.multibody.tree import MultibodyForces

        self._set(q, v)
        forces = MultibodyForces(self.plant)
        forces.mutable_generalized_forces()[:] = self.plant.CalcGravityGeneralizedForces(self.context)
        return self.plant.CalcInverseDynamics(self.context, a, forces)

    def forward_dynamics(self, q: Any, v: Any, tau: Any) -> Any:
        self._set(q, v)
        self.plant.get_applied_generalized_force_input_port().FixValue(self.context, tau)
        return self.plant.get_generalized_acceleration_output_port().Eval(self.context)

    def kinetic_energy(self, q: Any, v: Any) -> Any:
        self._set(q, v)
        return self.plant.EvalKineticEnergy(self.context)

    def potential_energy(self, q: Any) -> Any:
        self._set(q)
        return self.plant.EvalPotentialEnergy(self.context)


class _Warnings(logging.Handler):
    """Keeps what the parser warns of, such as an inertia that it replaces."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(" ".join(record.getMessage().split()))


def _joint_layout(name: str, joint: Any) -> JointLayout:
    q = tuple(range(joint.position_start(), joint.position_start() + joint.num_positions()))
    v = tuple(range(joint.velocity_start(), joint.velocity_start() + joint.num_velocities()))
    if joint.type_name() == "quaternion_floating":  # quaternion wxyz, position; angular, linear velocity in the world
        q, v = (*q[4:], *q[1:4], q[0]), (*v[3:], *v[:3])
        return JointLayout(name=name, q=q, v=v, form="pose", linear="world", angular="world")
    if joint.type_name() == "ball_rpy":  # roll, pitch, yaw; angular velocity in the parent's frame
        return JointLayout(name=name, q=q, v=v, form="rpy", angular="world")
    return JointLayout(name=name, q=q, v=v, form="x_y_angle" if joint.type_name() == "planar" else "angle")
