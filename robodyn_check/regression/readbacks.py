"""Where two versions of a library hold the same file differently: by parameter, with the line that states it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from robodyn_check.model.robot import Link, RobotModel

#: Differences below this share of the values are the decimals of a conversion, not another parameter.
ROUNDING = 1e-9
#: Changes shown of one loaded robot; a loader that changes more than these changes one thing everywhere.
MOST = 40
_MOMENTS = ("ixx", "ixy", "ixz", "ixy", "iyy", "iyz", "ixz", "iyz", "izz")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldChange:
    """One parameter that the versions hold differently; ``expected`` is what the file says, where comparable."""

    element: str
    parameter: str
    old: str
    new: str
    expected: str = ""
    line: int | None = None


def held_changes(
    old: Mapping[str, Any] | None,
    new: Mapping[str, Any] | None,
    robot: RobotModel,
    mechanism: Mapping[str, Any],
) -> tuple[HeldChange, ...]:
    """Return what two readbacks of one robot hold differently, at most `MOST`.

    Args:
        old: Readback of the old version as plain data (None: it shows none).
        new: Of the new version.
        robot: The file, for lines.
        mechanism: What the file says, in the shape of a readback.
    """
    if old is None or new is None:
        return ()
    changes: list[HeldChange] = []
    for kind in ("bodies", "joints"):
        before, after = _by_name(old.get(kind)), _by_name(new.get(kind))
        truth = _by_name(mechanism.get(kind))
        for name in [*before, *(name for name in after if name not in before)]:
            one, two = before.get(name), after.get(name)
            what = f"{'body' if kind == 'bodies' else 'joint'} {name}"
            if one is None or two is None:
                texts = ("there", "gone") if two is None else ("not there", "there")
                changes.append(HeldChange(element=what, parameter="", old=texts[0], new=texts[1]))
                continue
            for key, before_value, after_value in _differences(one, two):
                expected = dict(_flat(truth.get(name, {}))).get(key)
                changes.append(
                    HeldChange(
                        element=what,
                        parameter=_spelled(key),
                        old=_text(before_value),
                        new=_text(after_value),
                        expected="" if expected is None else _text(expected),
                        line=_line(robot, name, key),
                    )
                )
    for key in ("total_mass", "gravity"):
        changes += [
            HeldChange(element="robot", parameter=place, old=_text(one), new=_text(two))
            for place, one, two in _differences({key: old.get(key)}, {key: new.get(key)})
        ]
    return tuple(changes[:MOST])


def _by_name(entries: object) -> dict[str, Mapping[str, Any]]:
    return {entry["name"]: entry for entry in entries or ()} if isinstance(entries, (list, tuple)) else {}


def _flat(value: object, place: str = "") -> Iterator[tuple[str, object]]:
    """Yield every single value with its path: ``inertia.0.1``."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from _flat(entry, f"{place}.{key}".removeprefix("."))
    elif isinstance(value, (list, tuple)):
        for number, entry in enumerate(value):
            yield from _flat(entry, f"{place}.{number}")
    else:
        yield place, value


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, object, object]]:
    """Yield the paths whose values differ by more than rounding; a symmetric matrix counts once."""
    before, after = dict(_flat(dict(old))), dict(_flat(dict(new)))
    sizes: dict[str, float] = {}
    for flat in (before, after):
        for place, value in flat.items():
            if isinstance(value, float):
                group = place.split(".")[0]
                sizes[group] = max(sizes.get(group, 0.0), abs(value))
    for place in [*before, *(place for place in after if place not in before)]:
        one, two = before.get(place), after.get(place)
        if one == two or place in {"inertia.1.0", "inertia.2.0", "inertia.2.1"}:
            continue
        both = isinstance(one, float) and isinstance(two, float)
        if both and abs(one - two) <= ROUNDING * sizes[place.split(".")[0]]:  # type: ignore[operator]
            continue
        yield place, one, two


def _spelled(place: str) -> str:
    """Return a path in the words of a model file."""
    head, *rest = place.split(".")
    numbers = [int(part) for part in rest if part.isdigit()]
    if head == "inertia" and len(numbers) == 2:
        return _MOMENTS[3 * numbers[0] + numbers[1]]
    if head in {"com", "translation", "axis", "gravity"} and len(numbers) == 1:
        return f"{'centre of mass' if head == 'com' else head} {'xyz'[numbers[0]]}"
    return f"{head}[{', '.join(map(str, numbers))}]" if numbers else head


def _line(robot: RobotModel, name: str, place: str) -> int | None:
    """Return the line that states a parameter of a link or joint, as far as the file has one."""
    head = place.partition(".")[0]
    joint = next((one for one in robot.joints if one.name == name), None)
    link = next((one for one in robot.links if one.name == name), None)
    if (
        link is None and joint is not None and head in {"mass", "com", "inertia"}
    ):  # a library that names bodies by joint
        link = next((one for one in robot.links if one.name == joint.child), None)
    if link is not None and head in {"mass", "com", "inertia"}:
        return _inertial_line(link, head, turned=head == "inertia")
    if joint is None:
        return None if link is None else link.line
    if head == "axis" and joint.axis is not None:
        return joint.axis[0].line
    if head in {"rotation", "translation"} and joint.placements:
        return joint.placements[0].line or joint.line
    return joint.line


def _inertial_line(link: Link, head: str, *, turned: bool) -> int | None:
    inertial = link.inertial
    if inertial is None:
        return link.line
    if head == "mass":
        return inertial.mass.line
    if head == "com" or (turned and inertial.origin.rotation is not None):
        return inertial.origin.line or inertial.line
    return inertial.inertia[0].line


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else "not shown" if value is None else str(value)
