"""Digits kept: the sharper figure that is never a verdict.

A bound must be kind to a library that works in the world frame, so it grows with the distance from the base. A user
may still want to know how careful a library is: the error is compared with the *local* scale, reaches measured from
each joint as a body-frame recursion sees them. Nothing fails by it; right libraries differ by up to five digits on a
small link far from the base.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from robodyn_check.tolerance.paths import FloatArray
    from robodyn_check.tolerance.sizes import Scales

#: A local scale below this share of the full one is what rounding left of a difference: 64 eps.
CANCELLED = 2.0**-46
#: All digits of a double: -log10 eps.
ALL_DIGITS = 15.65


def local_scale(
    quantity: str, scales: Scales, *, answer: FloatArray | None = None, tau: FloatArray | None = None
) -> FloatArray:
    """Return the local scale of a quantity, shaped like its answer.

    Reaches from the joint are differences of path lengths. Where these cancel (an entry that is zero by geometry, such
    as a link's lever about its own joint) there are no digits to keep, and the scale is 0.

    Args:
        quantity: A name of `robodyn_check.quantities.QUANTITIES`.
        scales: Of the states that were asked.
        answer: The acceleration, (N, nv); forward dynamics only.
        tau: Its generalised forces, (N, nv); forward dynamics only.
    """
    near = scales.local()
    if answer is not None and tau is not None:
        return near.forward_dynamics(answer, tau)
    full: FloatArray = getattr(scales, quantity)
    local: FloatArray = getattr(near, quantity)
    return np.where(local > CANCELLED * full, local, 0.0)


def digits_kept(error: FloatArray, scale: FloatArray) -> float:
    """Return -log10 of the largest |error| / scale, within 0 and `ALL_DIGITS`; entries without a scale are left out."""
    usable = (scale > 0.0) & np.isfinite(scale)
    share = np.abs(error[usable]) / scale[usable]
    if not np.isfinite(share).all():
        return 0.0
    worst = float(share.max(initial=0.0))
    return ALL_DIGITS if worst == 0.0 else float(np.clip(-np.log10(worst), 0.0, ALL_DIGITS))
