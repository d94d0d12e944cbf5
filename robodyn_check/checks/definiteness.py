"""Is the mass matrix positive definite: of the truth (a property of the model), and of each subject."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.judging import Given, Outcome, Outcomes, skip
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.report.results import Worst
from robodyn_check.tolerance import FACTORS

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.tolerance import Scales

    Flags = npt.NDArray[np.bool_]

#: The name under which the tool's own engine answers; its mass matrix speaks for the model.
REFERENCE = "reference"
#: Rounding units per degree of freedom below which an eigenvalue of the scaled matrix is indistinguishable from 0.
_SINGULAR = 16.0
#: Factor of the mass matrix's scale: an entry below it is rounding noise.
_FACTOR = FACTORS["mass_matrix"].value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spectrum:
    """The smallest eigenvalue of D^-1/2 M D^-1/2 with D = |diag M|, state by state.

    smallest: (N,) NaN where M is not finite. direction: (N, nv) its eigenvector, each joint in the
    unit that gives it inertia 1.
    bound: (N,) how far rounding alone can move it. singular: (N,) it cannot be told from zero.
    """

    smallest: FloatArray
    direction: FloatArray
    bound: FloatArray
    singular: Flags


def spectrum(mass_matrix: FloatArray, scale: FloatArray, eps: float) -> Spectrum:
    """Return the smallest eigenvalue after diagonal scaling, so that grams beside tons do not matter.

    Args:
        mass_matrix: (N, nv, nv).
        scale: S_M, (N, nv, nv).
        eps: Rounding unit of the matrix.
    """
    nv = mass_matrix.shape[1]
    finite = np.asarray(np.isfinite(mass_matrix).all(axis=(1, 2)))
    matrix = np.where(finite[:, None, None], mass_matrix, np.eye(nv))
    diagonal = np.diagonal(matrix, axis1=1, axis2=2)
    noise = eps * np.diagonal(scale, axis1=1, axis2=2)
    vanishing = np.abs(diagonal) <= _FACTOR * noise
    root = np.sqrt(np.where(vanishing, np.maximum(noise, np.finfo(float).tiny), np.abs(diagonal)))
    pair = root[:, :, None] * root[:, None, :]
    values, vectors = np.linalg.eigh((matrix + matrix.transpose(0, 2, 1)) / 2 / pair)
    bound = _FACTOR * eps * (scale / pair).sum(axis=2).max(axis=1)
    # A coordinate whose own inertia is rounding noise is singular whatever the scaled matrix shows.
    alone = np.argmax(vanishing, axis=1)
    direction = np.where(vanishing.any(axis=1)[:, None], np.eye(nv)[alone], vectors[:, :, 0])
    smallest = np.where(vanishing.any(axis=1), 0.0, values[:, 0])
    return Spectrum(
        smallest=np.where(finite, smallest, np.nan),
        direction=direction,
        bound=bound,
        singular=finite & (np.abs(smallest) <= _SINGULAR * nv * eps),
    )


@lru_cache(maxsize=16)
def truth_is_singular(scales: Scales) -> bool:
    """Say whether the truth's own mass matrix is singular at one of the states: then accelerations are not determined.

    Kept for the last few scales: every check of forward dynamics asks.
    """
    truth = scales.true_mass_matrix
    if truth is None or not truth.size:
        return False
    return bool(spectrum(truth, scales.mass_matrix, float(np.finfo(float).eps)).singular.any())


@check(
    code="RD202",
    slug="mass-matrix-positive-definite",
    quantities=("mass_matrix",),
    formula="xᵀ M x > 0 for every x ≠ 0: the smallest eigenvalue after scaling to unit diagonal",
    bound="64 eps ‖S_M / (d dᵀ)‖ with d = √diag M",
    reference="Spong, Hutchinson and Vidyasagar, Robot Modeling and Control (2006), section 7.5.2",
)
class MassMatrixPositiveDefinite:
    """The mass matrix is positive definite.

    What it checks: after scaling to unit diagonal, no eigenvalue of M is negative beyond rounding, and none vanishes
        where the truth's is larger than rounding can hide.
    Why it matters: a motion with negative kinetic energy does not exist; forward dynamics with such an M accelerates
        against the force, and simulators blow up.
    Usual causes: an inertia with a negative principal value; a lost link or rotor; a sign in a parallel-axis term.
    References: Spong, Hutchinson and Vidyasagar (2006), section 7.5.2.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for M at all states."""
        return {"M": ask("mass_matrix", context.states)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Look at the smallest eigenvalue of each state."""
        eps, truth = context.subject.eps, context.scales.true_mass_matrix
        own = spectrum(given["M"], context.scales.mass_matrix, eps)
        if truth_is_singular(context.scales):
            return skip("the model's own mass matrix is singular: see RD203", quantity="mass_matrix")
        lost = np.zeros_like(own.singular)
        if truth is not None:  # an eigenvalue that the subject's precision cannot tell from 0 may vanish
            right = spectrum(truth, context.scales.mass_matrix, eps)
            lost = own.singular & (right.smallest > right.bound)
        return _definite(context, own, bound=np.where(lost, 0.0, own.bound), bad=lost | (own.smallest < -own.bound))


@check(
    code="RD203",
    slug="model-mass-matrix-singular",
    quantities=("mass_matrix",),
    formula="xᵀ M x > 0 for every x ≠ 0, in the truth",
    bound="16 nv eps after scaling to unit diagonal",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 6.2",
)
class ModelMassMatrixDefinite:
    """The model's own mass matrix is positive definite.

    What it checks: the truth's M, scaled to unit diagonal, has no eigenvalue that vanishes or is negative. It speaks
        about the model file, not about a library.
    Why it matters: where M is singular a joint can accelerate without any force, and forward dynamics has no answer;
        what a library then returns is an accident.
    Usual causes: a massless link at the end of a chain; two joints on one axis with nothing between them; an inertia
        of zero about the axis of the last joint.
    References: Featherstone (2008), section 6.2.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask the reference for M; nobody else."""
        return {"M": ask("mass_matrix", context.states)} if context.subject.name == REFERENCE else ""

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Name the joint that moves most in the direction that costs no energy."""
        found = spectrum(given["M"], context.scales.mass_matrix, context.subject.eps)
        return _definite(context, found, bound=np.zeros_like(found.bound), bad=found.singular | (found.smallest < 0))


def _definite(context: JudgeContext, found: Spectrum, *, bound: FloatArray, bad: npt.NDArray[np.bool_]) -> Outcome:
    """Turn a spectrum into an outcome whose worst element is the joint that moves most."""
    if not np.isfinite(found.smallest).any():
        return skip("no mass matrix is finite", quantity="mass_matrix")
    state = int(np.nanargmin(np.where(bad, found.smallest - 1e3, found.smallest)))
    joint = int(np.argmax(np.abs(found.direction[state])))
    name = context.mechanism.dof_names[joint]
    smallest = float(found.smallest[state])
    nature = "singular" if found.singular[state] else "not positive definite"
    message = (
        f"The mass matrix is {nature} at state {state}: '{name}' moves most in the direction with the smallest"
        f" inertia (eigenvalue {smallest:.3g} after scaling to unit diagonal, expected above 0)."
        f" Look at the masses and inertias of the links that '{name}' moves."
    )
    return Outcome(
        verdict="fail" if bad.any() else "pass",
        quantity="mass_matrix",
        message=message if bad.any() else None,
        error=max(0.0, -smallest),
        bound=float(bound[state]),
        margin=None if bad.any() else 0.0,
        worst=Worst(
            index=(joint, joint),
            labels=(name, name),
            got=smallest,
            expected=None,
            bound=float(bound[state]),
            state=state,
        ),
    )
