"""Causes that a finding proves by itself: a crash, a NaN, another number at the second call, a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.diagnosis.causes import CAUSES
from robodyn_check.diagnosis.locate import locate
from robodyn_check.diagnosis.upstream import upstream
from robodyn_check.report.results import Cause

if TYPE_CHECKING:
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.report.results import Result

#: Code of a check whose fail is its own explanation -> cause.
_FAILS = {
    "RD420": "gravity-not-conservative",
    "RD902": "not-repeatable",
    "RD903": "input-overwritten",
    "RD904": "stale-cache",
}
_REFUSED = "RD942"
#: Words by which a refusal speaks of mass.
_MASS = ("mass", "inertia")


def obvious(result: Result, robot: RobotModel, mechanism: Mechanism, version: str | None) -> Cause | None:
    """Return the cause that a fail or error states by itself, or None.

    Args:
        result: A fail or an error of a library.
        robot: As written.
        mechanism: In numbers.
        version: The library's version.
    """
    message = result.message or ""
    if result.verdict == "error":
        name, element = _of_error(message), None
    elif result.code == _REFUSED:
        name, element = _of_refusal(message, robot, mechanism)
    elif result.code in _FAILS:
        name, element = _FAILS[result.code], None
    else:
        return None
    text, advice = CAUSES[name]
    return Cause(
        name=name,
        text=text,
        evidence=(f"{result.code}: {message}",),
        element=element,
        where=locate(robot, name, element),
        advice=advice,
        link=upstream(result.subject, name, version),
    )


def _of_error(message: str) -> str:
    if "not finite" in message or "NaN" in message:
        return "not-finite"
    return "library-time-out" if "no answer" in message and "within" in message else "library-crash"


def _of_refusal(message: str, robot: RobotModel, mechanism: Mechanism) -> tuple[str, str | None]:
    """Return the cause of a refusal and the element that its words are about."""
    if any(word in message.lower() for word in _MASS):
        for body in range(mechanism.nb):
            if not np.any(np.asarray(mechanism.inertia[:, :, body])) and not mechanism.mass[body]:
                name = next(
                    (link for link, on in zip(mechanism.links, mechanism.link_body, strict=True) if on == body), None
                )
                return "massless-intermediate-link", name
    names = [joint.name for joint in robot.joints] + [link.name for link in robot.links]
    quoted = [name for name in names if f"'{name}'" in message or f'"{name}"' in message]
    return "legal-model-refused", max(quoted, key=len, default=None)
