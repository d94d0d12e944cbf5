"""Two files of one robot: the second is a subject like any other, and the first is its truth.

Joints and links are matched by name; where names differ, by structure: the same kinds of joints on the same parents.
The findings are those of a library, with the same causes, and the line of either file.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.registry import load
from robodyn_check.diagnosis.readback import differences
from robodyn_check.errors import UsageError
from robodyn_check.harness.describe import describe
from robodyn_check.harness.mjcf_compiler import run_compiler
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.quantities import QUANTITIES
from robodyn_check.report.results import Cause, Result, SubjectRecord, Where
from robodyn_check.requests import Answer
from robodyn_check.run.assemble import REFERENCE, make_report
from robodyn_check.run.explaining import diagnosis_of
from robodyn_check.run.gathered import Gathered
from robodyn_check.run.judgement import judge_agreement
from robodyn_check.run.outcomes import coverage
from robodyn_check.run.subjects import Declared, Subject
from robodyn_check.run.truth import answer, prepare
from robodyn_check.states.draw import draw_states

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from robodyn_check.diagnosis.diagnose import Diagnosis
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.report.results import Report
    from robodyn_check.requests import Failure, Request
    from robodyn_check.sdk.readback import Readback
    from robodyn_check.settings import Settings

    FloatArray = npt.NDArray[np.float64]

#: How two files are compared: as numbers of seven digits, which is what files are written with, or to the last bit.
FILE_DIGITS, EXACT = "single", "double"
_ADVICE = "Decide which file is right, and correct the other one."


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Names of the second robot by those of the first."""

    joints: dict[str, str]
    links: dict[str, str]


def compare_files(first: str, second: str, settings: Settings, *, exact: bool = False) -> Report:
    """Compare two descriptions of one robot; the report's model is the first, its only library the second.

    Args:
        first: The file that is taken for right.
        second: The file that is held against it.
        settings: States, seed, base, gravity.
        exact: Compare to the last bit, not to the digits that files are written with.

    Raises:
        ModelError: A file that cannot be read.
        UsageError: The robots have different joints.
    """
    robots = [read_model(path, compile_mjcf=run_compiler) for path in (first, second)]
    mechanisms = [
        build_mechanism(robot, base="floating" if settings.base == "floating" else "fixed", gravity=settings.gravity)
        for robot in robots
    ]
    match = matched(mechanisms[0], mechanisms[1])
    states = draw_states(mechanisms[0], count=settings.samples, seed=settings.seed)
    setting, reference, without = prepare(mechanisms[0], states, seed=settings.seed)
    name = Path(second).name if Path(first).name != Path(second).name else second
    whole = set(match.links) == set(mechanisms[0].links)
    subject = Subject(
        declared=Declared(
            name=name,
            quantities=frozenset(QUANTITIES) - (set() if whole else {"joint_torque_regressor"}),
            precision=EXACT if exact else FILE_DIGITS,
            coriolis="christoffel",
        ),
        answer=partial(_answered, mechanisms[0], mechanisms[1], match),
        budget=reference.budget,
    )
    checks = [check for check in load(settings.select) if check.is_agreement]
    results = judge_agreement(setting, subject, reference, (), checks, standings={}, without=without)
    diagnosis = diagnosis_of(subject, setting, robots[0], library=name, version=None)
    results = [_explained(result, diagnosis, match, robots) for result in results]
    results += _differences(robots, mechanisms, match, name, exact=exact)
    again = f"robodyn-check pair {first} {second} --samples {settings.samples} --seed {settings.seed}"
    gathered = Gathered(path=first, settings=settings)
    gathered.robot, gathered.mechanism, gathered.states = robots[0], mechanisms[0], states
    gathered.results = [replace(one, again=again) if one.verdict == "fail" else one for one in results]
    gathered.records = [
        SubjectRecord(name=REFERENCE, library="robodyn-check", version=None, status="ok", reason=first),
        SubjectRecord(
            name=name,
            library=second,
            version=None,
            status="ok",
            quantities=tuple(one for one in QUANTITIES if one in subject.declared.quantities),
            coverage=coverage(setting, subject),
            states_checked=len(states),
        ),
    ]
    return dataclasses.replace(make_report([gathered.model_report()], settings), command=again)


def matched(first: Mechanism, second: Mechanism) -> Match:
    """Match the joints and links of two robots by name, or else by structure.

    Raises:
        UsageError: Neither fits.
    """
    names = [set(mechanism.joint_names) for mechanism in (first, second)]
    if names[0] == names[1]:
        return Match(
            joints={name: name for name in first.joint_names},
            links={name: name for name in first.links if name in second.links},
        )
    shapes = [[_shape(mechanism, body) for body in range(mechanism.nb)] for mechanism in (first, second)]
    if shapes[0] != shapes[1]:
        only = [sorted(names[0] - names[1]), sorted(names[1] - names[0])]
        raise UsageError(
            f"the two robots do not match: joints only in the first: {', '.join(only[0]) or 'none'}; only in the "
            f"second: {', '.join(only[1]) or 'none'}; and their trees differ as well. Rename the joints of one file."
        )
    joints = {
        first.joints[first.body_joint[body]].name: second.joints[second.body_joint[body]].name
        for body in range(first.nb)
    }
    links: dict[str, str] = {}
    for body in range(-1, first.nb):
        pairs = zip(_links_on(first, body), _links_on(second, body), strict=False)
        links.update(pairs)
    return Match(joints=joints, links=links)


def _shape(mechanism: Mechanism, body: int) -> tuple[str, int]:
    kind = mechanism.joints[mechanism.body_joint[body]].kind
    return ("revolute" if kind == "continuous" else kind), mechanism.parent[body]


def _links_on(mechanism: Mechanism, body: int) -> list[str]:
    return [name for name, on in zip(mechanism.links, mechanism.link_body, strict=True) if on == body]


def _answered(
    first: Mechanism, second: Mechanism, match: Match, requests: Sequence[Request]
) -> dict[str, Answer | Failure]:
    """Answer with the second robot in the coordinates of the first."""
    q, v = _places(first, second, match)
    links = [second.links.index(match.links[name]) if name in match.links else -1 for name in first.links]
    mapped = {request.key: _in_second(request, q, v) for request in requests}
    answers = answer(second, tuple(mapped.values()))
    return {
        key: replace(found, values=_in_first(request, found.values, v, links))
        if isinstance(found := answers[request.key], Answer)
        else found
        for key, request in mapped.items()
    }


def _places(first: Mechanism, second: Mechanism, match: Match) -> tuple[list[int], list[int]]:
    """Return where each coordinate of the second robot stands in q and v of the first."""
    ours = {match.joints[joint.name]: joint for joint in first.joints}
    q = [k for joint in second.joints for k in range(ours[joint.name].q.start, ours[joint.name].q.stop)]
    v = [k for joint in second.joints for k in range(ours[joint.name].v.start, ours[joint.name].v.stop)]
    return q, v


def _in_second(request: Request, q: list[int], v: list[int]) -> Request:
    return replace(
        request,
        q=request.q[:, q],
        v=None if request.v is None else request.v[:, v],
        a=None if request.a is None else request.a[:, v],
        tau=None if request.tau is None else request.tau[:, v],
    )


def _in_first(request: Request, values: FloatArray, v: list[int], links: list[int]) -> FloatArray:
    """Return values in the first robot's order; links that the second one lacks hold NaN."""
    back = np.argsort(v)
    for axis, size in enumerate(QUANTITIES[request.quantity].shape, start=1):
        if size == "nv":
            values = np.take(values, back, axis=axis)
        elif size == "nl":
            values = np.take(values, links, axis=axis)
            values[:, [k for k, link in enumerate(links) if link < 0]] = np.nan
        elif size == "10*nl":
            columns = [10 * link + k for link in links for k in range(10)]
            values = np.take(values, columns, axis=axis)
    return values


def _explained(result: Result, diagnosis: Diagnosis | None, match: Match, robots: Sequence[RobotModel]) -> Result:
    if result.verdict != "fail" or diagnosis is None:
        return result
    cause = replace(diagnosis.cause(result.quantity), advice=_ADVICE, link=None)
    line = _line(robots[1], {**match.links, **match.joints}.get(cause.element or ""))
    if line is not None:
        told = f"in the other file: {robots[1].path}:{line}"
        cause = replace(cause, evidence=(*cause.evidence, told))
    return replace(result, cause=cause)


def _line(robot: RobotModel, name: str | None) -> int | None:
    lines = {link.name: link.line for link in robot.links} | {joint.name: joint.line for joint in robot.joints}
    return lines.get(name or "")


def _differences(
    robots: Sequence[RobotModel], mechanisms: Sequence[Mechanism], match: Match, name: str, *, exact: bool
) -> list[Result]:
    """Return what the second file states otherwise, number by number, with both lines."""
    truth, held = (describe(robot, mechanism) for robot, mechanism in zip(robots, mechanisms, strict=True))
    renamed = _renamed(held, {new: old for old, new in match.joints.items()}, {b: a for a, b in match.links.items()})
    relative = 1e-9 if exact else 64 * 2.0**-23
    results = []
    for one in differences(robots[0], truth, renamed, relative=relative):
        line = _line(robots[1], {**match.links, **match.joints}.get(one.element or ""))
        place = "" if line is None else f" ({robots[1].path}:{line})"
        where = None if one.line is None else Where(file=robots[0].path, line=one.line)
        results.append(
            Result(
                code=one.code,
                slug="files-agree",
                verdict="warn",
                subject=name,
                message=f"{one.text}{place}",
                where=where,
                cause=Cause(
                    name=one.cause,
                    text="the files state different numbers",
                    evidence=(one.text,),
                    element=one.element,
                    where=where,
                    advice=_ADVICE,
                ),
            )
        )
    return results


def _renamed(held: Readback, joints: Mapping[str, str], links: Mapping[str, str]) -> Readback:
    """Return a readback with the names of the other file."""
    bodies = tuple(
        replace(
            body,
            name=links.get(body.name, body.name),
            links=tuple(links.get(link, link) for link in body.links),
            joint=None if body.joint is None else joints.get(body.joint, body.joint),
        )
        for body in held.bodies
    )
    moved = tuple(
        replace(
            joint,
            name=joints.get(joint.name, joint.name),
            parent=None if joint.parent is None else links.get(joint.parent, joint.parent),
            child=None if joint.child is None else links.get(joint.child, joint.child),
        )
        for joint in held.joints
    )
    return replace(held, bodies=bodies, joints=moved)
