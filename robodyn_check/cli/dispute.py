"""``robodyn-check dispute REPORT FINDING``: recompute one finding by both derivations at 256 and 512 bits."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads annotations at run time
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.certify.dispute import Dispute
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.report.results import ModelReport, Report, Result


def command(
    report: Annotated[Path, typer.Argument(help="A report written by --format json=FILE.", metavar="REPORT")],
    finding: Annotated[
        str, typer.Argument(help="CODE[:SUBJECT[:QUANTITY]], as the report names it.", metavar="FINDING")
    ],
) -> int:
    """Recompute one disputed number exactly. Exit code 0: the finding stands; 1: it does not."""
    model, result = find(report, finding)
    settled = _settle(model, result)
    _write(result, settled)
    return 0 if _stands(result, settled) else 1


def find(report: Path, finding: str) -> tuple[ModelReport, Result]:
    """Read a report and return the one finding that the words name.

    Raises:
        UsageError: The report cannot be read, or no finding, or several, fit.
    """
    from robodyn_check.errors import UsageError
    from robodyn_check.report.json_format import read_report

    try:
        text = report.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{report}: cannot be read: {error.strerror}. Write one with --format json=FILE.") from error
    return _find(read_report(text), finding)


def _disputable(result: Result) -> bool:
    """Only a value of one quantity at one state of the run can be recomputed."""
    worst = result.worst
    return result.quantity is not None and worst is not None and worst.state is not None and worst.got is not None


def _find(report: Report, finding: str) -> tuple[ModelReport, Result]:
    """Return the finding that the words name; say which there are when it is none or several."""
    from robodyn_check.errors import UsageError

    words = finding.split(":")
    found = [
        (model, result)
        for model, result in _agreements(report)
        if all(word in {"", have} for word, have in zip(words, name(result).split(":"), strict=False))
    ]
    wrong = [pair for pair in found if pair[1].verdict == "fail"]
    chosen = wrong or found
    if len(chosen) == 1:
        return chosen[0]
    names = sorted({name(result) for _, result in (chosen or list(_agreements(report)))})
    listed = "\n  ".join(names[:20])
    if not chosen:
        raise UsageError(f"{finding}: no such finding with a value of one quantity. There are:\n  {listed}")
    raise UsageError(f"{finding}: {len(chosen)} findings fit; name one of:\n  {listed}")


def _agreements(report: Report) -> Iterable[tuple[ModelReport, Result]]:
    """Yield the results that compare a library with the reference."""
    return (
        (model, result)
        for model in report.models
        for result in model.results
        if result.against == "reference" and _disputable(result)
    )


def name(result: Result) -> str:
    """Return the words that name a finding."""
    return f"{result.code}:{result.subject}:{result.quantity}"


def worst_state(
    model: ModelReport, result: Result
) -> tuple[RobotModel, Literal["fixed", "floating"], tuple[float, float, float], dict[str, Any]]:
    """Draw the report's states again and return robot, base, gravity and the state at which a finding is worst.

    Raises:
        UsageError: The report holds no states, or the file is no longer the one that was checked.
    """
    from robodyn_check.errors import UsageError
    from robodyn_check.harness.mjcf_compiler import run_compiler
    from robodyn_check.model.build import build_mechanism
    from robodyn_check.model.read import read_model
    from robodyn_check.states import draw_states

    worst, drawn = result.worst, model.states
    assert worst is not None, "chosen by _disputable"
    assert worst.state is not None, "chosen by _disputable"
    if drawn is None:
        raise UsageError("the report holds no states, so nothing can be recomputed")
    robot = read_model(model.model.path, compile_mjcf=run_compiler)
    if robot.sha256 != model.model.sha256:
        raise UsageError(
            f"{model.model.path} is not the file that was checked (its SHA-256 differs from the report's); "
            "check it again and name the finding in the new report"
        )
    base: Literal["fixed", "floating"] = "floating" if robot.format == "urdf" and drawn.base == "floating" else "fixed"
    mechanism = build_mechanism(robot, base=base, gravity=drawn.gravity)
    states = draw_states(mechanism, count=drawn.count, seed=drawn.seed)
    return robot, base, drawn.gravity, {name: getattr(states, name)[worst.state] for name in ("q", "v", "a", "tau")}


def _settle(model: ModelReport, result: Result) -> Dispute:
    """Recompute the worst entry of a finding."""
    from robodyn_check.certify.certificate import Question
    from robodyn_check.certify.dispute import settle

    robot, base, gravity, state = worst_state(model, result)
    worst = result.worst
    assert worst is not None, "chosen by _disputable"
    assert result.quantity is not None, "chosen by _disputable"
    inputs = (state["q"][None], state["v"][None], state["a"][None], state["tau"][None])
    claims = {result.subject: worst.got, "reference": worst.expected}
    return settle(
        Question(robot=robot, base=base, gravity=gravity, inputs=inputs),
        result.quantity,
        worst.index,
        {party: value for party, value in claims.items() if value is not None},
    )


def _stands(result: Result, settled: Dispute) -> bool:
    """Tell whether the library is outside its bound of the truth."""
    assert result.worst is not None, "chosen by _disputable"
    bound = result.worst.bound
    return settled.agree and bound is not None and settled.error_of[result.subject] > bound


def _write(result: Result, settled: Dispute) -> None:
    worst = result.worst
    assert worst is not None, "chosen by _disputable"
    entry = ", ".join(worst.labels) or "the value"
    typer.echo(f"{name(result)}: {entry} at state {worst.state}")
    for one in settled.recomputed:
        typer.echo(f"  {one.derivation:<10} {one.bits} bits  {one.value} +/- {one.radius}")
    for party, value in ((result.subject, worst.got), ("reference", worst.expected)):
        if value is not None:
            typer.echo(f"  {party:<20} {value!r}  off by {settled.error_of[party]:.3g}")
    bound = "no bound" if worst.bound is None else f"bound {worst.bound:.3g}"
    if not settled.agree:
        typer.echo("The two derivations contradict each other: a fault of robodyn-check. Please report it.")
    elif _stands(result, settled):
        typer.echo(f"The finding stands: {result.subject} is off by {settled.error_of[result.subject]:.3g}, {bound}.")
    else:
        typer.echo(f"The finding does not stand: {result.subject} is within its bound of the truth ({bound}).")
