"""The truth of one run: the reference as a subject, the scales, and what is not defined for this robot."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.definiteness import spectrum
from robodyn_check.errors import EvaluationError
from robodyn_check.quantities import EPSILON, QUANTITIES
from robodyn_check.reference.engine import check_size, evaluate, evaluate_rows, no_inertia
from robodyn_check.requests import Answer, Failure
from robodyn_check.run.assemble import MODEL, REFERENCE
from robodyn_check.run.budget import budget
from robodyn_check.run.subjects import Declared, Setting, Subject
from robodyn_check.states.mix import subset
from robodyn_check.tolerance import scales

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.report.results import Result
    from robodyn_check.requests import Request
    from robodyn_check.states import StateBatch
    from robodyn_check.tolerance import Scales

#: The reference's cost for the budget's formula, microseconds: it works on whole batches.
REFERENCE_COST = 5.0
#: States for the reference's own derivatives: it is proven elsewhere, this is a look at the installation.
REFERENCE_FEW = 4
#: The check whose finding on the truth is about the model.
MODEL_CHECK = "RD203"


def prepare(mechanism: Mechanism, states: StateBatch, *, seed: int) -> tuple[Setting, Subject, dict[str, str]]:
    """Return what all subjects share, the reference as a subject, and the quantities that are not judged, with reasons.

    A quantity is not judged where the robot has too many degrees of freedom for it, and forward dynamics where the
    truth's mass matrix is singular.
    """
    without = too_large(mechanism)
    gravity = tuple(float(component) for component in mechanism.gravity)
    setting = Setting(
        mechanism=mechanism,
        gravity=(gravity[0], gravity[1], gravity[2]),
        states=states,
        seed=seed,
        subset=subset,
        scales=partial(true_scales, mechanism, matrix="mass_matrix" not in without),
    )
    if "mass_matrix" not in without and mechanism.nv > 0:
        size = setting.scales_of(len(states))
        assert size.true_mass_matrix is not None, "true_scales gives it"
        if spectrum(size.true_mass_matrix, size.mass_matrix, EPSILON["double"]).singular.any():
            without["forward_dynamics"] = f"not defined: the robot's own mass matrix is singular, see {MODEL_CHECK}"
    planned = budget(mechanism, samples=len(states), cost=REFERENCE_COST)
    reference = Subject(
        declared=Declared(name=REFERENCE, quantities=frozenset(QUANTITIES), coriolis="christoffel"),
        answer=partial(answer, mechanism),
        budget=dataclasses.replace(planned, few=min(planned.few, REFERENCE_FEW)),
    )
    return setting, reference, without


def too_large(mechanism: Mechanism) -> dict[str, str]:
    """Return the quantities that are not computed for so many degrees of freedom, each with the reason."""
    reasons = {}
    for quantity in QUANTITIES:
        try:
            check_size(mechanism, quantity)
        except EvaluationError as error:
            reasons[quantity] = str(error)
    return reasons


def true_scales(mechanism: Mechanism, states: StateBatch, *, matrix: bool) -> Scales:
    """Return the scales of some states, with the truth's mass matrix where it is computed."""
    return scales(mechanism, states, evaluate(mechanism, "mass_matrix", states.q) if matrix else None)


def answer(mechanism: Mechanism, requests: Sequence[Request]) -> dict[str, Answer | Failure]:
    """Answer requests with the reference engine; requests at the same states share their kinematics."""
    groups: dict[tuple[int, object], list[Request]] = {}
    for request in requests:
        groups.setdefault((id(request.q), request.gravity), []).append(request)
    answers: dict[str, Answer | Failure] = {}
    for group in groups.values():
        for together in _compatible(group):
            answers.update(_answered(mechanism, together))
    return answers


def speak_for_model(results: Iterable[Result]) -> list[Result]:
    """Turn what the truth shows about the model into a finding of the model.

    Skips of the reference are left out: it offers everything, so a check that does not apply to it does not apply to
    the robot, and every library says so too.
    """
    return [
        dataclasses.replace(result, subject=MODEL) if result.code == MODEL_CHECK else result
        for result in results
        if result.verdict != "skip"
    ]


def _compatible(group: Sequence[Request]) -> list[list[Request]]:
    """Split requests at the same q into groups whose other inputs are the same arrays too."""
    parts: list[tuple[dict[str, object], list[Request]]] = []
    for request in group:
        for inputs, members in parts:
            if all(inputs.get(name, array) is array for name, array in request.inputs.items()) and all(
                request.quantity != member.quantity for member in members
            ):
                inputs.update(request.inputs)
                members.append(request)
                break
        else:
            parts.append((dict(request.inputs), [request]))
    return [members for _, members in parts]


def _answered(mechanism: Mechanism, requests: Sequence[Request]) -> dict[str, Answer | Failure]:
    answers: dict[str, Answer | Failure] = {}
    inputs = {name: array for request in requests for name, array in request.inputs.items()}
    possible = []
    for request in requests:
        try:
            check_size(mechanism, request.quantity)
        except EvaluationError as error:
            answers[request.key] = Failure(kind="unsupported", message=str(error))
        else:
            possible.append(request)
    names = [request.quantity for request in possible]
    values, singular = evaluate_rows(mechanism, names, **inputs, gravity=requests[0].gravity)
    for request in possible:
        rows = tuple(singular) if request.quantity == "forward_dynamics" else ()
        lost = tuple(Failure(kind="unsupported", message=no_inertia(singular[row], row), states=(row,)) for row in rows)
        value = np.ascontiguousarray(values[request.quantity])
        answers[request.key] = Answer(values=value, failures=lost)
    return answers
