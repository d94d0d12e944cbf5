"""Inertia over many poses: ranges, what each joint feels, coupling, conditioning, and what rotors change.

M_links = M - diag(armature) is what the links make; behind gears a rotor adds N² J to its diagonal, so
λmin(M_links + diag(N² J)) ≥ min N² J whatever the pose: geared robots are well-conditioned by their rotors.

Source: Siciliano et al. (2009), section 7.1.1, for reflected inertia; Featherstone (2008), section 9.6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.analysis.results import Conditioning, JointInertia
from robodyn_check.reference.engine import evaluate_many
from robodyn_check.tolerance.uniform import uniform_bounds

if TYPE_CHECKING:
    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism

    FloatArray = npt.NDArray[np.float64]

#: cond(M) is one of sizes when scaling to unit diagonal brings it below this share.
_EXPLAINED = 0.01
#: A gravity torque below this share of the largest one is rounding: the joint carries no weight.
_ROUNDING = 1e-13


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drives:
    """What is known of motors, per degree of freedom, NaN where nothing states it: N² J and torque limits, (nv,)."""

    rotor: FloatArray
    limit: FloatArray

    @property
    def has_rotors(self) -> bool:
        """True when at least one rotor is known."""
        return bool(np.isfinite(self.rotor).any())


def with_rotors(mechanism: Mechanism, mass_matrix: FloatArray, drives: Drives) -> FloatArray:
    """Return M with the rotors of the drives in place of the armature that they replace, (N, nv, nv)."""
    armature = np.asarray(mechanism.armature, dtype=float)
    rotor = np.where(np.isfinite(drives.rotor), drives.rotor, armature)
    changed: FloatArray = mass_matrix + np.diag(rotor - armature)
    return changed


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Poses:
    """What is known at N poses: q (N, nq), M (N, nv, nv) with its eigenvalues and eigenvectors, g (N, nv)."""

    q: FloatArray
    mass_matrix: FloatArray
    values: FloatArray
    vectors: FloatArray
    gravity: FloatArray


def at_poses(mechanism: Mechanism, q: FloatArray) -> Poses:
    """Evaluate M, its spectrum, and g."""
    found = evaluate_many(mechanism, ("mass_matrix", "gravity_vector"), q)
    values, vectors = np.linalg.eigh(found["mass_matrix"])
    return Poses(q=q, mass_matrix=found["mass_matrix"], values=values, vectors=vectors, gravity=found["gravity_vector"])


def joint_inertias(mechanism: Mechanism, poses: Poses, drives: Drives) -> tuple[JointInertia, ...]:
    """Return one row per degree of freedom."""
    mass_matrix, gravity = poses.mass_matrix, poses.gravity
    diagonal = np.diagonal(mass_matrix, axis1=1, axis2=2)
    least = np.finfo(float).eps * poses.values[:, -1:]
    felt = 1.0 / np.einsum("nik,nk->ni", poses.vectors**2, 1.0 / np.maximum(poses.values, least))
    heaviest = np.abs(gravity).max(axis=0)
    heaviest[heaviest < _ROUNDING * heaviest.max()] = 0.0
    links = np.median(diagonal, axis=0) - np.asarray(mechanism.armature, dtype=float)
    rows = []
    for k, name in enumerate(mechanism.dof_names):
        rotor = _known(drives.rotor[k])
        rows.append(
            JointInertia(
                name=name,
                least=float(diagonal[:, k].min()),
                most=float(diagonal[:, k].max()),
                felt=float(np.median(felt[:, k])),
                coupling=float(np.median(np.clip(1.0 - felt[:, k] / diagonal[:, k], 0.0, 1.0))),
                rotor=rotor,
                rotor_share=None if rotor is None else float(rotor / max(rotor + links[k], 1e-300)),
                gravity=float(heaviest[k]),
                limit=_known(drives.limit[k]),
            )
        )
    return tuple(rows)


def conditioning(mechanism: Mechanism, poses: Poses, drives: Drives) -> Conditioning:
    """Return the eigenvalues over the poses and what makes the worst condition."""
    q, mass_matrix, values, vectors = poses.q, poses.mass_matrix, poses.values, poses.vectors
    lowest = int(np.argmin(values[:, 0]))
    condition = _condition(values)
    worst = int(np.argmax(condition))
    root = np.sqrt(np.abs(np.diagonal(mass_matrix, axis1=1, axis2=2)))
    scaled = np.linalg.eigvalsh(mass_matrix / root[:, :, None] / root[:, None, :])
    bound = uniform_bounds(mechanism).inertia
    reflected = lower = None
    if drives.has_rotors:
        reflected = float(_condition(np.linalg.eigvalsh(with_rotors(mechanism, mass_matrix, drives))).max())
        lower = float(drives.rotor.min()) if np.isfinite(drives.rotor).all() else None
    return Conditioning(
        largest=float(values[:, -1].max()),
        smallest=float(values[lowest, 0]),
        smallest_pose=tuple(q[lowest].tolist()),
        upper_bound=bound if np.isfinite(bound) else None,
        condition=float(condition[worst]),
        scaled=float(_condition(scaled)[worst]),
        joint=mechanism.dof_names[int(np.argmax(np.abs(vectors[worst, :, 0])))],
        scaling_explains=bool(_condition(scaled)[worst] < _EXPLAINED * condition[worst]),
        reflected=reflected,
        lower_bound=lower,
    )


def _condition(values: npt.NDArray[Any]) -> FloatArray:
    """Return the ratio of the outer eigenvalues, (N,); values ascend."""
    tiny = np.finfo(float).eps * np.abs(values[:, -1])
    ratio: FloatArray = np.abs(values[:, -1]) / np.maximum(values[:, 0], tiny)
    return ratio


def _known(value: float) -> float | None:
    """Return a number, None for NaN."""
    return float(value) if np.isfinite(value) else None
