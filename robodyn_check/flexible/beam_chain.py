"""A beam as a chain of rigid segments with springs: how libraries without elastic links are held to the beam.

n equal segments, each a uniform thin rod, with hinges about z between them. The spring between two segments stands for
the bending of the two half segments beside it, EI n / L; the one at the root bends only half a segment, 2 EI n / L.
Frequencies then converge to those of the beam like 1/n².

Springs are no part of URDF, so the URDF carries the chain and the harness applies K q; MJCF carries both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.flexible.beams import Beam

    FloatArray = npt.NDArray[np.float64]

#: A rod has no inertia about its own axis; this part of the transverse one keeps loaders content and does not enter a
#: planar motion about z.
AXIAL_SHARE = 1e-3


def spring_stiffnesses(beam: Beam, segments: int) -> FloatArray:
    """Stiffness of each hinge from the root on, N m/rad, (segments,)."""
    stiffness = np.full(segments, beam.bending_stiffness * segments / beam.length)
    stiffness[0] *= 2.0
    return stiffness


def chain_urdf(beam: Beam, segments: int) -> str:
    """Write the chain as URDF: ``segment_k`` along x, hinges ``bend_k`` about z, a massless root ``hub``."""
    step, mass, axial, transverse = _segment(beam, segments)
    lines = ['<robot name="beam_chain">', '  <link name="hub"/>']
    for k in range(segments):
        lines += [
            f'  <link name="segment_{k}">',
            "    <inertial>",
            f'      <origin xyz="{step / 2!r} 0 0"/>',
            f'      <mass value="{mass!r}"/>',
            f'      <inertia ixx="{axial!r}" ixy="0" ixz="0" iyy="{transverse!r}" iyz="0" izz="{transverse!r}"/>',
            "    </inertial>",
            "  </link>",
            f'  <joint name="bend_{k}" type="continuous">',
            f'    <origin xyz="{0.0 if k == 0 else step!r} 0 0"/>',
            f'    <parent link="{"hub" if k == 0 else f"segment_{k - 1}"}"/>',
            f'    <child link="segment_{k}"/>',
            '    <axis xyz="0 0 1"/>',
            "  </joint>",
        ]
    return "\n".join([*lines, "</robot>", ""])


def chain_mjcf(beam: Beam, segments: int) -> str:
    """Write the chain as MJCF with its springs, gravity off."""
    step, mass, axial, transverse = _segment(beam, segments)
    diagonal = f"{axial!r} {transverse!r} {transverse!r}"
    lines = ['<mujoco model="beam_chain">', '  <option gravity="0 0 0"/>', "  <worldbody>"]
    for k, stiffness in enumerate(spring_stiffnesses(beam, segments).tolist()):
        pad = "  " * (k + 2)
        lines += [
            f'{pad}<body name="segment_{k}" pos="{0.0 if k == 0 else step!r} 0 0">',
            f'{pad}  <inertial pos="{step / 2!r} 0 0" mass="{mass!r}" diaginertia="{diagonal}"/>',
            f'{pad}  <joint name="bend_{k}" axis="0 0 1" stiffness="{stiffness!r}"/>',
        ]
    lines += [f"{'  ' * (k + 2)}</body>" for k in reversed(range(segments))]
    return "\n".join([*lines, "  </worldbody>", "</mujoco>", ""])


def _segment(beam: Beam, segments: int) -> tuple[float, float, float, float]:
    """Length, mass, axial and transverse inertia of one segment."""
    step = beam.length / segments
    mass = beam.linear_density * step
    transverse = mass * step**2 / 12.0
    return step, mass, AXIAL_SHARE * transverse, transverse
