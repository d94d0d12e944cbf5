"""The action's steps, run on the sample repository as a runner would, and every format that they produce."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import yaml  # type: ignore[import-untyped]
from lxml import etree

from robodyn_check.report.json_format import read_report
from robodyn_check.report.schema import report_schema

from .conftest import ROOT, SWING

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE = ROOT / "tests" / "sample_repository"
SCHEMAS = ROOT / "tests" / "report" / "schemas"
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
WORKFLOW: dict[str, Any] = yaml.safe_load((SAMPLE / ".github" / "workflows" / "dynamics.yml").read_text())
WITH: dict[str, str] = WORKFLOW["jobs"]["check"]["steps"][1]["with"]
FILES = ("report.json", "report.html", "junit.xml", "report.sarif", "comment.md", "summary.md", "badge.json")


class Runner:
    """Runs the steps of the action that are scripts, with inputs as a workflow gives them."""

    def __init__(self, folder: Path) -> None:  # noqa: D107 - the class says it
        self.repository = folder / "repository"
        shutil.copytree(SAMPLE, self.repository)
        shutil.copy(SWING, self.repository / "swing.py")
        programs = folder / "bin"
        programs.mkdir()
        program = programs / "robodyn-check"
        program.write_text(
            f'#!{sys.executable}\nimport sys\nsys.path.insert(0, "{ROOT}")\n'
            "from robodyn_check.cli.main import run\nrun()\n",
            encoding="utf-8",
        )
        program.chmod(0o755)
        self.files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        self.environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        self.environment |= {name: str(path) for name, path in self.files.items()}

    def step(self, name: str, inputs: dict[str, str]) -> subprocess.CompletedProcess[str]:
        """Run one step."""
        (step,) = [one for one in ACTION["runs"]["steps"] if one.get("name") == name]
        given = {key: entry.get("default", "") for key, entry in ACTION["inputs"].items()} | inputs
        values = {f"${{{{ inputs.{key} }}}}": value for key, value in given.items()}
        values["${{ steps.check.outputs.exit-code }}"] = self.outputs().get("exit-code", "")
        variables = {key: values[str(text)] for key, text in step.get("env", {}).items()}
        return subprocess.run(
            ["/bin/bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=self.repository,
            env={**self.environment, **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    def outputs(self) -> dict[str, str]:
        """Return what the steps wrote as outputs."""
        path = self.files["GITHUB_OUTPUT"]
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        return dict(line.split("=", maxsplit=1) for line in lines)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    runner = Runner(tmp_path_factory.mktemp("ci"))
    done = runner.step("Check", WITH)
    assert done.returncode == 0, done.stderr
    return runner


def test_the_steps_produce_all_formats_and_succeed(ran: Runner) -> None:
    folder = ran.repository / "robodyn-check-report"
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    assert ran.outputs() == {"exit-code": "0", "report": "robodyn-check-report/report.json"}
    assert ran.files["GITHUB_STEP_SUMMARY"].read_text() == (folder / "summary.md").read_text()
    assert ran.step("Verdict", WITH).returncode == 0


def test_options_of_the_workflow_reach_the_run(ran: Runner) -> None:
    report = read_report((ran.repository / "robodyn-check-report" / "report.json").read_text(encoding="utf-8"))
    states = report.models[0].states
    assert states is not None
    assert (states.seed, states.count) == (7, 12)


def test_the_formats_are_valid(ran: Runner) -> None:
    folder = ran.repository / "robodyn-check-report"
    jsonschema.validate(json.loads((folder / "report.json").read_text()), report_schema())
    sarif_schema = json.loads(next(SCHEMAS.glob("*sarif*.json")).read_text())
    jsonschema.validate(json.loads((folder / "report.sarif").read_text()), sarif_schema)
    suites = etree.parse(str(folder / "junit.xml")).getroot()
    etree.XMLSchema(etree.parse(SCHEMAS / "junit.xsd")).assertValid(suites)
    for suite in suites:
        cases = suite.findall("testcase")
        assert int(suite.get("tests", "0")) == len(cases) > 0
        assert all(case.get("name") and case.get("classname") for case in cases)
    badge = json.loads((folder / "badge.json").read_text())
    assert badge["schemaVersion"] == 1
    assert (folder / "report.html").read_text().startswith("<!doctype html>")


def test_a_wrong_library_fails_the_job_and_the_reports_are_kept(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    file = runner.repository / "swing.py"
    file.write_text(file.read_text().replace("value = MASS", "value = 2.0 * MASS"), encoding="utf-8")
    done = runner.step("Check", {})
    assert done.returncode == 0, "the verdict comes after the reports are kept"
    assert "::error file=robots/pendulum.urdf" in done.stdout
    assert runner.outputs()["exit-code"] == "1"
    assert (runner.repository / "robodyn-check-report" / "report.html").is_file()
    assert runner.step("Verdict", {}).returncode == 1


def test_a_configuration_that_cannot_be_used_fails_the_job(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    project = runner.repository / "pyproject.toml"
    project.write_text(project.read_text().replace("samples", "sampels"), encoding="utf-8")
    done = runner.step("Check", {})
    assert "unknown key 'sampels'. Did you mean 'samples'?" in done.stderr
    assert runner.step("Verdict", {}).returncode == 2


def test_no_input_becomes_text_of_a_script() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_a_file_name_with_blanks_and_quotes_is_one_word(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    name = "robots/it's a $(touch pwned) pendulum.urdf"
    shutil.copy(runner.repository / "robots" / "pendulum.urdf", runner.repository / name)
    runner.step("Check", {"models": f"{name}\n", "output": "a folder"})
    assert runner.outputs()["exit-code"] == "0"
    assert not (runner.repository / "pwned").exists()
    report = read_report((runner.repository / "a folder" / "report.json").read_text(encoding="utf-8"))
    assert report.models[0].model.path == name


def test_every_input_and_output_is_documented() -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    assert [name for name in (*ACTION["inputs"], *ACTION["outputs"]) if f"`{name}`" not in page] == []


def test_the_pre_commit_hook_lints_models(tmp_path: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    runner = Runner(tmp_path)
    broken = runner.repository / "robots" / "broken.urdf"
    broken.write_text("<robot name='r'><link name='a'/><link name='a'/></robot>", encoding="utf-8")
    for path, code in (("robots/pendulum.urdf", 0), ("robots/broken.urdf", 2)):
        done = subprocess.run(
            [*hook["entry"].split(), path],
            cwd=runner.repository,
            env=runner.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
