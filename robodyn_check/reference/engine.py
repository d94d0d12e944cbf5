"""The reference as callers see it: quantities of a batch of states, in the boundary layout.

Inside, the state is the last axis and the coordinates are in the order of nodes; here arrays come in and go out as
(N, ...), in the order of q and v. The states are worked off in chunks, so that memory beside the results stays flat,
and what several quantities share (kinematics, velocities, composites) is computed once a chunk.

M, C, Y and the link Jacobians grow with the square of the robot's size and are refused above `LARGEST_DENSE`.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.errors import EvaluationError
from robodyn_check.quantities import QUANTITIES
from robodyn_check.reference.arrays import zeros
from robodyn_check.reference.chunk import COMPUTE, Chunk
from robodyn_check.reference.memory import keep_memory, small_buffers
from robodyn_check.reference.tree import build_tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.reference.tree import Tree

    Array = npt.NDArray[Any]

#: Degrees of freedom above which M, C, Y and J are not computed: at 300, Y of one state is already 7 MB.
LARGEST_DENSE = 300
_DENSE = frozenset({"mass_matrix", "coriolis_matrix", "joint_torque_regressor", "link_jacobians"})
#: States of one chunk: enough that NumPy's cost per call does not count, few enough for a processor's cache.
_CHUNK = 1000
#: States times nodes of one chunk; with about 500 numbers a node the working set stays at some 60 MB.
_CHUNK_NODES = 16000
#: The same for each depth of the tree: a long chain takes so many steps in Python that fewer states would not pay.
_CHUNK_LEVELS = 30


def evaluate(
    mechanism: Mechanism,
    quantity: str,
    q: Array,
    v: Array | None = None,
    a: Array | None = None,
    tau: Array | None = None,
    *,
    gravity: Sequence[float] | None = None,
) -> Array:
    """Return one quantity at N states.

    Args:
        mechanism: The robot.
        quantity: A name of `QUANTITIES`.
        q: (N, nq) rad or m; a quaternion that is not of unit length is normalised.
        v: (N, nv); None: zero.
        a: (N, nv); None: zero.
        tau: (N, nv); None: zero.
        gravity: m/s², world axes; None: the mechanism's.

    Returns:
        (N, *shape of the quantity).

    Raises:
        EvaluationError: The quantity is not defined at a state (no inertia at a joint), or too large.
    """
    return evaluate_many(mechanism, (quantity,), q, v, a, tau, gravity=gravity)[quantity]


def evaluate_many(
    mechanism: Mechanism,
    quantities: Sequence[str],
    q: Array,
    v: Array | None = None,
    a: Array | None = None,
    tau: Array | None = None,
    *,
    gravity: Sequence[float] | None = None,
) -> dict[str, Array]:
    """Return several quantities of the same states; arguments and errors as in `evaluate`."""
    values, singular = evaluate_rows(mechanism, quantities, q, v, a, tau, gravity=gravity)
    for row, joint in singular.items():
        raise EvaluationError(no_inertia(joint, row))
    return values


def no_inertia(joint: str, row: int) -> str:
    """Return the text for a state at which the acceleration is not defined."""
    return (
        f"forward dynamics is not defined at state {row}: joint {joint!r} feels no inertia (the mass matrix is "
        "singular there). Give the links that it moves a mass and an inertia, or fix the joint."
    )


def evaluate_rows(
    mechanism: Mechanism,
    quantities: Sequence[str],
    q: Array,
    v: Array | None = None,
    a: Array | None = None,
    tau: Array | None = None,
    *,
    gravity: Sequence[float] | None = None,
) -> tuple[dict[str, Array], dict[int, str]]:
    """Return the quantities, and the states at which forward dynamics is singular (row -> joint; NaN there)."""
    for quantity in quantities:
        check_size(mechanism, quantity)
    tree = build_tree(mechanism)
    pull = mechanism.gravity if gravity is None else np.array(list(gravity))
    N = q.shape[0]
    inputs = [q.T, *(tree.to_nodes(_transposed(given, mechanism.nv, q)) for given in (v, a, tau))]
    step = _chunk_size(N, tree)
    results: dict[str, Array] = {}
    singular: dict[int, str] = {}
    keep_memory()
    with small_buffers():
        for start in range(0, max(N, 1), step):
            rows = slice(start, start + step)
            parts = [_at_least_two(entry[:, rows]) for entry in inputs]
            chunk = Chunk(tree, *parts, gravity=pull)
            for quantity in quantities:
                if quantity not in results:
                    results[quantity] = zeros(chunk.positions.S, (*_inner_shape(mechanism, quantity), N))
                out = results[quantity][..., rows]
                value = COMPUTE[quantity](chunk, out if out.shape[-1] == chunk.q.shape[1] else None)
                if value is not out:
                    out[...] = value[..., : out.shape[-1]]
            singular.update({start + row: joint for row, joint in chunk.singular.items() if start + row < N})
    for quantity, value in results.items():
        shape = QUANTITIES[quantity].shape
        ordered = tree.from_nodes(value, *(axis for axis, entry in enumerate(shape) if entry == "nv"))
        flat = ordered.reshape((*_outer_shape(mechanism, quantity), N))
        results[quantity] = np.moveaxis(flat, -1, 0)
    return results, singular


def _chunk_size(N: int, tree: Tree) -> int:
    """Return the states of one chunk: all of one size, for a last one of few states would not pay."""
    most = max(2, min(_CHUNK, max(_CHUNK_NODES, _CHUNK_LEVELS * len(tree.levels)) // max(1, tree.n)))
    chunks = max(1, ceil(N / most))
    return max(2, ceil(N / chunks))


def _at_least_two(states: Array) -> Array:
    """Return states (x, B) contiguous, a single one of doubles twice.

    NumPy sums a contraction in another order where the last axis has length 1; so a state gives the same bits alone and
    in company.
    """
    alone = states.shape[1] == 1 and states.dtype.kind == "f"
    return np.repeat(states, 2, axis=1) if alone else np.ascontiguousarray(states)


def _transposed(given: Array | None, nv: int, q: Array) -> Array:
    """Return (nv, N) from (N, nv); zeros for what is not given."""
    return zeros(q, (nv, q.shape[0])) if given is None else given.T


def _inner_shape(mechanism: Mechanism, quantity: str) -> tuple[int, ...]:
    """Return the shape of one state inside: the regressor's columns are still (nl, 10)."""
    sizes = {"nv": (mechanism.nv,), "nl": (mechanism.nl,), "10*nl": (mechanism.nl, 10)}
    return tuple(size for entry in QUANTITIES[quantity].shape for size in sizes.get(entry) or (int(entry),))


def _outer_shape(mechanism: Mechanism, quantity: str) -> tuple[int, ...]:
    """Return the shape of one state at the boundary."""
    sizes = {"nv": mechanism.nv, "nl": mechanism.nl, "10*nl": 10 * mechanism.nl}
    return tuple(sizes[entry] if entry in sizes else int(entry) for entry in QUANTITIES[quantity].shape)


def check_size(mechanism: Mechanism, quantity: str) -> None:
    """Raise EvaluationError for a matrix quantity of a robot that is too large for it."""
    if quantity in _DENSE and mechanism.nv > LARGEST_DENSE:
        raise EvaluationError(
            f"{quantity} is not computed above {LARGEST_DENSE} degrees of freedom, and this robot has {mechanism.nv}; "
            "poses, bias force, inverse and forward dynamics are."
        )
