"""Inverse dynamics by the recursive Newton-Euler algorithm, in world axes about one point.

    f_b = ∫ (ẍ - γ) dm:  linear = m a + α × h + w × (w × h),  angular = h × a + I α + w × (I w)
    a = A_linear + w × V_linear, the acceleration of the body's point at o, gravity included in A
    tau_k = S_k · Σ_{b below k} f_b + armature_k a_k (+ armature.py, ball and floating joints)
    with a wrench F = [force; moment] that a link's origin exerts on the environment, world axes: tau += Jᵀ F

Source: Featherstone (2008), table 5.1, in world coordinates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robodyn_check.reference.armature import armature_force
from robodyn_check.reference.arrays import apply, cross, dot, empty, trace, zeros
from robodyn_check.reference.kinematics import accelerations, link_frames

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.reference.inertia import Inertias
    from robodyn_check.reference.kinematics import Kinematics, Velocities
    from robodyn_check.reference.tree import Tree

    Array = npt.NDArray[Any]


def inverse_dynamics(
    tree: Tree,
    positions: Kinematics,
    motion: Velocities,
    about_o: Inertias,
    v: Array,
    a: Array | None,
    gravity: Array,
    *,
    wrenches: Array | None = None,
) -> Array:
    """Return tau = M a + C v + g (+ Jᵀ F), (n, B).

    Args:
        tree: The robot.
        positions: From `kinematics`.
        motion: From `velocities`.
        about_o: From `inertias_at_origin`.
        v: Velocities, (n, B).
        a: Accelerations, (n, B); None: zero, which gives the bias force.
        gravity: m/s², (3,).
        wrenches: Per link [force; moment] at its origin, exerted on the environment, world axes, (6, nl, B).
    """
    rates = zeros(v, v.shape) if a is None else a
    f = net_forces(about_o, motion.V, accelerations(tree, positions, motion, v, rates, gravity))
    if wrenches is not None:
        f = f + _at_bodies(tree, positions, wrenches)
    tau = dot(positions.S, tree.at_nodes(tree.subtree_sum(f)))
    tau += armature_force(tree, v)
    return tau if a is None else tau + tree.armature[:, None] * a


def net_forces(about_o: Inertias, V: Array, A: Array) -> Array:
    """Return what each body needs, [moment; force] about o, (6, nb, B)."""
    w, alpha = V[:3], A[:3]
    a = A[3:] + cross(w, V[3:])
    m, h, Sigma = about_o.m, about_o.h, about_o.Sigma
    f = empty(A, A.shape)
    size = trace(Sigma)
    f[:3] = size * alpha
    f[:3] -= apply(Sigma, alpha)
    f[:3] += cross(h, a)
    f[:3] -= cross(w, apply(Sigma, w))  # w × (tr(Σ) w - Σ w)
    f[3:] = m * a
    f[3:] += cross(alpha, h)
    f[3:] += cross(w, cross(w, h))
    return f


def _at_bodies(tree: Tree, positions: Kinematics, wrenches: Array) -> Array:
    """Return the wrenches of links, [moment; force] about o, summed at the bodies that carry them."""
    _, p = link_frames(tree, positions)
    moment = wrenches[3:] + cross(p, wrenches[:3])
    f = zeros(moment, (6, len(tree.parent), moment.shape[-1]))
    for link, body in enumerate(tree.link_body):
        if body >= 0:
            f[:3, body] += moment[:, link]
            f[3:, body] += wrenches[:3, link]
    return f
