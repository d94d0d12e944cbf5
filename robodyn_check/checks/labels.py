"""Names for the indices of a quantity: joints, links, parameters, axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.quantities import QUANTITIES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from robodyn_check.model.mechanism import Mechanism

    Labels = Callable[[tuple[int, ...]], tuple[str, ...]]

#: The ten inertial parameters of a link, in canonical order (the centre of mass times the mass; about the link frame).
PARAMETERS = ("m", "mx", "my", "mz", "xx", "xy", "xz", "yy", "yz", "zz")
_AXES: dict[str, tuple[str, ...]] = {
    "3": ("x", "y", "z"),
    "4": ("x axis", "y axis", "z axis", "translation"),
    "6": ("linear x", "linear y", "linear z", "angular x", "angular y", "angular z"),
}


def axis_names(mechanism: Mechanism, axis: str) -> tuple[str, ...]:
    """Return the names along one axis of a shape of `quantities` ("nv", "nl", "10*nl", "3", "4", "6")."""
    if axis == "nv":
        return mechanism.dof_names
    if axis == "nl":
        return mechanism.links
    if axis == "10*nl":
        return tuple(f"{link}.{parameter}" for link in mechanism.links for parameter in PARAMETERS)
    return _AXES[axis]


def labels_of(mechanism: Mechanism, quantity: str) -> Labels:
    """Return the function from an index into one state's value of a quantity to names."""
    return labels_along(*(axis_names(mechanism, axis) for axis in QUANTITIES[quantity].shape))


def labels_along(*names: Sequence[str]) -> Labels:
    """Return the function from an index to one name per axis."""
    return lambda index: tuple(axis[i] for axis, i in zip(names, index, strict=True))
