"""What the tree fixes about the scales: which coordinate moves which link, over which lengths.

Scales are sums along kinematic paths, so everything here is an incidence matrix of zeros and ones (as doubles: they
are used in products) or a length that does not depend on the state.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from robodyn_check.model.mechanism import Mechanism, MovingJoint

FloatArray = npt.NDArray[np.float64]

#: Index, inside a joint's velocity, of its first angular coordinate; the ones before it are translations.
_FIRST_ANGULAR = {"revolute": 0, "continuous": 0, "prismatic": 1, "planar": 2, "ball": 0, "floating": 3}
#: Joints on the longest paths of the robots that the factors were measured on.
CALIBRATED_DEPTH = 30.0
#: How many entries of a joint's q are translations.
TRANSLATIONS = {"revolute": 0, "continuous": 0, "prismatic": 1, "planar": 2, "ball": 0, "floating": 3}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Paths:
    """The tree as incidence matrices. nl links, nv coordinates, nj moving joints.

    on: (nl, nv) 1 where coordinate i moves link l.
    before: (nv, nv) 1 at [i, j] where j lies on the path to i, i itself included.
    related: (nv, nv) 1 where one of the two lies on the path of the other.
    deeper: (nv, nv) index of the deeper of i and j (of a related pair).
    angular: (nv,) 1 for an angle, 0 for a translation (r in the formulas).
    joint_of: (nv,) the moving joint of each coordinate.
    length: (nl,) m, sum of |joint xyz| from the world to the link's origin.
    joint_count: (nl,) joints on that path, fixed ones included.
    origin_length: (nv,) m, the same up to and including the coordinate's own joint.
    depth: (nl,) and origin_depth (nv,): what `depth_factor` says of those paths.
    link_travel: (nl, nj) 1 where the joint's translation lengthens the path to the link.
    origin_travel: (nv, nj) the same for the path to the coordinate's own axis.
    mass, com, inertia: (nl,) |m| kg, |centre of mass| m, spectral norm of the inertia about it, kg m².
    armature: (nv, nv) kg m² or kg, block by block: a floating or ball joint may be held in turned axes.
    spin: (nv, nv) 1 where k is an angle of the ball or floating joint that i belongs to: what turns i's axes.
    """

    on: FloatArray
    before: FloatArray
    related: FloatArray
    deeper: npt.NDArray[np.intp]
    angular: FloatArray
    joint_of: npt.NDArray[np.intp]
    length: FloatArray
    joint_count: FloatArray
    origin_length: FloatArray
    depth: FloatArray
    origin_depth: FloatArray
    link_travel: FloatArray
    origin_travel: FloatArray
    mass: FloatArray
    com: FloatArray
    inertia: FloatArray
    armature: FloatArray
    spin: FloatArray


@lru_cache(maxsize=8)
def paths(mechanism: Mechanism) -> Paths:
    """Collect the constant part of the scales; kept, because many checks ask and a long chain takes its time.

    Args:
        mechanism: The robot, in doubles.

    Returns:
        Incidence matrices, lengths and norms.
    """
    nl, nv, joints = mechanism.nl, mechanism.nv, mechanism.joints
    angular = np.concatenate([_is_angular(joint) for joint in joints] or [np.zeros(0)])
    link_travel = np.zeros((nl, len(joints)))
    origin_joints = np.zeros((len(joints), len(joints)))  # [j, k]: k lies on the path to j
    origin_of_joint = np.zeros(len(joints))
    length = np.zeros(nl)
    steps_to_joint = np.zeros(len(joints))
    seen: set[int] = set()
    for link, path in enumerate(mechanism.link_path):
        walked: list[int] = []
        for count, (step, joint) in enumerate(path, start=1):
            length[link] += step
            if joint >= 0:
                walked.append(joint)
                if joint not in seen:  # the path to a joint is the same below all its links
                    seen.add(joint)
                    origin_of_joint[joint] = length[link]
                    steps_to_joint[joint] = count
                    origin_joints[joint, walked] = 1.0
        link_travel[link, walked] = 1.0
    joint_of = np.concatenate([np.full(_size(joint), n) for n, joint in enumerate(joints)] or [np.zeros(0)]).astype(
        np.intp
    )
    joint_count = np.array([len(path) for path in mechanism.link_path], dtype=float)
    order = np.arange(nv)
    same_joint = joint_of[:, None] == joint_of[None, :]
    before = np.where(same_joint, order[:, None] >= order[None, :], origin_joints[np.ix_(joint_of, joint_of)])
    origin_travel = origin_joints[joint_of]
    origin_travel[order, joint_of] = angular  # an axis moves with its own joint's translation, a slide does not
    return Paths(
        on=link_travel[:, joint_of],
        before=before,
        related=np.maximum(before, before.T),
        deeper=np.where(before > 0, order[:, None], order[None, :]),
        angular=angular,
        joint_of=joint_of,
        length=length,
        joint_count=joint_count,
        origin_length=origin_of_joint[joint_of],
        depth=depth_factor(joint_count),
        origin_depth=depth_factor(steps_to_joint[joint_of]),
        link_travel=link_travel,
        origin_travel=origin_travel,
        mass=np.abs(_doubles(mechanism.link_mass)),
        com=np.linalg.norm(_doubles(mechanism.link_com), axis=0),
        inertia=np.linalg.norm(np.moveaxis(_doubles(mechanism.link_inertia), -1, 0), ord=2, axis=(1, 2)),
        armature=_armature(mechanism, same_joint & (angular[:, None] == angular[None, :])),
        spin=same_joint * angular * _is_turned(mechanism)[:, None],
    )


def depth_factor(joints: FloatArray) -> FloatArray:
    """Return by how much lengths count more on a path of so many joints: max(1, joints / CALIBRATED_DEPTH).

    A rotation that is the product of k rotations is known to about k eps, and an error in it moves everything behind
    it by that times the length behind: the error of a position grows like Σ_k k |d_k|, one power of the depth above
    the length itself. K was measured on paths of up to CALIBRATED_DEPTH joints and holds the growth up to there.
    """
    factor: FloatArray = np.maximum(1.0, joints / CALIBRATED_DEPTH)
    return factor


def _doubles(array: npt.ArrayLike) -> FloatArray:
    """Return the array in doubles."""
    return np.asarray(array, dtype=np.float64)


def _size(joint: MovingJoint) -> int:
    """Return the number of velocity coordinates of the joint."""
    return len(range(joint.v.start, joint.v.stop))


def _is_angular(joint: MovingJoint) -> FloatArray:
    """Return 1 for each angular coordinate of the joint, 0 for each translation."""
    return (np.arange(_size(joint)) >= _FIRST_ANGULAR[joint.kind]).astype(float)


def _is_turned(mechanism: Mechanism) -> FloatArray:
    """Return 1 for each coordinate whose velocity is counted along axes that the joint itself turns."""
    turned = np.zeros(mechanism.nv)
    for joint in mechanism.joints:
        turned[joint.v] = joint.kind in {"ball", "floating"}
    return turned


def _armature(mechanism: Mechanism, same_block: npt.NDArray[np.bool_]) -> FloatArray:
    """Spread the armature over the blocks that a library may hold in turned axes (quaternion joints)."""
    armature = np.abs(_doubles(mechanism.armature))
    spread = np.diag(armature)
    for joint in mechanism.joints:
        if joint.kind in {"ball", "floating"}:
            block = (joint.v, joint.v)
            spread[block] = same_block[block] * armature[joint.v].max()
    return spread
