"""The arms whose numbers are published, in SI units; robots are written with the reference's test helpers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.model.build import build_mechanism
from robodyn_check.reference.chunk import Chunk
from robodyn_check.reference.tree import build_tree
from tests.reference.robots import chain, joint, link, number, robot

if TYPE_CHECKING:
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import Link, RobotModel

#: 1 g·cm² in kg·m² and 1 g·cm²/s² in J.
GRAM_SQUARE_CENTIMETRE = 1e-7
#: The paper arm: masses (kg), lengths (m) and gravity (m/s²).
MASSES, LENGTHS, GRAVITY = (0.020, 0.015), (0.10, 0.08), 9.8
#: The load at its tip, kg.
LOAD = 0.050


def rod(name: str, mass: float, length: float) -> Link:
    """Return a thin uniform rod along x that turns about its end."""
    about = mass * length**2 / 12
    return link(name, mass, (length / 2, 0, 0), (0, about, about))


def planar_arm(*links: Link, length: float, load: float = 0.0, reach: float = 0.0) -> Mechanism:
    """Return a 2R arm in the x-y plane with gravity along -y, the second joint at ``length``, a load at ``reach``."""
    parts = [link("base"), *links, link("tip", load)]
    joints = [
        joint("j1", "continuous", "base", links[0].name, (0, 0, 0), axis=(0, 0, 1)),
        joint("j2", "continuous", links[0].name, links[1].name, (length, 0, 0), axis=(0, 0, 1)),
        joint("mount", "fixed", links[1].name, "tip", (reach, 0, 0)),
    ]
    return build_mechanism(robot(parts, joints), gravity=(0.0, -GRAVITY, 0.0))


def paper_arm(*, load: float = 0.0, as_points: bool = False) -> Mechanism:
    """Return two uniform rods of 20 and 15 g, 10 and 8 cm, optionally shrunk to their centres of mass."""
    made = [
        link(f"l{k}", m, (l / 2, 0, 0)) if as_points else rod(f"l{k}", m, l)
        for k, (m, l) in enumerate(zip(MASSES, LENGTHS, strict=True))
    ]
    return planar_arm(*made, length=LENGTHS[0], load=load, reach=LENGTHS[1])


def unit_arm() -> Mechanism:
    """Return two unit point masses at the ends of two unit lengths."""
    return planar_arm(link("l1", 1.0, (1, 0, 0)), link("l2", 1.0, (1, 0, 0)), length=1.0, reach=1.0)


def six_axis_arm() -> Mechanism:
    """Return the 6R arm as arrays."""
    return build_mechanism(six_axis_robot())


def six_axis_robot(*, rotors: bool = True) -> RobotModel:
    """Return a 6R arm: vertical first axis, parallel second and third, all frames aligned at zero.

    Joint 2 sits off the first axis with a component along its own axis; without it m c_y of link 2 would be a tenth
    column of zeros. Rotors of 3e-5 kg·m² behind gears of 100. Parameters are ours; masses sum to 17.15 kg.
    """
    rotor = number(100.0**2 * 3e-5) if rotors else None
    z, y, x = (0, 0, 1), (0, 1, 0), (1, 0, 0)
    table = [
        (z, (0, 0, 0.10), 4.00, (0.01, -0.02, 0.08), (0.020, 0.018, 0.012)),
        (y, (0.05, 0.06, 0.20), 6.00, (0.02, 0.03, 0.18), (0.110, 0.105, 0.015)),
        (y, (0, 0, 0.42), 3.50, (0.03, -0.02, 0.12), (0.035, 0.033, 0.006)),
        (x, (0.04, 0, 0.20), 2.00, (0.10, 0.01, 0.01), (0.004, 0.010, 0.009)),
        (y, (0.20, 0, 0), 1.25, (0.05, 0.01, -0.01), (0.002, 0.003, 0.003)),
        (x, (0.09, 0, 0), 0.40, (0.03, 0, 0), (2.8e-4, 3.5e-4, 3.5e-4)),
    ]
    links = [link("base"), *(link(f"l{k}", m, c, i) for k, (_, _, m, c, i) in enumerate(table, start=1))]
    joints = [
        joint(f"j{k}", "continuous", links[k - 1].name, links[k].name, xyz, axis=axis, armature=rotor)
        for k, (axis, xyz, *_) in enumerate(table, start=1)
    ]
    return robot(links, joints)


def sliding_arm() -> Mechanism:
    """Return an arm that turns about z and slides along its own x: 2 kg at the slide's end."""
    return chain(
        ("revolute", (0, 0, 1), (0, 0, 0), link("l1")),
        ("prismatic", (1, 0, 0), (0, 0, 0), link("l2", 2.0)),
    )


def at(mechanism: Mechanism, *q: float, v: tuple[float, ...] | None = None) -> Chunk:
    """Return the reference at one state, degrees of freedom in file order; gravity is the mechanism's."""
    still = np.zeros((mechanism.nv, 1))
    speed = still if v is None else np.array(v)[:, None]
    return Chunk(build_tree(mechanism), np.array(q)[:, None], speed, still, still, gravity=mechanism.gravity)
