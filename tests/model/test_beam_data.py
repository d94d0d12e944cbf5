"""A beam file: read, and a sentence for every fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import ModelError
from robodyn_check.model.beam_data import read_beam

if TYPE_CHECKING:
    from pathlib import Path

BEAM = "[beam]\nlength = 0.8\nlinear_density = 0.6\nbending_stiffness = 4\n"


def read(folder: Path, text: str) -> dict[str, float]:
    path = folder / "beam.toml"
    path.write_text(text)
    return read_beam(path)


def test_what_is_left_out_is_left_to_the_beam(tmp_path: Path):
    assert read(tmp_path, BEAM) == {"length": 0.8, "linear_density": 0.6, "bending_stiffness": 4.0}
    assert read(tmp_path, f"{BEAM}hub_inertia = 0\n")["hub_inertia"] == 0.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it needs a table [beam] with length, linear_density, bending_stiffness"),
        (BEAM.replace("length = 0.8\n", ""), "[beam] lacks length"),
        (BEAM.replace("0.8", "0"), "length is 0; expected a number above 0"),
        (BEAM.replace("0.8", "inf"), "length is inf; expected a number above 0"),
        (f"{BEAM}tip_mass = -1\n", "tip_mass is -1; expected a number at least 0"),
        (f"{BEAM}tipmass = 1\n", "unknown key 'tipmass'. Did you mean 'tip_mass'?"),
        (f"{BEAM}[other]\n", "unknown table 'other'; a beam file has [beam] alone"),
        ("[beam", "this is not valid TOML"),
    ],
)
def test_a_fault_is_said(tmp_path: Path, text: str, message: str):
    with pytest.raises(ModelError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)


def test_a_missing_file_is_said(tmp_path: Path):
    with pytest.raises(ModelError, match=r"gone\.toml: cannot be read"):
        read_beam(tmp_path / "gone.toml")
