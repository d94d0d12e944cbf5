"""Faults in the velocity-product terms: lost, halved, another matrix, friction and damping mixed in.

The two factorisations at the end give the right C v. The first, C̃ = Mdot - ½ [Σ_k ∂M_jk/∂q_i v_k], is not skew; the
second, C + u wᵀ - w uᵀ with u, w perpendicular to v, is skew but not Christoffel's (Slotine and Li 1987; Ortega and
Spong 1989).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.derivatives import stencil
from robodyn_check.faults.fault import LibraryFault, Planted, Scene, tampered, values_of
from robodyn_check.states import StateBatch

if TYPE_CHECKING:
    from robodyn_check.faults.fault import FloatArray, Tamper
    from robodyn_check.requests import Request

#: Damping, N m s/rad, and dry friction, N m, of the faults that mix them in.
DAMPING, FRICTION = 0.1, 0.05


def _share(scene: Scene, share: float) -> Planted:
    """Keep only a share of the velocity-product force, in every quantity that holds it."""

    def force(request: Request) -> FloatArray:
        return values_of(scene.answer, request, quantity="coriolis_force")

    def less(request: Request, values: FloatArray) -> FloatArray:
        return values - (1 - share) * force(request)

    def more(request: Request, values: FloatArray) -> FloatArray:
        mass = values_of(scene.answer, request, quantity="mass_matrix")
        faster: FloatArray = values + (1 - share) * _solved(mass, force(request))
        return faster

    return Planted(
        answer=tampered(
            scene.answer,
            {
                "coriolis_matrix": lambda _, values: share * values,
                "coriolis_force": lambda _, values: share * values,
                "bias_force": less,
                "inverse_dynamics": less,
                "forward_dynamics": more,
            },
        )
    )


def _solved(mass: FloatArray, force: FloatArray) -> FloatArray:
    """Return M⁻¹ f by pseudo-inverse, since a singular M must not stop a fault."""
    product: FloatArray = np.einsum("nij,nj->ni", np.linalg.pinv(mass, hermitian=True), force)
    return product


def _transposed(scene: Scene) -> Planted:
    """Return the transpose of C."""
    return Planted(answer=tampered(scene.answer, {"coriolis_matrix": lambda _, values: values.transpose(0, 2, 1)}))


def _passive(scene: Scene, resisting: Tamper) -> Planted:
    """Count a resisting force in the bias force and in inverse and forward dynamics."""

    def added(request: Request, values: FloatArray) -> FloatArray:
        force: FloatArray = values + resisting(request, values)
        return force

    def slowed(request: Request, values: FloatArray) -> FloatArray:
        mass = values_of(scene.answer, request, quantity="mass_matrix")
        slower: FloatArray = values - _solved(mass, resisting(request, values))
        return slower

    return Planted(
        answer=tampered(scene.answer, {"bias_force": added, "inverse_dynamics": added, "forward_dynamics": slowed})
    )


def _damping(scene: Scene) -> Planted:
    """Include viscous damping."""
    return _passive(scene, lambda request, _: DAMPING * _speed(request))


def _friction(scene: Scene) -> Planted:
    """Include dry friction."""
    return _passive(scene, lambda request, _: FRICTION * np.sign(_speed(request)))


def _damping_in_matrix(scene: Scene) -> Planted:
    """Include damping in C, and in the force that goes with it."""
    return Planted(
        answer=tampered(
            scene.answer,
            {
                "coriolis_matrix": lambda _, values: values + DAMPING * np.eye(values.shape[1]),
                "coriolis_force": lambda request, values: values + DAMPING * _speed(request),
            },
        )
    )


def _speed(request: Request) -> FloatArray:
    """Return v of a request that has one."""
    assert request.v is not None, "a velocity-product quantity is asked with a velocity"
    return request.v


def _not_skew(scene: Scene) -> Planted | None:
    """Return C̃, which has the right product and is not skew; robots of one-dof joints only, where it was defined."""
    if any(joint.v.stop - joint.v.start > 1 for joint in scene.mechanism.joints) or scene.mechanism.nv < 2:
        return None

    def other(request: Request, values: FloatArray) -> FloatArray:
        v = _speed(request)
        rate, half = np.zeros_like(values), np.zeros_like(values)
        for k, derivative in _mass_matrix_derivatives(scene, request):
            rate += v[:, k, None, None] * derivative
            half[:, k, :] = np.einsum("njk,nk->nj", derivative, v) / 2
        return rate - half

    return Planted(answer=tampered(scene.answer, {"coriolis_matrix": other}))


def _mass_matrix_derivatives(scene: Scene, request: Request) -> list[tuple[int, FloatArray]]:
    """Return ∂M/∂q_k at the states of a request, from the subject's own M."""
    v = _speed(request)
    batch = StateBatch(q=request.q, v=v, a=v, tau=v)
    points = stencil(scene.mechanism, batch, degree=2)
    found = values_of(scene.answer, points.request("mass_matrix", batch))
    return list(points.derivatives(found))


def _another_skew(scene: Scene) -> Planted | None:
    """Add [x]× with x three of the velocities: linear in v, perpendicular to v on both sides, skew, right product.

    It is u wᵀ - w uᵀ for two vectors u, w that span what is perpendicular to x.
    """
    if scene.mechanism.nv < 3:
        return None

    def other(request: Request, values: FloatArray) -> FloatArray:
        x = _speed(request)[:, :3]
        mass = values_of(scene.answer, request, quantity="mass_matrix")
        size = np.trace(mass, axis1=1, axis2=2) / mass.shape[1]
        changed = values.copy()
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            changed[:, k, j] += size * x[:, i]
            changed[:, j, k] -= size * x[:, i]
        return changed

    return Planted(answer=tampered(scene.answer, {"coriolis_matrix": other}))


_FORCES = ("coriolis_force", "bias_force", "inverse_dynamics", "forward_dynamics")

FAULTS: tuple[LibraryFault, ...] = (
    LibraryFault(
        name="velocity-product-lost",
        cause="velocity-product-lost",
        text="C v is missing everywhere",
        shows_on=_FORCES,
        plant=lambda scene: _share(scene, 0.0),
    ),
    LibraryFault(
        name="velocity-product-halved",
        cause="velocity-product-halved",
        text="C v is half of what it is everywhere",
        shows_on=_FORCES,
        plant=lambda scene: _share(scene, 0.5),
    ),
    LibraryFault(
        name="coriolis-transposed",
        cause="coriolis-transposed",
        text="C is transposed",
        shows_on=("coriolis_matrix",),
        plant=_transposed,
    ),
    LibraryFault(
        name="coriolis-not-skew",
        cause="coriolis-not-skew",
        text="C̃ = Mdot - ½ [Σ_k ∂M_jk/∂q_i v_k]: the right product, not skew",
        shows_on=("coriolis_matrix",),
        plant=_not_skew,
    ),
    LibraryFault(
        name="coriolis-another-skew",
        cause="coriolis-not-christoffel",
        text="C + u wᵀ - w uᵀ with u, w ⊥ v: the right product, skew, not Christoffel's",
        shows_on=("coriolis_matrix",),
        plant=_another_skew,
    ),
    LibraryFault(
        name="damping-included",
        cause="passive-forces-in-inverse-dynamics",
        text="viscous damping is counted in h, ID and FD",
        shows_on=("bias_force", "inverse_dynamics", "forward_dynamics"),
        plant=_damping,
    ),
    LibraryFault(
        name="friction-included",
        cause="passive-forces-in-inverse-dynamics",
        text="dry friction is counted in h, ID and FD",
        shows_on=("bias_force", "inverse_dynamics", "forward_dynamics"),
        plant=_friction,
    ),
    LibraryFault(
        name="damping-in-coriolis-matrix",
        cause="damping-in-coriolis-matrix",
        text="viscous damping is counted in C and C v",
        shows_on=("coriolis_matrix", "coriolis_force"),
        plant=_damping_in_matrix,
    ),
)
