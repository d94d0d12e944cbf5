"""The joint-torque regressor against inverse dynamics of the same subject."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check import tolerance
from robodyn_check.checks.forces import coadjoint
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.checks.regressor_conventions import recognised

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.model.mechanism import Mechanism


def parameters(mechanism: Mechanism) -> FloatArray:
    """Return pi, (10 nl,): per link m, m c, and the inertia about the link frame (xx xy xz yy yz zz)."""
    mass = np.asarray(mechanism.link_mass, dtype=float)
    com = np.asarray(mechanism.link_com, dtype=float)
    square = np.einsum("kl,kl->l", com, com)
    shift = np.eye(3)[:, :, None] * square - com[:, None, :] * com[None, :, :]
    inertia = np.asarray(mechanism.link_inertia, dtype=float) + mass * shift
    rows = [mass, *(mass * com), *(inertia[i, j] for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)))]
    return np.stack(rows, axis=1).reshape(-1)


def quasi_random(count: int, seed: int) -> FloatArray:
    """Return ``count`` numbers spread over (-1, 1), the fractional parts of multiples of the golden ratio.

    No generator: the same seed gives the same doubles everywhere, and a report can be judged again.
    """
    steps = np.arange(1, count + 1) + 31 * (seed % 1000)
    numbers: FloatArray = 2 * np.modf(steps * ((np.sqrt(5) - 1) / 2))[0] - 1
    return numbers


@check(
    code="RD304",
    slug="regressor-torque",
    quantities=("joint_torque_regressor", "inverse_dynamics"),
    formula="Y(q, v, a) pi + diag(armature) a = ID(q, v, a)",
    bound="16 eps S_tau",
    reference="Atkeson, An and Hollerbach, Estimation of inertial parameters of manipulator loads and links (1986)",
)
class RegressorTorque:
    """The regressor times the inertial parameters is the torque.

    What it checks: Y times the parameters of the model file, plus armature, equals the library's inverse dynamics.
    Why it matters: identification and adaptive control fit pi through Y; columns in another order, or about another
        point, give parameters that mean nothing.
    Usual causes: the order of the ten parameters (xx xy yy against xx xy xz); inertia about the centre of mass, not
        the link frame; armature counted in one of the two.
    References: Atkeson, An and Hollerbach (1986).
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for both at all states."""
        return {
            "Y": ask("joint_torque_regressor", context.states),
            "ID": ask("inverse_dynamics", context.states),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare Y pi + armature a with tau; on a free joint armature has a velocity-product force too."""
        armature = np.asarray(context.mechanism.armature, dtype=float)
        v, a = context.states.v, context.states.a
        rotors = armature * a + coadjoint(context.mechanism, v, armature * v)
        torque = given["Y"] @ parameters(context.mechanism) + rotors
        outcome = compare(
            context,
            torque,
            given["ID"],
            quantity="joint_torque_regressor",
            scale=context.scales.inverse_dynamics,
            factor="regressor_gives_torque",
            labels=lambda index: (context.mechanism.dof_names[index[0]],),
            name="the regressor's torque",
        )
        if outcome.verdict != "fail":
            return outcome
        allowed = tolerance.factor("regressor_gives_torque", dofs=context.mechanism.nv) * context.subject.eps
        convention = recognised(
            given["Y"], given["ID"] - rotors, allowed * context.scales.inverse_dynamics, context.mechanism
        )
        if convention is None:
            return outcome
        return replace(
            outcome, message=f"{outcome.message} The columns of each link are in another convention: {convention}."
        )
