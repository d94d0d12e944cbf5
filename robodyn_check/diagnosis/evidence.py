"""What a diagnosis has to explain: a library's answers beside the truth, request by request.

A hypothesis is held against all of them, the right answers included: it must reproduce every one inside the bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.gravity import rotated
from robodyn_check.checks.probing import ask
from robodyn_check.errors import EvaluationError
from robodyn_check.quantities import QUANTITIES
from robodyn_check.reference.engine import check_size, evaluate
from robodyn_check.requests import Answer
from robodyn_check.tolerance import bound, scales

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from robodyn_check.faults.fault import FloatArray, Scene
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.placements import MassProperties
    from robodyn_check.requests import Answers, Request
    from robodyn_check.states import StateBatch
    from robodyn_check.tolerance import Scales

#: Rounding unit of the truth that a hypothesis transforms.
EPS = 2.0**-52
#: States at which a hypothesis is tried before it is held against all of them: the first ones are of every kind.
FIRST = 12
#: A hypothesis that is this many times beyond its bound at the first states is dropped. Its own robot has other terms,
#: and so another bound, than the true one that is used there.
COARSE = 1e3
#: Which quantity a hypothesis is tried on first: cheap ones that hold much.
_ORDER = (
    "mass_matrix",
    "gravity_vector",
    "bias_force",
    "inverse_dynamics",
    "coriolis_force",
    "link_poses",
    "kinetic_energy",
    "potential_energy",
    "coriolis_matrix",
    "forward_dynamics",
    "link_jacobians",
    "joint_torque_regressor",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """One request with what the library said, ``got``, and what is right, ``true``; both (N, *shape)."""

    request: Request
    batch: StateBatch
    got: FloatArray
    true: FloatArray

    @property
    def quantity(self) -> str:
        """The quantity that was asked."""
        return self.request.quantity

    def first(self, count: int) -> Sample:
        """Return the first states alone."""
        rows = slice(0, count)
        request = replace(
            self.request,
            **{name: array[rows] for name in "qva" if (array := getattr(self.request, name)) is not None},
            tau=None if self.request.tau is None else self.request.tau[rows],
        )
        few = replace(self.batch, **{name: getattr(self.batch, name)[rows] for name in ("q", "v", "a", "tau")})
        return Sample(request=request, batch=few, got=self.got[rows], true=self.true[rows])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """Everything known about one library that fails.

    ``scene`` answers rightly. ``samples`` are all answers, ``failing`` those that are outside their bound; ``trial`` is
    the start of one of them. ``eps`` and ``coriolis`` are the library's declarations. ``held``: links that its readback
    shows with other masses or inertias, each with the name of what was done to it.
    """

    scene: Scene
    samples: tuple[Sample, ...]
    failing: tuple[Sample, ...]
    eps: float
    coriolis: str
    trial: Sample | None = None
    held: Mapping[str, tuple[str, MassProperties]] = field(default_factory=dict)
    memory: dict[str, object] = field(default_factory=dict)
    known_scales: dict[tuple[int, int], tuple[Scales, StateBatch]] = field(default_factory=dict)

    @property
    def wrong(self) -> frozenset[str]:
        """The quantities that are wrong somewhere."""
        return frozenset(sample.quantity for sample in self.failing)

    def sample(self, quantity: str) -> Sample | None:
        """Return the answer at the run's own gravity, or None where there is none."""
        own = (one for one in self.samples if one.quantity == quantity and one.request.gravity is None)
        return next(own, None)

    def scales_of(self, mechanism: Mechanism, batch: StateBatch) -> Scales:
        """Return the scales of a robot at some states."""
        key = (id(mechanism), id(batch))
        if key not in self.known_scales:
            try:
                check_size(mechanism, "mass_matrix")
                mass = evaluate(mechanism, "mass_matrix", batch.q)
            except EvaluationError:
                mass = None
            # both are kept alive with their scales, since it is their identities that are the key
            self.known_scales[key] = scales(mechanism, batch, mass), batch
        return self.known_scales[key][0]

    def excess(self, sample: Sample, predicted: FloatArray, size: Scales, *, rough: bool = False) -> float:
        """Return the largest |got - predicted| in units of its bound; infinite where a number is missing.

        A Coriolis matrix is not unique, so it is compared by its product with v unless Christoffel's is declared.
        ``rough``: count the rounding of the answer itself as well; for the scales of a robot that may be another one,
        and may have no term where this one has.
        """
        got, quantity = sample.got, sample.quantity
        answer = {"answer": predicted, "tau": sample.request.tau} if quantity == "forward_dynamics" else {}
        if quantity == "coriolis_matrix" and self.coriolis != "christoffel":
            assert sample.request.v is not None, "C is asked with a velocity"
            got, predicted = (np.einsum("nij,nj->ni", one, sample.request.v) for one in (got, predicted))
            quantity = "coriolis_force"
        allowed = bound(quantity, size, self.eps, EPS, **answer)
        if quantity == "potential_energy":
            first = int(np.argmax(np.isfinite(got)))
            got, predicted = got - got[first], predicted - predicted[first]
        there = np.isfinite(got)
        if not there.any():
            return 0.0
        if rough:
            allowed = allowed + (self.eps + EPS) * np.abs(np.where(there, got, 0.0)).max()
        error = np.abs(got - predicted)[there]
        limit = np.broadcast_to(allowed, got.shape)[there]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(error > 0, error / limit, 0.0)
        return float(np.where(np.isnan(ratio), np.inf, ratio).max(initial=0.0))

    def under(self, scene: Scene) -> Evidence:
        """Return the same answers beside another truth, which leaves less to explain."""
        samples = tuple(replace(one, true=predicted(scene, one.request)) for one in self.samples)
        return found(replace(self, scene=scene, samples=samples, failing=()))

    def limit(self, quantity: str, batch: StateBatch) -> FloatArray:
        """Return the bound of a quantity at some states, for the true robot."""
        return bound(quantity, self.scales_of(self.scene.mechanism, batch), self.eps, EPS)


def predicted(scene: Scene, request: Request) -> FloatArray:
    """Return what the subject of a scene answers; NaN where it has no answer."""
    answer = scene.answer(request)
    if isinstance(answer, Answer):
        return answer.values
    return np.full((len(request), *_shape(scene.mechanism, request.quantity)), np.nan)


def gather(
    scene: Scene,
    answers: Answers,
    *,
    quantities: Iterable[str],
    batch_of: Callable[[str], StateBatch],
    few: StateBatch,
    eps: float,
    coriolis: str,
    known_scales: Iterable[tuple[Scales, StateBatch]] = (),
    held: Mapping[str, tuple[str, MassProperties]] | None = None,
) -> Evidence:
    """Collect a library's answers and hold them against the truth.

    Args:
        scene: The robot and a subject that answers rightly.
        answers: What the library said.
        quantities: What it offers.
        batch_of: The states at which it was asked for a quantity.
        few: The states at which it was asked under a turned gravity.
        eps: The library's rounding unit.
        coriolis: What it declares its Coriolis matrix to be.
        known_scales: Scales of the truth that are at hand, with their states.
        held: Links that its readback shows otherwise, from `readback.changed_links`.
    """
    x, y, z = (float(component) for component in scene.mechanism.gravity)
    offered = [name for name in QUANTITIES if name in set(quantities)]
    asked = [(ask(name, batch_of(name)), batch_of(name)) for name in offered]
    asked += [(ask("gravity_vector", few, gravity=rotated((x, y, z))), few)]
    samples = [
        Sample(request=request, batch=batch, got=answer.values, true=predicted(scene, request))
        for request, batch in asked
        if isinstance(answer := answers.get(request), Answer) and answer.values.size
    ]
    evidence = Evidence(
        scene=scene,
        samples=tuple(one for one in samples if one.got.shape == one.true.shape and np.isfinite(one.true).any()),
        failing=(),
        eps=eps,
        coriolis=coriolis,
        held=held or {},
    )
    for known, batch in known_scales:
        evidence.known_scales[id(scene.mechanism), id(batch)] = known, batch
    return found(evidence)


def found(evidence: Evidence) -> Evidence:
    """Return the evidence with its failing samples found, the best one to try a hypothesis on first."""
    failing = [
        sample
        for sample in evidence.samples
        if evidence.excess(sample, sample.true, evidence.scales_of(evidence.scene.mechanism, sample.batch)) > 1
    ]
    failing.sort(key=lambda sample: _ORDER.index(sample.quantity))
    trial = failing[0].first(FIRST) if failing else None
    return replace(evidence, failing=tuple(failing), trial=trial, memory={})


def _shape(mechanism: Mechanism, quantity: str) -> tuple[int, ...]:
    sizes = {"nv": mechanism.nv, "nl": mechanism.nl, "10*nl": 10 * mechanism.nl}
    return tuple(sizes[entry] if entry in sizes else int(entry) for entry in QUANTITIES[quantity].shape)
