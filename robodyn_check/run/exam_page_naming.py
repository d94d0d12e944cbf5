"""The part of the exam's page on names and places: how often the diagnosis was right, and where it was not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from robodyn_check.run.exam import Exam
    from robodyn_check.run.exam_marks import Mark
    from robodyn_check.run.exam_naming import Naming

    Named = tuple[Mark, Naming]


def naming_lines(exam: Exam) -> list[str]:
    """Return the two lines of the page's head."""
    every = [*_named(exam.marks), *_named(exam.sized)]
    if not every:
        return []
    names, places = (Counter(getattr(one, kind) for _, one in every) for kind in ("name", "place"))
    total = len(every)
    return [
        (
            f"- Causes of the {total} faults that were found, by the answers alone: **{_share(names['right'], total)} "
            f"named rightly** ({names['right']}), {_share(names['wrong'], total)} wrongly ({names['wrong']}), "
            f"{_share(names['unexplained'], total)} not explained ({names['unexplained']}); "
            f"**{_share(places['right'], total)} at the right link or joint** ({places['right']}), "
            f"{places['wrong']} at a wrong one, {places['none']} without a place."
        ),
        *_several(every),
    ]


def naming_table(exam: Exam) -> list[str]:
    """Return the section with the figures by kind, and everything that was not right."""
    parts = {
        "in a library": _named(mark for mark in exam.marks if mark.with_readback is None),
        "whole, in its file": _named(mark for mark in exam.marks if mark.with_readback is not None),
        "a changed number": _named(exam.sized),
        "whole, in its file; with the readback": _shown(exam.marks),
        "a changed number; with the readback": _shown(exam.sized),
    }
    rows = [_row(title, pairs) for title, pairs in parts.items() if pairs]
    if not rows:
        return []
    lines = [
        "## Named and located",
        "",
        "The diagnosis is that of a real run. A fault with one wrong name among the causes of its findings counts as",
        "named wrongly, whatever else was said. A joint and its child link are one place. The diagnosis has a",
        "hypothesis for each of these faults: the figures say how well it tells them apart, not what it makes of a",
        "fault that nobody thought of, which ends as numbers that differ or as not explained.",
        "",
        "| faults | found | right name | wrong name | not explained | right place | wrong place | no place |",
        "|---|---|---|---|---|---|---|---|",
        *rows,
        "",
    ]
    off = [
        _failure(mark, one, title)
        for title, pairs in parts.items()
        for mark, one in pairs
        if (one.name, one.place) != ("right", "right")
    ]
    if off:
        lines += ["Not right:", "", *dict.fromkeys(off), ""]
    return lines


def _named(marks: Iterable[Mark]) -> list[Named]:
    return [(mark, mark.naming) for mark in marks if mark.naming is not None]


def _shown(marks: Iterable[Mark]) -> list[Named]:
    return [(mark, mark.with_readback) for mark in marks if mark.with_readback is not None]


def _several(every: Sequence[Named]) -> list[str]:
    """Say how many were right only as one of several causes that no answer tells apart."""
    shared = [(mark, one) for mark, one in every if one.as_one_of_several]
    if not shared:
        return []
    pairs = Counter(f"{mark.cause} ({one.said[0].partition(' at ')[0]} first)" for mark, one in shared)
    listed = ", ".join(f"{pair} {count}" for pair, count in pairs.most_common())
    return [
        (
            f"- {len(shared)} of the right names are one of several causes that no answer of that robot tells apart: "
            "each reproduces every answer within its bound at all states, and the diagnosis says each of them. They "
            f"are: {listed}."
        )
    ]


def _row(title: str, pairs: Sequence[Named]) -> str:
    names, places = (Counter(getattr(one, kind) for _, one in pairs) for kind in ("name", "place"))
    counts = (names["right"], names["wrong"], names["unexplained"], places["right"], places["wrong"], places["none"])
    return f"| {title} | {len(pairs)} | {' | '.join(str(count) for count in counts)} |"


def _failure(mark: Mark, one: Naming, title: str) -> str:
    where = "the whole robot" if mark.element is None else mark.element
    readback = ", with the readback" if title.endswith("readback") else ""
    return (
        f"- {mark.fault} on {mark.model}{readback}: {mark.cause} at {where}; name {one.name}, place {one.place}; "
        f"said: {', '.join(one.said) or 'nothing'}"
    )


def _share(count: int, total: int) -> str:
    return f"{count / total:.1%}"
