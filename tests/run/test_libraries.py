from __future__ import annotations

from robodyn_check.run.assemble import command_line
from robodyn_check.run.libraries import adapters_of
from robodyn_check.settings import load_settings


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
