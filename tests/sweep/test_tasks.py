from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from robodyn_check.errors import UsageError
from robodyn_check.settings import Settings
from robodyn_check.sweep.tasks import WARM_LIBRARIES, groups, make_plan
from robodyn_check.sweep.versions import agreed
from tests.sweep.robots import copies, settings

if TYPE_CHECKING:
    from robodyn_check.sweep.tasks import Plan


def plan(given: Settings, version: str = "1") -> Plan:
    return make_plan(given.models, given, lambda _spec, _file: version)


def key(given: Settings, version: str = "1") -> str:
    return plan(given, version).tasks[0].key


@pytest.fixture
def model(tmp_path: Path) -> str:
    return copies(tmp_path, 1)[0]


@pytest.mark.parametrize(
    "change",
    [
        {"samples": 11},
        {"seed": 1},
        {"base": "floating"},
        {"gravity": (0.0, 0.0, -1.6)},
        {"select": ("RD2",)},
        {"lib": ("pendulum:wrong",)},
        {"certify": 3},
        {"strict": True},
    ],
    ids=lambda change: next(iter(change)),
)
def test_whatever_the_answer_depends_on_is_in_the_key(model: str, change: dict[str, object]) -> None:
    assert key(settings([model])) != key(dataclasses.replace(settings([model]), **change))  # type: ignore[arg-type]


def test_the_version_of_the_library_is_in_the_key(model: str) -> None:
    assert key(settings([model]), "1") != key(settings([model]), "2")


def test_limits_that_only_make_errors_are_not_in_the_key(model: str) -> None:
    assert key(settings([model])) == key(dataclasses.replace(settings([model]), timeout=1.0, memory=99))


def test_two_files_of_one_content_are_one_task(tmp_path: Path, model: str) -> None:
    twin = tmp_path / "twin.urdf"
    twin.write_bytes((tmp_path / "robot0.urdf").read_bytes())
    made = plan(settings([model, str(twin)]))
    assert len(made.tasks) == 1
    assert made.copies == (str(twin),)


def test_neighbours_of_one_model_are_one_group(tmp_path: Path) -> None:
    made = plan(settings(copies(tmp_path, 3), "pendulum", "pendulum:wrong"))
    assert [[task.spec for task in group] for group in groups(made.tasks)] == [["pendulum", "pendulum:wrong"]] * 3


def test_larger_files_come_first(tmp_path: Path) -> None:
    """A large robot that is begun last keeps one worker busy when the others have nothing left."""
    models = copies(tmp_path, 3)
    with Path(models[1]).open("a") as file:
        file.write("<!-- " + 900 * "large " + "-->\n")
    order = [task.model for task in plan(settings(models, "pendulum")).tasks]
    assert order[0] == models[1]
    assert sorted(order) == sorted(models)


def test_more_libraries_than_a_worker_keeps_running_take_several_passes(tmp_path: Path) -> None:
    names = ["", ":wrong", ":nan", ":crash", ":hang", ":chatter", ":refuses", ":limited"]
    made = plan(settings(copies(tmp_path, 2), *(f"pendulum{name}" for name in names)))
    sizes = [len(group) for group in groups(made.tasks)]
    assert sizes == [WARM_LIBRARIES, WARM_LIBRARIES, 2, 2]


def test_a_default_library_that_is_missing_is_left_out_and_said(model: str) -> None:
    made = make_plan([model], Settings(), lambda spec, _file: "missing" if spec == "drake" else "1")
    assert made.absent == ("drake",)
    assert {task.spec for task in made.tasks} == {"pinocchio", "mujoco"}


def test_a_named_library_that_is_missing_stays_and_becomes_an_error(model: str) -> None:
    made = make_plan([model], Settings(lib=("drake",)), lambda _spec, _file: "missing")
    assert len(made.tasks) == 1


def test_no_library_at_all_is_refused(model: str) -> None:
    with pytest.raises(UsageError, match="none of pinocchio, mujoco, drake is installed"):
        make_plan([model], Settings(), lambda _spec, _file: "missing")


def test_machines_that_differ_are_refused_by_name() -> None:
    machines = {"tcp://a": {"drake": "1.40.0", "mujoco": "4.0.0"}, "tcp://b": {"drake": "1.51.1", "mujoco": "4.0.0"}}
    with pytest.raises(UsageError, match=r"drake: 1\.40\.0 on tcp://a; 1\.51\.1 on tcp://b"):
        agreed(machines)
    assert agreed({"tcp://a": machines["tcp://a"]}) == machines["tcp://a"]
