"""Lengths at given states: how far every link and every axis lies from the world's origin, along the path.

Lengths along the path, not distances: a library that works in the world frame adds the steps one by one and rounds at
each, and the sum of |steps| does not shrink when the arm happens to fold back. That makes the scales rotation
invariant, and the same for every library.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.tolerance.paths import TRANSLATIONS, FloatArray, Paths

if TYPE_CHECKING:
    from robodyn_check.model.mechanism import Mechanism


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reach:
    """Path lengths of N states, all in m.

    path: (N, nl) world to link origin (d0). end: (N, nl) the same plus |centre of mass|.
    origin: (N, nv) world to the coordinate's axis before its own rotation (org).
    mean: (N,) mass-weighted mean of ``end`` (rb), over the links that move or over all, whichever is longer: a library
    that sums about the centre of mass of a tree may count the links that stand still in it.
    lever: (N, nv) c_i, where the reach of coordinate i to link l is a_il = r_i end_l + c_i: origin + 2 mean for an
    angle, 1 for a translation.
    """

    path: FloatArray
    end: FloatArray
    origin: FloatArray
    mean: FloatArray
    lever: FloatArray


def travel(mechanism: Mechanism, q: FloatArray) -> FloatArray:
    """Return how far each joint's own translation carries: |q| of a slide, |p| of a free joint.

    Args:
        mechanism: The robot.
        q: Joint positions, (N, nq).

    Returns:
        (N, nj) m; the zero of a coordinate (MJCF ``ref``) counts, because it is subtracted before the motion.
    """
    reference = np.abs(np.asarray(mechanism.reference, dtype=np.float64))
    columns = np.zeros((q.shape[0], len(mechanism.joints)))
    for number, joint in enumerate(mechanism.joints):
        part = slice(joint.q.start, joint.q.start + TRANSLATIONS[joint.kind])
        columns[:, number] = np.linalg.norm(np.abs(q[:, part]) + reference[part], axis=1)
    return columns


def reach(tree: Paths, travelled: FloatArray) -> Reach:
    """Add up the paths.

    Args:
        tree: The constant part.
        travelled: What `travel` returned, (N, nj) m.

    Returns:
        The lengths at the N states.
    """
    path = (tree.length + travelled @ tree.link_travel.T) * tree.depth  # (N, nl)
    end = path + tree.com * tree.depth
    origin = (tree.origin_length + travelled @ tree.origin_travel.T) * tree.origin_depth  # (N, nv)
    moving = tree.mass * (tree.on.any(axis=1) if tree.on.size else np.zeros(len(tree.mass)))
    mean = np.maximum(_mean(end, moving), _mean(end, tree.mass))
    lever = np.where(tree.angular > 0, origin + 2.0 * mean[:, None], 1.0)
    return Reach(path=path, end=end, origin=origin, mean=mean, lever=lever)


def _mean(end: FloatArray, mass: FloatArray) -> FloatArray:
    """Return the mean of ``end`` weighted by mass, (N,); 0 where there is no mass."""
    total = mass.sum()
    weighted: FloatArray = end @ mass / total if total > 0.0 else np.zeros(len(end))
    return weighted


def from_joints(tree: Paths, lengths: Reach) -> Reach:
    """Return the lengths measured from each axis: the reach becomes end - origin, what a body-frame recursion sees."""
    origin = -lengths.origin
    return Reach(
        path=lengths.path,
        end=lengths.end,
        origin=origin,
        mean=np.zeros_like(lengths.mean),
        lever=np.where(tree.angular > 0, origin, 1.0),
    )


def derivative_step(lengths: Reach) -> FloatArray:
    """Return the step h for central differences along a translation: L, the longest path to a centre of mass.

    M is quadratic in a translation, so the difference has no truncation error whatever h is, and h = L balances the
    rounding of M(q ± h) against the division. The power of two below L makes the division exact.

    Returns:
        (N,) m; 1 where the robot has no length at all.
    """
    longest = lengths.end.max(axis=1, initial=0.0)
    _, exponent = np.frexp(np.where(longest > 0.0, longest, 1.0))
    step: FloatArray = np.ldexp(1.0, exponent - 1)
    return step
