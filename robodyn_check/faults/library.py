"""Every fault that can be planted in a library, by family; tests and the exam use the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.faults import in_answers, in_coordinates, in_gravity, in_inertials, in_motion, in_velocity

if TYPE_CHECKING:
    from robodyn_check.faults.fault import LibraryFault

#: All faults, in the order of the exam's table.
LIBRARY_FAULTS: tuple[LibraryFault, ...] = (
    *in_gravity.FAULTS,
    *in_inertials.FAULTS,
    *in_coordinates.FAULTS,
    *in_velocity.FAULTS,
    *in_motion.FAULTS,
    *in_answers.FAULTS,
)


def library_fault(name: str) -> LibraryFault:
    """Return a fault by its name.

    Raises:
        KeyError: No such fault.
    """
    return {fault.name: fault for fault in LIBRARY_FAULTS}[name]
