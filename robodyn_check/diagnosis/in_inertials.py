"""Hypotheses about masses and inertias: what a loader may have read otherwise, in all links or in one.

Which single links are worth a try is told by the regressor: where no change of a body's ten parameters explains the
difference, no misreading of its links does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from robodyn_check.diagnosis.candidate import INERTIAL, MECHANISM, Candidate, mechanism_changes
from robodyn_check.diagnosis.masses import with_links
from robodyn_check.diagnosis.shapes import from_shapes
from robodyn_check.diagnosis.suspects import suspect_links
from robodyn_check.faults import in_inertials as faults
from robodyn_check.model.placements import Reader, float_number
from robodyn_check.model.robot import Inertial, Pose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from robodyn_check.diagnosis.evidence import Evidence
    from robodyn_check.faults.fault import Scene

    Misreading = Callable[[Inertial], Inertial | None]
    Inertials = Mapping[str, Inertial | None]

_READ = Reader(float_number)


def _products_dropped(inertial: Inertial) -> Inertial:
    """Drop the products of inertia."""
    matrix = faults.entries_of(inertial)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        matrix[i, j] = matrix[j, i] = 0.0
    return faults.with_entries(inertial, matrix)


def _com_lost(inertial: Inertial) -> Inertial:
    """Put the centre of mass at the link's origin."""
    return faults.with_com(inertial, 0.0 * faults.com_of(inertial))


#: cause -> how one inertial is read; the commonest first.
MISREADINGS: dict[str, Misreading] = {
    "inertial-origin-rpy-ignored": faults.rotation_ignored,
    "products-of-inertia-sign": faults.products_negated,
    "products-of-inertia-dropped": _products_dropped,
    "inertial-origin-rpy-transposed": faults.rotation_transposed,
    "inertial-origin-rpy-applied-to-com": faults.rotation_of_com_too,
    "inertia-about-origin": faults.origin_taken_as_com,
    "inertia-shifted-twice": faults.shifted_twice,
    "inertial-origin-xyz-ignored": _com_lost,
    "inertial-origin-unit": faults.com_in_millimetres,
}


def misread(evidence: Evidence) -> Iterable[Candidate]:
    """Read the inertials of all links, or of one suspect link, in another way."""
    written = _moving(evidence.scene)
    for cause, change in MISREADINGS.items():
        read = {name: change(inertial) for name, inertial in written.items()}
        changed = {name: new for name, new in read.items() if _differs(written[name], new)}
        yield from _all_and_each(evidence, cause, changed)


def welded(evidence: Evidence) -> Iterable[Candidate]:
    """Merge links behind fixed joints wrongly: all of them, or one."""
    written = _moving(evidence.scene)
    frames = {
        joint.child: _READ.frame(*joint.placements)
        for joint in evidence.scene.robot.joints
        if joint.kind == "fixed" and joint.child in written
    }
    yield from _all_and_each(evidence, "fixed-link-inertia-dropped", dict.fromkeys(frames))
    for cause, change in (
        ("fixed-link-not-rotated", faults.merged_without_rotation),
        ("fixed-link-wrong-point", faults.merged_at_wrong_point),
    ):
        read = {name: change(written[name], frame.R, frame.p) for name, frame in frames.items()}
        changed = {name: new for name, new in read.items() if _differs(written[name], new)}
        yield from _all_and_each(evidence, cause, changed)


def replaced(evidence: Evidence) -> Iterable[Candidate]:
    """Lose a link's inertial, give mass to links that have none, or take inertias from the shapes."""
    scene = evidence.scene
    written, roots = _moving(scene), set(scene.robot.root_links())
    for name in written:
        if name in suspect_links(evidence):
            cause = "root-link-inertia-dropped" if name in roots else "link-inertia-dropped"
            yield _candidate(cause, {name: None})
    shaped = {link.name: new for link in scene.robot.links if (new := from_shapes(link)) is not None}
    moved = {name: new for name, new in shaped.items() if name in written and _differs(written[name], new)}
    yield from _all_and_each(evidence, "inertia-recomputed-from-geometry", moved)
    one = faults.number(1.0)
    weightless = {name: replace(inertial, mass=one) for name, inertial in written.items() if inertial.mass.value == 0.0}
    yield from _all_and_each(evidence, "default-mass-for-zero-mass", weightless)
    carried = {name for name, body in zip(scene.mechanism.links, scene.mechanism.link_body, strict=True) if body >= 0}
    empty = [link.name for link in scene.robot.links if link.inertial is None and link.name in carried]
    for inertia in (0.0, 1.0):
        yield from _all_and_each(
            evidence,
            "default-mass-for-missing-inertial",
            dict.fromkeys(empty, _ball(1.0, inertia)),
            f"each link without an inertial gets 1 kg and {inertia:g} kg m²",
        )


def _ball(mass: float, inertia: float) -> Inertial:
    """Return an inertial at the link's origin, the same about every axis."""
    zero, entry = faults.number(0.0), faults.number(inertia)
    return Inertial(
        origin=Pose(xyz=(zero, zero, zero)),
        mass=faults.number(mass),
        inertia=(entry, zero, zero, entry, zero, entry),
    )


def _moving(scene: Scene) -> dict[str, Inertial]:
    """Return the inertials of the links that move, by name."""
    body_of = dict(zip(scene.mechanism.links, scene.mechanism.link_body, strict=True))
    return {
        link.name: link.inertial for link in scene.robot.links if link.inertial is not None and body_of[link.name] >= 0
    }


def _differs(old: Inertial, new: Inertial | None) -> bool:
    """Tell whether a misreading changes the numbers of a link."""
    before, after = _READ.mass_properties(old), _READ.mass_properties(new)
    size = abs(before.inertia).max() + abs(before.mass) * (before.com @ before.com)
    moved = abs(before.mass) * abs(after.com - before.com).max() * (1.0 + abs(before.com).max())
    return bool(abs(after.inertia - before.inertia).max() + moved > 1e-12 * size)


def _all_and_each(evidence: Evidence, cause: str, inertials: Inertials, *told: str) -> Iterable[Candidate]:
    """Yield the candidate that changes all the links, then those that change one suspect link alone."""
    if not inertials:
        return
    yield _candidate(cause, inertials, *told)
    if len(inertials) > 1:
        for name in inertials:
            if name in suspect_links(evidence):
                yield _candidate(cause, {name: inertials[name]}, *told)


def _candidate(cause: str, inertials: Inertials, *told: str) -> Candidate:
    names = list(inertials)
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    which = (f"in {len(names)} links: {', '.join(names[:5])}{more}",) if len(names) > 1 else ()
    return Candidate(
        cause=cause,
        touches=INERTIAL,
        apply=mechanism_changes(
            lambda mechanism: with_links(
                mechanism, {name: _READ.mass_properties(inertial) for name, inertial in inertials.items()}
            )
        ),
        level=MECHANISM,
        element=names[0] if len(names) == 1 else None,
        evidence=(*told, *which),
    )


HYPOTHESES = (misread, welded, replaced)
