"""Bounds that no pose can exceed: the largest eigenvalue of M, and the length of g."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.judging import Given, Outcomes, compare, skip
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.tolerance.uniform import gravity_bound, inertia_bound

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import Probes


@check(
    code="RD206",
    slug="mass-matrix-upper-bound",
    quantities=("mass_matrix",),
    formula="λmax(M) ≤ max armature + Σ_l [ m_l Σ_j r_jl² + n_l λmax(I_c,l) ]",
    bound="the right-hand side, plus 64 eps ‖S_M‖",
    reference="Ghorbel, Srinivasan and Spong, On the uniform boundedness of the inertia matrix (1998)",
)
class MassMatrixUpperBound:
    """No pose is heavier than the lengths of the links allow.

    What it checks: the largest eigenvalue of M stays below a bound made of masses, path lengths and inertias alone, the
        path from joint j to the centre of mass of link l being r_jl long.
    Why it matters: robust and adaptive controllers take a constant from this bound; a matrix above it is not of this
        robot, whatever the pose. Units that are wrong by a factor (millimetres, grams) show here at once.
    Usual causes: lengths or masses in other units; armature counted twice; a joint's offset applied twice.
    References: Ghorbel, Srinivasan and Spong (1998); the triangle inequality along the path instead of their cases.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for M at all states."""
        return {"M": ask("mass_matrix", context.states)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the largest eigenvalue, where it is above the bound, with the bound."""
        finite = np.asarray(np.isfinite(given["M"]).all(axis=(1, 2)))
        if not finite.any():
            return skip("no mass matrix is finite", quantity="mass_matrix")
        matrix = np.where(finite[:, None, None], given["M"], 0.0)
        largest = np.linalg.eigvalsh((matrix + matrix.transpose(0, 2, 1)) / 2)[:, -1]
        bound = inertia_bound(context.scales.tree, context.scales.lengths)
        return compare(
            context,
            np.where(finite, np.maximum(largest, bound), np.nan),
            bound,
            quantity="mass_matrix",
            scale=np.linalg.norm(context.scales.mass_matrix, ord=2, axis=(1, 2)),
            factor="mass_matrix",
            labels=lambda _: (),
            name="the largest eigenvalue of mass_matrix",
            advice="The expected value is what masses and lengths allow in any pose.",
        )


@check(
    code="RD419",
    slug="gravity-upper-bound",
    quantities=("gravity_vector",),
    formula="‖g‖ ≤ |γ| Σ_l m_l (Σ_j r_jl²)^½",
    bound="the right-hand side, plus 32 eps ‖S_g‖",
    reference="Spong, Hutchinson and Vidyasagar, Robot Modeling and Control (2006), section 7.5.2",
)
class GravityUpperBound:
    """No pose needs more torque against gravity than weights and lengths allow.

    What it checks: the length of the gravity vector stays below the weights times the path lengths.
    Why it matters: it is the constant that motors are chosen by and that set-point controllers need; a vector beyond it
        has wrong units or is not of this robot.
    Usual causes: lengths or masses in other units; gravity counted twice; a joint's offset applied twice.
    References: Spong, Hutchinson and Vidyasagar (2006), section 7.5.2.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for g at all states."""
        return {"g": ask("gravity_vector", context.states)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the length of g, where it is above the bound, with the bound."""
        bound = gravity_bound(context.scales.tree, context.scales.lengths, float(np.linalg.norm(context.gravity)))
        return compare(
            context,
            np.maximum(np.linalg.norm(given["g"], axis=1), bound),
            bound,
            quantity="gravity_vector",
            scale=np.linalg.norm(context.scales.gravity_vector, axis=1),
            factor="gravity_vector",
            labels=lambda _: (),
            name="the length of gravity_vector",
            advice="The expected value is what weights and lengths allow in any pose.",
        )
