"""Recognising a regressor whose columns mean something else: another order, inertia about another point."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism

    FloatArray = npt.NDArray[np.float64]

#: Orders of the six moments seen in libraries and papers, as places of canonical xx xy xz yy yz zz.
MOMENT_ORDERS: dict[str, tuple[int, ...]] = {
    "xx xy xz yy yz zz": (0, 1, 2, 3, 4, 5),
    "xx xy yy xz yz zz": (0, 1, 3, 2, 4, 5),
    "xx yy zz xy xz yz": (0, 3, 5, 1, 2, 4),
    "xx yy zz xy yz xz": (0, 3, 5, 1, 4, 2),
    "xx yy zz yz xz xy": (0, 3, 5, 4, 2, 1),
}
#: Orders of the three groups within a link's ten.
_GROUPS = {"m, m c, I": "mci", "I, m c, m": "icm", "I, m, m c": "imc"}
_ABOUT = ("link frame", "centre of mass")


def recognised(regressor: FloatArray, torque: FloatArray, allowed: FloatArray, mechanism: Mechanism) -> str | None:
    """Return the convention under which Y pi is the torque, None when it is none of those known (or the canonical one).

    Args:
        regressor: Y, (N, nv, 10 nl).
        torque: What Y pi should be, (N, nv), without armature.
        allowed: How far it may be off, (N, nv).
        mechanism: Its links are the pi.
    """
    finite = np.isfinite(regressor).all(axis=(1, 2)) & np.isfinite(torque).all(axis=1)
    if not finite.any():
        return None
    for about, (groups, order), (moments, places) in product(_ABOUT, _GROUPS.items(), MOMENT_ORDERS.items()):
        if (about, groups, moments) == ("link frame", "m, m c, I", "xx xy xz yy yz zz"):
            continue
        found = regressor[finite] @ _parameters(mechanism, about=about, groups=order, moments=places)
        if np.all(np.abs(found - torque[finite]) <= allowed[finite]):
            return f"{groups} with I as {moments} about the {about}"
    return None


def _parameters(mechanism: Mechanism, *, about: str, groups: str, moments: tuple[int, ...]) -> FloatArray:
    """Return pi in a convention, (10 nl,)."""
    mass = np.asarray(mechanism.link_mass, dtype=float)
    com = np.asarray(mechanism.link_com, dtype=float)
    inertia = np.asarray(mechanism.link_inertia, dtype=float)
    if about == "link frame":
        square = np.einsum("kl,kl->l", com, com)
        inertia = inertia + mass * (np.eye(3)[:, :, None] * square - com[:, None, :] * com[None, :, :])
    six = np.stack([inertia[i, j] for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))])[list(moments)]
    parts = {"m": mass[None], "c": mass * com, "i": six}
    return np.concatenate([parts[group] for group in groups]).T.reshape(-1)
