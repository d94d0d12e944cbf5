"""Agreement of two subjects on energies and accelerations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.agreement import agree, pair_eps, probe
from robodyn_check.checks.forward_dynamics import judged_acceleration
from robodyn_check.checks.judging import Given, Outcomes, compare
from robodyn_check.checks.registry import check

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import Probes


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
