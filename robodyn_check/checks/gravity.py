"""Gravity: the gradient of the library's own potential, independent of the velocity, linear in the field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.derivatives import stencil
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.checks.probing import Gravity

NO_GRAVITY = "gravity is zero in this run"


def doubled(gravity: Gravity) -> Gravity:
    """Return twice the field: a power of two, so a linear function of it doubles to the last bit."""
    return (2 * gravity[0], 2 * gravity[1], 2 * gravity[2])


def rotated(gravity: Gravity) -> Gravity:
    """Return the field with its axes exchanged (z to x, x to y, y to z): a rotation without rounding."""
    return (gravity[2], gravity[0], gravity[1])


def tilted(gravity: Gravity) -> Gravity:
    """Return the sum of the field and its rotated twin."""
    turned = rotated(gravity)
    return (gravity[0] + turned[0], gravity[1] + turned[1], gravity[2] + turned[2])


@check(
    code="RD410",
    slug="gravity-gradient",
    quantities=("gravity_vector", "potential_energy"),
    formula="g = ∂V/∂q",
    bound="16 eps S_V,k",
    reference="Spong, Hutchinson and Vidyasagar, Robot Modeling and Control (2006), equation 7.60",
)
class GravityGradient:
    """The gravity vector is the gradient of the potential energy.

    What it checks: derivatives of the library's own V, without truncation error, equal its own gravity vector.
    Why it matters: energy-based controllers and energy audits need the two to belong together.
    Usual causes: sign of gravity; a link that V counts and g does not; potential of springs included in V.
    References: Spong, Hutchinson and Vidyasagar (2006), equation 7.60.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for g at, and V around, the few states."""
        points = stencil(context.mechanism, context.few, degree=1)
        return {
            "g": ask("gravity_vector", context.few),
            "dV": points.request("potential_energy", context.few),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare g with the gradient."""
        gradient: FloatArray = np.zeros_like(given["g"])
        size: FloatArray = np.zeros_like(gradient)
        for k, derivative in stencil(context.mechanism, context.few, degree=1).derivatives(given["dV"]):
            gradient[:, k] = derivative
            size[:, k] = context.few_scales.potential_derivative(k)
        return compare(
            context,
            given["g"],
            gradient,
            quantity="gravity_vector",
            scale=size,
            factor="gravity_from_potential",
            batch=context.few,
        )


@check(
    code="RD411",
    slug="gravity-at-rest",
    quantities=("bias_force", "gravity_vector"),
    formula="h(q, 0) = g(q), whatever the velocity was before",
    bound="16 eps S_g",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 3.1",
)
class GravityAtRest:
    """Without velocity the bias force is the gravity vector.

    What it checks: h at v = 0 equals g of the same library: g does not depend on the velocity, and h has nothing else.
    Why it matters: gravity compensation is computed by either call; both must hold the arm.
    Usual causes: gravity vector with the opposite sign; dry friction or springs inside h; velocity of an earlier call.
    References: Featherstone (2008), section 3.1.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for h at rest, and g."""
        return {
            "h": ask("bias_force", context.states, v=np.zeros_like(context.states.v)),
            "g": ask("gravity_vector", context.states),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the two."""
        return compare(
            context,
            given["h"],
            given["g"],
            quantity="gravity_vector",
            scale=context.scales.gravity_vector,
            factor=16.0,
            name="bias_force at rest",
        )


@check(
    code="RD412",
    slug="gravity-doubled",
    quantities=("gravity_vector",),
    formula="g(2γ) = 2 g(γ)",
    bound="exact: doubling is a power of two",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 5.3",
)
class GravityDoubled:
    """Twice the gravity gives exactly twice the gravity vector.

    What it checks: the library, loaded again with twice the field, doubles its gravity vector to the last bit.
    Why it matters: what does not double is no gravity: a spring, a counterweight, or a field never handed over.
    Usual causes: gravity fixed inside the library; gravity compensation or springs counted in g.
    References: Featherstone (2008), section 5.3.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for g under both fields."""
        if not any(context.gravity):
            return NO_GRAVITY
        return {
            "g": ask("gravity_vector", context.few),
            "double": ask("gravity_vector", context.few, gravity=doubled(context.gravity)),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare with 2 g."""
        return compare(
            context,
            given["double"],
            2 * given["g"],
            quantity="gravity_vector",
            scale=2 * context.few_scales.gravity_vector,
            factor="homogeneous_by_powers_of_two",
            batch=context.few,
            name="gravity_vector under twice the gravity",
        )


@check(
    code="RD413",
    slug="gravity-additive",
    quantities=("gravity_vector",),
    formula="g(γ + γ') = g(γ) + g(γ')",
    bound="32 eps (S_g(γ) + S_g(γ') + S_g(γ + γ'))",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 5.3",
)
class GravityAdditive:
    """The gravity vector is linear in the field, in every direction.

    What it checks: with γ' the field turned onto another axis, g under γ + γ' is the sum of g under each.
    Why it matters: a robot on a wall, a slope or another planet; a library may look only at the z component.
    Usual causes: only the magnitude of gravity is used; the field is read in the base's axes or with another sign.
    References: Featherstone (2008), section 5.3.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for g under the three fields."""
        if not any(context.gravity):
            return NO_GRAVITY
        return {
            "g": ask("gravity_vector", context.few),
            "turned": ask("gravity_vector", context.few, gravity=rotated(context.gravity)),
            "sum": ask("gravity_vector", context.few, gravity=tilted(context.gravity)),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the sum with its parts."""
        lengths = [np.linalg.norm(field(context.gravity)) for field in (rotated, tilted)]
        share = 1 + sum(lengths) / np.linalg.norm(context.gravity)
        return compare(
            context,
            given["sum"],
            given["g"] + given["turned"],
            quantity="gravity_vector",
            scale=context.few_scales.gravity_vector * share,
            factor="gravity_vector",
            batch=context.few,
            name="gravity_vector under a tilted field",
        )
