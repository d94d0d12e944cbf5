"""RobotModel -> Mechanism: fixed joints merged, arrays made, parents before children.

Fixed links are merged by the rotated parallel-axis rule, I_body = R I_com Rᵀ + m (|c|² 1 - c cᵀ) (Featherstone (2008),
section 2.13). The work is done in the number type that ``number`` returns: doubles by default, or balls.

Where base is "floating", a URDF's root link gets a free joint `floating_base`, first in q and v; otherwise root links
are welded to the world. In an MJCF the file decides: a free joint keeps its name and its place in file order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from robodyn_check.errors import UsageError
from robodyn_check.model import rotations
from robodyn_check.model.mechanism import JOINT_SIZES, Mechanism, MovingJoint
from robodyn_check.model.placements import Frame, MassProperties, NumberReader, Reader, float_number
from robodyn_check.model.robot import Joint, Number, Pose
from robodyn_check.quantities import FLOATING_BASE, STANDARD_GRAVITY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from robodyn_check.model.robot import RobotModel

    Array = npt.NDArray[Any]

Path = tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Place:
    """Where a link (or the state after one of its joints) is: on a body (-1: the world), at ``frame`` in it."""

    body: int
    frame: Frame
    path: Path


def build_mechanism(
    robot: RobotModel,
    *,
    base: Literal["fixed", "floating"] = "fixed",
    gravity: Sequence[float] | None = None,
    number: NumberReader = float_number,
) -> Mechanism:
    """Build the mechanism of a robot.

    Args:
        robot: The robot as its file states it, free of the faults that reading reports.
        base: For URDF: weld the root link to the world, or move it by `FLOATING_BASE`. MJCF ignores it.
        gravity: m/s², world axes; None: the file's, or else `STANDARD_GRAVITY`.
        number: Turns a written number into a scalar; its type becomes that of every array.

    Raises:
        UsageError: A floating base is asked of a URDF that has not exactly one root link, or names a joint like it.
    """
    read = Reader(number)
    joints = _with_base(robot, base)
    moving = tuple(joint for joint in joints if joint.kind != "fixed")
    order = _topological(joints, robot.root_links() if joints is robot.joints else ())
    index_of = {id(joint): index for index, joint in enumerate(moving)}

    places: dict[str | None, _Place] = {None: _Place(body=-1, frame=read.identity(), path=())}
    for name in robot.root_links():
        places[name] = places[None]
    bodies: list[_Body] = []
    for joint in order:
        parent = places[joint.parent]
        before = parent.frame @ read.frame(*(() if joint.origin_is_absolute else joint.placements))
        after = read.frame(joint.child_placement)
        index = index_of.get(id(joint), -1)
        path = (*parent.path, *_path_of(joint, index))
        if joint.kind == "fixed":
            places[joint.child] = _Place(body=parent.body, frame=before @ after, path=path)
            continue
        places[joint.child] = _Place(body=len(bodies), frame=after, path=path)
        bodies.append(_Body(joint=index, parent=parent.body, frame=before, axis=_axis(read, joint)))

    link_places = [places[link.name] for link in robot.links]
    masses = [read.mass_properties(link.inertial) for link in robot.links]
    merged = _merge(read, link_places, masses, len(bodies))
    moving_joints = _moving_joints(moving, {body.joint: number_ for number_, body in enumerate(bodies)})
    first = next((joint.kind for joint in order if joint.kind != "fixed" and joint.parent is None), None)
    return Mechanism(
        name=robot.name,
        base="floating" if first == "floating" else "fixed",
        joints=moving_joints,
        links=tuple(link.name for link in robot.links),
        nq=moving_joints[-1].q.stop if moving_joints else 0,
        nv=moving_joints[-1].v.stop if moving_joints else 0,
        parent=tuple(body.parent for body in bodies),
        body_joint=tuple(body.joint for body in bodies),
        R_tree=_last((body.frame.R for body in bodies), (3, 3)),
        p_tree=_last((body.frame.p for body in bodies), (3,)),
        axis=_last((body.axis for body in bodies), (3,)),
        mass=_last((body.mass for body in merged), ()),
        first_moment=_last((body.com for body in merged), (3,)),
        inertia=_last((body.inertia for body in merged), (3, 3)),
        armature=_per_coordinate(read, [(joint.armature, JOINT_SIZES[joint.kind][1]) for joint in moving]),
        gravity=read.array(_gravity_numbers(robot, gravity)),
        reference=_per_coordinate(read, [(joint.reference, JOINT_SIZES[joint.kind][0]) for joint in moving]),
        link_body=tuple(place.body for place in link_places),
        link_R=_last((place.frame.R for place in link_places), (3, 3)),
        link_p=_last((place.frame.p for place in link_places), (3,)),
        link_mass=_last((properties.mass for properties in masses), ()),
        link_com=_last((properties.com for properties in masses), (3,)),
        link_inertia=_last((properties.inertia for properties in masses), (3, 3)),
        link_path=tuple(place.path for place in link_places),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Body:
    """One body on its way into the arrays: its joint, its parent body, the joint frame before motion, the axis."""

    joint: int
    parent: int
    frame: Frame
    axis: Array


def _with_base(robot: RobotModel, base: str) -> tuple[Joint, ...]:
    """Return the joints, with the floating base's in front where it is asked for."""
    if robot.format != "urdf" or base == "fixed":
        return robot.joints
    roots = robot.root_links()
    if len(roots) != 1:
        found = ", ".join(repr(root) for root in roots) or "none"
        raise UsageError(
            f"{robot.path}: a floating base needs exactly one root link; found: {found}. Use --base fixed."
        )
    if any(joint.name == FLOATING_BASE and joint.kind != "fixed" for joint in robot.joints):
        raise UsageError(f"{robot.path}: joint {FLOATING_BASE!r} has the name that a floating base gets; rename it.")
    return (Joint(name=FLOATING_BASE, kind="floating", line=None, parent=None, child=roots[0]), *robot.joints)


def _topological(joints: tuple[Joint, ...], roots: tuple[str, ...]) -> list[Joint]:
    """Return the joints parents first, depth first, children in file order; joints of one MJCF body in a row."""
    stacked: dict[str, list[Joint]] = {}
    children: dict[str | None, list[Joint]] = {}
    for joint in joints:
        if joint.parent == joint.child:
            stacked.setdefault(joint.child, []).append(joint)
        else:
            children.setdefault(joint.parent, []).append(joint)
    order: list[Joint] = []
    waiting = [joint for start in (None, *roots) for joint in children.get(start, ())][::-1]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        order.extend(stacked.get(joint.child, ()))
        waiting.extend(reversed(children.get(joint.child, ())))
    return order


def _axis(read: Reader, joint: Joint) -> Array:
    """Return the unit axis in the joint frame; zeros where the kind has none."""
    if joint.axis is None or joint.kind in {"ball", "floating"}:
        return np.array([read.zero] * 3)
    return rotations.unit(read.array(joint.axis))


def _path_of(joint: Joint, index: int) -> Path:
    """Return the lengths (m) that a joint adds to a path; what stands behind the joint is an entry of its own."""

    def length(pose: Pose) -> float:
        return math.hypot(*(float_number(entry) for entry in pose.xyz))

    before = 0.0 if joint.origin_is_absolute else sum(length(pose) for pose in joint.placements)
    if joint.child_placement is None:
        return ((before, index),)
    return ((before, index), (length(joint.child_placement), -1))


def _merge(read: Reader, places: list[_Place], masses: list[MassProperties], count: int) -> list[MassProperties]:
    """Return per body: mass, first moment (in place of the centre of mass) and inertia about the body's origin."""
    zeros = np.array([read.zero] * 3)
    bodies = [MassProperties(mass=read.zero, com=zeros, inertia=np.outer(zeros, zeros)) for _ in range(count)]
    for place, link in zip(places, masses, strict=True):
        if place.body >= 0:
            c = place.frame.R @ link.com + place.frame.p
            about_com = place.frame.R @ link.inertia @ place.frame.R.T
            steiner = np.diag(np.array([c @ c] * 3)) - np.outer(c, c)
            body = bodies[place.body]
            bodies[place.body] = MassProperties(
                mass=body.mass + link.mass,
                com=body.com + link.mass * c,
                inertia=body.inertia + about_com + link.mass * steiner,
            )
    return bodies


def _moving_joints(joints: tuple[Joint, ...], body_of: dict[int, int]) -> tuple[MovingJoint, ...]:
    """Return the moving joints with their slices of q and v, in file order."""
    made: list[MovingJoint] = []
    q = v = 0
    for index, joint in enumerate(joints):
        assert joint.kind != "fixed"
        nq, nv = JOINT_SIZES[joint.kind]
        lower, upper = _limits(joint, nq)
        made.append(
            MovingJoint(
                name=joint.name,
                kind=joint.kind,
                q=slice(q, q + nq),
                v=slice(v, v + nv),
                body=body_of[index],
                lower=lower,
                upper=upper,
                mimic=_mimic(joint),
                line=joint.line,
            )
        )
        q, v = q + nq, v + nv
    return tuple(made)


def _mimic(joint: Joint) -> tuple[str, float, float] | None:
    """Return (master joint, multiplier, offset) in doubles."""
    if joint.mimic is None:
        return None
    return joint.mimic.joint, float_number(joint.mimic.multiplier), float_number(joint.mimic.offset)


def _limits(joint: Joint, nq: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return lower and upper limits per coordinate of q; only revolute and prismatic joints have any."""
    if joint.limits is None or joint.kind not in {"revolute", "prismatic"}:
        return (-math.inf,) * nq, (math.inf,) * nq
    lower, upper = joint.limits.lower, joint.limits.upper
    return (
        (-math.inf if lower is None else float_number(lower),),
        (math.inf if upper is None else float_number(upper),),
    )


def _gravity_numbers(robot: RobotModel, gravity: Sequence[float] | None) -> tuple[Number, ...]:
    """Return gravity as written: the caller's, the file's, or the standard one."""
    if gravity is None and robot.gravity is not None:
        return robot.gravity
    chosen = STANDARD_GRAVITY if gravity is None else gravity
    return tuple(Number(text=repr(float(entry)), value=float(entry)) for entry in chosen)


def _per_coordinate(read: Reader, values: list[tuple[Number | None, int]]) -> Array:
    """Return one entry per coordinate from one value per joint; a value that the file does not state is zero."""
    return np.array(
        [read.zero if value is None else read.number(value) for value, count in values for _ in range(count)]
    )


def _last(arrays: Iterable[Any], shape: tuple[int, ...]) -> Array:
    """Stack arrays along a new last axis; none at all make an empty one of ``shape``."""
    entries = list(arrays)
    return np.stack([np.asarray(entry) for entry in entries], axis=-1) if entries else np.zeros((*shape, 0))
