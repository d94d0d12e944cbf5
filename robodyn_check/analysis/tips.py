"""What tips feel like: effective mass in every direction, and how fast motors can push them.

    1/m_u = uᵀ W u, W = J_v M⁻¹ J_vᵀ      lightest and heaviest direction: eigenvectors of W
    σ(J_v)                                 kinematic manipulability: speed per unit joint speed
    σ(J_v M⁻¹ T)                           dynamic manipulability: acceleration per motor at its torque limit

Source: Khatib (1995), Inertial properties in robotic manipulation; Yoshikawa (1985), Dynamic manipulability of robot
manipulators.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.analysis.inertia import with_rotors
from robodyn_check.analysis.results import Ellipsoid, Tip
from robodyn_check.reference.engine import evaluate
from robodyn_check.reference.taskspace import mobility

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.analysis.inertia import Drives, FloatArray
    from robodyn_check.model.mechanism import Mechanism

#: An eigenvalue of W below this share of the largest means that the tip cannot give way there.
_STIFF = 1e-12


def tip_studies(
    mechanism: Mechanism, q: FloatArray, tools: Sequence[str], drives: Drives, *, load: float
) -> tuple[Tip, ...]:
    """Return each tip at one pose.

    Args:
        mechanism: The robot, its payload included.
        q: The pose, (nq,).
        tools: Names of links.
        drives: Rotors and torque limits.
        load: Mass of the payload, kg, for the static estimate.
    """
    M = evaluate(mechanism, "mass_matrix", q[None])  # noqa: N806 - the equation's letter
    jacobians = evaluate(mechanism, "link_jacobians", q[None])[0]
    moving = sum(float(mass) for mass, body in zip(mechanism.link_mass, mechanism.link_body, strict=True) if body >= 0)
    rotors = with_rotors(mechanism, M, drives) if drives.has_rotors else None
    limits = drives.limit if np.isfinite(drives.limit).all() else None
    return tuple(
        _tip(
            name,
            jacobians[mechanism.links.index(name), :3],
            M[0],
            None if rotors is None else rotors[0],
            limits,
            static=(moving - load) / 2 + load,
        )
        for name in tools
    )


def _tip(
    name: str,
    jacobian: FloatArray,
    mass_matrix: FloatArray,
    rotors: FloatArray | None,
    limits: FloatArray | None,
    *,
    static: float,
) -> Tip:
    """Study one tip from its linear Jacobian (3, nv)."""
    compliance = mobility(mass_matrix[..., None], jacobian[..., None])[..., 0]
    geared = None if rotors is None else mobility(rotors[..., None], jacobian[..., None])[..., 0]
    least, most = _masses(compliance)
    geared_least, geared_most = (None, None) if geared is None else _masses(geared)
    return Tip(
        link=name,
        least_mass=least,
        most_mass=most,
        least_mass_with_rotors=geared_least,
        most_mass_with_rotors=geared_most,
        static_estimate=static,
        mobility=_ellipsoid(compliance),
        reflected=None if geared is None else _ellipsoid(geared),
        reach=_ellipsoid(jacobian @ jacobian.T),
        push=None if limits is None else _push(jacobian, mass_matrix, limits),
        push_with_rotors=None if limits is None or rotors is None else _push(jacobian, rotors, limits),
    )


def _masses(compliance: FloatArray) -> tuple[float | None, float | None]:
    """Return the effective mass in the lightest and in the heaviest direction, None where it is infinite."""
    values = np.linalg.eigvalsh(compliance)
    if not values[-1] > 0.0:
        return None, None
    return float(1.0 / values[-1]), float(1.0 / values[0]) if values[0] > _STIFF * values[-1] else None


def _push(jacobian: FloatArray, mass_matrix: FloatArray, limits: FloatArray) -> Ellipsoid:
    """Return the ellipsoid of accelerations that the torque limits reach."""
    reached = jacobian @ np.linalg.solve(mass_matrix, np.diag(limits))
    return _ellipsoid(reached @ reached.T)


def _ellipsoid(matrix: FloatArray) -> Ellipsoid:
    """Return a symmetric matrix with the half axes of its ellipsoid."""
    values = np.clip(np.linalg.eigvalsh(matrix), 0.0, None)[::-1]
    return Ellipsoid(matrix=tuple(tuple(row) for row in matrix.tolist()), axes=tuple(np.sqrt(values).tolist()))
