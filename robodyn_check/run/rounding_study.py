"""Runs the rounding study: every robot of the population, every library, every check, against the certified truth.

Libraries stay loaded from robot to robot. A library that has used up its time sees no more robots; the page shows how
many it saw. The reference is judged like a library, in double precision and on some robots in single precision.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.analysis.study_rounding import Observation, measured_of
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import load
from robodyn_check.errors import AdapterMissing, AdapterUnsupported
from robodyn_check.known import apply_known, library_of
from robodyn_check.quantities import QUANTITIES
from robodyn_check.report.results import SubjectRecord
from robodyn_check.requests import Answer
from robodyn_check.run.judgement import judge_agreement, judge_properties
from robodyn_check.run.known_lists import known_lists
from robodyn_check.run.libraries import Libraries, in_order
from robodyn_check.run.questions import question
from robodyn_check.run.single_precision import single_precision
from robodyn_check.run.study_robot import StudyRobot, prepare_robot
from robodyn_check.settings import Settings
from robodyn_check.tolerance import digits_kept, local_scale

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from robodyn_check.analysis.study_population import Case
    from robodyn_check.checks.registry import Check
    from robodyn_check.known import KnownFailure
    from robodyn_check.report.results import Result
    from robodyn_check.run.libraries import Asked
    from robodyn_check.run.subjects import Subject

#: One robot in so many is also asked in single precision; no other cycle of the population has this length.
_SINGLE_EVERY = 7


def study_rounding(
    cases: Sequence[Case],
    *,
    libraries: Sequence[str] = (),
    samples: int = 2,
    seconds: float = 600.0,
    before: Mapping[str, float] | None = None,
    say: Callable[[str], None] = lambda _text: None,
) -> Iterator[tuple[Observation, ...]]:
    """Run the study.

    Args:
        cases: The robots.
        libraries: Library specs.
        samples: States a robot.
        seconds: What each library may use in all.
        before: What it has used before; the study of which this is the rest.
        say: Told what is going on.

    Yields:
        Robot by robot, one observation per subject, the reference among them.

    Raises:
        UsageError: A library that has no adapter.
    """
    if not cases:  # all were seen before: no library has to start
        return
    left = {spec: seconds - (before or {}).get(spec, 0.0) for spec in libraries}
    judge = _Judge(checks=checks_of_study(), known=known_lists(Settings(), map(library_of, libraries)))
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="robodyn-check-study-")))
        running = {spec: stack.enter_context(Libraries(Settings(lib=(spec,)), say)) for spec in libraries}
        for library in running.values():
            library.start()
        for number, case in enumerate(cases):
            say(f"robot {number + 1} of {len(cases)}, {case}")
            robot = prepare_robot(case, folder, samples)
            seen = list(_own(judge, robot))
            for spec in [spec for spec in running if left[spec] > 0.0]:
                started = time.perf_counter()
                asked = next(in_order(running[spec].question(robot.setting, robot.model, judge.checks, robot.without)))
                observation = judge.library(robot, asked)
                spent = time.perf_counter() - started
                left[spec] -= seconds if isinstance(asked.error, AdapterMissing) else spent
                seen.append(replace(observation, seconds=spent))
            yield tuple(seen)


def checks_of_study() -> tuple[Check, ...]:
    """Return the checks that say something about rounding; one that integrates motions does not, and takes long."""
    return tuple(check for check in load() if not check.text.integrates)


def _own(judge: _Judge, robot: StudyRobot) -> Iterator[Observation]:
    """Judge the reference, in both precisions where it is this robot's turn."""
    asked = [(robot.reference, robot.trouble)]
    if robot.case.seed % _SINGLE_EVERY == 0:
        asked.append((single_precision(robot.setting.mechanism, robot.reference.budget), ""))
    for subject, trouble in asked:
        started = time.perf_counter()
        broken = question(robot.setting, subject, judge.checks)
        properties = judge_properties(robot.setting, subject, judge.checks, broken=broken, without=robot.without)
        observation = judge.subject(robot, subject, properties, version=None)
        yield replace(observation, trouble=trouble, seconds=time.perf_counter() - started)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judge:
    """What every subject is judged by."""

    checks: tuple[Check, ...]
    known: tuple[KnownFailure, ...]

    def library(self, robot: StudyRobot, asked: Asked) -> Observation:
        """Judge a library, or say why it was not asked."""
        if asked.subject is None:
            kind = "a documented limit" if isinstance(asked.error, AdapterUnsupported) else type(asked.error).__name__
            text = str(asked.error).replace(f"{Path(robot.model.path).parent}/", "")  # a folder of this run alone
            return Observation(case=robot.case, subject=asked.name, trouble=f"{kind}: {text}")
        return self.subject(robot, asked.subject, list(asked.properties), version=asked.version)

    def subject(
        self, robot: StudyRobot, subject: Subject, properties: list[Result], *, version: str | None
    ) -> Observation:
        """Judge one subject's agreement with the truth, beside its properties."""
        agreement = judge_agreement(
            robot.setting, subject, robot.truth, (), self.checks, standings={}, without=robot.without
        )
        record = SubjectRecord(
            name=subject.name,
            library=subject.name,
            version=version,
            status="ok",
            profile=subject.name.partition(":")[2] or None,
        )
        results = apply_known(
            [*properties, *agreement], (record,), self.known, model=robot.model.path, features=robot.features
        )
        return Observation(
            case=robot.case,
            subject=subject.name,
            precision=subject.declared.precision,
            measured=tuple(measured for result in results if (measured := measured_of(result)) is not None),
            digits=_digits(robot, subject),
        )


def _digits(robot: StudyRobot, subject: Subject) -> dict[str, float]:
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
