"""The mechanism: one robot as arrays, fixed joints merged, ready for the algorithms.

`build_mechanism` (model/build.py) makes it from a RobotModel. All arrays hold doubles, or objects of any number type
that NumPy's arithmetic, ``sin``, ``cos`` and ``sqrt`` work on (python-flint ``arb``); nothing here names a dtype.

Frames. A *body* is what one moving joint moves. The body frame is that joint's frame after motion, so it sits at the
joint's anchor; link frames are constant in it. Bodies are in topological order (parent[b] < b; -1 is the world).
Joints, and with them q and v, are in file order, a floating base first.

Coordinates (design page, section 4): revolute, continuous, prismatic: one number. Planar: (x, y, angle) in the plane
whose axes come from the smallest rotation that takes z to the axis (axis = -z: half a turn about x), v = q̇. Ball:
quaternion xyzw, angular velocity in the child frame. Floating: [p, quaternion xyzw], v = [linear; angular] of the
child's origin in the child frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[Any]
    Indices = npt.NDArray[np.intp]

MovingKind = Literal["revolute", "continuous", "prismatic", "planar", "floating", "ball"]
#: (nq, nv) of each kind.
JOINT_SIZES: dict[str, tuple[int, int]] = {
    "revolute": (1, 1),
    "continuous": (1, 1),
    "prismatic": (1, 1),
    "planar": (3, 3),
    "ball": (4, 3),
    "floating": (7, 6),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MovingJoint:
    """One joint that moves, in canonical coordinates.

    ``lower`` and ``upper`` have one entry per coordinate of q (infinite: unlimited). ``mimic`` is
    (master joint name, multiplier, offset) as doubles. ``body`` indexes the body that it moves.
    """

    name: str
    kind: MovingKind
    q: slice
    v: slice
    body: int
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    mimic: tuple[str, float, float] | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mechanism:
    """A tree of bodies; see the module's text for frames and coordinates.

    Sizes: nb bodies, nl links, nq, nv. ``origin`` maps: p_parent = R_tree p_joint + p_tree.
    """

    name: str
    base: Literal["fixed", "floating"]
    joints: tuple[MovingJoint, ...]
    links: tuple[str, ...]
    nq: int
    nv: int

    parent: tuple[int, ...]  #: (nb,) parent body, -1 the world
    body_joint: tuple[int, ...]  #: (nb,) index into joints
    R_tree: Array  #: (3, 3, nb) parent body frame from joint frame, before motion
    p_tree: Array  #: (3, nb) m
    axis: Array  #: (3, nb) unit axis in the joint frame (planar: the plane's normal; ball, floating: zeros)
    mass: Array  #: (nb,) kg, fixed links merged
    first_moment: Array  #: (3, nb) kg m, m c in the body frame
    inertia: Array  #: (3, 3, nb) kg m², about the body frame's origin
    armature: Array  #: (nv,) added to the diagonal of M
    gravity: Array  #: (3,) m/s², world axes
    reference: Array  #: (nq,) subtracted from q before motion (MJCF ref), zero elsewhere

    link_body: tuple[int, ...]  #: (nl,) body that carries the link, -1 the world
    link_R: Array  #: (3, 3, nl) body frame (or world) from link frame
    link_p: Array  #: (3, nl) m
    link_mass: Array  #: (nl,) kg
    link_com: Array  #: (3, nl) m, link frame
    link_inertia: Array  #: (3, 3, nl) kg m², about the centre of mass, link axes
    #: per link, the kinematic path from the world: lengths |xyz| of every joint on it, fixed ones included, and the
    #: index of the moving joint there (or -1): what tolerance.scales sums
    link_path: tuple[tuple[tuple[float, int], ...], ...]

    @property
    def nb(self) -> int:
        """Number of bodies."""
        return len(self.parent)

    @property
    def nl(self) -> int:
        """Number of links."""
        return len(self.links)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the moving joints, in the order of q and v."""
        return tuple(joint.name for joint in self.joints)

    @property
    def dof_names(self) -> tuple[str, ...]:
        """One label per entry of v: the joint's name, with a suffix where it has several (``floating_base[3]``)."""
        return tuple(
            joint.name if joint.v.stop - joint.v.start == 1 else f"{joint.name}[{k}]"
            for joint in self.joints
            for k in range(joint.v.stop - joint.v.start)
        )
