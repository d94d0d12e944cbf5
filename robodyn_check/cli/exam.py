"""``robodyn-check exam``: plant known faults and count what the checks find, name and locate."""

from __future__ import annotations

import sys
from pathlib import Path  # noqa: TC003 - typer reads annotations at run time
from typing import Annotated

import typer


def command(
    models: Annotated[
        list[Path] | None,
        typer.Argument(help="Model files, or folders of them; default: about 20 small robots.", metavar="MODEL"),
    ] = None,
    *,
    seed: Annotated[int, typer.Option("--seed", help="Of states and of the faults' places.", metavar="N")] = 0,
    numbers: Annotated[
        int, typer.Option("--numbers", help="Numbers of each file to change at falling sizes.", metavar="N")
    ] = 12,
    output: Annotated[
        Path | None, typer.Option("--output", help="Write the page (Markdown) to a file as well.", metavar="FILE")
    ] = None,
) -> int:
    """Plant known faults into robots; count what is found, named and located. Exit code 1: missed, or a false alarm."""
    from robodyn_check.cli.output import write_atomically
    from robodyn_check.cli.progress import progress_line
    from robodyn_check.run.exam import Exam
    from robodyn_check.run.exam_page import exam_page
    from robodyn_check.run.exam_robots import robots, sit
    from robodyn_check.sweep.collect import collect
    from robodyn_check.version import __version__

    exam = Exam()
    with progress_line() as progress:
        named = [path for path in models or () if not path.is_dir()]
        folders = [str(path) for path in models or () if path.is_dir()]
        for robot in robots(named, collect(folders) if folders else (), _aside):
            sit(exam, robot, seed=seed, numbers=numbers, say=progress)
    words = ["robodyn-check exam", *(str(path) for path in models or ()), f"--seed {seed} --numbers {numbers}"]
    page = exam_page(exam, " ".join(words), version=__version__)
    if output is not None:
        write_atomically(output, page)
    sys.stdout.write(page)
    return 1 if exam.went_wrong else 0


def _aside(text: str) -> None:
    sys.stderr.write(f"{text}\n")
