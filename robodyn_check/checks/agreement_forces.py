"""Agreement of two subjects on the terms of the equation of motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.agreement import agree, pair_eps, probe
from robodyn_check.checks.forces import times
from robodyn_check.checks.forward_dynamics import judged_acceleration
from robodyn_check.checks.judging import Given, Outcomes, compare, skip
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
    code="RD550",
    slug="kinetic-energy-agreement",
    quantities=("kinetic_energy",),
    formula="K of one = K of the other",
    bound="32 eps S_K",
    reference="the certified reference",
)
class KineticEnergyAgreement:
    """Two subjects have the same kinetic energy.

    What it checks: K at every state, rotor inertia included.
    Why it matters: a difference in the energy that M does not show lies in the energy function alone.
    Usual causes: rotor inertia left out; a link lost.
    References: the certified reference.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for K."""
        return probe(context, "kinetic_energy")

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare state by state."""
        return agree(context, given, "kinetic_energy")


@check(
    code="RD551",
    slug="potential-energy-agreement",
    quantities=("potential_energy",),
    formula="V(q) - V(first q) of one = that of the other",
    bound="16 eps (S_V(q) + S_V(first q))",
    reference="the certified reference",
)
class PotentialEnergyAgreement:
    """Two subjects have the same differences of potential energy.

    What it checks: V at each state minus V at the first one; the zero of V is nobody's fault.
    Why it matters: energy audits and energy-based controllers.
    Usual causes: sign or size of gravity; a mass or centre of mass lost; springs counted in V.
    References: the certified reference.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for V."""
        return probe(context, "potential_energy")

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare differences from the first state that both answered."""
        mine, theirs = given["potential_energy"], given.theirs["potential_energy"]
        both = np.flatnonzero(np.isfinite(mine) & np.isfinite(theirs))
        first = int(both[0]) if len(both) else 0
        size = context.scales.potential_energy
        return compare(
            context,
            mine - mine[first],
            theirs - theirs[first],
            quantity="potential_energy",
            scale=size + size[first],
            factor="potential_energy",
            eps=pair_eps(context),
            name=f"potential_energy (above that of state {first})",
        )


@check(
    code="RD750",
    slug="forward-dynamics-agreement",
    quantities=("forward_dynamics",),
    formula="FD of one = FD of the other",
    bound="16 eps S_1b(FD; tau)",
    reference="the certified reference",
)
class ForwardDynamicsAgreement:
    """Two subjects accelerate alike under the same torques.

    What it checks: forward dynamics, joint by joint, within what rounding of the forces can do through M⁻¹.
    Why it matters: it is what a simulator integrates.
    Usual causes: damping, friction, limits or contacts left on; rotor inertia left out; the causes of a wrong M or h.
    References: the certified reference; Featherstone (2008), section 10.1 on accuracy.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for FD."""
        return probe(context, "forward_dynamics")

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare joint by joint."""
        theirs = given.theirs["forward_dynamics"]
        return judged_acceleration(
            context,
            given["forward_dynamics"],
            theirs,
            answer=theirs,
            tau=context.states.tau,
            eps=pair_eps(context),
            factor="forward_dynamics",
        )
