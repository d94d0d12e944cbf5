"""Small robots written by hand, for closed forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robodyn_check.model.build import build_mechanism
from robodyn_check.model.robot import Inertial, Joint, Link, Number, Pose, RobotModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.model.mechanism import Mechanism


def number(value: float) -> Number:
    """Return a written number."""
    return Number(text=repr(value), value=value)


def vector(values: Sequence[float]) -> tuple[Number, Number, Number]:
    """Return three written numbers."""
    x, y, z = (number(value) for value in values)
    return x, y, z


def link(name: str, mass: float = 0.0, com: Sequence[float] = (0, 0, 0), moments: Sequence[float] = (0, 0, 0)) -> Link:
    """Return a link with principal moments along its own axes."""
    xx, yy, zz = (number(value) for value in moments)
    zero = number(0.0)
    inertial = Inertial(origin=Pose(xyz=vector(com)), mass=number(mass), inertia=(xx, zero, zero, yy, zero, zz))
    return Link(name=name, line=None, inertial=inertial)


def joint(
    name: str, kind: Any, parent: str | None, child: str, xyz: Sequence[float] = (0, 0, 0), **options: Any
) -> Joint:
    """Return a joint whose axis is ``axis`` (three floats) and whose frame is turned like its parent's."""
    axis = options.pop("axis", None)
    return Joint(
        name=name,
        kind=kind,
        line=None,
        parent=parent,
        child=child,
        placements=options.pop("placements", (Pose(xyz=vector(xyz)),)),
        axis=None if axis is None else vector(axis),
        **options,
    )


def robot(links: Sequence[Link], joints: Sequence[Joint], source_format: Any = "urdf") -> RobotModel:
    """Return a robot."""
    return RobotModel(
        name="robot", format=source_format, path="robot.urdf", sha256="", links=tuple(links), joints=tuple(joints)
    )


def chain(*parts: tuple[str, Sequence[float], Sequence[float], Link], **options: Any) -> Mechanism:
    """Return a serial chain: per joint its kind, axis, origin in the parent, and the link that it moves."""
    links = [link("base"), *(part[3] for part in parts)]
    joints = [
        joint(f"j{k}", kind, links[k].name, moved.name, xyz, axis=axis)
        for k, (kind, axis, xyz, moved) in enumerate(parts)
    ]
    return build_mechanism(robot(links, joints), **options)


def pendulum_chain(count: int, length: float = 0.05) -> RobotModel:
    """Return a long chain of equal links with axes that alternate between x and y."""
    links = [link("l0")] + [link(f"l{k + 1}", 0.1, (0, 0, length / 2), (1e-4, 1e-4, 1e-5)) for k in range(count)]
    axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    joints = [
        joint(f"j{k}", "revolute", f"l{k}", f"l{k + 1}", (0, 0, length if k else 0.0), axis=axes[k % 2])
        for k in range(count)
    ]
    return robot(links, joints)
