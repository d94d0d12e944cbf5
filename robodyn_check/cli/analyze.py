"""``robodyn-check analyze MODEL``: what the equation of motion says about one robot; no library is asked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from robodyn_check.cli import options  # noqa: TC001 - typer reads annotations at run time
from robodyn_check.errors import UsageError
from robodyn_check.settings import load_settings

if TYPE_CHECKING:
    from robodyn_check.analysis.results import Analysis

FORMATS = ("terminal", "json", "html")
#: Poses unless told otherwise.
POSES = 300


def command(
    model: options.Model,
    *,
    joints: Annotated[
        Path | None,
        typer.Option(
            "--joints",
            help="Gears, rotors, torque limits, payload. [default: NAME.joints.toml beside the model]",
            metavar="FILE",
        ),
    ] = None,
    tool: Annotated[
        list[str] | None,
        typer.Option("--tool", help="A link to look at as a tip; repeatable. [default: each leaf]", metavar="LINK"),
    ] = None,
    samples: Annotated[int, typer.Option("--samples", min=1, help="Number of poses.", metavar="N")] = POSES,
    seed: options.Seed = None,
    base: options.Base = None,
    gravity: options.Gravity = None,
    format: Annotated[  # noqa: A002 - the option's name
        list[str] | None,
        typer.Option(
            "--format", help="terminal, json or html, to stdout or to a file; repeatable.", metavar="NAME[=FILE]"
        ),
    ] = None,
) -> int:
    """Show inertia, gravity, effective mass, manipulability and base parameters of a robot."""
    outputs = [_output(word) for word in format or ["terminal"]]
    if sum(file is None for _, file in outputs) > 1:
        raise UsageError("--format: two formats would share stdout; give all but one a file, such as html=FILE")
    given: dict[str, Any] = {"models": [str(model)], "seed": seed, "base": base, "gravity": gravity}
    settings = load_settings(given)

    from robodyn_check.analysis.study import analyse
    from robodyn_check.harness.mjcf_compiler import run_compiler
    from robodyn_check.model.build import build_mechanism
    from robodyn_check.model.joint_data import beside, with_payload
    from robodyn_check.model.joint_data_reader import read_joint_data
    from robodyn_check.model.read import read_model
    from robodyn_check.model.transmissions import with_transmissions

    robot = read_model(model, compile_mjcf=run_compiler)
    path = joints or beside(model)
    data = with_transmissions(None if path is None else read_joint_data(path, robot), robot)
    mechanism = build_mechanism(
        with_payload(robot, None if data is None else data.payload),
        base="floating" if settings.base == "floating" else "fixed",
        gravity=settings.gravity,
    )
    found = analyse(robot, mechanism, data, tools=tool or (), samples=samples, seed=settings.seed)
    for name, file in outputs:
        _write(found, name, file)
    return 0


def _output(word: str) -> tuple[str, Path | None]:
    name, equals, target = word.partition("=")
    if name not in FORMATS:
        raise UsageError(f"--format {word}: analyze knows {', '.join(FORMATS)}")
    if equals and not target:
        raise UsageError(f"--format {word}: a file name must follow the equals sign")
    file = Path(target) if target else None
    if file is not None and not file.parent.is_dir():
        raise UsageError(f"--format {word}: the folder {str(file.parent)!r} does not exist")
    return name, file


def _write(found: Analysis, name: str, file: Path | None) -> None:
    from robodyn_check.cli.output import speaks_unicode, write_atomically

    text = _text(found, name, ascii_only=file is None and not speaks_unicode())
    if file is not None:
        write_atomically(file, text)
    else:
        sys.stdout.write(text)
        sys.stdout.flush()


def _text(found: Analysis, name: str, *, ascii_only: bool) -> str:
    import dataclasses
    import json

    if name == "json":
        return json.dumps(_finite(dataclasses.asdict(found)), indent=1, allow_nan=False) + "\n"
    if name == "html":
        from robodyn_check.analysis.page import page

        return page(found)
    from robodyn_check.analysis.terminal import terminal

    return terminal(found, ascii_only=ascii_only)


def _finite(value: Any) -> Any:
    """Return nested values with null in place of what JSON cannot say."""
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not abs(value) < float("inf") else value
