"""What changed between two versions of one library: the records, and what each quantity's numbers mean.

Every version is judged by the truth alone (properties and agreement), then the two are compared with each other:

unchanged          the same doubles at every state
within rounding    other doubles, no further apart than two right answers may be
changed            further apart than that, yet the truth contradicts neither: look at it
fixed / broken     the old / the new one is wrong, the other is right
wrong in both      the truth contradicts both
newly offered / no longer offered   one of them does not compute it
newly refused      the new version does not load the model, or does not answer
call no longer exists   the new version does not know a name or its arguments
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from robodyn_check.regression.calls import gone
from robodyn_check.regression.findings import BAD
from robodyn_check.report.words import is_pair, listing, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from robodyn_check.regression.calls import CallChange
    from robodyn_check.regression.packages import PackageChange
    from robodyn_check.regression.readbacks import HeldChange
    from robodyn_check.regression.values import Change
    from robodyn_check.report.results import ModelReport, Result

Status = Literal[
    "unchanged",
    "within rounding",
    "changed",
    "fixed",
    "broken",
    "wrong in both",
    "newly offered",
    "no longer offered",
    "newly refused",
    "newly loaded",
    "call no longer exists",
    "not answered",
]
#: In the order in which a reader wants to know them.
STATUSES: tuple[Status, ...] = (
    "broken",
    "call no longer exists",
    "newly refused",
    "no longer offered",
    "changed",
    "fixed",
    "newly loaded",
    "newly offered",
    "wrong in both",
    "within rounding",
    "unchanged",
    "not answered",
)
#: What makes a bump fail, and what only ``--fail-on warn`` counts.
WORSE = frozenset({"broken", "call no longer exists", "newly refused", "no longer offered"})
DOUBTFUL = frozenset({"changed"})
BETTER = frozenset({"fixed", "newly loaded", "newly offered"})
#: How Python says that a call is gone or takes other arguments.
_GONE = re.compile(
    r"has no attribute|incompatible (function|constructor) arguments|unexpected keyword argument"
    r"|takes \d+ positional arguments?|missing \d+ required positional|No module named|cannot import name"
    r"|did not match C\+\+ signature"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One version: the spec that was asked, the version that answered, its environment, and why it did not answer."""

    spec: str
    version: str | None
    environment: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one version stands with the truth in one quantity: the worst verdict, margin and finding; "" not judged."""

    verdict: str = ""
    margin: float | None = None
    findings: tuple[str, ...] = ()
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Time in the library for one state, µs, the least of alternating rounds; ``ratio`` is new / old."""

    old: float
    new: float
    ratio: float
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantityBump:
    """One quantity of one model in both versions."""

    quantity: str
    status: Status
    old: Standing
    new: Standing
    change: Change | None = None
    timing: Timing | None = None
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelBump:
    """One model. ``obstacles``: why the old or the new version did not load it, ("", "") where both did."""

    path: str
    sha256: str
    states: int
    seed: int
    quantities: tuple[QuantityBump, ...]
    held: tuple[HeldChange, ...] = ()
    obstacles: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bump:
    """One version bump of one library over some models."""

    library: str
    old: Side
    new: Side
    models: tuple[ModelBump, ...]
    calls: tuple[CallChange, ...]
    packages: tuple[PackageChange, ...]
    sentence: str
    exit_code: int
    again: str
    complete: bool = True
    schema_version: str = "1.0"


def standing(model: ModelReport, subject: str, quantity: str) -> Standing:
    """Return how a subject stands with the truth in a quantity: its own properties and the agreement with the truth."""
    judged = [
        result
        for result in model.results
        if result.subject == subject and result.quantity == quantity and not is_pair(result)
    ]
    seen = [result for result in judged if result.verdict != "skip"]
    if not seen:
        return Standing(message=next((result.message or "" for result in judged), ""))
    worst = min(seen, key=_severity)
    return Standing(
        verdict=worst.verdict,
        margin=worst.margin,
        findings=tuple(dict.fromkeys(result.code for result in seen if result.verdict in BAD)),
        message=worst.message or "" if worst.verdict in BAD else "",
    )


def status_of(
    old: Standing,
    new: Standing,
    change: Change | None,
    *,
    answered: tuple[bool, bool],
    offered: tuple[bool, bool],
) -> Status:
    """Say what happened to one quantity.

    Args:
        old: How the old version stands with the truth.
        new: How the new one does.
        change: How far their answers are apart; None where one of them has none.
        answered: Whether the old, the new one gave numbers.
        offered: Whether the old, the new one offers the quantity.
    """
    if not all(answered):
        return _without_numbers(new, answered=answered, offered=offered)
    wrong = (old.verdict in BAD, new.verdict in BAD)
    if wrong[1]:
        # a version that fails at some states only, for want of a name, is broken by that name
        if call_is_gone(new.message) and not call_is_gone(old.message):
            return "call no longer exists"
        return "wrong in both" if wrong[0] else "broken"
    if wrong[0]:
        return "fixed"
    if change is not None and change.is_identical:
        return "unchanged"
    return "within rounding" if change is not None and change.margin is not None and change.margin <= 1.0 else "changed"


def _without_numbers(new: Standing, *, answered: tuple[bool, bool], offered: tuple[bool, bool]) -> Status:
    if not any(answered):
        return "not answered"
    if answered[1]:
        return "wrong in both" if new.verdict in BAD else "newly offered"
    if not offered[1]:
        return "no longer offered"
    return "call no longer exists" if call_is_gone(new.message) else "newly refused"


def call_is_gone(message: str) -> bool:
    """Tell whether an exception's words say that a name or its arguments are not there."""
    return bool(_GONE.search(message))


def exit_code_of(models: Iterable[ModelBump], *, fail_on: str = "fail") -> int:
    """Return 1 where something got worse (with ``fail_on`` "warn": or changed), 5 where nothing could be compared."""
    models = tuple(models)
    statuses = {one.status for model in models for one in model.quantities}
    if statuses & WORSE or (fail_on == "warn" and statuses & DOUBTFUL):
        return 1
    return 0 if statuses - {"not answered"} else 5


def bump_sentence(
    library: str, old: str, new: str, models: Sequence[ModelBump], calls: Sequence[CallChange] = ()
) -> str:
    """Say in one line whether the new version is safe."""
    found: dict[str, list[str]] = {}
    for model in models:
        for one in model.quantities:
            found.setdefault(one.status, []).append(one.quantity)
    parts = []
    for status in STATUSES:
        if status in found and status != "not answered":
            names = list(dict.fromkeys(found[status]))
            few = f" ({listing(names, most=3)})" if status in WORSE | DOUBTFUL | BETTER | {"wrong in both"} else ""
            parts.append(f"{len(found[status])} {status}{few}")
    if not parts:
        return f"{library} {old} and {new} could not be compared."
    if found.keys() & WORSE:
        advice = "do not bump before you have looked at what is broken"
    elif found.keys() & DOUBTFUL:
        advice = "look at what changed before you bump"
    elif found.keys() & BETTER:
        advice = "the new version is better"
    elif "wrong in both" in found:
        advice = "nothing gets worse, but both versions are wrong"
    else:
        advice = "safe to bump"
    broken = gone(calls)
    warning = f"; look at code that uses {listing([call.name for call in broken], most=3)}" if broken else ""
    robots = plural(len(models), "model")
    return f"{library} {old} -> {new} on {robots}: {', '.join(parts)}: {advice}{warning}."


def _severity(result: Result) -> tuple[int, float]:
    order = ("error", "fail", "warn", "pass", "skip")
    margin = result.margin
    return order.index(result.verdict), -(float("inf") if margin is None and result.verdict in BAD else margin or 0.0)
