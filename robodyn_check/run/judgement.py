"""Judging: properties of each subject by its own answers, then the agreement of two subjects.

A check that raises becomes an ``error`` result that names it; the rest is kept.
"""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from robodyn_check.report.results import Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robodyn_check.checks.registry import Check
    from robodyn_check.requests import Request
    from robodyn_check.run.budget import Budget
    from robodyn_check.run.questions import Broken
    from robodyn_check.run.subjects import Setting, Subject

#: (subject, code) -> the verdicts that it got against the truth
Standings = dict[tuple[str, str], set[str]]
INTERNAL_CODE, INTERNAL_SLUG = "RD944", "check-runs"


def judge_properties(
    setting: Setting,
    subject: Subject,
    checks: Sequence[Check],
    *,
    broken: Broken,
    without: Mapping[str, str],
) -> list[Result]:
    """Judge every property check for one subject.

    Args:
        setting: Robot, states, scales.
        subject: Who is judged.
        checks: The checks; agreement checks are passed over.
        broken: Checks whose probes raised.
        without: Quantities that are not judged in this run, each with the reason.
    """
    results: list[Result] = []
    for check in checks:
        if check.is_agreement:
            continue
        if check.code in broken:
            results.append(internal_error(check, broken[check.code], subject.name))
        else:
            results.extend(_judged(setting, check, subject, subject.budget, None, without))
    return results


def judge_agreement(
    setting: Setting,
    subject: Subject,
    reference: Subject,
    peers: Sequence[Subject],
    checks: Sequence[Check],
    *,
    standings: Standings,
    without: Mapping[str, str],
) -> list[Result]:
    """Judge the agreement of a subject with the truth, then with every peer that was judged before.

    Where two libraries disagree, the finding is about the one that the truth contradicts. What ended in an error there,
    or was skipped, is not compared again.

    Args:
        setting: Robot, states, scales.
        subject: Who is judged.
        reference: The truth.
        peers: The other libraries.
        checks: The checks; property checks are passed over.
        standings: Who stands how with the truth, by name and code; the subject's are added.
        without: Quantities that are not judged in this run, each with the reason.
    """
    agreement = [check for check in checks if check.is_agreement]
    results = _judged_pairs(setting, [(check, subject, reference) for check in agreement], without)
    for result in results:
        standings.setdefault((subject.name, result.code), set()).add(result.verdict)
    for peer in peers:
        pairs = []
        for check in agreement:
            mine, theirs = (standings.get((one.name, check.code), set()) for one in (subject, peer))
            if "skip" in mine | theirs:
                continue  # the skip against the truth has said it
            if "error" in mine | theirs:
                broken = subject if "error" in mine else peer
                text = f"not compared: {broken.name} has an error of its own here"
                results.append(skipped(check, subject.name, text, peer.name))
            elif "fail" in theirs and "fail" not in mine:
                pairs.append((check, peer, subject))
            else:
                pairs.append((check, subject, peer))
        results += _judged_pairs(setting, pairs, without)
    return results


def _judged_pairs(
    setting: Setting, pairs: Sequence[tuple[Check, Subject, Subject]], without: Mapping[str, str]
) -> list[Result]:
    """Judge checks for (subject, against), at the states of the one that gets fewer.

    What either was not asked yet at these states is asked now, in one batch each.
    """
    results: list[Result] = []
    ready: list[tuple[Check, Subject, Subject, Budget]] = []
    questions: dict[Subject, list[Request]] = {}
    for check, subject, against in pairs:
        budget = min((subject.budget, against.budget), key=lambda one: one.states)
        try:
            for side in (subject, against):
                probes = check.probes(setting.probe_context(check, side, budget))
                questions.setdefault(side, []).extend(probes)
        except Exception as error:  # noqa: BLE001 - a fault of one check must not lose the others
            results.append(internal_error(check, error, subject.name, against.name))
        else:
            ready.append((check, subject, against, budget))
    for side, requests in questions.items():
        side.ask(requests)
    for check, subject, against, budget in ready:
        results.extend(_judged(setting, check, subject, budget, against, without))
    return results


def internal_error(check: Check, error: Exception, subject: str, against: str | None = None) -> Result:
    """Return the result that stands for a check of ours that raised."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = f" at {last[0].name}, line {last[0].lineno}" if last else ""
    return Result(
        code=INTERNAL_CODE,
        slug=INTERNAL_SLUG,
        verdict="error",
        subject=subject,
        against=against,
        message=f"check {check.code} {check.text.slug} of robodyn-check raised {type(error).__name__}: {error}{place}. "
        "This is a fault of robodyn-check, not of the library: please report it with the model and the command.",
    )


def skipped(check: Check, subject: str, reason: str, against: str | None = None) -> Result:
    """Return the skip of one check with its reason."""
    return Result(
        code=check.code,
        slug=check.text.slug,
        verdict="skip",
        subject=subject,
        against=against,
        quantity=check.text.quantities[0] if check.text.quantities else None,
        message=reason,
    )


def _judged(
    setting: Setting,
    check: Check,
    subject: Subject,
    budget: Budget,
    against: Subject | None,
    without: Mapping[str, str],
) -> tuple[Result, ...]:
    other = None if against is None else against.name
    lacking = next((name for name in check.text.quantities if name in without), None)
    if lacking is not None:
        return (skipped(check, subject.name, f"{lacking}: {without[lacking]}", other),)
    try:
        return check.judge(setting.judge_context(check, subject, budget, against))
    except Exception as error:  # noqa: BLE001 - a fault of one check must not lose the others
        return (internal_error(check, error, subject.name, other),)
