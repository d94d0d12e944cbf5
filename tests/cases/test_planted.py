"""Cases of a library that is not asked here: its fault is planted on the case's own robot, and named from answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from robodyn_check.diagnosis.diagnose import diagnose
from robodyn_check.faults.fault import Scene, reference_answerer
from robodyn_check.faults.library import library_fault
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.reference.engine import evaluate
from robodyn_check.states import draw_states, subset
from robodyn_check.tolerance import scales
from tests.checks.conftest import Bench
from tests.diagnosis.exam import evidence_of

if TYPE_CHECKING:
    from robodyn_check.states import StateBatch
    from robodyn_check.tolerance import Scales

CASES = Path(__file__).parents[2].parent / "shared" / "cases"
#: (case, planted fault) -> the cause, and the link or joint that it is at (None: everywhere).
PLANTED: dict[tuple[str, str], tuple[str, str | None]] = {
    ("case_04_mimic_dropped", "mimic-reduced"): ("mimic-joint-reduced", "j2"),
    ("case_07_axis_not_normalized", "rotation-stretched"): ("joint-axis-not-unit", None),
    ("case_10_rtb_trailing_fixed_link_mass", "fixed-link-lost"): ("fixed-link-inertia-dropped", "tool"),
    ("case_12_rtb_branching_order", "joint-order"): ("joint-order-differs", "j_z"),
    ("case_26_u2c_offdiagonal_inertia", "products-negated"): ("products-of-inertia-sign", None),
    ("case_56_mjcf_default_class_armature", "armature-not-in-mass-matrix"): ("armature-not-in-mass-matrix", None),
    ("case_57_armature_diag_offset", "armature-not-in-mass-matrix"): ("armature-not-in-mass-matrix", None),
    ("case_63_mjcf_gravcomp_and_passive", "damping-included"): ("passive-forces-in-inverse-dynamics", None),
    ("case_64_urdf_damping_friction", "damping-included"): ("passive-forces-in-inverse-dynamics", None),
    ("case_66_gravity_default_9_80665", "gravity-magnitude"): ("gravity-magnitude", None),
    ("case_71_floating_quat_and_velocity_frame", "base-velocity-frame"): ("base-velocity-frame", "floating_base"),
    ("case_71_floating_quat_and_velocity_frame", "quaternion-order"): ("quaternion-order", "floating_base"),
    ("case_75_regressor_parameter_order", "regressor-order"): ("regressor-order", None),
    ("case_78_rbdl_fixed_body_ignored", "fixed-link-lost"): ("fixed-link-inertia-dropped", "cam"),
    ("case_81_products_of_inertia_sign", "products-negated"): ("products-of-inertia-sign", None),
    ("case_88_drake_gravity_sign", "gravity-vector-sign"): ("gravity-sign-convention", None),
}
#: Cases on a floating base; MJCF says it itself.
FLOATING = frozenset({"case_71_floating_quat_and_velocity_frame"})
STATES, FEW, SEED = 12, 5, 3


def bench_of(case: str) -> Bench:
    """Return the case's robot with its truth, states and scales."""
    base: Literal["fixed", "floating"] = "floating" if case in FLOATING else "fixed"
    robot = read_model(next(path for path in (CASES / case).glob("model.*")))
    mechanism = build_mechanism(robot, base=base)
    states = draw_states(mechanism, count=STATES, seed=SEED)
    few = subset(states, FEW)

    def sized(batch: StateBatch) -> Scales:
        return scales(mechanism, batch, evaluate(mechanism, "mass_matrix", batch.q))

    scene = Scene(robot=robot, mechanism=mechanism, answer=reference_answerer(mechanism), seed=SEED, base=base)
    return Bench(scene=scene, states=states, few=few, scales=sized(states), few_scales=sized(few))


@pytest.mark.skipif(not CASES.exists(), reason="the public cases are not beside the project")
@pytest.mark.parametrize(("case", "fault"), PLANTED, ids="-".join)
def test_the_fault_of_a_case_is_named_and_located_on_its_own_robot(case: str, fault: str) -> None:
    place = bench_of(case)
    planted = library_fault(fault).plant(place.scene)
    assert planted is not None
    found = diagnose(evidence_of(place, planted.answer), library="planted", version="1")
    assert found is not None
    assert (found.general.name, found.general.element) == PLANTED[case, fault]


@pytest.mark.skipif(not CASES.exists(), reason="the public cases are not beside the project")
def test_a_cause_that_no_answer_tells_from_another_is_said_beside_it() -> None:
    """On one joint a lost inertial rotation, a scaled mass and an armature all change one number alike."""
    place = bench_of("case_01_mujoco_urdf_inertial_rpy_lost")
    planted = library_fault("inertial-rotation-ignored").plant(place.scene)
    assert planted is not None
    found = diagnose(evidence_of(place, planted.answer), library="planted", version="1")
    assert found is not None
    (twins,) = [line for line in found.general.evidence if line.startswith("no answer tells it from: ")]
    assert "inertial-origin-rpy-ignored at body" in f"{found.general.name} {twins}"
