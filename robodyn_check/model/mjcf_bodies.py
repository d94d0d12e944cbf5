"""The bodies of an MJCF: depth first in file order, frames unfolded, joints and inertials in their places.

Names: an unnamed body is ``body#k`` with MuJoCo's number of it (the world is 0), an unnamed joint ``body/joint#k`` with
its number on its body from 0, and the joint that stands for "no joint here" is called ``body/weld``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from robodyn_check.model.mjcf_inertial import read_inertial
from robodyn_check.model.mjcf_joints import JointReader, Spot
from robodyn_check.model.mjcf_schema import BODY_CHILDREN, EXPANDED_BY_COMPILER, JOINT_TYPES
from robodyn_check.model.mjcf_settings import Need
from robodyn_check.model.mjcf_values import check_attributes, flag, pose, stays
from robodyn_check.model.quote import quoted
from robodyn_check.model.robot import Joint, Link, Pose
from robodyn_check.model.suggest import suggestion

if TYPE_CHECKING:
    from robodyn_check.model.mjcf_defaults import Defaults
    from robodyn_check.model.mjcf_node import Document, Node
    from robodyn_check.model.mjcf_settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """A child of a body with the frames inside the body around it and the class in force there."""

    node: Node
    frames: tuple[Pose, ...]
    childclass: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Visit:
    """A body still to be read, and the body (None: the world) that it hangs on."""

    item: _Item
    parent: str | None


@dataclass(slots=True, kw_only=True)
class BodyReader:
    """What reading the worldbody collects."""

    document: Document
    settings: Settings
    defaults: Defaults
    links: list[Link] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    needs: list[Need] = field(default_factory=list)
    body_nodes: list[tuple[str, Node]] = field(default_factory=list)
    joint_nodes: list[tuple[Joint, Node, str | None]] = field(default_factory=list)
    geoms: int = 0

    def read(self) -> None:
        """Read every body of every ``<worldbody>``."""
        world: list[_Item] = []
        for section in self.document.sections("worldbody"):
            check_attributes(section, "<worldbody>")
            world.extend(self._items(section, None))
        self._check_world(world)
        waiting = [_Visit(item=item, parent=None) for item in reversed(world) if item.node.tag == "body"]
        while waiting:
            visit = waiting.pop()
            below = self._body(visit)
            waiting.extend(reversed(below))

    def _items(self, node: Node, childclass: str | None) -> list[_Item]:
        """Return the children of a body, those of its frames in the frames' places."""
        found: list[_Item] = []
        waiting = [_Item(node=child, frames=(), childclass=childclass) for child in reversed(node.children)]
        while waiting:
            item = waiting.pop()
            tag = item.node.tag
            if tag not in BODY_CHILDREN:
                item.node.fault(
                    f"<{tag}> cannot stand in <{node.tag}>. {suggestion(tag, sorted(BODY_CHILDREN))}",
                    cause="unknown-element",
                )
            elif tag in EXPANDED_BY_COMPILER:
                self._need("tree", f"<{tag}>", item.node)
            elif tag == "frame":
                what = f"frame {quoted(item.node.get('name') or '')}"
                placement = self._pose(item.node, what)
                inner = self.defaults.check(item.node, "childclass") or item.childclass
                frames = item.frames if stays(placement) else (*item.frames, placement)
                waiting.extend(
                    _Item(node=child, frames=frames, childclass=inner) for child in reversed(item.node.children)
                )
            else:
                found.append(item)
        self.geoms += sum(item.node.tag == "geom" for item in found)
        return found

    def _check_world(self, items: list[_Item]) -> None:
        for item in items:
            if item.node.tag in {"joint", "freejoint", "inertial"}:
                item.node.fault(
                    f"<{item.node.tag}> stands in the worldbody, which cannot move and has no mass; put it into a "
                    "<body>",
                    cause="joint-in-worldbody",
                )

    def _body(self, visit: _Visit) -> list[_Visit]:
        """Read one body and return those inside it."""
        node = visit.item.node
        name = node.get("name") or f"body#{len(self.links) + 1}"
        what = f"body {quoted(name)}"
        check_attributes(node, what)
        childclass = self.defaults.check(node, "childclass") or visit.item.childclass
        placement = self._pose(node, what)
        before = (*visit.item.frames, placement)
        items = self._items(node, childclass)
        moving = [item for item in items if item.node.tag in {"joint", "freejoint"}]
        if moving:
            self._joints(moving, name, visit.parent, before)
        else:
            weld = Joint(
                name=f"{name}/weld",
                kind="fixed",
                line=node.line(),
                parent=visit.parent,
                child=name,
                placements=before,
            )
            self.joints.append(weld)
        if flag(node, "mocap", what=what) and (moving or visit.parent is not None):
            node.fault(f"{what} is a mocap body, which must be a child of the worldbody without joints", at="mocap")
        self.links.append(self._link(node, name, items))
        self.body_nodes.append((name, node))
        return [_Visit(item=item, parent=name) for item in items if item.node.tag == "body"]

    def _joints(self, items: list[_Item], body: str, parent: str | None, before: tuple[Pose, ...]) -> None:
        """Read the joints of one body; together they must be what one body can have."""
        reader = JointReader(settings=self.settings, defaults=self.defaults)
        kinds: list[str] = []
        for index, item in enumerate(items):
            spot = Spot(
                body=body,
                index=index,
                parent=parent,
                before=before if index == 0 else (),
                frames=item.frames,
                childclass=item.childclass,
            )
            kind = reader.kind(item.node, item.childclass)
            if kind is None:
                continue
            self._check_combination(item.node, body, parent, kind, kinds)
            kinds.append(kind)
            joint = reader.read(item.node, spot, kind)
            self.joints.append(joint)
            self.joint_nodes.append((joint, item.node, item.childclass))
            aligned = flag(item.node, "align", what=f"joint {quoted(joint.name)}") if kind == "free" else None
            if kind == "free" and (self.settings.align_free if aligned is None else aligned):
                self._need("tree", f"the aligned free joint {quoted(joint.name)}", item.node)

    def _check_combination(self, node: Node, body: str, parent: str | None, kind: str, kinds: list[str]) -> None:
        what = f"body {quoted(body)}"
        if kind == "free" and parent is not None:
            node.fault(
                f"the free joint of {what} is inside body {quoted(parent)}; only a child of the worldbody can be free",
                cause="free-joint-not-at-top",
            )
        elif (kind == "free" and kinds) or "free" in kinds:
            node.fault(f"{what} has a free joint and another joint; a free joint stands alone", cause="joints-of-body")
        elif "ball" in kinds and kind in {"ball", "hinge"}:
            node.fault(f"{what} has a {kind} joint after a ball joint; a ball turns every way", cause="joints-of-body")
        elif sum(JOINT_TYPES[entry][2] for entry in (*kinds, kind)) > 6:
            node.fault(f"{what} has more than 6 degrees of freedom; use several bodies", cause="joints-of-body")

    def _link(self, node: Node, name: str, items: list[_Item]) -> Link:
        inertials = [item for item in items if item.node.tag == "inertial"]
        has_geom = any(item.node.tag == "geom" for item in items)
        if len(inertials) > 1:
            first = inertials[0].node.own_line()
            inertials[1].node.fault(
                f"body {quoted(name)} has a second <inertial> (the first is in line {first}); keep one",
                cause="duplicate-element",
            )
        rule = self.settings.inertia_from_geom
        if has_geom and (rule == "true" or (rule == "auto" and not inertials)):
            why = "inertiafromgeom='true'" if inertials else "no <inertial>"
            self._need("body", f"body {quoted(name)}, which has shapes and {why},", node, body=name)
        inertial = None
        if inertials:
            item = inertials[0]
            inertial = read_inertial(item.node, item.frames, name, self.settings)
        return Link(name=name, line=node.line(), inertial=inertial)

    def _pose(self, node: Node, what: str) -> Pose:
        return pose(node, what=what, degrees=self.settings.degrees, eulerseq=self.settings.eulerseq)

    def _need(self, scope: str, what: str, node: Node, *, body: str | None = None) -> None:
        need = Need(
            scope=scope,  # type: ignore[arg-type]  # called with its words only
            what=what,
            file=node.faults.file,
            line=node.own_line(),
            body=body,
        )
        self.needs.append(need)
