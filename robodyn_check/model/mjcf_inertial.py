"""The ``<inertial>`` of a body: mass, centre of mass, and its inertia in either of MJCF's two spellings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.model.mjcf_rotations import inside
from robodyn_check.model.mjcf_schema import ROTATIONS
from robodyn_check.model.mjcf_values import BAD, ZERO, check_attributes, number, numbers, pose, vector
from robodyn_check.model.quote import quoted
from robodyn_check.model.robot import Inertial

if TYPE_CHECKING:
    from robodyn_check.model.mjcf_node import Node
    from robodyn_check.model.mjcf_settings import Settings
    from robodyn_check.model.robot import Number, Pose


def read_inertial(node: Node, frames: tuple[Pose, ...], body: str, settings: Settings) -> Inertial:
    """Read an ``<inertial>``; what is wrong is recorded as faults.

    Args:
        node: The element.
        frames: Frames inside the body around it.
        body: The body's name.
        settings: The file's units and Euler order.
    """
    what = f"the inertial of body {quoted(body)}"
    check_attributes(node, what)
    for name in ("pos", "mass"):
        if node.get(name) is None:
            node.fault(f"{what} has no '{name}'; it is not read as 0", cause="missing-attribute")
    origin = pose(node, what=what, degrees=settings.degrees, eulerseq=settings.eulerseq)
    return Inertial(
        origin=inside(frames, origin),
        mass=number(node, "mass", what=what) or BAD,
        inertia=_inertia(node, what),
        line=node.line(),
    )


def _inertia(node: Node, what: str) -> tuple[Number, Number, Number, Number, Number, Number]:
    """Return xx, xy, xz, yy, yz, zz; MJCF's full inertia is xx, yy, zz, xy, xz, yz; one not stated is zero."""
    if node.get("fullinertia") is None:
        xx, yy, zz = vector(node, "diaginertia", what=what) or (ZERO, ZERO, ZERO)
        return (xx, ZERO, ZERO, yy, ZERO, zz)
    others = [name for name in ("diaginertia", *ROTATIONS) if node.get(name) is not None]
    if others:
        node.fault(
            f"{what} has fullinertia and {' and '.join(others)}, expected fullinertia alone: it is in the body's axes",
            at=others[0],
            cause="several-inertias",
        )
    xx, yy, zz, xy, xz, yz = numbers(node, "fullinertia", what=what, count=6) or (BAD,) * 6
    return (xx, xy, xz, yy, yz, zz)
