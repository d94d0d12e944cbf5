"""A second reading of a file, for libraries that declare extension elements which they read.

The truth of a run is the standard format alone. A library whose adapter names ``drake:rotor_inertia`` in
``reads_extensions`` computes another robot where the file has such an element: it is judged by the reading that it
declares, the others by the standard, and a warning says by how much the two differ and where the file says so.

Drake's elements add N² J_rotor to the armature of their joint (https://drake.mit.edu, URDF and SDFormat parsing).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robodyn_check.model.transmissions import DRAKE, transmissions
from robodyn_check.report.results import Result, Where
from robodyn_check.run.truth import prepare

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.run.subjects import Setting, Subject

CODE, SLUG = "RD157", "extension-read"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """The robot as some extension elements make it: setting, truth, what is not judged, and the added armature."""

    setting: Setting
    reference: Subject
    without: Mapping[str, str]
    added: Mapping[str, float]
    tags: tuple[str, ...]


def second_reading(robot: RobotModel, setting: Setting, declared: Collection[str]) -> Reading | None:
    """Return the reading with the elements that a library declares; None where the file has none of them.

    Raises:
        ModelError: Faults of these elements, each with its line.
    """
    tags = tuple(tag for tag in DRAKE if tag in declared)
    drives = transmissions(robot, tags=tags) if tags else {}
    added = {
        name: (drive.gear_ratio or 1.0) ** 2 * drive.rotor_inertia
        for name, drive in drives.items()
        if drive.rotor_inertia is not None
    }
    if not added:
        return None
    mechanism = _with_armature(setting.mechanism, added)
    second, reference, without = prepare(mechanism, setting.states, seed=setting.seed)
    return Reading(setting=second, reference=reference, without=without, added=added, tags=tags)


def _with_armature(mechanism: Mechanism, added: Mapping[str, float]) -> Mechanism:
    """Return the mechanism with more armature."""
    armature = mechanism.armature.copy()
    for joint in mechanism.joints:
        armature[joint.v] += added.get(joint.name, 0.0)
    return dataclasses.replace(mechanism, armature=armature)


def reading_results(reading: Reading, robot: RobotModel, library: str) -> list[Result]:
    """Return one warning for each joint that the two readings hold differently."""
    lines = {element.owner: element.line for element in robot.extensions if element.owner is not None}
    return [
        Result(
            code=CODE,
            slug=SLUG,
            verdict="warn",
            subject=library,
            message=(
                f"{library} reads {' and '.join(reading.tags)}, which the standard format does not have: the armature "
                f"of joint {name!r} is larger by {armature:g} kg m² (kg for a slide) in its reading. It is judged by "
                "that reading, the others by the standard format."
            ),
            where=Where(file=robot.path, line=lines.get(name)),
        )
        for name, armature in reading.added.items()
    ]
