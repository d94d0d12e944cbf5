"""Hypotheses about placements and axes: where every link of the library stands tells how it connects them.

For a link on its parent's body the relative pose is constant: its placement. For a joint of one coordinate it is
X exp(a q): two states whose q differ give the axis a, any state then gives the placement X. Joints that move otherwise
(by another joint's q, by a clamped one) are left to other hypotheses. The first joint from the base that departs is the
one that is named.

Where no poses are offered, a sign or an offset of one joint is tried on the forces alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.diagnosis.candidate import EVERYTHING, MECHANISM, Candidate, mechanism_changes
from robodyn_check.diagnosis.departures import departed_joints, rpy_reversed
from robodyn_check.diagnosis.in_coordinates import flipped, offset_by
from robodyn_check.diagnosis.masses import merged
from robodyn_check.diagnosis.neat import neat
from robodyn_check.model.rotations import smallest_to

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.diagnosis.evidence import Evidence, Sample
    from robodyn_check.faults.fault import FloatArray
    from robodyn_check.model.mechanism import Mechanism, MovingJoint

#: Numbers taken from poses that are nearer than this to a written one are the written one.
_ROUNDED = 1e-13
#: Decimal places of numbers that people write, of a robot of 1 m, and how near to one of them a number counts as it.
_DIGITS, _DECIMAL = 12, 1e-15
_SINGLE = frozenset({"revolute", "continuous", "prismatic"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Held:
    """A placement (rotation (3, 3), translation (3,)) and, for a moving joint, the axis as the library has it."""

    R: FloatArray
    p: FloatArray
    axis: FloatArray | None = None


def placements(evidence: Evidence) -> Iterable[Candidate]:
    """Joints stand elsewhere or have other axes than the file says."""
    sample = evidence.sample("link_poses")
    if sample is None or sample not in evidence.failing:
        return
    mechanism = evidence.scene.mechanism
    held, departed, told = _identified(mechanism, sample)
    if held is None or not departed:
        return
    joints = departed_joints(evidence.scene, held, _size(sample))
    joint = next((one for one in mechanism.joints if [one.name] == [each.name for each in joints]), None)
    changed = held
    first = joints[0].name if joints else departed[0]
    reversed_order = bool(joints) and rpy_reversed(evidence.scene, held, joints, _size(sample))
    cause = "rpy-order" if reversed_order else _name(evidence, mechanism, held, first)
    if joint is not None and joint.kind in _SINGLE:
        for named in _named(mechanism, held, joint):
            yield named
            if named.cause == "joint-offset":  # X exp(a (q + d)) is (X exp(a d)) exp(a q): a placement as well
                yield replace(named, cause=cause, evidence=tuple(told[:4]))
    yield Candidate(
        cause=cause,
        touches=EVERYTHING,
        apply=mechanism_changes(lambda _: changed),
        level=MECHANISM,
        element=first,
        evidence=tuple(told[:4]),
    )


def _named(mechanism: Mechanism, held: Mechanism, joint: MovingJoint) -> Iterable[Candidate]:
    """A sign or an offset of one joint, where the placement shows one."""
    body = joint.body
    axis, other = mechanism.axis[:, body], held.axis[:, body]
    if np.allclose(axis, -other, atol=1e-9):
        yield flipped(mechanism.nv, joint)
    turn = mechanism.R_tree[:, :, body].T @ held.R_tree[:, :, body]
    if joint.kind != "prismatic":
        about = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
        angle = neat(float(np.arctan2(about @ axis, (np.trace(turn) - 1) / 2)), 1.0)
        if angle:
            yield offset_by(joint, angle)
    else:
        shift = mechanism.R_tree[:, :, body].T @ (held.p_tree[:, body] - mechanism.p_tree[:, body])
        amount = neat(float(shift @ axis), float(np.abs(mechanism.p_tree[:, body]).max()) + 1e-3)
        if amount:
            yield offset_by(joint, amount)


def _size(sample: Sample) -> float:
    """Return how far the robot reaches, m."""
    return float(np.nanmax(np.abs(sample.true[..., 3]), initial=0.0)) + 1e-6


def _name(evidence: Evidence, mechanism: Mechanism, held: Mechanism, first: str) -> str:
    """Name a change of placements and axes by the joint that departs first."""
    joints = {joint.name: joint for joint in evidence.scene.robot.joints}
    written = joints.get(first)
    moving = next((joint for joint in mechanism.joints if joint.name == first), None)
    if moving is not None and moving.kind == "planar" and _only_of_xy(mechanism, held, moving.body):
        return "planar-joint-axis-ignored"
    if _root_pose_lost(mechanism, held, first):
        return "fixed-root-pose-lost"
    if moving is not None and not np.allclose(mechanism.axis[:, moving.body], held.axis[:, moving.body], atol=1e-9):
        oblique = written is not None and written.axis is not None and sum(bool(c.value) for c in written.axis) > 1
        straight = (
            np.abs(held.axis[:, moving.body]).max() > 1 - 1e-9
        )  # along a coordinate axis, where the file's is not
        return "skew-joint-axis-unsupported" if oblique and straight else "joint-axis-differs"
    return "joint-placement-differs"


def _only_of_xy(mechanism: Mechanism, held: Mechanism, body: int) -> bool:
    """Tell whether a planar joint moves in the plane of x and y, and should not."""
    z = np.array([0.0, 0.0, 1.0])
    right, wrong = (np.abs(one.axis[:, body] - z).max() < 1e-9 for one in (mechanism, held))
    return bool(wrong and not right)


def _root_pose_lost(mechanism: Mechanism, held: Mechanism, first: str) -> bool:
    """Tell whether what departs first stands on the world, without the placement that the file gives it."""
    for joint in mechanism.joints:
        if mechanism.parent[joint.body] < 0 and joint.name == first:
            sides = [(one.R_tree[:, :, joint.body], one.p_tree[:, joint.body]) for one in (mechanism, held)]
            return _lost(*sides)
    for link, body in enumerate(mechanism.link_body):
        if body < 0 and not np.allclose(mechanism.link_R[:, :, link], held.link_R[:, :, link], atol=1e-9):
            return bool(np.allclose(held.link_R[:, :, link], np.eye(3), atol=1e-9))
    return False


def _lost(right: tuple[FloatArray, FloatArray], held: tuple[FloatArray, FloatArray]) -> bool:
    """Tell whether a placement was there, and is none now."""
    there, left = (
        bool(np.allclose(R, np.eye(3), atol=1e-9) and np.allclose(p, 0, atol=1e-9)) for R, p in (right, held)
    )
    return left and not there


def _identified(mechanism: Mechanism, sample: Sample) -> tuple[Mechanism | None, list[str], list[str]]:
    """Return the mechanism that the poses show, the joints that depart from the base on, and what they changed."""
    poses, q = sample.got, sample.request.q
    size = _size(sample)
    frames: dict[int, tuple[FloatArray, FloatArray]] = {-1: (np.eye(3)[None].repeat(len(q), 0), np.zeros((len(q), 3)))}
    tree_rotation, p_tree, axis = (
        np.array(one, dtype=float) for one in (mechanism.R_tree, mechanism.p_tree, mechanism.axis)
    )
    link_rotation, link_p = np.array(mechanism.link_R, dtype=float), np.array(mechanism.link_p, dtype=float)
    departed: list[str] = []
    told: list[str] = []
    for body in range(mechanism.nb):
        joint = mechanism.joints[mechanism.body_joint[body]]
        link = _first_known(mechanism, body, poses)
        if link is None or mechanism.parent[body] not in frames:
            return None, [], []
        own_rotation, own_shift = mechanism.link_R[:, :, link], mechanism.link_p[:, link]
        rotation = poses[:, link, :, :3] @ own_rotation.T
        p = poses[:, link, :, 3] - rotation @ own_shift
        parent_rotation, parent_shift = frames[mechanism.parent[body]]
        relative_rotation = np.swapaxes(parent_rotation, 1, 2) @ rotation
        relative_shift = np.einsum("nji,nj->ni", parent_rotation, p - parent_shift)
        frames[body] = (rotation, p)
        if joint.kind in _SINGLE:
            found = _joint(
                joint, relative_rotation, relative_shift, q[:, joint.q.start] - mechanism.reference[joint.q.start]
            )
        else:
            found = _as_is(mechanism, sample, body, relative_rotation, relative_shift)
        if found is None:
            return None, [], []
        changes = _changes(mechanism, body, found, size)
        if changes:
            departed.append(joint.name)
            told.append(f"{joint.name!r}: {', '.join(changes)}")
            tree_rotation[:, :, body] = _snapped(found.R, tree_rotation[:, :, body], 1.0)
            p_tree[:, body] = _snapped(found.p, p_tree[:, body], size)
            if found.axis is not None:
                axis[:, body] = _snapped(found.axis, axis[:, body], 1.0)
    for link, body in enumerate(mechanism.link_body):
        if not np.isfinite(poses[:, link]).all():
            continue
        body_rotation, body_shift = frames[body]
        rotation = (np.swapaxes(body_rotation, 1, 2) @ poses[:, link, :, :3])[0]
        p = np.einsum("nji,nj->ni", body_rotation, poses[:, link, :, 3] - body_shift)[0]
        off = max(np.abs(rotation - link_rotation[:, :, link]).max(), np.abs(p - link_p[:, link]).max() / size)
        if off > 1e-8:
            departed.append(mechanism.links[link])
            told.append(f"link {mechanism.links[link]!r} stands elsewhere on its body")
            link_rotation[:, :, link] = _snapped(rotation, link_rotation[:, :, link], 1.0)
            link_p[:, link] = _snapped(p, link_p[:, link], size)
    held = replace(mechanism, R_tree=tree_rotation, p_tree=p_tree, axis=axis, link_R=link_rotation, link_p=link_p)
    return merged(held), departed, told


def _snapped(found: FloatArray, written: FloatArray, size: float) -> FloatArray:
    """Return what was found as the numbers that it may have been read from.

    Where it is as near as rounding these are the file's own numbers, zeros, and short decimals.
    """
    near = _ROUNDED * size
    kept = np.where(np.abs(found - written) <= near, written, found)
    kept = np.where(np.abs(kept) <= near, 0.0, kept)
    short = np.round(kept, _DIGITS - math.ceil(math.log10(size)))
    snapped: FloatArray = np.where(np.abs(short - kept) <= _DECIMAL * size, short, kept)
    return snapped


def _first_known(mechanism: Mechanism, body: int, poses: FloatArray) -> int | None:
    """Return the first link of a body whose poses are all there."""
    return next((k for k, on in enumerate(mechanism.link_body) if on == body and np.isfinite(poses[:, k]).all()), None)


def _joint(joint: MovingJoint, rotation: FloatArray, p: FloatArray, q: FloatArray) -> Held | None:
    """Return placement and axis of a joint of one coordinate; None where it does not move like one."""
    if joint.kind == "prismatic":
        span = q - q.mean()
        direction = (span[:, None] * (p - p.mean(axis=0))).sum(axis=0) / max(float(span @ span), np.finfo(float).tiny)
        turn = rotation[0]
        return Held(R=turn, p=p[0] - direction * q[0], axis=turn.T @ direction)
    turned = _turning(rotation, q)
    return None if turned is None else Held(R=turned[0], p=p[0], axis=turned[1])


def _turning(rotation: FloatArray, q: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Return placement (3, 3) and axis (3,) of a turn by q; None where it does not turn like this."""
    first, second = _apart(q)
    turn = rotation[first].T @ rotation[second]  # exp(a (q2 - q1))
    about = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
    sine = np.sin(q[second] - q[first])
    axis = about / sine
    if abs(np.linalg.norm(axis) - 1) > 1e-6:
        return None
    axis = axis / np.linalg.norm(axis)
    placed = rotation[first] @ _turn(axis, -q[first])
    rebuilt = np.stack([placed @ _turn(axis, angle) for angle in q])
    if np.abs(rebuilt - rotation).max() > 1e-8:
        return None
    return placed, axis


def _apart(q: FloatArray) -> tuple[int, int]:
    """Return two states whose difference of angles has the largest sine."""
    some = q[:40]
    sines = np.abs(np.sin(some[:, None] - some[None]))
    first, second = np.unravel_index(int(np.argmax(sines)), sines.shape)
    return int(first), int(second)


def _turn(axis: FloatArray, angle: float) -> FloatArray:
    """Return the rotation about a unit axis, (3, 3), by Rodrigues' formula."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turn: FloatArray = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return turn


def _as_is(mechanism: Mechanism, sample: Sample, body: int, rotation: FloatArray, p: FloatArray) -> Held | None:
    """Take the motion of a joint of several coordinates as the file has it: only its placement may differ."""
    joint = mechanism.joints[mechanism.body_joint[body]]
    link = _first_known(mechanism, body, sample.true)
    if link is None:
        return None
    true_rotation, true_p = _relative(mechanism, sample.true, body)
    motion_rotation = mechanism.R_tree[:, :, body].T @ true_rotation
    motion_p = (true_p - mechanism.p_tree[:, body]) @ mechanism.R_tree[:, :, body]
    placed = rotation @ np.swapaxes(motion_rotation, 1, 2)
    at = p - np.einsum("nij,nj->ni", placed, motion_p)
    if np.abs(placed - placed[0]).max() > 1e-8 or np.ptp(at, axis=0).max() > 1e-8 * (1 + np.abs(p).max()):
        return _planar(joint, sample, rotation, p) if joint.kind == "planar" else None
    return Held(R=placed[0], p=at[0])


def _planar(joint: MovingJoint, sample: Sample, rotation: FloatArray, p: FloatArray) -> Held | None:
    """Return placement and axis of a planar joint that moves in another plane; None where it does not move like one."""
    x, y, angle = sample.request.q[:, joint.q].T
    turned = _turning(rotation, angle)
    if turned is None:
        return None
    axis = _snapped(turned[1], np.array([0.0, 0.0, 1.0]), 1.0)
    plane = turned[0] @ smallest_to(tuple(axis))[:, :2]
    at = p - np.stack([x, y], axis=1) @ plane.T
    if np.ptp(at, axis=0).max() > 1e-8 * (1 + np.abs(p).max()):
        return None
    return Held(R=turned[0], p=at[0], axis=axis)


def _relative(mechanism: Mechanism, poses: FloatArray, body: int) -> tuple[FloatArray, FloatArray]:
    """Return the pose of a body in its parent's frame at every state."""
    frames: list[tuple[Any, Any]] = []
    for one in (mechanism.parent[body], body):
        link = None if one < 0 else _first_known(mechanism, one, poses)
        if link is None:
            frames.append((np.eye(3)[None].repeat(len(poses), 0), np.zeros((len(poses), 3))))
            continue
        rotation = poses[:, link, :, :3] @ mechanism.link_R[:, :, link].T
        frames.append((rotation, poses[:, link, :, 3] - rotation @ mechanism.link_p[:, link]))
    (outer_rotation, outer_shift), (rotation, p) = frames
    return np.swapaxes(outer_rotation, 1, 2) @ rotation, np.einsum("nji,nj->ni", outer_rotation, p - outer_shift)


def _changes(mechanism: Mechanism, body: int, found: Held, size: float) -> list[str]:
    """Say what of a joint is not as the file has it; nothing where all is within rounding."""
    changes = []
    if np.abs(found.R - mechanism.R_tree[:, :, body]).max() > 1e-8:
        angle = np.arccos(np.clip((np.trace(found.R.T @ mechanism.R_tree[:, :, body]) - 1) / 2, -1, 1))
        changes.append(f"its frame is turned by {np.degrees(angle):.6g} degrees")
    shift = found.p - mechanism.p_tree[:, body]
    if np.abs(shift).max() > 1e-8 * size:
        changes.append(f"its frame is shifted by ({', '.join(f'{one:.4g}' for one in shift)}) m")
    if found.axis is not None and np.abs(found.axis - mechanism.axis[:, body]).max() > 1e-8:
        axis = ", ".join(f"{one:.6g}" for one in found.axis)
        changes.append(f"its axis is ({axis})")
    return changes


HYPOTHESES = (placements,)
