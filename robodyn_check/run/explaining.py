"""From fails to causes, for all libraries of a run; a run without a fail does not come here with anything to do."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from robodyn_check.harness.describe import describe
from robodyn_check.report.results import Cause, Result
from robodyn_check.run.assemble import REFERENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.diagnosis.diagnose import Diagnosis
    from robodyn_check.faults.fault import Answerer
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.run.libraries import Asked
    from robodyn_check.run.subjects import Setting, Subject
    from robodyn_check.sdk.readback import Readback

_WRONG = frozenset({"fail", "error"})
#: Code of a fault of the checks themselves; it has no cause in a library.
_OURS, _OURS_SLUG = "RD944", "check-runs"


def explain(
    results: Sequence[Result],
    asked: Sequence[Asked],
    setting: Setting,
    robot: RobotModel,
    *,
    reference: Subject | None = None,
) -> list[Result]:
    """Return the results with a cause on every fail and error of a library that has one.

    Args:
        results: Everything that was judged.
        asked: The libraries.
        setting: Robot, states, scales.
        robot: As written.
        reference: The truth, whose answers are used again where it was asked the same.
    """
    libraries = {one.name: one for one in asked}
    wrong = {result.subject for result in results if result.verdict in _WRONG and result.cause is None}
    opposed = _opposed(results)
    explained = list(results)
    for name in sorted(wrong & libraries.keys()):
        try:
            read = libraries[name].reading
            diagnosis = _diagnosis(libraries[name], read.setting if read else setting, robot, reference)
            explained = with_causes(
                explained,
                name,
                diagnosis,
                setting=setting,
                robot=robot,
                version=libraries[name].version,
                opposed=opposed,
            )
        except Exception as error:  # noqa: BLE001 - what was judged must not be lost because we cannot explain it
            explained.append(_failed(name, error))
    return explained


def with_causes(
    results: Sequence[Result],
    name: str,
    diagnosis: Diagnosis | None,
    *,
    setting: Setting,
    robot: RobotModel,
    version: str | None = None,
    opposed: frozenset[tuple[str, str]] = frozenset(),
) -> list[Result]:
    """Return the results with a cause on every fail and error of one subject that has one.

    Args:
        results: What was judged, of this subject and of others.
        name: The subject's name.
        diagnosis: From `diagnosis_of`; None where its answers were not diagnosed.
        setting: Robot, states, scales.
        robot: As written.
        version: Of the library.
        opposed: (subject, code) of what the truth contradicts, where several libraries were judged.
    """
    return [
        dataclasses.replace(result, cause=cause)
        if result.subject == name
        and result.verdict in _WRONG
        and result.code != _OURS
        and result.cause is None
        and (cause := _cause(result, version, diagnosis, opposed, setting, robot))
        else result
        for result in results
    ]


def _failed(name: str, error: Exception) -> Result:
    """Return the result that stands for a diagnosis of ours that raised."""
    return Result(
        code=_OURS,
        slug=_OURS_SLUG,
        verdict="error",
        subject=name,
        message=f"the diagnosis of robodyn-check raised {type(error).__name__}: {error}. This is a fault of "
        "robodyn-check, not of the library: please report it with the model and the command.",
    )


def _diagnosis(asked: Asked, setting: Setting, robot: RobotModel, reference: Subject | None) -> Diagnosis | None:
    """Hold every hypothesis against one library's answers."""
    if asked.subject is None:
        return None
    return diagnosis_of(
        asked.subject,
        setting,
        robot,
        library=asked.name,
        version=asked.version,
        readback=None if asked.loaded is None else asked.loaded.readback,
        truth=None if reference is None else _remembering(reference, setting),
    )


def _remembering(reference: Subject, setting: Setting) -> Answerer:
    """Return who answers rightly: what the reference was asked before it is not asked again."""
    from robodyn_check.faults.fault import reference_answerer  # noqa: PLC0415 - nothing is added to a run without a fail

    anew = reference_answerer(setting.mechanism)
    return lambda request: reference.answers.get(request) or anew(request)


def diagnosis_of(
    subject: Subject,
    setting: Setting,
    robot: RobotModel,
    *,
    library: str,
    version: str | None,
    readback: Readback | None = None,
    truth: Answerer | None = None,
) -> Diagnosis | None:
    """Hold every hypothesis against what a subject said.

    Args:
        subject: Who said it.
        setting: Robot, states, scales.
        robot: As written.
        library: Its name, for public reports of the same fault.
        version: Its version, for the same.
        readback: The model as it holds it, where it shows that.
        truth: Who answers rightly; None: the reference, asked anew.
    """
    from robodyn_check.diagnosis.diagnose import diagnose  # noqa: PLC0415 - nothing is added to a run without a fail
    from robodyn_check.diagnosis.evidence import gather  # noqa: PLC0415 - the same
    from robodyn_check.diagnosis.readback import changed_links  # noqa: PLC0415 - the same
    from robodyn_check.faults.fault import Scene, reference_answerer  # noqa: PLC0415 - the same

    few = setting.batch(subject.budget.few)
    scene = Scene(
        robot=robot,
        mechanism=setting.mechanism,
        answer=truth or reference_answerer(setting.mechanism),
        seed=setting.seed,
        base="floating" if robot.format == "urdf" and setting.mechanism.base == "floating" else "fixed",
    )
    view = subject.view()
    evidence = gather(
        scene,
        subject.answers,
        quantities=view.quantities,
        batch_of=lambda quantity: setting.batch(subject.budget.states_for((quantity,))),
        few=few,
        eps=view.eps,
        coriolis=view.coriolis,
        known_scales=[(setting.scales_of(len(batch)), batch) for batch in (setting.states, few)],
        held=None if readback is None else changed_links(describe(robot, setting.mechanism), readback),
    )
    return diagnose(evidence, library=library, version=version)


def _cause(
    result: Result,
    version: str | None,
    diagnosis: Diagnosis | None,
    opposed: frozenset[tuple[str, str]],
    setting: Setting,
    robot: RobotModel,
) -> Cause | None:
    """Return the cause of one result; where two libraries differ, only if the other one is right."""
    from robodyn_check.diagnosis.causes import UNEXPLAINED  # noqa: PLC0415 - nothing is added to a run without a fail
    from robodyn_check.diagnosis.obvious import obvious  # noqa: PLC0415 - the same

    if result.against not in {None, REFERENCE} and (str(result.against), result.code) in opposed:
        return None
    plain = obvious(result, robot, setting.mechanism, version)
    found = None if diagnosis is None else diagnosis.cause(result.quantity)
    if plain is not None and (result.verdict == "error" or found is None or found.name == UNEXPLAINED):
        return plain
    if found is None and result.verdict == "fail" and result.against == REFERENCE:
        return _too_near(result)
    return found


def _too_near(result: Result) -> Cause:
    """Return what is said of a fail so near its bound that the diagnosis, which allows for two roundings, sees none."""
    from robodyn_check.diagnosis.causes import CAUSES, UNEXPLAINED  # noqa: PLC0415 - nothing is added to a right run

    text, advice = CAUSES[UNEXPLAINED]
    times = "" if result.margin is None else f"{result.margin:.2g} times its bound: "
    return Cause(
        name=UNEXPLAINED,
        text=text,
        evidence=(f"{times}so near that rounding fits every small cause alike",),
        advice=advice,
    )


def _opposed(results: Sequence[Result]) -> frozenset[tuple[str, str]]:
    """Return (subject, code) of what the truth contradicts."""
    return frozenset(
        (result.subject, result.code) for result in results if result.against == REFERENCE and result.verdict in _WRONG
    )
