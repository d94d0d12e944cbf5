from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from robodyn_check import __version__
from robodyn_check.checks.texts import texts
from robodyn_check.cli import main as cli
from robodyn_check.cli.verbs import VERBS

ROOT = Path(__file__).parents[2]
MODEL = str(ROOT / "models" / "pendulum" / "model.urdf")
ADAPTER = str(ROOT / "tests" / "run" / "pendulum_adapter.py")


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_word_that_is_no_verb_is_a_model_to_check() -> None:
    assert cli.with_verb(["robot.urdf", "--lib", "drake"]) == ["check", "robot.urdf", "--lib", "drake"]
    assert cli.with_verb(["--lib", "drake", "robot.urdf"])[0] == "check"


@pytest.mark.parametrize("words", [["explain", "RD201"], ["--version"], ["--help"], []])
def test_a_verb_and_questions_about_the_program_stay(words: list[str]) -> None:
    assert cli.with_verb(words) == words


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"robodyn-check {__version__}\n"


def test_help_lists_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    output = capsys.readouterr().out
    assert all(f"  {verb} " in output for verb in VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([verb, "--help"]) == 0
    assert f"Usage: robodyn-check {verb}" in capsys.readouterr().out


OPTIONS = [
    "--lib",
    "--adapter",
    "--samples",
    "--seed",
    "--base",
    "--gravity",
    "--timeout",
    "--memory",
    "--select",
    "--ignore",
    "--format",
    "--fail-on",
    "--strict",
    "--exit-zero",
]


@pytest.mark.parametrize("option", OPTIONS)
def test_check_has_the_options_that_others_script_against(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["check", "--help"])
    assert f" {option}" in capsys.readouterr().out


@pytest.mark.parametrize("code", [text.code for text in texts()])
def test_explain_prints_every_check_in_80_columns(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", code]) == 0
    output = capsys.readouterr().out
    assert output.startswith(code)
    assert "Why it matters" in output
    assert max(map(len, output.splitlines())) <= 80


def test_explain_of_an_unknown_code_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", "RD2O1"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "There is no check 'RD2O1'. Nearest: RD201" in captured.err


def test_checks_lists_every_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["checks"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:5] for line in lines] == [text.code for text in texts()]


def test_libs_lists_the_default_libraries_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["libs"]) == 0
    output = capsys.readouterr().out
    names = [line.partition(" ")[0] for line in output.splitlines() if not line.startswith(" ")]
    assert names[:3] == ["pinocchio", "mujoco", "drake"]
    assert "asked by default" in output


@pytest.mark.parametrize(
    "words",
    [["--help"], ["--version"], ["explain", "RD201"], ["checks"], ["lint", MODEL], ["check", "--help"]],
    ids=lambda words: words[0],
)
def test_light_verbs_import_neither_numpy_nor_a_library(words: list[str]) -> None:
    heavy = ["numpy", "jinja2", "rich", "pinocchio", "mujoco", "pydrake", "flint"]
    program = (
        "import sys\nfrom robodyn_check.cli.main import main\n"
        f"code = main({words!r})\n"
        f"loaded = [name for name in {heavy!r} if name in sys.modules]\n"
        "print(loaded, code, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[] 0"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([MODEL, "--lip", "drake"], "No such option: --lip"),
        ([MODEL, "--samples", "many"], "Invalid value for '--samples'"),
        ([MODEL, "--gravity"], "Option '--gravity' requires an argument"),
        ([MODEL, "--gravity", "0,0"], "--gravity: found '0,0', expected three numbers"),
        ([MODEL, "--format", "jsn"], r"unknown format 'jsn'. Did you mean 'json'?"),
        ([MODEL, "--format", "json", "--format", "junit"], "json and junit would share stdout"),
        ([MODEL, "--format", "json=no/such/file.json"], "the folder 'no/such' does not exist"),
        ([MODEL, "--format", "json="], "a file name must follow the equals sign"),
        ([MODEL, "--lib", "pinochio"], "Did you mean 'pinocchio'?"),
        (["check"], "no model given"),
        (["nowhere.urdf"], "nowhere.urdf"),
        (["lint", "nowhere.urdf"], "nowhere.urdf"),
        (["eval", MODEL, "--states", "none.json"], "none.json: cannot be read"),
    ],
)
def test_a_wrong_command_line_exits_2_with_the_reason_on_stderr(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
    assert "Traceback" not in captured.err


def test_a_fault_of_ours_is_one_line_without_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_words: object) -> object:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(cli, "do", broken)
    assert cli.main(["checks"]) == 3
    error = capsys.readouterr().err
    assert error.startswith("robodyn-check: internal error, ZeroDivisionError: by zero.")
    assert error.count("\n") == 1
    monkeypatch.setenv("ROBODYN_CHECK_DEBUG", "1")
    cli.main(["checks"])
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_exits_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(_words: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "do", interrupted)
    assert cli.main(["checks"]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_stdout_is_the_chosen_format_alone_and_files_are_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = [MODEL, "--adapter", ADAPTER, "--samples", "12", "--gravity", "0,0,-1.62"]
    assert cli.main([*words, "--format", "json", "--format", "junit=report.xml"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    report = json.loads(captured.out)
    assert report["models"][0]["states"]["gravity"] == [0, 0, -1.62]
    assert report["exit_code"] == 0
    assert (tmp_path / "report.xml").read_text(encoding="utf-8").startswith("<?xml")
    assert [path.name for path in tmp_path.iterdir()] == ["report.xml"]


def test_a_wrong_library_exits_1_or_0_with_exit_zero(capsys: pytest.CaptureFixture[str]) -> None:
    words = [MODEL, "--adapter", ADAPTER, "--lib", "pendulum:wrong", "--samples", "12"]
    assert cli.main(words) == 1
    assert "FAIL" in capsys.readouterr().out
    assert cli.main([*words, "--exit-zero"]) == 0


def test_gravity_may_begin_with_a_minus(capsys: pytest.CaptureFixture[str]) -> None:
    words = [MODEL, "--adapter", ADAPTER, "--samples", "12", "--gravity", "-1,0,0", "--format", "json"]
    cli.main(words)
    assert json.loads(capsys.readouterr().out)["models"][0]["states"]["gravity"] == [-1, 0, 0]


def test_lint_reports_a_faulty_file_with_its_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = Path(MODEL).read_text(encoding="utf-8").replace('<mass value="2"/>', '<mass value="-2"/>')
    (tmp_path / "bad.urdf").write_text(text, encoding="utf-8")
    assert cli.main(["lint", "bad.urdf"]) == 1
    assert "bad.urdf:7" in capsys.readouterr().out
    assert cli.main(["lint", MODEL]) == 0
