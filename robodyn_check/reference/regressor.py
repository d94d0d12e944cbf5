"""The joint torque regressor: tau = Y π + diag(armature) a, linear in the links' parameters.

(On a floating joint with armature, tau has one more term, that of armature.py.)

Per link, about its own frame: m, m c (3), I (xx xy xz yy yz zz), in file order. With a the acceleration of the link's
origin less gravity, Ω = [α] + [ω][ω], and everything in world axes, the wrench that each parameter asks for is

    m:     force a                      moment 0
    m c:   force Ω R e_k                moment about the link's origin R e_k × a
    I:     force 0                      moment R (E α' + ω' × E ω'), E the symmetric unit matrix, ' in link axes

and Y_k,l = S_k · (that wrench about o) for the links l that node k moves. Columns of welded links are zero.

Source: Atkeson, An and Hollerbach (1986), Estimation of inertial parameters of manipulator loads and links, section 2;
Siciliano et al. (2009), section 7.2.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.reference.arrays import apply_transposed, cross, empty, trace, zeros
from robodyn_check.reference.kinematics import accelerations, link_frames

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.reference.kinematics import Kinematics, Velocities
    from robodyn_check.reference.tree import Tree

    Array = npt.NDArray[Any]


def joint_torque_regressor(
    tree: Tree,
    positions: Kinematics,
    motion: Velocities,
    v: Array,
    a: Array,
    gravity: Array,
    *,
    out: Array | None = None,
) -> Array:
    """Return Y, (n, nl, 10, B).

    Args:
        tree: The robot.
        positions: From `kinematics`.
        motion: From `velocities`.
        v: Velocities, (n, B).
        a: Accelerations, (n, B).
        gravity: m/s², (3,).
        out: Zeros to be filled, where the caller has them.
    """
    nl = len(tree.link_body)
    Y = zeros(positions.p, (tree.n, nl, 10, v.shape[1])) if out is None else out
    held = np.flatnonzero(tree.link_body >= 0)
    if not held.size:
        return Y
    first, links = int(held[0]), slice(int(held[0]), int(held[-1]) + 1)
    A = accelerations(tree, positions, motion, v, a, gravity)
    K, L = _wrenches(tree, positions, motion.V, A, links)
    for node, runs in enumerate(tree.links_below):
        S = positions.S[:, node]
        for run in runs:
            here = slice(run.start - first, run.stop - first)
            if tree.angular[node]:
                np.einsum("cb,lkcb->lkb", S, K[here], out=Y[node, run, :4])
                np.einsum("cb,lkcb->lkb", S[:3], L[here], out=Y[node, run, 4:])
            else:
                np.einsum("cb,lkcb->lkb", S[3:], K[here, :, 3:], out=Y[node, run, :4])
    return Y


def _wrenches(tree: Tree, positions: Kinematics, V: Array, A: Array, links: slice) -> tuple[Array, Array]:
    """Return the wrenches of m and m c, (l, 4, 6, B), and the moments of I, (l, 6, 3, B), about o, of some links.

    Components stand next to the states, where the products with S run through them fastest.
    """
    R, p = link_frames(tree, positions, links)
    V, A = np.take(V, tree.link_body[links], axis=1), np.take(A, tree.link_body[links], axis=1)
    w, alpha = V[:3], A[:3]
    a = A[3:] + cross(w, V[3:] + cross(w, p)) + cross(alpha, p)
    Omega = _rate_of_rotation(w, alpha)
    K = empty(a, (a.shape[1], 4, 6, a.shape[2]))
    K[:, 0, 3:] = a.swapaxes(0, 1)
    K[:, 0, :3] = cross(p, a).swapaxes(0, 1)
    np.einsum("ijlb,jklb->lkib", Omega, R, out=K[:, 1:, 3:])
    about_o = cross(p[:, None], Omega)  # [p] Ω - [a]: e_k × a = -[a] e_k
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        about_o[k, j] -= a[i]
        about_o[j, k] += a[i]
    np.einsum("ijlb,jklb->lkib", about_o, R, out=K[:, 1:, :3])
    w_, alpha_ = apply_transposed(R, w), apply_transposed(R, alpha)  # in link axes
    L = empty(a, (a.shape[1], 6, 3, a.shape[2]))
    np.einsum("ijlb,jlkb->lkib", R, _inertia_moments(w_, alpha_), out=L)
    return K, L


def _rate_of_rotation(w: Array, alpha: Array) -> Array:
    """Return Ω = [α] + [ω][ω] = [α] + ω ωᵀ - |ω|² 1, (3, 3, nl, B)."""
    Omega = w[:, None] * w
    square = trace(Omega)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        Omega[i, i] -= square
        Omega[k, j] += alpha[i]
        Omega[j, k] -= alpha[i]
    return Omega


def _inertia_moments(w: Array, alpha: Array) -> Array:
    """Return E α + ω × E ω for E = xx xy xz yy yz zz, (3, nl, 6, B), in link axes."""
    x, y, z = w
    a, b, c = alpha
    xx, xy, xz, yy, yz, zz = x * x, x * y, x * z, y * y, y * z, z * z
    M = zeros(w, (3, w.shape[1], 6, w.shape[2]))
    M[0, :, 0], M[1, :, 0], M[2, :, 0] = a, xz, -xy
    M[0, :, 1], M[1, :, 1], M[2, :, 1] = b - xz, a + yz, xx - yy
    M[0, :, 2], M[1, :, 2], M[2, :, 2] = c + xy, zz - xx, a - yz
    M[0, :, 3], M[1, :, 3], M[2, :, 3] = -yz, b, xy
    M[0, :, 4], M[1, :, 4], M[2, :, 4] = yy - zz, c - xy, b + xz
    M[0, :, 5], M[1, :, 5], M[2, :, 5] = yz, -xz, c
    return M
