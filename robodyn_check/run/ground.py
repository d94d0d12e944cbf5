"""What stands before any library is asked: the robot, its states and the truth about them.

It is the same whichever libraries follow, so one ground can carry several runs over the same model and settings.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.checks.registry import load
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.mjcf_texts import TWO_READINGS
from robodyn_check.model.read import read_model
from robodyn_check.run.certification import apply_certificate, start_certificate
from robodyn_check.run.judgement import judge_properties
from robodyn_check.run.linting import lint_results, selected_codes
from robodyn_check.run.outcomes import reference_record
from robodyn_check.run.questions import question
from robodyn_check.run.truth import prepare, speak_for_model
from robodyn_check.run.two_readings import compile_once, two_readings
from robodyn_check.states.draw import draw_states
from robodyn_check.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from robodyn_check.certify.certificate import Certificate
    from robodyn_check.checks.registry import Check
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.report.results import CertificateRecord, Result, SubjectRecord
    from robodyn_check.run.gathered import Gathered
    from robodyn_check.run.subjects import Setting, Subject


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settled:
    """What the truth says of itself and of the model."""

    certificate: CertificateRecord | None
    results: tuple[Result, ...]
    record: SubjectRecord


@dataclass(slots=True, kw_only=True, eq=False)
class Ground:
    """One model, ready for libraries. ``without`` maps quantities that are not judged to the reason.

    ``proof`` and ``readings`` are under way: the certificate, and what RD150 says of an MJCF.
    """

    robot: RobotModel
    checks: Sequence[Check]
    codes: frozenset[str]
    lint: tuple[Result, ...]
    setting: Setting
    reference: Subject
    without: dict[str, str]
    proof: Future[Certificate] | None
    readings: Future[tuple[Result, ...]] | None = None
    settled: Settled | None = None

    def enter(self, gathered: Gathered) -> None:
        """Put what is known before the libraries are asked into a run's findings."""
        gathered.robot = self.robot
        gathered.mechanism, gathered.states = self.setting.mechanism, self.setting.states
        gathered.setting, gathered.reference = self.setting, self.reference
        gathered.results.extend(self.lint)

    def settle(self, gathered: Gathered) -> None:
        """Judge the truth, once, and put what it says into a run's findings."""
        if self.settled is None:
            broken = question(self.setting, self.reference, self.checks)
            certificate, proven = apply_certificate(self.proof, self.setting, self.reference)
            judged = judge_properties(self.setting, self.reference, self.checks, broken=broken, without=self.without)
            self.settled = Settled(
                certificate=certificate,
                results=(
                    *(self.readings.result() if self.readings is not None else ()),
                    *(one for one in proven if one.code in self.codes),
                    *speak_for_model(judged),
                ),
                record=reference_record(self.setting, self.reference, __version__),
            )
        gathered.certificate = self.settled.certificate
        gathered.results.extend(self.settled.results)
        gathered.records.append(self.settled.record)


def lay_ground(gathered: Gathered, say: Callable[[str], None]) -> Ground:
    """Read the model, draw its states and begin to certify the truth about them.

    What is found goes into ``gathered`` as soon as it is known.

    Raises:
        ModelError: The file cannot be read.
        UsageError: A selection that matches no check.
    """
    settings = gathered.settings
    checks = load(settings.select, tuple(code for code, _ in settings.ignore))
    codes = selected_codes(settings)
    say(f"reading {gathered.path}")
    compile_mjcf = compile_once(settings.timeout)
    gathered.robot = robot = read_model(gathered.path, compile_mjcf=compile_mjcf)
    lint = lint_results(robot, codes)
    compared = robot.format == "mjcf" and TWO_READINGS.code in codes
    readings = _started(two_readings, robot, gathered.path, compile_mjcf) if compared else None
    mechanism = build_mechanism(
        robot, base="floating" if settings.base == "floating" else "fixed", gravity=settings.gravity
    )
    states = draw_states(mechanism, count=settings.samples, seed=settings.seed)
    setting, reference, without = prepare(mechanism, states, seed=settings.seed)
    ground = Ground(
        robot=robot,
        checks=checks,
        codes=codes,
        lint=lint,
        setting=setting,
        reference=reference,
        without=without,
        readings=readings,
        proof=start_certificate(robot, mechanism, setting, asked=settings.certify),
    )
    ground.enter(gathered)
    return ground


def _started(work: Callable[..., tuple[Result, ...]], *arguments: object) -> Future[tuple[Result, ...]]:
    """Begin some work in a thread of its own, while others work."""
    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="compiler")
    future = pool.submit(work, *arguments)
    pool.shutdown(wait=False)
    return future
