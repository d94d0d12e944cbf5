"""The reference engine against a Python loop over Pinocchio: CPU time for 1 000 states, as ratios.

Both sides compute the same quantities at the same states and keep every result. They take turns, and each one's time is
the smallest of several, so a loaded machine moves both alike. The last two lines are what `make bench` promises:
M + C + g + forward dynamics + Y together, on a real 7-dof arm and on a 30-dof tree, reference over Pinocchio.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.reference.christoffel import christoffel_symbols
from robodyn_check.reference.chunk import Chunk
from robodyn_check.reference.engine import evaluate_many
from robodyn_check.reference.tree import build_tree

try:
    import pinocchio
except ImportError:
    sys.exit('This benchmark compares with Pinocchio; install it: pip install "robodyn-check[pinocchio]"')

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.model.mechanism import Mechanism

ROOT = Path(__file__).parents[1]
STATES = 1000
#: What is timed: name -> quantities of one evaluation.
ROWS: dict[str, tuple[str, ...]] = {
    "M": ("mass_matrix",),
    "C": ("coriolis_matrix",),
    "g": ("gravity_vector",),
    "ID": ("inverse_dynamics",),
    "FD": ("forward_dynamics",),
    "Y": ("joint_torque_regressor",),
    "M+C+g": ("mass_matrix", "coriolis_matrix", "gravity_vector"),
    "all five": (
        "mass_matrix",
        "coriolis_matrix",
        "gravity_vector",
        "forward_dynamics",
        "joint_torque_regressor",
    ),
}


def main() -> None:
    """Print one table a robot, then the two ratios."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=7, help="turns of each side (default: 7)")
    repeat = parser.parse_args().repeat
    arm = build_mechanism(read_model(ROOT / "models" / "schunk_lwa4d" / "model.urdf"))
    tree = build_mechanism(random_robot(30, group="deep", dofs=30))
    humanoid = build_mechanism(read_model(ROOT / "models" / "fourier_gr3" / "model.urdf"))
    ratios = {}
    for label, mechanism in (("7dof", arm), ("30dof", tree), ("humanoid", humanoid)):
        print(f"{label}: {mechanism.name}, {mechanism.nv} dof, {mechanism.nl} links, {STATES} states, µs a state")
        print(f"  {'':12}{'reference':>12}{'pinocchio':>12}{'ratio':>8}")
        for name, quantities in ROWS.items():
            ours, theirs = compare(mechanism, quantities, repeat)
            ratios[label, name] = ours / theirs
            print(f"  {name:12}{ours:12.2f}{theirs:12.2f}{ours / theirs:8.2f}")
        print(f"  {'Christoffel':12}{christoffel_time(mechanism, repeat):12.2f}{'-':>12}{'-':>8}")
    print(f"ratio_7dof {ratios['7dof', 'all five']:.3f}")
    print(f"ratio_30dof {ratios['30dof', 'all five']:.3f}")


def compare(mechanism: Mechanism, quantities: tuple[str, ...], repeat: int) -> tuple[float, float]:
    """Return the microseconds a state of the reference and of the loop, after showing that they agree."""
    draw = np.random.default_rng(0)
    q, v, a, tau = (draw.uniform(-2, 2, (STATES, mechanism.nv)) for _ in range(4))
    loop = PinocchioLoop(mechanism)
    sides: list[Callable[[], Any]] = [
        lambda: evaluate_many(mechanism, quantities, q, v, a, tau),
        lambda: loop.run(quantities, q, v, a, tau),
    ]
    ours, theirs = (side() for side in sides)
    for quantity in quantities:
        if quantity != "joint_torque_regressor":  # Pinocchio's columns are per joint body
            size = np.abs(theirs[quantity]).max(axis=tuple(range(1, theirs[quantity].ndim)), keepdims=True)
            assert np.median(np.abs(ours[quantity] - theirs[quantity]) / size) < 1e-12, quantity
    del ours, theirs
    best = [np.inf, np.inf]
    for _ in range(repeat):
        for number, side in enumerate(sides):
            started = time.process_time()
            kept = side()
            best[number] = min(best[number], time.process_time() - started)
            del kept
    return best[0] / STATES * 1e6, best[1] / STATES * 1e6


def christoffel_time(mechanism: Mechanism, repeat: int, states: int = 50) -> float:
    """Return the microseconds a state of all Christoffel symbols."""
    tree = build_tree(mechanism)
    q = np.random.default_rng(0).uniform(-2, 2, (mechanism.nv, states))
    best = np.inf
    for _ in range(repeat):
        started = time.process_time()
        chunk = Chunk(tree, q, q, q, q, gravity=mechanism.gravity)
        christoffel_symbols(tree, chunk.positions, chunk.subtree)
        best = min(best, time.process_time() - started)
    return best / states * 1e6


class PinocchioLoop:
    """The same robot in Pinocchio, asked one state at a time."""

    def __init__(self, mechanism: Mechanism) -> None:
        """Build Pinocchio's model joint by joint from the mechanism; one-dof joints, in the order of v."""
        model = pinocchio.Model()
        model.gravity.linear = np.array(mechanism.gravity)
        number = {-1: 0}
        for body, index in enumerate(mechanism.body_joint):
            joint = mechanism.joints[index]
            axis = mechanism.axis[:, body]
            made = _pinocchio_joint("P" if joint.kind == "prismatic" else "R", axis)
            place = pinocchio.SE3(mechanism.R_tree[:, :, body], mechanism.p_tree[:, body])
            number[body] = model.addJoint(number[mechanism.parent[body]], made, place, joint.name)
            assert model.joints[number[body]].idx_v == joint.v.start
            m, h = mechanism.mass[body], mechanism.first_moment[:, body]
            c = h / m if m else h
            about_com = mechanism.inertia[:, :, body] - m * (c @ c * np.eye(3) - np.outer(c, c))
            model.appendBodyToJoint(number[body], pinocchio.Inertia(m, c, about_com), pinocchio.SE3.Identity())
        self.model, self.data = model, model.createData()

    def run(self, quantities: tuple[str, ...], q: Any, v: Any, a: Any, tau: Any) -> dict[str, Any]:
        """Return the quantities, one call a state and quantity, each result kept."""
        model, data, n = self.model, self.data, self.model.nv
        shapes = {"mass_matrix": (n, n), "coriolis_matrix": (n, n), "joint_torque_regressor": (n, 10 * n)}
        out = {quantity: np.zeros((len(q), *shapes.get(quantity, (n,)))) for quantity in quantities}
        lower = np.tril_indices(n, -1)
        for i in range(len(q)):
            if "mass_matrix" in out:
                upper = pinocchio.crba(model, data, q[i])
                upper[lower] = upper.T[lower]
                out["mass_matrix"][i] = upper
            if "coriolis_matrix" in out:
                out["coriolis_matrix"][i] = pinocchio.computeCoriolisMatrix(model, data, q[i], v[i])
            if "gravity_vector" in out:
                out["gravity_vector"][i] = pinocchio.computeGeneralizedGravity(model, data, q[i])
            if "inverse_dynamics" in out:
                out["inverse_dynamics"][i] = pinocchio.rnea(model, data, q[i], v[i], a[i])
            if "forward_dynamics" in out:
                out["forward_dynamics"][i] = pinocchio.aba(model, data, q[i], v[i], tau[i])
            if "joint_torque_regressor" in out:
                out["joint_torque_regressor"][i] = pinocchio.computeJointTorqueRegressor(model, data, q[i], v[i], a[i])
        return out


def _pinocchio_joint(letter: str, axis: Any) -> Any:
    """Return the joint that Pinocchio's own URDF loader would take: one of its fast ones along a coordinate axis."""
    for name, unit in zip("XYZ", np.eye(3), strict=True):
        if np.array_equal(axis, unit):
            return getattr(pinocchio, f"JointModel{letter}{name}")()
    word = {"R": "Revolute", "P": "Prismatic"}[letter]
    return getattr(pinocchio, f"JointModel{word}Unaligned")(axis)


if __name__ == "__main__":
    main()
