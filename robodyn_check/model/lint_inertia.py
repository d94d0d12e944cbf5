"""Rules about one link's mass and inertia: what no rigid body can have.

Bounds: an eigenvalue is known to 8 eps of the largest one; digits that the file rounds off add half a unit in the last
place of each entry. Float32 data written with more digits than it has is allowed for in the triangle inequality.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from robodyn_check.model.lint_numbers import EPS, eigenvalues, printed_step, shown, symmetric
from robodyn_check.model.lint_view import Finding, tensor
from robodyn_check.model.quote import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.model.lint_numbers import Vector
    from robodyn_check.model.lint_view import LintView
    from robodyn_check.model.robot import Inertial, Link

#: What single precision leaves of a sum of three moments, relative to the largest.
_FLOAT32 = 4 * 2.0**-23
#: A violation larger than this part of the largest moment is no rounding, however few the digits.
_MARGINAL = 0.01
_WHY_ENERGY = (
    "some motion would have negative kinetic energy; libraries refuse it, replace it, zero it or compute with it"
)
_WHY_BODY = "no distribution of mass has it; libraries refuse it, replace it or compute with it"


def check_inertias(view: LintView) -> Iterator[Finding]:
    """Judge every link that has an inertial."""
    for link in view.robot.links:
        inertial = link.inertial
        if inertial is None:
            continue
        yield from _check_mass(link, inertial, view)
        moments = eigenvalues(tensor(inertial))
        slip = _row_major_slip(link, inertial, moments)
        if slip is not None:
            yield slip
            continue
        yield from _check_moments(link, inertial, moments)
        yield from _check_signs(link, inertial, moments)


def _check_mass(link: Link, inertial: Inertial, view: LintView) -> Iterator[Finding]:
    mass = inertial.mass
    name = quoted(link.name)
    if mass.value < 0:
        yield Finding(
            code="RD101",
            verdict="fail",
            line=mass.line,
            element=link.name,
            what=f"link {name} has the negative mass {mass.text} kg",
            why="it falls upwards and makes the mass matrix indefinite",
            advice="Write the real mass.",
        )
    largest = max(abs(number.value) for number in inertial.inertia)
    if mass.value == 0 and largest > 0:
        carrier = view.carrier.get(link.name)
        alone = carrier is not None and view.bodies[carrier].mass == 0
        yield Finding(
            code="RD105",
            verdict="fail" if alone else "warn",
            line=mass.line,
            element=link.name,
            what=f"link {name} has no mass but an inertia of up to {shown(largest)} kg m²",
            why="no body turns hard but weighs nothing; loaders drop the inertia, refuse it or keep it",
            advice="Write the mass, or make the inertia 0 as well.",
        )


def _check_moments(link: Link, inertial: Inertial, moments: Vector) -> Iterator[Finding]:
    """Positive semidefinite, then the triangle inequality of the principal moments."""
    low, middle, high = moments
    largest = max(abs(low), abs(high))
    if largest == 0:
        if inertial.mass.value > 0:
            yield _semidefinite(link, inertial, "all its moments are 0 (a point mass)")
        return
    rounding = _rounding(inertial)
    name, line = quoted(link.name), inertial.inertia[0].line
    listed = ", ".join(shown(moment) for moment in moments)
    if low < -8 * EPS * largest:
        marginal = -low <= min(rounding, _MARGINAL * high)
        yield Finding(
            code="RD102",
            verdict="warn" if marginal else "fail",
            line=line,
            element=link.name,
            what=f"the inertia of link {name} has the negative principal moment {shown(low)} kg m² (all: {listed})"
            + (", as small as the rounding of its digits" if marginal else ""),
            why=_WHY_ENERGY,
            advice="Write more digits."
            if marginal
            else "Check signs and order of ixx ixy ixz iyy iyz izz at their source.",
        )
        return
    if low <= 8 * EPS * largest:
        yield _semidefinite(link, inertial, f"its smallest moment is 0 (all: {listed})")
    excess = high - middle - low
    if excess > 16 * EPS * high:
        marginal = excess <= max(min(3 * rounding, _MARGINAL * high), _FLOAT32 * high)
        yield Finding(
            code="RD104",
            verdict="warn" if marginal else "fail",
            line=line,
            element=link.name,
            what=f"the principal moments of link {name} break the triangle inequality: {shown(low)} + {shown(middle)} "
            f"< {shown(high)} kg m², by {excess / high:.2g} of the largest"
            + (", as little as the rounding of its digits" if marginal else ""),
            why=_WHY_BODY,
            advice="Write more digits."
            if marginal
            else "Compute the inertia again from the geometry, about the centre of mass.",
        )


def _semidefinite(link: Link, inertial: Inertial, fact: str) -> Finding:
    return Finding(
        code="RD103",
        verdict="note",
        line=inertial.inertia[0].line,
        element=link.name,
        what=f"the inertia of link {quoted(link.name)} is singular: {fact}",
        why="point masses and thin rods are legal, but some loaders refuse them on a moving link",
        advice="Nothing, if it is meant.",
    )


def _row_major_slip(link: Link, inertial: Inertial, moments: Vector) -> Finding | None:
    """The first two rows of the matrix written into the six places of the upper triangle: iyy then repeats ixy."""
    _xx, xy, _xz, yy, yz, zz = inertial.inertia
    impossible = moments[0] < -8 * EPS * moments[2] or moments[2] - moments[1] - moments[0] > 16 * EPS * moments[2]
    repeated = yy.value == xy.value != 0 and abs(yz.value) > abs(yy.value) and abs(zz.value) < abs(yz.value)
    if not (impossible and repeated):
        return None
    return Finding(
        code="RD107",
        verdict="fail",
        line=yy.line,
        element=link.name,
        what=f"the inertia of link {quoted(link.name)} has iyy = {yy.text}, the same as ixy, izz = {zz.text}, and the "
        f"principal moment {shown(moments[0])} kg m²",
        why="that is what comes out when a matrix is written row by row (ixx ixy ixz iyx iyy iyz) into the places "
        "ixx ixy ixz iyy iyz izz",
        advice=f"iyy probably is {yz.text} and iyz is {zz.text}; take izz from the source.",
    )


def _check_signs(link: Link, inertial: Inertial, moments: Vector) -> Iterator[Finding]:
    """Products of inertia whose opposite signs would make an impossible tensor possible."""
    if _possible(moments):
        return
    xx, xy, xz, yy, yz, zz = (number.value for number in inertial.inertia)
    if xy and xz and yz and _possible(eigenvalues(symmetric(xx, -xy, -xz, yy, -yz, zz))):
        yield Finding(
            code="RD116",
            verdict="warn",
            line=inertial.inertia[1].line,
            element=link.name,
            what=f"the inertia of link {quoted(link.name)} would be possible with ixy, ixz and iyz of opposite sign "
            f"({inertial.inertia[1].text}, {inertial.inertia[2].text}, {inertial.inertia[4].text} now)",
            why="CAD programs write products of inertia as +∫xy dm; URDF and MJCF mean -∫xy dm",
            advice="Turn the three signs.",
        )


def _possible(moments: Vector) -> bool:
    low, middle, high = moments
    return low >= 0 and high <= (low + middle) * (1 + 16 * EPS)


def _rounding(inertial: Inertial) -> float:
    """How far rounding of the written digits can move a principal moment (Frobenius norm of half a unit each)."""
    weights = (1, 2, 2, 1, 2, 1)
    steps = [printed_step(number) / 2 for number in inertial.inertia]
    return math.sqrt(sum(weight * step * step for weight, step in zip(weights, steps, strict=True)))
