"""|M⁻¹|, and what joints of several coordinates pass on to others, for the scale of forward dynamics.

Only the size of the entries matters, but it must be right for badly scaled M (a gram next to a ton), so M is scaled
to unit diagonal before it is inverted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.tolerance.paths import FloatArray, Paths


def absolute_inverse(mass_matrix: FloatArray) -> FloatArray:
    """Return |M⁻¹|, (N, nv, nv); infinite at states where M is singular or not finite."""
    absolute = np.empty_like(mass_matrix)
    for number in range(len(mass_matrix)):
        with np.errstate(all="ignore"):
            absolute[number] = np.abs(_scaled_inverse(mass_matrix[number]))
    return np.where(np.isnan(absolute).any(axis=(1, 2), keepdims=True), np.inf, absolute)


def base_to_joints(mechanism: Mechanism, mass_matrix: FloatArray, size: FloatArray) -> FloatArray:
    """Return |M_JJ⁻¹ M_JB| size_B on the joints and 0 on the base, (N, nv).

    B are the coordinates of all floating joints, J the others; 0 where there is no floating joint.

    Args:
        mechanism: The robot.
        mass_matrix: The truth's M, (N, nv, nv).
        size: What the base's acceleration may be wrong by, among others, (N, nv).

    Returns:
        The part that the joints inherit; infinite where M_JJ is singular.
    """
    free = np.zeros(mechanism.nv, dtype=bool)
    for joint in mechanism.joints:
        if joint.kind == "floating":
            free[joint.v] = True
    passed = np.zeros_like(size)
    if not free.any() or free.all():
        return passed
    base, joints = np.flatnonzero(free), np.flatnonzero(~free)
    for number in range(len(mass_matrix)):
        M = mass_matrix[number]  # noqa: N806 - the equations' letter
        with np.errstate(all="ignore"):
            inverse = _inverse_or_infinite(M[np.ix_(joints, joints)])
            transfer = np.abs(inverse @ M[np.ix_(joints, base)])
            passed[number, joints] = np.sum(transfer * size[number, base], axis=1)
    return np.where(np.isnan(passed), np.inf, passed)


def in_any_axes(mechanism: Mechanism, size: FloatArray) -> FloatArray:
    """Return the sizes with the linear components of a floating base as large as the largest of them, (N, nv).

    Its acceleration is a vector that MuJoCo, RBDL and Drake hold in the world's axes. Each component is rounded there,
    and turning the vector into the body's axes hands the error of one to the others. Seen with RBDL on a base whose z
    is forty times better determined than its x and y: 24 eps · S_1b before, 0.5 after.
    """
    alike = size.copy()
    for joint in mechanism.joints:
        if joint.kind == "floating":
            linear = slice(joint.v.start, joint.v.start + 3)
            alike[:, linear] = size[:, linear].max(axis=1, keepdims=True)
    return alike


def block_loss(mechanism: Mechanism, tree: Paths, mass_matrix: FloatArray) -> FloatArray:
    """Return what ball and planar joints, and floating ones in mid-tree, lose for the whole tree, (N,), at least 1.

    The articulated-body algorithm inverts the block D = M_BB - M_BJ M_JJ⁻¹ M_JB of such a joint B, J what lies below
    it. That is right to eps · cond(D) (D scaled to unit diagonal), and the error goes into the articulated inertia of
    everything above. Pinocchio against the truth, 2 160 states of random robots with ball and free joints: the error
    exceeds 16 eps · S_1b at 47 of them, by up to 4e3, and is never more than 0.26 eps · S_1b · cond(D); a solve with M
    has no such loss. Hence max(1, cond(D)/16), which leaves a factor of 4.

    Args:
        mechanism: The robot.
        tree: Its paths.
        mass_matrix: The truth's M, (N, nv, nv).
    """
    loss = np.ones(len(mass_matrix))
    for joint in mechanism.joints:
        in_mid_tree = joint.kind == "floating" and mechanism.parent[joint.body] >= 0
        if not in_mid_tree and joint.kind not in {"ball", "planar"}:
            continue
        below = np.flatnonzero(tree.before[:, joint.v].any(axis=1))
        block = np.searchsorted(below, np.arange(joint.v.start, joint.v.stop))
        for number in range(len(mass_matrix)):
            condition = _block_condition(mass_matrix[number][np.ix_(below, below)], block)
            loss[number] = max(loss[number], condition / 16.0)
    return loss


def _block_condition(matrix: FloatArray, block: npt.NDArray[np.intp]) -> float:
    """Return the condition of the Schur complement that belongs to ``block``, scaled to unit diagonal."""
    with np.errstate(all="ignore"):
        inverse = _scaled_inverse(matrix)[np.ix_(block, block)]
        reduced = _inverse_or_infinite(inverse)
        weight = 1.0 / np.sqrt(np.abs(np.diagonal(reduced)))
        scaled = reduced * weight[:, None] * weight
    return float(np.linalg.cond(scaled)) if np.isfinite(scaled).all() else np.inf


def _scaled_inverse(matrix: FloatArray) -> FloatArray:
    """Return M⁻¹ of one matrix, with its signs, scaled to unit diagonal on the way."""
    weight = 1.0 / np.sqrt(np.abs(np.diagonal(matrix)))
    inverse = _inverse_or_infinite(matrix * weight[:, None] * weight)
    return inverse * weight[:, None] * weight


def _inverse_or_infinite(matrix: FloatArray) -> FloatArray:
    """Invert one matrix; a singular one has an infinite inverse."""
    try:
        inverse = np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    except np.linalg.LinAlgError:
        inverse = np.full(matrix.shape, np.inf)
    return inverse
