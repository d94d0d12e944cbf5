"""What `conventions` must know of the robot: joints and links in file order, as plain values.

The harness fills it from the mechanism, so that the SDK does not import the model.
"""

from __future__ import annotations

from dataclasses import dataclass

from robodyn_check.sdk.readback import IDENTITY, Matrix, Vector

#: (nq, nv) of each kind of moving joint in canonical coordinates.
SIZES: dict[str, tuple[int, int]] = {
    "revolute": (1, 1),
    "continuous": (1, 1),
    "prismatic": (1, 1),
    "planar": (3, 3),
    "ball": (4, 3),
    "floating": (7, 6),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CanonicalJoint:
    """One moving joint: its first index in q and in v.

    ``axis`` (unit, joint frame) is read for planar joints only. ``mimic`` is (master joint, multiplier).
    """

    name: str
    kind: str
    q: int
    v: int
    axis: Vector | None = None
    mimic: tuple[str, float] | None = None

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return SIZES[self.kind][0]

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return SIZES[self.kind][1]


@dataclass(frozen=True, slots=True, kw_only=True)
class CanonicalLink:
    """One link: the moving joint whose body carries it (None: the world), and its placement in that body's frame."""

    name: str
    joint: str | None
    rotation: Matrix = IDENTITY
    translation: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Canonical:
    """All moving joints and all links, in file order."""

    joints: tuple[CanonicalJoint, ...]
    links: tuple[CanonicalLink, ...]

    @property
    def nq(self) -> int:
        """Size of canonical q."""
        return sum(joint.nq for joint in self.joints)

    @property
    def nv(self) -> int:
        """Size of canonical v."""
        return sum(joint.nv for joint in self.joints)


def line_up(joints: tuple[tuple[str, str], ...], links: tuple[CanonicalLink, ...]) -> Canonical:
    """Return the Canonical of joints (name, kind) whose coordinates follow each other in this order."""
    lined: list[CanonicalJoint] = []
    q = v = 0
    for name, kind in joints:
        lined.append(CanonicalJoint(name=name, kind=kind, q=q, v=v))
        q, v = q + SIZES[kind][0], v + SIZES[kind][1]
    return Canonical(joints=tuple(lined), links=links)
