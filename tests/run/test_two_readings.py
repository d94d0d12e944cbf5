"""Our reading of an MJCF is held against MuJoCo's in a run, and in the lint where MuJoCo is needed anyway."""

from __future__ import annotations

import copy
import importlib.util
from typing import TYPE_CHECKING, Any

import pytest

from robodyn_check import check
from robodyn_check.cli.main import main
from robodyn_check.errors import AdapterMissing, AdapterRefused
from robodyn_check.harness import mjcf_compiler
from tests.model.mjcf_texts import INERTIAL, compiled, mjcf

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from robodyn_check.report.results import Result

STATED = mjcf(f'<body name="a" pos="1 2 3">\n<joint name="j" axis="0 1 0" armature="2"/>\n{INERTIAL}</body>')
#: Only the compiler knows the inertia of a geom.
SHAPED = mjcf('<body name="a">\n<joint name="j" axis="0 1 0"/>\n<geom type="box" size=".1 .2 .3" mass="2"/></body>')

needs_mujoco = pytest.mark.skipif(importlib.util.find_spec("mujoco") is None, reason="MuJoCo is not installed")


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "model.xml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def of_rd150(path: Path) -> list[Result]:
    report = check(path, libraries=[], samples=4, certify=0, select=["RD150"])
    return [one for one in report.models[0].results if one.code == "RD150"]


def compiler_that(monkeypatch: pytest.MonkeyPatch, answer: Callable[..., dict[str, Any]]) -> None:
    monkeypatch.setattr(mjcf_compiler, "run_compiler", answer)


@needs_mujoco
def test_a_run_holds_both_readings_against_each_other(written: Callable[[str], Path]) -> None:
    (result,) = of_rd150(written(STATED))
    assert (result.verdict, result.subject, result.against) == ("pass", "model", None)
    assert "values that the file states are held alike by MuJoCo " in str(result.message)


@needs_mujoco
def test_a_reader_that_is_wrong_is_found_with_the_line(
    written: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(STATED)
    held = copy.deepcopy(compiled(path))
    held["joints"][0]["armature"] *= 1 + 1e-9
    compiler_that(monkeypatch, lambda *_arguments, **_options: held)
    (result,) = of_rd150(path)
    assert result.verdict == "fail"
    assert result.where is not None
    assert result.where.line == 2
    assert "armature of joint 'j': the file says 2, " in str(result.message)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (AdapterMissing, "was not held against MuJoCo's: no such"),
        (AdapterRefused, "MuJoCo's, which gives none: no such"),
    ],
)
def test_without_a_second_reading_nothing_is_claimed(
    written: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, error: type[Exception], words: str
) -> None:
    def refusing(*_arguments: object, **_options: object) -> dict[str, Any]:
        raise error("no such")

    compiler_that(monkeypatch, refusing)
    (result,) = of_rd150(written(STATED))
    assert result.verdict == "skip"
    assert words in str(result.message)


def test_a_urdf_has_one_reading(written: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    compiler_that(monkeypatch, lambda *_arguments, **_options: pytest.fail("a URDF needs no compiler"))
    path = written('<robot name="r"><link name="l"/></robot>')
    urdf = path.rename(path.with_suffix(".urdf"))
    assert of_rd150(urdf) == []


@needs_mujoco
def test_lint_reads_what_needs_the_compiler(written: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", str(written(SHAPED)), "--format", "json"]) == 0
    assert '"code": "RD150"' in capsys.readouterr().out


def test_lint_starts_no_library_for_what_the_file_says(
    written: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler_that(monkeypatch, lambda *_arguments, **_options: pytest.fail("nothing here needs the compiler"))
    assert main(["lint", str(written(STATED))]) == 0


def test_lint_without_mujoco_names_the_extra(
    written: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(*_arguments: object, **_options: object) -> dict[str, Any]:
        raise AdapterMissing("MuJoCo cannot be imported: No module named 'mujoco'")

    compiler_that(monkeypatch, absent)
    assert main(["lint", str(written(SHAPED))]) == 2
    error = capsys.readouterr().err
    assert 'Install it: pip install "robodyn-check[mujoco]"' in error
    assert "model.xml:" in error


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('<robot name="r"><link name="l"/></robot>', "was read alone, without any library: 28 rules found no fault"),
        (
            (
                '<robot name="r"><link name="l"/><link name="m"/><joint name="j" type="continuous"><parent link="l"/>'
                '<child link="m"/><axis xyz="0 0 2"/></joint></robot>'
            ),
            "itself has 1 fault (singular-mass-matrix-zero-inertia-link)",
        ),
    ],
)
def test_lint_says_what_it_did(tmp_path: Path, text: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text(text, encoding="utf-8")
    main(["lint", str(path)])
    output = " ".join(capsys.readouterr().out.split())
    assert words in output
    assert "no library was asked" not in output
