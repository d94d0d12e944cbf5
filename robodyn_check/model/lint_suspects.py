"""Rules about inertias that are possible but look wrong: units, placeholders, lost digits, extra entries."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from robodyn_check.model.lint_numbers import eigenvalues, shown, vector
from robodyn_check.model.lint_view import Finding, center_of_mass, tensor
from robodyn_check.model.quote import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.model.lint_view import LintView
    from robodyn_check.model.robot import Inertial, Link, Number

DENSEST = 22_590.0  #: kg/m³, osmium (CRC Handbook of Chemistry and Physics).
#: A radius of gyration beyond so many times the size of the whole robot; a rod has 0.29 of its length.
_TOO_WIDE = 2.0
#: A distance so many times the median of the robot's distances, and above one metre, is a wrong unit; so is a robot
#: whose median distance is beyond so many metres.
_TOO_FAR = 100.0
_TOO_LARGE = 10.0
#: What breaks the triangle inequality by more is told as that, not as a suspect.
_LOOSE = 0.01
_ENTRIES = {"iyx": 1, "izx": 2, "izy": 4}


def check_suspects(view: LintView) -> Iterator[Finding]:
    """Judge inertials that a body could have, but probably has not."""
    for link in view.robot.links:
        if link.inertial is not None and link.inertial.mass.value > 0:
            yield from _check_truncated(link, link.inertial)
    yield from _check_units(view)
    yield from _check_distances(view)
    yield from _check_placeholders(view)
    yield from _check_extra_entries(view)


def _check_units(view: LintView) -> Iterator[Finding]:
    """Hold the radius of gyration against the robot's size and against the densest material; one finding for each."""
    size = _size(view)
    wide: list[tuple[Link, float]] = []
    dense: list[tuple[Link, float]] = []
    for link in view.robot.links:
        if link.inertial is None or link.inertial.mass.value <= 0:
            continue
        moments, mass = eigenvalues(tensor(link.inertial)), link.inertial.mass.value
        gyration = math.sqrt(max(moments[2], 0.0) / mass)
        # the trace is 2 ∫r² dm, smallest for a ball: 2 · 3/5 m r²
        smallest = 1.2 * mass * (3 * mass / (4 * math.pi * DENSEST)) ** (2 / 3)
        possible = moments[0] >= 0 and moments[2] <= (moments[0] + moments[1]) * (1 + _LOOSE)
        if possible and gyration > _TOO_WIDE * size > 0:
            wide.append((link, gyration))
        elif possible and 0 < sum(moments) < smallest:
            dense.append((link, smallest / 3))
    if wide:
        link, gyration = wide[0]
        yield Finding(
            code="RD109",
            verdict="warn",
            line=_inertia_line(link),
            element=link.name,
            what=f"the inertia of link {quoted(link.name)} has a radius of gyration of {shown(gyration)} m"
            f"{_others(wide)}, but the whole robot is about {shown(size)} m large",
            why="kg mm² or g mm² written as kg m² look like that; the mass matrix is then off by powers of ten",
            advice=f"Check the unit; divided by 1e6 the radius is {shown(gyration / 1000)} m.",
        )
    if dense:
        link, ball = dense[0]
        yield Finding(
            code="RD109",
            verdict="warn",
            line=_inertia_line(link),
            element=link.name,
            what=f"link {quoted(link.name)} would have to be denser than osmium for an inertia as small as it has"
            f"{_others(dense)}; a ball of osmium of its mass has {shown(ball)} kg m²",
            why="a mass in g, an inertia in a larger unit, or a made-up value; the link then turns far too easily",
            advice="Check the units of mass and inertia, or compute the inertia from the geometry.",
        )


def _others(links: list[tuple[Link, float]]) -> str:
    return f" (and so have {len(links) - 1} more links)" if len(links) > 1 else ""


def _inertia_line(link: Link) -> int | None:
    return link.inertial.inertia[0].line if link.inertial is not None else link.line


def _size(view: LintView) -> float:
    """The longest way, m, from the root along joint origins to a centre of mass, or across a shape."""
    reach: dict[str | None, float] = {}
    size = 0.0
    for name, parent, distance in view.walk:
        reach[name] = reach.get(parent, 0.0) + distance
    for link in view.robot.links:
        far = math.hypot(*center_of_mass(link.inertial)) if link.inertial is not None else 0.0
        size = max(size, reach.get(link.name, 0.0) + far)
        for shape in link.shapes:
            size = max(size, math.hypot(*(2 * number.value for number in shape.sizes)))
    return size


def _check_distances(view: LintView) -> Iterator[Finding]:
    places: list[tuple[float, str, str, tuple[Number, Number, Number], int | None]] = []
    for joint in view.robot.joints:
        for pose in joint.placements:
            what = f"origin of joint {quoted(joint.name)}"
            places.append((math.hypot(*vector(pose.xyz)), what, joint.name, pose.xyz, pose.line))
    for link in view.robot.links:
        if link.inertial is not None:
            pose = link.inertial.origin
            what = f"centre of mass of link {quoted(link.name)}"
            places.append((math.hypot(*vector(pose.xyz)), what, link.name, pose.xyz, pose.line))
    known = sorted(distance for distance, *_ in places if distance > 0)
    if not known:
        return
    median = known[len(known) // 2]
    far = [place for place in places if place[0] > 1 and (place[0] > _TOO_FAR * median or median > _TOO_LARGE)]
    if far:
        distance, what, element, xyz, line = far[0]
        more = f" and {len(far) - 1} more places are as far" if len(far) > 1 else ""
        yield Finding(
            code="RD118",
            verdict="warn",
            line=line,
            element=element,
            what=f"the {what} ({' '.join(number.text for number in xyz)}) is {shown(distance)} m away{more}; half of "
            f"the robot's distances are at most {shown(median)} m",
            why="a value in mm is a thousand times too far, and inertia grows with the square",
            advice=f"If it is mm, divide by 1000: {shown(distance / 1000)} m.",
        )


def _check_truncated(link: Link, inertial: Inertial) -> Iterator[Finding]:
    diagonal = (inertial.inertia[0], inertial.inertia[3], inertial.inertia[5])
    lost = [number for number in diagonal if re.fullmatch(r"[+-]?0*\.00+", number.text)]
    if lost:
        yield Finding(
            code="RD111",
            verdict="warn",
            line=lost[0].line,
            element=link.name,
            what=f"a moment of inertia of link {quoted(link.name)} ({shown(inertial.mass.value)} kg) is printed as "
            f"{lost[0].text}",
            why="it was small and lost its digits when the file was written, so the link turns without effort",
            advice="Write it with significant digits (%.9g), not with a fixed number of decimals.",
        )


def _check_placeholders(view: LintView) -> Iterator[Finding]:
    """The same round multiple of the identity on links of different mass, or the unit inertial."""
    groups: dict[str, list[Link]] = {}
    for link in view.robot.links:
        inertial = link.inertial
        if inertial is None or not view.moves(link.name) or inertial.mass.value <= 0:
            continue
        xx, xy, xz, yy, yz, zz = (number.value for number in inertial.inertia)
        if xx == yy == zz > 0 and xy == xz == yz == 0 and math.log10(xx) == round(math.log10(xx)):
            groups.setdefault(inertial.inertia[0].text, []).append(link)
    for text, links in groups.items():
        first = links[0].inertial
        assert first is not None
        masses = {link.inertial.mass.value for link in links if link.inertial is not None}
        if len(masses) > 1 or (float(text) == 1 and first.mass.value == 1):
            one = len(links) == 1
            masses_said = f"{len(masses)} different masses" if len(masses) > 1 else f"mass {shown(first.mass.value)} kg"
            yield Finding(
                code="RD110",
                verdict="warn",
                line=first.inertia[0].line,
                element=links[0].name,
                what=f"{'link' if one else 'links'} {listed([link.name for link in links])} of {masses_said} "
                f"{'has' if one else 'have'} the inertia {text} times the identity",
                why="that is what editors and exporters fill in; the mass matrix is then made up",
                advice="Compute the inertias from the geometry.",
            )


def _check_extra_entries(view: LintView) -> Iterator[Finding]:
    """The lower triangle of the inertia, which URDF does not know, where it contradicts the upper one."""
    for element in view.robot.extensions:
        tag, _, entry = element.tag.partition("@")
        link = view.links.get(element.owner or "")
        if tag != "inertia" or entry not in _ENTRIES or link is None or link.inertial is None:
            continue
        upper = link.inertial.inertia[_ENTRIES[entry]]
        try:
            same = float(element.text) == upper.value
        except ValueError:
            same = False
        if not same:
            mirrored = f"i{entry[2]}{entry[1]}"
            yield Finding(
                code="RD108",
                verdict="warn",
                line=element.line,
                element=link.name,
                what=f"the inertia of link {quoted(link.name)} has {entry}={quoted(element.text)}, which URDF does not "
                f"know, but {mirrored}={quoted(upper.text)}",
                why="everyone reads the upper triangle, so the other value is lost, and one of them is wrong",
                advice=f"Find out which is right, write it as {mirrored}, and remove {entry}.",
            )
