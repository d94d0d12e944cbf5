"""Vector algebra on arrays whose first axis is the component and whose last axis is the state.

Nothing here names a number type: the functions take doubles and objects that have arithmetic (python-flint ``arb``).
``...`` stands for any axes in between, a node or a body, for instance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]


def zeros(like: Array, shape: tuple[int, ...]) -> Array:
    """Return zeros of the number type of ``like``."""
    return np.zeros(shape, like.dtype)


def empty(like: Array, shape: tuple[int, ...]) -> Array:
    """Return an array of the number type of ``like`` that is about to be filled."""
    return np.empty(shape, like.dtype)


def identity(like: Array) -> Array:
    """Return the 3 × 3 identity of the number type of ``like``."""
    one = zeros(like, (3, 3))
    np.fill_diagonal(one, 1)
    return one


def cross(a: Array, b: Array) -> Array:
    """Return a × b; a, b: (3, ...), shapes broadcast."""
    x = a[1] * b[2]
    x -= a[2] * b[1]
    out = empty(x, (3, *x.shape))
    out[0] = x
    np.multiply(a[2], b[0], out=out[1])
    out[1] -= a[0] * b[2]
    np.multiply(a[0], b[1], out=out[2])
    out[2] -= a[1] * b[0]
    return out


def dot(a: Array, b: Array) -> Array:
    """Return a · b; a, b: (c, ...) of one shape -> (...)."""
    product: Array = np.einsum("c...,c...->...", a, b)
    return product


def apply(A: Array, x: Array) -> Array:
    """Return A x; A: (r, c, ...), x: (c, ...) -> (r, ...)."""
    product: Array = np.einsum("rc...,c...->r...", A, x)
    return product


def apply_transposed(A: Array, x: Array) -> Array:
    """Return Aᵀ x; A: (r, c, ...), x: (r, ...) -> (c, ...)."""
    product: Array = np.einsum("rc...,r...->c...", A, x)
    return product


def trace(A: Array) -> Array:
    """Return the trace of A: (3, 3, ...) -> (...)."""
    total: Array = A[0, 0] + A[1, 1] + A[2, 2]
    return total


def motion_cross(V: Array, S: Array) -> Array:
    """Return V × S of two motion vectors (6, ...), angular part first (Featherstone (2008), equation 2.31)."""
    out = empty(S, S.shape)
    out[:3] = cross(V[:3], S[:3])
    out[3:] = cross(V[:3], S[3:])
    out[3:] += cross(V[3:], S[:3])
    return out
