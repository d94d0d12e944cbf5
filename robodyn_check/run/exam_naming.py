"""Was a fault that was found also named rightly, and put in the right place?

The diagnosis is that of a real run. One wrong name among the causes of a pupil's findings makes the naming wrong,
whatever else was said. A cause that is not the planted one counts as right only where the diagnosis says by itself that
no answer tells the two apart; such marks are counted apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from robodyn_check.diagnosis.causes import UNEXPLAINED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.diagnosis.diagnose import Alternative, Diagnosis
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.report.results import Cause

Name = Literal["right", "wrong", "unexplained"]
Place = Literal["right", "wrong", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """The right answer: names of the planted cause, and the link or joint that holds it (None: all of the robot)."""

    causes: frozenset[str]
    element: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """What the diagnosis of one fault was worth. ``as_one_of_several``: right, but only as one of several causes.

    ``said``: the causes with their elements, in the order of the findings.
    """

    name: Name
    place: Place
    said: tuple[str, ...]
    as_one_of_several: bool = False


def naming(key: Key, causes: Iterable[Cause], diagnosis: Diagnosis | None, robot: RobotModel) -> Naming:
    """Compare the causes of a pupil's findings with the planted one.

    Args:
        key: The right answer.
        causes: Of all its fails and errors.
        diagnosis: Where they come from; it knows what else fits as well.
        robot: As written; a fixed or moving joint and its child link are one place.
    """
    alternatives = () if diagnosis is None else diagnosis.alternatives
    said = list(dict.fromkeys((cause.name, cause.element) for cause in causes))
    named = [one for one in said if one[0] != UNEXPLAINED]
    told = tuple(name if element is None else f"{name} at {element}" for name, element in said)
    if not named:
        return Naming(name="unexplained", place="none", said=told)
    also = {one.cause for one in alternatives}
    off = [name for name, _ in named if name not in key.causes]
    wrong = bool(off) and not key.causes & also
    elements = [element for name, element in named if name in key.causes] or [element for _, element in named]
    return Naming(
        name="wrong" if wrong else "right",
        place=_placed(key, elements, alternatives, robot),
        said=told,
        as_one_of_several=bool(off) and not wrong,
    )


def _placed(key: Key, elements: list[str | None], alternatives: tuple[Alternative, ...], robot: RobotModel) -> Place:
    """Say whether the place is right: the first one that was said, or one that no answer tells from it."""
    right, said = (_place(element, robot) for element in (key.element, elements[0]))
    if said == right:
        return "right"
    if any(one.cause in key.causes and _place(one.element, robot) == right for one in alternatives):
        return "right"
    return "none" if said is None else "wrong"


def _place(element: str | None, robot: RobotModel) -> str | None:
    """Return the link that stands for a place: a joint is where its child is."""
    return next((joint.child for joint in robot.joints if joint.name == element), element)
