"""The second derivation: everything from the kinetic and potential energy of 4×4 placements, in balls.

A link with placement T(q) and pseudo-inertia J = [[Σ, m c], [m cᵀ, m]], Σ = ∫ r rᵀ dm = ½ tr(I) 1 - I, has

    K = ½ tr(Ṫ J Ṫᵀ),   V = -γᵀ (T J)_4,   with (·)_4 the upper three entries of the fourth column.

With U_j = E_j T (the derivative along velocity coordinate j) and U̇_j = d/dt U_j, Lagrange's equations are, summed over
the links,

    M_ij = tr(U_i J U_jᵀ)                     C_ij = tr(U̇_j J U_iᵀ)            g_i = -γᵀ (U_i J)_4
    tau  = tr((Σ_j U_j a_j + U̇_j v_j) J U_iᵀ) + g_i,   linear in the entries of J: the regressor.

The armature of a joint adds the energy of its own motion Q in the same way (`_add_armature`).

C is Christoffel's: the matrices T with the metric tr(· J ·ᵀ) are flat, so Σ_k v_k tr(E_k E_j T J U_iᵀ) is the
Levi-Civita connection of the robot's configuration space in the frame E; in coordinates these are the symbols of the
first kind.

Only the parsed robot is shared with the reference engine: no mechanism, no merging, no parallel-axis rule, no spatial
vectors.

Sources: J. J. Uicker (1965), the 4×4 formulation (R. Paul, Robot Manipulators (1981), chapter 6; from memory); the
connection: M. do Carmo, Riemannian Geometry (1992), section 6.2 (from memory). Derived again here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import flint
import numpy as np

from robodyn_check.certify import placements as place
from robodyn_check.certify.exact import exact_number
from robodyn_check.certify.joint_motion import JointMotion, joint_motion
from robodyn_check.errors import EvaluationError
from robodyn_check.model.mechanism import JOINT_SIZES
from robodyn_check.model.robot import Joint
from robodyn_check.quantities import FLOATING_BASE, STANDARD_GRAVITY

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from robodyn_check.model.robot import Inertial, RobotModel

    Array = npt.NDArray[Any]

#: per parameter of a link, in canonical order: tau_i = Σ weight · B_ab over these entries, B = X̃ᵀ U_i
_HALF = flint.arb(flint.fmpq(1, 2))
_PARAMETERS: tuple[tuple[tuple[int, int, Any], ...], ...] = (
    ((3, 3, 1),),
    ((0, 3, 1), (3, 0, 1)),
    ((1, 3, 1), (3, 1, 1)),
    ((2, 3, 1), (3, 2, 1)),
    ((0, 0, -_HALF), (1, 1, _HALF), (2, 2, _HALF)),
    ((0, 1, -1), (1, 0, -1)),
    ((0, 2, -1), (2, 0, -1)),
    ((0, 0, _HALF), (1, 1, -_HALF), (2, 2, _HALF)),
    ((1, 2, -1), (2, 1, -1)),
    ((0, 0, _HALF), (1, 1, _HALF), (2, 2, -_HALF)),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Moving:
    """A link at one state: T, Ṫ, and per velocity coordinate on its path U_j and U̇_j."""

    T: Any
    rate: Any
    dofs: tuple[int, ...]
    U: tuple[Any, ...]
    U_rate: tuple[Any, ...]


def energies(
    robot: RobotModel,
    *,
    base: Literal["fixed", "floating"],
    gravity: Sequence[float] | None,
    q: Array,
    v: Array,
    a: Array,
    tau: Array,
) -> dict[str, Array]:
    """Return every quantity at one state, canonical coordinates, object arrays of balls.

    Args:
        robot: The robot as its file states it.
        base: As in `build_mechanism`.
        gravity: m/s², world axes; None: the file's or the standard one.
        q: (nq,) balls.
        v: (nv,) balls.
        a: (nv,) balls.
        tau: (nv,) balls.

    Returns:
        The quantities of `QUANTITIES`; "forward_dynamics" is missing where M is not proven regular at this precision.
    """
    joints = _joints(robot, base)
    pull = _gravity(robot, gravity)
    joined = _joined(joints, q, v)
    links = _walk(robot, joined, v)
    nv = len(v)
    M, C = flint.arb_mat(nv, nv), flint.arb_mat(nv, nv)
    force = [flint.arb(0)] * nv  # M a + C v without armature and gravity
    g = [flint.arb(0)] * nv
    Y = [[flint.arb(0)] * (10 * len(robot.links)) for _ in range(nv)]
    kinetic, potential = flint.arb(0), flint.arb(0)
    for number, link in enumerate(robot.links):
        moving, J = links[link.name], _pseudo_inertia(link.inertial)
        potential -= sum((pull[r] * (moving.T * J)[r, 3] for r in range(3)), start=flint.arb(0))
        if not moving.dofs:
            continue
        kinetic += _HALF * (moving.rate * J * moving.rate.transpose()).trace()
        UJ = [U * J for U in moving.U]
        _accumulate(M, C, moving, UJ)
        X = flint.arb_mat(4, 4)
        for dof, U, U_rate in zip(moving.dofs, moving.U, moving.U_rate, strict=True):
            X += U * a[dof] + U_rate * v[dof]
        pulled = X - flint.arb_mat([[0, 0, 0, pull[r] if r < 3 else 0] for r in range(4)])
        for dof, U, inert in zip(moving.dofs, moving.U, UJ, strict=True):
            force[dof] += (X * inert.transpose()).trace()
            g[dof] -= sum((pull[r] * inert[r, 3] for r in range(3)), start=flint.arb(0))
            B = pulled.transpose() * U
            for k, terms in enumerate(_PARAMETERS):
                Y[dof][10 * number + k] = sum((w * B[r, c] for r, c, w in terms), start=flint.arb(0))
    for one in joined:
        kinetic += _add_armature(one, M, C, force, v, a)
    Cv = C * flint.arb_mat(nv, 1, list(v))
    found: dict[str, Any] = {
        "mass_matrix": M.tolist(),
        "coriolis_matrix": C.tolist(),
        "coriolis_force": [Cv[i, 0] for i in range(nv)],
        "bias_force": [Cv[i, 0] + g[i] for i in range(nv)],
        "gravity_vector": g,
        "inverse_dynamics": [force[i] + g[i] for i in range(nv)],
        "joint_torque_regressor": Y,
        "kinetic_energy": kinetic,
        "potential_energy": potential,
        "link_poses": [[[links[link.name].T[r, c] for c in range(4)] for r in range(3)] for link in robot.links],
        "link_jacobians": [_jacobian(links[link.name], nv) for link in robot.links],
    }
    rest = flint.arb_mat(nv, 1, [tau[i] - Cv[i, 0] - g[i] for i in range(nv)])
    try:
        solution = M.solve(rest)
    except ZeroDivisionError:
        pass  # not proven regular: the caller raises the precision, or M is singular
    else:
        found["forward_dynamics"] = [solution[i, 0] for i in range(nv)]
    return {name: _as_array(value) for name, value in found.items()}


def _joints(robot: RobotModel, base: str) -> tuple[Joint, ...]:
    """Return the joints in file order, the floating base's first where a URDF gets one."""
    if robot.format != "urdf" or base == "fixed":
        return robot.joints
    (root,) = robot.root_links()
    return (Joint(name=FLOATING_BASE, kind="floating", line=None, parent=None, child=root), *robot.joints)


def _gravity(robot: RobotModel, gravity: Sequence[float] | None) -> list[Any]:
    """Return gravity as balls; a caller's doubles stand for the decimals that they print as."""
    if gravity is None and robot.gravity is not None:
        return [exact_number(number) for number in robot.gravity]
    return [flint.arb(repr(float(entry))) for entry in (STANDARD_GRAVITY if gravity is None else gravity)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Joined:
    """A joint at one state: as written, its motion, and the numbers of its velocity coordinates."""

    joint: Joint
    motion: JointMotion
    dofs: tuple[int, ...]


def _joined(joints: Sequence[Joint], q: Array, v: Array) -> list[_Joined]:
    """Return every joint with its motion, in file order."""
    out = []
    at_q = at_v = 0
    for joint in joints:
        nq, nv = (0, 0) if joint.kind == "fixed" else JOINT_SIZES[joint.kind]
        motion = joint_motion(joint, q[at_q : at_q + nq], v[at_v : at_v + nv])
        out.append(_Joined(joint=joint, motion=motion, dofs=tuple(range(at_v, at_v + nv))))
        at_q, at_v = at_q + nq, at_v + nv
    return out


def _add_armature(joined: _Joined, M: Any, C: Any, force: list[Any], v: Array, a: Array) -> Any:
    """Add a joint's armature to M, C and the force without gravity; return its kinetic energy.

    The rotors store ½ α |v|² of the joint's own velocity. For ball and floating joints that is ½ tr(Q̇ J Q̇ᵀ) with J =
    diag(½ α, ½ α, ½ α, α), whose velocity products do not vanish because Q̇'s body axes turn.
    """
    if joined.joint.armature is None or not joined.dofs:
        return flint.arb(0)
    alpha = exact_number(joined.joint.armature)
    if joined.joint.kind not in {"ball", "floating"}:
        for dof in joined.dofs:
            M[dof, dof] += alpha
            force[dof] += alpha * a[dof]
        return _HALF * alpha * sum((v[dof] * v[dof] for dof in joined.dofs), start=flint.arb(0))
    half = _HALF * alpha
    J = flint.arb_mat([[value if i == j else 0 for j in range(4)] for i, value in enumerate((half, half, half, alpha))])
    U, U_rate = joined.motion.partials, joined.motion.rates
    X, rate = flint.arb_mat(4, 4), flint.arb_mat(4, 4)
    for dof, partial, change in zip(joined.dofs, U, U_rate, strict=True):
        X += partial * a[dof] + change * v[dof]
        rate += partial * v[dof]
    for i, row in enumerate(joined.dofs):
        inert = (U[i] * J).transpose()
        force[row] += (X * inert).trace()
        for j, column in enumerate(joined.dofs):
            M[row, column] += (U[j] * inert).trace()
            C[row, column] += (U_rate[j] * inert).trace()
    return _HALF * (rate * J * rate.transpose()).trace()


def _walk(robot: RobotModel, joined: Sequence[_Joined], v: Array) -> dict[str, _Moving]:
    """Return every link's placement and derivatives, following the joints from the world outwards."""
    still = _Moving(T=place.identity(), rate=flint.arb_mat(4, 4), dofs=(), U=(), U_rate=())
    world: dict[str | None, _Moving] = {None: still}
    moved = {one.joint.child for one in joined}
    world.update({link.name: still for link in robot.links if link.name not in moved})
    waiting = list(joined)
    while waiting:
        later = []
        for one in waiting:
            if one.joint.parent in world:
                world[one.joint.child] = _child(world[one.joint.parent], one, v)
            else:
                later.append(one)
        if len(later) == len(waiting):
            names = ", ".join(repr(one.joint.name) for one in later)
            raise EvaluationError(f"joints {names} hang on no link that leads to the world")
        waiting = later
    return {link.name: world[link.name] for link in robot.links}


def _child(parent: _Moving, one: _Joined, v: Array) -> _Moving:
    """T_child = T_parent P Q D, and the product rule for U and U̇."""
    joint, motion, dofs = one.joint, one.motion, one.dofs
    before = place.pose_matrix(*(() if joint.origin_is_absolute else joint.placements))
    after = place.pose_matrix(joint.child_placement)
    rate = flint.arb_mat(4, 4)  # Q̇
    for dof, partial in zip(dofs, motion.partials, strict=True):
        rate += partial * v[dof]
    step, step_rate = before * motion.placement * after, before * rate * after
    outer, outer_rate = parent.T * before, parent.rate * before
    own = tuple(outer * partial * after for partial in motion.partials)
    own_rate = tuple(
        (outer_rate * partial + outer * change) * after
        for partial, change in zip(motion.partials, motion.rates, strict=True)
    )
    passed = tuple(U * step for U in parent.U)
    passed_rate = tuple(U_rate * step + U * step_rate for U, U_rate in zip(parent.U, parent.U_rate, strict=True))
    return _Moving(
        T=parent.T * step,
        rate=parent.rate * step + parent.T * step_rate,
        dofs=parent.dofs + dofs,
        U=passed + own,
        U_rate=passed_rate + own_rate,
    )


def _pseudo_inertia(inertial: Inertial | None) -> Any:
    """Return J in the link frame: T_i [[½ tr(I) 1 - I, 0], [0, m]] T_iᵀ with T_i the inertial frame's placement."""
    if inertial is None:
        return flint.arb_mat(4, 4)
    m = exact_number(inertial.mass)
    xx, xy, xz, yy, yz, zz = (exact_number(number) for number in inertial.inertia)
    about_com = flint.arb_mat(
        [
            [_HALF * (yy + zz - xx), -xy, -xz, 0],
            [-xy, _HALF * (xx + zz - yy), -yz, 0],
            [-xz, -yz, _HALF * (xx + yy - zz), 0],
            [0, 0, 0, m],
        ]
    )
    T = place.pose_matrix(inertial.origin)
    return T * about_com * T.transpose()


def _accumulate(M: Any, C: Any, moving: _Moving, UJ: Sequence[Any]) -> None:
    """Add one link's tr(U_i J U_jᵀ) to M and tr(U̇_j J U_iᵀ) to C."""
    inert = flint.arb_mat([[matrix[r, c] for r in range(3) for c in range(4)] for matrix in UJ])
    for target, matrices in ((M, moving.U), (C, moving.U_rate)):
        flat = flint.arb_mat([[matrix[r, c] for r in range(3) for c in range(4)] for matrix in matrices])
        product = inert * flat.transpose()
        for i, row in enumerate(moving.dofs):
            for j, column in enumerate(moving.dofs):
                target[row, column] += product[i, j]


def _jacobian(moving: _Moving, nv: int) -> list[list[Any]]:
    """Return (6, nv): the fourth column of U_j, and the axis of the skew matrix U_j Rᵀ."""
    rows = [[flint.arb(0)] * nv for _ in range(6)]
    back = moving.T.transpose()
    for dof, U in zip(moving.dofs, moving.U, strict=True):
        turn = U * flint.arb_mat([[back[r, c] if r < 3 and c < 3 else 0 for c in range(4)] for r in range(4)])
        for r in range(3):
            rows[r][dof] = U[r, 3]
        rows[3][dof], rows[4][dof], rows[5][dof] = turn[2, 1], turn[0, 2], turn[1, 0]
    return rows


def _as_array(value: Any) -> Array:
    """Return nested lists of balls, or one ball, as an object array."""
    if not isinstance(value, list):
        out = np.empty((), dtype=object)
        out[()] = value
        return out
    return np.array(value, dtype=object)
