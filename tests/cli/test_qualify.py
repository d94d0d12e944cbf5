"""``qualify`` proves this installation and notices when the reference is wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from robodyn_check.cli.main import main
from robodyn_check.reference import chunk
from robodyn_check.resources import resource_folder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def two_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Two of the bundled models are enough to see every kind of proof."""
    for name in ("planar_2r", "free_body"):
        (tmp_path / name).symlink_to(resource_folder("models") / name)
    monkeypatch.setattr("robodyn_check.resources.resource_folder", lambda _name: tmp_path)


@pytest.mark.usefixtures("two_models")
def test_an_honest_installation_qualifies(capsys: pytest.CaptureFixture[str]):
    assert main(["qualify", "--format", "json"]) == 0
    page = json.loads(capsys.readouterr().out)
    assert page["qualified"]
    assert {proof["kind"] for proof in page["proofs"]} == {"closed form", "certificate", "identity"}
    assert all(0 <= proof["margin"] <= 1 for proof in page["proofs"])


@pytest.mark.usefixtures("two_models")
def test_a_wrong_reference_does_not(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    honest = chunk.COMPUTE["gravity_vector"]
    monkeypatch.setitem(chunk.COMPUTE, "gravity_vector", lambda part, out: honest(part, out) * 2)
    assert main(["qualify"]) == 1
    page = capsys.readouterr().out
    assert "FAIL planar_2r" in page
    assert "NOT QUALIFIED" in page
    assert "Do not trust verdicts made here" in page


def test_an_unknown_format_is_a_usage_error(capsys: pytest.CaptureFixture[str]):
    assert main(["qualify", "--format", "html"]) == 2
    assert "qualify prints 'terminal' or 'json'" in capsys.readouterr().err
