"""One robot of the rounding study: its file, its states, and the certified truth about them as a subject."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from robodyn_check.certify.certificate import certify, states_to_certify
from robodyn_check.checks.probing import ask
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.features import features_of
from robodyn_check.model.read import read_model
from robodyn_check.model.write_mjcf import write_mjcf
from robodyn_check.model.write_urdf import write_urdf
from robodyn_check.requests import Answer, Failure
from robodyn_check.run.budget import budget
from robodyn_check.run.subjects import Declared, Subject
from robodyn_check.run.truth import REFERENCE_COST, prepare
from robodyn_check.states.draw import draw_states

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from robodyn_check.analysis.study_population import Case
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.requests import Request
    from robodyn_check.run.subjects import Setting
    from robodyn_check.states import StateBatch
    from robodyn_check.tolerance.paths import FloatArray

TRUTH = "certified truth"
#: States that are drawn, so that all kinds occur; the study takes some of them, other ones for the next robot.
_DRAWN, _STRIDE = 20, 7


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StudyRobot:
    """One robot, ready to be asked about. ``trouble``: what is wrong with the reference itself, "" nothing."""

    case: Case
    model: RobotModel
    features: frozenset[str]
    setting: Setting
    reference: Subject
    truth: Subject
    without: Mapping[str, str]
    trouble: str


def prepare_robot(case: Case, folder: Path, samples: int) -> StudyRobot:
    """Write the robot's file, read it back, draw its states and certify the truth at all of them.

    Args:
        case: Which robot.
        folder: Where its file goes.
        samples: States; large robots get no more than a run would certify.
    """
    drawn = case.robot()
    is_urdf = drawn.format == "urdf"
    path = folder / f"{str(case).replace(':', '_')}.{'urdf' if is_urdf else 'xml'}"
    path.write_text((write_urdf(drawn) if is_urdf else write_mjcf(drawn)).text, encoding="utf-8")
    model = read_model(path)
    mechanism = build_mechanism(model, base=case.base, gravity=case.gravity)
    states = study_states(mechanism, case.seed, samples)
    setting, reference, without = prepare(mechanism, states, seed=case.seed)
    certificate = certify(
        model, mechanism, states, setting.scales_of(len(states)), range(len(states)), gravity=case.gravity
    )
    trouble = ""
    if not certificate.valid:
        trouble = (
            f"the reference is not right: outside its bound in {list(certificate.outside)}, derivations disjoint in"
            f" {list(certificate.disjoint)}"
        )
    truth = Subject(
        declared=Declared(
            name=TRUTH, quantities=frozenset(certificate.values), coriolis="christoffel", certified=certificate.valid
        ),
        answer=partial(_certified, states, certificate.values),
        budget=budget(mechanism, samples=len(states), cost=REFERENCE_COST),
    )
    return StudyRobot(
        case=case,
        model=model,
        features=features_of(model),
        setting=setting,
        reference=reference,
        truth=truth,
        without=without,
        trouble=trouble,
    )


def study_states(mechanism: Mechanism, seed: int, samples: int) -> StateBatch:
    """Draw the states of one robot: a few of a run's mix, other kinds for the next seed."""
    drawn = draw_states(mechanism, count=_DRAWN, seed=seed)
    count = states_to_certify(mechanism.nv, samples, links=mechanism.nl)
    return drawn.rows([(seed + _STRIDE * number) % _DRAWN for number in range(count)])


def _certified(
    states: StateBatch, values: Mapping[str, FloatArray], requests: Sequence[Request]
) -> dict[str, Answer | Failure]:
    """Answer requests at the certified states, or at some of them; others were not certified."""
    answers: dict[str, Answer | Failure] = {}
    for request in requests:
        known = {row: number for number, row in enumerate(_rows(ask(request.quantity, states)))}
        numbers = [known.get(row) for row in _rows(request)]
        if request.gravity is not None or request.quantity not in values or None in numbers:
            answers[request.key] = Failure(kind="unsupported", message="not certified at these inputs")
        else:
            answers[request.key] = Answer(values=values[request.quantity][[n for n in numbers if n is not None]])
    return answers


def _rows(request: Request) -> list[bytes]:
    """Return the inputs of each state of a request, as something that can be looked up."""
    inputs = list(request.inputs.values())
    return [b"".join(array[number].tobytes() for array in inputs) for number in range(len(request))]
