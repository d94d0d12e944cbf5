"""``flex`` on a beam: the reference alone, one library where it is there, and faults that the judgement finds."""

from __future__ import annotations

import dataclasses
import importlib.util
from typing import TYPE_CHECKING

import pytest

from robodyn_check.report.flexible_text import beam_text
from robodyn_check.report.json_format import dumps
from robodyn_check.run.flexible_beam import judge_bounds, judge_chain, run_beam
from robodyn_check.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from robodyn_check.report.flexible_results import BeamReport


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "beam.toml"
    path.write_text("[beam]\nlength = 0.8\nlinear_density = 0.6\nbending_stiffness = 4\nhub_inertia = 0.01\n")
    return path


def run(file: Path, *libraries: str) -> BeamReport:
    return run_beam(Settings(models=(str(file),), lib=libraries), ())


def test_the_reference_passes_and_the_page_shows_both_conditions(file: Path):
    found = run(file)
    results = found.report.models[0].results
    assert [(result.code, result.verdict) for result in results] == [
        ("RD814", "pass"),
        ("RD814", "pass"),
        ("RD815", "pass"),
    ]
    page = beam_text(found)
    assert "cond, polynomials" in page
    assert "cond, orthogonal" in page
    assert '"conditions"' in dumps(found)


@pytest.mark.skipif(importlib.util.find_spec("mujoco") is None, reason="MuJoCo is not installed")
@pytest.mark.parametrize("library", ["mujoco", "mujoco:elastic"])
def test_mujoco_has_the_frequencies_of_the_reference(file: Path, library: str):
    found = run(file, library)
    chains = dict(found.chains)
    assert dict(chains[library]) == pytest.approx(dict(chains["reference"]), rel=1e-7)
    assert found.report.exit_code == 0


def test_a_frequency_below_the_exact_one_is_found(file: Path):
    modes = run(file).modes[0]
    count, row = modes.assumed[-1]
    lower = dataclasses.replace(modes, assumed=(*modes.assumed[:-1], (count, (row[0] * (1 - 1e-9), *row[1:]))))
    result = judge_bounds(lower)
    assert result.verdict == "fail"
    assert "clamped: mode 1" in (result.message or "")


def test_a_chain_that_converges_elsewhere_is_found():
    assert judge_chain("library", [9.84, 9.96, 9.99], 10.0).verdict == "pass"
    wrong = judge_chain("library", [9.84, 9.96, 9.99], 10.05)
    assert wrong.verdict == "fail"
    assert "where 4 was expected" in (wrong.message or "")
