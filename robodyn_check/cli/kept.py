"""What a run keeps beyond its report: values in a sidecar, a baseline, the models of an interrupted run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robodyn_check.cli.output import Output
    from robodyn_check.regression.baseline import Baseline
    from robodyn_check.regression.sidecar import Collector
    from robodyn_check.report.results import ModelReport, Report
    from robodyn_check.run.gathered import Gathered
    from robodyn_check.settings import Settings

SaveBaseline = Annotated[
    Path | None,
    typer.Option("--save-baseline", help="Write the report and, beside it, every value.", metavar="FILE"),
]
BaselineFile = Annotated[
    Path | None,
    typer.Option("--baseline", help="Compare with a saved baseline; what it had already is known.", metavar="FILE"),
]
Resume = Annotated[
    Path | None,
    typer.Option("--resume", help="Take up an interrupted run from its JSON report.", metavar="FILE"),
]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Kept:
    """The parts that were asked for; `watch` and ``done_before`` go to the pipeline, `write` follows the run."""

    save: Path | None
    reports: tuple[Path, ...]
    baseline: Baseline | None
    collector: Collector | None
    done_before: Mapping[str, ModelReport]

    def watch(self, gathered: Gathered) -> None:
        """Look at one model while its libraries are alive."""
        if self.collector is not None:
            self.collector.watch(gathered)
        if self.baseline is not None:
            self.baseline.watch(gathered)

    def write(self, report: Report) -> Report:
        """Write the sidecars, of the baseline always, of JSON reports on any fail; return the report that names it."""
        from robodyn_check.cli.output import write_atomically, write_bytes_atomically
        from robodyn_check.regression.sidecar import encode, sidecar_path, with_values_file
        from robodyn_check.report.json_format import to_json

        if self.collector is None:
            return report
        wanted = list(self.reports) if report.summary.fail or report.summary.error else []
        if self.save is None and not wanted:
            return report
        content = encode(self.collector.values, tuple(model.model.path for model in report.models))
        named = report
        for path in wanted:
            write_bytes_atomically(sidecar_path(path), content)
            named = with_values_file(report, sidecar_path(path).name, content)
        if self.save is not None:
            write_bytes_atomically(sidecar_path(self.save), content)
            own = with_values_file(report, sidecar_path(self.save).name, content)
            write_atomically(self.save, to_json(own))
        return named


def keeping(
    settings: Settings,
    outputs: Sequence[Output],
    *,
    save: Path | None,
    baseline: Path | None,
    resume: Path | None,
) -> Kept:
    """Read what was named, before the run begins.

    Raises:
        UsageError: A file that cannot be used, or a folder that does not exist.
    """
    from robodyn_check.errors import UsageError

    reports = tuple(output.file for output in outputs if output.format == "json" and output.file is not None)
    if save is not None and not save.parent.is_dir():
        raise UsageError(f"--save-baseline {save}: the folder {str(save.parent)!r} does not exist")
    collector: Collector | None = None
    done_before: Mapping[str, ModelReport] = {}
    if save is not None or reports:
        from robodyn_check.regression.sidecar import Collector

        collector = Collector(failing_only=save is None)
    if resume is not None:
        from robodyn_check.regression.resume import finished_models, read_interrupted
        from robodyn_check.regression.sidecar import read

        interrupted = read_interrupted(resume)
        done_before = finished_models(interrupted, settings, resume)
        if collector is not None:
            collector.values.update(read(interrupted, resume) or {})
    before = None
    if baseline is not None:
        from robodyn_check.regression.baseline import load_baseline

        before = load_baseline(baseline)
    return Kept(save=save, reports=reports, baseline=before, collector=collector, done_before=done_before)
