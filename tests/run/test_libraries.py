from __future__ import annotations

from pathlib import Path

from robodyn_check.pipeline import run
from robodyn_check.run.assemble import command_line
from robodyn_check.run.libraries import adapters_of
from robodyn_check.settings import load_settings

ROOT = Path(__file__).parents[2]


def test_isolated_libraries_get_environments_of_their_own() -> None:
    given = {"lib": ["idyntree", "pybullet:merged"], "isolated": True}
    settings = load_settings(given, environment={}, configuration=False)
    assert [(str(spec), spec.isolated) for spec in adapters_of(settings)] == [
        ("idyntree", True),
        ("pybullet:merged", True),
    ]
    assert "--isolated" in command_line(settings, ["robot.urdf"]).split()


def test_other_libraries_run_in_the_current_environment() -> None:
    settings = load_settings({"lib": ["idyntree"]}, environment={}, configuration=False)
    assert [spec.isolated for spec in adapters_of(settings)] == [False]
    assert "--isolated" not in command_line(settings, ["robot.urdf"])


def test_a_library_starts_when_its_turn_comes_and_serves_every_model() -> None:
    """With one turn at a time, a process that imported already would take the processor from who has the turn."""
    adapter, model = Path(__file__).with_name("pendulum_adapter.py"), ROOT / "models" / "pendulum" / "model.urdf"
    given = {"lib": ["pendulum", "pendulum:nan"], "adapter": [str(adapter)], "jobs": 1, "samples": 2, "certify": 0}
    settings = load_settings({**given, "models": [str(model)] * 2}, environment={}, configuration=False)
    steps: list[str] = []
    report = run(settings, progress=steps.append)
    assert [subject.status for one in report.models for subject in one.subjects if subject.name == "pendulum"] == [
        "ok"
    ] * 2
    starts = [step for step in steps if step.startswith(("starting", "pendulum"))]
    assert starts.index("starting pendulum:nan") > starts.index("pendulum: loading")
    assert starts.count("starting pendulum") == starts.count("starting pendulum:nan") == 1
