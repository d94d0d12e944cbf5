"""Base parameters: which inertial parameters of a robot its joint torques can tell apart.

Stack the regressor over many states, A = [Y(q_1, v_1, a_1); …], (states · nv, 10 nl). A column that is zero everywhere
is a parameter without effect. The rank of A, counted as singular values above 1e-9 of the largest after each column is
scaled to unit length, is the number of base parameters; a QR factorisation with column pivoting chooses that many
columns, and expresses every other parameter as a combination of them: A_rest = A_base B.

Source: Gautier (1991), Numerical calculation of the base inertial parameters of robots; Atkeson, An and Hollerbach
(1986) for the regressor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.labels import axis_names
from robodyn_check.errors import EvaluationError
from robodyn_check.reference.engine import evaluate
from robodyn_check.states import draw_states
from robodyn_check.tolerance import factor, scales

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism

    FloatArray = npt.NDArray[np.float64]

#: Singular values below this share of the largest count as zero; columns are scaled to unit length before.
RANK_TOLERANCE = 1e-9
#: A coefficient of a combination below this is rounding.
COEFFICIENT_TOLERANCE = 1e-8
#: Columns above which the factorisation is left out: it takes their cube.
MOST_COLUMNS = 1500


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterStudy:
    """Names are ``link.parameter``, as everywhere.

    rank: number of base parameters. without_effect: parameters that no torque shows. base_parameters: the independent
    ones, each with the others that it absorbs, (name, ((other, coefficient), …)). condition: of the chosen columns.
    """

    rank: int
    columns: int
    without_effect: tuple[str, ...]
    base_parameters: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]
    condition: float


def parameter_study(mechanism: Mechanism, *, poses: int = 40, seed: int = 0) -> ParameterStudy:
    """Find the base parameters from the reference's regressor.

    Args:
        mechanism: The robot.
        poses: States to stack; more are taken where the robot has many parameters.
        seed: Of the states.

    Raises:
        EvaluationError: The robot is too large.
    """
    columns = 10 * mechanism.nl
    if columns > MOST_COLUMNS:
        raise EvaluationError(f"base parameters are not computed above {MOST_COLUMNS} columns; here are {columns}")
    states = draw_states(mechanism, count=max(poses, 3 * columns // max(1, mechanism.nv)), seed=seed)
    Y = evaluate(mechanism, "joint_torque_regressor", states.q, states.v, states.a)  # noqa: N806 - the glossary's letter
    size = np.linalg.norm(scales(mechanism, states).joint_torque_regressor.reshape(-1, columns), axis=0)
    rounding = factor("joint_torque_regressor", dofs=mechanism.nv) * np.finfo(float).eps * size
    return study_of(Y.reshape(-1, columns), axis_names(mechanism, "10*nl"), rounding=rounding)


def study_of(stacked: FloatArray, names: tuple[str, ...], *, rounding: FloatArray | float = 0.0) -> ParameterStudy:
    """Study a stacked regressor.

    Args:
        stacked: (rows, columns).
        names: One per column.
        rounding: The length that rounding alone may give to a column, (columns,).
    """
    length = np.linalg.norm(stacked, axis=0)
    present = np.flatnonzero(length > rounding)
    scaled = stacked[:, present] / length[present]
    rank, chosen, coefficients = _pivoted(scaled)
    base, rest = present[chosen[:rank]], present[chosen[rank:]]
    in_units = coefficients * (length[rest][None] / length[base][:, None])  # parameter of rest per parameter of base
    size = np.abs(coefficients)
    order = np.argsort(base)
    found = tuple(
        (
            names[base[row]],
            tuple(
                (names[rest[k]], float(in_units[row, k]))
                for k in np.argsort(rest)
                if size[row, k] > COEFFICIENT_TOLERANCE
            ),
        )
        for row in order
    )
    return ParameterStudy(
        rank=rank,
        columns=stacked.shape[1],
        without_effect=tuple(names[k] for k in np.flatnonzero(length <= rounding)),
        base_parameters=found,
        condition=float(np.linalg.cond(scaled[:, chosen[:rank]])) if rank else 1.0,
    )


def _pivoted(matrix: FloatArray) -> tuple[int, npt.NDArray[np.intp], FloatArray]:
    """Return the rank, the columns in pivot order, and B of A_rest = A_base B, by Householder reflections of R."""
    triangle = np.asarray(np.linalg.qr(matrix, mode="r"))  # A = Q R: columns of R carry all that is needed
    singular = np.linalg.svd(triangle, compute_uv=False)
    rank = int((singular > RANK_TOLERANCE * singular.max(initial=0.0)).sum())
    order = np.arange(triangle.shape[1])
    work = triangle.copy()
    for step in range(rank):
        pivot = step + int(np.argmax(np.linalg.norm(work[step:, step:], axis=0)))
        work[:, [step, pivot]] = work[:, [pivot, step]]
        order[[step, pivot]] = order[[pivot, step]]
        v = work[step:, step].copy()
        v[0] += np.copysign(np.linalg.norm(v), v[0])
        v /= np.linalg.norm(v)
        work[step:, step:] -= 2.0 * np.outer(v, v @ work[step:, step:])
    return rank, order, np.linalg.solve(work[:rank, :rank], work[:rank, rank:]) if rank else np.zeros((0, 0))
