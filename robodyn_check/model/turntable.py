"""A robot on a turntable: the same mechanism with one more joint between it and the world."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.model.mechanism import Mechanism, MovingJoint

if TYPE_CHECKING:
    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]

NAME = "turntable"


def on_turntable(mechanism: Mechanism) -> Mechanism:
    """Return the robot with a continuous joint about the world's z axis at its base; links of the world turn with it.

    The new joint comes first, so its coordinate is the first of q and v, and it moves body 0.

    Args:
        mechanism: In doubles.
    """
    welded = [link for link, body in enumerate(mechanism.link_body) if body < 0]
    mass, first_moment, inertia = _merged(mechanism, welded)
    table = MovingJoint(
        name=NAME, kind="continuous", q=slice(0, 1), v=slice(0, 1), body=0, lower=(-np.inf,), upper=(np.inf,)
    )
    z = np.array([[0.0], [0.0], [1.0]])
    return replace(
        mechanism,
        joints=(table, *(_moved(joint) for joint in mechanism.joints)),
        nq=mechanism.nq + 1,
        nv=mechanism.nv + 1,
        parent=(-1, *(parent + 1 for parent in mechanism.parent)),
        body_joint=(0, *(joint + 1 for joint in mechanism.body_joint)),
        R_tree=np.concatenate([np.eye(3)[:, :, None], mechanism.R_tree], axis=2),
        p_tree=np.concatenate([0.0 * z, mechanism.p_tree], axis=1),
        axis=np.concatenate([z, mechanism.axis], axis=1),
        mass=np.concatenate([[mass], mechanism.mass]),
        first_moment=np.concatenate([first_moment[:, None], mechanism.first_moment], axis=1),
        inertia=np.concatenate([inertia[:, :, None], mechanism.inertia], axis=2),
        armature=np.concatenate([[0.0], mechanism.armature]),
        reference=np.concatenate([[0.0], mechanism.reference]),
        link_body=tuple(body + 1 for body in mechanism.link_body),
        link_path=tuple(
            ((0.0, 0), *((length, joint + 1 if joint >= 0 else joint) for length, joint in path))
            for path in mechanism.link_path
        ),
    )


def _moved(joint: MovingJoint) -> MovingJoint:
    """Return the joint one place further in q, v and bodies."""
    q, v = slice(joint.q.start + 1, joint.q.stop + 1), slice(joint.v.start + 1, joint.v.stop + 1)
    return replace(joint, q=q, v=v, body=joint.body + 1)


def _merged(mechanism: Mechanism, links: list[int]) -> tuple[float, FloatArray, FloatArray]:
    """Return mass, first moment and inertia about the world's origin of links that stand in the world."""
    mass, first_moment, inertia = 0.0, np.zeros(3), np.zeros((3, 3))
    for link in links:
        R = mechanism.link_R[:, :, link]  # noqa: N806 - the rotation's letter
        m, c = float(mechanism.link_mass[link]), R @ mechanism.link_com[:, link] + mechanism.link_p[:, link]
        mass += m
        first_moment += m * c
        inertia += R @ mechanism.link_inertia[:, :, link] @ R.T + m * (np.dot(c, c) * np.eye(3) - np.outer(c, c))
    return mass, first_moment, inertia
