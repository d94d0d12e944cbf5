"""Names and places are scored strictly: one wrong name is a wrong name, and a place is a link or its joint."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_check.diagnosis.causes import UNEXPLAINED
from robodyn_check.diagnosis.diagnose import Alternative, Diagnosis
from robodyn_check.model.read import read_model
from robodyn_check.report.results import Cause
from robodyn_check.run.exam_naming import Key, naming

ROBOT = read_model(Path(__file__).parents[2] / "models" / "planar_2r" / "model.urdf")
KEY = Key(causes=frozenset({"joint-offset"}), element="elbow")


def cause(name: str, element: str | None = None) -> Cause:
    return Cause(name=name, text="", element=element)


@pytest.mark.parametrize(
    ("said", "name", "place"),
    [
        ([("joint-offset", "elbow")], "right", "right"),
        ([("joint-offset", "forearm")], "right", "right"),
        ([("joint-offset", "shoulder")], "right", "wrong"),
        ([("joint-offset", None)], "right", "none"),
        ([(UNEXPLAINED, None)], "unexplained", "none"),
        ([("joint-offset", "elbow"), (UNEXPLAINED, None)], "right", "right"),
        ([("joint-sign", "elbow")], "wrong", "right"),
        ([("joint-offset", "elbow"), ("joint-sign", "elbow")], "wrong", "right"),
        ([("joint-offset + joint-sign", "elbow")], "wrong", "right"),
        ([], "unexplained", "none"),
    ],
    ids=str,
)
def test_a_naming_is_scored(said: list[tuple[str, str | None]], name: str, place: str):
    found = naming(KEY, [cause(*one) for one in said], None, ROBOT)
    assert (found.name, found.place) == (name, place)
    assert not found.as_one_of_several


def test_another_cause_is_right_only_where_the_diagnosis_says_both():
    first = cause("joint-placement-differs", "elbow")
    alone = Diagnosis(general=first)
    both = Diagnosis(general=first, alternatives=(Alternative(cause="joint-offset", element="elbow"),))
    assert naming(KEY, [first], alone, ROBOT).name == "wrong"
    found = naming(KEY, [first], both, ROBOT)
    assert (found.name, found.place, found.as_one_of_several) == ("right", "right", True)


def test_another_link_is_right_only_where_the_diagnosis_says_both():
    key = Key(causes=frozenset({"inertial-parameters-differ"}), element="forearm")
    first = cause("inertial-parameters-differ", "upper_arm")
    other = Alternative(cause="inertial-parameters-differ", element="forearm")
    assert naming(key, [first], Diagnosis(general=first), ROBOT).place == "wrong"
    assert naming(key, [first], Diagnosis(general=first, alternatives=(other,)), ROBOT).place == "right"


def test_a_fault_of_the_whole_robot_has_no_place_of_its_own():
    key = Key(causes=frozenset({"gravity-sign"}), element=None)
    assert naming(key, [cause("gravity-sign")], None, ROBOT).place == "right"
    assert naming(key, [cause("gravity-sign", "elbow")], None, ROBOT).place == "wrong"
