"""Armature on ball and floating joints: the velocity-product terms that go with its kinetic energy.

Armature α adds ½ α |v|² to the kinetic energy, v the joint's own velocity coordinates. Between one-dof joints that is
α on the diagonal of M and no more. A ball's or a floating joint's coordinates are in the turning child frame, and

    force:   α ω × v on the translations of a floating joint, nothing on rotations
    C:       α [ω] between its translations, ½ α [ω] between rotations (torsion-free, as coriolis.py)

So an armature on a free joint acts as in MuJoCo, whose free joint counts its translations in world axes: M there is α 1
without velocity products, and v_world = R v gives these terms.

Source: the Euler-Poincaré equations of ½ α |v|² (Marsden and Ratiu (1999), section 13.5), in one joint's coordinates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robodyn_check.reference.arrays import cross, zeros

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from robodyn_check.reference.tree import Tree

    Array = npt.NDArray[Any]


def armature_force(tree: Tree, v: Array) -> Array:
    """Return the velocity-product force of armature, (n, B); v: (n, B)."""
    force = zeros(v, v.shape)
    for moved, turning, share in _triples(tree):
        if moved is not turning:
            force[moved] = share * cross(v[turning], v[moved])
    return force


def add_armature(tree: Tree, v: Array, C: Array) -> None:
    """Add armature's part to C (n, n, B), in place; v: (n, B)."""
    for moved, turning, share in _triples(tree):
        w, start = v[turning], moved.start
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            C[start + k, start + j] += share * w[i]
            C[start + j, start + k] -= share * w[i]


def _triples(tree: Tree) -> Iterator[tuple[slice, slice, Any]]:
    """Return (three nodes, the three of the joint's ω, factor of [ω]) wherever there is armature."""
    for body, kind in enumerate(tree.kinds):
        if kind in {"ball", "floating"} and bool(tree.armature[tree.nodes[body].start] != 0):
            stop = tree.nodes[body].stop
            turning = slice(stop - 3, stop)
            share = tree.armature[stop - 1]
            yield turning, turning, share / 2
            if kind == "floating":
                yield slice(stop - 6, stop - 3), turning, share
