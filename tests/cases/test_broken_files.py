"""Files that users met in public: the broken ones end as their case says, the sound ones give nothing but notes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from robodyn_check.errors import ModelError
from robodyn_check.model.lint import lint
from robodyn_check.model.read import read_model

HERE = Path(__file__).parent

#: case -> line, cause, words; all end with exit code 2
REFUSED = {
    "case_08_axis_zero": (7, "joint-axis-zero", "axis '0 0 0' of revolute joint 'j1' has length zero"),
    "case_33_nan_inf_values": (5, "non-finite-number", "mass of link 'a': 'nan' is not a finite number"),
    "case_35_entity_bomb": (2, "xml-dtd-forbidden", "has a document type"),
    "case_36_external_entity_xxe": (2, "xml-dtd-forbidden", "has a document type"),
    "case_37_duplicate_link_name": (7, "duplicate-name", "link 'a' is defined twice, in lines 4 and 7"),
    "case_38_duplicate_joint_name": (11, "duplicate-name", "joint 'j1' is defined twice, in lines 10 and 11"),
    "case_39_kinematic_cycle": (12, "kinematic-loop", "kinematic loop 'b' -> 'a' -> 'b'"),
    "case_41_two_root_links": (7, "multiple-root-links", "'base' (line 3), 'stray' (line 7)"),
    "case_42_missing_parent_link": (
        7,
        "undefined-link",
        "joint 'j1' names the parent link 'base_typo', which does not exist. Did you mean 'base'?",
    ),
    "case_43_xacro_leftovers": (3, "xacro-not-expanded", "run xacro first"),
    "case_44_mjcf_passed_as_urdf": (1, "wrong-format", "is MJCF (its root is <mujoco>)"),
}
#: case -> verdict, line, cause, link or joint
FOUND = {
    "case_15_negative_principal_inertia": ("fail", 5, "inertia-not-positive-definite", "hip"),
    "case_16_triangle_inequality_violated": ("fail", 5, "inertia-triangle-inequality", "a"),
    "case_19_inertia_row_major_slip": ("fail", 5, "inertia-row-major-slip", "a"),
    "case_20_inertia_nine_entries": ("warn", 5, "inertia-extra-attributes", "a"),
    "case_21_inertia_units_mm": ("warn", 5, "inertia-unit-suspect", "a"),
    "case_22_inertia_placeholder_unit": ("warn", 7, "placeholder-inertia", "a"),
    "case_23_last_link_zero_inertia_singular_M": ("fail", 8, "singular-mass-matrix-zero-inertia-link", "j2"),
    "case_45_package_mesh_missing": ("warn", 6, "mesh-not-found", "a"),
    "case_87_inertia_axes_vs_geometry": ("warn", 5, "inertia-axes-suspect", "bar"),
}
SOUND = (
    "case_27_kdl_root_inertia_dropped",
    "case_47_utf16_encoding",
    "case_90_massless_intermediate_links",
)


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_a_broken_file_is_refused_at_its_line(case: str) -> None:
    line, cause, words = REFUSED[case]
    began = time.process_time()
    with pytest.raises(ModelError) as caught:
        read_model(HERE / case / "model.urdf")
    assert time.process_time() - began < 1
    assert caught.value.exit_code == 2
    first = caught.value.faults[0]
    assert (first.line, first.cause) == (line, cause)
    assert words in str(caught.value)


def test_every_fault_of_a_file_is_told_at_once() -> None:
    with pytest.raises(ModelError) as caught:
        read_model(HERE / "case_43_xacro_leftovers" / "model.urdf")
    assert [fault.line for fault in caught.value.faults] == [3, 6, 6, 8]


def test_an_external_entity_shows_nothing_of_the_other_file() -> None:
    folder = HERE / "case_36_external_entity_xxe"
    with pytest.raises(ModelError) as caught:
        read_model(folder / "model.urdf")
    assert (folder / "secret.txt").read_text().strip() not in str(caught.value)


@pytest.mark.parametrize("case", sorted(FOUND))
def test_a_readable_fault_is_found_at_its_line(case: str) -> None:
    verdict, line, cause, element = FOUND[case]
    results = [result for result in lint(read_model(HERE / case / "model.urdf")) if result.verdict != "pass"]
    named = [
        (result.verdict, result.where.line, result.cause.name, result.cause.element)
        for result in results
        if result.where is not None and result.cause is not None
    ]
    assert (verdict, line, cause, element) in named
    assert {found[0] for found in named} == {verdict}


@pytest.mark.parametrize("case", SOUND)
def test_a_sound_file_has_no_findings(case: str) -> None:
    began = time.process_time()
    robot = read_model(HERE / case / "model.urdf")
    assert {result.verdict for result in lint(robot)} == {"pass"}
    assert time.process_time() - began < 5


def test_a_utf16_file_reads_as_its_values() -> None:
    robot = read_model(HERE / "case_47_utf16_encoding" / "model.urdf")
    assert [joint.name for joint in robot.joints] == ["j1", "j2"]
