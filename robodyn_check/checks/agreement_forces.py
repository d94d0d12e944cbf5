"""Agreement of two subjects on the terms of the equation of motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.checks.agreement import agree, pair_eps, probe
from robodyn_check.checks.forces import times
from robodyn_check.checks.gravity import NO_GRAVITY, rotated
from robodyn_check.checks.judging import Given, Outcomes, compare, skip
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import Probes


@check(
    code="RD250",
    slug="mass-matrix-agreement",
    quantities=("mass_matrix",),
    formula="M of one = M of the other",
    bound="64 eps S_M (128 above 15 degrees of freedom)",
    reference="the certified reference; Higham, Accuracy and Stability of Numerical Algorithms (2002), chapter 3",
)
class MassMatrixAgreement:
    """Two subjects have the same mass matrix.

    What it checks: every entry of M, within what rounding can do to the terms that it is summed from.
    Why it matters: M holds every mass, centre of mass, inertia, rotor and joint axis: the widest net of all.
    Usual causes: a loader that drops or turns an inertia; rotor inertia left out; joints in another order.
    References: the certified reference.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for M."""
        return probe(context, "mass_matrix")

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare entry by entry."""
        return agree(context, given, "mass_matrix")


@check(
    code="RD350",
    slug="inverse-dynamics-agreement",
    quantities=("inverse_dynamics",),
    formula="ID of one = ID of the other",
    bound="32 eps S_tau",
    reference="the certified reference",
)
class InverseDynamicsAgreement:
    """Two subjects need the same torques for the same motion.

    What it checks: inverse dynamics at every state, joint by joint.
    Why it matters: it is what a controller sends to the motors.
    Usual causes: those of the mass matrix and of gravity; damping or friction added by one of the two.
    References: the certified reference.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for ID."""
        return probe(context, "inverse_dynamics")

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare joint by joint."""
        return agree(context, given, "inverse_dynamics")


@check(
    code="RD450",
    slug="coriolis-matrix-agreement",
    quantities=("coriolis_matrix",),
    formula="C of one = C of the other, where both declare Christoffel's",
    bound="64 eps S_C",
    reference="the certified reference; a factorisation of C v is not unique",
)
class CoriolisMatrixAgreement:
    """Two Christoffel matrices are equal entry by entry.

    What it checks: C itself, but only where both sides declare Christoffel's; other factorisations of the same force
        may differ, and are compared through C v (RD451).
    Why it matters: adaptive controllers use the entries of C, not only its product with v.
    Usual causes: another factorisation declared as Christoffel's; the causes of a wrong mass matrix.
    References: the certified reference; Spong, Hutchinson and Vidyasagar (2006), section 7.3.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for C."""
        if context.subject.coriolis != "christoffel":
            return "the subject does not declare Christoffel's matrix: compared through C v (RD451)"
        return probe(context, "coriolis_matrix")

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare entry by entry, or leave it to the product."""
        if context.against is not None and context.against.coriolis != "christoffel":
            return skip(
                f"{context.against.name} does not declare Christoffel's matrix: compared through C v (RD451)",
                quantity="coriolis_matrix",
            )
        return agree(context, given, "coriolis_matrix")


@check(
    code="RD451",
    slug="coriolis-product-agreement",
    quantities=("coriolis_matrix",),
    formula="C v of one = C v of the other, from their matrices",
    bound="32 eps S_q",
    reference="the certified reference",
)
class CoriolisProductAgreement:
    """Two Coriolis matrices give the same force.

    What it checks: the product of each matrix with the velocity, which is the same for every factorisation.
    Why it matters: it is the part of C that moves the robot.
    Usual causes: a transposed C; factor ½; the causes of a wrong mass matrix.
    References: the certified reference.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for C."""
        return probe(context, "coriolis_matrix")

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare the products."""
        v, names = context.states.v, context.mechanism.dof_names
        return compare(
            context,
            times(given["coriolis_matrix"], v),
            times(given.theirs["coriolis_matrix"], v),
            quantity="coriolis_matrix",
            scale=context.scales.coriolis_force,
            factor="coriolis_force",
            eps=pair_eps(context),
            labels=lambda index: (names[index[0]],),
            name="C v",
        )


@check(
    code="RD452",
    slug="coriolis-force-agreement",
    quantities=("coriolis_force",),
    formula="C v of one = C v of the other",
    bound="32 eps S_q",
    reference="the certified reference",
)
class CoriolisForceAgreement:
    """Two subjects have the same velocity-product force.

    What it checks: centrifugal and Coriolis forces, joint by joint, without gravity.
    Why it matters: they grow with the square of the speed; a fault hides at rest and breaks fast motions.
    Usual causes: the causes of a wrong mass matrix; velocity of the base in other axes.
    References: the certified reference.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for C v."""
        return probe(context, "coriolis_force")

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare joint by joint."""
        return agree(context, given, "coriolis_force")


@check(
    code="RD453",
    slug="bias-force-agreement",
    quantities=("bias_force",),
    formula="h of one = h of the other",
    bound="32 eps S_b",
    reference="the certified reference",
)
class BiasForceAgreement:
    """Two subjects have the same bias force.

    What it checks: C v + g, joint by joint.
    Why it matters: it is what computed-torque control cancels.
    Usual causes: gravity missing or of the other sign; damping or friction counted in.
    References: the certified reference.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for h."""
        return probe(context, "bias_force")

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare joint by joint."""
        return agree(context, given, "bias_force")


@check(
    code="RD454",
    slug="gravity-vector-agreement",
    quantities=("gravity_vector",),
    formula="g of one = g of the other",
    bound="32 eps S_g (64 above 15 degrees of freedom)",
    reference="the certified reference",
)
class GravityVectorAgreement:
    """Two subjects have the same gravity vector.

    What it checks: g, joint by joint, as the left-hand side of M a + C v + g = tau.
    Why it matters: it is what keeps the arm from falling.
    Usual causes: sign or size of the field; a mass or centre of mass lost by a loader; a fixed link dropped.
    References: the certified reference.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for g."""
        return probe(context, "gravity_vector")

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare joint by joint."""
        return agree(context, given, "gravity_vector")


@check(
    code="RD455",
    slug="gravity-turned-agreement",
    quantities=("gravity_vector",),
    formula="g of one = g of the other, with gravity turned onto another axis",
    bound="32 eps S_g (64 above 15 degrees of freedom)",
    reference="the certified reference",
)
class GravityTurnedAgreement:
    """Two subjects have the same gravity vector under gravity in another direction.

    What it checks: g, joint by joint, after loading again with the axes of gravity exchanged.
    Why it matters: robots hang on walls and ceilings and stand on slopes; a library that takes gravity as vertical is
        right only in the one set-up that everybody tests.
    Usual causes: only the z component of gravity is used; gravity fixed inside; gravity read in the base's axes.
    References: the certified reference.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for g under the turned field."""
        if not any(context.gravity):
            return NO_GRAVITY
        return {"g": ask("gravity_vector", context.few, gravity=rotated(context.gravity))}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare joint by joint; the turned field is as strong, so the scale is the same."""
        return compare(
            context,
            given["g"],
            given.theirs["g"],
            quantity="gravity_vector",
            scale=context.few_scales.gravity_vector,
            factor="gravity_vector",
            eps=pair_eps(context),
            batch=context.few,
            name="gravity_vector under a turned field",
        )
