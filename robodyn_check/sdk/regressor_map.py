"""Columns of a library's joint-torque regressor, as canonical columns: every link in file order, ten each.

tau = Y pi, with pi per link (m, m c, I about the link frame's origin: xx xy xz yy yz zz). A body's parameters are
the sum over its links of X pi_link with a constant 10×10 matrix X of the link's placement, so Y_link = Y_body X
(Siciliano et al., Robotics, 2009, section 7.2, the parallel-axis rule written for moments about the frame's origin).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.sdk.velocity_map import LayoutMismatch

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.sdk.canonical import Canonical, CanonicalLink
    from robodyn_check.sdk.layout import RegressorLayout

    FloatArray = npt.NDArray[np.float64]

#: Canonical order of the ten parameters.
ORDER = ("m", "mx", "my", "mz", "xx", "xy", "xz", "yy", "yz", "zz")
#: Where the six numbers xx xy xz yy yz zz stand in a symmetric matrix, and where they come from.
_UPPER = np.triu_indices(3)
_MATRIX = np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]])


def parameter_transform(rotation: FloatArray, translation: FloatArray) -> FloatArray:
    """Return X (10, 10): parameters about a body's frame from those about a link's frame placed in it.

    Args:
        rotation: Body from link axes, (3, 3).
        translation: Origin of the link frame in the body frame, (3,) m.
    """
    units = np.eye(10)  # one row for each parameter
    mass, inertia, one = units[:, 0, None], units[:, 4:][:, _MATRIX], np.eye(3)
    turned = units[:, 1:4] @ rotation.T
    # ∫ (|x|² 1 - x xᵀ) dm with x = p + R y
    mixed = turned[:, :, None] * translation
    about_body = (
        rotation @ inertia @ rotation.T
        + mass[:, :, None] * (translation @ translation * one - np.outer(translation, translation))
        + 2 * (turned @ translation)[:, None, None] * one
        - mixed
        - mixed.transpose(0, 2, 1)
    )
    return np.concatenate([mass, turned + mass * translation, about_body[:, *_UPPER]], axis=1).T


def canonical_columns(Y: FloatArray, layout: RegressorLayout, canonical: Canonical) -> FloatArray:  # noqa: N803
    """Return Y (N, nv, 10 nl) in canonical columns of a library's Y (N, nv, 10 k).

    Raises:
        LayoutMismatch: A link has no column block in the library, or the parameter order is not one.
    """
    out = np.zeros((*Y.shape[:2], 10 * len(canonical.links)))
    for number, columns, transform in _plan(layout, canonical):
        block = Y[:, :, columns]
        out[:, :, 10 * number : 10 * number + 10] = block if transform is None else block @ transform
    return out


@lru_cache(maxsize=16)
def _plan(layout: RegressorLayout, canonical: Canonical) -> tuple[tuple[int, list[int], FloatArray | None], ...]:
    """Return for each moving link its number, the library's columns for it, and X (None: the identity)."""
    if sorted(layout.order) != sorted(ORDER):
        message = f"the regressor's parameter order must name each of {' '.join(ORDER)} once, got {layout.order}"
        raise LayoutMismatch(message)
    within = [layout.order.index(name) for name in ORDER]
    blocks = {name: 10 * number for number, name in enumerate(layout.bodies)}
    plan = []
    for number, link in enumerate(canonical.links):
        if link.joint is not None:  # of what is welded to the world no parameter enters tau
            owner, transform = _columns_of(link, layout, canonical)
            plan.append((number, [blocks[owner] + k for k in within], transform))
    return tuple(plan)


def _columns_of(link: CanonicalLink, layout: RegressorLayout, canonical: Canonical) -> tuple[str, FloatArray | None]:
    """Return whose columns a link's parameters enter, and X from its parameters to the owner's (None: the identity).

    Of a library that keeps columns by links and merged this one away, those of another link on the same body serve.

    Raises:
        LayoutMismatch: No link or joint of the link's body has columns.
    """
    placement = np.array(link.rotation), np.array(link.translation)
    if layout.frame == "joint" and link.joint in layout.bodies:
        return str(link.joint), parameter_transform(*placement)
    if layout.frame == "link":
        if link.name in layout.bodies:
            return link.name, None
        for other in canonical.links:
            if other.joint == link.joint and other.name in layout.bodies:
                to_owner = np.array(other.rotation).T
                return other.name, parameter_transform(
                    to_owner @ placement[0], to_owner @ (placement[1] - np.array(other.translation))
                )
    owner = link.joint if layout.frame == "joint" else link.name
    message = f"the library's regressor has no columns for {layout.frame} {owner!r} (it has {layout.bodies})"
    raise LayoutMismatch(message)
