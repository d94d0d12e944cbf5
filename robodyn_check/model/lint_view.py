"""What rules of the lint look at: the robot, who moves whom, and the bodies that moving joints carry.

A *body* is all links that one moving joint carries, fixed joints merged. Everything here is a loop over a list, since
chains of thousands of links are legal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from robodyn_check.model.lint_numbers import (
    EPS,
    IDENTITY,
    Matrix,
    Vector,
    apply,
    compose,
    dot,
    rotated,
    rotation_matrix,
    symmetric,
    vector,
)

if TYPE_CHECKING:
    from robodyn_check.model.robot import Inertial, Joint, Link, RobotModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one rule says about one place. ``note``: nothing is wrong, but worth knowing.

    ``what`` is the fact with its value, ``why`` why it matters, ``advice`` what to do.
    """

    code: str
    verdict: Literal["fail", "warn", "note"]
    line: int | None
    element: str | None
    what: str
    why: str
    advice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LumpedBody:
    """Mass, first moment and inertia about the joint's origin of one body, in the axes of its joint.

    ``size`` is the sum of the absolute values that went into ``inertia``: what rounding is measured against.
    """

    mass: float = 0.0
    moment: Vector = (0.0, 0.0, 0.0)
    inertia: Matrix = ((0.0, 0.0, 0.0),) * 3
    size: float = 0.0

    @property
    def is_empty(self) -> bool:
        """True when nothing in it has a mass or an inertia."""
        return self.mass == 0 and self.size == 0

    def about(self, axis: Vector) -> float:
        """Inertia about an axis through the joint's origin; 0 where only rounding is left."""
        value = dot(axis, apply(self.inertia, axis))
        return 0.0 if abs(value) <= 64 * EPS * self.size else value

    def central(self) -> Matrix:
        """Inertia about the centre of mass."""
        x, y, z = (component / self.mass for component in self.moment) if self.mass else (0.0, 0.0, 0.0)
        return _sum(self.inertia, _steiner(self.mass, x, y, z), -1.0)


@dataclass(slots=True, kw_only=True)
class LintView:
    """One robot, prepared for rules. Bodies are indexed by the joint that carries them."""

    robot: RobotModel
    links: dict[str, Link]
    carrier: dict[str, int | None] = field(default_factory=dict)  # link -> index of the joint that carries it
    upper: dict[int, int | None] = field(default_factory=dict)  # joint -> the joint before it
    below: dict[int, list[int]] = field(default_factory=dict)  # joint -> the joints behind it
    bodies: dict[int, LumpedBody] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)  # moving joints, from the root outwards
    walk: list[tuple[str, str | None, float]] = field(default_factory=list)  # link, its parent, distance of origins (m)

    def moves(self, link: str) -> bool:
        """Tell whether some joint moves this link."""
        return self.carrier.get(link) is not None

    def joint(self, index: int) -> Joint:
        """Return a joint."""
        return self.robot.joints[index]


def make_view(robot: RobotModel) -> LintView:
    """Walk the tree once, from its roots outwards."""
    view = LintView(robot=robot, links={link.name: link for link in robot.links})
    leaving: dict[str | None, list[int]] = {}
    for index, joint in enumerate(robot.joints):
        if joint.parent != joint.child:
            leaving.setdefault(joint.parent, []).append(index)
    more: dict[str, list[int]] = {}  # the second and later joints of one MJCF body
    for index, joint in enumerate(robot.joints):
        if joint.parent == joint.child:
            more.setdefault(joint.child, []).append(index)
    waiting: list[tuple[str | None, int | None, Matrix, Vector]] = [
        (name, None, IDENTITY, (0.0, 0.0, 0.0)) for name in (None, *robot.root_links())
    ]
    while waiting:
        name, carrier, rot, p = waiting.pop()
        if name is not None:
            view.carrier[name] = carrier
            _add_link(view, name, carrier, rot, p)
        for index in leaving.get(name, ()):
            child = robot.joints[index].child
            state = (carrier, rot, p)
            distance = 0.0
            for step in (index, *more.get(child, ())):
                state = _behind(view, step, *state)
                distance += sum(math.hypot(*vector(pose.xyz)) for pose in view.joint(step).placements)
            view.walk.append((child, name, distance))
            waiting.append((child, *state))
    return view


def _behind(
    view: LintView, index: int, carrier: int | None, rot: Matrix, p: Vector
) -> tuple[int | None, Matrix, Vector]:
    """Return who carries what is behind a joint, and its placement in that carrier's frame."""
    joint = view.joint(index)
    if joint.kind == "fixed":
        for pose in joint.placements:
            rot, p = compose(rot, p, pose)
        return (carrier, *compose(rot, p, joint.child_placement))
    view.upper[index] = carrier
    view.below[index] = []
    view.bodies[index] = LumpedBody()
    view.order.append(index)
    if carrier is not None:
        view.below[carrier].append(index)
    return (index, *compose(IDENTITY, (0.0, 0.0, 0.0), joint.child_placement))


def _add_link(view: LintView, name: str, carrier: int | None, rot: Matrix, p: Vector) -> None:
    link = view.links.get(name)
    if carrier is None or link is None or link.inertial is None:
        return
    body, inertial = view.bodies[carrier], link.inertial
    m = inertial.mass.value
    rot_com, (x, y, z) = compose(rot, p, inertial.origin)
    about_com = rotated(rot_com, tensor(inertial))
    a, b, c = body.moment
    view.bodies[carrier] = LumpedBody(
        mass=body.mass + m,
        moment=(a + m * x, b + m * y, c + m * z),
        inertia=_sum(_sum(body.inertia, about_com, 1.0), _steiner(m, x, y, z), 1.0),
        size=body.size + _size(tensor(inertial)) + abs(m) * (x * x + y * y + z * z),
    )


def tensor(inertial: Inertial) -> Matrix:
    """Return the inertia about the centre of mass, in the axes of its origin, kg m²."""
    return symmetric(*(number.value for number in inertial.inertia))


def center_of_mass(inertial: Inertial) -> Vector:
    """Return the centre of mass in the link's frame, m."""
    return vector(inertial.origin.xyz)


def inertia_axes(inertial: Inertial) -> Matrix:
    """Return the rotation from the inertial's axes to the link's."""
    return rotation_matrix(inertial.origin.rotation)


def _steiner(m: float, x: float, y: float, z: float) -> Matrix:
    """Inertia of a point mass about the origin (the parallel-axis term)."""
    return symmetric(m * (y * y + z * z), -m * x * y, -m * x * z, m * (x * x + z * z), -m * y * z, m * (x * x + y * y))


def _sum(left: Matrix, right: Matrix, factor: float) -> Matrix:
    (a, b, c), (d, e, f), (g, h, i) = (
        [x + factor * y for x, y in zip(row, other, strict=True)] for row, other in zip(left, right, strict=True)
    )
    return ((a, b, c), (d, e, f), (g, h, i))


def _size(matrix: Matrix) -> float:
    return sum(abs(entry) for row in matrix for entry in row)
