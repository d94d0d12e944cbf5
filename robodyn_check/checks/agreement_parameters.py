"""Two subjects must find the same inertial parameters identifiable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check import tolerance
from robodyn_check.checks.judging import Given, Outcome, Outcomes, skip
from robodyn_check.checks.labels import axis_names
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes

#: Singular values below this share of the largest are zero, after columns are scaled to unit length; and what rounding
#: may leave of a scaled column.
RANK_TOLERANCE = 1e-9
#: Singular values within this factor of the tolerance are of no rank that could be agreed on.
_UNCLEAR = 100.0
#: Columns above which ranks are not computed: it takes their cube.
_MOST_COLUMNS = 1500


@check(
    code="RD353",
    slug="base-parameters-agreement",
    quantities=("joint_torque_regressor",),
    formula="rank [Y_1; …; Y_N] and its columns of zeros are the same; each null space annihilates the other's Y",
    bound="columns: 64 eps S_Y; singular values: 1e-9 of the largest, or 64 eps if that is more",
    reference="Gautier, Numerical calculation of the base inertial parameters of robots (1991)",
)
class BaseParametersAgreement:
    """Two regressors see the same base parameters.

    What it checks: stacked over all states, the regressors of two subjects have the same columns of zeros and the same
        rank, and one's combinations of parameters without effect have none in the other.
    Why it matters: which parameters can be identified is a property of the robot; if two libraries disagree, one of
        them would identify what does not exist, or miss what does.
    Usual causes: columns in another order; columns of a welded link filled; a link's columns lost in a merge.
    References: Gautier (1991).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for Y at all states."""
        return {"Y": ask("joint_torque_regressor", context.states)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare zeros, rank, and null spaces."""
        names = axis_names(context.mechanism, "10*nl")
        quantity = "joint_torque_regressor"
        if len(names) > _MOST_COLUMNS:
            return skip(
                f"ranks are not computed above {_MOST_COLUMNS} columns; here are {len(names)}", quantity=quantity
            )
        mine, theirs = _stacked(given["Y"]), _stacked(given.theirs["Y"])
        if not len(mine) or len(mine) != len(theirs):
            return skip("no value that both sides have", quantity=quantity)
        other = context.against.name if context.against else ""
        rounding = _rounding(context, given)
        zero = [np.linalg.norm(part, axis=0) <= rounding for part in (mine, theirs)]
        differing = np.flatnonzero(zero[0] != zero[1])
        if differing.size:
            name, silent = names[differing[0]], zero[0][differing[0]]
            here, there = ("no", "an") if silent else ("an", "no")
            text = f"Parameter {name} has {here} effect on any torque here, and {there} effect for {other}"
            text += f"; {differing.size} such columns."
            return Outcome(verdict="fail", quantity=quantity, message=text, error=float(differing.size), bound=0.0)
        present = ~zero[1]
        tolerable = max(RANK_TOLERANCE, tolerance.factor(quantity, dofs=context.mechanism.nv) * _eps(context))
        # A column that is little more than its rounding must not be blown up to unit length: it would be noise.
        length = np.maximum(np.linalg.norm(theirs, axis=0), rounding / tolerable)[present]
        scaled = [part[:, present] / length for part in (mine, theirs)]
        (rank, vague, largest, _), (other_rank, other_vague, _, basis) = (_rank(part, tolerable) for part in scaled)
        if vague or other_vague:
            return skip(
                f"the rank is not clear: singular values lie around {tolerable:.0e} of the largest", quantity=quantity
            )
        leak = np.abs(scaled[0] - (scaled[0] @ basis.T) @ basis).max(initial=0.0)
        bound = _UNCLEAR * tolerable * largest
        failed = rank != other_rank or leak > bound
        text = (
            f"{rank} base parameters, and {other_rank} for {other}; combinations without effect there have up to"
            f" {leak:.2g} here, where {bound:.2g} is rounding."
        )
        return Outcome(
            verdict="fail" if failed else "pass",
            quantity=quantity,
            message=text if failed else f"{rank} base parameters of {len(names)}.",
            error=float(leak),
            bound=float(bound),
            margin=None if rank != other_rank else float(leak / bound),
        )


def _rounding(context: JudgeContext, given: Given) -> FloatArray:
    """Return the length that rounding alone may give to each stacked column, (columns,)."""
    finite = np.isfinite(given["Y"]).all(axis=(1, 2)) & np.isfinite(given.theirs["Y"]).all(axis=(1, 2))
    size = np.linalg.norm(_stacked(context.scales.joint_torque_regressor[finite]), axis=0)
    allowed: FloatArray = tolerance.factor("joint_torque_regressor", dofs=context.mechanism.nv) * size
    return allowed * _eps(context)


def _eps(context: JudgeContext) -> float:
    """Return the rounding unit of a difference of the two."""
    return context.subject.eps + (0.0 if context.against is None else context.against.eps)


def _stacked(regressors: FloatArray) -> FloatArray:
    """Return the finite states' Y on top of each other, (rows, columns)."""
    finite = np.isfinite(regressors).all(axis=(1, 2))
    return regressors[finite].reshape(-1, regressors.shape[2])


def _rank(matrix: FloatArray, tolerable: float) -> tuple[int, bool, float, FloatArray]:
    """Return the rank, whether it is unclear, the largest singular value, and an orthonormal basis of the row space."""
    triangle = np.asarray(np.linalg.qr(matrix, mode="r"))
    _, singular, rows = np.linalg.svd(triangle, full_matrices=False)
    share = singular / singular.max(initial=1e-300)
    rank = int((share > tolerable).sum())
    unclear = bool(((share < tolerable * _UNCLEAR) & (share > tolerable / _UNCLEAR)).any())
    return rank, unclear, float(singular.max(initial=0.0)), rows[:rank]
