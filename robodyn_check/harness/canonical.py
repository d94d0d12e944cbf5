"""From the mechanism to what `sdk.conventions` must know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.sdk.canonical import Canonical, CanonicalJoint, CanonicalLink
from robodyn_check.sdk.readback import matrix, vector

if TYPE_CHECKING:
    from robodyn_check.model.mechanism import Mechanism


def canonical_of(mechanism: Mechanism) -> Canonical:
    """Return joints and links in file order, with each link's placement in the body that carries it."""
    joints = tuple(
        CanonicalJoint(
            name=joint.name,
            kind=joint.kind,
            q=joint.q.start,
            v=joint.v.start,
            axis=vector(mechanism.axis[:, joint.body]) if joint.kind == "planar" else None,
            mimic=None if joint.mimic is None else (joint.mimic[0], joint.mimic[1]),
        )
        for joint in mechanism.joints
    )
    links = tuple(
        CanonicalLink(
            name=name,
            joint=None if body < 0 else mechanism.joints[mechanism.body_joint[body]].name,
            rotation=matrix(mechanism.link_R[:, :, number]),
            translation=vector(mechanism.link_p[:, number]),
        )
        for number, (name, body) in enumerate(zip(mechanism.links, mechanism.link_body, strict=True))
    )
    return Canonical(joints=joints, links=links)
