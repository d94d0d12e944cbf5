"""Following a motion inside the library's own process: hundreds of questions that need not cross the wire.

The motion is told, and its ends are given, in canonical coordinates; `conventions` converts every stage, as the harness
does for single questions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.motion import Springs, follow, motions_of, places
from robodyn_check.sdk.conventions import Conventions
from robodyn_check.sdk.each_state import Told, each_state
from robodyn_check.sdk.protocol import RowFailure

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.motion import Place
    from robodyn_check.sdk.adapter import Adapter
    from robodyn_check.sdk.canonical import Canonical
    from robodyn_check.sdk.layout import Layout

    FloatArray = npt.NDArray[np.float64]


def places_of(canonical: Canonical) -> tuple[Place, ...]:
    """Return where the joints stand in canonical q and v."""
    return places((joint.kind, joint.q, joint.nq, joint.v, joint.nv) for joint in canonical.joints)


def move(
    adapter: Adapter,
    layout: Layout,
    canonical: Canonical,
    *,
    start: tuple[FloatArray, FloatArray],
    stiffness: FloatArray,
    damping: FloatArray,
) -> Told:
    """Integrate the adapter's forward dynamics from (q, v), canonical, one motion a row.

    Returns:
        The ends, (N, steps, nq + nv + 1), as `motion.questions` returns them; a motion with a stage that the library
        could not answer has NaN and the library's words.

    Raises:
        LayoutMismatch: The library's joints are not those of the robot.
    """
    conventions = Conventions(layout, canonical)
    forward_dynamics = adapter.forward_dynamics  # type: ignore[attr-defined]
    count = len(start[0])
    failed: dict[str, set[int]] = {}
    seconds = 0.0

    def accelerate(q: FloatArray, v: FloatArray, tau: FloatArray) -> FloatArray:
        nonlocal seconds
        given = {"q": q, "v": v, "tau": tau}
        own = conventions.inputs(given)
        told = each_state(forward_dynamics, "forward_dynamics", [own[name] for name in given], (layout.nv,))
        seconds += told.seconds
        for failure in told.failures:
            failed.setdefault(failure.message, set()).update(motions_of(failure.rows, len(q), count))
        return conventions.answer("forward_dynamics", told.values, given)

    springs = Springs(joints=places_of(canonical), stiffness=stiffness, damping=damping)
    ends = follow(springs, *start, accelerate)
    for rows in failed.values():
        ends[sorted(rows)] = np.nan
    failures = tuple(RowFailure(rows=tuple(sorted(rows)), message=message) for message, rows in failed.items())
    return Told(values=ends, failures=failures, modified=(), seconds=seconds)
