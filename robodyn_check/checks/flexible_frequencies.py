"""Frequencies of elastic joints from a subject's own accelerations, and the agreement of two elastic subjects.

At rest and without gravity the accelerations are linear in the springs' deflections, exactly: one question a joint,
with that spring alone deflected, gives the matrix of d̈ = -X d, d = q - θ, whose eigenvalues are the squares of the
elastic frequencies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check import tolerance
from robodyn_check.checks.agreement import agree, pair_eps, probe
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Outcome, Probes
    from robodyn_check.model.elastic import Springs
    from robodyn_check.requests import Request
    from robodyn_check.states import StateBatch
    from robodyn_check.tolerance import Scales

#: Every spring is deflected by this, rad or m; linear, so the size is free.
DEFLECTION = 1.0
_NO_GRAVITY = (0.0, 0.0, 0.0)


def deflected(batch: StateBatch, n: int) -> Request:
    """Ask for the accelerations from rest with one spring deflected after the other, (n N, 2n), gravity off."""
    q = np.tile(batch.q, (n, 1))
    for k in range(n):
        rows = slice(k * len(batch), (k + 1) * len(batch))
        q[rows, n:] = q[rows, :n]
        q[rows, n + k] += DEFLECTION
    nothing = np.zeros_like(q)
    return ask("forward_dynamics", batch, q=q, v=nothing, tau=nothing, gravity=_NO_GRAVITY)


def squared_frequencies(springs: Springs, accelerations: FloatArray) -> FloatArray:
    """Return ω² of each state, ascending, (N, n) rad²/s², from the answer to `deflected`.

    Args:
        springs: The springs.
        accelerations: (n N, 2n).
    """
    n = springs.n
    stacked = accelerations.reshape(n, -1, 2 * n)
    matrix = (stacked[:, :, :n] - stacked[:, :, n:]).transpose(1, 2, 0) / DEFLECTION  # (N, n, n), column: the spring
    return eigenvalues(_balanced(springs, matrix))


def eigenvalues(matrix: FloatArray) -> FloatArray:
    """Return the eigenvalues of nearly symmetric matrices, ascending, (N, n); NaN where an entry is not finite."""
    finite = np.asarray(np.isfinite(matrix).all(axis=(1, 2)))
    usable = np.where(finite[:, None, None], matrix, 0.0)
    values = np.linalg.eigvalsh((usable + usable.transpose(0, 2, 1)) / 2)
    return np.where(finite[:, None], values, np.nan)


def _balanced(springs: Springs, matrix: FloatArray) -> FloatArray:
    """Return K^½ X K^-½, which is symmetric."""
    root = np.sqrt(springs.stiffness)
    return root[:, None] * matrix / root


def error_scale(springs: Springs, scales: Scales, accelerations: FloatArray) -> FloatArray:
    """Return how much of eps · K each ω² may be off, (N, 1): the Frobenius norm of the entries' own scales (Weyl).

    Args:
        springs: The springs.
        scales: At the N states whose positions `deflected` asked at.
        accelerations: (n N, 2n), the answer.
    """
    n, count = springs.n, len(scales)
    size = np.zeros((count, n, n))
    for k in range(n):
        a = accelerations[k * count : (k + 1) * count]
        tau = np.zeros((count, 2 * n))
        tau[:, [k, n + k]] = springs.stiffness[k] * DEFLECTION
        entries = scales.forward_dynamics(np.where(np.isfinite(a), a, 0.0), tau)
        size[:, :, k] = (entries[:, :n] + entries[:, n:]) / DEFLECTION
    return np.asarray(np.linalg.norm(_balanced(springs, size), axis=(1, 2))[:, None])


def _mode(index: tuple[int, ...]) -> tuple[str, ...]:
    return (f"mode {index[0] + 1}",)


def _compared(
    context: JudgeContext, springs: Springs, accelerations: FloatArray, expected: FloatArray, *, eps: float
) -> Outcome:
    return compare(
        context,
        squared_frequencies(springs, accelerations),
        expected,
        quantity="forward_dynamics",
        scale=error_scale(springs, context.few_scales, accelerations),
        factor=2.0 * tolerance.factor("forward_dynamics", dofs=context.mechanism.nv),
        eps=eps,
        batch=context.few,
        labels=_mode,
        name="ω² in rad²/s²",
    )


@check(
    code="RD804",
    slug="elastic-frequencies",
    quantities=("forward_dynamics", "mass_matrix"),
    formula="ω² = eig K^½ (M⁻¹ + J⁻¹) K^½",
    bound="32 eps ‖K^½ S_1b K^-½‖",
    reference="De Luca and Book, Springer Handbook of Robotics (2016), section 11.1",
)
class ElasticFrequencies:
    """Frequencies from accelerations are those of the subject's own mass matrix and the stated springs.

    What it checks: the accelerations from rest without gravity, one spring deflected at a time, give the same natural
        frequencies as M, J and K.
    Why it matters: frequencies are what elastic joints are identified and filtered by.
    Usual causes: a stiffness or motor inertia that was changed in loading; armature that forward dynamics leaves out.
    References: De Luca and Book (2016).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for the deflected accelerations and for M."""
        springs = context.subject.springs
        if springs is None:
            return ""
        return {"FD": deflected(context.few, springs.n), "M": ask("mass_matrix", context.few)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare ω² mode by mode."""
        springs = context.subject.springs
        assert springs is not None, "probes asked nothing without them"
        links = given["M"][:, : springs.n, : springs.n]
        return _compared(
            context, springs, given["FD"], eigenvalues(springs.elastic_matrix(links)), eps=context.subject.eps
        )


@check(
    code="RD850",
    slug="elastic-accelerations-agreement",
    quantities=("forward_dynamics",),
    formula="ẍ of one = ẍ of the other",
    bound="16 eps S_1b(ẍ; |tau| + |springs|)",
    reference="the elastic reference",
)
class ElasticAccelerationsAgreement:
    """Two subjects accelerate links and motors alike.

    What it checks: q̈ and θ̈ at every state, gravity, springs, dampers and motor torques acting.
    Why it matters: this is what a simulation of elastic joints integrates.
    Usual causes: another stiffness or damping; a rotor on the link instead of on the world; anything that is wrong with
        the rigid robot (`robodyn-check MODEL` finds that).
    References: Spong (1987).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask both for accelerations."""
        return probe(context, "forward_dynamics") if context.subject.springs is not None else ""

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare entry by entry."""
        springs, states = context.subject.springs, context.states
        assert springs is not None, "probes asked nothing without them"
        pushed = np.abs(states.tau) + springs.size(states.q, states.v)
        answer = given.theirs["forward_dynamics"]
        return compare(
            context,
            given["forward_dynamics"],
            answer,
            quantity="forward_dynamics",
            scale=context.scales.forward_dynamics(np.where(np.isfinite(answer), answer, 0.0), pushed),
            factor="forward_dynamics",
            eps=pair_eps(context),
        )


@check(
    code="RD851",
    slug="elastic-potential-agreement",
    quantities=("potential_energy",),
    formula="V(x) - V(first x) of one = that of the other, springs included",
    bound="16 eps (S_V + spring energy, of both states)",
    reference="the elastic reference",
)
class ElasticPotentialAgreement:
    """Two subjects store the same energy in gravity and springs.

    What it checks: differences of V from the first state.
    Why it matters: energy audits of simulations with springs.
    Usual causes: springs left out of the energy; another rest length.
    References: Spong (1987).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask both for V."""
        return probe(context, "potential_energy") if context.subject.springs is not None else ""

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the differences."""
        springs = context.subject.springs
        assert springs is not None, "probes asked nothing without them"
        n, q = springs.n, context.states.q
        strain = springs.stiffness * np.abs(q[:, n:] - q[:, :n]) * (np.abs(q[:, n:]) + np.abs(q[:, :n]))
        size = context.scales.potential_energy + springs.energy(q) + strain.sum(axis=1)
        mine, theirs = given["potential_energy"], given.theirs["potential_energy"]
        return compare(
            context,
            mine - mine[:1],
            theirs - theirs[:1],
            quantity="potential_energy",
            scale=size + size[:1],
            factor="potential_energy",
            eps=pair_eps(context),
        )


@check(
    code="RD852",
    slug="elastic-kinetic-agreement",
    quantities=("kinetic_energy",),
    formula="½ q̇ᵀ M q̇ + ½ θ̇ᵀ J θ̇ of one = that of the other",
    bound="32 eps S_K",
    reference="the elastic reference",
)
class ElasticKineticAgreement:
    """Two subjects have the same kinetic energy of links and motors.

    What it checks: T at every state.
    Why it matters: a rotor in the wrong place shows here first.
    Usual causes: a rotor on the link; gear ratio not squared.
    References: Spong (1987).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask both for T."""
        return probe(context, "kinetic_energy") if context.subject.springs is not None else ""

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare state by state."""
        return agree(context, given, "kinetic_energy")


@check(
    code="RD853",
    slug="elastic-frequencies-agreement",
    quantities=("forward_dynamics",),
    formula="ω² of one = ω² of the other",
    bound="32 eps ‖K^½ S_1b K^-½‖",
    reference="the elastic reference",
)
class ElasticFrequenciesAgreement:
    """Two subjects have the same natural frequencies.

    What it checks: ω² of every elastic mode at the few poses, from each side's own accelerations.
    Why it matters: frequencies are measured on the machine, and models are fitted to them.
    Usual causes: another stiffness, motor inertia or link inertia.
    References: De Luca and Book (2016).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask both for the deflected accelerations."""
        springs = context.subject.springs
        return "" if springs is None else {"FD": deflected(context.few, springs.n)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare ω² mode by mode."""
        springs = context.subject.springs
        assert springs is not None, "probes asked nothing without them"
        theirs = squared_frequencies(springs, given.theirs["FD"])
        return _compared(context, springs, given["FD"], theirs, eps=pair_eps(context))
