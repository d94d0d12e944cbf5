from __future__ import annotations

from dataclasses import replace

from robodyn_check.report.results import Result, Worst
from robodyn_check.report.robot_tree import tree_rows
from tests.report import fixtures


def test_links_stand_under_their_parents_with_their_parameters():
    rows = tree_rows(fixtures.mixed().models[0])
    assert [(row.link, row.depth, row.joint) for row in rows] == [
        ("base", 0, ""), ("upper", 1, "shoulder"), ("fore", 2, "elbow"),
    ]  # fmt: skip
    assert (rows[2].mass, rows[2].com, rows[2].armature) == ("1.25", "0 0.01 0.15", "0.1")


def test_a_cause_marks_its_joint_once():
    rows = {row.link: row for row in tree_rows(fixtures.mixed().models[0])}
    assert [mark.text for mark in rows["fore"].marks] == ["warn: model: axis-not-unit", "FAIL: drake: armature dropped"]
    assert rows["upper"].marks == ()


def test_a_fault_of_the_file_marks_its_element():
    worst = Worst(index=(), labels=("upper",), got=-1.0, expected=None, bound=None, state=None)
    fault = Result(code="RD111", slug="mass-negative", verdict="fail", subject="model", message="bad", worst=worst)
    rows = {row.link: row for row in tree_rows(fixtures.model((fault,), ()))}
    assert [mark.text for mark in rows["upper"].marks] == ["FAIL: mass-negative"]


def test_a_chain_deeper_than_python_recurses_is_no_trouble():
    joints = [{"name": f"j{k}", "parent": f"l{k}", "child": f"l{k + 1}"} for k in range(3000)]
    record = replace(fixtures.all_pass().models[0].model, links=tuple(f"l{k}" for k in range(3001)))
    rows = tree_rows(fixtures.model((), (), mechanism={"joints": joints}, model=record))
    assert rows[-1].depth == 3000


def test_a_loop_in_the_data_ends():
    joints = [{"name": "a", "parent": "x", "child": "y"}, {"name": "b", "parent": "y", "child": "x"}]
    assert tree_rows(fixtures.model((), (), mechanism={"joints": joints})) is not None


def test_a_mechanism_that_says_nothing_still_lists_the_links():
    rows = tree_rows(fixtures.model((), (), mechanism={}))
    assert [row.link for row in rows] == ["base", "upper", "fore"]
