"""From results to the Report: counts, exit code, what made it, and the command that shows one finding again."""

from __future__ import annotations

import dataclasses
import platform
import shlex
from typing import TYPE_CHECKING, Literal, cast

from robodyn_check.report import summary
from robodyn_check.report.results import ModelReport, Report, Tool
from robodyn_check.run.installed import installed_version
from robodyn_check.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.report.results import Result
    from robodyn_check.settings import Settings

#: Subjects that are not libraries.
REFERENCE, MODEL = "reference", "model"


def make_report(
    models: Sequence[ModelReport], settings: Settings, *, complete: bool = True, interrupted: bool = False
) -> Report:
    """Count, decide the exit code and name the tool."""
    counted = summary.count(result for model in models for result in model.results)
    code = summary.exit_code(
        models,
        fail_on=cast("Literal['fail', 'warn']", settings.fail_on),
        strict=settings.strict,
        complete=complete,
        interrupted=interrupted,
    )
    return Report(
        tool=Tool(
            name="robodyn-check",
            version=__version__,
            python=platform.python_version(),
            numpy=installed_version("numpy"),
            platform=f"{platform.system()} {platform.machine()}",
        ),
        command=command_line(settings, settings.models),
        models=tuple(models),
        summary=counted,
        exit_code=0 if settings.exit_zero and code == 1 else code,
        complete=complete and not interrupted,
    )


def command_line(settings: Settings, models: Sequence[str], *, lib: Sequence[str] = (), select: str = "") -> str:
    """Return the shell command that runs again what these settings run, or the part about one library and check."""
    words = ["robodyn-check", *models]
    for spec in lib or settings.lib or ():
        words += ["--lib", spec]
    for path in settings.adapter:
        words += ["--adapter", path]
    if settings.isolated:
        words.append("--isolated")
    words += ["--samples", str(settings.samples), "--seed", str(settings.seed)]
    if settings.base != "fixed":
        words += ["--base", settings.base]
    if settings.gravity is not None:
        words += ["--gravity", ",".join(f"{component:g}" for component in settings.gravity)]
    if select:
        words += ["--select", select]
    return shlex.join(words)


def finished(results: Sequence[Result], settings: Settings, model: str) -> tuple[Result, ...]:
    """Give fails and errors the command that reproduces them alone; take the subject's name off its own message."""
    return tuple(
        dataclasses.replace(
            result,
            message=_without_name(result.message, result.subject),
            again=_again(result, settings, model) if result.verdict in {"fail", "error"} else result.again,
        )
        for result in results
    )


def _without_name(message: str | None, name: str) -> str | None:
    while message is not None and message.startswith(f"{name}: "):
        message = message.removeprefix(f"{name}: ")
    return message


def _again(result: Result, settings: Settings, model: str) -> str:
    if result.subject == MODEL and result.code.startswith("RD1"):
        return shlex.join(["robodyn-check", "lint", model, "--select", result.code])
    libraries = [name for name in (result.subject, result.against) if name and name not in {REFERENCE, MODEL}]
    return command_line(settings, [model], lib=libraries, select=result.code)
