"""Mass properties of bodies and of subtrees in world axes.

A body is held as mass m, first moment h = ∫ x dm and second moment Σ = ∫ x xᵀ dm, thirteen numbers that add up over
bodies once they refer to one point. The rotational inertia is I = tr(Σ) 1 - Σ, so that

    momentum of a motion [w; v]:   angular = tr(Σ) w - Σ w + h × v,   linear = m v + w × h

About the reference point o, with p the body's origin and h_b, Σ_b about it: h = h_b + m p, Σ = Σ_b + p h_bᵀ + h pᵀ.
Source: Wensing, Kim and Slotine (2018), Linear matrix inequalities for physically consistent inertial parameter
identification, section III (pseudo-inertia); the sums follow from the definition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.reference.arrays import apply, cross, empty, trace

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.reference.kinematics import Kinematics
    from robodyn_check.reference.tree import Tree

    Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inertias:
    """Mass properties of each body or subtree, world axes, about one point each; x is nb or n."""

    m: Array  #: (x, 1) kg, constant over states
    moments: Array  #: (12, x, B) h, then Σ row by row

    @property
    def h(self) -> Array:
        """First moment, (3, x, B) kg m."""
        return self.moments[:3]

    @property
    def Sigma(self) -> Array:  # noqa: N802 - the book's letter
        """Second moment, (3, 3, x, B) kg m²."""
        return self.moments[3:].reshape(3, 3, *self.moments.shape[1:])


def inertias_at_bodies(tree: Tree, positions: Kinematics) -> Inertias:
    """Return each body's mass properties about its own origin."""
    R = positions.R
    half = np.einsum("ijnb,jkn->iknb", R, tree.Sigma)
    own = _room(tree.mass[:, None], half)
    Sigma = own.Sigma
    np.einsum("ijnb,jn->inb", R, tree.h, out=own.h)
    for i in range(3):
        for j in range(i + 1):
            np.einsum("knb,knb->nb", half[i], R[j], out=Sigma[i, j])
            if i != j:
                Sigma[j, i] = Sigma[i, j]
    return own


def inertias_at_origin(own: Inertias, positions: Kinematics) -> Inertias:
    """Return each body's mass properties about o."""
    p = positions.p
    moved = _room(own.m, own.Sigma)
    h, Sigma = moved.h, moved.Sigma
    np.multiply(own.m, p, out=h)
    h += own.h
    for i in range(3):
        for j in range(i + 1):
            entry = Sigma[i, j]
            np.multiply(p[i], own.h[j], out=entry)
            entry += h[i] * p[j]
            entry += own.Sigma[i, j]
            if i != j:
                Sigma[j, i] = entry
    return moved


def composites(tree: Tree, about_o: Inertias) -> Inertias:
    """Return at each node the mass properties of everything that it moves, about o."""
    m, moments = (tree.at_nodes(tree.subtree_sum(sums.copy())) for sums in (about_o.m, about_o.moments))
    return Inertias(m=m, moments=moments)


def momentum(inertia: Inertias, V: Array) -> Array:
    """Return I V, (6, x, B), of motion vectors V (6, x, B)."""
    w, v = V[:3], V[3:]
    out = empty(V, V.shape)
    np.multiply(trace(inertia.Sigma), w, out=out[:3])
    out[:3] -= apply(inertia.Sigma, w)
    out[:3] += cross(inertia.h, v)
    np.multiply(inertia.m, v, out=out[3:])
    out[3:] += cross(w, inertia.h)
    return out


def _room(m: Array, like: Array) -> Inertias:
    """Return inertias that are about to be filled; like: (3, 3, x, B)."""
    return Inertias(m=m, moments=empty(like, (12, *like.shape[2:])))
