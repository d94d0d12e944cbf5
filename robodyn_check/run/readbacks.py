"""What libraries hold after loading, as findings: a warning each, a fail where no other check could show it.

A wrong mass or axis shows in the answers and fails there; the readback says why. Gravity is handed over after loading,
so a library that ignored the file's shows it nowhere else.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from robodyn_check.diagnosis.causes import CAUSES
from robodyn_check.diagnosis.readback import GRAVITY, differences, notes
from robodyn_check.diagnosis.upstream import upstream
from robodyn_check.harness.describe import describe
from robodyn_check.report.results import Cause, Result, Where

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.model.robot import RobotModel
    from robodyn_check.report.results import SubjectRecord
    from robodyn_check.run.libraries import Asked
    from robodyn_check.run.subjects import Setting

_SLUGS = {
    "RD151": "body-as-in-file",
    "RD152": "joint-as-in-file",
    "RD153": "armature-as-in-file",
    "RD154": "gravity-as-in-file",
    "RD155": "damping-as-in-file",
}


def readback_results(asked: Asked, setting: Setting, robot: RobotModel, codes: frozenset[str]) -> list[Result]:
    """Return what one library holds otherwise than the file, and a pass for each code that found nothing."""
    if asked.loaded is None or asked.loaded.readback is None or not codes & _SLUGS.keys():
        return []
    found = differences(robot, describe(robot, setting.mechanism), asked.loaded.readback)
    results = [
        Result(
            code=one.code,
            slug=_SLUGS[one.code],
            verdict="fail" if one.code == GRAVITY else "warn",
            subject=asked.name,
            message=f"{asked.name} holds another model than the file: {one.text}",
            where=None if one.line is None else Where(file=robot.path, line=one.line),
            cause=Cause(
                name=one.cause,
                text=CAUSES[one.cause][0],
                evidence=(one.text,),
                element=one.element,
                where=None if one.line is None else Where(file=robot.path, line=one.line),
                advice=CAUSES[one.cause][1],
                link=upstream(asked.name, one.cause, asked.version),
            ),
        )
        for one in found
    ]
    silent = [code for code in _SLUGS if code not in {one.code for one in found}]
    results += [Result(code=code, slug=_SLUGS[code], verdict="pass", subject=asked.name) for code in silent]
    return [result for result in results if result.code in codes]


def with_notes(record: SubjectRecord, asked: Asked, setting: Setting, robot: RobotModel) -> SubjectRecord:
    """Return the record of a library with what is harmless but worth knowing about the model that it holds."""
    if asked.loaded is None:
        return record
    mimics: Sequence[str] = [joint.name for joint in setting.mechanism.joints if joint.mimic is not None]
    readback = asked.loaded.readback
    if readback is None and not mimics:
        return record
    truth = describe(robot, setting.mechanism)
    told = notes(truth, readback or truth, mimics=mimics, reduced=asked.loaded.layout.reduced)
    return dataclasses.replace(record, notes=(*record.notes, *told))
