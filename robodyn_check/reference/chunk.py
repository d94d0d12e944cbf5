"""One chunk of states: what several quantities share, computed when first asked for, and the table of quantities.

Everything is in node order with the state last; engine.py cuts the chunks and turns results into the boundary layout.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.reference import energy, inertia, kinematics
from robodyn_check.reference.aba import forward_dynamics
from robodyn_check.reference.arrays import dot
from robodyn_check.reference.coriolis import coriolis_matrix
from robodyn_check.reference.crba import mass_matrix
from robodyn_check.reference.gravity import gravity_vector
from robodyn_check.reference.jacobian import link_jacobians
from robodyn_check.reference.regressor import joint_torque_regressor
from robodyn_check.reference.rnea import inverse_dynamics

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from robodyn_check.reference.tree import Tree

    Array = npt.NDArray[Any]


class Chunk:
    """B states of one robot."""

    def __init__(self, tree: Tree, q: Array, v: Array, a: Array, tau: Array, *, gravity: Array) -> None:
        """Keep the states: q (nq, B), the others (n, B) in node order, gravity (3,)."""
        self.tree = tree
        self.q, self.v, self.a, self.tau = q, v, a, tau
        self.gravity = gravity
        self.singular: dict[int, str] = {}

    @cached_property
    def positions(self) -> kinematics.Kinematics:
        """Frames and node motions."""
        return kinematics.kinematics(self.tree, self.q)

    @cached_property
    def motion(self) -> kinematics.Velocities:
        """Body velocities."""
        return kinematics.velocities(self.tree, self.positions, self.v)

    @cached_property
    def own(self) -> inertia.Inertias:
        """Bodies about their own origins."""
        return inertia.inertias_at_bodies(self.tree, self.positions)

    @cached_property
    def about_o(self) -> inertia.Inertias:
        """Bodies about the reference point."""
        return inertia.inertias_at_origin(self.own, self.positions)

    @cached_property
    def subtree(self) -> inertia.Inertias:
        """Composites at the nodes."""
        return inertia.composites(self.tree, self.about_o)

    @cached_property
    def momenta(self) -> Array:
        """I^c S of every node, (6, n, B)."""
        return inertia.momentum(self.subtree, self.positions.S)

    def rnea(self, a: Array | None, gravity: Array) -> Array:
        """Inverse dynamics at the chunk's q and v."""
        return inverse_dynamics(self.tree, self.positions, self.motion, self.about_o, self.v, a, gravity)

    def forward(self) -> Array:
        """Accelerations; NaN, and an entry in ``singular`` (row -> joint), where a joint feels no inertia."""
        a, D = forward_dynamics(self.tree, self.positions, self.motion, self.own, self.v, self.tau, self.gravity)
        if D.dtype.kind == "f":  # balls cannot be compared with zero like this; certification looks at its own pivots
            rounding = 8 * self.tree.n * np.finfo(D.dtype).eps
            carried = np.abs(dot(self.positions.S, self.momenta) + self.tree.armature[:, None])
            felt = np.abs(D) > rounding * carried
            for row in np.flatnonzero(~felt.all(axis=0)):
                a[:, row] = np.nan
                self.singular[int(row)] = self.tree.names[int(np.flatnonzero(~felt[:, row])[-1])]
        return a


#: What each quantity is, in the chunk's layout (*shape, B); with room to write into where the result is large.
COMPUTE: dict[str, Callable[[Chunk, Array | None], Array]] = {
    "link_poses": lambda c, _: kinematics.link_poses(c.tree, c.positions),
    "link_jacobians": lambda c, out: link_jacobians(c.tree, c.positions, out=out),
    "mass_matrix": lambda c, out: mass_matrix(c.tree, c.positions, c.momenta, out=out),
    "coriolis_matrix": lambda c, out: coriolis_matrix(
        c.tree, c.positions, c.motion, c.v, c.about_o, c.subtree, c.momenta, out=out
    ),
    "coriolis_force": lambda c, _: c.rnea(None, c.gravity * 0),
    "bias_force": lambda c, _: c.rnea(None, c.gravity),
    "gravity_vector": lambda c, _: gravity_vector(c.positions, c.subtree, c.gravity),
    "inverse_dynamics": lambda c, _: c.rnea(c.a, c.gravity),
    "forward_dynamics": lambda c, _: c.forward(),
    "joint_torque_regressor": lambda c, out: joint_torque_regressor(
        c.tree, c.positions, c.motion, c.v, c.a, c.gravity, out=out
    ),
    "kinetic_energy": lambda c, _: energy.kinetic_energy(c.tree, c.positions, c.motion, c.v),
    "potential_energy": lambda c, _: energy.potential_energy(c.tree, c.positions, c.gravity),
}
