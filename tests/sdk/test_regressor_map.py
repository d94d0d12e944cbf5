"""Regressor columns against the inertia of made-up mass points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.sdk.canonical import CanonicalLink, line_up
from robodyn_check.sdk.layout import RegressorLayout
from robodyn_check.sdk.readback import matrix, vector
from robodyn_check.sdk.regressor_map import ORDER, canonical_columns, parameter_transform
from robodyn_check.sdk.rotations import from_quaternion
from robodyn_check.sdk.velocity_map import LayoutMismatch

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


def parameters(masses: Array, points: Array):
    """Return the ten parameters of mass points about the origin of their frame."""
    moment = masses @ points
    inertia = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, points, strict=True))
    return np.array([masses.sum(), *moment, *inertia[np.triu_indices(3)]])


def placement(seed: int):
    rng = np.random.default_rng(seed)
    return from_quaternion(rng.normal(size=(1, 4)))[0], rng.normal(size=3)


@pytest.mark.parametrize("seed", range(4))
def test_parameters_move_with_their_frame(seed: int):
    R, p = placement(seed)
    rng = np.random.default_rng(seed + 100)
    masses, points = rng.uniform(0.1, 2, size=5), rng.normal(size=(5, 3))
    moved = parameters(masses, points @ R.T + p)
    np.testing.assert_allclose(parameter_transform(R, p) @ parameters(masses, points), moved, rtol=1e-13)


def test_an_identical_placement_changes_no_bit():
    np.testing.assert_array_equal(parameter_transform(np.eye(3), np.zeros(3)), np.eye(10))


def test_columns_of_a_body_are_those_of_its_links():
    R, p = placement(7)
    links = (
        CanonicalLink(name="base", joint=None),
        CanonicalLink(name="tool", joint="j2", rotation=matrix(R), translation=vector(p)),
        CanonicalLink(name="arm", joint="j1"),
    )
    canonical = line_up((("j1", "revolute"), ("j2", "revolute")), links)
    order = ("m", "mx", "my", "mz", "xx", "xy", "yy", "xz", "yz", "zz")
    layout = RegressorLayout(frame="joint", bodies=("j2", "j1"), order=order)
    rng = np.random.default_rng(8)
    Y = rng.normal(size=(3, 2, 20))
    out = canonical_columns(Y, layout, canonical)
    tool, arm = rng.normal(size=(2, 10))
    in_order = [ORDER.index(name) for name in order]
    bodies = np.concatenate([(parameter_transform(R, p) @ tool)[in_order], arm[in_order]])
    np.testing.assert_allclose(out @ np.concatenate([rng.normal(size=10), tool, arm]), Y @ bodies, atol=1e-12)
    np.testing.assert_array_equal(out[..., :10], 0)


def test_a_link_without_columns_is_named():
    canonical = line_up((("j", "revolute"),), (CanonicalLink(name="l", joint="j"),))
    with pytest.raises(LayoutMismatch, match="no columns for link 'l'"):
        canonical_columns(np.zeros((1, 1, 10)), RegressorLayout(frame="link", bodies=("other",)), canonical)
    with pytest.raises(LayoutMismatch, match="must name each of m mx"):
        canonical_columns(
            np.zeros((1, 1, 10)), RegressorLayout(frame="link", bodies=("l",), order=("m",) * 10), canonical
        )


def test_a_merged_link_takes_the_columns_of_its_neighbour():
    tool, arm = placement(9), placement(10)
    links = (
        CanonicalLink(name="tip", joint="j", rotation=matrix(tool[0]), translation=vector(tool[1])),
        CanonicalLink(name="arm", joint="j", rotation=matrix(arm[0]), translation=vector(arm[1])),
    )
    canonical = line_up((("j", "revolute"),), links)
    rng = np.random.default_rng(11)
    Y, masses, points = rng.normal(size=(2, 1, 10)), rng.uniform(0.1, 2, size=5), rng.normal(size=(5, 3))
    out = canonical_columns(Y, RegressorLayout(frame="link", bodies=("arm",)), canonical)
    in_arm = (points @ tool[0].T + tool[1] - arm[1]) @ arm[0]
    both = np.concatenate([parameters(masses, points), np.zeros(10)])
    np.testing.assert_allclose(out @ both, Y @ parameters(masses, in_arm), rtol=1e-12, atol=1e-12)
