"""MJCF: our own pass over the XML, and MuJoCo's compiler for what only it defines.

What the file states stays as written, with its line: names, frames, default classes, angles, Euler orders, explicit
inertials, joints. Inertia from shapes, expanded elements and total mass come from ``compile_mjcf`` as plain data.
Source: MuJoCo's XML reference, and MuJoCo 4.0 itself where the reference leaves a case open.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robodyn_check.errors import AdapterError, AdapterMissing, Fault, ModelError
from robodyn_check.model.mjcf_bodies import BodyReader
from robodyn_check.model.mjcf_compiled import merge_compiled
from robodyn_check.model.mjcf_defaults import Defaults
from robodyn_check.model.mjcf_node import Document
from robodyn_check.model.mjcf_outside import check_references, read_outside, with_rotors
from robodyn_check.model.mjcf_schema import SECTIONS
from robodyn_check.model.mjcf_settings import Need, read_settings
from robodyn_check.model.quote import quoted
from robodyn_check.model.robot import RobotModel
from robodyn_check.model.suggest import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable


INSTALL_HINT = 'pip install "robodyn-check[mujoco]"'


def read_mjcf(
    path: str | Path, data: bytes, *, compile_mjcf: Callable[[Path], dict[str, Any]] | None = None
) -> RobotModel:
    """Read a robot from an MJCF.

    Args:
        path: The main file; includes are looked for beside it.
        data: Its bytes.
        compile_mjcf: Runs MuJoCo's compiler on the file and returns plain data (`model.mjcf_compiled`), or raises an
            `AdapterError`. It is called only where the file needs it.

    Raises:
        ModelError: The file has faults (all of them), or needs the compiler and that is not there or refuses.
    """
    robot, needs = read_stated(path, data)
    if not needs:
        return robot
    return merge_compiled(robot, _compile(path, needs, compile_mjcf), needs)


def read_stated(path: str | Path, data: bytes) -> tuple[RobotModel, tuple[Need, ...]]:
    """Read what the file itself states, and list what only the compiler can say.

    Args:
        path: The main file.
        data: Its bytes.

    Raises:
        ModelError: The file has faults; all of them.
    """
    shown = str(path)
    document = Document(shown, data)
    if document.root.tag != "mujoco":
        document.root.fault(f"the root element is <{document.root.tag}>, expected <mujoco>", cause="wrong-format")
    _check_sections(document)
    settings, needs = read_settings(document)
    reader = BodyReader(document=document, settings=settings, defaults=Defaults(document))
    reader.read()
    needs = [*needs, *reader.needs]
    _check_names(reader)
    if not any(need.scope == "tree" for need in needs):
        check_references(reader)
    outside = read_outside(reader)
    joints = with_rotors(reader)
    document.raise_if_any()
    robot = RobotModel(
        name=document.root.get("model") or "",
        format="mjcf",
        path=shown,
        sha256=hashlib.sha256(data).hexdigest(),
        links=tuple(reader.links),
        joints=joints,
        gravity=settings.gravity,
        outside=outside,
        geoms=reader.geoms,
    )
    return robot, tuple(needs)


def _compile(
    path: str | Path, needs: tuple[Need, ...], compile_mjcf: Callable[[Path], dict[str, Any]] | None
) -> dict[str, Any]:
    """Run the compiler; where it cannot answer, name the first element that needs it."""
    if compile_mjcf is None:
        raise _unanswered(needs, f"and MuJoCo is not here. Install it: {INSTALL_HINT}", "needs-compiler")
    try:
        return compile_mjcf(Path(path))
    except AdapterMissing as error:
        raise _unanswered(
            needs, f"and it is not here ({error}). Install it: {INSTALL_HINT}", "needs-compiler"
        ) from None
    except AdapterError as error:
        raise _unanswered(needs, f"and it gives none: {error}", "compiler-refuses") from None


def _unanswered(needs: tuple[Need, ...], why: str, cause: str) -> ModelError:
    first = min(needs, key=lambda need: (need.file, need.line))
    others = len(needs) - 1
    more = f" (as {'does another element' if others == 1 else f'do {others} other elements'})" if others else ""
    message = f"{first.what} gets its numbers from MuJoCo's compiler{more}, {why}"
    return ModelError((Fault(file=first.file, line=first.line, message=message, cause=cause),))


def _check_sections(document: Document) -> None:
    for node in document.root.children:
        if node.tag not in SECTIONS:
            node.fault(
                f"<{node.tag}> is no section of MJCF. {suggestion(node.tag, sorted(SECTIONS))}", cause="unknown-element"
            )


def _check_names(reader: BodyReader) -> None:
    """Record names that two bodies or two joints share; a body cannot be called world."""
    for kind, named in (
        ("body", reader.body_nodes),
        ("joint", [(joint.name, node) for joint, node, _ in reader.joint_nodes]),
    ):
        first: dict[str, str] = {"world": "the worldbody"} if kind == "body" else {}
        for name, node in named:
            if name in first:
                node.fault(
                    f"{kind} {quoted(name)} exists twice (the other is {first[name]}); rename one",
                    at="name",
                    cause="duplicate-name",
                )
            else:
                first[name] = f"in line {node.own_line('name')}"
