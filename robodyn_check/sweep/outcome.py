"""What became of one task, as plain rows: one for the task, one for each of its results, and a failure's report."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robodyn_check.report.json_format import to_json
from robodyn_check.report.words import MODEL_SUBJECTS, rank
from robodyn_check.run.assemble import MODEL, REFERENCE, make_report
from robodyn_check.version import __version__

if TYPE_CHECKING:
    from robodyn_check.report.results import ModelReport, Result
    from robodyn_check.sweep.tasks import Task

REPORTED = ("fail", "error")
#: Verdicts whose tasks keep their whole report.
KEPT = (*REPORTED, "known")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Plain data, so that it can travel and be written; see `dataset` for the columns."""

    key: str
    task: dict[str, Any]
    results: tuple[dict[str, Any], ...] = ()

    @property
    def verdict(self) -> str:
        """The worst verdict of the library's results; ``known`` where all that is bad is known."""
        return str(self.task["verdict"])


def outcome_of(task: Task, model: ModelReport, *, seconds: float) -> Outcome:
    """Return the rows of a task that was worked off."""
    record = next((one for one in model.subjects if one.name not in MODEL_SUBJECTS), None)
    own = [one for one in model.results if one.subject == task.spec or _of_ours(one)]
    worst = min(own, key=lambda one: rank(one.verdict, known=one.known is not None), default=None)
    verdict = "skip" if worst is None else "known" if worst.known is not None else worst.verdict
    reason = worst.message if worst is not None and verdict != "pass" else None
    faults = [one for one in model.results if one.subject == MODEL and one.verdict in REPORTED and one.known is None]
    margins = [one.margin for one in model.results if one.margin is not None and one.verdict == "pass"]
    return Outcome(
        key=task.key,
        task={
            **_named(task),
            "sha256": model.model.sha256,
            "format": model.model.format,
            "nv": model.model.nv,
            "links": len(model.model.links),
            "version": (record.version if record is not None else None) or task.version,
            "verdict": verdict,
            "reason": reason,
            "passed": _count(model, "pass"),
            "warned": _count(model, "warn"),
            "failed": _count(model, "fail"),
            "errors": _count(model, "error"),
            "skipped": _count(model, "skip"),
            "known": sum(one.known is not None for one in model.results),
            "largest_pass": _finite(max(margins, default=None)),
            "seconds": seconds,
            "model_faults": len(faults),
            "report": to_json(make_report([model], task.settings)) if verdict in KEPT or faults else None,
        },
        results=tuple(_row(one) for one in model.results if one.subject == task.spec or one.verdict in REPORTED),
    )


def broken_outcome(task: Task, reason: str, *, seconds: float = 0.0) -> Outcome:
    """Return the row of a task that came to no report: an unreadable model, a worker that died, a fault of ours."""
    return Outcome(
        key=task.key,
        task={**_named(task), "version": task.version, "verdict": "error", "reason": reason, "seconds": seconds},
    )


def _named(task: Task) -> dict[str, Any]:
    settings = task.settings
    return {
        "key": task.key,
        "model": task.model,
        "content": task.content,
        "library": task.library,
        "profile": task.profile or None,
        "spec": task.spec,
        "tool": __version__,
        "samples": settings.samples,
        "seed": settings.seed,
        "base": settings.base,
    }


def _of_ours(result: Result) -> bool:
    """Tell whether the truth itself is in doubt, which is every library's concern."""
    return result.subject == REFERENCE and result.verdict in REPORTED


def _count(model: ModelReport, verdict: str) -> int:
    return sum(one.verdict == verdict for one in model.results)


def _row(result: Result) -> dict[str, Any]:
    return {
        "code": result.code,
        "slug": result.slug,
        "quantity": result.quantity,
        "subject": result.subject,
        "against": result.against,
        "result": result.verdict,
        "is_known": result.known is not None,
        "margin": _finite(result.margin),
        "error": _finite(result.error),
        "bound": _finite(result.bound),
        "message": result.message,
        "cause": result.cause.name if result.cause is not None else None,
        "line": result.where.line if result.where is not None else None,
    }


def _finite(value: float | None) -> float | None:
    """Return None for what JSON has no number for."""
    return value if value is not None and math.isfinite(value) else None
