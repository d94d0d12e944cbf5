"""Qualify an installation: is the reference right on this Python, NumPy and BLAS?

Three kinds of proof over the bundled models: textbook equations, certified values in ball arithmetic (fixed and
floating base), and the identities that every correct implementation keeps (judged by the caller, who owns the checks).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from robodyn_check.certify.certificate import EPS, certify, spread, states_to_certify
from robodyn_check.certify.closed_forms import CLOSED_FORMS
from robodyn_check.model.build import build_mechanism
from robodyn_check.reference.engine import evaluate
from robodyn_check.states import draw_states
from robodyn_check.tolerance import factor, scales

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel

    Reader = Callable[[Path], RobotModel]

SAMPLES = 50
SEED = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """One proof: what was compared, the largest error over its bound (1 is the limit), and whether it holds."""

    kind: Literal["closed form", "certificate", "identity"]
    subject: str
    claim: str
    margin: float
    holds: bool
    seconds: float = 0.0
    detail: str = ""


def closed_form_proofs(folders: Iterable[Path], read: Reader) -> Iterator[Proof]:
    """Compare the reference with the textbook equation of each bundled model that has one."""
    for folder in folders:
        closed = CLOSED_FORMS.get(folder.name)
        if closed is None:
            continue
        started = time.perf_counter()
        mechanism = build_mechanism(read(model_file(folder)), base=closed.base)
        states = draw_states(mechanism, count=SAMPLES, seed=SEED)
        size = scales(mechanism, states, evaluate(mechanism, "mass_matrix", states.q))
        for quantity, expected in closed.form(states.q, states.v).items():
            got = evaluate(mechanism, quantity, states.q, states.v)
            allowed = 2.0 * factor(quantity, dofs=mechanism.nv) * EPS * np.asarray(getattr(size, quantity))
            gap = np.abs(got - expected)
            with np.errstate(divide="ignore"):  # an error where nothing may differ is infinitely many bounds
                margin = float(np.divide(gap, allowed, out=np.zeros_like(gap), where=gap > 0).max())
            yield Proof(
                kind="closed form",
                subject=folder.name,
                claim=f"{quantity} at {SAMPLES} states",
                margin=margin,
                holds=margin <= 1.0,
                seconds=time.perf_counter() - started,
            )


def certificate_proofs(folders: Iterable[Path], read: Reader) -> Iterator[Proof]:
    """Certify the reference on each bundled model, with a fixed and, for URDF, a floating base."""
    for folder in folders:
        robot = read(model_file(folder))
        bases: tuple[Literal["fixed", "floating"], ...] = (
            ("fixed", "floating") if robot.format == "urdf" else ("fixed",)
        )
        for base in bases:
            mechanism = build_mechanism(robot, base=base)
            if mechanism.nv:
                yield _certified(folder.name, robot, mechanism)


def _certified(name: str, robot: RobotModel, mechanism: Mechanism) -> Proof:
    states = draw_states(mechanism, count=SAMPLES, seed=SEED)
    size = scales(mechanism, states, evaluate(mechanism, "mass_matrix", states.q))
    count = states_to_certify(mechanism.nv, SAMPLES)
    found = certify(robot, mechanism, states, size, spread(SAMPLES, count))
    margins = {quantity: error / factor(quantity, dofs=mechanism.nv) for quantity, error in found.errors.items()}
    worst = max(margins, key=lambda quantity: margins[quantity], default="")
    detail = [f"largest: {worst} {found.errors[worst]:.2g} eps·S"] if worst else []
    detail += [f"{quantity}: {entries} entries contradict" for quantity, entries in found.disjoint.items()]
    detail += [f"{quantity} not proven: {reason}" for quantity, reason in found.missing.items()]
    return Proof(
        kind="certificate",
        subject=f"{name}, {mechanism.base} base",
        claim=f"{len(found.errors)} quantities at {count} states, {found.bits} bits",
        margin=max(margins.values(), default=0.0),
        holds=found.valid,
        seconds=found.seconds,
        detail="; ".join(detail),
    )


def model_file(folder: Path) -> Path:
    """Return a bundled model's file."""
    return next(path for path in (folder / "model.urdf", folder / "model.xml") if path.exists())


def blas_name() -> str:
    """Return the BLAS that NumPy was built with."""
    built = np.show_config(mode="dicts")
    blas = built.get("Build Dependencies", {}).get("blas", {})
    return f"{blas.get('name', 'unknown')} {blas.get('version', '')}".strip()
