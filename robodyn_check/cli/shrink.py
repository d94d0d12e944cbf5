"""``robodyn-check shrink REPORT FINDING``: the smallest robot and roundest state at which a library still fails."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from robodyn_check.cli import dispute

if TYPE_CHECKING:
    from robodyn_check.report.results import ModelReport, Result
    from robodyn_check.run.shrinking import Case


def command(
    report: Annotated[Path, typer.Argument(help="A report written by --format json=FILE.", metavar="REPORT")],
    finding: Annotated[
        str, typer.Argument(help="CODE[:SUBJECT[:QUANTITY]], as the report names it.", metavar="FINDING")
    ],
    *,
    adapter: Annotated[
        Path | None, typer.Option("--adapter", help="The adapter of your own that the library has.", metavar="PATH")
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", help="Folder that the files are written into.", metavar="FOLDER")
    ] = Path("shrunk"),
) -> int:
    """Reduce one fail to a script, a model and a report that its library's maintainers can use."""
    from robodyn_check.errors import UsageError

    model, result = dispute.find(report, finding)
    if result.verdict != "fail" or result.quantity is None:
        raise UsageError(f"{dispute.name(result)} is no fail: only a fail can be reduced")
    case, version, tried = _shrunk(model, result, adapter)
    out.mkdir(parents=True, exist_ok=True)
    for path in _write(out, result, case, version):
        typer.echo(str(path))
    typer.echo(
        f"{result.subject} {version}: {result.quantity} still fails with {case.mechanism.nv} joint coordinates and "
        f"{len(case.robot.links)} links, {case.margin:.2g} times its bound; {tried} robots and states were tried"
    )
    return 0


def _shrunk(model: ModelReport, result: Result, adapter: Path | None) -> tuple[Case, str, int]:
    from robodyn_check.run.shrinking import Shrinker

    robot, base, gravity, state = dispute.worst_state(model, result)
    assert result.quantity is not None, "only a fail with a value is reduced"
    with Shrinker(result.subject, result.quantity, base=base, gravity=gravity, adapter=adapter) as shrinker:
        case = shrinker.shrink(robot, state)
        return case, shrinker.version, shrinker.tried


def _write(folder: Path, result: Result, case: Case, version: str) -> list[Path]:
    """Write model, expected values, script with its output, and the report; return their paths."""
    import json

    from robodyn_check.run.repro import repro_script
    from robodyn_check.run.upstream_report import run_script, upstream_report

    assert result.quantity is not None, "only a fail with a value is reduced"
    name = result.subject.partition(":")[0]
    model = folder / f"model.{'urdf' if case.robot.format == 'urdf' else 'xml'}"
    model.write_text(case.text, encoding="utf-8")
    expected = folder / "expected.json"
    state = {key: values.tolist() for key, values in case.state.items()}
    values = {"state": state, result.quantity: case.expected.tolist(), result.subject: case.got.tolist()}
    expected.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
    paths, shown = [model, expected], None
    script = repro_script(result.subject, result.quantity, case)
    if script is not None:
        path = folder / f"repro_{name}.py"
        path.write_text(script, encoding="utf-8")
        shown = run_script(path)
        paths.append(path)
    report = folder / "report.md"
    text = upstream_report(result.subject, version, result.quantity, case, script=script, shown=shown)
    report.write_text(text, encoding="utf-8")
    return [*paths, report]
