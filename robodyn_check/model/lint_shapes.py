"""Rules that hold an inertial against the link's shapes: centre of mass outside, principal axes exchanged, no mesh."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.model.lint_numbers import rotated, rotation_matrix, shown, transpose, vector
from robodyn_check.model.lint_view import Finding, center_of_mass, inertia_axes, tensor
from robodyn_check.model.quote import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from robodyn_check.model.lint_numbers import Vector
    from robodyn_check.model.lint_view import LintView
    from robodyn_check.model.robot import Inertial, Link, Shape

#: How far outside, in diagonals of the box around the shapes: shapes are drawn simpler than parts are.
_OUTSIDE = 0.1
#: kg/m³ that no link has: less than air, and ten times osmium (shapes may stand for a part of the link only).
_THINNEST, _THICKEST = 1.0, 225_900.0
#: Moments closer than this factor say nothing about which axis is which.
_DISTINCT = 2.0


def check_shapes(view: LintView) -> Iterator[Finding]:
    """Judge inertials against shapes, and look for meshes."""
    for link in view.robot.links:
        shapes = [shape for shape in link.shapes if shape.role == "collision"] or list(link.shapes)
        inertial = link.inertial
        if inertial is None or inertial.mass.value <= 0 or not shapes:
            continue
        if all(_half_lengths(shape) for shape in shapes):
            yield from _check_center(link, inertial, shapes)
            yield from _check_density(link, inertial)
        if len(shapes) == 1:
            yield from _check_axes(link, inertial, shapes[0])
    yield from _check_meshes(view)


def _half_lengths(shape: Shape) -> Vector | None:
    """Half the lengths of the box around a primitive, in its own axes; None for a mesh."""
    sizes = [abs(number.value) for number in shape.sizes]
    if shape.kind == "box" and len(sizes) == 3:
        return (sizes[0] / 2, sizes[1] / 2, sizes[2] / 2)
    if shape.kind == "sphere" and len(sizes) == 1:
        return (sizes[0], sizes[0], sizes[0])
    if shape.kind == "cylinder" and len(sizes) == 2:
        return (sizes[0], sizes[0], sizes[1] / 2)
    if shape.kind == "capsule" and len(sizes) == 2:
        return (sizes[0], sizes[0], sizes[0] + sizes[1] / 2)
    return None


def _check_center(link: Link, inertial: Inertial, shapes: Sequence[Shape]) -> Iterator[Finding]:
    low, high = [math.inf] * 3, [-math.inf] * 3
    for shape in shapes:
        half = _half_lengths(shape)
        assert half is not None
        rot, center = rotation_matrix(shape.origin.rotation), vector(shape.origin.xyz)
        for k in range(3):
            reach = sum(abs(entry) * length for entry, length in zip(rot[k], half, strict=True))
            low[k], high[k] = min(low[k], center[k] - reach), max(high[k], center[k] + reach)
    point = center_of_mass(inertial)
    outside = math.hypot(*(max(low[k] - point[k], point[k] - high[k], 0.0) for k in range(3)))
    diagonal = math.hypot(*(high[k] - low[k] for k in range(3)))
    if outside > _OUTSIDE * diagonal:
        yield Finding(
            code="RD114",
            verdict="warn",
            line=inertial.origin.line or inertial.line,
            element=link.name,
            what=f"the centre of mass of link {quoted(link.name)} lies {shown(outside)} m outside its shapes, "
            f"which are {shown(diagonal)} m across",
            why="a body's centre of mass lies within it; gravity torques grow with the distance",
            advice="Check the frame and the unit of the inertial's origin.",
        )


def _check_density(link: Link, inertial: Inertial) -> Iterator[Finding]:
    """Mass per volume of the boxes around all shapes of the link; a mesh among them makes it unknown."""
    halves = [_half_lengths(shape) for shape in link.shapes]
    volume = sum(8 * math.prod(half) for half in halves if half is not None)
    if None in halves or volume == 0:
        return
    density = inertial.mass.value / volume
    if not _THINNEST <= density <= _THICKEST:
        yield Finding(
            code="RD119",
            verdict="warn",
            line=inertial.mass.line,
            element=link.name,
            what=f"link {quoted(link.name)} has {shown(inertial.mass.value)} kg in shapes of {shown(volume)} m³, "
            f"{shown(density)} kg/m³ (water has 1000)",
            why="a mass in g, or shapes in mm, are off by a thousand or a thousand million",
            advice="Check the unit of the mass and of the shapes' sizes.",
        )


def _solid_moments(shape: Shape) -> Vector | None:
    """Moments of a solid of mass 1 about the axes of the shape; a capsule is taken as the cylinder around it."""
    half = _half_lengths(shape)
    if half is None or shape.kind == "sphere":
        return None
    x, y, z = half
    if shape.kind == "box":
        return ((y * y + z * z) / 3, (x * x + z * z) / 3, (x * x + y * y) / 3)
    across = x * x / 4 + z * z / 3
    return (across, across, x * x / 2)


def _check_axes(link: Link, inertial: Inertial, shape: Shape) -> Iterator[Finding]:
    expected = _solid_moments(shape)
    if expected is None or max(expected) < _DISTINCT * min(expected):
        return
    in_link = rotated(inertia_axes(inertial), tensor(inertial))
    in_shape = rotated(transpose(rotation_matrix(shape.origin.rotation)), in_link)
    written = (in_shape[0][0], in_shape[1][1], in_shape[2][2])
    long_axis = expected.index(min(expected))
    smallest = written.index(min(written))
    alike = expected[smallest] < _DISTINCT * min(expected)
    if min(written) <= 0 or alike or written[long_axis] < _DISTINCT * min(written):
        return
    letters = "xyz"
    yield Finding(
        code="RD115",
        verdict="warn",
        line=inertial.inertia[0].line,
        element=link.name,
        what=f"the inertia of link {quoted(link.name)} is smallest about the {letters[smallest]} axis of its "
        f"{shape.kind}, which is longest along its {letters[long_axis]} axis",
        why="a body turns most easily about its long axis; an inertia left in the axes of the assembly looks like that",
        advice="Rotate the inertia into the link's axes, or give the inertial's origin its rpy.",
    )


def _check_meshes(view: LintView) -> Iterator[Finding]:
    lost = [
        (shape, link)
        for link in view.robot.links
        for shape in link.shapes
        if shape.filename and not _mesh_exists(shape.filename, Path(view.robot.path))
    ]
    if lost:
        shape, link = lost[0]
        names = list(dict.fromkeys(shape.filename or "" for shape, _ in lost))
        yield Finding(
            code="RD131",
            verdict="warn",
            line=shape.line,
            element=link.name,
            what=f"{len(names)} mesh file{'s' if len(names) > 1 else ''} cannot be found: {listed(names, shown=3)}",
            why="the dynamics do not need them, but libraries that load shapes refuse the model or derive no inertia",
            advice="Put the files where the name says, or run from a package tree that holds them.",
        )


def _mesh_exists(name: str, model: Path) -> bool:
    """Look for a mesh beside the model, or for ``package://NAME/...`` in a folder NAME above it."""
    scheme, separator, rest = name.partition("://")
    folder = model.resolve().parent
    try:
        if not separator:
            return (folder / name).is_file()
        if scheme == "file":
            return Path(rest).is_file()
        if scheme in {"package", "model"}:
            package, _, inside = rest.partition("/")
            bases = [base / package for base in (folder, *folder.parents)]
            bases += [base for base in (folder, *folder.parents) if base.name == package]
            return any((base / inside).is_file() for base in bases)
    except (OSError, ValueError):
        return False
    return False
