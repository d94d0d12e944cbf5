"""The same code runs in ball arithmetic: every ball holds the value, and derivatives are checked far below eps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from flint import arb, ctx

from robodyn_check import reference
from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.quantities import QUANTITIES
from robodyn_check.reference.cholesky import forward_dynamics_by_cholesky
from robodyn_check.reference.christoffel import christoffel_symbols, mass_matrix_derivative
from robodyn_check.reference.chunk import Chunk
from robodyn_check.reference.engine import evaluate, evaluate_many
from robodyn_check.reference.tree import build_tree
from tests.reference.random_models import SPECIAL_KINDS, mechanism_of, random_states

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import Number


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    before, ctx.prec = ctx.prec, 256
    yield
    ctx.prec = before


def ball(number: Number) -> Any:
    value = arb(number.text)
    return value * arb.pi() / 180 if number.degrees else value


def balls(array: Any) -> Any:
    return np.array([arb(float(entry)) for entry in array.ravel()], dtype=object).reshape(array.shape)


def doubles(array: Any) -> Any:
    return np.array([float(entry) for entry in array.ravel()]).reshape(array.shape)


def radii(array: Any) -> float:
    return max((float(entry.rad()) for entry in array.ravel() if isinstance(entry, arb)), default=0.0)


@pytest.mark.parametrize("kinds", SPECIAL_KINDS, ids="-".join)
@pytest.mark.parametrize("seed", [2, 3])
def test_every_quantity_in_balls_is_narrow_and_holds_the_double(seed: int, kinds: tuple[Any, ...]) -> None:
    mechanism, exact = mechanism_of(seed, kinds), mechanism_of(seed, kinds, number=ball)
    states = random_states(mechanism, 2)
    rounded = evaluate_many(mechanism, tuple(QUANTITIES), **states)
    certain = evaluate_many(exact, tuple(QUANTITIES), **{name: balls(array) for name, array in states.items()})
    for quantity, values in rounded.items():
        assert certain[quantity].dtype == object
        assert radii(certain[quantity]) < 1e-50 * max(1.0, np.abs(values).max())
        assert np.abs(doubles(certain[quantity]) - values).max() <= 1e-11 * max(1.0, np.abs(values).max())


@pytest.mark.parametrize("file", sorted(Path(reference.__file__).parent.glob("*.py")), ids=lambda file: file.stem)
def test_no_file_of_the_reference_names_a_number_type(file: Path) -> None:
    assert not re.findall(r"float(?:16|32|64)|longdouble|complex|astype|dtype=(?!np\.intp|bool)", file.read_text())


def stepped(mechanism: Mechanism, q: Any, k: int, h: Any) -> Any:
    """Return q (1, nq) of balls after the motion h along velocity coordinate k, exact to second order."""
    out = q.copy()
    (joint,) = [joint for joint in mechanism.joints if joint.v.start <= k < joint.v.stop]
    axis, width = k - joint.v.start, joint.v.stop - joint.v.start
    if joint.kind not in {"ball", "floating"}:
        out[0, joint.q.start + axis] += h
        return out
    start = joint.q.stop - 4
    x, w = q[0, start : start + 3], q[0, start + 3]
    unit = np.array([arb(int(i == axis % 3)) for i in range(3)], dtype=object)
    crossed = np.array([x[(i + 1) % 3] * unit[(i + 2) % 3] - x[(i + 2) % 3] * unit[(i + 1) % 3] for i in range(3)])
    if width == 6 and axis < 3:
        inner = crossed + w * unit
        twice = np.array([x[(i + 1) % 3] * inner[(i + 2) % 3] - x[(i + 2) % 3] * inner[(i + 1) % 3] for i in range(3)])
        n = (x * x).sum() + w * w
        out[0, joint.q.start : start] += (unit + 2 * twice / n) * h
    else:
        out[0, start : start + 3] += (w * unit + crossed) * h / 2
        out[0, start + 3] -= (x * unit).sum() * h / 2
    return out


@pytest.mark.parametrize("kinds", SPECIAL_KINDS, ids="-".join)
def test_mass_matrix_derivative_equals_central_differences_in_balls(kinds: tuple[Any, ...]) -> None:
    mechanism = mechanism_of(5, kinds, number=ball)
    q = balls(random_states(mechanism, 1)["q"])
    tree = build_tree(mechanism)
    zero = np.zeros_like(q, shape=(mechanism.nv, 1)) + arb(0)
    chunk = Chunk(tree, q.T, zero, zero, zero, gravity=mechanism.gravity)
    derivative = mass_matrix_derivative(christoffel_symbols(tree, chunk.positions, chunk.subtree))[..., 0]
    h = arb(2) ** -80
    for k in range(mechanism.nv):
        ahead, behind = (evaluate(mechanism, "mass_matrix", stepped(mechanism, q, k, s * h))[0] for s in (1, -1))
        difference = doubles((ahead - behind) / (2 * h))
        scale = max(1.0, np.abs(difference).max())
        assert np.abs(doubles(derivative[:, :, k]) - difference).max() <= 1e-14 * scale
    assert tree.order is None


@pytest.mark.parametrize("seed", range(4))
def test_articulated_bodies_equal_cholesky_in_balls(seed: int) -> None:
    robot = random_robot(seed, kinds=("ball", "planar"), armature=True)
    mechanism = build_mechanism(robot, number=ball)
    states = {name: balls(array) for name, array in random_states(mechanism, 1).items()}
    value = evaluate_many(mechanism, ("forward_dynamics", "mass_matrix", "bias_force"), **states)
    M = np.moveaxis(value["mass_matrix"], 0, -1)
    second = forward_dynamics_by_cholesky(M, value["bias_force"].T, states["tau"].T).T
    assert all(a.overlaps(b) for a, b in zip(value["forward_dynamics"].ravel(), second.ravel(), strict=True))
    assert radii(value["forward_dynamics"]) < 1e-40 * max(1.0, np.abs(doubles(second)).max())
