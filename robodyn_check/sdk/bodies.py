"""The robot of ``mechanism`` with its links merged into moving bodies, for libraries that know bodies and joints only.

A frame of each body is chosen: the joint's after motion, turned so that the joint's axis is z. A rewrite of the model,
exact but for rounding; no library is asked here.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.sdk.rotations import smallest_from_z

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from robodyn_check.sdk.readback import BodyReadback, JointReadback, Readback

    FloatArray = npt.NDArray[np.float64]

#: Kinds of joint whose motion is one number about or along an axis.
SINGLE = ("revolute", "continuous", "prismatic")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MovingBody:
    """What one joint moves: mass (kg), centre of mass (m), inertia about it (kg m²), all in this body's frame.

    ``parent`` is the joint that moves the parent body (None: the world), ``placement`` (4, 4) takes this body's frame
    at q = 0 to the parent body's. ``rotation`` (3, 3) takes this body's frame to the joint's after motion, where
    readbacks stand. ``links``: each link that the joint carries with its placement (4, 4) in this frame.
    """

    joint: str
    kind: str
    parent: str | None
    placement: FloatArray
    rotation: FloatArray
    mass: float
    com: FloatArray
    inertia: FloatArray
    armature: tuple[float, ...]
    links: tuple[tuple[str, FloatArray], ...]


def moving_bodies(mechanism: Readback) -> tuple[MovingBody, ...]:
    """Return the moving bodies in an order in which parents come first (file order, where that is one)."""
    links = {link.name: link for link in mechanism.bodies}
    frames: dict[str | None, FloatArray] = {None: np.eye(4)}  # from a joint's own frame to the turned one
    before: dict[str, str] = {}  # the joint before on the same body, where several joints move one
    waiting = [joint for joint in mechanism.joints if joint.kind != "fixed"]
    for first, second in itertools.pairwise(waiting):
        if second.parent is not None and second.parent == second.child:
            before[second.name] = first.name
    done: list[MovingBody] = []
    while waiting:
        for joint in waiting:
            parent = before.get(joint.name, _carrier(joint, links))
            if parent in frames:
                break
        else:
            names = ", ".join(repr(joint.name) for joint in waiting)
            message = f"joints {names} hang on no moving joint that leads to the world"
            raise ValueError(message)
        waiting.remove(joint)
        frames[joint.name] = _turn(joint)
        carried = [link for link in mechanism.bodies if link.joint == joint.name]
        done.append(_body(joint, parent, frames, carried, links))
    return tuple(done)


def world_links(mechanism: Readback) -> tuple[tuple[str, FloatArray], ...]:
    """Return the links welded to the world, each with its placement (4, 4) in it."""
    return tuple((link.name, pose(link.rotation, link.translation)) for link in mechanism.bodies if link.joint is None)


def carriers(mechanism: Readback | None) -> dict[str, str | None]:
    """Return the moving joint that carries each link (None: the world): for readbacks of libraries that keep links."""
    assert mechanism is not None, "an adapter that asks for carriers declares needs_mechanism"
    return {link.name: link.joint for link in mechanism.bodies}


def pose(rotation: object, translation: object) -> FloatArray:
    """Return a rotation (3, 3) and a translation (3,) as one matrix (4, 4)."""
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = np.asarray(rotation, dtype=float), np.asarray(translation, dtype=float)
    return out


def inverse(placement: FloatArray) -> FloatArray:
    """Return the inverse of a placement (4, 4)."""
    rotation = placement[:3, :3].T
    return pose(rotation, -rotation @ placement[:3, 3])


def _carrier(joint: JointReadback, links: dict[str, BodyReadback]) -> str | None:
    """Return the moving joint that carries a joint's parent link."""
    return None if joint.parent is None else links[joint.parent].joint


def _turn(joint: JointReadback) -> FloatArray:
    """Return the placement, in the joint's frame, of the frame whose z is the axis."""
    if joint.axis is None or joint.kind not in SINGLE:
        return np.eye(4)
    return pose(smallest_from_z(np.array(joint.axis)), np.zeros(3))


def _body(
    joint: JointReadback,
    parent: str | None,
    frames: dict[str | None, FloatArray],
    carried: Sequence[BodyReadback],
    links: dict[str, BodyReadback],
) -> MovingBody:
    """Merge what a joint carries."""
    turn = frames[joint.name]
    placement = pose(joint.rotation, joint.translation)
    # Of several joints on one body the later ones already stand in the frame of the joint before.
    if joint.parent is not None and joint.parent != joint.child:
        held = links[joint.parent]
        placement = pose(held.rotation, held.translation) @ placement
    placement = inverse(frames[parent]) @ placement @ turn @ _reference(joint)
    places = [(link, inverse(turn) @ pose(link.rotation, link.translation)) for link in carried]
    mass = sum(link.mass for link in carried)
    centres = [place[:3, :3] @ np.array(link.com) + place[:3, 3] for link, place in places]
    moment = sum((link.mass * centre for link, centre in zip(carried, centres, strict=True)), np.zeros(3))
    com = moment / mass if mass else np.zeros(3)
    inertia = np.zeros((3, 3))
    for (link, place), centre in zip(places, centres, strict=True):
        lever = centre - com
        inertia += place[:3, :3] @ np.array(link.inertia) @ place[:3, :3].T
        inertia += link.mass * (lever @ lever * np.eye(3) - np.outer(lever, lever))
    return MovingBody(
        joint=joint.name,
        kind=joint.kind,
        parent=parent,
        placement=placement,
        rotation=turn[:3, :3],
        mass=mass,
        com=com,
        inertia=(inertia + inertia.T) / 2,  # rounding only; some libraries compare the two triangles exactly
        armature=joint.armature or (),
        links=tuple((link.name, place) for link, place in places),
    )


def _reference(joint: JointReadback) -> FloatArray:
    """Return the motion by -reference about or along z: q counts from there (MJCF ``ref``)."""
    if not joint.reference:
        return np.eye(4)
    if joint.kind == "prismatic":
        return pose(np.eye(3), (0.0, 0.0, -joint.reference))
    cosine, sine = np.cos(joint.reference), np.sin(joint.reference)
    return pose(((cosine, sine, 0.0), (-sine, cosine, 0.0), (0.0, 0.0, 1.0)), np.zeros(3))
