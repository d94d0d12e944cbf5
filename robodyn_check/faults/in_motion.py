"""Faults that only the theory of the equation shows: no potential, wrong units, clamped speeds, lost torques."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.faults.fault import LibraryFault, Planted, Scene, tampered
from robodyn_check.faults.in_inertials import WEIGHT, entries_of, misread, number, with_entries

if TYPE_CHECKING:
    from robodyn_check.faults.fault import FloatArray
    from robodyn_check.model.robot import Inertial
    from robodyn_check.requests import Answer, Failure, Request

#: Lever of the robot's weight whose torque circulates between two joints, m; speed that is clamped, rad/s or m/s.
_CIRCULATION, _FASTEST = 0.01, 0.5
#: Share of a given torque that arrives.
_ARRIVING = 0.5


def _circulating(scene: Scene) -> Planted | None:
    """Add the other one's sine to the gravity torques of two joints, with opposite signs: no potential has that."""
    joints = [joint for joint in scene.mechanism.joints if joint.kind in {"revolute", "continuous"}]
    if len(joints) < 2:
        return None
    first, second = joints[-2:]
    weight = float(np.sum(np.abs(scene.mechanism.mass)) * np.linalg.norm(np.asarray(scene.mechanism.gravity, float)))
    size = _CIRCULATION * weight
    if not size:
        return None

    def swirled(request: Request, values: FloatArray) -> FloatArray:
        values[:, first.v.start] -= size * np.sin(request.q[:, second.q.start])
        values[:, second.v.start] += size * np.sin(request.q[:, first.q.start])
        return values

    return Planted(answer=tampered(scene.answer, {"gravity_vector": swirled}))


def _in_grams(scene: Scene) -> Planted:
    """Take the file's kilograms for grams, masses and inertias alike."""

    def heavier(inertial: Inertial) -> Inertial:
        mass = number(1e3 * inertial.mass.value)
        return with_entries(replace(inertial, mass=mass), 1e3 * entries_of(inertial))

    links = tuple(
        replace(link, inertial=heavier(link.inertial)) if link.inertial is not None else link
        for link in scene.robot.links
    )
    return misread(scene, replace(scene.robot, links=links), None)


def _clamped(scene: Scene) -> Planted:
    """Clamp velocities to a limit before the velocity-product force is computed."""

    def slower(request: Request) -> Answer | Failure:
        if request.quantity != "coriolis_force" or request.v is None:
            return scene.answer(request)
        return scene.answer(replace(request, v=np.clip(request.v, -_FASTEST, _FASTEST)))

    return Planted(answer=slower)


def _torque_lost(scene: Scene) -> Planted:
    """Let only a share of the given torques arrive in forward dynamics."""

    def weaker(request: Request) -> Answer | Failure:
        if request.quantity != "forward_dynamics" or request.tau is None:
            return scene.answer(request)
        return scene.answer(replace(request, tau=_ARRIVING * request.tau))

    return Planted(answer=weaker)


FAULTS: tuple[LibraryFault, ...] = (
    LibraryFault(
        name="gravity-circulates",
        cause="gravity-not-conservative",
        text="two joints' gravity torques have a part that has no potential",
        shows_on=("gravity_vector",),
        plant=_circulating,
    ),
    LibraryFault(
        name="kilograms-taken-for-grams",
        cause="mass-unit",
        text="masses and inertias are a thousand times too large",
        shows_on=WEIGHT,
        plant=_in_grams,
    ),
    LibraryFault(
        name="velocity-clamped",
        cause="velocity-clamped",
        text="velocities beyond a limit are cut before C v is computed",
        shows_on=("coriolis_force",),
        plant=_clamped,
    ),
    LibraryFault(
        name="torque-lost-on-the-way",
        cause="torque-scaled",
        text="half of a given torque arrives in forward dynamics",
        shows_on=("forward_dynamics",),
        plant=_torque_lost,
    ),
)
