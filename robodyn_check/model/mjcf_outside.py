"""What an MJCF has outside the smooth rigid-body model, listed with its place; and the rotors of its actuators.

Listed: springs, equality constraints, tendons, gravity compensation, servos, fluid, deformables, mocap bodies. None of
it is part of M, C, g. Two things do enter MuJoCo's mass matrix: the armature of an actuator, which adds
armature · gear² to its joint and is added there, and the armature of a tendon, which couples joints and is listed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from robodyn_check.model.mjcf_schema import ACTUATORS
from robodyn_check.model.mjcf_values import ZERO, made, number, numbers
from robodyn_check.model.quote import quoted
from robodyn_check.model.robot import Element, Joint
from robodyn_check.model.suggest import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.model.mjcf_bodies import BodyReader
    from robodyn_check.model.mjcf_defaults import Defaults
    from robodyn_check.model.mjcf_node import Document, Node

#: Attributes by which an element names a joint or a body.
_JOINT_NAMES = ("joint", "joint1", "joint2", "jointinparent")
_BODY_NAMES = ("body1", "body2")


def read_outside(reader: BodyReader) -> tuple[Element, ...]:
    """Return every element outside the smooth model, in the order of their lines."""
    document = reader.document
    found = [*_fluid(document), *_bodies(reader), *_joints(reader)]
    for section in ("equality", "tendon", "deformable"):
        children = [child for part in document.sections(section) for child in part.children]
        found.extend(_element(child, owner=child.get("joint1") or child.get("body1")) for child in children)
    found.extend(_actuators(document, reader.defaults))
    return tuple(sorted(found, key=lambda element: element.line or 0))


def check_references(reader: BodyReader) -> None:
    """Record constraints, tendons and actuators that name a joint or body which does not exist."""
    joints = [joint.name for joint in reader.joints]
    bodies = [link.name for link in reader.links] + ["world"]
    known_joints, known_bodies = set(joints), set(bodies)
    for section in ("equality", "tendon", "actuator"):
        for part in reader.document.sections(section):
            for node in part.walk():
                for attribute in (*_JOINT_NAMES, *_BODY_NAMES):
                    name = node.get(attribute)
                    is_joint = attribute in _JOINT_NAMES
                    if name is None or name in (known_joints if is_joint else known_bodies):
                        continue
                    kind = "joint" if is_joint else "body"
                    node.fault(
                        f"<{node.tag}> names {kind} {quoted(name)}, which does not exist. "
                        f"{suggestion(name, joints if is_joint else bodies)}",
                        at=attribute,
                        cause=f"missing-{kind}",
                    )


def with_rotors(reader: BodyReader) -> tuple[Joint, ...]:
    """Return the joints, each with the armature · gear² of the actuators that drive it."""
    added: dict[str, tuple[float, int]] = {}
    kinds = {joint.name: joint.kind for joint in reader.joints}
    for node in (child for part in reader.document.sections("actuator") for child in part.children):
        name = node.get("joint") or node.get("jointinparent")
        rotor = _given(node, "armature", reader.defaults)
        if name is None or rotor == 0:
            continue
        gear = _given(node, "gear", reader.defaults, default=1.0)
        if kinds.get(name) in {"revolute", "prismatic"}:
            value, _ = added.get(name, (0.0, 0))
            added[name] = (value + rotor * gear * gear, node.line("armature"))
    joints: list[Joint] = []
    for joint in reader.joints:
        if joint.name not in added:
            joints.append(joint)
            continue
        value, line = added[joint.name]
        own = (joint.armature or ZERO).value
        joints.append(replace(joint, armature=made(own + value, line)))
    return tuple(joints)


def _given(node: Node, attribute: str, defaults: Defaults, *, default: float = 0.0) -> float:
    """Return the first number of an actuator's attribute, from itself or from its class."""
    source = defaults.give(node, "actuator", None, attribute)
    what = f"<{node.tag}>" if source is node else f"the default of <{node.tag}>"
    read = numbers(source, attribute, what=what, count=None)
    return read[0].value if read else default


def _fluid(document: Document) -> Iterable[Element]:
    for node in document.sections("option"):
        for name in ("density", "viscosity"):
            value = number(node, name, what="<option>")
            if value is not None and value.value != 0:
                yield Element(tag=f"option@{name}", line=node.line(name), text=value.text)


def _bodies(reader: BodyReader) -> Iterable[Element]:
    for name, node in reader.body_nodes:
        gravcomp = number(node, "gravcomp", what=f"body {quoted(name)}")
        if gravcomp is not None and gravcomp.value != 0:
            yield Element(tag="body@gravcomp", line=node.line("gravcomp"), text=gravcomp.text, owner=name)
        if node.get("mocap") == "true":
            yield Element(tag="body@mocap", line=node.line("mocap"), text="true", owner=name)
        for plugin in node.all("plugin"):
            yield _element(plugin, owner=name)


def _joints(reader: BodyReader) -> Iterable[Element]:
    """Springs, and the terms of damping and stiffness beyond the linear one."""
    for joint, node, childclass in reader.joint_nodes:
        if joint.stiffness is not None and joint.stiffness.value != 0:
            line = joint.stiffness.line
            yield Element(tag="joint@stiffness", line=line, text=joint.stiffness.text, owner=joint.name)
        if node.tag == "freejoint":
            continue
        if joint.stiffness is not None and joint.stiffness.value != 0:
            rest = reader.defaults.give(node, "joint", childclass, "springref")
            if text := rest.get("springref") or "":
                yield Element(tag="joint@springref", line=rest.line("springref"), text=text, owner=joint.name)
        for name in ("damping", "stiffness", "springdamper"):
            source = reader.defaults.give(node, "joint", childclass, name)
            text = source.get(name) or ""
            if text and (name == "springdamper" or len(text.split()) > 1):
                yield Element(tag=f"joint@{name}", line=source.line(name), text=text, owner=joint.name)


def _actuators(document: Document, defaults: Defaults) -> Iterable[Element]:
    """Actuators whose force depends on the state (servos, dampers, muscles), or whose rotor moves no single joint."""
    for node in (child for part in document.sections("actuator") for child in part.children):
        name = node.get("joint") or node.get("jointinparent")
        plain = node.tag == "motor" or (
            node.tag == "general"
            and (defaults.give(node, "actuator", None, "biastype").get("biastype") or "none") == "none"
        )
        if node.tag in ACTUATORS and (not plain or (name is None and _given(node, "armature", defaults) != 0)):
            yield _element(node, owner=name)


def _element(node: Node, *, owner: str | None) -> Element:
    return Element(tag=node.tag, line=node.line(), text=node.element.source, owner=owner)
