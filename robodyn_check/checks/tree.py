"""What the tree alone says: which velocities share a path, and which derivatives must vanish."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism

    Flags = npt.NDArray[np.bool_]


def single(mechanism: Mechanism) -> Flags:
    """Return which velocities belong to a joint that has just one, (nv,)."""
    flags = np.zeros(mechanism.nv, dtype=bool)
    for joint in mechanism.joints:
        flags[joint.v] = joint.v.stop - joint.v.start == 1
    return flags


@lru_cache(maxsize=16)
def on_path(mechanism: Mechanism) -> Flags:
    """Return [i, j]: velocity j lies on the path from the base to velocity i, itself included, (nv, nv), read-only.

    All velocities of a ball or floating joint act in one place. A planar joint is a chain of three: x, y, angle.
    """
    flags = np.zeros((mechanism.nv, mechanism.nv), dtype=bool)
    done: set[int] = set()
    for joint in mechanism.joints:
        waiting = [joint.body]
        while waiting[-1] >= 0 and mechanism.parent[waiting[-1]] not in done | {-1}:
            waiting.append(mechanism.parent[waiting[-1]])
        for body in reversed(waiting):
            if body in done:
                continue
            own, above = mechanism.joints[mechanism.body_joint[body]].v, mechanism.parent[body]
            if above >= 0:
                flags[own] = flags[mechanism.joints[mechanism.body_joint[above]].v][-1:]
            flags[own, own] = True
            done.add(body)
    for joint in mechanism.joints:
        if joint.kind == "planar":
            flags[joint.v, joint.v] = np.tril(np.ones((3, 3), dtype=bool))
    flags.setflags(write=False)
    return flags


@lru_cache(maxsize=16)
def related(mechanism: Mechanism) -> Flags:
    """Return [i, j]: one of the two lies on the path to the other, (nv, nv)."""
    path = on_path(mechanism)
    return path | path.T


def must_vanish(mechanism: Mechanism) -> Flags:
    """Return [k, i, j]: the derivative of M_ij along velocity k is zero for every robot with this tree, (nv, nv, nv).

    Let t be the upper and l the lower one of i and j. M_ij is a property of what hangs below l, seen from t: moving
    anything at or above t moves all of it alike, and moving what is not on a common path with l changes none of it. So
    the derivative can differ from zero only if k is strictly below t and on a common path with l.
    """
    path = on_path(mechanism)
    common = path | path.T
    upper_of = path  # [i, j]: j is the upper one
    strictly_below = path & ~path.T  # [k, t]
    alive = np.zeros((mechanism.nv,) * 3, dtype=bool)
    for lower, upper in zip(*np.nonzero(upper_of), strict=True):
        moves = strictly_below[:, upper] & common[:, lower]
        alive[:, lower, upper] |= moves
        alive[:, upper, lower] |= moves
    return ~alive
