"""One ``<joint>`` or ``<freejoint>`` of a body, with the values that its default class gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.model.mjcf_rotations import composed, rotated_vector
from robodyn_check.model.mjcf_schema import JOINT_TYPES
from robodyn_check.model.mjcf_values import (
    NOWHERE,
    ONE,
    SMALLEST_LENGTH,
    ZERO,
    check_attributes,
    made,
    number,
    numbers,
    vector,
    word,
)
from robodyn_check.model.quote import quoted
from robodyn_check.model.robot import Joint, Limits, Number, Pose
from robodyn_check.model.suggest import nearest

if TYPE_CHECKING:
    from robodyn_check.model.mjcf_defaults import Defaults
    from robodyn_check.model.mjcf_node import Node
    from robodyn_check.model.mjcf_settings import Settings

#: Words of URDF and SDF for what MJCF calls otherwise.
_OTHER_WORDS = {
    "revolute": "hinge",
    "continuous": "hinge",
    "prismatic": "slide",
    "floating": "free",
    "spherical": "ball",
    "fixed": None,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a joint stands: body, place in it, parent body, the poses around it, and the class in force.

    ``before`` are the poses from the parent body to this body for its first joint, none for later ones. ``frames``
    are those inside the body around the joint.
    """

    body: str
    index: int
    parent: str | None
    before: tuple[Pose, ...]
    frames: tuple[Pose, ...]
    childclass: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JointReader:
    """Reads joints under one file's settings and defaults."""

    settings: Settings
    defaults: Defaults

    def kind(self, node: Node, childclass: str | None) -> str | None:
        """Return MJCF's type of a joint; an unknown one is a fault."""
        if node.tag == "freejoint":
            return "free"
        source = self.defaults.give(node, "joint", childclass, "type")
        text = source.get("type")
        if text is not None and text not in JOINT_TYPES:
            if text in _OTHER_WORDS:
                word_here = _OTHER_WORDS[text]
                hint = f"MJCF says {quoted(word_here)}" if word_here else "in MJCF a body without a joint is welded"
            else:
                near = nearest(text, JOINT_TYPES)
                hint = f"Did you mean {quoted(near)}?" if near else "There are: " + ", ".join(JOINT_TYPES)
            source.fault(f"joint type {quoted(text)} is not known. {hint}", at="type", cause="unknown-joint-type")
            return None
        return text or "hinge"

    def read(self, node: Node, spot: Spot, kind: str) -> Joint:
        """Return the joint; what is wrong is recorded as faults.

        Args:
            node: The element.
            spot: Where it stands.
            kind: Its MJCF type.
        """
        name = node.get("name") or f"{spot.body}/joint#{spot.index}"
        what = f"joint {quoted(name)}"
        check_attributes(node, what)
        if node.tag == "joint":
            self.defaults.check(node, "class")
        give = _Giver(self, node, spot.childclass, what)
        turning, one_dof = kind in {"hinge", "ball"}, kind in {"hinge", "slide"}
        degrees = self.settings.degrees and turning
        anchor = NOWHERE if kind == "free" else (give.vector("pos") or NOWHERE)
        axis = (give.vector("axis") or (ZERO, ZERO, ONE)) if one_dof else None
        if axis is not None and sum(entry.value**2 for entry in axis) ** 0.5 < SMALLEST_LENGTH and axis[0].text:
            give.source("axis").fault(f"the axis of {what} is zero, expected a direction", at="axis", cause="zero-axis")
        anchor, axis = _outside_frames(spot.frames, anchor, axis)
        placement, child_placement = _around(anchor)
        reference = give.number("ref", degrees=degrees) if one_dof else None
        return Joint(
            name=name,
            kind=JOINT_TYPES[kind][0],  # type: ignore[arg-type]  # the table holds JointKind words
            line=node.line(),
            parent=spot.body if spot.index > 0 else spot.parent,
            child=spot.body,
            placements=(*spot.before, *placement),
            child_placement=child_placement,
            axis=axis,
            limits=self._limits(give, kind, degrees=degrees),
            damping=give.first("damping"),
            friction=give.number("frictionloss"),
            stiffness=give.first("stiffness"),
            armature=give.number("armature"),
            reference=reference if reference is not None and reference.value != 0 else None,
            origin_is_absolute=kind == "free",
        )

    def _limits(self, give: _Giver, kind: str, *, degrees: bool) -> Limits | None:
        """Return the limits of a hinge or slide by the rules of ``limited`` and ``autolimits``; None: unlimited."""
        limited = give.word("limited", ("true", "false", "auto")) or "auto"
        bounds = give.numbers("range", count=2, degrees=degrees)
        source = give.source("range")
        if kind == "free":
            return None
        if limited == "auto" and not self.settings.autolimits and bounds is not None:
            source.fault(
                f'{give.what} has range but not limited, and autolimits is off; write limited="true" or "false"',
                at="range",
            )
        lower, upper = bounds if bounds is not None else (ZERO, ZERO)
        ordered = lower.value < upper.value or not lower.text
        if limited == "true" and not ordered:
            source.fault(
                f"{give.what} is limited but its range is {lower.text} to {upper.text}, expected the smaller first",
                at="range",
                cause="bad-range",
            )
        if limited == "false" or bounds is None or not ordered or kind == "ball":
            return None
        return Limits(lower=lower, upper=upper, line=source.line("range"))


@dataclass(frozen=True, slots=True, kw_only=False)
class _Giver:
    """The attributes of one joint, from itself or from its class; a freejoint takes no defaults."""

    reader: JointReader
    node: Node
    childclass: str | None
    what: str

    def source(self, attribute: str) -> Node:
        if self.node.tag == "freejoint":
            return self.node
        return self.reader.defaults.give(self.node, "joint", self.childclass, attribute)

    def number(self, attribute: str, *, degrees: bool = False) -> Number | None:
        source, what = self._from(attribute)
        return number(source, attribute, what=what, degrees=degrees)

    def numbers(self, attribute: str, *, count: int, degrees: bool = False) -> tuple[Number, ...] | None:
        source, what = self._from(attribute)
        return numbers(source, attribute, what=what, count=count, degrees=degrees)

    def first(self, attribute: str) -> Number | None:
        """Return the linear coefficient of a polynomial of up to three; the others are listed as outside."""
        source, what = self._from(attribute)
        read = numbers(source, attribute, what=what, count=None)
        if read is not None and not 1 <= len(read) <= 3:
            source.fault(f"{attribute} of {what} has {len(read)} numbers, expected one to three", at=attribute)
        return read[0] if read else None

    def vector(self, attribute: str) -> tuple[Number, Number, Number] | None:
        source, what = self._from(attribute)
        return vector(source, attribute, what=what)

    def word(self, attribute: str, known: tuple[str, ...]) -> str | None:
        source, what = self._from(attribute)
        return word(source, attribute, known, what=what)

    def _from(self, attribute: str) -> tuple[Node, str]:
        """Return the element that says an attribute and what to call it: a default is told once, not per joint."""
        source = self.source(attribute)
        return source, self.what if source is self.node else "the default of <joint>"


def _outside_frames(
    frames: tuple[Pose, ...], anchor: tuple[Number, Number, Number], axis: tuple[Number, Number, Number] | None
) -> tuple[tuple[Number, Number, Number], tuple[Number, Number, Number] | None]:
    """Return anchor and axis in the body's frame; as written where no frame stands between."""
    if not frames:
        return anchor, axis
    rows, point = composed((*frames, Pose(xyz=anchor)))
    x, y, z = (made(value, entry.line) for value, entry in zip(point, anchor, strict=True))
    return (x, y, z), None if axis is None else rotated_vector(rows, axis)


def _around(anchor: tuple[Number, Number, Number]) -> tuple[tuple[Pose, ...], Pose | None]:
    """Return the poses from the body's frame to the joint's and back, none where the anchor is the origin."""
    if all(entry.value == 0 for entry in anchor):
        return (), None
    x, y, z = (_negative(entry) for entry in anchor)
    line = anchor[0].line
    return (Pose(xyz=anchor, line=line),), Pose(xyz=(x, y, z), line=line)


def _negative(entry: Number) -> Number:
    """Return -x, its text exact."""
    text = entry.text[1:] if entry.text[:1] in {"-", "+"} else entry.text
    return Number(text=text if entry.text.startswith("-") else f"-{text}", value=-entry.value, line=entry.line)
