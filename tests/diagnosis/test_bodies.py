"""Bodies are compared with the largest entry of each kind; what frames and sums round is no difference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robodyn_check.diagnosis.bodies import alone, change, compared, together
from robodyn_check.sdk.readback import BodyReadback, matrix, vector

LINK = BodyReadback(
    name="link", mass=2.0, com=(0.1, 0.0, 0.3), inertia=matrix(np.diag([0.01, 0.02, 0.03])), joint="turn"
)
TIP = BodyReadback(
    name="tip",
    mass=0.5,
    com=(0.0, 0.02, 0.0),
    inertia=matrix(np.diag([1e-4, 2e-4, 3e-4])),
    joint="turn",
    rotation=((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    translation=(0.4, 0.0, 0.0),
)
FINER = 1e-12


@pytest.mark.parametrize(
    ("changed", "index"),
    [
        (replace(LINK, mass=2.0 * (1 + FINER)), 0),
        (replace(LINK, com=(0.1, 0.0, 0.3 * (1 + FINER))), 1),
        (replace(LINK, com=(0.1, 0.3 * FINER, 0.3)), 1),
        (replace(LINK, inertia=matrix(np.diag([0.01, 0.02, 0.03 * (1 + FINER)]))), 2),
    ],
    ids=["mass", "com", "a zero of com", "inertia"],
)
def test_a_change_of_1e_12_is_seen_and_told_with_all_digits(changed: BodyReadback, index: int):
    shares = change(alone(LINK), alone(changed))
    assert shares[index] == pytest.approx(FINER, rel=1e-2)
    assert sum(share > FINER / 2 for share in shares) == 1
    text = compared(alone(LINK), alone(changed), FINER / 2)
    got, _, right = text.partition(", the file ")
    assert right
    assert got.rpartition(" (")[2] != right


def test_a_merge_in_another_order_is_no_difference():
    whole = together([LINK, TIP])
    merged = replace(LINK, mass=whole.mass, com=vector(whole.com), inertia=matrix(whole.inertia))
    assert max(change(together([LINK, TIP]), together([merged]))) == 0.0
    assert compared(together([LINK, TIP]), together([TIP, LINK]), 1e-15) == ""


def test_a_merge_at_the_wrong_point_is_a_difference():
    text = compared(together([LINK, TIP]), together([LINK, replace(TIP, translation=(0.0, 0.0, 0.0))]), 1e-9)
    assert text.startswith("centre of mass (")
    assert "inertia (" in text
    assert "mass 2" not in text


def test_a_body_that_gains_a_mass_has_none_to_compare_with():
    nothing = replace(LINK, mass=0.0, com=(0.0, 0.0, 0.0), inertia=matrix(np.zeros((3, 3))))
    assert change(alone(nothing), alone(replace(nothing, mass=1e-6)))[0] == float("inf")
    assert change(alone(nothing), alone(nothing)) == (0.0, 0.0, 0.0)


def test_no_bodies_at_all_weigh_nothing():
    assert together([]).mass == 0.0


def test_a_sum_of_many_links_may_round_as_often_as_it_has_terms():
    right = alone(LINK)
    moved = 300 * 2.0**-52 * right.reach  # ten times what frames and a few sums may round
    held = replace(right, com=right.com + np.array([moved, 0.0, 0.0]))
    assert change(right, held)[1] > 0.0
    assert change(replace(right, parts=1500), replace(held, parts=1500))[1] == 0.0
