"""The pytest plug-in: one test per check and model, with the verdicts of a run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "adapters" / "template.py"
WRONG = "POLE * LENGTH**2 + INERTIA"


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    words = ("-p", "robodyn_check.pytest_plugin", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(folder))
    return subprocess.run(
        (sys.executable, "-m", "pytest", "-q", "-rA", *words, *arguments),
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the output of one run with a right and a wrong adapter beside a test of the project's own."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "test_own.py").write_text("def test_own():\n    assert True\n", encoding="utf-8")
    text = TEMPLATE.read_text(encoding="utf-8")
    assert WRONG in text
    (folder / "wrong.py").write_text(text.replace(WRONG, "POLE * LENGTH**2"), encoding="utf-8")
    model = ROOT / "models" / "cart_pole" / "model.urdf"
    adapters = ("--robodyn-adapter", str(TEMPLATE), "--robodyn-adapter", "wrong.py")
    done = run_pytest(folder, *adapters, "--robodyn-model", str(model), "--robodyn-samples", "4")
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def test_a_right_adapter_passes_beside_the_projects_own_tests(output: str):
    assert "PASSED test_own.py::test_own" in output
    assert "PASSED robodyn-check/template.py/cart_pole::RD250-" in output
    assert "FAILED robodyn-check/template.py" not in output


def test_what_is_not_offered_is_a_skip(output: str):
    assert "template does not offer forward_dynamics" in output


def test_a_wrong_adapter_fails_with_the_finding_and_no_frames_of_ours(output: str):
    assert "FAILED robodyn-check/wrong.py/cart_pole::RD250-" in output
    assert "fail: mass_matrix[hinge, hinge] is 0.075, expected 0.08" in output
    assert "PASSED robodyn-check/wrong.py/cart_pole::RD201-" in output
    failures = output.split("= FAILURES =")[1].partition("short test summary info")[0]
    assert "Traceback" not in failures
    assert "pytest_plugin.py" not in failures


def test_an_adapter_that_is_not_there_is_a_usage_error(tmp_path: Path):
    done = run_pytest(tmp_path, "--robodyn-adapter", "./absent.py")
    assert done.returncode == 4, done.stdout + done.stderr
    assert "there is no such file" in done.stderr
    assert "Traceback" not in done.stderr
