"""The exam's page counts what it shows."""

from __future__ import annotations

from collections import Counter

from robodyn_check.run.exam import Exam
from robodyn_check.run.exam_marks import Mark
from robodyn_check.run.exam_naming import Naming
from robodyn_check.run.exam_page import exam_page
from robodyn_check.run.exam_rules import RULES
from robodyn_check.run.exam_sizes import BOTH, BOUNDS, READBACK, Threshold

RIGHT = Naming(name="right", place="right", said=("c at l",))
WRONG = Naming(name="wrong", place="none", said=("d",))
SHARED = Naming(name="right", place="right", said=("d at l",), as_one_of_several=True)


def mark(element: str, **changes: object) -> Mark:
    given: dict[str, object] = {"model": "m", "fault": "f", "cause": "c", "element": element, "outcome": "found"}
    return Mark(**(given | changes))  # type: ignore[arg-type]


def size(number: int, **changes: float) -> Threshold:
    smallest = {BOUNDS: 10.0**-number, READBACK: 1e-12, BOTH: 1e-12, **dict.fromkeys(RULES)}
    return Threshold(model="m", kind="mass", element=str(number), smallest=smallest, observable=True, **changes)


def test_found_missed_and_not_observable_are_counted():
    marks = [mark("l", quantities=("mass_matrix",), naming=RIGHT), mark("k", outcome="not observable")]
    page = exam_page(Exam(marks=marks, twins=1), "robodyn-check exam", version="1.2")
    assert "**1 of 1 found**; 1 more change no value by more than rounding" in page
    assert "| f | c | 1 | 1 | 1 | 0 | 1 | mass_matrix |" in page
    assert "(robodyn-check 1.2, whose bounds these are)" in page


def test_names_and_places_are_counted_and_what_was_wrong_is_listed():
    marks = [mark("l", naming=RIGHT), mark("k", naming=WRONG), mark("j", naming=SHARED)]
    page = exam_page(Exam(marks=marks), "robodyn-check exam", version="1")
    assert "**66.7% named rightly** (2), 33.3% wrongly (1), 0.0% not explained (0)" in page
    assert "**66.7% at the right link or joint** (2), 0 at a wrong one, 1 without a place" in page
    assert "| in a library | 3 | 2 | 1 | 0 | 2 | 0 | 1 |" in page
    assert "- f on m: c at k; name wrong, place none; said: d" in page
    assert "- 1 of the right names are one of several causes" in page
    assert "c (d first) 1" in page


def test_faults_in_a_file_are_scored_with_the_readback_as_well():
    page = exam_page(Exam(sized=[mark("l", naming=WRONG, with_readback=RIGHT)]), "robodyn-check exam", version="1")
    assert "| a changed number | 1 | 0 | 1 | 0 | 0 | 0 | 1 |" in page
    assert "| a changed number; with the readback | 1 | 1 | 0 | 0 | 1 | 0 | 0 |" in page


def test_sizes_are_shown_beside_fixed_tolerances_and_their_false_alarms():
    alarms = Counter({"absolute 1e-9": 3})
    page = exam_page(
        Exam(thresholds=[size(number, held=3e-13) for number in range(6, 13)], rule_alarms=alarms), "exam", version="1"
    )
    assert "median **1e-09**" in page
    assert "was seen for **7 of 7** numbers" in page
    assert "| **bounds and readback, all** | 7 | 0 | 1e-12 | 1e-12 | 100% |" in page
    assert "| absolute 1e-9, all | 7 | 3 | 1 | 1 | 0% |" in page
