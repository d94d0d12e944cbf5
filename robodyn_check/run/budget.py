"""How many states each library gets, decided from declared costs before anything starts: the same on every machine.

An adapter declares its rough cost c, in seconds for one quantity at one state of a 7-dof arm. The cost of larger robots
grows between n (forces) and n² (matrices), n the number of joints or of links, whichever is larger; n² is charged. One
state asks each of the 12 quantities about once:

    states = samples, or fewer so that  states · 12 · c · max(1, n / 7)²  <=  WORK_SECONDS / 2
    few    = of these, for derivatives: each costs about PROBES = 8 evaluations a dof, in the other half

Very large answers are capped in doubles, because memory and the wire cost more than the library: a quantity of d
doubles a state is asked at no more than MAX_DOUBLES / d states. Every reduction is a note in the report.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.quantities import QUANTITIES

if TYPE_CHECKING:
    from robodyn_check.model.mechanism import Mechanism

#: Declared work of one library in one run, s.
WORK_SECONDS = 40.0
#: Answers of one quantity in one request, doubles (16 MB).
MAX_DOUBLES = 2_000_000
#: Answers of one request for derivatives (32 MB): a batch of M at `_PROBES` places a dof.
MAX_DERIVATIVE_DOUBLES = 2 * MAX_DOUBLES
#: States for derivatives where nothing limits them: their error does not depend on luck as much as that of values.
MOST_FEW = 20
#: Fewer states than these prove too little; a library that is too slow for them is still asked.
LEAST_STATES, LEAST_FEW = 10, 2
_DOFS_OF_COST = 7
#: Evaluations of a derivative, a dof.
_PROBES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """States for one library. ``capped`` maps quantities that get fewer to their number; ``notes`` say all of it."""

    states: int
    few: int
    capped: dict[str, int]
    notes: tuple[str, ...]

    def states_for(self, quantities: tuple[str, ...]) -> int:
        """Return the number of states for a check that needs these quantities."""
        return min([self.states, *(self.capped[name] for name in quantities if name in self.capped)])


def budget(mechanism: Mechanism, *, samples: int, cost: float) -> Budget:
    """Plan the states of one library.

    Args:
        mechanism: The robot.
        samples: States of the run.
        cost: The adapter's declared cost, microseconds.
    """
    size = max(mechanism.nv, mechanism.nl)
    seconds = cost * 1e-6 * max(1.0, size / _DOFS_OF_COST) ** 2
    half = WORK_SECONDS / 2
    affordable = int(half / (len(QUANTITIES) * seconds))
    states = min(samples, max(LEAST_STATES, affordable))
    least_few = min(LEAST_FEW, states)
    few = max(least_few, min(MOST_FEW, states, int(half / (_PROBES * max(1, mechanism.nv) * seconds))))
    sizes = {name: doubles(mechanism, name) for name in QUANTITIES}
    capped = {name: max(1, MAX_DOUBLES // size) for name, size in sizes.items() if size * states > MAX_DOUBLES}
    # the largest that derivatives are taken of is M, in every direction
    few = max(1, min(few, MAX_DERIVATIVE_DOUBLES // (_PROBES * max(1, mechanism.nv) ** 3)))
    notes = []
    robot = f"{mechanism.nv} dofs, {mechanism.nl} links"
    if states < samples:
        notes.append(f"{states} of {samples} states: declared cost {cost:g} µs a quantity, {robot}")
    elif few < min(MOST_FEW, states):
        notes.append(f"derivatives at {few} states: {robot}")
    notes.extend(
        f"{name} at {number} of {states} states: {sizes[name]:,} numbers a state" for name, number in capped.items()
    )
    return Budget(states=states, few=few, capped=capped, notes=tuple(notes))


def doubles(mechanism: Mechanism, quantity: str) -> int:
    """Return how many doubles one state's value of a quantity has."""
    sizes = {"nv": mechanism.nv, "nl": mechanism.nl, "10*nl": 10 * mechanism.nl}
    count = 1
    for axis in QUANTITIES[quantity].shape:
        count *= sizes[axis] if axis in sizes else int(axis)
    return count
