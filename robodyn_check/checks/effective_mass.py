"""The mass that a tip has for whoever pushes it, measured through forward dynamics."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check import tolerance
from robodyn_check.checks.forward_dynamics import NO_SCALE, solve
from robodyn_check.checks.judging import Given, Outcomes, compare, skip
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.requests import Answer

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.model.mechanism import Mechanism

#: The push, N, and how many tips of a robot are pushed.
FORCE, MOST_TIPS = 10.0, 4
_AXES = ("x", "y", "z")


def tips(mechanism: Mechanism) -> list[int]:
    """Return the last link that each leaf body carries, (at most `MOST_TIPS`)."""
    leaves = set(range(mechanism.nb)) - set(mechanism.parent)
    last: dict[int, int] = {body: link for link, body in enumerate(mechanism.link_body) if body in leaves}
    return sorted(last.values())[:MOST_TIPS]


@check(
    code="RD604",
    slug="effective-mass",
    quantities=("forward_dynamics", "mass_matrix", "gravity_vector", "link_jacobians"),
    formula="uᵀ J_v (FD(q, 0, g + J_vᵀ u F)) / F = uᵀ J_v M⁻¹ J_vᵀ u = 1/m_u",
    bound="32 eps (|uᵀ J_v| S_1b + S_J |a|) / F",
    reference="Khatib, Inertial properties in robotic manipulation (1995), section 3",
)
class EffectiveMass:
    """The tip's effective mass, measured by pushing, is that of the mass matrix.

    What it checks: each tip is pushed with 10 N along x, y and z while gravity is held; the acceleration it gives way
        with, by the library's forward dynamics and Jacobian, is that of its own M. The values are 1/m_u, 0 where the
        tip cannot give way.
    Why it matters: this is the mass of a collision, and what force control and impact limits are computed from. It
        joins kinematics, mass matrix and forward dynamics in one number that can be measured on a robot.
    Usual causes: armature in M or in forward dynamics only; a Jacobian in other axes; friction left on.
    References: Khatib (1995), section 3.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for M, g and J first; with them, for forward dynamics under each push."""
        few = context.few
        first = {name: ask(name, few) for name in ("mass_matrix", "gravity_vector", "link_jacobians")}
        answers = {name: context.subject.answers.get(request) for name, request in first.items()}
        g, J = answers["gravity_vector"], answers["link_jacobians"]  # noqa: N806 - the equation's letter
        if not tips(context.mechanism):
            return "no link moves"
        if not isinstance(g, Answer) or not isinstance(J, Answer):
            return first
        rows = _rows(context.mechanism, J.values)
        tau = np.nan_to_num(g.values[None] + FORCE * rows).reshape(-1, context.mechanism.nv)
        copies = len(rows)
        return {
            **first,
            "FD": ask("forward_dynamics", few, q=np.tile(few.q, (copies, 1)), v=np.zeros_like(tau), tau=tau),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the measured 1/m_u with the formula."""
        mechanism, few = context.mechanism, context.few
        if context.few_scales.true_mass_matrix is None:
            return skip(NO_SCALE, quantity="forward_dynamics")
        rows = _rows(mechanism, given["link_jacobians"])  # (pushes, N, nv)
        answer = given["FD"].reshape(rows.shape)
        expected = np.stack([np.einsum("ni,ni->n", row, solve(given["mass_matrix"], row)) for row in rows], axis=1)
        measured = np.einsum("kni,kni->nk", rows, answer) / FORCE
        still = replace(few, v=np.zeros_like(few.v))
        scales = tolerance.scales(
            mechanism, still, context.few_scales.true_mass_matrix, gravity=context.gravity, tree=context.scales.tree
        )
        reached = _rows(mechanism, scales.link_jacobians)
        size = np.stack(
            [
                np.einsum("ni,ni->n", np.abs(row), _error(scales, a, given["gravity_vector"] + FORCE * row))
                + np.einsum("ni,ni->n", room, np.abs(np.nan_to_num(a)))
                for row, room, a in zip(rows, reached, answer, strict=True)
            ],
            axis=1,
        )
        names = [f"{mechanism.links[tip]} along {axis}" for tip in tips(mechanism) for axis in _AXES]
        return compare(
            context,
            measured,
            expected,
            quantity="forward_dynamics",
            scale=size / FORCE,
            factor="effective_mass",
            batch=few,
            labels=lambda index: (names[index[0]],),
            name="1 / effective mass",
        )


def _error(scales: tolerance.Scales, a: FloatArray, tau: FloatArray) -> FloatArray:
    """Return S_1b of an acceleration at rest, (N, nv)."""
    return scales.forward_dynamics(np.nan_to_num(a), np.nan_to_num(tau))


def _rows(mechanism: Mechanism, jacobians: FloatArray) -> FloatArray:
    """Return uᵀ J_v of every tip and axis, (pushes, N, nv)."""
    chosen = jacobians[:, tips(mechanism), :3]
    return chosen.transpose(1, 2, 0, 3).reshape(-1, len(jacobians), mechanism.nv)
