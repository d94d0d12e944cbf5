"""Motions over the wire: a slow library is asked for them one by one, and what fails keeps its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from robodyn_check.errors import AdapterCrashed
from robodyn_check.harness.motions import integrate
from robodyn_check.motion import STEPS
from robodyn_check.requests import Answer, Failure
from robodyn_check.sdk.arrays import decode_array, encode_array
from robodyn_check.sdk.protocol import AdapterInfo
from tests.run.test_motions import ROBOT, canonical_of, motion

if TYPE_CHECKING:
    from robodyn_check.requests import Request

CANONICAL = canonical_of(ROBOT)
REQUEST = motion(ROBOT, 3)


class Ends:
    """Stands in for a client: each motion ends at its own beginning, but for those that fail."""

    def __init__(self, fail: tuple[int, ...] = ()) -> None:
        """Fail these motions, counted over all calls."""
        self.calls: list[int] = []
        self.fail = fail

    def call(self, _method: str, params: dict[str, Any], *, timeout: float) -> Any:
        assert timeout > 0
        q, v = (decode_array(params[name], name) for name in ("q", "v"))
        before, count = sum(self.calls), len(q)
        self.calls.append(count)
        one = np.concatenate([q, v, np.zeros((count, 1))], axis=1)
        rows = [row for row in range(count) if before + row in self.fail]
        failures = [{"rows": rows, "message": "lost"}] if rows else []
        values = encode_array(np.repeat(one[:, None], len(STEPS), axis=1), "nested")
        return {"values": values, "failures": failures, "seconds": 1.0}


def followed(client: Any, cost: float, request: Request = REQUEST) -> Answer | Failure:
    info = AdapterInfo(protocol=1, name="lib", version="1", quantities=("forward_dynamics",), cost=cost)
    return integrate(client, 0, request, CANONICAL, info=info, timeout=1.0)


@pytest.mark.parametrize(("cost", "calls"), [(10.0, [3]), (700.0, [2, 1]), (5000.0, [1, 1, 1]), (60000.0, [1, 1, 1])])
def test_a_slow_library_follows_fewer_motions_a_call(cost: float, calls: list[int]):
    client = Ends()
    answer = followed(client, cost)
    assert client.calls == calls
    assert isinstance(answer, Answer)
    assert answer.seconds == len(calls)
    np.testing.assert_array_equal(answer.values[:, 0, : ROBOT.nq], REQUEST.q)


def test_a_motion_that_fails_keeps_its_place():
    answer = followed(Ends(fail=(1,)), 5000.0)
    assert isinstance(answer, Answer)
    assert [(one.message, one.states) for one in answer.failures] == [("lost", (1,))]


def test_nothing_is_left_when_every_motion_fails():
    answer = followed(Ends(fail=(0, 1, 2)), 5000.0)
    assert isinstance(answer, Failure)
    assert answer.message == "lost"


def test_an_answer_of_another_shape_is_a_crash():
    class Short(Ends):
        def call(self, method: str, params: dict[str, Any], *, timeout: float) -> Any:
            return {**super().call(method, params, timeout=timeout), "values": [[1.0]]}

    with pytest.raises(AdapterCrashed, match=r"integrate: shape \(1, 1\), expected \(3, 3, "):
        followed(Short(), 10.0)
