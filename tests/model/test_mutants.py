"""One small arm and thirty-one changes of it: each faulty kind is found at its line, the sound ones give nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_check.errors import ModelError
from robodyn_check.model.lint import lint
from robodyn_check.model.read import read_model

MUTANTS = Path(__file__).parent / "mutants"
#: Changes that a file alone cannot show: it takes a second file of the same robot.
NEEDS_A_PAIR = {"06_wrongsignaxis"}
SOUND = {"00_good", "25_planar", "26_floating", "27_mimic_ok"}
#: mutant -> code, cause, line
FAULTS = {
    "01_negmass": ("RD101", "mass-negative", 18),
    "02_zeromass": ("RD105", "inertia-without-mass", 29),
    "03_triangle": ("RD104", "inertia-triangle-inequality", 30),
    "04_nonpd": ("RD102", "inertia-not-positive-definite", 19),
    "05_negdiag": ("RD102", "inertia-not-positive-definite", 30),
    "07_noinertial": ("RD106", "singular-mass-matrix-zero-inertia-link", 26),
    "08_duplink": ("RD100", "duplicate-name", 61),
    "09_dupjoint": ("RD100", "duplicate-name", 64),
    "10_loop": ("RD100", "kinematic-loop", 61),
    "11_cycle_noroot": ("RD100", "kinematic-loop", 61),
    "12_badxml": ("RD100", "xml-not-well-formed", 20),
    "13_missingmesh": ("RD131", "mesh-not-found", 34),
    "14_zeroaxis": ("RD100", "joint-axis-zero", 57),
    "15_nonunitaxis": ("RD121", "joint-axis-not-unit", 57),
    "16_nan": ("RD100", "non-finite-number", 18),
    "17_swapped_limits": ("RD122", "joint-limits-swapped", 58),
    "18_nolimit": ("RD124", "joint-limit-missing", 53),
    "19_badparent": ("RD100", "undefined-link", 53),
    "20_mm_units": ("RD118", "length-unit-suspect", 54),
    "21_com_outside": ("RD114", "center-of-mass-outside-shape", 28),
    "22_mimic_missing": ("RD100", "undefined-joint", 69),
    "23_negdamping": ("RD126", "joint-damping-negative", 59),
    "24_orphan": ("RD100", "multiple-root-links", 61),
    "28_tinyinertia": ("RD109", "inertia-unit-suspect", 30),
    "29_selfloopjoint": ("RD100", "kinematic-loop", 61),
    "30_zerovel_effort": ("RD125", "joint-drive-limit-zero", 58),
    "31_degrees": ("RD123", "joint-limits-degrees", 58),
}


def found(name: str) -> list[tuple[str, str, int | None]]:
    """Everything that is said about a mutant, notes left out."""
    try:
        robot = read_model(MUTANTS / f"{name}.urdf")
    except ModelError as error:
        return [(fault.code, fault.cause, fault.line) for fault in error.faults]
    results = [result for result in lint(robot) if result.verdict != "pass"]
    return [(result.code, result.slug, result.where.line if result.where else None) for result in results]


def test_every_mutant_is_judged() -> None:
    assert {path.stem for path in MUTANTS.glob("*.urdf")} == set(FAULTS) | SOUND | NEEDS_A_PAIR


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_faulty_kind_is_found_at_its_line_and_nothing_else(name: str) -> None:
    assert found(name) == [FAULTS[name]]


@pytest.mark.parametrize("name", sorted(SOUND))
def test_a_sound_model_gives_nothing(name: str) -> None:
    robot = read_model(MUTANTS / f"{name}.urdf")
    assert [result.message for result in lint(robot) if result.message] == []
