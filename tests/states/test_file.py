"""States from a file: what is missing, what is given, and a message for every mistake."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from robodyn_check.errors import UsageError
from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.states import options_from_json, states_from_json

ARM = build_mechanism(random_robot(2, group="plain", dofs=4, mimic=True))
FLYING = build_mechanism(random_robot(2, group="plain", dofs=2), base="floating")


def test_missing_values_are_zero_and_a_mimic_joint_follows() -> None:
    follower = next(joint for joint in ARM.joints if joint.mimic is not None)
    assert follower.mimic is not None
    master, multiplier, offset = follower.mimic
    states = states_from_json({"states": [{"q": {master: 0.5}, "v": {master: 2}}, {}]}, ARM)
    place = next(joint for joint in ARM.joints if joint.name == master)
    assert states.q[0, place.q] == 0.5
    assert states.q[0, follower.q] == multiplier * 0.5 + offset
    assert states.v[0, follower.v] == multiplier * 2.0
    assert states.q[1, follower.q] == offset
    assert (states.a == 0.0).all()
    assert (states.tau == 0.0).all()
    assert states.kinds == ("given", "given")


def test_a_mimic_joint_that_is_given_is_used_as_given() -> None:
    follower = next(joint for joint in ARM.joints if joint.mimic is not None)
    by_name = states_from_json({"states": [{"q": {follower.name: 0.25}}]}, ARM)
    by_list = states_from_json({"states": [{"q": [0.1, 0.2, 0.3, 0.4]}]}, ARM)
    assert by_name.q[0, follower.q] == 0.25
    assert by_list.q[0].tolist() == [0.1, 0.2, 0.3, 0.4]


def test_a_floating_base_starts_at_the_identity_and_takes_lists() -> None:
    states = states_from_json(
        {"base": "floating", "states": [{}, {"q": {"floating_base": [1, 2, 3, 0, 0, 0.6, 0.8]}, "v": [1] * 8}]}, FLYING
    )
    assert states.q[0].tolist() == [0, 0, 0, 0, 0, 0, 1, 0, 0]
    np.testing.assert_allclose(states.q[1, :7], [1, 2, 3, 0, 0, 0.6, 0.8], rtol=1e-15)
    assert states.v[1].tolist() == [1.0] * 8


def test_a_quaternion_of_rounded_decimals_is_normalised() -> None:
    states = states_from_json({"states": [{"q": {"floating_base": [0, 0, 0, 0, 0, 0.7071, 0.7071]}}]}, FLYING)
    np.testing.assert_allclose((states.q[0, 3:7] ** 2).sum(), 1.0, rtol=1e-15)


def test_options_are_read_before_there_is_a_robot() -> None:
    options = options_from_json({"base": "floating", "gravity": [0, 0, -1.62], "states": []})
    assert options.base == "floating"
    assert options.gravity == (0.0, 0.0, -1.62)
    nothing = options_from_json({"states": []})
    assert nothing.base is None
    assert nothing.gravity is None


MISTAKES: list[tuple[Any, str]] = [
    ([], 'states file holds a list; it must be an object with "states".'),
    ({"sates": []}, "states file: 'sates' is not known here. Did you mean 'states'?"),
    ({"states": []}, '"states" must be a list of at least one state'),
    ({"states": [3]}, 'state 0 is the number 3; it must be an object with "q", "v", "a", "tau".'),
    ({"states": [{"qd": []}]}, "state 0: 'qd' is not known here."),
    ({"states": [{"q": {"jiont1": 0}}]}, "there is no moving joint 'jiont1'. Did you mean 'joint1'?"),
    ({"states": [{"q": {"elbow": 0}}]}, "there is no moving joint 'elbow'. There are: 'joint0', 'joint1'"),
    ({"states": [{}, {"v": [1, 2]}]}, 'state 1, "v" has 2 numbers; it must have 4 (nv of this robot, joints joint0'),
    ({"states": [{"q": "zero"}]}, "is a text; it must be an object of values by joint, or a list of 4."),
    ({"states": [{"q": {"joint0": "0"}}]}, "joint 'joint0' is a text; it must be a number."),
    ({"states": [{"q": {"joint0": True}}]}, "joint 'joint0' is true or false; it must be a number."),
    ({"states": [{"a": {"joint0": float("nan")}}]}, "joint 'joint0' is nan; it must be finite."),
    ({"states": [{"a": {"joint0": [1, 2]}}]}, "joint 'joint0' has 2 numbers; it must have 1 (its coordinates)."),
    ({"base": "floating", "states": [{}]}, '"base" is "floating", but this robot was read with a fixed base.'),
    ({"base": "free", "states": [{}]}, '"base" is \'free\'; it must be "fixed" or "floating".'),
    ({"gravity": [0, 0], "states": [{}]}, '"gravity" has 2 numbers; it must have 3 (x, y, z in m/s²).'),
    ({"gravity": 9.81, "states": [{}]}, '"gravity" is the number 9.81; it must be a list of 3 numbers'),
]


@pytest.mark.parametrize(("data", "message"), MISTAKES, ids=[message[:40] for _, message in MISTAKES])
def test_a_mistake_is_named_with_its_place(data: object, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        states_from_json(data, ARM)
    assert message in str(caught.value)


def test_a_quaternion_far_from_unit_is_refused() -> None:
    with pytest.raises(UsageError, match=r"the quaternion \[x, y, z, w\] = .* has length 2; it must be 1"):
        states_from_json({"states": [{"q": {"floating_base": [0, 0, 0, 0, 0, 0, 2]}}]}, FLYING)
