"""|M⁻¹| and what a floating base passes on, for the scale of forward dynamics.

Only the size of the entries matters, but it must be right for badly scaled M (a gram next to a ton), so M is scaled
to unit diagonal before it is inverted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.tolerance.paths import FloatArray


def absolute_inverse(mass_matrix: FloatArray) -> FloatArray:
    """Return |M⁻¹|, (N, nv, nv); infinite at states where M is singular or not finite."""
    diagonal = np.sqrt(np.abs(np.diagonal(mass_matrix, axis1=1, axis2=2)))  # (N, nv)
    usable = np.asarray(np.isfinite(mass_matrix).all(axis=(1, 2)) & (diagonal > 0.0).all(axis=1))
    weight = 1.0 / np.where(usable[:, None], diagonal, 1.0)
    scaled = np.where(usable[:, None, None], mass_matrix, np.eye(mass_matrix.shape[1]))
    scaled = scaled * weight[:, :, None] * weight[:, None, :]
    inverse = np.stack([_inverse_or_infinite(one) for one in scaled]) if len(scaled) else scaled
    absolute: FloatArray = np.abs(inverse) * weight[:, :, None] * weight[:, None, :]
    return np.where(usable[:, None, None], absolute, np.inf)


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


def _inverse_or_infinite(matrix: FloatArray) -> FloatArray:
    """Invert one matrix; a singular one has an infinite inverse."""
    try:
        inverse = np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    except np.linalg.LinAlgError:
        inverse = np.full(matrix.shape, np.inf)
    return inverse
