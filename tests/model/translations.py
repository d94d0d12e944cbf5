"""Comparing a robot with its translation: as written, and by what it does."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.model.build import build_mechanism
from robodyn_check.model.mechanism import JOINT_SIZES, Mechanism
from robodyn_check.quantities import FLOATING_BASE
from robodyn_check.reference.engine import evaluate

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.robot import RobotModel
    from robodyn_check.model.translation import Translation

EPS = float(np.finfo(float).eps)
STATES = 5
#: Names of the three joints that a planar joint becomes, and their coordinate.
_PLANAR = {"_TX": 0, "_TY": 1, "_RZ": 2}


def without_lines(value: Any) -> Any:
    """Return a value of a RobotModel as nested tuples without lines, path and hash."""
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value) if field.name not in {"line", "path", "sha256"}]
        return (type(value).__name__, *((name, without_lines(getattr(value, name))) for name in names))
    if isinstance(value, tuple):
        return tuple(without_lines(entry) for entry in value)
    return value


def unordered(robot: RobotModel) -> tuple[object, list[str]]:
    """Return a robot without lines, and its extensions in no order: the writer puts them where they belong."""
    stripped = dict(without_lines(robot)[1:])
    extensions = sorted(map(str, stripped.pop("extensions")))
    return stripped, extensions


def difference(original: RobotModel, translated: RobotModel, translation: Translation, *, base: str = "fixed") -> float:
    """Return the largest difference of M, h and the link poses, in eps times the largest entry of each state."""
    first = build_mechanism(original, base="floating" if base == "floating" else "fixed")
    floating = translated.format == "urdf" and translation.base == "floating"
    second = build_mechanism(translated, base="floating" if floating else "fixed", gravity=first.gravity.tolist())
    values = _motions(first)
    q, v, order = _arranged(first, values)
    q_other, v_other, order_other = _arranged(second, values)
    assert sorted(order) == sorted(order_other) == list(range(first.nv))
    common = [name for name in first.links if name in second.links]
    assert common or not first.links
    worst = 0.0
    for quantity in ("mass_matrix", "bias_force", "link_poses") if first.nv else ("link_poses",):
        one = evaluate(first, quantity, q, v)
        other = evaluate(second, quantity, q_other, v_other)
        if quantity == "link_poses":
            one = one[:, [first.links.index(name) for name in common]]
            other = other[:, [second.links.index(name) for name in common]]
            size = np.full(STATES, 1.0 + _reach(first))
        elif quantity == "mass_matrix":
            one, other = one[:, order][:, :, order], other[:, order_other][:, :, order_other]
            size = np.abs(one).reshape(STATES, -1).max(axis=1)
        else:
            one, other = one[:, order], other[:, order_other]
            # h is a difference of large terms; M with a = 1 and v² of this size bounds them from below
            size = np.abs(evaluate(first, "mass_matrix", q, v)).reshape(STATES, -1).max(axis=1) * (10 + v.max() ** 2)
        error = np.abs(one - other).reshape(STATES, -1).max(axis=1)
        worst = max(worst, float((error[size > 0] / (EPS * size[size > 0])).max(initial=0.0)))
    return worst


def _reach(mechanism: Mechanism) -> float:
    return max((sum(length for length, _ in path) for path in mechanism.link_path), default=0.0)


def _motions(mechanism: Mechanism) -> dict[str, tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
    """Draw q and v of each joint, by name."""
    stream = np.random.default_rng(7)
    values = {}
    for joint in mechanism.joints:
        nq, nv = JOINT_SIZES[joint.kind]
        q = stream.uniform(-2, 2, (STATES, nq))
        if joint.kind in {"ball", "floating"}:
            q[:, -4:] /= np.linalg.norm(q[:, -4:], axis=1)[:, None]
        values[joint.name] = (q, stream.uniform(-1, 1, (STATES, nv)))
    return values


def _arranged(
    mechanism: Mechanism, values: dict[str, tuple[npt.NDArray[Any], npt.NDArray[Any]]]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], list[int]]:
    """Return q and v in a mechanism's order, and where the entries of v of the original's joints are in it."""
    q, v = np.zeros((STATES, mechanism.nq)), np.zeros((STATES, mechanism.nv))
    places: dict[str, list[int]] = {}
    free = [name for name, (given, _) in values.items() if given.shape[1] == 7]
    for joint in mechanism.joints:
        name, part = joint.name, slice(None)
        if name == FLOATING_BASE and name not in values:
            (name,) = free
        elif name not in values:
            name, part = name[:-3], slice(_PLANAR[name[-3:]], _PLANAR[name[-3:]] + 1)
        q[:, joint.q], v[:, joint.v] = values[name][0][:, part], values[name][1][:, part]
        places.setdefault(name, []).extend(range(joint.v.start, joint.v.stop))
    return q, v, [place for name in values for place in places[name]]
