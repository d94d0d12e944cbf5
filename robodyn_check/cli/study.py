"""``robodyn-check study rounding``: how far right libraries are from the certified truth, measured again."""

from __future__ import annotations

import sys
from pathlib import Path  # noqa: TC003 - typer reads annotations at run time
from typing import TYPE_CHECKING, Annotated

import typer

from robodyn_check.settings import DEFAULT_LIBRARIES

if TYPE_CHECKING:
    from robodyn_check.run.rounding_study import Study


def command(
    what: Annotated[str, typer.Argument(help="What to study: rounding.", metavar="WHAT")],
    *,
    lib: Annotated[
        list[str] | None,
        typer.Option("--lib", help="A library; repeatable. [default: the default set]", metavar="SPEC"),
    ] = None,
    robots: Annotated[
        int, typer.Option("--robots", help="Small fixed robots; floating and deep ones are added.", metavar="N")
    ] = 60,
    samples: Annotated[int, typer.Option("--samples", help="States of each robot.", metavar="N")] = 3,
    seed: Annotated[int, typer.Option("--seed", help="First seed of the robots.", metavar="N")] = 0,
    seconds: Annotated[
        float, typer.Option("--seconds", help="Time of each library; then it sees no more robots.", metavar="S")
    ] = 600.0,
    output: Annotated[
        Path | None, typer.Option("--output", help="Write the page (Markdown) to a file as well.", metavar="FILE")
    ] = None,
) -> int:
    """Reproduce the calibration of the bounds on random robots. Exit code 1: a right library was called wrong."""
    from robodyn_check.cli.output import write_atomically
    from robodyn_check.cli.progress import progress_line
    from robodyn_check.errors import UsageError
    from robodyn_check.run.rounding_study import study_rounding

    if what != "rounding":
        raise UsageError(f"study {what}: there is one study, 'rounding'")
    libraries = lib or list(DEFAULT_LIBRARIES)
    with progress_line() as progress:
        study = study_rounding(robots, seed=seed, libraries=libraries, samples=samples, seconds=seconds, say=progress)
    words = [f"--lib {name}" for name in lib or ()]
    command_line = " ".join(
        ["robodyn-check study rounding", *words, f"--robots {robots} --samples {samples} --seed {seed}"]
    )
    page = _page(study, command_line)
    if output is not None:
        write_atomically(output, page)
    sys.stdout.write(page)
    return 1 if _alarms(study) else 0


def _alarms(study: Study) -> list[str]:
    """Return every finding about a library that the study takes for right."""
    return [
        f"{observation.case}: {result.subject} {result.code} {result.quantity or ''}: {result.message}"
        for observation in study.observations
        for result in observation.results
        if result.verdict == "fail"
    ]


def _page(study: Study, command_line: str) -> str:
    from robodyn_check.analysis.study_rounding import count_digits, digits_as_markdown, rows_as_markdown, tabulate
    from robodyn_check.checks.registry import texts

    seen = {observation.subject: 0 for observation in study.observations}
    for observation in study.observations:
        seen[observation.subject] += 1
    alarms = _alarms(study)
    lines = [
        "# Rounding of right libraries",
        "",
        f"`{command_line}`. Largest |error| / (eps · S) over all robots, truth certified by ball arithmetic. Robots: "
        + ", ".join(f"{name} {count}" for name, count in seen.items())
        + ".",
        "",
        f"Alarms: **{len(alarms)}**.",
        *(f"- {alarm}" for alarm in alarms),
        "",
        rows_as_markdown(tabulate(study.observations), {text.code: text.bound for text in texts()}),
        "",
        "## Digits kept against the local scale",
        "",
        "Worst / middle robot. No verdict: a library may be careless and correct.",
        "",
        digits_as_markdown(count_digits(study.observations)),
        "",
        *(["## What did not run", "", *(f"- {trouble}" for trouble in study.troubles), ""] if study.troubles else []),
    ]
    return "\n".join(lines)
