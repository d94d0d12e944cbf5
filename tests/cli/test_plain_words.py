"""Plain words mean to a verb what typer would make of them; what is not plain is left to typer."""

from __future__ import annotations

import functools
import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest
import typer

from robodyn_check.cli import app
from robodyn_check.cli.plain_words import plain_words
from robodyn_check.cli.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
PLAIN = [
    "check",
    "check a.urdf",
    "check a.urdf b.xml --lib pinocchio --lib mujoco:default==3.1 --samples 20 --exit-zero",
    "check --gravity 0,0,-1.6 a.urdf --format json=x.json --timeout 2.5 --seed=7",
    "check --gravity -1,0,-9 a.urdf",
    "check a.urdf --samples=3 --samples 4",
    "check a.urdf --save-baseline folder/x.json",
    "eval a.urdf --states s.json --quantity mass_matrix",
    "explain RD201",
    "checks",
    "lint a.urdf --select RD1,RD2 --ignore RD110 --fail-on warn",
    "lint a.urdf --format=terminal",
    "pair a.urdf b.xml",
    "shrink r.json RD250:drake --out here",
    "exam a.urdf --seed -3",
    "bump mujoco 3.13.0 3.14.0 a.urdf",
    "bisect pinocchio 3.0 4.0",
    "trend mujoco a.urdf --version 3.1 --version 3.2 --last 3",
    "diff old.json new.json",
    "render r.json --format html",
    "serve --port 0",
    "query --fails",
    "init --ci github",
    "cache --clean",
]
NOT_PLAIN = [
    "check --help",
    "lint -h",
    "check a.urdf --lip drake",
    "check a.urdf --samples many",
    "check a.urdf --samples 1_000",
    "check a.urdf --gravity",
    "check a.urdf --exit-zero=1",
    "check -- a.urdf",
    "check a.urdf --no-exit-zero",
    "explain",
    "explain RD201 RD202",
    "trend mujoco --last 1",
    "eval a.urdf",
]


def command_of(verb: str) -> Callable[..., object]:
    command: Callable[..., object] = importlib.import_module(f"robodyn_check.cli.{verb}").command
    return command


def by_typer(words: list[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Let typer read the words and return what it hands to the verb."""
    got: dict[str, Any] = {}
    command = command_of(words[0])

    @functools.wraps(command)
    def recorder(**arguments: Any) -> None:
        got.update(arguments)

    monkeypatch.setattr(sys.modules[command.__module__], "command", recorder)
    app.run_app(words)
    return got


@pytest.mark.parametrize("line", PLAIN)
def test_plain_words_mean_what_typer_makes_of_them(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    verb, *words = line.split()
    given = plain_words(command_of(verb), words)
    assert given is not None
    parameters = inspect.signature(command_of(verb)).parameters.items()
    defaults = {name: one.default for name, one in parameters if one.default is not inspect.Parameter.empty}
    assert {**defaults, **given} == by_typer([verb, *words], monkeypatch)


@pytest.mark.parametrize("line", NOT_PLAIN)
def test_what_is_not_plain_is_left_to_typer(line: str) -> None:
    verb, *words = line.split()
    assert plain_words(command_of(verb), words) is None


@pytest.mark.parametrize("verb", VERBS)
def test_the_declarations_of_every_verb_are_understood(verb: str) -> None:
    command = command_of(verb)
    needed = [
        "1"
        for one in inspect.signature(command).parameters.values()
        if one.default is inspect.Parameter.empty and one.kind is not inspect.Parameter.KEYWORD_ONLY
    ]
    options = [
        f"--{one.name}=1"
        for one in inspect.signature(command).parameters.values()
        if one.default is inspect.Parameter.empty and one.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    assert plain_words(command, [*needed, *options]) is not None


@pytest.mark.parametrize(
    "hint",
    [
        Annotated[str, typer.Option("--name", "-n")],
        Annotated[str, typer.Option("--name", prompt=True)],
        Annotated[str, typer.Option("--name", envvar="NAME")],
        Annotated[dict[str, str], typer.Option("--name")],
        str,
    ],
    ids=["short", "prompt", "variable", "mapping", "bare"],
)
def test_declarations_beyond_plain_ones_are_left_to_typer(hint: Any) -> None:
    def command(name: str = "") -> None:
        pass

    command.__annotations__["name"] = hint
    assert plain_words(command, ["--name", "x"]) is None


def test_lint_loads_no_typer() -> None:
    program = (
        "import sys\nfrom robodyn_check.cli.main import main\n"
        "main(['lint', 'models/pendulum/model.urdf'])\n"
        "print([name for name in ('typer', 'importlib.metadata', 'numpy') if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[]"
