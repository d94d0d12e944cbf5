"""What became of a library, as its record and, where it could not be asked, as the result that says why.

missing              error when the user named it, else skip with the install command
documented limit     skip
refused              skip where the model's lint found a fault, else fail: refusing a legal model is wrong
crashed, timed out   error
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Literal

import numpy as np

from robodyn_check.checks.probing import ask
from robodyn_check.errors import AdapterMissing, AdapterRefused, AdapterUnsupported
from robodyn_check.harness.discovery import install_hint
from robodyn_check.quantities import QUANTITIES
from robodyn_check.report.results import Result, SubjectRecord
from robodyn_check.requests import Answer
from robodyn_check.sdk.records import to_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.run.libraries import Asked
    from robodyn_check.run.subjects import Setting, Subject

Status = Literal["ok", "skip", "error", "fail"]
_CODES = {
    AdapterMissing: ("RD941", "library-is-there"),
    AdapterUnsupported: ("RD942", "library-loads-the-model"),
    AdapterRefused: ("RD942", "library-loads-the-model"),
}
_CRASHED = ("RD943", "library-process-survives")


def judge_obstacle(asked: Asked, *, named: bool, lint_faults: Sequence[Result]) -> Result:
    """Return the result of a library that could not be asked.

    Args:
        asked: What became of it; it ended with an error.
        named: The user named it.
        lint_faults: What the model's lint calls a fault.
    """
    error = asked.error
    assert error is not None, "only for libraries that ended with an error"
    code, slug = _CODES.get(type(error), _CRASHED)
    message = str(error)
    verdict: Literal["fail", "error", "skip"] = "error"
    if isinstance(error, AdapterMissing):
        verdict = "error" if named else "skip"
        if "install" not in message.lower():
            message = f"{message}. Install it: {install_hint(asked.adapter)}"
    elif isinstance(error, AdapterUnsupported):
        verdict = "skip"
    elif isinstance(error, AdapterRefused):
        verdict = "skip" if lint_faults else "fail"
        if lint_faults:
            first = lint_faults[0]
            place = f" ({first.where.file}:{first.where.line})" if first.where else ""
            message = f"{message}. The model is at fault: {first.code} {first.slug}{place}"
        else:
            message = f"refuses a legal model: {message.removeprefix(f'{asked.name}: ')}"
    return Result(code=code, slug=slug, verdict=verdict, subject=asked.name, message=message)


def library_record(asked: Asked, setting: Setting, obstacle: Result | None) -> SubjectRecord:
    """Return the record of a library."""
    adapter = asked.adapter
    record = SubjectRecord(
        name=asked.name,
        library=adapter.library or adapter.name,
        version=None,
        status="ok",
        profile=asked.spec.profile or None,
        precision=adapter.precision,
        coriolis=adapter.coriolis,
        environment=asked.session.launch.environment if asked.session is not None else None,
        stderr_tail=asked.stderr_tail,
    )
    if obstacle is not None:
        status: dict[str, Status] = {"skip": "skip", "fail": "fail", "error": "error"}
        return dataclasses.replace(
            record, status=status[obstacle.verdict], reason=obstacle.message, version=asked.version
        )
    assert asked.loaded is not None, "a library without an obstacle was loaded"
    assert asked.subject is not None, "a library without an obstacle was loaded"
    info, readback = asked.loaded.info, asked.loaded.readback
    return dataclasses.replace(
        record,
        version=info.version,
        precision=info.precision,
        coriolis=info.coriolis,
        quantities=tuple(name for name in QUANTITIES if name in info.quantities),
        coverage=coverage(setting, asked.subject),
        states_checked=min(asked.subject.budget.states, len(setting.states)),
        seconds=seconds(asked.subject),
        notes=(*asked.notes, *asked.loaded.notes, *asked.subject.budget.notes),
        readback=None if readback is None else to_json(readback),
    )


def reference_record(setting: Setting, reference: Subject, version: str) -> SubjectRecord:
    """Return the record of the reference."""
    return SubjectRecord(
        name=reference.name,
        library="robodyn-check",
        version=version,
        status="ok",
        coriolis=reference.declared.coriolis,
        quantities=tuple(QUANTITIES),
        coverage=coverage(setting, reference),
        states_checked=len(setting.states),
        seconds=seconds(reference),
        notes=reference.budget.notes,
    )


def coverage(setting: Setting, subject: Subject) -> dict[str, int]:
    """Return the number of states of the run at which each quantity was answered with numbers."""
    covered = {}
    for quantity in QUANTITIES:
        answer = subject.answers.get(ask(quantity, setting.batch(subject.budget.states_for((quantity,)))))
        if isinstance(answer, Answer):
            rows = answer.values.reshape(len(answer.values), -1)
            # links that the library merged away hold NaN and are no failure
            count = int(np.isfinite(rows).any(axis=1).sum()) if rows.shape[1] else len(rows)
            covered[quantity] = count
    return {quantity: count for quantity, count in covered.items() if count}


def seconds(subject: Subject) -> float:
    """Return the time that the subject itself took to answer, s."""
    return sum(answer.seconds for _, answer in subject.answers.items() if isinstance(answer, Answer))
