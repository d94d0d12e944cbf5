"""``robodyn-check study rounding``: how far right libraries are from the certified truth, measured again."""

from __future__ import annotations

import sys
from pathlib import Path  # noqa: TC003 - typer reads annotations at run time
from typing import TYPE_CHECKING, Annotated

import typer

from robodyn_check.settings import DEFAULT_LIBRARIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from robodyn_check.analysis.study_population import Case
    from robodyn_check.analysis.study_rounding import Observation

#: What each library may use in all, unless told otherwise.
SECONDS = 600.0


def command(
    what: Annotated[str, typer.Argument(help="What to study: rounding.", metavar="WHAT")],
    *,
    lib: Annotated[
        list[str] | None,
        typer.Option("--lib", help="A library; repeatable. [default: the default set]", metavar="SPEC"),
    ] = None,
    robots: Annotated[int, typer.Option("--robots", help="Random robots, of all populations.", metavar="N")] = 120,
    samples: Annotated[
        int, typer.Option("--samples", help="States of each robot; large ones get fewer.", metavar="N")
    ] = 2,
    seed: Annotated[int, typer.Option("--seed", help="First seed of the robots.", metavar="N")] = 0,
    seconds: Annotated[
        float, typer.Option("--seconds", help="Time of each library; then it sees no more robots.", metavar="S")
    ] = SECONDS,
    keep: Annotated[
        Path | None,
        typer.Option("--keep", help="Keep what was seen in a file; go on from there where it exists.", metavar="FILE"),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", help="Write the page (Markdown) to a file as well.", metavar="FILE")
    ] = None,
) -> int:
    """Reproduce the calibration of the bounds on random robots. Exit code 1: a right library was called wrong."""
    from robodyn_check.analysis.study_page import study_page
    from robodyn_check.analysis.study_population import population
    from robodyn_check.analysis.study_rounding import summarise
    from robodyn_check.checks.registry import texts
    from robodyn_check.cli.output import write_atomically
    from robodyn_check.cli.progress import progress_line
    from robodyn_check.errors import UsageError

    if what != "rounding":
        raise UsageError(f"study {what}: there is one study, 'rounding'")
    if output is not None and not output.parent.is_dir():
        raise UsageError(f"--output {output}: the folder {str(output.parent)!r} does not exist")
    libraries = lib or list(DEFAULT_LIBRARIES)
    parameters = {"libraries": libraries, "samples": samples, "seed": seed}
    with progress_line() as progress:
        study = _Study(libraries=libraries, samples=samples, seconds=seconds, say=progress)
        cases = population(robots, seed=seed)
        summary = summarise(study.run(cases) if keep is None else study.go_on(cases, keep, parameters))
    words = [f"--lib {name}" for name in lib or ()] + ([] if seconds == SECONDS else [f"--seconds {seconds:g}"])
    line = " ".join(["robodyn-check study rounding", *words, f"--robots {robots} --samples {samples} --seed {seed}"])
    page = study_page(summary, texts(), command=line)
    if output is not None:
        write_atomically(output, page)
    sys.stdout.write(page)
    return 1 if summary.alarms else 0


class _Study:
    """What is asked of the study, whichever robots are left."""

    def __init__(self, *, libraries: Sequence[str], samples: int, seconds: float, say: Callable[[str], None]) -> None:
        """Keep the wishes; nothing starts yet."""
        self.libraries, self.samples, self.seconds, self.say = libraries, samples, seconds, say

    def run(self, cases: Sequence[Case], before: dict[str, float] | None = None) -> Iterator[Observation]:
        """Yield observation after observation."""
        for robot in self.robots(cases, before):
            yield from robot

    def robots(
        self, cases: Sequence[Case], before: dict[str, float] | None = None
    ) -> Iterator[tuple[Observation, ...]]:
        """Yield the observations robot by robot."""
        from robodyn_check.run.rounding_study import study_rounding

        return study_rounding(
            cases,
            libraries=self.libraries,
            samples=self.samples,
            seconds=self.seconds,
            before=before,
            say=self.say,
        )

    def go_on(self, cases: Sequence[Case], path: Path, parameters: dict[str, object]) -> Iterator[Observation]:
        """Yield what the file keeps, then the rest, which is added to it."""
        from robodyn_check.analysis.study_file import kept, line_of, start_or_continue

        start_or_continue(path, parameters)
        wanted, seen, before = set(cases), set(), dict.fromkeys(self.libraries, 0.0)
        for observation in kept(path):
            if observation.case in wanted:
                seen.add(observation.case)
                before[observation.subject] = before.get(observation.subject, 0.0) + observation.seconds
                yield observation
        rest = [case for case in cases if case not in seen]
        with path.open("a", encoding="utf-8") as file:
            for robot in self.robots(rest, before):
                file.write(line_of(robot))
                file.flush()
                yield from robot
