"""What a joint under the base would carry, and the block of the mass matrix that it leaves as it is.

With one more joint at the base, M' = [[m, bᵀ], [b, M]]: the robot's own M stands in its lower right corner, at every
angle of the new joint, because M is seen from the joints themselves. The new entry m is what a turntable, a turning
column or a seventh axis has to turn.

Source: Featherstone (2008), section 6.2: M_ij depends on what hangs below i and j alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.analysis.results import Turntable
from robodyn_check.model.turntable import on_turntable
from robodyn_check.reference.engine import evaluate
from robodyn_check.states import StateBatch
from robodyn_check.tolerance import scales

if TYPE_CHECKING:
    from robodyn_check.analysis.inertia import Poses
    from robodyn_check.model.mechanism import Mechanism

_EPS = float(np.finfo(float).eps)
#: Poses that are looked at.
_POSES = 50


def turntable(mechanism: Mechanism, poses: Poses) -> Turntable:
    """Put the robot on a turntable, which stands at another angle at each pose.

    Args:
        mechanism: With a fixed base.
        poses: Where M is known.
    """
    carried = on_turntable(mechanism)
    q, own = poses.q[:_POSES], poses.mass_matrix[:_POSES]
    angle = np.linspace(-np.pi, np.pi, len(q))[:, None]
    states = np.concatenate([angle, q], axis=1)
    still = np.zeros((len(q), carried.nv))
    M = evaluate(carried, "mass_matrix", states)  # noqa: N806 - the equation's letter
    size = scales(carried, StateBatch(q=states, v=still, a=still, tau=still)).mass_matrix[:, 1:, 1:]
    gap = np.abs(M[:, 1:, 1:] - own)
    changed = np.divide(gap, _EPS * size, out=np.zeros_like(gap), where=gap > 0)
    return Turntable(least=float(M[:, 0, 0].min()), most=float(M[:, 0, 0].max()), changed=float(changed.max()))
