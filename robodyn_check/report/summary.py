"""Pure functions of a report that all renderers share: counts, exit code, headline, the verdict in a sentence."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from robodyn_check.quantities import QUANTITIES
from robodyn_check.report.opposition import opposition_clause
from robodyn_check.report.results import Summary
from robodyn_check.report.words import MODEL_SUBJECTS, clean, is_pair, listing, one_line, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from robodyn_check.report.results import ModelReport, Report, Result, SubjectRecord

FailOn = Literal["fail", "warn"]


def count(results: Iterable[Result]) -> Summary:
    """Count results by verdict; known fails and errors are counted in ``known`` as well."""
    results = tuple(results)
    number = {
        verdict: sum(result.verdict == verdict for result in results)
        for verdict in ("pass", "warn", "fail", "error", "skip")
    }
    return Summary(
        passed=number["pass"],
        warn=number["warn"],
        fail=number["fail"],
        error=number["error"],
        skip=number["skip"],
        known=sum(result.known is not None for result in results),
    )


def libraries(model: ModelReport) -> tuple[SubjectRecord, ...]:
    """Return the subjects that are libraries: all but the reference and the model file itself."""
    return tuple(subject for subject in model.subjects if subject.name not in MODEL_SUBJECTS)


def counts_as_failure(result: Result, *, fail_on: FailOn = "fail", strict: bool = False) -> bool:
    """Tell whether one result makes the run exit with 1; ``strict`` does not excuse failures known to the tool."""
    if result.verdict == "warn":
        return fail_on == "warn"
    if result.verdict not in {"fail", "error"}:
        return False
    return result.known is None or (strict and result.known.source == "shipped")


def exit_code(
    models: Sequence[ModelReport],
    *,
    fail_on: FailOn = "fail",
    strict: bool = False,
    complete: bool = True,
    interrupted: bool = False,
) -> int:
    """Return the exit code of a run: 0, 1, 3, 5 or 130 (design page, section 8); 2 never reaches a report.

    Args:
        models: What was judged.
        fail_on: The weakest verdict that fails the run.
        strict: Failures known to the tool itself count; the user's own known failures stay excused.
        complete: False when a limit ended the run early: 3.
        interrupted: The user stopped the run: 130.
    """
    if interrupted:
        return 130
    if not complete:
        return 3
    results = [result for model in models for result in model.results]
    if any(counts_as_failure(result, fail_on=fail_on, strict=strict) for result in results):
        return 1
    return 5 if nothing_checked(models) else 0


def nothing_checked(models: Sequence[ModelReport]) -> bool:
    """Tell whether no claim was judged, or libraries were asked for and not one of them was there."""
    judged = any(result.verdict != "skip" for model in models for result in model.results)
    asked = [subject for model in models for subject in libraries(model)]
    return not judged or (bool(asked) and all(subject.status == "skip" for subject in asked))


def headline(report: Report) -> str:
    """Return the run's verdict in capitals: PASS, FAIL, ERROR, WARN, INCOMPLETE or NOTHING CHECKED."""
    if not report.complete:
        return "INCOMPLETE"
    results = [result for model in report.models for result in model.results]
    open_verdicts = {result.verdict for result in results if result.known is None}
    if "fail" in open_verdicts:
        return "FAIL"
    if "error" in open_verdicts:
        return "ERROR"
    if report.exit_code == 0:
        return "PASS"
    if report.exit_code == 5:
        return "NOTHING CHECKED"
    # only known failures (--strict) or warnings (--fail-on warn) are left to explain a 1
    return "FAIL" if any(result.known for result in results) else "WARN"


def verdict_sentence(report: Report) -> str:
    """Say in one sentence a model which library is right, which is wrong and about what."""
    if not report.models:
        return "No model was checked."
    return " ".join(model_sentence(model) for model in report.models)


def model_sentence(model: ModelReport) -> str:
    """Say about one model which library is right, which is wrong and about what."""
    name = model_title(model)
    clauses = [
        clause for clause in (_file_clause(model, name), *_wrong_clauses(model), opposition_clause(model)) if clause
    ]
    if clauses and name not in clauses[0]:
        clauses[0] = f"On {name}, {clauses[0]}"
    status = {subject.name: _standing(model, subject) for subject in libraries(model)}
    right = [library for library, standing in status.items() if standing == "right"]
    known = [library for library, standing in status.items() if standing == "known"]
    absent = [library for library, standing in status.items() if standing == "absent"]
    if right:
        verb = "computes" if len(right) == 1 else "compute"
        clauses.append(f"{listing(right)} {verb} the right dynamics" + ("" if clauses else f" of {name}"))
    if known:
        clauses.append(f"{listing(known)} {'fails' if len(known) == 1 else 'fail'} on {name} in known ways only")
    if absent:
        clauses.append(f"{listing(absent)} {'was' if len(absent) == 1 else 'were'} not checked")
    if not clauses:
        clauses.append(f"no library was asked about {name}" if model.states else _of_file_alone(model, name))
    return one_line("; ".join(clauses)) + "."


def model_title(model: ModelReport) -> str:
    """Return the model's path as it was given; of an absolute path the last two parts, which name it on any machine."""
    path = PurePath(model.model.path)
    return one_line(PurePath(*path.parts[-2:]).as_posix() if path.is_absolute() else path.as_posix())


def coverage_line(subject: SubjectRecord) -> str:
    """State what one subject was asked: ``drake 1.40.0: 9 of 12 quantities, 200 states``, or why it was not."""
    who = clean(subject_title(subject))
    if subject.status == "skip":
        return f"{who}: skipped: {clean(subject.reason or 'no reason given')}"
    answered = len(subject.coverage) if subject.coverage is not None else len(subject.quantities)
    line = f"{who}: {answered} of {plural(len(QUANTITIES), 'quantity')}, {plural(subject.states_checked, 'state')}"
    if subject.precision != "double":
        line += f", {subject.precision} precision"
    return line if subject.status == "ok" else f"{line}; {subject.status}: {clean(subject.reason or 'no reason given')}"


def repeat_line(subject: SubjectRecord) -> str | None:
    """Say how the fails of one library stood up to a fresh process; None where it was not asked again."""
    repeat = subject.repeat
    if repeat is None:
        return None
    same = repeat.fails - repeat.different
    line = f"asked again in a fresh process, {repeat.seconds:.1f} s: {same} of {plural(repeat.fails, 'fail')} came back"
    if repeat.different:
        line += ", the others are errors now"
    return line if repeat.trouble is None else f"{line}; it did not answer all: {clean(repeat.trouble)}"


def subject_title(subject: SubjectRecord) -> str:
    """Return name and version, as shown at headings."""
    return (
        f"{subject.name} {subject.version}" if subject.version and subject.version not in subject.name else subject.name
    )


def summary_line(report: Report) -> str:
    """Return the counts of one run: ``120 pass, 2 fail (1 known), 30 skip``."""
    summary = report.summary
    counts = [
        (summary.passed, "pass"),
        (summary.warn, "warn"),
        (summary.fail, "fail"),
        (summary.error, "error"),
        (summary.skip, "skip"),
    ]
    words = [f"{number} {word}" for number, word in counts if number or word in {"pass", "fail"}]
    return ", ".join(words) + (f"; {summary.known} of them known" if summary.known else "")


def _standing(model: ModelReport, subject: SubjectRecord) -> Literal["right", "wrong", "known", "absent"]:
    if subject.status == "skip":
        return "absent"
    results = [result for result in model.results if result.subject == subject.name]
    bad = [r for r in results if r.verdict in {"fail", "error"} and not _is_explained(model, r)]
    if any(result.known is None for result in bad) or (subject.status != "ok" and not bad):
        return "wrong"
    if bad:
        return "known"
    return "right" if any(result.verdict in {"pass", "warn"} for result in results) else "absent"


def wrong_subjects(model: ModelReport) -> frozenset[str]:
    """Return who is wrong by its own answers or by the truth, in a known way or not."""
    return frozenset(result.subject for result in model.results if result.verdict == "fail" and not is_pair(result))


def _is_explained(model: ModelReport, result: Result) -> bool:
    """Tell whether a disagreement of two libraries is the other one's fault: the truth says which one is wrong."""
    return is_pair(result) and result.against in wrong_subjects(model)


def _file_clause(model: ModelReport, name: str) -> str | None:
    bad = [r for r in model.results if r.subject in MODEL_SUBJECTS and r.verdict in {"fail", "error"} and not r.known]
    if not bad:
        return None
    return f"{name} itself has {plural(len(bad), 'fault')} ({listing(sorted({r.slug for r in bad}), most=2)})"


def _of_file_alone(model: ModelReport, name: str) -> str:
    """Say what the look at a file without any library came to."""
    judged = [result for result in model.results if result.verdict != "skip"]
    rules, warnings = len({result.code for result in judged}), sum(result.verdict == "warn" for result in judged)
    found = f"no fault and {plural(warnings, 'warning')}" if warnings else "no fault"
    return f"{name} was read alone, without any library: {plural(rules, 'rule')} found {found}"


def _wrong_clauses(model: ModelReport) -> list[str]:
    clauses = []
    for subject in libraries(model):
        if _standing(model, subject) != "wrong":
            continue
        fails = [r for r in model.results if r.subject == subject.name and r.verdict == "fail" and not r.known]
        proven = [r for r in fails if not is_pair(r)]
        quantities = list(dict.fromkeys(r.quantity or r.slug for r in proven))
        errors = sum(r.subject == subject.name and r.verdict == "error" and not r.known for r in model.results)
        if quantities:
            causes = list(dict.fromkeys(r.cause.name for r in proven if r.cause))
            why = f" (cause: {listing(causes, most=2)})" if causes else ""
            clauses.append(f"{subject.name} is wrong about {listing(quantities, most=3)}{why}")
        elif fails:
            others = listing(sorted({r.against for r in fails if r.against}))
            clauses.append(f"{subject.name} disagrees with {others}")
        if errors or not fails:
            clauses.append(f"{subject.name} did not answer ({plural(max(errors, 1), 'error')})")
    return clauses
