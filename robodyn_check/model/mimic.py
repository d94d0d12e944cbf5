"""Mimic joints as a linear map: what the reduced robot of a library that eliminates them looks like.

q = G q_r + o over one-dof joints, v = G v_r, and the reduced robot has GᵀMG and Gᵀh (design page, section 4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism, MovingJoint

    Array = npt.NDArray[Any]


def relations(mechanism: Mechanism) -> tuple[tuple[MovingJoint, MovingJoint, float, float], ...]:
    """Return (follower, master, multiplier, offset) with the master the joint at the end of the chain, never a mimic.

    A relation that cannot be followed (an unknown joint, joints of several coordinates, a ring) is left out: such a
    joint moves by itself, and reading the model reports it.
    """
    by_name = {joint.name: joint for joint in mechanism.joints}
    found = []
    for joint in mechanism.joints:
        master, multiplier, offset = joint, 1.0, 0.0
        steps = 0
        while master.mimic is not None and steps <= len(by_name):
            name, k, o = master.mimic
            if name not in by_name:
                break
            multiplier, offset = multiplier * k, multiplier * o + offset
            master = by_name[name]
            steps += 1
        if joint.mimic is not None and master.mimic is None and _is_single(joint) and _is_single(master):
            found.append((joint, master, multiplier, offset))
    return tuple(found)


def mimic_matrix(mechanism: Mechanism) -> tuple[Array, Array]:
    """Return G, (nv, nr), and the offset o, (nv,): v = G v_r for all, q = G q_r + o for one-dof joints."""
    followers = {joint.name: (master, multiplier, offset) for joint, master, multiplier, offset in relations(mechanism)}
    kept = [k for joint in mechanism.joints if joint.name not in followers for k in range(joint.v.start, joint.v.stop)]
    column = {k: index for index, k in enumerate(kept)}
    matrix, shift = np.zeros((mechanism.nv, len(kept))), np.zeros(mechanism.nv)
    for k, index in column.items():
        matrix[k, index] = 1
    for joint in mechanism.joints:
        if joint.name in followers:
            master, multiplier, offset = followers[joint.name]
            matrix[joint.v.start, column[master.v.start]] = multiplier
            shift[joint.v.start] = offset
    return matrix, shift


def _is_single(joint: MovingJoint) -> bool:
    """Tell whether the joint has exactly one coordinate."""
    return joint.kind in {"revolute", "continuous", "prismatic"}
