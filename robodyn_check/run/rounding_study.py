"""Runs the rounding study: every robot of the population, every library, every check, against the certified truth.

Libraries stay loaded from robot to robot. A library that has used up its time sees no more robots; the table shows how
many it saw. The reference is judged like a library.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.analysis.study_rounding import Case, Observation, population
from robodyn_check.certify.certificate import certify
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import load
from robodyn_check.errors import AdapterMissing
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.model.write_urdf import write_urdf
from robodyn_check.quantities import QUANTITIES
from robodyn_check.requests import Answer, Failure
from robodyn_check.run.budget import budget
from robodyn_check.run.judgement import judge_agreement, judge_properties
from robodyn_check.run.libraries import Libraries, in_order
from robodyn_check.run.questions import question
from robodyn_check.run.subjects import MOST_ROUNDS, Declared, Subject
from robodyn_check.run.truth import REFERENCE_COST, prepare
from robodyn_check.settings import Settings
from robodyn_check.states.draw import draw_states
from robodyn_check.tolerance import digits_kept, local_scale

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from robodyn_check.checks.registry import Check
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.requests import Request
    from robodyn_check.run.questions import Broken
    from robodyn_check.run.subjects import Setting
    from robodyn_check.states import StateBatch
    from robodyn_check.tolerance.paths import FloatArray

TRUTH = "certified truth"


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """What the study saw, and what did not go as it should, in words."""

    observations: tuple[Observation, ...]
    troubles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Robot:
    """One robot, ready to be asked about."""

    case: Case
    model: RobotModel
    setting: Setting
    reference: Subject
    truth: Subject
    without: Mapping[str, str]


def study_rounding(
    robots: int,
    *,
    seed: int = 0,
    libraries: Sequence[str] = (),
    samples: int = 3,
    seconds: float = 600.0,
    say: Callable[[str], None] = lambda _text: None,
) -> Study:
    """Run the study.

    Args:
        robots: Small fixed robots; floating and deep ones are added (`population`).
        seed: First seed.
        libraries: Library specs.
        samples: States a robot.
        seconds: What each library may use in all.
        say: Told what is going on.

    Returns:
        One observation per robot and library, the reference among them.

    Raises:
        UsageError: A library that has no adapter.
    """
    # an integration takes hundreds of rounds and says nothing about rounding
    checks = tuple(check for check in load() if getattr(check.text, "rounds", MOST_ROUNDS) <= MOST_ROUNDS)
    observations: list[Observation] = []
    troubles: list[str] = []
    left = dict.fromkeys(libraries, seconds)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="robodyn-check-study-")))
        running = {spec: stack.enter_context(Libraries(Settings(lib=(spec,)), say)) for spec in libraries}
        for library in running.values():
            library.start()
        for case in population(robots, seed=seed):
            say(f"robot {case}")
            robot = _prepared(case, folder, samples, troubles)
            observations.append(_observe_reference(robot, checks))
            for spec, library in running.items():
                if left[spec] <= 0.0:
                    continue
                started = time.perf_counter()
                asked = next(in_order(library.question(robot.setting, robot.model, checks, {})))
                if asked.subject is None:
                    troubles.append(f"{case}: {asked.name}: {asked.error}")
                    left[spec] *= not isinstance(asked.error, AdapterMissing)
                else:
                    observations.append(_observe(robot, asked.subject, asked.broken or {}, checks))
                left[spec] -= time.perf_counter() - started
    return Study(observations=tuple(observations), troubles=tuple(troubles))


def _prepared(case: Case, folder: Path, samples: int, troubles: list[str]) -> _Robot:
    """Write the robot's file, read it back, draw its states and certify the truth at all of them."""
    path = folder / f"{str(case).replace(':', '_')}.urdf"
    path.write_text(write_urdf(case.robot()).text, encoding="utf-8")
    model = read_model(str(path))
    mechanism = build_mechanism(model, base=case.base)
    states = draw_states(mechanism, count=samples, seed=case.seed)
    setting, reference, without = prepare(mechanism, states, seed=case.seed)
    certificate = certify(model, mechanism, states, setting.scales_of(samples), range(samples))
    if not certificate.valid:
        troubles.append(
            f"{case}: the reference is not right: outside its bound in {list(certificate.outside)}, derivations"
            f" disjoint in {list(certificate.disjoint)}"
        )
    declared = Declared(
        name=TRUTH, quantities=frozenset(certificate.values), coriolis="christoffel", certified=certificate.valid
    )
    truth = Subject(
        declared=declared,
        answer=lambda requests: _certified(states, certificate.values, requests),
        budget=budget(mechanism, samples=samples, cost=REFERENCE_COST),
    )
    return _Robot(case=case, model=model, setting=setting, reference=reference, truth=truth, without=without)


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


def _observe_reference(robot: _Robot, checks: Sequence[Check]) -> Observation:
    """Judge the double reference like a library."""
    broken = question(robot.setting, robot.reference, checks)
    return _observe(robot, robot.reference, broken, checks)


def _observe(robot: _Robot, subject: Subject, broken: Broken, checks: Sequence[Check]) -> Observation:
    """Judge one subject's properties, and its agreement with the truth."""
    results = judge_properties(robot.setting, subject, checks, broken=broken, without=robot.without)
    results += judge_agreement(robot.setting, subject, robot.truth, (), checks, standings={}, without=robot.without)
    return Observation(case=robot.case, subject=subject.name, results=tuple(results), digits=_digits(robot, subject))


def _digits(robot: _Robot, subject: Subject) -> dict[str, float]:
    """Return the digits that the subject kept per quantity, against the local scale."""
    count = min(subject.budget.states, robot.truth.budget.states)
    states, scales = robot.setting.batch(count), robot.setting.scales_of(count)
    kept: dict[str, float] = {}
    for quantity in QUANTITIES:
        request = ask(quantity, states)
        got, true = subject.answers.get(request), robot.truth.answers.get(request)
        if not isinstance(got, Answer) or not isinstance(true, Answer) or got.values.shape != true.values.shape:
            continue
        if quantity == "coriolis_matrix" and subject.declared.coriolis != "christoffel":
            continue
        error = got.values - true.values
        given = {}
        if quantity == "forward_dynamics":
            given = {"answer": got.values, "tau": states.tau}
        if quantity == "potential_energy":  # libraries disagree about the constant of a welded root
            error -= error[:1]
        error[np.isnan(error)] = 0.0  # links that a library merged away
        kept[quantity] = digits_kept(error, local_scale(quantity, scales, **given))
    return kept
