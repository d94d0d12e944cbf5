"""How a library orders and spells its coordinates; the SDK's `conventions` converts to canonical ones and back.

An adapter states facts here and does no mathematics. A library that speaks canonical coordinates in file order needs
only ``Layout(joints=(JointLayout(name="j1", q=(0,), v=(0,)), ...), links=(...))``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: How one joint's coordinates are spelled. The numbers in ``JointLayout.q`` are indices into the library's q, listed
#: in the order that the name says.
CoordinateForm = Literal[
    "angle",  # 1: rad or m (revolute, continuous, prismatic)
    "cos_sin",  # 2: cos, sin (continuous)
    "x_y_angle",  # 3: planar
    "x_y_cos_sin",  # 4: planar
    "quaternion",  # 4: x y z w (ball; list the indices in this order, whatever the library's own order is)
    "rpy",  # 3: roll pitch yaw, R = Rz(yaw) Ry(pitch) Rx(roll) (ball)
    "pose",  # 7: px py pz, x y z w (floating; list the indices in this order)
]
#: Frame of the linear part of a floating joint's velocity, and of its angular part. Indices in ``JointLayout.v`` are
#: listed linear x y z, then angular x y z.
Frame = Literal["body", "world"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JointLayout:
    """One moving joint as the library holds it: indices into its q and v, and how they are spelled.

    ``linear`` and ``angular`` are the frames of the velocity: of a floating joint both, of a ball joint ``angular``, of
    a planar joint ``linear``. "body" is the child's frame, "world" the joint frame before motion (for a floating joint
    the world). None is the canonical one: "body" for floating and ball, "world" for planar (v = q̇).
    ``plane_x`` is the planar joint's x axis in the joint frame, where it is not the canonical one (the smallest
    rotation that takes z to the axis, applied to x).
    """

    name: str
    q: tuple[int, ...]
    v: tuple[int, ...]
    form: CoordinateForm = "angle"
    linear: Frame | None = None
    angular: Frame | None = None
    plane_x: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RegressorLayout:
    """Columns of the library's Y: ten per entry of ``bodies``.

    ``bodies``: names of the moving joints whose body each block belongs to (``frame`` "joint": about the joint frame
    after motion, fixed links merged) or of links (``frame`` "link": about the link frame).
    ``order``: the parameter order inside a block, from m mx my mz xx xy xz yy yz zz.
    """

    frame: Literal["joint", "link"]
    bodies: tuple[str, ...]
    order: tuple[str, ...] = ("m", "mx", "my", "mz", "xx", "xy", "xz", "yy", "yz", "zz")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What `Adapter.load` returns: the coordinates of the loaded robot.

    ``joints``: every moving joint that the library has, by the file's names. ``links``: names of the links that poses
    and Jacobians come for, in the order of their first axis (links that the library merged away are missing).
    ``nq``, ``nv``: sizes of the library's q and v. ``jacobian_rows``: order of the two halves of a Jacobian.
    ``reduced``: mimic joints that the library eliminated (they are not in ``joints``).
    ``notes``: remarks for the report ("translated", "2 equality constraints switched off").
    """

    joints: tuple[JointLayout, ...]
    links: tuple[str, ...]
    nq: int
    nv: int
    regressor: RegressorLayout | None = None
    jacobian_rows: Literal["linear_angular", "angular_linear"] = "linear_angular"
    reduced: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
