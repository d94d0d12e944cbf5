"""``robodyn-check init``: write the configuration, and what CI needs, into a repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from robodyn_check.errors import UsageError

CI = ("github", "gitlab")


def command(
    models: Annotated[
        list[str] | None,
        typer.Argument(help="Model files; default: those found below the working directory.", metavar="MODEL"),
    ] = None,
    *,
    lib: Annotated[
        list[str] | None, typer.Option("--lib", help="A library to ask; repeatable.", metavar="SPEC")
    ] = None,
    ci: Annotated[
        list[str] | None, typer.Option("--ci", help="Write the CI job as well: github or gitlab.", metavar="WHICH")
    ] = None,
    pre_commit: Annotated[bool, typer.Option("--pre-commit", help="Write the pre-commit hook as well.")] = False,
) -> int:
    """Write a configuration for the models of a repository, and CI and pre-commit files on request."""
    from robodyn_check.regression import setup_files

    folder = Path.cwd()
    strange = [word for word in ci or () if word not in CI]
    if strange:
        raise UsageError(f"--ci {strange[0]}: expected one of {', '.join(CI)}")
    missing = [model for model in models or () if not (folder / model).is_file()]
    if missing:
        raise UsageError(f"{missing[0]}: there is no such file")
    chosen = tuple(models or ()) or setup_files.find_models(folder)
    if not chosen:
        raise UsageError("no URDF or MJCF file was found here. Name one: robodyn-check init robots/arm.urdf")
    files = [setup_files.configuration(folder, chosen, lib or ())]
    makers = {"github": setup_files.github_workflow, "gitlab": setup_files.gitlab_job}
    files += [makers[word](folder) for word in dict.fromkeys(ci or ())]
    if pre_commit:
        files.append(setup_files.pre_commit(folder))
    setup_files.write(files)
    for file in files:
        typer.echo(f"{'extended' if file.appended else 'wrote'} {file.path.relative_to(folder)}")
    typer.echo(f"{len(chosen)} model{'s' if len(chosen) > 1 else ''}; check them with: robodyn-check check")
    return 0
