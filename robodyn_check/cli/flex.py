"""``robodyn-check flex MODEL --joints FILE``: a robot whose joints are elastic."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from robodyn_check.cli import options  # noqa: TC001 - typer reads annotations at run time
from robodyn_check.errors import UsageError
from robodyn_check.settings import load_settings


def command(
    model: options.Model,
    *,
    joints: Annotated[
        Path | None,
        typer.Option(
            "--joints",
            help="Springs, gears and rotors of the joints. [default: NAME.joints.toml beside the model]",
            metavar="FILE",
        ),
    ] = None,
    lib: Annotated[
        list[str] | None,
        typer.Option(
            "--lib",
            help="A library to ask, NAME[:PROFILE][==VERSION | @PATH/TO/python]; repeatable. "
            "Default: mujoco:elastic, mujoco, pinocchio, drake.",
            metavar="SPEC",
        ),
    ] = None,
    adapter: options.AdapterFile = None,
    samples: options.Samples = None,
    seed: options.Seed = None,
    gravity: options.Gravity = None,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    poses: Annotated[int, typer.Option("--poses", min=1, help="Poses to show frequencies at.", metavar="N")] = 3,
    format: Annotated[  # noqa: A002 - the option's name
        str, typer.Option("--format", help="terminal or json.", metavar="NAME")
    ] = "terminal",
    bode: Annotated[
        Path | None, typer.Option("--bode", help="Write the Bode picture of the first pose, SVG.", metavar="FILE")
    ] = None,
) -> int:
    """Check elastic joints (MODEL: a robot), or an elastic link (MODEL: a .toml with a table [beam])."""
    if format not in {"terminal", "json"}:
        raise UsageError(f"--format {format}: flex prints 'terminal' or 'json'")
    if bode is not None and not bode.parent.is_dir():
        raise UsageError(f"--bode {bode}: the folder {str(bode.parent)!r} does not exist")
    from robodyn_check.run.flexible import FLEXIBLE_LIBRARIES, run_flexible

    given: dict[str, Any] = {
        "models": [str(model)],
        "lib": lib or None,
        "adapter": adapter or None,
        "samples": samples,
        "seed": seed,
        "gravity": gravity,
        "timeout": timeout,
        "memory": memory,
    }
    settings = load_settings(given)
    from robodyn_check.cli.output import speaks_unicode, terminal_width, wants_color, write_atomically
    from robodyn_check.cli.progress import progress_line
    from robodyn_check.report.bode import bode_svg
    from robodyn_check.report.flexible_text import beam_text, flexible_text
    from robodyn_check.report.json_format import dumps
    from robodyn_check.run.flexible_beam import run_beam

    page: dict[str, Any] = {"width": terminal_width(), "color": wants_color(), "ascii_only": not speaks_unicode()}
    if model.suffix == ".toml":
        with progress_line() as progress:
            beam = run_beam(settings, FLEXIBLE_LIBRARIES, progress=progress)
        sys.stdout.write(dumps(beam) if format == "json" else beam_text(beam, **page))
        return beam.report.exit_code
    with progress_line() as progress:
        found = run_flexible(settings, joints, poses=poses, progress=progress)
    if bode is not None:
        title = f"{Path(found.model).name}, pose {found.poses[0].name}, in gravity"
        write_atomically(bode, bode_svg(found.curves, title=title))
    sys.stdout.write(dumps(found) if format == "json" else flexible_text(found, **page))
    return found.report.exit_code
