"""PROTOCOL.md is enough: an adapter in a language that the SDK does not speak conforms, and so do the templates."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from robodyn_check.conform.page import verdict_page
from robodyn_check.conform.run import Conformance, conform, settings_for

ROOT = Path(__file__).parents[2]
NODE = Path(__file__).parent / "foreign" / "two_links.mjs"


def examined(adapter: Path, model: str) -> Conformance:
    found = conform(settings_for(str(adapter), [ROOT / "models" / model / "model.urdf"], samples=6, certify=2))
    assert found.exit_code == 0, verdict_page(found)
    return found


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_a_program_in_javascript_conforms():
    found = examined(NODE, "planar_2r")
    assert not [finding for finding in found.protocol if finding.verdict != "pass"]
    assert verdict_page(found).splitlines()[0].startswith("robodyn-check conform: two_links ")
    assert "CONFORMS: two_links speaks the protocol and is right" in " ".join(verdict_page(found).split())


def test_the_python_template_conforms():
    assert examined(ROOT / "adapters" / "template.py", "cart_pole").report is not None
