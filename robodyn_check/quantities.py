"""The vocabulary: the quantities a subject can compute, their inputs and shapes.

Plain Python, no imports of the project: the reference, the checks, the SDK and every adapter speak these names
(glossary in the design page, section 1 and 5). Shapes use nq, nv, nl (links), all in canonical coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Input = Literal["q", "v", "a", "tau"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """One named quantity: what it needs, the shape of one state's value, its unit and its equation."""

    name: str
    symbol: str
    inputs: tuple[Input, ...]
    shape: tuple[str, ...]
    unit: str
    meaning: str


QUANTITIES: dict[str, Quantity] = {
    quantity.name: quantity
    for quantity in (
        Quantity(
            name="link_poses",
            symbol="T",
            inputs=("q",),
            shape=("nl", "3", "4"),
            unit="m",
            meaning="world from link, [R | p]",
        ),
        Quantity(
            name="link_jacobians",
            symbol="J",
            inputs=("q",),
            shape=("nl", "6", "nv"),
            unit="m, 1",
            meaning="of each link's origin, world axes, rows [linear; angular]",
        ),
        Quantity(
            name="mass_matrix",
            symbol="M",
            inputs=("q",),
            shape=("nv", "nv"),
            unit="kg m²",
            meaning="armature included",
        ),
        Quantity(
            name="coriolis_matrix",
            symbol="C",
            inputs=("q", "v"),
            shape=("nv", "nv"),
            unit="kg m²/s",
            meaning="a factorisation with C v = coriolis force",
        ),
        Quantity(
            name="coriolis_force",
            symbol="C v",
            inputs=("q", "v"),
            shape=("nv",),
            unit="N m",
            meaning="velocity-product force, left-hand side",
        ),
        Quantity(
            name="bias_force",
            symbol="h",
            inputs=("q", "v"),
            shape=("nv",),
            unit="N m",
            meaning="C v + g",
        ),
        Quantity(
            name="gravity_vector",
            symbol="g",
            inputs=("q",),
            shape=("nv",),
            unit="N m",
            meaning="left-hand side: M a + C v + g = tau",
        ),
        Quantity(
            name="inverse_dynamics",
            symbol="ID",
            inputs=("q", "v", "a"),
            shape=("nv",),
            unit="N m",
            meaning="tau = M a + C v + g, smooth rigid-body part only",
        ),
        Quantity(
            name="forward_dynamics",
            symbol="FD",
            inputs=("q", "v", "tau"),
            shape=("nv",),
            unit="rad/s²",
            meaning="a = M⁻¹ (tau - h), smooth rigid-body part only",
        ),
        Quantity(
            name="joint_torque_regressor",
            symbol="Y",
            inputs=("q", "v", "a"),
            shape=("nv", "10*nl"),
            unit="mixed",
            meaning="tau = Y pi + diag(armature) a; per link m, m c, I about the link frame: xx xy xz yy yz zz",
        ),
        Quantity(
            name="kinetic_energy",
            symbol="K",
            inputs=("q", "v"),
            shape=(),
            unit="J",
            meaning="½ vᵀ M v, armature included",
        ),
        Quantity(
            name="potential_energy",
            symbol="V",
            inputs=("q",),
            shape=(),
            unit="J",
            meaning="-Σ m gravity·c over all links",
        ),
    )
}

#: Machine epsilon by a library's declared precision.
EPSILON: dict[str, float] = {"double": 2.0**-52, "single": 2.0**-23}
#: Default gravity, m/s², the default of Pinocchio, MuJoCo and Drake for URDF.
STANDARD_GRAVITY: tuple[float, float, float] = (0.0, 0.0, -9.81)
#: The name of the floating base's joint in canonical coordinates.
FLOATING_BASE = "floating_base"


def not_offered(subject: str, quantity: str) -> str:
    """Return the sentence with which a quantity that a subject does not compute is skipped, the same everywhere."""
    return f"{subject} does not offer {quantity}"
