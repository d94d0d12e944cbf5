"""The exam in small: every planted fault is named and located; what is none of them is not given a name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.diagnosis.causes import CAUSES, UNEXPLAINED
from robodyn_check.diagnosis.diagnose import diagnose
from robodyn_check.diagnosis.limits import beyond_limits
from robodyn_check.diagnosis.masses import with_parameters
from robodyn_check.faults.fault import LibraryFault, Scene, reference_answerer, tampered
from robodyn_check.faults.library import LIBRARY_FAULTS, library_fault
from robodyn_check.quantities import QUANTITIES
from tests.checks.conftest import ROBOTS, bench
from tests.diagnosis.exam import evidence_of

if TYPE_CHECKING:
    from robodyn_check.faults.fault import FloatArray
    from robodyn_check.requests import Request

#: Faults that only a property shows, no value at one state; `obvious` names them.
UNSEEN = {"gravity-circulates", "input-overwritten", "nan-at-one-state", "not-repeatable", "crash-at-some-states"}
SEEN = [fault for fault in LIBRARY_FAULTS if fault.name not in UNSEEN]
#: A robot that has what the fault touches, where the first one has not.
BENCH = {"quaternion-order": "floating", "base-velocity-frame": "floating", "mimic-reduced": "vertical_root"}
#: A fault that is another one on this robot would be no question.
SMALL = ("vertical_root", "floating", "ball_and_planar")


def test_every_planted_cause_has_words() -> None:
    assert {fault.cause for fault in LIBRARY_FAULTS} <= set(CAUSES)


@pytest.mark.parametrize("fault", SEEN, ids=lambda fault: fault.name)
def test_a_planted_fault_is_named_and_located(fault: LibraryFault) -> None:
    place = bench(BENCH.get(fault.name, "vertical_root"))
    planted = fault.plant(place.scene)
    assert planted is not None
    evidence = evidence_of(place, planted.answer)
    found = diagnose(evidence, library="planted", version="1")
    assert found is not None
    assert (found.general.name, found.general.element) == (fault.cause, planted.element)
    assert found.general.evidence[0].startswith("proven")


@pytest.mark.parametrize("name", ROBOTS)
def test_a_right_subject_is_not_diagnosed(name: str) -> None:
    place = bench(name)
    assert diagnose(evidence_of(place, place.scene.answer), library="right", version="1") is None


@pytest.mark.parametrize("name", SMALL)
def test_noise_is_not_explained(name: str) -> None:
    place = bench(name)
    noisy = tampered(
        place.scene.answer, dict.fromkeys(QUANTITIES, lambda _, values: values * (1 + 1e-6 * np.cos(1e3 * values)))
    )
    found = diagnose(evidence_of(place, noisy), library="noisy", version="1")
    assert found is not None
    assert found.general.name == UNEXPLAINED
    assert any(line.startswith("ruled out") for line in found.general.evidence)


def test_a_changed_link_without_a_name_is_identified_with_its_change() -> None:
    place = bench("vertical_root")
    mechanism = place.scene.mechanism
    link = mechanism.links.index("link4")
    change = np.array([0.0, 0, 0, 0, 0.5, 0.1, 0, 0.6, 0, 0.7]) * float(np.trace(mechanism.inertia[:, :, -1]))
    wrong = with_parameters(mechanism, link, change)
    found = diagnose(evidence_of(place, reference_answerer(wrong)), library="other", version="1")
    assert found is not None
    assert (found.general.name, found.general.element) == ("inertial-parameters-differ", "link4")
    assert any("inertia about the link's origin" in line for line in found.general.evidence)


def test_a_joint_that_stands_elsewhere_is_named_from_the_base_on() -> None:
    place = bench("vertical_root")
    mechanism = place.scene.mechanism
    moved = np.array(mechanism.p_tree)
    moved[:, 2] += 0.1
    joint = mechanism.joints[mechanism.body_joint[2]].name
    wrong = replace(mechanism, p_tree=moved)
    found = diagnose(evidence_of(place, reference_answerer(wrong)), library="other", version="1")
    assert found is not None
    assert (found.general.name, found.general.element) == ("joint-placement-differs", joint)
    assert any("shifted by (0.1, 0.1, 0.1) m" in line for line in found.general.evidence)


@pytest.mark.parametrize(
    ("first", "second"),
    [("armature-dropped", "gravity-magnitude"), ("gravity-sign", "jacobian-halves"), ("joint-sign", "potential-sign")],
)
def test_two_faults_at_once_are_both_named(first: str, second: str) -> None:
    place = bench("vertical_root")
    one = library_fault(first).plant(place.scene)
    assert one is not None
    other = library_fault(second).plant(replace(place.scene, answer=one.answer))
    assert other is not None
    found = diagnose(evidence_of(place, other.answer), library="planted", version="1")
    assert found is not None
    names = set(found.general.name.split(" + "))
    assert names == {library_fault(first).cause, library_fault(second).cause}


def test_what_one_of_two_causes_explains_alone_is_filed_under_it() -> None:
    place = bench("vertical_root")
    one = library_fault("armature-dropped").plant(place.scene)
    assert one is not None
    other = library_fault("jacobian-halves").plant(replace(place.scene, answer=one.answer))
    assert other is not None
    found = diagnose(evidence_of(place, other.answer), library="planted", version="1")
    assert found is not None
    assert found.cause("mass_matrix").name == "armature-dropped"
    assert found.cause("link_jacobians").name == "jacobian-rows"


def test_few_quantities_are_enough_for_a_name() -> None:
    place = bench("vertical_root")
    planted = library_fault("fixed-link-lost").plant(place.scene)
    assert planted is not None
    evidence = evidence_of(place, planted.answer, quantities=("mass_matrix", "gravity_vector"))
    found = diagnose(evidence, library="planted", version="1")
    assert found is not None
    assert (found.general.name, found.general.element) == ("fixed-link-inertia-dropped", planted.element)


def test_a_scene_is_not_changed_by_its_diagnosis() -> None:
    place = bench("vertical_root")
    planted = library_fault("armature-doubled").plant(place.scene)
    assert planted is not None
    before = np.array(place.scene.mechanism.armature)
    diagnose(evidence_of(place, planted.answer), library="planted", version="1")
    assert isinstance(place.scene, Scene)
    assert np.array_equal(before, place.scene.mechanism.armature)


def test_causes_that_no_answer_tells_apart_are_all_named() -> None:
    place = bench("vertical_root")
    evidence = evidence_of(place, tampered(place.scene.answer, {"mass_matrix": lambda _, values: np.triu(values)}))
    found = diagnose(evidence, library="planted", version="1")
    assert found is not None
    assert not any("no answer tells it from" in line for line in found.general.evidence)
    diagonal = tampered(place.scene.answer, {"gravity_vector": lambda _, values: -values})
    one_sample = evidence_of(place, diagonal, quantities=("gravity_vector",))
    found = diagnose(one_sample, library="planted", version="1")
    assert found is not None
    assert found.general.name == "gravity-sign-convention"


def test_damping_is_measured_where_no_joint_limit_acts_as_well() -> None:
    place = bench("vertical_root")
    damped = library_fault("damping-included").plant(place.scene)
    assert damped is not None
    quantities = ("link_poses", "mass_matrix", "gravity_vector", "inverse_dynamics")

    def pushed(request: Request, values: FloatArray) -> FloatArray:
        beyond = beyond_limits(place.scene.mechanism, request)
        assert 0 < beyond.sum() < len(beyond)
        return values + 100.0 * np.sin(request.q[:, :1] + request.q[:, 1:2]) * beyond[:, None]

    answer = tampered(damped.answer, {"inverse_dynamics": pushed})
    found = diagnose(evidence_of(place, answer, quantities=quantities), library="planted", version="1")
    assert found is not None
    assert found.general.name == "passive-forces-in-inverse-dynamics + joint-limits-in-dynamics"
