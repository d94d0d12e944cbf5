"""What a check sees: states, mechanism, scales, one subject's answers, and for agreement the other subject's."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robodyn_check.model.elastic import Springs
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.requests import Answers, Request
    from robodyn_check.states import StateBatch
    from robodyn_check.tolerance import Scales


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubjectView:
    """One subject as a check may know it: never which library it is, only what it declares.

    ``eps``: 2^-52 or 2^-23 by declared precision. ``certified``: the reference with a valid certificate.
    ``symmetric_by_construction``: the adapter mirrors one triangle, so symmetry proves nothing.
    ``extra_bound``: quantity -> additional bound in eps·S units that the adapter declares (a finite time step).
    ``springs`` act between its coordinates: its accelerations and energies are those of elastic joints (family 8).
    ``cost``: declared microseconds of one quantity at one state of a 7-dof arm.
    """

    name: str
    quantities: frozenset[str]
    eps: float
    coriolis: str
    answers: Answers
    certified: bool = False
    symmetric_by_construction: bool = False
    springs: Springs | None = None
    cost: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProbeContext:
    """Input of ``probes``: the states this subject gets, the subset for derivatives, and the answers so far.

    ``asked`` remembers the requests of each check by code: whoever looks at these answers again makes the same.
    ``alike`` remembers them for all subjects that get these states, with what the check looked at in the subject.
    """

    mechanism: Mechanism
    gravity: tuple[float, float, float]
    states: StateBatch
    few: StateBatch
    subject: SubjectView
    seed: int
    asked: dict[str, Mapping[str, Request] | str] = field(default_factory=dict)
    alike: dict[str, list[tuple[Mapping[str, object], Mapping[str, Request] | str]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgeContext(ProbeContext):
    """Input of ``judge``: the same, with scales for ``states`` and ``few``, and ``against`` for agreement checks."""

    scales: Scales
    few_scales: Scales
    against: SubjectView | None = None
