"""Dataclasses to JSON and back; a stranger's mistakes are named with their place."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robodyn_check.sdk.adapter import Source
from robodyn_check.sdk.layout import JointLayout, Layout, RegressorLayout
from robodyn_check.sdk.readback import BodyReadback, JointReadback, Readback
from robodyn_check.sdk.records import MalformedRecord, from_json, to_json

BODY = BodyReadback(name="b", mass=math.inf, com=(0.1, 0.2, 0.3), inertia=((1, 0, 0), (0, 1, 0), (0, 0, math.nan)))
READBACK = Readback(bodies=(BODY,), joints=(JointReadback(name="NaN", kind="fixed"),), gravity=(0, 0, -9.81))
RECORDS = [
    READBACK,
    Layout(
        joints=(JointLayout(name="é", q=(0,), v=(0,)), JointLayout(name="f", q=(1,), v=(1,), linear="world")),
        links=("a",),
        nq=2,
        nv=2,
        regressor=RegressorLayout(frame="joint", bodies=("é",)),
    ),
    Source(
        path=Path("robot.urdf"), format="urdf", base="fixed", gravity=(0.0, 0.0, -9.81), joints=("é",), links=("a",),
        mechanism=READBACK, extra={"deep": {"list": [1, "x"]}},
    ),
]  # fmt: skip


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_record_survives_the_wire(record: Any):
    sent = json.loads(json.dumps(to_json(record), allow_nan=False))
    assert repr(from_json(type(record), sent, "x")) == repr(record).replace("(1, 0, 0)", "(1.0, 0.0, 0.0)").replace(
        "(0, 1, 0)", "(0.0, 1.0, 0.0)"
    ).replace("(0, 0, nan)", "(0.0, 0.0, nan)").replace("(0, 0, -9.81)", "(0.0, 0.0, -9.81)")


def test_numpy_numbers_are_plain_on_the_wire():
    layout = Layout(joints=(), links=(), nq=np.int64(3), nv=np.int32(2))  # type: ignore[arg-type]
    assert to_json(layout)["nq"] == 3


def test_unknown_fields_are_ignored():
    assert from_json(Readback, {"later": 1}, "readback") == Readback()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "layout: expected an object, got []"),
        ({"joints": [], "links": [], "nq": 1}, "layout.nv: missing (present: joints, links, nq)"),
        ({"joints": [], "links": [], "nq": "x", "nv": 1}, 'layout.nq: expected an integer, got "x"'),
        ({"joints": [], "links": [], "nq": True, "nv": 1}, "layout.nq: expected an integer, got true"),
        ({"joints": [{"name": 1}], "links": [], "nq": 1, "nv": 1}, "layout.joints[0].name: expected a string, got 1"),
        (
            {"joints": [{"name": "a", "q": [0], "v": [0], "form": "euler"}], "links": [], "nq": 1, "nv": 1},
            "layout.joints[0].form: expected one of 'angle'",
        ),
        ({"joints": 5, "links": [], "nq": 1, "nv": 1}, "layout.joints: expected an array, got 5"),
    ],
)
def test_a_wrong_field_is_named_with_its_place(data: Any, words: str):
    with pytest.raises(MalformedRecord) as caught:
        from_json(Layout, data, "layout")
    assert words in str(caught.value)


def test_a_vector_has_three_numbers():
    with pytest.raises(MalformedRecord, match=r"readback.gravity: expected an array of 3 entries, got \[0, 1\]"):
        from_json(Readback, {"gravity": [0, 1]}, "readback")


def test_what_cannot_travel_is_named():
    with pytest.raises(MalformedRecord, match="cannot be written as JSON: <object"):
        to_json({"a": object()})
