"""The robot as a table in tree order: links, the joints that carry them, their parameters, and what is wrong there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from robodyn_check.report.words import MODEL, short, word

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robodyn_check.report.results import ModelReport, Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A finding about one link or joint."""

    text: str
    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeRow:
    """One link and the joint that carries it; empty strings where the model says nothing."""

    depth: int
    link: str
    joint: str = ""
    kind: str = ""
    axis: str = ""
    armature: str = ""
    mass: str = ""
    com: str = ""
    inertia: str = ""
    marks: tuple[Mark, ...] = ()


def tree_rows(model: ModelReport) -> tuple[TreeRow, ...]:
    """Return the robot in tree order, from the report's ``mechanism`` (the shape of a readback)."""
    bodies = {str(body.get("name")): body for body in _records(model.mechanism.get("bodies"))}
    joints = _records(model.mechanism.get("joints"))
    carried: dict[str, Mapping[str, Any]] = {str(joint.get("child")): joint for joint in joints if joint.get("child")}
    children: dict[str, list[str]] = {}
    names = list(dict.fromkeys((*model.model.links, *bodies, *carried)))
    for name in names:
        parent = carried[name].get("parent") if name in carried else None
        children.setdefault(str(parent) if parent is not None and str(parent) in names else "", []).append(name)
    marks = _marks(model)
    rows, seen = [], set()
    # an explicit stack: a chain may be deeper than Python recurses
    stack = [(name, 0) for name in reversed(children.get("", []))]
    while stack:
        name, depth = stack.pop()
        if name not in seen:
            seen.add(name)
            rows.append(_row(name, depth, carried.get(name, {}), bodies.get(name, {}), marks))
            stack += [(child, depth + 1) for child in reversed(children.get(name, []))]
    return tuple(rows)


def _row(
    name: str, depth: int, joint: Mapping[str, Any], body: Mapping[str, Any], marks: Mapping[str, list[Mark]]
) -> TreeRow:
    joint_name = str(joint.get("name") or "")
    here = [*marks.get(name, []), *(marks.get(joint_name, []) if joint_name and joint_name != name else [])]
    return TreeRow(
        depth=depth,
        link=name,
        joint=joint_name,
        kind=str(joint.get("kind") or ""),
        axis=_numbers(joint.get("axis")),
        armature=_numbers(joint.get("armature")),
        mass=_numbers(body.get("mass")),
        com=_numbers(body.get("com")),
        inertia=_inertia(body.get("inertia")),
        marks=tuple(here),
    )


def _marks(model: ModelReport) -> dict[str, list[Mark]]:
    """Collect, by element, one mark for each cause and each fault of the file."""
    marks: dict[str, list[Mark]] = {}
    for result in model.results:
        if result.verdict in {"pass", "skip"}:
            continue
        names: Sequence[str] = ()
        if result.cause is not None and result.cause.element:
            names, what = (result.cause.element,), f"{result.subject}: {result.cause.name}"
        elif result.subject == MODEL and result.worst is not None:
            names, what = result.worst.labels, result.slug
        for name in dict.fromkeys(names):
            text = f"{word(result.verdict, known=result.known is not None)}: {what}"
            if all(mark.text != text for mark in marks.get(name, [])):
                marks.setdefault(name, []).append(Mark(text=text, result=result))
    return marks


def _records(value: object) -> list[Mapping[str, Any]]:
    entries = value if isinstance(value, (list, tuple)) else ()
    return [cast("Mapping[str, Any]", entry) for entry in entries if isinstance(entry, dict)]


def _numbers(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return " ".join(_numbers(entry) for entry in value)
    return f"{value:.6g}" if isinstance(value, (int, float)) else "" if value is None else str(value)


def _inertia(value: object) -> str:
    """Write xx yy zz, and xy xz yz where they are not all zero."""
    if not (isinstance(value, (list, tuple)) and len(value) == 3):
        return ""
    rows = cast("Sequence[Sequence[float]]", value)
    diagonal = " ".join(short(float(rows[k][k])) for k in range(3))
    products = (rows[0][1], rows[0][2], rows[1][2])
    return f"{diagonal}; {' '.join(short(float(p)) for p in products)}" if any(products) else diagonal
