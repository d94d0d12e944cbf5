"""States that the user writes down: the FILE of ``eval --states``.

``{"base": "fixed", "gravity": [0, 0, -9.81], "states": [{"q": {joint: value} or [...], "v": ..., "a": ..., ...}]}``

What is missing is 0: a quaternion is the identity, a mimic joint follows its relation; one that is given is used as
given. A joint of several coordinates takes a list ([x, y, z, qx, qy, qz, qw] and six rates for a floating one).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from robodyn_check.errors import UsageError
from robodyn_check.model.suggest import suggestion
from robodyn_check.states.batch import StateBatch
from robodyn_check.states.mimic import follow_positions, follow_rates

if TYPE_CHECKING:
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.states.batch import FloatArray

_FIELDS = ("q", "v", "a", "tau")
_KEYS = ("base", "gravity", "states", "schema_version")
#: A quaternion this far from length 1 is a mistake, not rounding of decimals.
_QUATERNION_SLACK = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class StatesOptions:
    """What the file says about the robot as a whole; None where it says nothing."""

    base: Literal["fixed", "floating"] | None
    gravity: tuple[float, float, float] | None


def options_from_json(data: object, *, source: str = "states file") -> StatesOptions:
    """Read ``base`` and ``gravity``, which are needed before there is a mechanism.

    Args:
        data: The parsed JSON.
        source: How messages name the file.

    Raises:
        UsageError: The file is not of this form; the message says what was found and what was expected.
    """
    document = _document(data, source)
    base, gravity = document.get("base"), document.get("gravity")
    if base not in {None, "fixed", "floating"}:
        raise UsageError(f'{source}: "base" is {base!r}; it must be "fixed" or "floating".')
    if gravity is not None:
        vector = _numbers(gravity, f'{source}: "gravity"', 3, "x, y, z in m/s²")
        gravity = (vector[0], vector[1], vector[2])
    return StatesOptions(base=base, gravity=gravity)


def states_from_json(data: object, mechanism: Mechanism, *, source: str = "states file") -> StateBatch:
    """Read the states for a robot.

    Args:
        data: The parsed JSON.
        mechanism: The robot, built with the file's base.
        source: How messages name the file.

    Returns:
        The batch, every state of kind "given".

    Raises:
        UsageError: Something cannot be used; the message names the state, the joint and what was expected.
    """
    document = _document(data, source)
    base = options_from_json(data, source=source).base
    if base is not None and base != mechanism.base:
        raise UsageError(f'{source}: "base" is "{base}", but this robot was read with a {mechanism.base} base.')
    entries = document.get("states")
    if not isinstance(entries, list) or not entries:
        raise UsageError(f'{source}: "states" must be a list of at least one state, such as {{"q": {{...}}}}.')
    rows: dict[str, list[FloatArray]] = {field: [] for field in _FIELDS}
    for number, entry in enumerate(entries):
        place = f"{source}: state {number}"
        if not isinstance(entry, dict):
            raise UsageError(f'{place} is {_kind(entry)}; it must be an object with "q", "v", "a", "tau".')
        _known_keys(entry, _FIELDS, place)
        for field in _FIELDS:
            rows[field].append(_row(entry.get(field), mechanism, field, f'{place}, "{field}"'))
    return StateBatch(
        q=np.stack(rows["q"]),
        v=np.stack(rows["v"]),
        a=np.stack(rows["a"]),
        tau=np.stack(rows["tau"]),
        kinds=("given",) * len(entries),
    )


def _document(data: object, source: str) -> dict[str, object]:
    """Check that the file is an object with known keys."""
    if not isinstance(data, dict):
        raise UsageError(f'{source} holds {_kind(data)}; it must be an object with "states".')
    _known_keys(data, _KEYS, source)
    return data


def _row(given: object, mechanism: Mechanism, field: str, place: str) -> FloatArray:
    """Read q, v, a or tau of one state, from a list of everything or from values by joint."""
    size = mechanism.nq if field == "q" else mechanism.nv
    if isinstance(given, list):
        order = ", ".join(joint.name for joint in mechanism.joints)
        row = np.array(_numbers(given, place, size, f"{'nq' if field == 'q' else 'nv'} of this robot, joints {order}"))
        for joint in mechanism.joints:
            _unit_quaternion(row, joint.kind, joint.q, field, f"{place}, joint {joint.name!r}")
        return row
    if given is not None and not isinstance(given, dict):
        raise UsageError(f"{place} is {_kind(given)}; it must be an object of values by joint, or a list of {size}.")
    values: dict[str, object] = given or {}
    names = mechanism.joint_names
    for name in values:
        if name not in names:
            raise UsageError(f"{place}: there is no moving joint {name!r}. {suggestion(name, names)}")
    row = np.zeros(size)
    for joint in mechanism.joints:
        part = joint.q if field == "q" else joint.v
        where = f"{place}, joint {joint.name!r}"
        if joint.name in values:
            row[part] = _joint_values(values[joint.name], part.stop - part.start, where)
            _unit_quaternion(row, joint.kind, part, field, where)
        elif field == "q" and joint.kind in {"ball", "floating"}:
            row[part.stop - 1] = 1.0
    if field == "tau":
        return row
    follow = follow_positions if field == "q" else follow_rates
    followed: FloatArray = follow(mechanism, row[None], given=tuple(values))[0]
    return followed


def _joint_values(given: object, count: int, where: str) -> tuple[float, ...]:
    """Read one joint's value: a number, or a list for a joint of several coordinates."""
    if count == 1 and not isinstance(given, list):
        return (_number(given, where),)
    return _numbers(given, where, count, "its coordinates")


def _unit_quaternion(row: FloatArray, kind: str, part: slice, field: str, where: str) -> None:
    """Normalise the quaternion of a ball or floating joint in place; refuse one that is far from unit."""
    if field != "q" or kind not in {"ball", "floating"}:
        return
    last = slice(part.stop - 4, part.stop)
    length = math.sqrt(sum(float(entry) ** 2 for entry in row[last]))
    if abs(length - 1.0) > _QUATERNION_SLACK:
        written = [float(entry) for entry in row[last]]
        raise UsageError(f"{where}: the quaternion [x, y, z, w] = {written} has length {length:.6g}; it must be 1.")
    row[last] /= length


def _numbers(given: object, where: str, count: int, meaning: str) -> tuple[float, ...]:
    """Read a list of ``count`` finite numbers."""
    if not isinstance(given, list):
        raise UsageError(f"{where} is {_kind(given)}; it must be a list of {count} numbers ({meaning}).")
    if len(given) != count:
        raise UsageError(f"{where} has {len(given)} numbers; it must have {count} ({meaning}).")
    return tuple(_number(entry, f"{where}[{index}]") for index, entry in enumerate(given))


def _number(given: object, where: str) -> float:
    """Read one finite number."""
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise UsageError(f"{where} is {_kind(given)}; it must be a number.")
    if not math.isfinite(given):
        raise UsageError(f"{where} is {given}; it must be finite.")
    return float(given)


def _known_keys(entry: dict[str, object], known: tuple[str, ...], place: str) -> None:
    """Refuse keys that mean nothing here."""
    for key in entry:
        if key not in known:
            raise UsageError(f"{place}: {key!r} is not known here. {suggestion(str(key), known)}")


def _kind(value: object) -> str:
    """Name a JSON value for a message."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), f"the number {value}")
