"""Reads ``NAME.joints.toml`` (`model.joint_data`) as strictly as a model: all faults at once, each with its line.

Plain Python.
"""

from __future__ import annotations

import math
import re
import tomllib
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from robodyn_check.errors import Fault, ModelError
from robodyn_check.model.joint_data import ONE_DOF, PAYLOAD, Drive, JointData, Payload
from robodyn_check.model.quote import quoted
from robodyn_check.model.suggest import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from robodyn_check.model.robot import RobotModel

_TABLES = ("default", "joints", PAYLOAD)
_HEADER = re.compile(r"^\s*\[\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"""^\s*(?:"([^"]+)"|'([^']+)'|([\w-]+))\s*=""")


def read_joint_data(path: Path, robot: RobotModel) -> JointData:
    """Read joint data for a robot.

    Args:
        path: The file.
        robot: Whose joints and links it may name.

    Raises:
        ModelError: The file cannot be read or has faults; all of them at once.
    """
    try:
        text = path.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except OSError as error:
        raise ModelError((Fault(file=str(path), line=None, message=f"cannot be read: {error.strerror}"),)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        line = re.search(r"at line (\d+)", str(error))
        number = int(line[1]) if line else None
        raise ModelError((Fault(file=str(path), line=number, message=f"this is not valid TOML: {error}"),)) from error
    reader = _Reader(file=str(path), lines=_lines(text), faults=[])
    found = reader.document(document, robot)
    if reader.faults:
        raise ModelError(tuple(sorted(reader.faults, key=lambda fault: fault.line or 0)))
    return found


@dataclass(slots=True)
class _Reader:
    """Reads the tables and collects faults."""

    file: str
    lines: dict[tuple[str, ...], int]
    faults: list[Fault]

    def document(self, document: dict[str, Any], robot: RobotModel) -> JointData:
        movable = [joint.name for joint in robot.joints if joint.kind in ONE_DOF]
        for name in document:
            if name not in _TABLES:
                self.fault((name,), f"unknown table {quoted(name)}. {suggestion(name, _TABLES)}")
        default = self.drive(("default",), document.get("default", {}))
        tables = document.get("joints", {})
        if not isinstance(tables, dict):
            self.fault(("joints",), "'joints' must hold one table a joint, such as [joints.shoulder]")
            tables = {}
        own = {}
        for name, table in tables.items():
            if name not in movable:
                self.fault(("joints", name), self.no_joint(name, movable, robot))
            else:
                own[name] = self.drive(("joints", name), table)
        return JointData(
            path=self.file,
            drives={name: _merged(own.get(name), default) for name in movable},
            payload=self.payload(document[PAYLOAD], robot) if PAYLOAD in document else None,
        )

    def no_joint(self, name: str, movable: list[str], robot: RobotModel) -> str:
        kinds = {joint.name: joint.kind for joint in robot.joints}
        if name in kinds:
            return f"joint {quoted(name)} is {kinds[name]}; joint data is for joints of one degree of freedom"
        return f"the model has no joint {quoted(name)}. {suggestion(name, movable)}"

    def drive(self, place: tuple[str, ...], table: object) -> Drive:
        known = tuple(field.name for field in fields(Drive))
        values = {key: self.positive((*place, key), value, key) for key, value in self.table(place, table, known)}
        if values.get("motor_inertia") is not None:
            for key in ("gear_ratio", "rotor_inertia"):
                if key in values:
                    self.fault((*place, key), f"motor_inertia already says what {key} would; write one of the two")
        return Drive(**values)

    def payload(self, table: object, robot: RobotModel) -> Payload | None:
        before = len(self.faults)
        given = dict(self.table((PAYLOAD,), table, tuple(field.name for field in fields(Payload))))
        links = [link.name for link in robot.links]
        link = given.get("link")
        if "link" not in given or "mass" not in given:
            self.fault((PAYLOAD,), "a payload needs 'link' and 'mass'")
        elif not isinstance(link, str) or link not in links:
            name = str(link)
            self.fault((PAYLOAD, "link"), f"the model has no link {quoted(name)}. {suggestion(name, links)}")
        mass = self.positive((PAYLOAD, "mass"), given.get("mass", 1.0), "mass")
        center = self.numbers((PAYLOAD, "center_of_mass"), given.get("center_of_mass", [0.0] * 3), 3)
        inertia = self.numbers((PAYLOAD, "inertia"), given.get("inertia", [0.0] * 6), 6)
        if inertia and not _is_inertia(inertia):
            self.fault(
                (PAYLOAD, "inertia"),
                f"no body has the inertia {list(inertia)}; expected xx xy xz yy yz zz about the centre of mass,"
                " positive semidefinite",
            )
        if len(self.faults) > before:
            return None
        return Payload(link=str(link), mass=mass or 0.0, center_of_mass=center, inertia=inertia)

    def table(self, place: tuple[str, ...], table: object, known: tuple[str, ...]) -> Iterable[tuple[str, object]]:
        if not isinstance(table, dict):
            self.fault(place, f"'{'.'.join(place)}' is {table!r}; expected a table with {', '.join(known)}")
            return
        for key, value in table.items():
            if key in known:
                yield key, value
            else:
                self.fault((*place, key), f"unknown key {quoted(key)}. {suggestion(key, known)}")

    def positive(self, place: tuple[str, ...], value: object, key: str) -> float | None:
        number = _number(value)
        least = "at least 0" if key == "damping" else "above 0"
        if number is None or number < 0.0 or (number == 0.0 and key != "damping"):
            self.fault(place, f"{key} is {value!r}; expected a number {least}")
            return None
        return number

    def numbers(self, place: tuple[str, ...], value: object, count: int) -> tuple[float, ...]:
        read = [_number(entry) for entry in value] if isinstance(value, list) else []
        present = tuple(entry for entry in read if entry is not None)
        if len(present) != count or len(read) != count:
            self.fault(place, f"{place[-1]} is {value!r}; expected {count} numbers")
            return ()
        return present

    def fault(self, place: tuple[str, ...], message: str) -> None:
        shown = [self.lines[place[:k]] for k in range(len(place), 0, -1) if place[:k] in self.lines]
        below = [line for found, line in self.lines.items() if found[: len(place)] == place]
        line = next(iter([*shown, *sorted(below)]), None)
        self.faults.append(Fault(file=self.file, line=line, message=message, cause="joint-data"))


def _merged(own: Drive | None, default: Drive) -> Drive:
    """Return a joint's drive, the default in place of what is unknown; its own rotor replaces the default's."""
    if own is None:
        return default
    rotor = ("gear_ratio", "rotor_inertia", "motor_inertia")
    has_rotor = any(getattr(own, name) is not None for name in rotor)
    values = {}
    for field in fields(Drive):
        value = getattr(own, field.name)
        if value is None and not (has_rotor and field.name == "motor_inertia"):
            value = None if own.motor_inertia is not None and field.name in rotor else getattr(default, field.name)
        values[field.name] = value
    return Drive(**values)


def _lines(text: str) -> dict[tuple[str, ...], int]:
    """Return the line of every ``[table]`` and of every ``key =`` in it."""
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = tuple(part.strip().strip("\"'") for part in re.findall(r'"[^"]*"|\'[^\']*\'|[^.]+', header[1]))
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            found.setdefault((*table, key[1] or key[2] or key[3]), number)
    return found


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def _is_inertia(inertia: tuple[float, ...]) -> bool:
    """Tell whether the matrix is positive semidefinite, up to rounding, by its principal minors."""
    xx, xy, xz, yy, yz, zz = inertia
    size = max(map(abs, inertia))
    minors = (xx, yy, zz, xx * yy - xy**2, xx * zz - xz**2, yy * zz - yz**2)
    det = xx * (yy * zz - yz**2) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
    return all(minor >= -1e-12 * size ** (1 if k < 3 else 2) for k, minor in enumerate(minors)) and (
        det >= -1e-12 * size**3
    )
