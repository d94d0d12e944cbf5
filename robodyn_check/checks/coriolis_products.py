"""The velocity-product force C v, in every way that a subject offers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.coriolis import mass_matrix_rate
from robodyn_check.checks.derivatives import stencil
from robodyn_check.checks.forces import coadjoint, dot, times, velocity_force_of, velocity_probes
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check
from robodyn_check.checks.structure import TOO_LARGE, rate_states

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes


@check(
    code="RD404",
    slug="coriolis-product",
    quantities=("coriolis_matrix", "bias_force", "gravity_vector"),
    formula="C v = h - g",
    bound="16 eps (S_q + S_g)",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 3.1",
)
class CoriolisProduct:
    """The Coriolis matrix times the velocity is the bias force without gravity.

    What it checks: C v equals the library's own bias force minus its own gravity vector.
    Why it matters: whatever factorisation C is, this product is unique; a C that misses it describes other forces.
    Usual causes: factor ½ or 2 in the centrifugal terms; C transposed; gravity inside C v.
    References: Featherstone (2008), section 3.1.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for C, h and g."""
        return {
            "C": ask("coriolis_matrix", context.states),
            "h": ask("bias_force", context.states),
            "g": ask("gravity_vector", context.states),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare C v with h - g."""
        return compare(
            context,
            times(given["C"], context.states.v),
            given["h"] - given["g"],
            quantity="coriolis_matrix",
            scale=context.scales.coriolis_force + context.scales.gravity_vector,
            factor="coriolis_times_velocity_is_bias_minus_gravity",
            labels=lambda index: (context.mechanism.dof_names[index[0]],),
            name="C v",
        )


@check(
    code="RD405",
    slug="coriolis-matrix-force",
    quantities=("coriolis_matrix", "coriolis_force"),
    formula="C v = the velocity-product force",
    bound="32 eps S_q",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 3.1",
)
class CoriolisMatrixForce:
    """The Coriolis matrix times the velocity is the library's own velocity-product force.

    What it checks: C v against the gravity-free force, without gravity to hide small differences.
    Why it matters: two routes to the same force in one library.
    Usual causes: gravity left in one of the two; a non-physical factorisation.
    References: Featherstone (2008), section 3.1.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for C and C v."""
        return {
            "C": ask("coriolis_matrix", context.states),
            "force": ask("coriolis_force", context.states),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the two."""
        return compare(
            context,
            times(given["C"], context.states.v),
            given["force"],
            quantity="coriolis_matrix",
            scale=context.scales.coriolis_force,
            factor="coriolis_times_velocity_is_coriolis_force",
            labels=lambda index: (context.mechanism.dof_names[index[0]],),
            name="C v",
        )


@check(
    code="RD406",
    slug="bias-split",
    quantities=("bias_force", "gravity_vector", "coriolis_force"),
    formula="h = C v + g",
    bound="16 eps (S_q + S_g)",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 3.1",
)
class BiasSplit:
    """The bias force is the velocity-product force plus gravity.

    What it checks: h - g equals the gravity-free force of the same library.
    Why it matters: gravity compensation subtracts g from h; what is left must be C v and nothing else.
    Usual causes: damping, friction or spring forces inside h; a bias force without gravity.
    References: Featherstone (2008), section 3.1.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for the three."""
        return {
            "h": ask("bias_force", context.states),
            "g": ask("gravity_vector", context.states),
            "force": ask("coriolis_force", context.states),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare h with the sum."""
        return compare(
            context,
            given["h"],
            given["force"] + given["g"],
            quantity="bias_force",
            scale=context.scales.bias_force,
            factor="bias_minus_gravity_is_coriolis_force",
        )


@check(
    code="RD407",
    slug="coriolis-force-quadratic",
    quantities=("coriolis_force",),
    formula="C(2v) 2v = 4 C(v) v and C(-v)(-v) = C(v) v",
    bound="exact: powers of two",
    reference="Spong, Hutchinson and Vidyasagar, Robot Modeling and Control (2006), equation 7.62",
)
class CoriolisForceQuadratic:
    """The velocity-product force is quadratic in the velocity.

    What it checks: twice the velocity gives exactly four times the force, the opposite velocity the same force.
    Why it matters: whatever is not quadratic in v is no rigid-body force: damping is linear, dry friction a sign.
    Usual causes: damping or friction included; velocities clamped; gravity left in.
    References: Spong, Hutchinson and Vidyasagar (2006), equation 7.62.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for the force at v, 2v and -v."""
        return {
            "force": ask("coriolis_force", context.states),
            "double": ask("coriolis_force", context.states, v=2 * context.states.v),
            "back": ask("coriolis_force", context.states, v=-context.states.v),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare both with the force at v, side by side."""
        size = context.scales.coriolis_force
        names = context.mechanism.dof_names
        return compare(
            context,
            np.stack([given["double"], given["back"]], axis=1),
            np.stack([4 * given["force"], given["force"]], axis=1),
            quantity="coriolis_force",
            scale=np.stack([4 * size, size], axis=1),
            factor="homogeneous_by_powers_of_two",
            labels=lambda index: (("at 2v", "at -v")[index[0]], names[index[1]]),
        )


@check(
    code="RD408",
    slug="bias-quadratic",
    quantities=("bias_force", "gravity_vector"),
    formula="h(2v) - g = 4 (h(v) - g)",
    bound="32 eps (4 S_q + S_g)",
    reference="Spong, Hutchinson and Vidyasagar, Robot Modeling and Control (2006), equation 7.62",
)
class BiasQuadratic:
    """What the bias force has beyond gravity is quadratic in the velocity.

    What it checks: h(2v) - g equals four times h(v) - g, for libraries without a gravity-free force too.
    Why it matters: damping inside h is linear in v and dry friction only a sign: both show here.
    Usual causes: damping or friction included; velocities clamped.
    References: Spong, Hutchinson and Vidyasagar (2006), equation 7.62.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for h at v and 2v, and g."""
        return {
            "h": ask("bias_force", context.states),
            "h of 2v": ask("bias_force", context.states, v=2 * context.states.v),
            "g": ask("gravity_vector", context.states),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the two sides."""
        return compare(
            context,
            given["h of 2v"] - given["g"],
            4 * (given["h"] - given["g"]),
            quantity="bias_force",
            scale=4 * context.scales.coriolis_force + context.scales.gravity_vector,
            factor="bias_homogeneous",
            name="h(2v) - g",
        )


@check(
    code="RD409",
    slug="coriolis-from-mass-matrix",
    quantities=("coriolis_force", "mass_matrix"),
    formula="C v = Mdot v - ½ ∂(vᵀ M v)/∂q, with the body-axis terms of Boltzmann and Hamel for ball and free joints",
    bound="16 eps (S_Mdot |v| + ½ |v|ᵀ S_dM |v| + S_q)",
    reference="Spong, Hutchinson and Vidyasagar, Robot Modeling and Control (2006), section 7.3",
)
class CoriolisFromMassMatrix:
    """The velocity-product force follows from the mass matrix alone.

    What it checks: Lagrange's equations, fed with derivatives of the library's own M without truncation error, give
        the velocity-product force that the library computes. It needs no Coriolis matrix.
    Why it matters: M determines C v completely; a library whose two disagree does not simulate the robot of its own M.
    Usual causes: a velocity-product term lost, halved or of the wrong sign; damping included; a stale cache.
    References: Spong, Hutchinson and Vidyasagar (2006), section 7.3; Hamel (1904) for quasi-velocities.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for M at and around, and C v at, the few states."""
        batch = rate_states(context)
        if not len(batch):
            return TOO_LARGE
        return {
            **velocity_probes(context, batch),
            "M": ask("mass_matrix", batch),
            "dM": stencil(context.mechanism, batch, degree=2).request("mass_matrix", batch),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the library's force with the one from its M."""
        batch = rate_states(context)
        rows, v, scales = slice(len(batch)), batch.v, context.few_scales
        u = np.abs(v)
        force = times(mass_matrix_rate(context, batch, given["dM"]), v)
        size = times(scales.mass_matrix_rate()[rows], u) + scales.coriolis_force[rows]
        for k, derivative in stencil(context.mechanism, batch, degree=2).derivatives(given["dM"]):
            force[:, k] -= dot(v, times(derivative, v)) / 2
            size[:, k] += dot(u, times(scales.mass_matrix_derivative(k)[rows], u)) / 2
        force += coadjoint(context.mechanism, v, times(given["M"], v))
        size += _coadjoint_size(context, u, times(scales.mass_matrix[rows], u))
        if "bias_force" in given:
            size += scales.gravity_vector[rows]
        return compare(
            context,
            velocity_force_of(given, v),
            force,
            quantity="coriolis_force",
            scale=size,
            factor="coriolis_force_from_mass_matrix",
            batch=batch,
        )


def _coadjoint_size(context: JudgeContext, u: FloatArray, momentum: FloatArray) -> FloatArray:
    """Return the size of the terms of `forces.coadjoint`: |ω| |P| for each joint's three axes alike, (N, nv)."""
    size = np.zeros_like(u)
    for joint in context.mechanism.joints:
        if joint.kind in {"ball", "floating"}:
            first = joint.v.stop - 3
            turning = u[:, first : joint.v.stop].sum(axis=1, keepdims=True)
            size[:, first : joint.v.stop] = turning * momentum[:, first : joint.v.stop].sum(axis=1, keepdims=True)
        if joint.kind == "floating":
            linear = slice(joint.v.start, joint.v.start + 3)
            pushed = momentum[:, linear].sum(axis=1, keepdims=True)
            size[:, linear] = turning * pushed
            size[:, joint.v.stop - 3 : joint.v.stop] += u[:, linear].sum(axis=1, keepdims=True) * pushed
    return size
