"""A chain of rigid segments with springs converges to the beam."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.flexible.beam_chain import chain_mjcf, chain_urdf, spring_stiffnesses
from robodyn_check.flexible.beams import Beam, exact_wave_numbers
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.reference.engine import evaluate

if TYPE_CHECKING:
    from pathlib import Path

BEAM = Beam(length=0.8, linear_density=0.6, bending_stiffness=4.0)


def first_wave_number(folder: Path, segments: int, text: str, name: str) -> float:
    path = folder / name
    path.write_text(text)
    mechanism = build_mechanism(read_model(path))
    mass = evaluate(mechanism, "mass_matrix", np.zeros((1, segments)))[0]
    stiffness = np.diag(spring_stiffnesses(BEAM, segments))
    eigenvalues = np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real
    return float((eigenvalues.min() / BEAM.frequency_unit**2) ** 0.25)


Writer = Callable[[Beam, int], str]


@pytest.mark.parametrize(("write", "name"), [(chain_urdf, "beam.urdf"), (chain_mjcf, "beam.xml")], ids=["urdf", "mjcf"])
def test_the_chain_converges_to_the_beam_like_one_over_n_squared(tmp_path: Path, write: Writer, name: str):
    exact = exact_wave_numbers(1, clamped=True)[0]
    errors = [abs(first_wave_number(tmp_path, n, write(BEAM, n), name) - exact) for n in (8, 16, 32)]
    assert errors[2] < 1e-3 * exact
    assert 3.5 < errors[0] / errors[1] < 4.5
    assert 3.5 < errors[1] / errors[2] < 4.5
