"""Rules about what a joint has to move: a mass matrix that is singular in every state, links without inertial.

M_jj is the inertia that joint j moves. Where nothing behind a joint has mass or inertia, or the last body has none
about its joint's axis, the row of M is 0 and forward dynamics has no solution, whatever the state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.model.lint_numbers import EPS, eigenvalues, shown, unit, vector
from robodyn_check.model.lint_view import Finding
from robodyn_check.model.quote import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.model.lint_view import LintView, LumpedBody
    from robodyn_check.model.robot import Joint

_WHY = "the mass matrix is singular in every state: forward dynamics, simulation and M⁻¹ are not defined"


def check_motion(view: LintView) -> Iterator[Finding]:
    """Judge what every moving joint moves."""
    empty = _empty_behind(view)
    yield from _check_empty(view, empty)
    for index in view.order:
        if index not in empty and not view.below[index]:
            yield from _check_last_body(view, index)
    yield from _check_inertials(view, empty)
    yield from _check_root(view)


def _empty_behind(view: LintView) -> set[int]:
    """Return the joints behind which nothing has mass or inertia."""
    empty: set[int] = set()
    for index in reversed(view.order):
        if view.bodies[index].is_empty and all(later in empty for later in view.below[index]):
            empty.add(index)
    return empty


def _check_empty(view: LintView, empty: set[int]) -> Iterator[Finding]:
    for index in view.order:
        if index not in empty or view.upper[index] in empty:
            continue
        behind = [index]
        for later in behind:
            behind.extend(view.below[later])
        bare = [view.joint(later) for later in behind if not _armature(view.joint(later))]
        if not bare:
            continue
        first = view.joint(index)
        link = view.links.get(first.child)
        names = listed([joint.name for joint in bare])
        has = "has no <inertial>" if link is not None and link.inertial is None else "has mass 0 and inertia 0"
        many = f"joints {names} move" if len(bare) > 1 else f"joint {names} moves"
        yield Finding(
            code="RD106",
            verdict="fail",
            line=link.line if link is not None else first.line,
            element=bare[0].name,
            what=f"{many} nothing: link {quoted(first.child)} {has}, like everything behind it",
            why=_WHY,
            advice="Give the link its mass and inertia, or make the joint fixed.",
        )


def _check_last_body(view: LintView, index: int) -> Iterator[Finding]:
    joint, body = view.joint(index), view.bodies[index]
    missing = None if _armature(joint) else _missing(joint, body)
    if missing is None:
        return
    link = view.links.get(joint.child)
    yield Finding(
        code="RD106",
        verdict="fail",
        line=link.inertial.line if link is not None and link.inertial is not None else joint.line,
        element=joint.name,
        what=f"joint {quoted(joint.name)} moves link {quoted(joint.child)} ({shown(body.mass)} kg): it has {missing}",
        why=_WHY,
        advice="Give the link the inertia of the real part about that axis; a motor's rotor alone is more than 0.",
    )


def _missing(joint: Joint, body: LumpedBody) -> str | None:
    """Say what the last body lacks for its joint's motion; None where it lacks nothing."""
    if joint.kind == "prismatic":
        return None if body.mass else "no mass to push"
    if joint.kind in {"revolute", "continuous"} and joint.axis is not None:
        axis = unit(vector(joint.axis))
        return None if body.about(axis) else "no inertia about the joint's axis, on which its centre of mass lies"
    if not body.mass and joint.kind in {"planar", "floating"}:
        return "no mass"
    moments = eigenvalues(body.inertia if joint.kind == "ball" else body.central())
    flat = joint.kind in {"ball", "floating"} and abs(moments[0]) <= 64 * EPS * body.size
    return "no inertia about some axis" if flat or not any(moments) else None


def _armature(joint: Joint) -> bool:
    return joint.armature is not None and joint.armature.value > 0


def _check_inertials(view: LintView, empty: set[int]) -> Iterator[Finding]:
    """Links without inertial between joints are legal where something heavy is further out."""
    for index in view.order:
        joint = view.joint(index)
        link = view.links.get(joint.child)
        if index in empty or link is None or link.inertial is not None or not view.bodies[index].is_empty:
            continue
        yield Finding(
            code="RD112",
            verdict="note",
            line=link.line,
            element=link.name,
            what=f"moving link {quoted(link.name)} has no <inertial>, so its mass is 0",
            why="that is legal where something heavy is further out, but some loaders refuse it or put 1 kg there",
            advice="Nothing, if the link is only a frame between two joints.",
        )


def _check_root(view: LintView) -> Iterator[Finding]:
    for name in view.robot.root_links():
        inertial = view.links[name].inertial
        if inertial is None or inertial.mass.value <= 0 or not view.order:
            continue
        yield Finding(
            code="RD117",
            verdict="note",
            line=inertial.line,
            element=name,
            what=f"root link {quoted(name)} has an inertial of {shown(inertial.mass.value)} kg",
            why="on a fixed base it does not matter; with a floating base, parsers that allow none on the root lose it",
            advice="For such parsers, add an empty root link and a fixed joint.",
        )
