"""Every public case ends with the verdict and the cause of its case.md; what ends otherwise is listed with the reason.

Files that are refused or that the lint finds fault with: test_broken_files. Here: what libraries do with the others.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import robodyn_check
from robodyn_check.diagnosis.causes import CAUSES
from robodyn_check.faults.library import LIBRARY_FAULTS
from tests.cases.test_broken_files import FOUND, REFUSED

if TYPE_CHECKING:
    from robodyn_check.report.results import ModelReport

CASES = Path(__file__).parents[2].parent / "shared" / "cases"
LIBRARIES = ("pinocchio", "mujoco", "drake")
#: Enough to see every one of these faults; the whole set of checks is tried elsewhere.
SELECT = ("RD1", "RD250", "RD350", "RD452", "RD453", "RD454", "RD650", "RD750", "RD942")
NONE: frozenset[tuple[str, str, str]] = frozenset()

#: case -> what is found: (subject, verdict, cause); everything else passes.
ENDS: dict[str, frozenset[tuple[str, str, str]]] = {
    "case_03_mujoco_base_link_merged": NONE,
    "case_04_mimic_dropped": NONE,
    "case_05_continuous_joint_nq2": NONE,
    "case_07_axis_not_normalized": frozenset({("model", "warn", "joint-axis-not-unit")}),
    "case_10_rtb_trailing_fixed_link_mass": NONE,
    "case_12_rtb_branching_order": frozenset({("model", "warn", "placeholder-inertia")}),
    "case_13_pybullet_inertia_from_collision": NONE,
    "case_14_pybullet_missing_inertial_1kg": NONE,
    "case_29_drake_planar_axis": frozenset({("pinocchio", "fail", "planar-joint-axis-ignored")}),
    "case_30_idyntree_spherical_block": NONE,
    "case_50_ill_conditioned_coaxial": NONE,
    "case_52_mjcf_default_degrees": NONE,
    "case_53_mjcf_euler_default_intrinsic": NONE,
    "case_56_mjcf_default_class_armature": frozenset(
        {("drake", "fail", "armature-dropped"), ("drake", "warn", "armature-dropped")}
    ),
    "case_57_armature_diag_offset": frozenset(
        {("drake", "fail", "armature-dropped"), ("drake", "warn", "armature-dropped")}
    ),
    "case_59_mjcf_first_body_fixed_pose": frozenset({("pinocchio", "fail", "fixed-root-pose-lost")}),
    "case_60_mjcf_gravity_option": frozenset({("pinocchio", "fail", "gravity-vector-differs")}),
    "case_62_mjcf_inertiafromgeom_true": NONE,
    "case_63_mjcf_gravcomp_and_passive": NONE,
    "case_64_urdf_damping_friction": NONE,
    "case_65_drake_reflected_inertia": frozenset(
        {("drake", "fail", "reflected-rotor-inertia"), ("drake", "warn", "armature-differs")}
    ),
    "case_84_q0_is_not_universe": NONE,
    "case_85_mj_fullM_layout_change": NONE,
    "case_88_drake_gravity_sign": NONE,
    "case_90_massless_intermediate_links": frozenset({("mujoco", "fail", "massless-intermediate-link")}),
}
#: case -> words that a note of a library says.
NOTES = {
    "case_04_mimic_dropped": "mimic-joint-ignored: j2",
}
#: case -> the cause of the planted fault that stands for a library which is not asked here.
PLANTED = {
    "case_12_rtb_branching_order": "joint-order-differs",
    "case_26_u2c_offdiagonal_inertia": "products-of-inertia-sign",
    "case_68_coriolis_matrix_not_unique": "coriolis-not-christoffel",
    "case_69_rtb_coriolis_ValueError": "library-crash",
    "case_71_floating_quat_and_velocity_frame": "base-velocity-frame",
    "case_75_regressor_parameter_order": "regressor-order",
    "case_78_rbdl_fixed_body_ignored": "fixed-link-inertia-dropped",
    "case_81_products_of_inertia_sign": "products-of-inertia-sign",
    "case_88_drake_gravity_sign": "gravity-sign-convention",
    "case_89_adam_prismatic_crash": "library-crash",
}
#: case -> why it ends in no table, or under another name than its case.md has.
EXCEPTIONS = {
    "case_01_mujoco_urdf_inertial_rpy_lost": "MuJoCo is right since 3.14; the fault is planted in tests/diagnosis",
    "case_04_mimic_dropped": "an independent mimic joint is a note: M is compared without the constraint",
    "case_09_rtb_skew_axis": "Robotics Toolbox, not of the default set: adapters/known and its own tests",
    "case_12_rtb_branching_order": "its links have placeholder inertias, which the lint says as well",
    "case_13_pybullet_inertia_from_collision": "PyBullet is not of the default set; the three here are right",
    "case_14_pybullet_missing_inertial_1kg": "PyBullet is not of the default set; the three here are right",
    "case_49_huge_chain_fixed": "takes seconds in each library; tests/reference holds its numbers",
    "case_56_mjcf_default_class_armature": "Drake leaves armature out everywhere, so it is armature-dropped",
    "case_57_armature_diag_offset": "Drake leaves armature out everywhere, so it is armature-dropped",
    "case_64_urdf_damping_friction": "damping is outside the rigid-body part; no library here holds another one",
    "case_66_gravity_default_9_80665": "gravity is handed over after loading; gravity-magnitude is planted",
    "case_67_coriolis_vector_not_matrix": "a vector in place of a matrix is a wrong shape: tests/harness",
    "case_74_floating_vs_fixed_dimension": "a floating base is asked for by --base: tests/adapters",
}


def _model(case: str) -> str:
    return str(next(path for path in (CASES / case / "model.urdf", CASES / case / "model.xml") if path.exists()))


@pytest.fixture(scope="module")
def reports() -> dict[str, ModelReport]:
    """Check all cases of the table in one run, so that each library starts once."""
    for library in ("pinocchio", "mujoco", "pydrake"):
        pytest.importorskip(library, reason=f"{library} is not installed")
    report = robodyn_check.check(
        [_model(case) for case in ENDS], libraries=LIBRARIES, samples=8, certify=0, select=SELECT, timeout=120.0
    )
    return dict(zip(ENDS, report.models, strict=True))


@pytest.mark.skipif(not CASES.exists(), reason="the public cases are not beside the project")
def test_every_case_is_somewhere() -> None:
    folders = {path.name for path in CASES.glob("case_*")}
    assert folders == folders & (
        ENDS.keys()
        | PLANTED.keys()
        | EXCEPTIONS.keys()
        | REFUSED.keys()
        | FOUND.keys()
        | {"case_27_kdl_root_inertia_dropped", "case_47_utf16_encoding"}
    )


@pytest.mark.skipif(not CASES.exists(), reason="the public cases are not beside the project")
@pytest.mark.parametrize("case", ENDS)
def test_a_case_ends_with_its_verdict_and_cause(case: str, reports: dict[str, ModelReport]) -> None:
    found = {
        (result.subject, result.verdict, result.cause.name if result.cause else result.slug)
        for result in reports[case].results
        if result.verdict in {"fail", "error", "warn"} and result.against in {None, "reference"}
    }
    assert found == ENDS[case]
    notes = [note for subject in reports[case].subjects for note in subject.notes]
    assert NOTES.get(case, "") in " ".join(notes)


@pytest.mark.parametrize("case", PLANTED)
def test_the_cause_of_a_library_that_is_not_asked_is_planted_and_has_words(case: str) -> None:
    assert PLANTED[case] in CAUSES
    assert PLANTED[case] in {fault.cause for fault in LIBRARY_FAULTS}
