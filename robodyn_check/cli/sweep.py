"""``robodyn-check sweep PATH…``: many robots × libraries × versions into a dataset that goes on where it was ended."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from robodyn_check.cli import options  # noqa: TC001 - typer reads annotations at run time
from robodyn_check.errors import UsageError
from robodyn_check.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.sweep.run import Executor, Sweep

_VERDICTS = ("pass", "warn", "known", "skip", "fail", "error", "missing")

Paths = Annotated[list[str] | None, typer.Argument(help="Model files, folders or globs.", metavar="PATH")]
Out = Annotated[Path, typer.Option("--out", help="Folder of the dataset.", metavar="FOLDER")]
Jobs = Annotated[int | None, typer.Option("--jobs", help="Processes. [default: one per core]", min=1, metavar="N")]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", help="Work on this Dask cluster instead, tcp://HOST:PORT.", metavar="ADDRESS"),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the sweep in --out, with its own arguments.")]
Retry = Annotated[bool, typer.Option("--retry-failed", help="Ask tasks again that failed or ended with an error.")]


def command(
    paths: Paths = None,
    *,
    lib: options.Lib = None,
    adapter: options.AdapterFile = None,
    samples: options.Samples = None,
    seed: options.Seed = None,
    base: options.Base = None,
    gravity: options.Gravity = None,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    certify: options.Certify = None,
    select: options.Select = None,
    ignore: options.Ignore = None,
    out: Out = Path("robodyn-sweep"),
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    resume: Resume = False,
    retry_failed: Retry = False,
) -> int:
    """Check many robots with many libraries, on all cores or on a cluster.

    Outcomes go into a Parquet dataset; what is in it is not computed again. `robodyn-check query` asks it.
    """
    given: dict[str, Any] = {
        "models": paths or None,
        "lib": lib or None,
        "adapter": [str(Path(file).absolute()) for file in adapter] if adapter else None,
        "samples": samples,
        "seed": seed,
        "base": base,
        "gravity": gravity,
        "timeout": timeout,
        "memory": memory,
        "certify": certify,
        "select": select or None,
        "ignore": ignore or None,
    }
    settings = _remembered(out, given) if resume else load_settings(given)
    if not settings.models:
        raise UsageError("no model given. Name files, folders or globs: robodyn-check sweep robots/")

    from robodyn_check.cli.progress import progress_line
    from robodyn_check.sweep.dataset import Dataset
    from robodyn_check.sweep.run import run_sweep

    with Dataset(out) as dataset, _executor(jobs, scheduler, settings) as executor, progress_line() as progress:
        dataset.remember(dataclasses.asdict(settings))
        sweep = run_sweep(settings, dataset, executor, retry_failed=retry_failed, say=progress)
    typer.echo(_text(sweep, out))
    return sweep.exit_code


def _remembered(out: Path, given: dict[str, Any]) -> Settings:
    """Return the settings of the sweep in a folder.

    Raises:
        UsageError: There is none, or other arguments are given.
    """
    from robodyn_check.sweep.dataset import SWEEP_FILE

    named = [name for name, value in given.items() if value is not None and name not in {"timeout", "memory"}]
    if named:
        raise UsageError(
            f"--resume takes the arguments of the sweep in {out}; leave out {', '.join(sorted(named))}, or leave out "
            "--resume: what the dataset has is not computed again either way"
        )
    try:
        data = json.loads((out / SWEEP_FILE).read_text(encoding="utf-8"))
        texts = {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}
        texts["ignore"] = tuple((code, reason) for code, reason in texts["ignore"])
        later = {key: given[key] for key in ("timeout", "memory") if given[key] is not None}
        return Settings(**{**texts, **later})
    except (OSError, ValueError, TypeError, KeyError):
        raise UsageError(f"{out} holds no sweep to resume; start one: robodyn-check sweep PATH… --out {out}") from None


@contextlib.contextmanager
def _executor(jobs: int | None, scheduler: str | None, settings: Settings) -> Iterator[Executor]:
    if scheduler is not None:
        if jobs is not None:
            raise UsageError("--jobs and --scheduler exclude each other: a cluster has the workers that it has")
        from robodyn_check.sweep.cluster import Cluster
        from robodyn_check.sweep.tasks import specs_of

        with Cluster(scheduler, specs_of(settings)) as cluster:
            yield cluster
    else:
        import os

        from robodyn_check.sweep.processes import Processes

        with Processes(jobs or len(os.sched_getaffinity(0))) as processes:
            yield processes


def _text(sweep: Sweep, out: Path) -> str:
    """Return the closing words: a table library × verdict, and where to look."""
    table = sweep.table()
    columns = [verdict for verdict in _VERDICTS if any(counted[verdict] for counted in table.values())]
    width = max(map(len, table), default=0)
    lines = [" ".join(["library".ljust(max(width, 7)), *(f"{name:>7}" for name in columns)])]
    for spec, counted in table.items():
        lines.append(" ".join([spec.ljust(max(width, 7)), *(f"{counted[name]:7}" for name in columns)]))
    copies = f"; {len(sweep.plan.copies)} files are copies of others" if sweep.plan.copies else ""
    absent = f"; not installed: {', '.join(sweep.plan.absent)}" if sweep.plan.absent else ""
    tasks = f"{len(sweep.plan.models)} models, {len(sweep.plan.tasks)} tasks"
    lines += ["", f"{tasks}: {sweep.worked} done now, {sweep.answered} answered from the dataset{copies}{absent}"]
    if not sweep.complete:
        lines.append(f"Interrupted. Go on with: robodyn-check sweep --resume --out {out}")
    lines.append(f"Dataset: {out}. Ask it: robodyn-check query --data {out} --fails")
    return "\n".join(lines)
