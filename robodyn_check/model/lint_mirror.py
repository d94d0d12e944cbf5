"""A rule about the two sides of a robot: links whose names differ by left and right should weigh the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from robodyn_check.model.lint_numbers import eigenvalues, shown
from robodyn_check.model.lint_view import Finding, tensor
from robodyn_check.model.quote import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.model.lint_view import LintView

#: CAD models of two sides differ by cables and screws; more than this is another part or a slip.
_ALIKE = 0.05
#: Whole words of a name (between _ - . or digits, or by capitals) and their mirror images.
_MIRROR = {
    "left": "right",
    "l": "r",
    "fl": "fr",
    "rl": "rr",
    "hl": "hr",
    "bl": "br",
    "lf": "rf",
    "lh": "rh",
}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def check_mirrored(view: LintView) -> Iterator[Finding]:
    """Compare masses and principal moments of left and right."""
    for link in view.robot.links:
        other = next((view.links[name] for name in _mirrored_names(link.name) if name in view.links), None)
        if other is None or link.inertial is None or other.inertial is None:
            continue
        mass, mass_other = link.inertial.mass, other.inertial.mass
        moment = eigenvalues(tensor(link.inertial))[2]
        moment_other = eigenvalues(tensor(other.inertial))[2]
        if _differ(mass.value, mass_other.value):
            fact, line = f"weighs {mass.text} kg, but {quoted(other.name)} {mass_other.text} kg", mass.line
        elif _differ(moment, moment_other):
            fact = (
                f"has a largest moment of {shown(moment)} kg m², but {quoted(other.name)} {shown(moment_other)} kg m²"
            )
            line = link.inertial.inertia[0].line
        else:
            continue
        other_line = other.inertial.line
        yield Finding(
            code="RD113",
            verdict="warn",
            line=line,
            element=link.name,
            what=f"link {quoted(link.name)} {fact} (line {other_line})",
            why="the two sides of a robot usually are mirror images; often one was corrected and the other forgotten",
            advice="Make the two agree, if the parts do.",
        )


def _differ(a: float, b: float) -> bool:
    return abs(a - b) > _ALIKE * max(abs(a), abs(b))


def _mirrored_names(name: str) -> Iterator[str]:
    """Names with one word for left replaced by right; several spellings of the word's case."""
    for match in _WORD.finditer(name):
        word = match.group()
        image = _MIRROR.get(word.lower())
        if image is not None:
            cased = image.upper() if word.isupper() else image.capitalize() if word[0].isupper() else image
            yield name[: match.start()] + cased + name[match.end() :]
