"""Libraries that compile for minutes at each robot, or once: on few robots, where ``make setup-heavy`` was run.

No part of ``make test``: ``make test PYTEST="-m compiled"`` runs them.
"""

from __future__ import annotations

import pytest

from tests.adapters.library_runs import run

pytestmark = pytest.mark.compiled

RIGHT = {
    ("mjx", "hanging_arm.urdf"): {"RD250", "RD453", "RD454", "RD650", "RD750"},
    ("mujoco-warp", "armature_arm.xml"): {"RD250", "RD350", "RD453", "RD454", "RD650", "RD750"},
    ("newton", "hanging_arm.urdf"): {"RD250", "RD350", "RD452", "RD454", "RD650"},
    ("brax", "damped_arm.xml"): {"RD250", "RD453", "RD454", "RD650"},
    ("brax", "hanging_arm_welded_sides.urdf"): {"RD250", "RD453", "RD454", "RD650"},
    ("brax", "elbow_first.urdf"): {"RD250", "RD453", "RD454", "RD650"},
    ("newton", "elbow_first.urdf"): {"RD250", "RD350", "RD452", "RD454", "RD650"},
    ("genesis:no-armature", "elbow_first.urdf"): {"RD250", "RD650", "RD651", "RD750"},
    ("jaxsim:canonical", "hanging_arm.urdf"): {"RD250", "RD350", "RD451", "RD453", "RD454", "RD650", "RD651", "RD750"},
    ("genesis:no-armature", "hanging_arm.urdf"): {"RD250", "RD650", "RD651", "RD750"},
}
FAULTS = {
    ("mjx:default", "damped_arm.xml"): {"RD750"},
    ("mujoco-warp:default", "damped_arm.xml"): {"RD750"},
    ("newton", "weightless_link.urdf"): {"RD250", "RD350"},
    ("newton", "tiny_inertia.urdf"): {"RD250", "RD350"},
    ("brax", "pole_and_slider.xml"): {"RD250", "RD454"},
    ("brax", "arm_without_geom.xml"): {"RD942"},
    ("brax", "arm_on_a_stand.xml"): {"RD942"},
    ("brax", "arm_on_a_bracket.xml"): {"RD250", "RD454", "RD650"},
    ("brax", "arm_on_a_turned_bracket.xml"): {"RD454", "RD650"},
    ("jaxsim:canonical", "hanging_arm.urdf"): {"RD551"},
    ("genesis", "hanging_arm.urdf"): {"RD250", "RD750"},
}


@pytest.mark.parametrize(("library", "model"), RIGHT)
def test_an_ordinary_arm_is_computed_right(library: str, model: str):
    found = run(library, model)
    assert found.status == "ok"
    assert RIGHT[library, model] <= found.passed
    assert found.unknown == set()


@pytest.mark.parametrize(("library", "model"), FAULTS)
def test_a_real_fault_is_found_and_known(library: str, model: str):
    found = run(library, model)
    assert FAULTS[library, model] <= found.wrong
    assert found.unknown == set()
