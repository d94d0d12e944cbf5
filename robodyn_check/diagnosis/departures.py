"""Which of the joints that are written departs from the file, the first one from the base on.

Bodies hide this: a fixed joint that stands elsewhere takes everything behind it along. So placements are compared as
the file writes them, of each joint in the frame of its parent link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.errors import RobodynCheckError
from robodyn_check.faults.file_faults import reversed_rpy
from robodyn_check.model.build import build_mechanism

if TYPE_CHECKING:
    from robodyn_check.faults.fault import FloatArray, Scene
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import Joint

    Placement = tuple[FloatArray, FloatArray]

#: Rotations, and lengths in units of the robot's size, that differ by less are the same.
_SAME = 1e-8
_TURNS, _SHIFTS = ("R_tree", "link_R"), ("p_tree", "link_p")


def departed_joints(scene: Scene, held: Mechanism, size: float) -> tuple[Joint, ...]:
    """Return the joints, fixed ones included, whose placement or axis another mechanism holds otherwise, in file order.

    Args:
        scene: The robot as written, and in numbers.
        held: The same robot with other placements.
        size: Length beside which placements are compared, m.
    """
    return tuple(joint for joint in scene.robot.joints if _departs(scene.mechanism, held, joint, size))


def rpy_reversed(scene: Scene, held: Mechanism, joints: tuple[Joint, ...], size: float) -> bool:
    """Tell whether all these joints are where their rpy puts them when it is read in the order z, y, x."""
    turned = scene.robot
    for joint in joints:
        if not joint.placements or joint.placements[0].rotation is None or joint.placements[0].rotation.kind != "rpy":
            return False
        turned = reversed_rpy(turned, joint.name)
    try:
        wrong = build_mechanism(turned, base=scene.base)
    except RobodynCheckError:
        return False
    turned_alike, placed_alike = (
        all(np.allclose(getattr(wrong, name), getattr(held, name), rtol=0, atol=limit) for name in names)
        for names, limit in ((_TURNS, _SAME), (_SHIFTS, _SAME * size))
    )
    anything = any(
        not np.allclose(getattr(wrong, name), getattr(scene.mechanism, name), rtol=0, atol=_SAME) for name in _TURNS
    )
    return turned_alike and placed_alike and anything


def _departs(mechanism: Mechanism, held: Mechanism, joint: Joint, size: float) -> bool:
    moving = next((one for one in mechanism.joints if one.name == joint.name), None)
    if moving is not None and np.abs(held.axis[:, moving.body] - mechanism.axis[:, moving.body]).max() > _SAME:
        return True
    (true_turn, true_shift), (turn, shift) = (
        _placement(one, joint, None if moving is None else moving.body) for one in (mechanism, held)
    )
    return bool(np.abs(turn - true_turn).max() > _SAME or np.abs(shift - true_shift).max() > _SAME * size)


def _placement(mechanism: Mechanism, joint: Joint, body: int | None) -> Placement:
    """Return where a joint's frame before motion stands in its parent link's frame."""
    outer = _link(mechanism, joint.parent)
    inner = _link(mechanism, joint.child) if body is None else _tree(mechanism, body)
    if body is not None and joint.parent == joint.child:
        return inner
    return outer[0].T @ inner[0], outer[0].T @ (inner[1] - outer[1])


def _link(mechanism: Mechanism, name: str | None) -> Placement:
    if name is None or name not in mechanism.links:
        return np.eye(3), np.zeros(3)
    number = mechanism.links.index(name)
    return np.asarray(mechanism.link_R[:, :, number]), np.asarray(mechanism.link_p[:, number])


def _tree(mechanism: Mechanism, body: int) -> Placement:
    return np.asarray(mechanism.R_tree[:, :, body]), np.asarray(mechanism.p_tree[:, body])
