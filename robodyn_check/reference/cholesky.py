"""Cholesky factorisation and solution, for a batch of symmetric positive definite matrices.

    A = L Lᵀ,  L_kk = sqrt(A_kk - Σ_j L_kj²),  L_ik = (A_ik - Σ_j L_ij L_kj) / L_kk

The batch axis is last, and only +, -, ·, / and sqrt are used, so that balls factorise too. A matrix that is not
positive definite gives NaN from its first bad pivot on (doubles).

Source: Golub and Van Loan (2013), Matrix Computations, algorithm 4.2.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.reference.arrays import zeros

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]


def cholesky(A: Array) -> Array:
    """Return L, lower triangular, of A = L Lᵀ; both (n, n, B)."""
    L = zeros(A, A.shape)
    for k in range(A.shape[0]):
        column = A[k:, k] - np.einsum("ijb,jb->ib", L[k:, :k], L[k, :k]) if k else A[k:, k]
        with np.errstate(invalid="ignore", divide="ignore"):
            pivot = np.sqrt(column[0])
            L[k, k] = pivot
            L[k + 1 :, k] = column[1:] / pivot
    return L


def cholesky_solve(L: Array, b: Array) -> Array:
    """Return x of L Lᵀ x = b; L: (n, n, B), b: (n, B)."""
    x = b.copy()
    n = L.shape[0]
    for k in range(n):
        x[k] = x[k] / L[k, k]
        x[k + 1 :] -= L[k + 1 :, k] * x[k]
    for k in reversed(range(n)):
        x[k] = x[k] / L[k, k]
        x[:k] -= L[k, :k] * x[k]
    return x


def forward_dynamics_by_cholesky(mass_matrix: Array, bias: Array, tau: Array) -> Array:
    """Return a = M⁻¹ (tau - h), (n, B): the second way, beside aba.py."""
    return cholesky_solve(cholesky(mass_matrix), tau - bias)
