"""Every public case ends with the verdict and the cause of its case.md; what ends otherwise is listed with the reason.

Files that are refused or that the lint finds fault with: test_broken_files. Here: what libraries do with the others.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import robodyn_check
from robodyn_check.diagnosis.causes import CAUSES
from tests.cases.test_broken_files import FOUND, REFUSED
from tests.cases.test_planted import PLANTED

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
#: Subjects beyond the default set, on the cases that are theirs: what is found of them, or what a note says.
OTHERS: dict[tuple[str, str], frozenset[tuple[str, str]] | str] = {
    ("case_03_mujoco_base_link_merged", "mujoco:default"): "root-link-merged-into-world: 'base' (2 kg)",
    ("case_63_mjcf_gravcomp_and_passive", "mujoco:default"): frozenset(
        {("fail", "passive-forces-in-inverse-dynamics")}
    ),
    ("case_64_urdf_damping_friction", "mujoco:default"): frozenset(
        {("fail", "passive-forces-in-inverse-dynamics + joint-limits-in-dynamics")}
    ),
    ("case_09_rtb_skew_axis", "robotics-toolbox"): frozenset(
        {("fail", "skew-joint-axis-unsupported"), ("error", "library-crash")}
    ),
    ("case_69_rtb_coriolis_ValueError", "robotics-toolbox"): frozenset({("error", "library-crash")}),
}
#: case -> its cause where the case is a crash of a library that is not asked here; planted in tests/diagnosis.
CRASHES = {"case_89_adam_prismatic_crash": "library-crash"}
#: case -> why no table above has the cause name of its case.md.
EXCEPTIONS = {
    "case_01_mujoco_urdf_inertial_rpy_lost": "MuJoCo is right since 3.14, and on a robot of one joint a lost rotation "
    "looks like another mass; test_planted wants it named beside that, tests/diagnosis alone on larger robots",
    "case_05_continuous_joint_nq2": "the conversion is the adapter's, so no library shows it; tests/adapters",
    "case_13_pybullet_inertia_from_collision": "PyBullet is not of the default set; the three here are right",
    "case_14_pybullet_missing_inertial_1kg": "PyBullet is not of the default set; the three here are right",
    "case_27_kdl_root_inertia_dropped": "sound with the fixed base; on a floating one it is KDL's, not of the default "
    "set",
    "case_30_idyntree_spherical_block": "iDynTree is not of the default set; the three here are right",
    "case_47_utf16_encoding": "it is read, so it is right and there is nothing to name",
    "case_49_huge_chain_fixed": "takes seconds in each library; tests/reference holds its numbers",
    "case_50_ill_conditioned_coaxial": "the bound of forward dynamics has cond(M) in it, so nothing fails",
    "case_52_mjcf_default_degrees": "our reader and all libraries read degrees; nothing to name",
    "case_53_mjcf_euler_default_intrinsic": "our reader and all libraries read it alike; nothing to name",
    "case_62_mjcf_inertiafromgeom_true": "our reader and all libraries take the geom; nothing to name",
    "case_64_urdf_damping_friction": "damping is outside the rigid-body part; counted by a library it is named "
    "passive-forces-in-inverse-dynamics",
    "case_66_gravity_default_9_80665": "gravity is handed over after loading; another strength is named "
    "gravity-magnitude",
    "case_67_coriolis_vector_not_matrix": "a vector in place of a matrix is a wrong shape: tests/harness",
    "case_68_coriolis_matrix_not_unique": "an adapter declares its class of C, so another factorisation is no fault; "
    "a declaration that is broken is named coriolis-not-christoffel or coriolis-not-skew",
    "case_71_floating_quat_and_velocity_frame": "its text names both faults by themselves: base-velocity-frame and "
    "quaternion-order",
    "case_74_floating_vs_fixed_dimension": "a floating base is asked for by --base: tests/adapters",
    "case_75_regressor_parameter_order": "its text names the fault by itself: regressor-order",
    "case_84_q0_is_not_universe": "a misunderstanding of the user: no fault to name",
    "case_85_mj_fullM_layout_change": "the adapter speaks both layouts: tests/regression/mujoco_of_3_9",
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
@pytest.mark.parametrize("case", [path.name for path in sorted(CASES.glob("case_*"))])
def test_a_case_has_the_name_of_its_text_or_a_reason(case: str) -> None:
    """An exception that is none any more has to go."""
    text = (CASES / case / "case.md").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if "Expected cause name" in line]
    expected = set(re.findall(r"`([a-z0-9-]+)`", line))
    assert expected or case in EXCEPTIONS
    named = bool(expected & _names(case))
    assert named != (case in EXCEPTIONS), f"{case}: expected {expected}, named {_names(case)}"


def _names(case: str) -> set[str]:
    """Return every cause that the tests of the cases hold this one to."""
    names = {cause for subject, _, cause in ENDS.get(case, NONE)}
    for (other, _), found in OTHERS.items():
        if other == case:
            names |= {found.partition(":")[0]} if isinstance(found, str) else {cause for _, cause in found}
    names |= {cause for (planted, _), (cause, _) in PLANTED.items() if planted == case}
    names |= {REFUSED[case][1]} if case in REFUSED else set()
    names |= {FOUND[case][2]} if case in FOUND else set()
    names |= {NOTES[case].partition(":")[0]} if case in NOTES else set()
    return names | ({CRASHES[case]} if case in CRASHES else set())


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


@pytest.fixture(scope="module")
def others() -> dict[tuple[str, str], ModelReport]:
    """Ask the other subjects about their cases, each started once."""
    found: dict[tuple[str, str], ModelReport] = {}
    for library, module in (("mujoco:default", "mujoco"), ("robotics-toolbox", "roboticstoolbox")):
        pytest.importorskip(module, reason=f"{module} is not installed")
        cases = [case for case, name in OTHERS if name == library]
        report = robodyn_check.check(
            [_model(case) for case in cases],
            libraries=[library],
            samples=8,
            certify=0,
            select=("RD250", "RD350", "RD4", "RD551", "RD650", "RD750"),
        )
        found |= {(case, library): model for case, model in zip(cases, report.models, strict=True)}
    return found


@pytest.mark.skipif(not CASES.exists(), reason="the public cases are not beside the project")
@pytest.mark.parametrize(("case", "library"), OTHERS, ids=str)
def test_another_subject_ends_as_its_case_says(
    case: str, library: str, others: dict[tuple[str, str], ModelReport]
) -> None:
    model, expected = others[case, library], OTHERS[case, library]
    if isinstance(expected, str):
        assert any(note.startswith(expected) for subject in model.subjects for note in subject.notes)
        return
    wrong = [one for one in model.results if one.subject == library and one.verdict in {"fail", "error"}]
    assert {(one.verdict, one.cause.name if one.cause else one.slug) for one in wrong} == expected
    assert any(one.verdict == "pass" for one in model.results if one.subject == library)


@pytest.mark.parametrize("cause", sorted({*CRASHES.values(), *(cause for cause, _ in PLANTED.values())}))
def test_a_cause_of_the_table_has_words(cause: str) -> None:
    assert cause in CAUSES
