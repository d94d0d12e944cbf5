"""What has to hold between the links and joints of a URDF: unique names, existing links, one root, no loop.

All searches are loops over lists, never recursion: chains of thousands of links are legal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.model.quote import listed, quoted
from robodyn_check.model.suggest import nearest, suggestion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.model.faults import Faults
    from robodyn_check.model.robot import Joint, Link

#: Names shown of a loop.
_SHOWN = 20
#: Faults of one kind that get a suggestion; comparing names is slow, and a file with more is broken as a whole.
_HINTS = 20
_ONE_COORDINATE = frozenset({"revolute", "continuous", "prismatic"})


def check_tree(links: Sequence[Link], joints: Sequence[Joint], faults: Faults) -> None:
    """Record every fault of the tree as a whole."""
    _check_unique("link", links, faults)
    _check_unique("joint", joints, faults)
    explained = _check_links_exist(links, joints, faults)
    _check_mimics(joints, faults)
    in_loop = _check_loops(joints, faults)
    _check_parents(joints, in_loop, faults)
    _check_root(links, joints, explained, faults)


def _check_unique(kind: str, items: Sequence[Link] | Sequence[Joint], faults: Faults) -> None:
    first: dict[str, int | None] = {}
    for item in items:
        if not item.name:
            continue
        if item.name in first:
            faults.add(
                item.line,
                f"{kind} {quoted(item.name)} is defined twice, in lines {first[item.name]} and {item.line}; "
                f"rename or remove one",
                cause="duplicate-name",
            )
        else:
            first[item.name] = item.line


def _check_links_exist(links: Sequence[Link], joints: Sequence[Joint], faults: Faults) -> set[str]:
    """Record joints that name no link; return the links that were probably meant as children."""
    known = {link.name: None for link in links if link.name}
    meant: set[str] = set()
    hints = _HINTS
    for joint in joints:
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if not name or name in known:
                continue
            hint = suggestion(name, known) if hints else ""
            if name == "world":
                hint = 'Add <link name="world"/>: only Drake knows it without.'
            message = f"joint {quoted(joint.name)} names the {role} link {quoted(name)}, which does not exist. {hint}"
            faults.add(joint.line, message.rstrip(), cause="undefined-link")
            if role == "child" and hints:
                meant.add(nearest(name, known) or "")
            hints = max(hints - 1, 0)
    return meant


def _check_mimics(joints: Sequence[Joint], faults: Faults) -> None:
    by_name = {joint.name: joint for joint in joints if joint.name}
    circles = _mimic_circles(by_name)
    hints = _HINTS
    for joint in joints:
        if joint.mimic is None:
            continue
        master = by_name.get(joint.mimic.joint)
        owner, followed = quoted(joint.name), quoted(joint.mimic.joint)
        if master is None:
            hint = suggestion(joint.mimic.joint, [name for name in by_name if name != joint.name]) if hints else ""
            hints = max(hints - 1, 0)
            faults.add(
                joint.mimic.line,
                f"joint {owner} mimics joint {followed}, which does not exist. {hint}",
                cause="undefined-joint",
            )
        elif master.kind not in _ONE_COORDINATE:
            faults.add(
                joint.mimic.line,
                f"joint {owner} mimics joint {followed}, which is {master.kind} and has no single coordinate to follow",
                cause="mimic-without-coordinate",
            )
        elif joint.name in circles:
            faults.add(
                joint.mimic.line,
                f"joint {owner} mimics joint {followed}, which leads back to {owner}: no joint of this circle is free",
                cause="mimic-cycle",
            )


def _mimic_circles(by_name: dict[str, Joint]) -> set[str]:
    """Return the joints that, following masters, come back to themselves."""
    circles: set[str] = set()
    seen: set[str] = set()
    for start in by_name:
        order: dict[str, int] = {}
        name: str | None = start
        while name in by_name and name not in order and name not in seen:
            order[name] = len(order)
            mimic = by_name[name].mimic
            name = mimic.joint if mimic is not None else None
        seen.update(order)
        if name in order:
            circles.update(list(order)[order[name] :])
    return circles


def _check_loops(joints: Sequence[Joint], faults: Faults) -> set[str]:
    """Record every directed loop of links; return the links in loops.

    Links that nothing points to are taken away again and again, then those that point to nothing; what is left lies
    on a loop or between two.
    """
    for joint in joints:
        if joint.parent and joint.parent == joint.child:
            faults.add(
                joint.line,
                f"joint {quoted(joint.name)} connects link {quoted(joint.child)} to itself, expected two links",
                cause="kinematic-loop",
            )
    edges = [joint for joint in joints if joint.parent and joint.child and joint.parent != joint.child]
    edges = _peeled(edges, forward=False)
    edges = _peeled(edges, forward=True)
    out = {joint.parent: joint for joint in reversed(edges) if joint.parent}
    looped: set[str] = set()
    seen: set[str] = set()
    for start in [joint.child for joint in edges]:
        order: dict[str, int] = {}
        link = start
        while link not in order and link not in seen:
            order[link] = len(order)
            link = out[link].child
        seen.update(order)
        if link in order:
            loop = list(order)[order[link] :]
            looped.update(loop)
            _add_loop([out[name] for name in loop], faults)
    return looped


def _add_loop(joints: list[Joint], faults: Faults) -> None:
    """Record one loop, given its joints in order."""
    names = [joint.parent or "" for joint in joints]
    path = " -> ".join(quoted(name) for name in [*names[:_SHOWN], names[0]])
    more = f" ({len(names)} links)" if len(names) > _SHOWN else ""
    faults.add(
        max(joint.line or 0 for joint in joints),
        f"kinematic loop {path}{more} through joints {listed([joint.name for joint in joints])}; a URDF is a tree, so "
        "remove a joint of the loop",
        cause="kinematic-loop",
    )


def _peeled(edges: list[Joint], *, forward: bool) -> list[Joint]:
    """Return the joints left when links without a joint into them (out of them, where ``forward``) are taken away."""

    def ends(joint: Joint) -> tuple[str, str]:
        parent, child = joint.parent or "", joint.child
        return (child, parent) if forward else (parent, child)

    count: dict[str, int] = {}
    leaving: dict[str, list[int]] = {}
    for index, joint in enumerate(edges):
        source, target = ends(joint)
        count.setdefault(source, 0)
        count[target] = count.get(target, 0) + 1
        leaving.setdefault(source, []).append(index)
    gone: set[int] = set()
    waiting = [name for name, number in count.items() if number == 0]
    while waiting:
        for index in leaving.get(waiting.pop(), ()):
            gone.add(index)
            target = ends(edges[index])[1]
            count[target] -= 1
            if count[target] == 0:
                waiting.append(target)
    return [joint for index, joint in enumerate(edges) if index not in gone]


def _check_parents(joints: Sequence[Joint], in_loop: set[str], faults: Faults) -> None:
    first: dict[str, Joint] = {}
    for joint in joints:
        if not joint.child or joint.parent == joint.child:
            continue
        other = first.setdefault(joint.child, joint)
        if other is not joint and joint.child not in in_loop:
            faults.add(
                joint.line,
                f"link {quoted(joint.child)} has two parents: joint {quoted(other.name)} (line {other.line}) and joint "
                f"{quoted(joint.name)} (line {joint.line}); a URDF is a tree, so remove one",
                cause="kinematic-loop",
            )


def _check_root(links: Sequence[Link], joints: Sequence[Joint], explained: set[str], faults: Faults) -> None:
    children = {joint.child for joint in joints if joint.parent != joint.child} | explained
    roots = [link for link in links if link.name and link.name not in children]
    incomplete = sum(not joint.child for joint in joints)  # each may be the one that was to move a link
    if len(roots) > 1 + incomplete:
        places = ", ".join(f"{quoted(link.name)} (line {link.line})" for link in roots[:8])
        more = f" and {len(roots) - 8} more" if len(roots) > 8 else ""
        faults.add(
            roots[1].line,
            f"{len(roots)} links have no parent joint: {places}{more}; a URDF has one root, so connect the others with "
            "a joint (fixed, if they do not move)",
            cause="multiple-root-links",
        )
