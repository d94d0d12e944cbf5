"""``robodyn-check check MODEL``: the main job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robodyn_check.cli import kept, options
from robodyn_check.errors import UsageError
from robodyn_check.settings import load_settings

if TYPE_CHECKING:
    from pathlib import Path


def command(
    models: options.Models = None,
    *,
    lib: options.Lib = None,
    adapter: options.AdapterFile = None,
    isolated: options.Isolated = False,
    samples: options.Samples = None,
    seed: options.Seed = None,
    base: options.Base = None,
    gravity: options.Gravity = None,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    jobs: options.Jobs = None,
    certify: options.Certify = None,
    select: options.Select = None,
    ignore: options.Ignore = None,
    format: options.Format = None,  # noqa: A002 - the option's name
    fail_on: options.FailOn = None,
    strict: options.Strict = False,
    exit_zero: options.ExitZero = False,
    save_baseline: kept.SaveBaseline = None,
    baseline: kept.BaselineFile = None,
    resume: kept.Resume = None,
) -> int:
    """Check what libraries compute for a robot. The default verb."""
    given: dict[str, Any] = {
        "models": _paths(models),
        "lib": lib or None,
        "adapter": adapter or None,
        "isolated": isolated or None,
        "samples": samples,
        "seed": seed,
        "base": base,
        "gravity": gravity,
        "timeout": timeout,
        "memory": memory,
        "jobs": jobs,
        "certify": certify,
        "select": select or None,
        "ignore": ignore or None,
        "format": format or None,
        "fail_on": fail_on,
        "strict": strict or None,
        "exit_zero": exit_zero or None,
    }
    settings = load_settings(given)
    if not settings.models:
        raise UsageError("no model given. Name a file: robodyn-check robot.urdf")

    from robodyn_check.cli.output import parse_formats, write_report
    from robodyn_check.cli.progress import progress_line

    outputs = parse_formats(settings.format)
    keep = kept.keeping(settings, outputs, save=save_baseline, baseline=baseline, resume=resume)
    from robodyn_check.pipeline import run

    with progress_line() as progress:
        report = run(settings, progress=progress, watch=keep.watch, done_before=keep.done_before)
    write_report(keep.write(report), outputs)
    return report.exit_code


def _paths(models: list[Path] | None) -> list[str] | None:
    return [str(path) for path in models] if models else None
