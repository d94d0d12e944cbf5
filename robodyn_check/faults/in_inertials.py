"""Faults in how a loader reads masses and inertias: the robot's model with one thing read wrongly.

Each change is a function of the robot as written, so a diagnosis can make the same one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.faults.fault import LibraryFault, Planted, Scene, reference_answerer
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.placements import Reader, float_number
from robodyn_check.model.robot import Number, Rotation

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.faults.fault import FloatArray
    from robodyn_check.model.robot import Inertial, Joint, Link, RobotModel

_READ = Reader(float_number)
_PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
#: What a loader loses: everything that inertia enters.
INERTIA = ("mass_matrix", "inverse_dynamics", "kinetic_energy")
WEIGHT = (*INERTIA, "gravity_vector", "potential_energy")


def number(value: float) -> Number:
    """Return a written number with this double."""
    return Number(text=repr(float(value)), value=float(value))


def misread(scene: Scene, robot: RobotModel, element: str | None) -> Planted:
    """Return a subject that holds another robot than the file's."""
    wrong = build_mechanism(robot, base=scene.base, gravity=tuple(float(g) for g in scene.mechanism.gravity))
    return Planted(answer=reference_answerer(wrong), element=element, robot=robot)


def with_inertial(robot: RobotModel, name: str, change: Callable[[Inertial], Inertial | None]) -> RobotModel:
    """Return the robot with one link's inertial changed."""
    links = tuple(
        replace(link, inertial=change(link.inertial)) if link.name == name and link.inertial is not None else link
        for link in robot.links
    )
    return replace(robot, links=links)


def turn_of(inertial: Inertial) -> FloatArray:
    """Return link from inertial axes, (3, 3)."""
    turn: FloatArray = _READ.frame(inertial.origin).R
    return turn


def com_of(inertial: Inertial) -> FloatArray:
    """Return the centre of mass in the link frame, (3,) m."""
    com: FloatArray = _READ.frame(inertial.origin).p
    return com


def entries_of(inertial: Inertial) -> FloatArray:
    """Return the inertia as written, (3, 3)."""
    matrix = np.zeros((3, 3))
    for (i, j), entry in zip(_PAIRS, inertial.inertia, strict=True):
        matrix[i, j] = matrix[j, i] = entry.value
    return matrix


def with_entries(inertial: Inertial, matrix: FloatArray) -> Inertial:
    """Return the inertial with another inertia in its own axes."""
    xx, xy, xz, yy, yz, zz = (number(matrix[i, j]) for i, j in _PAIRS)
    return replace(inertial, inertia=(xx, xy, xz, yy, yz, zz))


def with_com(inertial: Inertial, com: FloatArray) -> Inertial:
    """Return the inertial with another centre of mass."""
    x, y, z = (number(entry) for entry in com)
    return replace(inertial, origin=replace(inertial.origin, xyz=(x, y, z)))


def with_turn(inertial: Inertial, turn: FloatArray) -> Inertial:
    """Return the inertial with the axes of its inertia turned to ``turn``."""
    columns = tuple(number(entry) for entry in (*turn[:, 0], *turn[:, 1]))
    return replace(inertial, origin=replace(inertial.origin, rotation=Rotation(kind="xyaxes", numbers=columns)))


def rotation_ignored(inertial: Inertial) -> Inertial:
    """Read the inertia in link axes, whatever its origin's rotation says."""
    return replace(inertial, origin=replace(inertial.origin, rotation=None))


def rotation_of_com_too(inertial: Inertial) -> Inertial:
    """Turn the centre of mass by the inertial's rotation as well."""
    return with_com(inertial, turn_of(inertial) @ com_of(inertial))


def rotation_transposed(inertial: Inertial) -> Inertial:
    """Turn the inertia the other way round."""
    return with_turn(inertial, turn_of(inertial).T)


def products_negated(inertial: Inertial) -> Inertial:
    """Read the products of inertia with the other sign."""
    matrix = entries_of(inertial)
    return with_entries(inertial, 2 * np.diag(np.diag(matrix)) - matrix)


def _parallel_axis(inertial: Inertial) -> FloatArray:
    """Return m (c² 1 - c cᵀ) in the inertial's axes, (3, 3)."""
    c = turn_of(inertial).T @ com_of(inertial)
    shift: FloatArray = inertial.mass.value * (np.eye(3) * (c @ c) - np.outer(c, c))
    return shift


def origin_taken_as_com(inertial: Inertial) -> Inertial:
    """Take the inertia about the centre of mass for the one about the link's origin."""
    return with_entries(inertial, entries_of(inertial) - _parallel_axis(inertial))


def shifted_twice(inertial: Inertial) -> Inertial:
    """Shift the inertia to the link's origin, then take it for the one about the centre of mass."""
    return with_entries(inertial, entries_of(inertial) + _parallel_axis(inertial))


def com_in_millimetres(inertial: Inertial) -> Inertial:
    """Take the metres of the centre of mass for millimetres."""
    return with_com(inertial, com_of(inertial) / 1000.0)


def _moving_links(scene: Scene) -> tuple[Link, ...]:
    """Return the links that move and have an inertial."""
    carried = {name for name, body in zip(scene.mechanism.links, scene.mechanism.link_body, strict=True) if body >= 0}
    return tuple(link for link in scene.robot.links if link.name in carried and link.inertial is not None)


def _in_a_link(
    change: Callable[[Inertial], Inertial | None], applies: Callable[[Inertial], bool]
) -> Callable[[Scene], Planted | None]:
    """Return how to plant a changed inertial into one link that it changes."""

    def plant(scene: Scene) -> Planted | None:
        names = [link.name for link in _moving_links(scene) if link.inertial is not None and applies(link.inertial)]
        name = scene.pick(names)
        return None if name is None else misread(scene, with_inertial(scene.robot, name, change), name)

    return plant


def _is_turned(inertial: Inertial) -> bool:
    """Say whether the rotation matters for the inertia."""
    turn, matrix = turn_of(inertial), entries_of(inertial)
    size = np.abs(matrix).max()
    return bool(np.abs(turn @ matrix @ turn.T - matrix).max() > 1e-3 * size)


def _is_offset(inertial: Inertial) -> bool:
    """Say whether the centre of mass is away from the link's origin."""
    return bool(np.abs(_parallel_axis(inertial)).max() > 1e-3 * np.abs(entries_of(inertial)).max())


def _turns_com(inertial: Inertial) -> bool:
    """Say whether the rotation would move the centre of mass."""
    com = com_of(inertial)
    return bool(np.abs(turn_of(inertial) @ com - com).max() > 1e-3 * np.abs(com).max())


def _has_products(inertial: Inertial) -> bool:
    """Say whether a product of inertia is there."""
    matrix = entries_of(inertial)
    return bool(np.abs(matrix - np.diag(np.diag(matrix))).max() > 1e-3 * np.abs(matrix).max())


def _welded(scene: Scene) -> list[Joint]:
    """Return the fixed joints that hang a link with inertia on a moving one."""
    moving = {link.name for link in _moving_links(scene)}
    return [joint for joint in scene.robot.joints if joint.kind == "fixed" and joint.child in moving]


def _at_a_weld(
    change: Callable[[Inertial, FloatArray, FloatArray], Inertial | None],
) -> Callable[[Scene], Planted | None]:
    """Return how to plant a wrongly merged link; the change is given the weld's rotation and translation."""

    def plant(scene: Scene) -> Planted | None:
        welds = {joint.child: joint for joint in _welded(scene)}
        name = scene.pick(sorted(welds))
        if name is None:
            return None
        frame = _READ.frame(*welds[name].placements)
        wrong = with_inertial(scene.robot, name, lambda inertial: change(inertial, frame.R, frame.p))
        return misread(scene, wrong, name)

    return plant


def merged_without_rotation(inertial: Inertial, turn: FloatArray, _shift: FloatArray) -> Inertial:
    """Add the inertia of a welded link without turning it into its parent's axes."""
    return with_turn(inertial, turn.T @ turn_of(inertial))


def merged_at_wrong_point(inertial: Inertial, turn: FloatArray, shift: FloatArray) -> Inertial:
    """Add a welded link as if it sat at its parent's origin."""
    return with_com(inertial, com_of(inertial) - turn.T @ shift)


def _fault(name: str, cause: str, text: str, plant: Callable[[Scene], Planted | None], *on: str) -> LibraryFault:
    return LibraryFault(name=name, cause=cause, text=text, shows_on=on, plant=plant)


FAULTS: tuple[LibraryFault, ...] = (
    _fault(
        "inertial-rotation-ignored",
        "inertial-origin-rpy-ignored",
        "the rotation of <inertial><origin> is ignored",
        _in_a_link(rotation_ignored, _is_turned),
        *INERTIA,
    ),
    _fault(
        "inertial-rotation-of-com",
        "inertial-origin-rpy-applied-to-com",
        "the rotation of <inertial><origin> turns the centre of mass too",
        _in_a_link(rotation_of_com_too, _turns_com),
        *WEIGHT,
    ),
    _fault(
        "inertial-rotation-transposed",
        "inertial-origin-rpy-transposed",
        "the rotation of <inertial><origin> is applied the other way round",
        _in_a_link(rotation_transposed, _is_turned),
        *INERTIA,
    ),
    _fault(
        "products-negated",
        "products-of-inertia-sign",
        "ixy, ixz, iyz are read with the other sign",
        _in_a_link(products_negated, _has_products),
        *INERTIA,
    ),
    _fault(
        "origin-taken-as-com",
        "inertia-about-origin",
        "the inertia about the centre of mass is taken for the one about the link's origin",
        _in_a_link(origin_taken_as_com, _is_offset),
        *INERTIA,
    ),
    _fault(
        "inertia-shifted-twice",
        "inertia-shifted-twice",
        "the inertia about the link's origin is taken for the one about the centre of mass",
        _in_a_link(shifted_twice, _is_offset),
        *INERTIA,
    ),
    _fault(
        "fixed-link-lost",
        "fixed-link-inertia-dropped",
        "a link behind a fixed joint loses its mass",
        _at_a_weld(lambda _inertial, _turn, _shift: None),
        *WEIGHT,
    ),
    _fault(
        "fixed-link-not-rotated",
        "fixed-link-not-rotated",
        "the inertia of a link behind a fixed joint is added in its own axes",
        _at_a_weld(merged_without_rotation),
        *INERTIA,
    ),
    _fault(
        "fixed-link-wrong-point",
        "fixed-link-wrong-point",
        "a link behind a fixed joint is added at its parent's origin",
        _at_a_weld(merged_at_wrong_point),
        *WEIGHT,
    ),
)
