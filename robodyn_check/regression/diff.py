"""Two reports compared: which findings are new, fixed, changed, moved, or no longer checked.

Results are matched by name (`findings.Name`), so order, versions and machines do not matter. A finding that both
have is ``changed`` where its worst error differs by more than its bound, or its verdict or cause does; ``moved`` where
only its place in the file or its worst element does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from robodyn_check.regression.findings import BAD, Name, named, plain_model, plain_subject
from robodyn_check.report.finding_text import place
from robodyn_check.report.words import element, listing, plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.report.results import Report, Result

What = Literal["new", "fixed", "changed", "moved", "no longer checked", "same"]
WHATS: tuple[What, ...] = ("new", "changed", "moved", "no longer checked", "fixed", "same")


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingChange:
    """One finding in both reports; ``old`` or ``new`` None where that report has no result of this name."""

    name: Name
    what: What
    old: Result | None
    new: Result | None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """The comparison of two reports. ``subjects``: libraries whose version or standing changed, in words."""

    findings: tuple[FindingChange, ...]
    subjects: tuple[str, ...]
    models: tuple[str, ...]
    sentence: str
    exit_code: int
    schema_version: str = "1.0"

    def of(self, what: What) -> tuple[FindingChange, ...]:
        """Return the findings to which one thing happened."""
        return tuple(one for one in self.findings if one.what == what)


def diff_reports(old: Report, new: Report) -> Diff:
    """Compare two reports; only models that both have are compared."""
    before, after = named(old), named(new)
    paths = ({plain_model(model.model.path) for model in report.models} for report in (old, new))
    old_models, new_models = paths
    findings = []
    for name in sorted({*before, *after}):
        if name.model not in old_models & new_models:
            continue
        change = _change(name, before.get(name, ()), after.get(name, ()))
        if change is not None:
            findings.append(change)
    models = [f"only in the old report: {path}" for path in sorted(old_models - new_models)]
    models += [f"only in the new report: {path}" for path in sorted(new_models - old_models)]
    models += _other_conditions(old, new)
    counts = {what: sum(one.what == what for one in findings) for what in WHATS}
    parts = [f"{counts[what]} {what}" for what in WHATS if counts[what]]
    sentence = f"{', '.join(parts)}." if parts else "Neither report has a finding."
    if counts["new"]:
        names = list(dict.fromkeys(str(one.name) for one in findings if one.what == "new"))
        sentence = f"{sentence[:-1]}; new: {listing(names, most=3)}."
    return Diff(
        findings=tuple(sorted(findings, key=lambda one: (WHATS.index(one.what), one.name))),
        subjects=tuple(_subjects(old, new)),
        models=tuple(models),
        sentence=sentence,
        exit_code=1 if counts["new"] else 0,
    )


def _change(name: Name, before: tuple[Result, ...], after: tuple[Result, ...]) -> FindingChange | None:
    """Compare the worst results of one name; None where it is a finding in neither."""
    old, new = (results[0] if results else None for results in (before, after))
    was, remains = (one is not None and one.verdict in BAD for one in (old, new))
    if not was and not remains:
        return None
    what: What
    why = ""
    if not was:
        what = "new"
    elif new is None or new.verdict == "skip":
        what, why = "no longer checked", (new.message or "" if new is not None else "")
    elif not remains:
        what = "fixed"
    else:
        assert old is not None, "it was a finding"
        what, why = next(_both(old, new), ("same", ""))
    return FindingChange(name=name, what=what, old=old, new=new, why=why)


def _both(old: Result, new: Result) -> Iterator[tuple[What, str]]:
    """Yield what happened to a finding that both reports have, what matters most first."""
    if old.verdict != new.verdict:
        yield "changed", f"{old.verdict} became {new.verdict}"
    causes = [one.cause.name if one.cause else "unknown" for one in (old, new)]
    if causes[0] != causes[1]:
        yield "changed", f"cause {causes[0]} became {causes[1]}"
    if (old.known is None) != (new.known is None):
        yield "changed", "is now known" if new.known else "is no longer known"
    if old.error is None or new.error is None:
        if old.error != new.error:
            yield "changed", "one of the two has no finite error"
    elif abs(old.error - new.error) > max(old.bound or 0.0, new.bound or 0.0):
        yield "changed", f"error {old.error:.6g} became {new.error:.6g}"
    places = [place(one.where) if one.where else "no line" for one in (old, new)]
    if places[0] != places[1]:
        yield "moved", f"{places[0]} became {places[1]}"
    elements = [element(one) or "no element" for one in (old, new)]
    if elements[0] != elements[1]:
        yield "moved", f"worst at {elements[0]}, now at {elements[1]}"


def _subjects(old: Report, new: Report) -> list[str]:
    """Say which libraries changed their version, came, went, or stopped to work."""
    sides = []
    for report in (old, new):
        found: dict[str, tuple[str, str]] = {}
        for model in report.models:
            for subject in model.subjects:
                if subject.name != "reference":
                    found.setdefault(plain_subject(subject.name), (subject.version or "", subject.status))
        sides.append(found)
    before, after = sides
    texts = [f"{name} is only in the old report" for name in before if name not in after]
    texts += [f"{name} is only in the new report" for name in after if name not in before]
    for name in before.keys() & after.keys():
        (version, status), (version_now, status_now) = before[name], after[name]
        if version != version_now:
            texts.append(f"{name}: version {version or 'unknown'} became {version_now or 'unknown'}")
        if status != status_now:
            texts.append(f"{name}: {status} became {status_now}")
    return sorted(texts)


def _other_conditions(old: Report, new: Report) -> list[str]:
    """Say where the two reports are not about the same question."""
    texts = []
    after = {plain_model(model.model.path): model for model in new.models}
    for model in old.models:
        other = after.get(plain_model(model.model.path))
        if other is None:
            continue
        path = plain_model(model.model.path)
        if model.model.sha256 != other.model.sha256:
            texts.append(f"{path}: the file is another one")
        if model.states != other.states and model.states is not None and other.states is not None:
            counts = [plural(one.count, "state") + f", seed {one.seed}" for one in (model.states, other.states)]
            texts.append(f"{path}: {counts[0]} became {counts[1]}")
    if not (old.complete and new.complete):
        texts.append("not complete: " + listing([w for w, r in (("the old", old), ("the new", new)) if not r.complete]))
    return texts
