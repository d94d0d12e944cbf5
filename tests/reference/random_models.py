"""Random mechanisms and states for the reference's tests: every joint kind, both bases, branches, armature, mimic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from hypothesis import strategies

from robodyn_check.faults.random_models import random_robot
from robodyn_check.model.build import build_mechanism

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from robodyn_check.model.mechanism import Mechanism

#: What random robots must contain beside revolute and prismatic joints.
SPECIAL_KINDS = ((), ("planar",), ("ball",), ("floating",), ("planar", "ball", "floating"))


def mechanism_of(seed: int, kinds: tuple[Any, ...] = (), **options: Any) -> Mechanism:
    """Return the mechanism of a random robot with armature; an even seed has a fixed base, an odd one floats."""
    base: Literal["fixed", "floating"] = "floating" if seed % 2 else "fixed"
    robot = random_robot(seed, group=options.pop("group", "branched"), kinds=kinds, armature=True, mimic=seed % 3 == 0)
    return build_mechanism(robot, base=base, **options)


def random_states(mechanism: Mechanism, count: int, seed: int = 0) -> dict[str, Any]:
    """Return q, v, a, tau, (count, ...), quaternions of unit length."""
    draw = np.random.default_rng(seed)
    q = draw.uniform(-2, 2, (count, mechanism.nq))
    for joint in mechanism.joints:
        if joint.kind in {"ball", "floating"}:
            quaternion = slice(joint.q.stop - 4, joint.q.stop)
            q[:, quaternion] /= np.linalg.norm(q[:, quaternion], axis=1, keepdims=True)
    return {"q": q, **{name: draw.uniform(-2, 2, (count, mechanism.nv)) for name in ("v", "a", "tau")}}


def mechanisms() -> SearchStrategy[Mechanism]:
    """Draw mechanisms."""
    return strategies.builds(mechanism_of, strategies.integers(0, 10_000), strategies.sampled_from(SPECIAL_KINDS))
