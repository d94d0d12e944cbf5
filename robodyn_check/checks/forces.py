"""Forces that a subject may offer in more than one way: what to ask for, and how to put it together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.probing import ask

if TYPE_CHECKING:
    from robodyn_check.checks.context import ProbeContext
    from robodyn_check.checks.judging import FloatArray, Given
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.requests import Request
    from robodyn_check.states import StateBatch


def bias_probes(context: ProbeContext, batch: StateBatch) -> dict[str, Request]:
    """Ask for the bias force, or for its two parts where the subject offers only these."""
    if "bias_force" in context.subject.quantities or "coriolis_force" not in context.subject.quantities:
        return {"bias_force": ask("bias_force", batch)}
    return {
        "coriolis_force": ask("coriolis_force", batch),
        "gravity_vector": ask("gravity_vector", batch),
    }


def bias_of(given: Given) -> FloatArray:
    """Return h = C v + g from the answers to `bias_probes`, (N, nv)."""
    return given["bias_force"] if "bias_force" in given else given["coriolis_force"] + given["gravity_vector"]


def velocity_probes(context: ProbeContext, batch: StateBatch) -> dict[str, Request]:
    """Ask for the velocity-product force C v: itself, else h and g, else the matrix."""
    offered = context.subject.quantities
    if "coriolis_force" in offered:
        return {"coriolis_force": ask("coriolis_force", batch)}
    if {"bias_force", "gravity_vector"} <= offered:
        return {"bias_force": ask("bias_force", batch), "gravity_vector": ask("gravity_vector", batch)}
    return {"coriolis_matrix": ask("coriolis_matrix", batch)}


def velocity_force_of(given: Given, v: FloatArray) -> FloatArray:
    """Return C v from the answers to `velocity_probes`, (N, nv)."""
    if "coriolis_force" in given:
        return given["coriolis_force"]
    if "bias_force" in given:
        return given["bias_force"] - given["gravity_vector"]
    return times(given["coriolis_matrix"], v)


def times(matrix: FloatArray, vector: FloatArray) -> FloatArray:
    """Return matrix times vector, state by state: (N, i, j), (N, j) -> (N, i)."""
    product: FloatArray = np.einsum("nij,nj->ni", matrix, vector)
    return product


def dot(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return the scalar product of each state: (N, i), (N, i) -> (N,)."""
    product: FloatArray = np.einsum("ni,ni->n", left, right)
    return product


def bracket(mechanism: Mechanism, v: FloatArray, w: FloatArray) -> FloatArray:
    """Return [v, w], (N, nv): how the velocity directions of ball and floating joints fail to commute.

    ω_v × ω_w for a ball joint, the spatial motion cross product for a floating one, 0 for all others, whose velocities
    are derivatives of coordinates.
    """
    result = np.zeros_like(v)
    for joint in mechanism.joints:
        if joint.kind == "ball":
            result[:, joint.v] = np.cross(v[:, joint.v], w[:, joint.v])
        elif joint.kind == "floating":
            linear, angular = slice(joint.v.start, joint.v.start + 3), slice(joint.v.start + 3, joint.v.stop)
            result[:, angular] = np.cross(v[:, angular], w[:, angular])
            result[:, linear] = np.cross(v[:, angular], w[:, linear]) + np.cross(v[:, linear], w[:, angular])
    return result


def coadjoint(mechanism: Mechanism, v: FloatArray, momentum: FloatArray) -> FloatArray:
    """Return what the equations of motion add because body axes turn (Boltzmann and Hamel), (N, nv).

    With P = M v: ω × P for a ball joint; for a floating one ω × P_linear and
    ω × P_angular + v × P_linear.
    """
    result = np.zeros_like(v)
    for joint in mechanism.joints:
        if joint.kind == "ball":
            result[:, joint.v] = np.cross(v[:, joint.v], momentum[:, joint.v])
        elif joint.kind == "floating":
            linear, angular = slice(joint.v.start, joint.v.start + 3), slice(joint.v.start + 3, joint.v.stop)
            result[:, linear] = np.cross(v[:, angular], momentum[:, linear])
            result[:, angular] = np.cross(v[:, angular], momentum[:, angular])
            result[:, angular] += np.cross(v[:, linear], momentum[:, linear])
    return result
