"""The scale S of every quantity: the sum of the sizes of the terms that it is summed from, per entry and state.

A right library in double precision is within K · eps · S of the truth (`factors`), whatever order it sums in, because
rounding each term once costs at most eps of its size. Formulas: `terms` (M, C, forces); here the rest. Source of every
formula: facts/calibration.md, measured against 256-bit ball arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.errors import EvaluationError
from robodyn_check.tolerance import terms
from robodyn_check.tolerance.inverse import absolute_inverse, base_to_joints, block_loss, in_any_axes
from robodyn_check.tolerance.paths import TRANSLATIONS, FloatArray, Paths, paths
from robodyn_check.tolerance.reach import Reach, derivative_step, from_joints, reach, travel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.states import StateBatch

#: Entries (doubles) of one (states, nv, nv) block that is worked on at a time: 16 MB.
_CHUNK_ENTRIES = 2_000_000
_NO_MASS_MATRIX = (
    "The scale of forward dynamics needs the true mass matrix, which was not computed for this model (more than 300"
    " dofs?); forward dynamics cannot be bounded here."
)


def scales(
    mechanism: Mechanism,
    states: StateBatch,
    mass_matrix: FloatArray | None = None,
    *,
    gravity: Sequence[float] | None = None,
    tree: Paths | None = None,
) -> Scales:
    """Prepare the scales of these states; each is computed when first asked for.

    Args:
        mechanism: The robot, in doubles.
        states: The batch; q and v are used by all scales, a by those of inverse dynamics and of Y.
        mass_matrix: The truth's M, (N, nv, nv); only forward dynamics needs it.
        gravity: Instead of the mechanism's, m/s².
        tree: What `paths` returned for this mechanism, where it is already at hand.

    Returns:
        The scales.
    """
    vector = mechanism.gravity if gravity is None else gravity
    q = np.asarray(states.q, dtype=np.float64)
    return Scales(
        mechanism=mechanism,
        q=q,
        travelled=travel(mechanism, q),
        abs_v=np.abs(states.v),
        abs_a=np.abs(states.a),
        gravity=float(np.linalg.norm(np.asarray(vector, dtype=np.float64))),
        tree=paths(mechanism) if tree is None else tree,
        true_mass_matrix=mass_matrix,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Scales:
    """Scales of N states. No slots: each array is computed once, when first asked for, and kept.

    abs_v, abs_a: (N, nv) |v| and |a|. gravity: |γ|, m/s². travelled: (N, nj) m, how far joints' translations carry.
    from_joint: measure from each joint instead of from the world (`local`). The others feed the formulas.
    """

    mechanism: Mechanism
    q: FloatArray
    travelled: FloatArray
    abs_v: FloatArray
    abs_a: FloatArray
    gravity: float
    tree: Paths
    true_mass_matrix: FloatArray | None = None
    from_joint: bool = False

    def __len__(self) -> int:
        """Return the number of states."""
        return int(self.q.shape[0])

    @cached_property
    def lengths(self) -> Reach:
        """Path lengths at the states, m."""
        lengths = reach(self.tree, self.travelled)
        return from_joints(self.tree, lengths) if self.from_joint else lengths

    @cached_property
    def mass_matrix(self) -> FloatArray:
        """S_M[i,j] = Σ_l m a_il a_jl + r_i r_j ‖I‖, + armature on the diagonal, (N, nv, nv)."""
        return _chunked(lambda rows: terms.mass_matrix(self.tree, _rows(self.lengths, rows)), len(self), self.tree)

    @cached_property
    def gravity_vector(self) -> FloatArray:
        """S_g[i] = |γ| Σ_l m a_il, (N, nv)."""
        ones = np.ones_like(self.lengths.end)
        return self.gravity * terms.force(self.tree, self.lengths, ones, np.zeros_like(ones))

    @cached_property
    def coriolis_matrix(self) -> FloatArray:
        """S_C(v), (N, nv, nv)."""
        return self.coriolis_matrix_at(self.abs_v)

    @cached_property
    def coriolis_force(self) -> FloatArray:
        """S_q(v), the scale of C v, (N, nv)."""
        return self.coriolis_force_at(self.abs_v)

    @cached_property
    def bias_force(self) -> FloatArray:
        """S_b = S_g + S_q, (N, nv)."""
        return self.gravity_vector + self.coriolis_force

    @cached_property
    def inverse_dynamics(self) -> FloatArray:
        """S_tau = S_M |a| + S_b at the batch's a, (N, nv)."""
        return self.inverse_dynamics_at(self.abs_a)

    @cached_property
    def kinetic_energy(self) -> FloatArray:
        """S_K = ½ |v|ᵀ S_M |v|, (N,)."""
        product: FloatArray = 0.5 * np.sum(self.abs_v * self.mass_matrix_times(self.abs_v), axis=1)
        return product

    @cached_property
    def potential_energy(self) -> FloatArray:
        """|γ| Σ_l m end_l over all links, (N,). V is compared as a difference of two states: add both scales."""
        return self.gravity * (self.lengths.end @ self.tree.mass)

    @cached_property
    def link_poses(self) -> FloatArray:
        """Scale of [R | p], (N, nl, 3, 4): d0, the path length, for p; ½ (1 + joints on the path) for R.

        Each joint on the path, fixed ones included, multiplies R once more and rounds it once more. The half is there
        because R is measured to need K = 16 where p needs 32, and one quantity has one K.
        """
        poses = np.empty((len(self), self.mechanism.nl, 3, 4))
        poses[..., :3] = 0.5 * (1.0 + self.tree.joint_count)[None, :, None, None]
        poses[..., 3] = self.lengths.path[:, :, None]
        return poses

    @cached_property
    def link_jacobians(self) -> FloatArray:
        """Scale of the Jacobians of the link origins, (N, nl, 6, nv); exactly 0 where a coordinate moves nothing.

        Linear rows: d0(l) + org_i + rb for an angle, 1 for a translation. Angular rows: ¼ (1 + joints on the path)
        for an angle (measured K = 16 against 64 of the linear rows), 0 for a translation.
        """
        reached = self.lengths.path[:, :, None] + self.lengths.origin[:, None, :] + self.lengths.mean[:, None, None]
        linear = np.where(self.tree.angular > 0, reached, 1.0) * self.tree.on  # (N, nl, nv)
        angular = 0.25 * (1.0 + self.tree.joint_count)[:, None] * self.tree.on * self.tree.angular
        jacobians = np.empty((len(self), self.mechanism.nl, 6, self.mechanism.nv))
        jacobians[:, :, :3] = linear[:, :, None, :]
        jacobians[:, :, 3:] = angular[None, :, None, :]
        return jacobians

    @cached_property
    def joint_torque_regressor(self) -> FloatArray:
        """Scale of Y, (N, nv, 10 nl): what each term would be with that parameter 1 (the others 0).

        With a' = r (d0(l) + org_i) + (1 - r) the reach to the link's origin, acc = uᵀ η' u + Σ_j a'_j |a_j| + |γ| and
        W = Ω² + Σ r |a|: m: a' acc; m c: a' W + r acc; I about the link frame: r W.
        """
        r, on = self.tree.angular, self.tree.on
        lever = np.where(r > 0, self.lengths.origin, 1.0)
        moving = terms.rates(self.tree, lever, self.abs_v)
        pushed = terms.rates(self.tree, lever, self.abs_a)
        path = self.lengths.path
        acceleration = terms.curvature(path, moving) + terms.speed_reach(path, pushed) + self.gravity  # (N, nl)
        turning = moving.turning**2 + pushed.turning
        arm = r[:, None] * path[:, None, :] + lever[:, :, None]  # (N, nv, nl)
        mass = arm * acceleration[:, None, :]
        moment = arm * turning[:, None, :] + r[:, None] * acceleration[:, None, :]
        inertia = r[:, None] * turning[:, None, :]
        columns = np.stack([mass, *[moment] * 3, *[inertia] * 6], axis=-1) * on.T[:, :, None]
        return columns.reshape(len(self), self.mechanism.nv, 10 * self.mechanism.nl)

    def coriolis_matrix_at(self, v: FloatArray) -> FloatArray:
        """Return S_C at other velocities, (N, nv, nv)."""
        speed = np.abs(v)
        return _chunked(
            lambda rows: terms.coriolis_matrix(self.tree, _rows(self.lengths, rows), speed[rows]), len(self), self.tree
        )

    def coriolis_force_at(self, v: FloatArray) -> FloatArray:
        """Return S_q at other velocities, (N, nv): Σ_l m a_il h_l + r_i (‖I‖ Ω² + m s²), and armature's part."""
        speed = np.abs(v)
        rate = terms.rates(self.tree, self.lengths.lever, speed)
        links = terms.force(self.tree, self.lengths, terms.curvature(self.lengths.end, rate), rate.turning**2)
        return links + terms.sliding_force(self.tree, rate) + terms.armature_force(self.tree, speed)

    def mass_matrix_times(self, x: FloatArray) -> FloatArray:
        """Return S_M |x|, (N, nv), without forming S_M (long chains)."""
        size = np.abs(x)
        rate = terms.rates(self.tree, self.lengths.lever, size)
        moved = terms.force(self.tree, self.lengths, terms.speed_reach(self.lengths.end, rate), rate.turning)
        return moved + size @ self.tree.armature

    def inverse_dynamics_at(self, a: FloatArray) -> FloatArray:
        """Return S_M |a| + S_b at other accelerations, (N, nv)."""
        return self.mass_matrix_times(a) + self.bias_force

    def forward_dynamics(self, answer: FloatArray, tau: FloatArray) -> FloatArray:
        """Return S_1b, the scale of an acceleration, (N, nv).

        S_1 = |M⁻¹| (S_M |x| + |tau| + S_b) with x the answer, a floating base's in any axes (`inverse.in_any_axes`). On
        a floating base B the joints J also get |M_JJ⁻¹ M_JB| S_1[B], because the articulated-body algorithm passes the
        error of the base's acceleration on. All of it is multiplied by what other joints of several coordinates lose
        (`inverse.block_loss`; 1 where there is none).

        Args:
            answer: The acceleration that is judged, (N, nv).
            tau: Generalised forces, (N, nv).

        Returns:
            The scale; infinite at a state where M is singular (the check of M speaks about that).

        Raises:
            EvaluationError: The scales were made without the truth's M.
        """
        if self.true_mass_matrix is None:
            raise EvaluationError(_NO_MASS_MATRIX)
        residual = self.mass_matrix_times(answer) + np.abs(tau) + self.bias_force
        size: FloatArray = np.einsum("nij,nj->ni", self._inverse, residual)
        regular = np.asarray(np.isfinite(self._inverse).all(axis=(1, 2), keepdims=True))
        size = in_any_axes(self.mechanism, np.where(regular[:, :, 0], size, np.inf))
        passed = base_to_joints(self.mechanism, self.true_mass_matrix, size)
        return (size + passed) * self.block_loss[:, None]

    def local(self) -> Scales:
        """Return the scales with reaches measured from each joint: for `digits`, where no bound is meant."""
        return replace(self, from_joint=True)

    def step(self, k: int) -> FloatArray:
        """Return h for differences along coordinate k, (N,): 1 for an angle (not used), else L as a power of two."""
        return np.ones(len(self)) if self.tree.angular[k] else derivative_step(self.lengths)

    def mass_matrix_derivative(self, k: int) -> FloatArray:
        """Return S_dM,k, (N, nv, nv): S_M for an angle, S_M(|q_k| + h)/h for a translation.

        An angle further out than half a turn counts |q_k|/π: the shifted points are themselves rounded at |q_k|.
        """
        if self.tree.angular[k]:
            return self.mass_matrix * self._wound(k)[:, None, None]
        stretched, h = self._stretched(k)
        return stretched.mass_matrix / h[:, None, None]

    def mass_matrix_rate(self) -> FloatArray:
        """Return S_Mdot = Σ_k |v_k| S_dM,k, (N, nv, nv)."""
        total = np.zeros_like(self.mass_matrix)
        for k in range(self.mechanism.nv):
            total += self.abs_v[:, k, None, None] * self.mass_matrix_derivative(k)
        return total

    def potential_derivative(self, k: int) -> FloatArray:
        """Return S_V,k, (N,): |γ| Σ_l m (end_l + rb) for an angle, that at |q_k| + h over h for a translation."""
        if self.tree.angular[k]:
            return self.potential_energy_with_mean * self._wound(k)
        stretched, h = self._stretched(k)
        return stretched.potential_energy_with_mean / h

    def gravity_derivative(self, k: int) -> FloatArray:
        """Return S_dg,k, (N, nv): S_g for an angle, S_g(|q_k| + h)/h for a translation."""
        if self.tree.angular[k]:
            return self.gravity_vector * self._wound(k)[:, None]
        stretched, h = self._stretched(k)
        return stretched.gravity_vector / h[:, None]

    def kinetic_derivative(self, k: int) -> FloatArray:
        """Return S_K,k, (N,): S_K for an angle, S_K(|q_k| + h)/h for a translation."""
        if self.tree.angular[k]:
            return self.kinetic_energy * self._wound(k)
        stretched, h = self._stretched(k)
        return stretched.kinetic_energy / h

    @cached_property
    def _inverse(self) -> FloatArray:
        """|M⁻¹| of the truth, (N, nv, nv)."""
        assert self.true_mass_matrix is not None
        return absolute_inverse(self.true_mass_matrix)

    @cached_property
    def block_loss(self) -> FloatArray:
        """What ball, planar and mid-tree floating joints lose in forward dynamics, (N,), 1 where there is none.

        Raises:
            EvaluationError: The scales were made without the truth's M.
        """
        if self.true_mass_matrix is None:
            raise EvaluationError(_NO_MASS_MATRIX)
        return block_loss(self.mechanism, self.tree, self.true_mass_matrix)

    @cached_property
    def potential_energy_with_mean(self) -> FloatArray:
        """|γ| Σ_l m (end_l + rb), (N,)."""
        return self.potential_energy + self.gravity * float(self.tree.mass.sum()) * self.lengths.mean

    def _wound(self, k: int) -> FloatArray:
        """max(1, |q_k|/π) for the angle of a one-dof or planar joint, 1 for the others, (N,)."""
        joint = self.mechanism.joints[self.tree.joint_of[k]]
        if joint.kind in {"ball", "floating"}:
            return np.ones(len(self))
        angle: FloatArray = self.q[:, joint.q.start + TRANSLATIONS[joint.kind]]
        wound: FloatArray = np.maximum(1.0, np.abs(angle) / np.pi)
        return wound

    def _stretched(self, k: int) -> tuple[Scales, FloatArray]:
        """Return the scales with translation k longer by h, and h, (N,)."""
        h = self.step(k)
        longer = self.travelled.copy()
        longer[:, self.tree.joint_of[k]] += h
        return replace(self, travelled=longer), h


def _rows(lengths: Reach, rows: slice) -> Reach:
    """Return the lengths of some states."""
    return Reach(
        path=lengths.path[rows],
        end=lengths.end[rows],
        origin=lengths.origin[rows],
        mean=lengths.mean[rows],
        lever=lengths.lever[rows],
    )


def _chunked(work: Callable[[slice], FloatArray], count: int, tree: Paths) -> FloatArray:
    """Compute a (count, nv, nv) array a few states at a time, so that temporaries stay small."""
    nv = len(tree.angular)
    size = max(1, _CHUNK_ENTRIES // max(1, nv * nv))
    whole = np.empty((count, nv, nv))
    for start in range(0, count, size):
        whole[start : start + size] = work(slice(start, start + size))
    return whole
