"""Masses at the ends of a subject's own Jacobians: M and g built from the file's inertials, no dynamics involved.

M = diag(armature) + Σ_l m Jcᵀ Jc + Jwᵀ R I Rᵀ Jw        g = -Σ_l m Jcᵀ γ        Jc = J_linear - [R c]× J_angular
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.judging import Given, Outcome, Outcomes, compare
from robodyn_check.checks.probing import ask
from robodyn_check.checks.registry import check

if TYPE_CHECKING:
    from robodyn_check.checks.context import JudgeContext, ProbeContext
    from robodyn_check.checks.judging import FloatArray, Probes
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.requests import Request


def jacobian_probes(context: ProbeContext) -> dict[str, Request]:
    """Ask for Jacobians and poses at the few states."""
    return {"J": ask("link_jacobians", context.few), "T": ask("link_poses", context.few)}


def centre_jacobians(mechanism: Mechanism, given: Given) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return Jc and Jw, (N, l, 3, nv), and R, (N, l, 3, 3), of the links that have mass or inertia and move."""
    heavy = heavy_links(mechanism)
    J, turn = given["J"][:, heavy], given["T"][:, heavy, :, :3]  # noqa: N806 - the equation's letter
    arm = np.einsum("nlij,jl->nli", turn, np.asarray(mechanism.link_com, dtype=float)[:, heavy])
    angular = J[:, :, 3:]
    linear = J[:, :, :3] + np.cross(angular, arm[..., None], axis=2)
    return linear, angular, turn


def heavy_links(mechanism: Mechanism) -> list[int]:
    """Return the numbers of the links that move and have mass or inertia."""
    return [
        link
        for link, body in enumerate(mechanism.link_body)
        if body >= 0 and (mechanism.link_mass[link] != 0 or np.any(np.asarray(mechanism.link_inertia)[:, :, link] != 0))
    ]


def links_mass_matrix(mechanism: Mechanism, given: Given) -> FloatArray:
    """Return the part of M that the links make, (N, nv, nv), without armature."""
    heavy = heavy_links(mechanism)
    linear, angular, turn = centre_jacobians(mechanism, given)
    mass = np.asarray(mechanism.link_mass, dtype=float)[heavy]
    inertia = np.asarray(mechanism.link_inertia, dtype=float)[:, :, heavy]
    spun = np.einsum("nlji,nljk->nlik", turn, angular)  # in link axes
    count, nv = linear.shape[0], mechanism.nv
    stacked = (linear * mass[:, None, None]).reshape(count, -1, nv)
    whole: FloatArray = stacked.transpose(0, 2, 1) @ linear.reshape(count, -1, nv)
    pushed = np.einsum("ijl,nljk->nlik", inertia, spun).reshape(count, -1, nv)
    whole += pushed.transpose(0, 2, 1) @ spun.reshape(count, -1, nv)
    return whole


@check(
    code="RD207",
    slug="mass-matrix-from-jacobians",
    quantities=("mass_matrix", "link_jacobians", "link_poses"),
    formula="M = diag(armature) + Σ_l m Jcᵀ Jc + Jwᵀ R I Rᵀ Jw",
    bound="128 eps S_M",
    reference="Siciliano, Sciavicco, Villani and Oriolo, Robotics (2009), equation 7.32",
)
class MassMatrixFromJacobians:
    """The mass matrix is the links' masses seen through the Jacobians.

    What it checks: the library's M equals the sum over links of mass and inertia, as the file states them, between the
        library's own Jacobians, plus armature on the diagonal.
    Why it matters: it is the definition of M. No recursion is involved, so M is held to kinematics and file alone.
    Usual causes: a link lost or counted twice; an inertia rotated the wrong way, or taken about another point;
        armature missing.
    References: Siciliano et al. (2009), equation 7.32.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for M, Jacobians and poses at the few states."""
        return {"M": ask("mass_matrix", context.few), **jacobian_probes(context)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare M with the sum."""
        armature = np.diag(np.asarray(context.mechanism.armature, dtype=float))
        return compare(
            context,
            given["M"],
            links_mass_matrix(context.mechanism, given) + armature,
            quantity="mass_matrix",
            scale=context.few_scales.mass_matrix,
            factor="mass_matrix_from_jacobians",
            batch=context.few,
        )


@check(
    code="RD208",
    slug="rotor-inertia-once",
    quantities=("mass_matrix", "inverse_dynamics", "gravity_vector", "link_jacobians", "link_poses"),
    formula="(M_ii - Σ_l …) / armature_i = 1 = (ID(q, 0, e_i)_i - g_i - Σ_l …) / armature_i",
    bound="128 eps (S_M + S_g) / armature_i",
    reference="Featherstone, Rigid Body Dynamics Algorithms (2008), section 9.6",
)
class RotorInertiaOnce:
    """Rotor inertia is counted once, in the mass matrix and in inverse dynamics.

    What it checks: what remains of M_ii, and of the torque for a unit acceleration of joint i, after the links are
        taken away through the library's own Jacobians, in units of the armature that the file states.
    Why it matters: behind a gear the rotor is often most of a joint's inertia. Libraries count it in M, in inverse
        dynamics, in both, in neither, or twice; a controller that mixes them is wrong by that amount.
    Usual causes: armature set on one of two data structures; the file's value added to a default; a gear ratio squared
        twice.
    References: Featherstone (2008), section 9.6.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for M, g, Jacobians, and for the torque of unit accelerations of the joints with armature."""
        rotors = _rotors(context.mechanism)
        if not len(rotors):
            return "the file states no armature"
        few = context.few
        unit = np.repeat(np.eye(context.mechanism.nv)[rotors], len(few), axis=0)
        asked = ask("inverse_dynamics", few, q=np.tile(few.q, (len(rotors), 1)), v=np.zeros_like(unit), a=unit)
        return {
            "M": ask("mass_matrix", few),
            "g": ask("gravity_vector", few),
            "ID": asked,
            **jacobian_probes(context),
        }

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Count the armature in both places."""
        mechanism, scales, rotors = context.mechanism, context.few_scales, _rotors(context.mechanism)
        armature = np.asarray(mechanism.armature, dtype=float)[rotors]
        links = np.diagonal(links_mass_matrix(mechanism, given), axis1=1, axis2=2)[:, rotors]
        in_mass = np.diagonal(given["M"], axis1=1, axis2=2)[:, rotors] - links
        torque = given["ID"].reshape(len(rotors), len(context.few), mechanism.nv)
        own = np.stack([torque[k, :, rotor] for k, rotor in enumerate(rotors)], axis=1)
        in_torque = own - given["g"][:, rotors] - links
        size = np.diagonal(scales.mass_matrix, axis1=1, axis2=2)[:, rotors] + scales.gravity_vector[:, rotors]
        names = [mechanism.dof_names[rotor] for rotor in rotors]

        def counted(found: FloatArray, quantity: str) -> Outcome:
            return compare(
                context,
                found / armature,
                1.0,
                quantity=quantity,
                scale=size / armature,
                factor="mass_matrix_from_jacobians",
                batch=context.few,
                labels=lambda index: (names[index[0]],),
                name=f"how many times {quantity} counts the armature",
            )

        return counted(in_mass, "mass_matrix"), counted(in_torque, "inverse_dynamics")


def _rotors(mechanism: Mechanism) -> list[int]:
    """Return the velocities of one-dof joints that have armature."""
    return [
        joint.v.start
        for joint in mechanism.joints
        if joint.v.stop - joint.v.start == 1 and float(mechanism.armature[joint.v.start]) > 0.0
    ]


@check(
    code="RD418",
    slug="gravity-from-jacobians",
    quantities=("gravity_vector", "link_jacobians", "link_poses"),
    formula="g = -Σ_l m Jcᵀ γ",
    bound="128 eps S_g",
    reference="Siciliano, Sciavicco, Villani and Oriolo, Robotics (2009), equation 7.39",
)
class GravityFromJacobians:
    """The gravity vector is the links' weights seen through the Jacobians.

    What it checks: the static torque that holds each link's weight, by the library's own Jacobians, is its g.
    Why it matters: it is what a robot at rest must hold, from kinematics and masses alone.
    Usual causes: a link lost or counted twice; a centre of mass in another frame; sign or size of gravity.
    References: Siciliano et al. (2009), equation 7.39.
    """

    @staticmethod
    def probes(context: ProbeContext) -> Probes:
        """Ask for g, Jacobians and poses at the few states."""
        if not any(context.gravity):
            return "gravity is zero in this run"
        return {"g": ask("gravity_vector", context.few), **jacobian_probes(context)}

    @staticmethod
    def judge(context: JudgeContext, given: Given) -> Outcomes:
        """Compare g with the sum of the weights."""
        mechanism = context.mechanism
        linear, _, _ = centre_jacobians(mechanism, given)
        mass = np.asarray(mechanism.link_mass, dtype=float)[heavy_links(mechanism)]
        weights = -np.einsum("l,nlik,i->nk", mass, linear, np.asarray(context.gravity))
        return compare(
            context,
            given["g"],
            weights,
            quantity="gravity_vector",
            scale=context.few_scales.gravity_vector,
            factor="gravity_from_jacobians",
            batch=context.few,
        )
