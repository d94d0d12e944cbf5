"""Mimic joints keep their own coordinate; in a drawn state it follows its master: q_m = k q + o, v and a with k."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from robodyn_check.model.mechanism import Mechanism, MovingJoint
    from robodyn_check.states.batch import FloatArray


def follow_positions(mechanism: Mechanism, q: FloatArray, *, given: Collection[str] = ()) -> FloatArray:
    """Return q, (N, nq), with every mimic joint (but the ``given`` ones) where its relation puts it."""
    followed = q.copy()
    for joint, master, multiplier, offset in _relations(mechanism):
        if joint.name not in given:
            followed[:, joint.q] = multiplier * followed[:, master.q] + offset
    return followed


def follow_rates(mechanism: Mechanism, rates: FloatArray, *, given: Collection[str] = ()) -> FloatArray:
    """Return v or a, (N, nv), with every mimic joint (but the ``given`` ones) moving with its master."""
    followed = rates.copy()
    for joint, master, multiplier, _ in _relations(mechanism):
        if joint.name not in given:
            followed[:, joint.v] = multiplier * followed[:, master.v]
    return followed


def _relations(mechanism: Mechanism) -> list[tuple[MovingJoint, MovingJoint, float, float]]:
    """Return (follower, master, multiplier, offset), masters before their followers.

    A relation that cannot be followed (no such joint, joints of several coordinates, a ring) is left out; reading
    the model reports it.
    """
    by_name = {joint.name: joint for joint in mechanism.joints}
    waiting = [joint for joint in mechanism.joints if joint.mimic is not None]
    done = {joint.name for joint in mechanism.joints if joint.mimic is None}
    ordered: list[tuple[MovingJoint, MovingJoint, float, float]] = []
    while ready := [joint for joint in waiting if joint.mimic is not None and joint.mimic[0] in done]:
        for joint in ready:
            assert joint.mimic is not None
            name, multiplier, offset = joint.mimic
            if _is_single(joint) and _is_single(by_name[name]):
                ordered.append((joint, by_name[name], multiplier, offset))
            done.add(joint.name)
        waiting = [joint for joint in waiting if joint.name not in done]
    return ordered


def _is_single(joint: MovingJoint) -> bool:
    """Tell whether the joint has exactly one coordinate."""
    return joint.kind in {"revolute", "continuous", "prismatic"}
