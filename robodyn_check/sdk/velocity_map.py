"""The map between canonical and a library's coordinates: joints by name, indices, quaternions and velocity frames.

With canonical velocities v' the library's are v = T v', a = T a' + Ṫ v', and tau' = Tᵀ tau. T is a permutation times
small orthogonal blocks (2×2 or 3×3 rotations). The permutation is applied by index moves and costs no rounding; only
the blocks are multiplied. Everything is vectorised over states, the first axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.sdk.canonical import SIZES, Canonical, CanonicalJoint
from robodyn_check.sdk.rotations import cross_matrix, from_angle, from_quaternion, smallest_from_z, to_rpy

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.sdk.layout import JointLayout, Layout

    FloatArray = npt.NDArray[np.float64]

#: form -> (kinds of joint it can spell, numbers in q)
FORMS: dict[str, tuple[tuple[str, ...], int]] = {
    "angle": (("revolute", "continuous", "prismatic"), 1),
    "cos_sin": (("revolute", "continuous"), 2),
    "x_y_angle": (("planar",), 3),
    "x_y_cos_sin": (("planar",), 4),
    "quaternion": (("ball",), 4),
    "rpy": (("ball",), 3),
    "pose": (("floating",), 7),
}


class LayoutMismatch(ValueError):
    """The library's joints are not those of the file; the text names them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """A block of T at a batch of states: v_library[columns] = matrix @ v_canonical[columns].

    ``columns``: indices into the canonical v that the library keeps. ``matrix``, ``rate``: (N, k, k), rate its time
    derivative (zeros when no v was given). ``linear``: the block moves linear velocities, so Ṫ v' is not zero.
    """

    columns: tuple[int, ...]
    matrix: FloatArray
    rate: FloatArray
    linear: bool


def check_joints(layout: Layout, canonical: Canonical) -> None:
    """Compare the library's joints with the file's.

    Raises:
        LayoutMismatch: A joint is missing or unknown, indices are out of range, used twice or too few.
    """
    known = {joint.name: joint for joint in canonical.joints}
    held = [joint.name for joint in layout.joints]
    missing = [name for name in known if name not in held and name not in layout.reduced]
    unknown = [name for name in (*held, *layout.reduced) if name not in known]
    if missing or unknown or len(set(held)) != len(held):
        parts = [f"without {_names(missing)}"] if missing else []
        parts += [f"with {_names(unknown)}, which the file does not have"] if unknown else []
        parts += [] if len(set(held)) == len(held) else ["with a joint twice"]
        message = f"the library holds the robot {' and '.join(parts)}; the file has {_names(list(known))}"
        raise LayoutMismatch(message)
    for joint in layout.joints:
        _check_joint(joint, known[joint.name])
    for symbol, size in (("q", layout.nq), ("v", layout.nv)):
        used = sorted(index for joint in layout.joints for index in getattr(joint, symbol))
        if used != list(range(size)):
            message = f"the layout's indices into {symbol} are {used}, expected each of 0 to {size - 1} once"
            raise LayoutMismatch(message)


def _check_joint(joint: JointLayout, canonical: CanonicalJoint) -> None:
    """Compare one joint's spelling with its kind."""
    kinds, nq = FORMS[joint.form]
    nv = SIZES[canonical.kind][1]
    if canonical.kind not in kinds:
        message = f"joint {joint.name!r} is {canonical.kind} in the file, but the library spells it as {joint.form!r}"
        raise LayoutMismatch(message)
    if len(joint.q) != nq or len(joint.v) != nv:
        message = (
            f"joint {joint.name!r} ({joint.form}) needs {nq} indices into q and {nv} into v, "
            f"got {joint.q} and {joint.v}"
        )
        raise LayoutMismatch(message)


class VelocityMap:
    """T and the map of positions, for one library and one robot."""

    def __init__(self, layout: Layout, canonical: Canonical) -> None:
        """Match joints by name.

        Raises:
            LayoutMismatch: The library's joints are not those of the file.
        """
        check_joints(layout, canonical)
        by_name = {joint.name: joint for joint in layout.joints}
        self.layout = layout
        #: joints that the library keeps, in file order, each with the library's spelling
        self.pairs = [(joint, by_name[joint.name]) for joint in canonical.joints if joint.name in by_name]
        #: canonical indices that the library keeps, and where the library has them
        self.kept = np.array([joint.v + k for joint, _ in self.pairs for k in range(joint.nv)], dtype=np.intp)
        self.place = np.array([index for _, held in self.pairs for index in held.v], dtype=np.intp)
        self._eliminated = _eliminated(layout, canonical)

    def positions(self, q: FloatArray) -> FloatArray:
        """Return the library's q, (N, layout.nq), of canonical q (N, nq)."""
        out = np.empty((len(q), self.layout.nq))
        for joint, held in self.pairs:
            mine = q[:, joint.q : joint.q + joint.nq]
            if held.form == "cos_sin":
                mine = np.concatenate([np.cos(mine), np.sin(mine)], axis=1)
            elif held.form == "rpy":
                mine = to_rpy(mine)
            elif joint.kind == "planar":
                plane = mine[:, :2] if (turn := _plane_turn(joint, held)) is None else mine[:, :2] @ turn.T
                angle = mine[:, 2:]
                angles = [angle] if held.form == "x_y_angle" else [np.cos(angle), np.sin(angle)]
                mine = np.concatenate([plane, *angles], axis=1)
            out[:, held.q] = mine
        return out

    def blocks(self, q: FloatArray, v: FloatArray | None = None) -> list[Block]:
        """Return the blocks of T that are not the identity, with their rates where v (N, nv) is given."""
        blocks: list[Block] = []
        column = 0
        for joint, held in self.pairs:
            mine = np.zeros((len(q), joint.nv)) if v is None else v[:, joint.v : joint.v + joint.nv]
            blocks += _joint_blocks(joint, held, q[:, joint.q : joint.q + joint.nq], mine, column)
            column += joint.nv
        return blocks

    def velocities(self, q: FloatArray, v: FloatArray) -> FloatArray:
        """Return the library's v = T v', (N, layout.nv)."""
        kept = v[:, self.kept]
        for block in self.blocks(q):
            kept[:, block.columns] = _apply(block.matrix, kept[:, block.columns])
        return self._placed(kept)

    def accelerations(self, q: FloatArray, v: FloatArray, a: FloatArray) -> FloatArray:
        """Return the library's a = T a' + Ṫ v', (N, layout.nv)."""
        kept, rates = a[:, self.kept], v[:, self.kept]
        for block in self.blocks(q, v):
            turned = _apply(block.matrix, kept[:, block.columns])
            kept[:, block.columns] = turned + _apply(block.rate, rates[:, block.columns])
        return self._placed(kept)

    def forces(self, q: FloatArray, tau: FloatArray) -> FloatArray:
        """Return the library's tau = T⁻ᵀ tau', (N, layout.nv); an eliminated mimic joint's acts on its master."""
        full = tau
        if self._eliminated:
            full = tau.copy()
            for follower, master, multiplier in self._eliminated:
                full[:, master] += multiplier * full[:, follower]
        kept = full[:, self.kept]
        for block in self.blocks(q):  # T⁻ᵀ = T: the blocks are orthogonal
            kept[:, block.columns] = _apply(block.matrix, kept[:, block.columns])
        return self._placed(kept)

    def _placed(self, kept: FloatArray) -> FloatArray:
        """Move kept canonical components to the library's places."""
        out = np.empty((len(kept), self.layout.nv))
        out[:, self.place] = kept
        return out


def _joint_blocks(joint: CanonicalJoint, held: JointLayout, q: FloatArray, v: FloatArray, column: int) -> list[Block]:
    """Return one joint's blocks; ``column`` is its first kept index."""
    if joint.kind == "planar":
        return _planar_blocks(joint, held, q, v, column)
    if joint.kind == "ball" and held.angular == "world":
        rotation = from_quaternion(q)
        return [
            Block(
                columns=(column, column + 1, column + 2), matrix=rotation, rate=rotation @ cross_matrix(v), linear=False
            )
        ]
    blocks: list[Block] = []
    if joint.kind == "floating" and "world" in {held.linear, held.angular}:
        rotation = from_quaternion(q[:, 3:])
        rate = rotation @ cross_matrix(v[:, 3:])  # d/dt R = R [ω]×, ω in the body
        for offset, frame in ((0, held.linear), (3, held.angular)):
            if frame == "world":
                columns = tuple(range(column + offset, column + offset + 3))
                blocks.append(Block(columns=columns, matrix=rotation, rate=rate, linear=offset == 0))
    return blocks


def _planar_blocks(joint: CanonicalJoint, held: JointLayout, q: FloatArray, v: FloatArray, column: int) -> list[Block]:
    """Return a planar joint's block: its own in-plane axes, and the child's frame where the library uses that."""
    turn = _plane_turn(joint, held)
    if turn is None and held.linear != "body":
        return []
    constant = np.broadcast_to(np.eye(2) if turn is None else turn, (len(q), 2, 2))
    columns = (column, column + 1)
    if held.linear != "body":
        return [Block(columns=columns, matrix=constant, rate=np.zeros_like(constant), linear=False)]
    matrix = from_angle(-q[:, 2]) @ constant
    quarter = np.array([[0.0, 1.0], [-1.0, 0.0]])  # d/dt R(-θ) = θ̇ R(-θ) R(-π/2)
    return [Block(columns=columns, matrix=matrix, rate=v[:, 2, None, None] * (quarter @ matrix), linear=True)]


def _plane_turn(joint: CanonicalJoint, held: JointLayout) -> FloatArray | None:
    """Return the 2×2 rotation from canonical to the library's in-plane axes, None where they are the same."""
    if held.plane_x is None:
        return None
    axis = np.array(joint.axis if joint.axis is not None else (0.0, 0.0, 1.0))
    canonical_axes = smallest_from_z(axis)[:, :2]  # columns: x and y of the plane, in the joint frame
    plane_x = np.array(held.plane_x)
    turn = np.stack([plane_x, np.cross(axis, plane_x)]) @ canonical_axes
    return None if np.array_equal(turn, np.eye(2)) else turn


def _eliminated(layout: Layout, canonical: Canonical) -> list[tuple[int, int, float]]:
    """Return (follower, master, multiplier) in v for the eliminated mimic joints, followers of followers first."""
    joints = {joint.name: joint for joint in canonical.joints}
    waiting = [joints[name] for name in layout.reduced]
    ordered: list[tuple[int, int, float]] = []
    while waiting:
        masters = {joint.mimic[0] for joint in waiting if joint.mimic}
        ready = [joint for joint in waiting if joint.name not in masters]
        if not ready or any(joint.mimic is None for joint in ready):
            names = _names([joint.name for joint in waiting])
            message = f"the library eliminated {names}, which the file does not couple to another joint"
            raise LayoutMismatch(message)
        ordered += [(joint.v, joints[joint.mimic[0]].v, joint.mimic[1]) for joint in ready if joint.mimic]
        waiting = [joint for joint in waiting if joint not in ready]
    return ordered


def _apply(matrix: FloatArray, vector: FloatArray) -> FloatArray:
    """Multiply (N, k, k) by (N, k)."""
    product: FloatArray = np.einsum("nij,nj->ni", matrix, vector)
    return product


def _names(names: list[str]) -> str:
    """List joints for a message, at most eight."""
    shown = ", ".join(repr(name) for name in names[:8])
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"joint{'s' if len(names) != 1 else ''} {shown}{more}" if names else "no moving joint"
