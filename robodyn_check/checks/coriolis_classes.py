"""Which Coriolis matrix a subject returns: Christoffel's, another skew one, one with the right product, or none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.coriolis import mass_matrix_rate
from robodyn_check.checks.derivatives import stencil
from robodyn_check.checks.forces import bracket, dot, times, velocity_force_of, velocity_probes
from robodyn_check.checks.judging import Given, Outcome, Outcomes, compare
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.checks.structure import TOO_LARGE, rate_states

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.requests import Request
    from robodyn_check.states import StateBatch

#: Declarations from weak to strong; each needs its own property and all before it.
_CLASSES = ("any", "skew", "christoffel")
_NAMES = {
    "": "no Coriolis matrix of this robot: its product with v is wrong",
    "any": "a factorisation with the right product that is not skew",
    "skew": "a skew factorisation that is not Christoffel's",
    "christoffel": "Christoffel's matrix",
}


def _rate_probes(context: ProbeContext, batch: StateBatch) -> dict[str, Request]:
    """Ask for C at, and M around, some states."""
    return {
        "C": ask("coriolis_matrix", batch),
        "dM": stencil(context.mechanism, batch, degree=2).request("mass_matrix", batch),
    }


def _other_velocity(batch: StateBatch) -> FloatArray:
    """Return a second velocity of each state, (N, nv), not parallel to its own."""
    other: FloatArray = np.roll(batch.v, 1, axis=1) + batch.a / 4
    return other


@check(
    code="RD421",
    slug="coriolis-class",
    quantities=("coriolis_matrix", "mass_matrix"),
    formula="C v right; Mdot = C + Cᵀ; C(v) w - C(w) v = M [v, w]: how many of the three hold",
    bound="those of RD405, RD401 and RD402",
    reference="Ortega and Spong, Adaptive motion control of rigid robots (1989)",
)
class CoriolisClass:
    """The Coriolis matrix is of the class that is declared, or better.

    What it checks: the matrix is put into its class by three properties of the library's own answers: the right product
        with v, skew symmetry of Mdot - 2C, and freedom from torsion. The class found is in the message, also when it
        passes. Weaker than declared is a fail.
    Why it matters: infinitely many matrices give the same C v. Passivity-based control needs a skew one, comparison
        between libraries Christoffel's; a library seldom says which it returns.
    Usual causes: C assembled by scaling columns of the force; another skew factorisation taken for Christoffel's.
    References: Ortega and Spong (1989); Echeandia and Wensing (2021) for Christoffel's.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for C at two velocities, C v, M at and around the few states."""
        batch = rate_states(context)
        if not len(batch):
            return TOO_LARGE
        return {
            **_rate_probes(context, batch),
            "C of w": ask("coriolis_matrix", batch, v=_other_velocity(batch)),
            "M": ask("mass_matrix", batch),
            **{f"product {name}": request for name, request in velocity_probes(context, batch).items()},
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Find the class and compare it with the declared one."""
        held = ""
        found: list[Outcome] = []
        for name, property_of in zip(_CLASSES, (_product, _skew, _torsion_free), strict=True):
            outcome = property_of(context, given)
            found.append(outcome)
            if outcome.verdict != "pass":
                break
            held = name
        required = _CLASSES.index(context.subject.coriolis) + 1
        text = f"It is {_NAMES[held]}."
        if len(found) < required or any(outcome.verdict != "pass" for outcome in found[:required]):
            lost = next(outcome for outcome in found if outcome.verdict != "pass")
            declared = f"The subject declares its C to be '{context.subject.coriolis}'. {text}"
            return replace(lost, message=f"{declared} {lost.message}")
        worst = max(found[:required], key=lambda outcome: outcome.margin or 0.0)
        return replace(worst, message=text)


def _product(context: JudgeContext, given: Given) -> Outcome:
    """Compare C v with the force that the subject gives otherwise."""
    batch = rate_states(context)
    rows, scales = slice(len(batch)), context.few_scales
    mine = {name.removeprefix("product "): given[name] for name in given.mine if name.startswith("product ")}
    return compare(
        context,
        times(given["C"], batch.v),
        velocity_force_of(Given(mine=mine), batch.v),
        quantity="coriolis_matrix",
        scale=(scales.coriolis_force + (scales.gravity_vector if "bias_force" in mine else 0.0))[rows],
        factor="coriolis_times_velocity_is_coriolis_force",
        batch=batch,
        labels=lambda index: (context.mechanism.dof_names[index[0]],),
        name="C v",
    )


def _skew(context: JudgeContext, given: Given) -> Outcome:
    """Compare C + Cᵀ with Mdot."""
    batch = rate_states(context)
    rows = slice(len(batch))
    size = context.few_scales.coriolis_matrix[rows]
    return compare(
        context,
        given["C"] + given["C"].transpose(0, 2, 1),
        mass_matrix_rate(context, batch, given["dM"]),
        quantity="coriolis_matrix",
        scale=context.few_scales.mass_matrix_rate()[rows] + size + size.transpose(0, 2, 1),
        factor="rate_is_coriolis_plus_transpose",
        batch=batch,
        name="C + Cᵀ",
    )


def _torsion_free(context: JudgeContext, given: Given) -> Outcome:
    """Compare C(v) w with C(w) v + M [v, w]."""
    batch, scales = rate_states(context), context.few_scales
    rows, v, w = slice(len(batch)), batch.v, _other_velocity(batch)
    turn = bracket(context.mechanism, v, w)
    all_w = np.zeros_like(context.few.v)
    all_w[rows] = w
    size = times(scales.coriolis_matrix[rows], np.abs(w))
    size += times(scales.coriolis_matrix_at(all_w)[rows], np.abs(v))
    return compare(
        context,
        times(given["C"], w),
        times(given["C of w"], v) + times(given["M"], turn),
        quantity="coriolis_matrix",
        scale=size + times(scales.mass_matrix[rows], np.abs(turn)),
        factor="torsion_free",
        batch=batch,
        labels=lambda index: (context.mechanism.dof_names[index[0]],),
        name="C(v) w",
    )


@check(
    code="RD422",
    slug="coriolis-no-work",
    quantities=("coriolis_matrix", "mass_matrix"),
    formula="vᵀ (Mdot - 2C) v = 0, for every factorisation",
    bound="16 eps |v|ᵀ (S_Mdot + S_C + S_Cᵀ) |v|",
    reference="Ortega and Spong, Adaptive motion control of rigid robots (1989)",
)
class CoriolisNoWork:
    """Velocity-product forces change the energy only as the mass matrix changes.

    What it checks: vᵀ C v is half of vᵀ Mdot v, with Mdot from the library's own M, without truncation error. It holds
        for every factorisation, also where sᵀ (Mdot - 2C) s = 0 for other vectors s does not.
    Why it matters: it is the conservation of energy, the one thing that no choice of C may break.
    Usual causes: damping inside C; a factor of 2; a C of another velocity or pose.
    References: Ortega and Spong (1989).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for C at, and M around, the few states."""
        batch = rate_states(context)
        return _rate_probes(context, batch) if len(batch) else TOO_LARGE

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the two powers."""
        batch = rate_states(context)
        rows, v, scales = slice(len(batch)), batch.v, context.few_scales
        u = np.abs(v)
        size = scales.mass_matrix_rate()[rows] + 2 * scales.coriolis_matrix[rows]
        return compare(
            context,
            2 * dot(v, times(given["C"], v)),
            dot(v, times(mass_matrix_rate(context, batch, given["dM"]), v)),
            quantity="coriolis_matrix",
            scale=dot(u, times(size, u)),
            factor="skew_scalar",
            batch=batch,
            labels=lambda _: (),
            name="2 vᵀ C v",
        )
