"""The page of the rounding study: Markdown, a function of what was seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.analysis.study_population import POPULATIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from robodyn_check.analysis.study_rounding import Extreme, Summary
    from robodyn_check.checks.texts import CheckText

_ABOUT = (
    "Every number is the largest |error| / (eps · S) that was seen, eps = 2⁻⁵² (2⁻²³ in single precision), S the scale"
    " of the quantity; the bound of a check is K times that unit. The truth is certified in ball arithmetic at every"
    " state that is compared. A fail that is a recorded fault of a library is counted apart and left out of the tables."
)
#: Alarms that are listed; all are counted.
_LISTED = 50


def study_page(summary: Summary, texts: Iterable[CheckText], *, command: str) -> str:
    """Return the page.

    Args:
        summary: What was seen.
        texts: Of the checks: names and bounds.
        command: What makes the page again.
    """
    named = {text.code: text for text in texts}
    subjects = list(summary.seen)
    blocks = [
        "# Rounding of right libraries",
        f"`{command}`",
        f"**{len(summary.alarms)} false alarms.** {_ABOUT}",
        _alarms(summary),
        "## Robots",
        _robots(summary, subjects),
        _known(summary),
        "## Largest errors by check and library",
        "Margin: the largest error / bound over all in double precision; 1 would be an alarm.",
        _by_subject(summary, subjects, named),
        "## Largest errors by check and population",
        "All subjects in double precision.",
        _by_population(summary, named),
        "## Digits kept against the local scale",
        "Worst / middle robot. No verdict: a library may be careless and correct.",
        _digits(summary, subjects),
        _troubles(summary),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _number(value: float) -> str:
    """Write a number with two digits."""
    return f"{value:.2g}" if value else "0"


def _largest(extreme: Extreme | None) -> str:
    """Write the cell of one extreme."""
    return "-" if extreme is None else _number(extreme.largest)


def _alarms(summary: Summary) -> str:
    """List the alarms."""
    lines = [
        f"- {alarm.case} {alarm.subject}: {alarm.measured.code} {alarm.measured.quantity}: {alarm.measured.message}"
        for alarm in summary.alarms[:_LISTED]
    ]
    more = len(summary.alarms) - len(lines)
    return "\n".join([*lines, *([f"- and {more} more"] if more else [])])


def _robots(summary: Summary, subjects: Sequence[str]) -> str:
    """Count robots per population and subject."""
    rows = [
        [name, what.text, *(str(summary.seen[subject].get(name, 0)) for subject in subjects)]
        for name, what in POPULATIONS.items()
    ]
    total = [str(sum(summary.seen[subject].values())) for subject in subjects]
    return _table(["population", "robots", *subjects], [*rows, ["all", "", *total]])


def _known(summary: Summary) -> str:
    """List the recorded faults that were met."""
    lines = [f"- {subject}, {robots} robots: {reason}" for (subject, reason), robots in sorted(summary.known.items())]
    return "\n".join(["Recorded faults that showed:", "", *lines]) if lines else ""


def _by_subject(summary: Summary, subjects: Sequence[str], texts: Mapping[str, CheckText]) -> str:
    """Return the first table: a row per check and quantity, a column per subject."""
    rows = []
    for code, quantity in sorted({key[:2] for key in summary.by_subject}):
        whole = summary.over_all.get((code, quantity))
        rows.append(
            [
                f"{code} {texts[code].slug}" if code in texts else code,
                quantity,
                texts[code].bound if code in texts else "",
                _largest(whole),
                "-" if whole is None else _number(whole.margin),
                "" if whole is None else whole.worst,
                *(_largest(summary.by_subject.get((code, quantity, subject))) for subject in subjects),
            ]
        )
    return _table(["check", "quantity", "bound", "largest", "margin", "worst", *subjects], rows)


def _by_population(summary: Summary, texts: Mapping[str, CheckText]) -> str:
    """Return the second table: a row per check and quantity, a column per population."""
    rows = [
        [
            f"{code} {texts[code].slug}" if code in texts else code,
            quantity,
            *(_largest(summary.by_population.get((code, quantity, name))) for name in POPULATIONS),
        ]
        for code, quantity in sorted(summary.over_all)
    ]
    return _table(["check", "quantity", *POPULATIONS], rows)


def _digits(summary: Summary, subjects: Sequence[str]) -> str:
    """Return the table of digits kept."""
    rows = []
    for quantity in dict.fromkeys(quantity for quantity, _ in summary.digits):
        found = [sorted(summary.digits.get((quantity, subject), ())) for subject in subjects]
        rows.append([quantity, *(f"{one[0]:.1f} / {one[len(one) // 2]:.1f}" if one else "-" for one in found)])
    return _table(["quantity", *subjects], rows)


def _troubles(summary: Summary) -> str:
    """List what did not run, each kind once."""
    lines = [
        f"- {subject}, {count} robots, {kind}; first {first}"
        for (subject, kind), (count, first) in summary.troubles.items()
    ]
    return "\n".join(["## What did not run", "", *lines]) if lines else ""
