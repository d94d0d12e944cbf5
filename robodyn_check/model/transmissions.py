"""What a URDF says about gears: ``<transmission>`` elements, and Drake's elements in a joint, as joint data.

    <transmission name="shoulder_transmission">
      <joint name="shoulder"/>
      <actuator name="shoulder_motor">
        <mechanicalReduction>100</mechanicalReduction>   N: motor turns for one of the joint; its sign is a direction
        <rotorInertia>2e-5</rotorInertia>                kg m², about the rotor's axis, before the gear
      </actuator>
    </transmission>

Read as well: ``mechanical_reduction`` and ``rotor_inertia``; both numbers in <joint> or in <transmission> itself;
transmissions inside <ros2_control>; ``<drake:gear_ratio value="100"/>`` and ``<drake:rotor_inertia value="2e-5"/>`` in
an actuator or in a joint. A transmission that couples several joints says nothing about one of them and is left alone,
and so is one of a joint that is fixed. Like all joint data this serves ``analyze``; ``check`` looks at Drake's elements
alone, for a library that declares that it reads them (`run.readings`). Plain Python.

Source: ROS's page on URDF transmissions, and Drake's on its extensions of URDF.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from robodyn_check.errors import Fault, ModelError
from robodyn_check.model.joint_data import ONE_DOF, Drive, JointData
from robodyn_check.model.quote import quoted
from robodyn_check.model.suggest import suggestion
from robodyn_check.model.xml import parse_xml

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from robodyn_check.model.robot import Element, RobotModel
    from robodyn_check.model.xml import XmlElement

#: Names of elements, by the key of the joint data that they give.
_NAMES = {
    "mechanicalReduction": "gear_ratio",
    "mechanical_reduction": "gear_ratio",
    "rotorInertia": "rotor_inertia",
    "rotor_inertia": "rotor_inertia",
}
DRAKE = {"drake:gear_ratio": "gear_ratio", "drake:rotor_inertia": "rotor_inertia"}
_KEYS = _NAMES | DRAKE
ELEMENTS = frozenset(_KEYS)


def with_transmissions(data: JointData | None, robot: RobotModel) -> JointData | None:
    """Complete joint data by what the model's transmissions say; a number of the joint data stands before theirs.

    Args:
        data: Of ``NAME.joints.toml``; None where there is none.
        robot: The model.

    Returns:
        The data; None where neither says anything.

    Raises:
        ModelError: Faults of transmissions, all of them, each with its line.
    """
    stated = transmissions(robot)
    if not stated:
        return data
    before = {} if data is None else data.drives
    drives = dict(before)
    for name, found in stated.items():
        drive = before.get(name, Drive())
        if drive.motor_inertia is not None:
            continue
        drives[name] = replace(
            drive,
            gear_ratio=found.gear_ratio if drive.gear_ratio is None else drive.gear_ratio,
            rotor_inertia=found.rotor_inertia if drive.rotor_inertia is None else drive.rotor_inertia,
        )
    path = f"transmissions of {robot.path}"
    return JointData(path=path, drives=drives) if data is None else replace(data, drives=drives)


def transmissions(robot: RobotModel, *, tags: Collection[str] = ELEMENTS) -> dict[str, Drive]:
    """Return gear ratio and rotor inertia by joint, as far as the model states them in elements of these names.

    Raises:
        ModelError: All faults: a joint that does not exist, no number, two transmissions that contradict each other.
    """
    reader = _Reader(robot=robot, tags=tags)
    for element in robot.extensions:
        if element.tag in {"transmission", "ros2_control"} and element.text.startswith("<"):
            root = parse_xml(element.text.encode(), robot.path)
            for found in (root,) if element.tag == "transmission" else root.all("transmission"):
                reader.transmission(found, element)
        elif element.tag in tags and element.tag in DRAKE and element.owner and element.text.startswith("<"):
            reader.drake(parse_xml(element.text.encode(), robot.path), element)
    if reader.faults:
        raise ModelError(tuple(sorted(reader.faults, key=lambda fault: fault.line or 0)))
    return reader.drives


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Reads the elements and collects faults."""

    robot: RobotModel
    tags: Collection[str]
    drives: dict[str, Drive] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def transmission(self, root: XmlElement, element: Element) -> None:
        """Read one <transmission>; its lines count from the element that was kept."""
        named = root.all("joint")
        if len(named) != 1:
            return
        name, line = named[0].get("name"), _line(element, named[0])
        kinds = {joint.name: joint.kind for joint in self.robot.joints}
        if name is None or name not in kinds:
            text = "a transmission names no joint" if name is None else f"the model has no joint {quoted(name)}"
            self.fault(line, f"{text}. {suggestion(name or '', list(kinds))}")
        elif kinds[name] in ONE_DOF:
            for part in (part for part in _parts(root) if part.tag in self.tags):
                text = part.text if part.tag in _NAMES else part.get("value") or ""
                self.take(name, _KEYS[part.tag], text, part.tag, _line(element, part))

    def drake(self, root: XmlElement, element: Element) -> None:
        """Read one of Drake's elements in a joint."""
        assert element.owner is not None, "asked only for elements in joints"
        self.take(element.owner, DRAKE[element.tag], root.get("value") or "", element.tag, element.line)

    def take(self, joint: str, key: str, text: str, tag: str, line: int | None) -> None:
        """Keep one number, or say what is wrong with it."""
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number) or number == 0.0 or (key == "rotor_inertia" and number < 0.0):
            wanted = "a number above 0" if key == "rotor_inertia" else "a number other than 0"
            self.fault(line, f"{tag} of joint {quoted(joint)} is {quoted(text)}; expected {wanted}")
            return
        drive = self.drives.get(joint, Drive())
        known = drive.gear_ratio if key == "gear_ratio" else drive.rotor_inertia
        if known is not None and known != abs(number):
            self.fault(line, f"{tag} of joint {quoted(joint)} is {number:g}, but it is {known:g} elsewhere; keep one")
            return
        values = {"gear_ratio": drive.gear_ratio, "rotor_inertia": drive.rotor_inertia, key: abs(number)}
        self.drives[joint] = Drive(**values)

    def fault(self, line: int | None, message: str) -> None:
        """Record a fault of the model file."""
        self.faults.append(Fault(file=self.robot.path, line=line, message=message, cause="transmission"))


def _parts(root: XmlElement) -> Iterator[XmlElement]:
    """Return the elements with numbers, of the transmission, its joint and its actuators."""
    for holder in (root, *root.all("joint"), *root.all("actuator")):
        yield from (child for child in holder.children if child.tag in _KEYS)


def _line(element: Element, part: XmlElement) -> int | None:
    """Return the line of a part in the model file."""
    return None if element.line is None else element.line + part.line - 1
