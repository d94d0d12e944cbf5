"""One finding as lines of text: what, where, both values, bound, the command that shows it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.report.layout import cells, pad, wrap
from robodyn_check.report.words import clean, element, error_words, expected_from, number, one_line

if TYPE_CHECKING:
    from robodyn_check.report.grouping import Group
    from robodyn_check.report.results import Result, Where


def group_heading(group: Group) -> str:
    """Return who and what: ``drake: cause: armature dropped (elbow)``."""
    prefix = "cause: " if group.cause is not None else ""
    return f"{one_line(group.subject)}: {prefix}{one_line(group.title)}"


def place(where: Where) -> str:
    """Return ``file:line``."""
    return clean(where.file if where.line is None else f"{where.file}:{where.line}")


def facts(result: Result, *, seed: int | None) -> tuple[tuple[str, str], ...]:
    """Return the facts of a finding as (label, text): element, both values, error and bound, place, command."""
    worst, rows = result.worst, []
    if worst is not None:
        where = "" if worst.state is None else f", state {worst.state}" + ("" if seed is None else f" of seed {seed}")
        rows.append(("element", f"{element(result)}{where}"))
        rows.append((result.subject, number(worst.got)))
        rows.append((expected_from(result), number(worst.expected)))
    error = error_words(result)
    if error is not None:
        rows.append(("error", error))
    if result.where is not None:
        rows.append(("at", place(result.where)))
    if result.known is not None and result.known.link:
        rows.append(("see", result.known.link))
    if result.again:
        rows.append(("again", result.again))
    return tuple((one_line(label), one_line(text)) for label, text in rows)


def finding_lines(result: Result, width: int, *, seed: int | None, told: str = "") -> list[str]:
    """Return one finding as indented lines; values and commands stay on one line, however long.

    A message equal to ``told``, the heading above, is not said twice.
    """
    about = f" {result.quantity}" if result.quantity else ""
    head = f"{result.code}{about} ({result.slug})"
    message = one_line(result.message) if result.message and result.message != told else ""
    lines = wrap(f"{head}: {message}" if message else head, width, first="  - ", rest="    ")
    rows = facts(result, seed=seed)
    size = max((cells(label) for label, _ in rows), default=0)
    return lines + [f"    {pad(label, size)}  {text}" for label, text in rows]
