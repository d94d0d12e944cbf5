"""Family 1: what the model file alone shows. Plain Python: no numpy, no library.

`lint` runs every rule and returns results in the common form: one per finding, and one pass for each code that found
nothing. A note (something legal but worth knowing) is a pass with a message. Texts: `lint_texts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.model.lint_inertia import check_inertias
from robodyn_check.model.lint_joints import check_joints
from robodyn_check.model.lint_mirror import check_mirrored
from robodyn_check.model.lint_motion import check_motion
from robodyn_check.model.lint_names import check_names
from robodyn_check.model.lint_shapes import check_shapes
from robodyn_check.model.lint_suspects import check_suspects
from robodyn_check.model.lint_texts import LINT_TEXTS, UNREADABLE
from robodyn_check.model.lint_view import make_view
from robodyn_check.report.results import Cause, Result, Where

if TYPE_CHECKING:
    from robodyn_check.model.lint_view import Finding
    from robodyn_check.model.robot import RobotModel

#: Every rule: a function of the view that yields findings.
RULES = (check_inertias, check_motion, check_suspects, check_shapes, check_mirrored, check_joints, check_names)
_SLUGS = {text.code: text.slug for text in LINT_TEXTS}


def lint(robot: RobotModel) -> tuple[Result, ...]:
    """Return what the file alone shows about a robot.

    Returns:
        Results of subject "model", by code and line. A finding's cause names the link or joint (``element``).
    """
    view = make_view(robot)
    findings = [finding for rule in RULES for finding in rule(view)]
    findings.sort(key=lambda finding: (finding.code, finding.line or 0))
    found = {finding.code for finding in findings}
    results = [_result(finding, robot.path) for finding in findings]
    results += [
        Result(code=code, slug=slug, verdict="pass", subject="model")
        for code, slug in _SLUGS.items()
        if code not in found and code != UNREADABLE
    ]
    return tuple(sorted(results, key=lambda result: result.code))


def _result(finding: Finding, path: str) -> Result:
    where = Where(file=path, line=finding.line)
    slug = _SLUGS[finding.code]
    cause = Cause(name=slug, text=finding.what, element=finding.element, where=where, advice=finding.advice)
    return Result(
        code=finding.code,
        slug=slug,
        verdict="pass" if finding.verdict == "note" else finding.verdict,
        subject="model",
        message=f"{finding.what}: {finding.why}. {finding.advice}",
        cause=cause,
        where=where,
    )
