"""The mix of kinds and the few that stand for many."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_check.states import StateBatch, subset, subset_numbers
from robodyn_check.states.mix import CORNERS, kinds_of


def batch(kinds: tuple[str, ...], count: int | None = None) -> StateBatch:
    numbers = np.arange(float(count or len(kinds)))[:, None]
    return StateBatch(q=numbers, v=numbers, a=numbers, tau=numbers, kinds=kinds)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 20, 200])
def test_every_count_is_filled(count: int) -> None:
    assert len(kinds_of(count)) == count


def test_kinds_are_spread_so_that_a_prefix_is_mixed() -> None:
    assert {"inside", "outside", *CORNERS} == set(kinds_of(200)[:40])


def test_one_state_is_an_inside_one() -> None:
    assert kinds_of(1) == ("inside",)
    assert subset(batch(kinds_of(200)), 1).kinds == ("inside",)


def test_a_subset_of_seven_has_every_kind() -> None:
    few = subset(batch(kinds_of(200)), 7)
    assert set(few.kinds) == {"inside", "outside", *CORNERS}


def test_a_subset_keeps_order_rows_and_kinds_together() -> None:
    states = batch(kinds_of(50))
    numbers = subset_numbers(states, 12)
    few = subset(states, 12)
    assert list(numbers) == sorted(set(numbers))
    assert few.q[:, 0].tolist() == [float(number) for number in numbers]
    assert few.kinds == tuple(states.kinds[number] for number in numbers)


def test_a_subset_is_never_larger_than_the_batch() -> None:
    assert len(subset(batch(kinds_of(5)), 50)) == 5


def test_states_without_kinds_give_their_first_ones() -> None:
    assert subset_numbers(batch((), count=9), 4) == (0, 1, 2, 3)
