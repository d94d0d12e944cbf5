"""Independent libraries agree on the 6R arm: published are differences of at most 1.1e-13 over 200 states.

The arm is written as a URDF, which knows no rotors, and read by each library's own loader where it has one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from robodyn_check.harness.discovery import find_adapters, installed_version
from robodyn_check.model.write_urdf import write_urdf
from robodyn_check.pipeline import check
from tests.published.arms import six_axis_robot

if TYPE_CHECKING:
    from pathlib import Path

#: Name -> states; Python libraries take a second for a few.
LIBRARIES = {
    "pinocchio": 200,
    "mujoco": 200,
    "drake": 200,
    "biorbd": 200,
    "robotics-toolbox": 20,
    "modern-robotics": 10,
}
#: M, inverse dynamics, gravity torques, forward dynamics; kg m², N m, rad/s².
AGREEMENT = ("RD250", "RD350", "RD454", "RD750")
#: The largest published difference, in the same units.
PUBLISHED = 1.1e-13


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_agrees_with_the_reference_as_published(library: str, tmp_path: Path) -> None:
    if installed_version(find_adapters()[library]) is None:
        pytest.skip(f"{library} is not installed")
    path = tmp_path / "six_axis.urdf"
    path.write_text(write_urdf(six_axis_robot(rotors=False)).text)
    report = check(path, libraries=[library], samples=LIBRARIES[library], select=AGREEMENT, certify=0)
    found = {result.code: result for result in report.models[0].results if result.subject == library}
    assert {code: result.verdict for code, result in found.items()} == dict.fromkeys(AGREEMENT, "pass")
    assert max(result.error or 0.0 for result in found.values()) <= PUBLISHED
