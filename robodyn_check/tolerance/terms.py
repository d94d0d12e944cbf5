"""Sums of |terms|: the scales of mass matrix, Coriolis matrix and forces, in time linear in their size.

For a link l with mass m, inertia norm ‖I‖ about its centre of mass, and coordinates i, j on its path, with
r = 1 for an angle and 0 for a translation, a_il = r_i end_l + c_i the reach, u = |v|:

    S_M[i,j]  = Σ_l m a_il a_jl + r_i r_j ‖I‖
    S_C[i,j]  = Σ_l m a_il (η u)_j + r_i (r_j ‖I‖ Ω_l + (1 - r_j) m s_l)
    S_q[i]    = Σ_l m a_il h_l + r_i (‖I‖ Ω_l² + m s_l²)      h_l = uᵀ η u, Ω_l = Σ_k r_k u_k, s_l = Σ_k (1 - r_k) u_k
    S_M u[i]  = Σ_l m a_il A_l + r_i ‖I‖ Ω_l                  A_l = Σ_j a_jl u_j

where s is what slides on the path: a recursion in spatial vectors adds v × m v, which is nothing, but is rounded; and
where η_jk is the reach of the deeper of the two when both are angles, 1 when one of them is, 0 otherwise: the size of
the second derivative of the position by the two. As a is a product of something of the link and something of the
coordinate, the sums over links below a pair are sums below its deeper member, computed once a coordinate. Source:
measured with ball arithmetic over 2 140 models (facts/calibration.md, section 0).

Armature is added to the diagonal of S_M. On ball and floating joints, whose axes turn with their own angular velocity
ω, armature Σ|ω| is also added to S_C (the term α ω × v, see the reference's armature.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from robodyn_check.tolerance.paths import FloatArray, Paths
    from robodyn_check.tolerance.reach import Reach


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rates:
    """Per link and state, what speeds u (or accelerations) sum to along the path, (N, nl) each.

    turning: Ω = Σ r u. sliding: Σ (1 - r) u. swung: Σ r u c, the turning times its lever. curved: the part of h that
    does not depend on the link, Σ_jk r_j r_k u_j u_k c_deeper.
    """

    turning: FloatArray
    sliding: FloatArray
    swung: FloatArray
    curved: FloatArray


def rates(tree: Paths, lever: FloatArray, speed: FloatArray) -> Rates:
    """Sum speeds along the paths; ``speed`` is |v|, (N, nv), ``lever`` c, (N, nv)."""
    turn = speed * tree.angular
    passed = turn @ tree.before.T  # (N, nv) turning up to and including the coordinate
    return Rates(
        turning=turn @ tree.on.T,
        sliding=(speed - turn) @ tree.on.T,
        swung=(turn * lever) @ tree.on.T,
        curved=(turn * (2.0 * passed - turn) * lever) @ tree.on.T,
    )


def speed_reach(lengths: FloatArray, rate: Rates) -> FloatArray:
    """Return A_l = Σ_j a_jl u_j, the size of a velocity or of an acceleration of the link, (N, nl)."""
    return lengths * rate.turning + rate.swung + rate.sliding


def curvature(lengths: FloatArray, rate: Rates) -> FloatArray:
    """Return h_l = uᵀ η u, the size of the velocity-product acceleration of the link, (N, nl)."""
    return lengths * rate.turning**2 + rate.curved + 2.0 * rate.turning * rate.sliding


def force(tree: Paths, lengths: Reach, linear: FloatArray, rotational: FloatArray) -> FloatArray:
    """Return Σ_l m a_il linear_l + r_i ‖I‖ rotational_l, (N, nv): the force that accelerations of links ask for."""
    weight = tree.mass * linear
    return (
        tree.angular * ((weight * lengths.end + tree.inertia * rotational) @ tree.on)
        + lengths.lever * (weight @ tree.on)
    )  # fmt: skip


def sliding_force(tree: Paths, rate: Rates) -> FloatArray:
    """Return r_i Σ_l m s_l², (N, nv): what rounding leaves of the moments v × m v of what slides, which are zero."""
    return tree.angular * ((tree.mass * rate.sliding**2) @ tree.on)


def armature_force(tree: Paths, speed: FloatArray) -> FloatArray:
    """Return armature's part of S_q, (N, nv), with ``speed`` = |v|."""
    return (speed @ tree.spin.T) * (speed @ tree.armature)


def mass_matrix(tree: Paths, lengths: Reach) -> FloatArray:
    """Return S_M, (N, nv, nv), armature included."""
    ones = np.ones_like(lengths.end)
    m0, m1, m2 = (
        _below(tree, factor) for factor in (tree.mass * ones, tree.mass * lengths.end, tree.mass * lengths.end**2)
    )
    rotational = _below(tree, tree.inertia * ones)
    r, c = tree.angular, lengths.lever
    mixed = r[:, None] * c[:, None, :]
    total = np.outer(r, r) * (m2 + rotational)
    total += (mixed + mixed.transpose(0, 2, 1)) * m1
    total += c[:, :, None] * c[:, None, :] * m0
    return total * tree.related + tree.armature


def coriolis_matrix(tree: Paths, lengths: Reach, speed: FloatArray) -> FloatArray:
    """Return S_C(v), (N, nv, nv), with ``speed`` = |v|.

    (η u)_j at link l is end_l Ω + Σ_k c_deeper(j,k) r_k u_k + sliding for an angle, Ω for a translation; the middle
    sum is what was swung on the whole path plus c_j times the turning above j minus what was swung there.
    """
    rate = rates(tree, lengths.lever, speed)
    turn = speed * tree.angular
    r, c = tree.angular, lengths.lever
    above = np.maximum(c * (turn @ tree.before.T) - (turn * c) @ tree.before.T, 0.0)  # (N, nv)
    shared = speed_reach(lengths.end, rate)
    weight = tree.mass * np.ones_like(lengths.end)
    angle = r[:, None] * (_below(tree, weight * lengths.end * shared) + _below(tree, tree.inertia * rate.turning))
    angle += c[:, :, None] * _below(tree, weight * shared)
    angle += above[:, None, :] * (
        r[:, None] * _below(tree, weight * lengths.end) + c[:, :, None] * _below(tree, weight)
    )
    slide = r[:, None] * _below(tree, weight * lengths.end * rate.turning)
    slide += c[:, :, None] * _below(tree, weight * rate.turning)
    slide += r[:, None] * _below(tree, weight * rate.sliding)
    total = np.where(r > 0, angle, slide) * tree.related
    return total + tree.armature * (speed @ tree.spin.T)[:, :, None]


def _below(tree: Paths, factor: FloatArray) -> FloatArray:
    """Sum a per-link factor over the links below both of a pair: (N, nl) to (N, nv, nv)."""
    return (factor @ tree.on)[:, tree.deeper]
