"""The certificate: two derivations in ball arithmetic must overlap, and the double reference must lie near both.

At a few states every quantity is computed twice in balls: by the reference engine's own code on exact input, and from
energies (energies.py). The balls must overlap in every entry, and their radii must be small beside eps · S, or the
precision is raised. Either ball then holds the true value; the distance of the double reference from it, in eps · S, is
what the report prints.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import flint
import numpy as np

from robodyn_check.certify.energies import energies
from robodyn_check.certify.exact import as_balls, balls, disjoint, distances, exact_mechanism, midpoints, radii
from robodyn_check.errors import EvaluationError
from robodyn_check.quantities import QUANTITIES
from robodyn_check.reference.engine import LARGEST_DENSE, check_size, evaluate_many, evaluate_rows
from robodyn_check.tolerance import factor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.states import StateBatch
    from robodyn_check.tolerance import Scales

    FloatArray = npt.NDArray[np.float64]

EPS = 2.0**-52
#: Bits tried in turn; a quantity is sharp enough when every radius is below SHARP · eps · S.
PRECISIONS = (128, 256, 512, 1024)
SHARP = 2.0**-10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Certificate:
    """What was proven, at which states.

    ``rows``: states of the batch. ``values``: quantity -> doubles nearest to the truth, (rows, *shape).
    ``errors``: quantity -> the double reference's largest error in eps · S. ``outside``: quantities in which it leaves
    its own bound. ``disjoint``: quantities in which the two derivations contradict each other, and in how many entries.
    ``missing``: quantity -> why there is no proof of it.
    """

    rows: tuple[int, ...]
    bits: int
    values: Mapping[str, FloatArray]
    errors: Mapping[str, float]
    outside: tuple[str, ...]
    disjoint: Mapping[str, int]
    missing: Mapping[str, str]
    seconds: float

    @property
    def valid(self) -> bool:
        """True when both derivations agree and the double reference stays inside its bound."""
        return not self.outside and not self.disjoint


def states_to_certify(nv: int, count: int, asked: int | None = None, *, links: int = 0) -> int:
    """Return how many of ``count`` states are certified: ``asked``, or by default 5, 2 or 1 by the robot's size.

    Links cost as well: a hundred welded ones as much as forty joints. Above `LARGEST_DENSE` degrees of freedom there is
    no certificate unless it is asked for: the second derivation would take longer than everything else.
    """
    if asked is not None:
        return min(asked, count)
    if nv > LARGEST_DENSE:
        return 0
    return min(count, 5 if nv <= 10 and links <= 40 else 2 if nv <= 40 and links <= 100 else 1)


def spread(total: int, count: int) -> tuple[int, ...]:
    """Return ``count`` row numbers spread evenly over ``total`` states."""
    return tuple(sorted({round(i * (total - 1) / max(1, count - 1)) for i in range(count)})) if count else ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """What is to be certified: one robot, its base and gravity, and the inputs (k, nq), (k, nv) at k states."""

    robot: RobotModel
    base: Literal["fixed", "floating"]
    gravity: Sequence[float] | None
    inputs: tuple[FloatArray, FloatArray, FloatArray, FloatArray]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Proof:
    """Balls that hold the truth, by quantity; contradictions of the two derivations; the bits that it took."""

    truth: dict[str, Any]
    disjoint: dict[str, int]
    bits: int


def certify(
    robot: RobotModel,
    mechanism: Mechanism,
    states: StateBatch,
    scales: Scales,
    rows: Sequence[int],
    *,
    gravity: Sequence[float] | None = None,
) -> Certificate:
    """Certify the double reference at some states.

    Args:
        robot: The robot as written, from which the exact mechanism is built.
        mechanism: The double mechanism whose answers are judged; its base decides.
        states: The run's states.
        scales: Of those states.
        rows: Which of them.
        gravity: m/s²; None: the file's or the standard one, as in `build_mechanism`.
    """
    started = time.perf_counter()
    chosen = list(rows)
    q, v, a, tau = (array[chosen] for array in (states.q, states.v, states.a, states.tau))
    missing = _too_large(mechanism)
    wanted = tuple(name for name in QUANTITIES if name not in missing)
    doubles, singular = evaluate_rows(mechanism, wanted, q, v, a, tau, gravity=gravity)
    if singular:
        missing["forward_dynamics"] = "the mass matrix is singular at a certified state"
        wanted = tuple(name for name in wanted if name != "forward_dynamics")
    sizes = _sizes(scales, doubles, chosen, tau, wanted)
    base: Literal["fixed", "floating"] = mechanism.base if robot.format == "urdf" else "fixed"
    proof = prove(Question(robot=robot, base=base, gravity=gravity, inputs=(q, v, a, tau)), sizes)
    for name in wanted:
        if name not in proof.truth:
            missing[name] = f"not sharp at {PRECISIONS[-1]} bits: the mass matrix is singular or nearly so"
    errors = {}
    with flint.ctx.workprec(proof.bits):
        for name, value in proof.truth.items():
            gap = distances(doubles[name], value)
            with np.errstate(divide="ignore"):  # an error where the scale is zero is infinitely many bounds
                relative = np.divide(gap, EPS * sizes[name], out=np.zeros_like(gap), where=gap > 0)
            errors[name] = float(relative.max(initial=0.0))
        values = {name: midpoints(value) for name, value in proof.truth.items()}
    return Certificate(
        rows=tuple(chosen),
        bits=proof.bits,
        values=values,
        errors=errors,
        outside=tuple(name for name, error in errors.items() if error > factor(name, dofs=mechanism.nv)),
        disjoint=proof.disjoint,
        missing=missing,
        seconds=time.perf_counter() - started,
    )


def prove(question: Question, sizes: Mapping[str, FloatArray], *, precisions: Sequence[int] = PRECISIONS) -> Proof:
    """Compute the quantities of ``sizes`` by both derivations, raising the precision until the balls are sharp.

    Args:
        question: What is asked.
        sizes: Quantity -> S, shaped like its values; a ball is sharp when its radius is below `SHARP` · eps · S.
        precisions: Bits to try in turn.

    Returns:
        The proof; a quantity that no precision makes sharp is missing from it.
    """
    truth: dict[str, Any] = {}
    contradictions: dict[str, int] = {}
    used = precisions[0]
    for bits in precisions:
        left = tuple(name for name in sizes if name not in truth)
        if not left:
            break
        used = bits
        with flint.ctx.workprec(bits):
            first, second = recursive(question, left), from_energies(question, left)
            for name in (name for name in left if name in first and name in second):
                if contradicted := disjoint(first[name], second[name]):
                    contradictions[name] = contradicted
                if contradicted or bool((radii(second[name]) <= SHARP * EPS * sizes[name]).all()):
                    truth[name] = second[name]
    return Proof(truth=truth, disjoint=contradictions, bits=used)


def _too_large(mechanism: Mechanism) -> dict[str, str]:
    """Return the quantities that are not computed for a robot of this size, with the reason."""
    missing = {}
    for name in QUANTITIES:
        try:
            check_size(mechanism, name)
        except EvaluationError as error:
            missing[name] = str(error)
    if "mass_matrix" in missing:
        missing["forward_dynamics"] = "its bound needs the mass matrix, which is not computed for so large a robot"
    return missing


def _sizes(
    scales: Scales, doubles: Mapping[str, FloatArray], rows: list[int], tau: FloatArray, names: Sequence[str]
) -> dict[str, FloatArray]:
    """Return S of each quantity at the certified rows, shaped like the answers."""
    picked = {}
    for name in names:
        if name == "forward_dynamics":
            picked[name] = _forward_size(scales, doubles[name], rows, tau)
        else:
            picked[name] = np.broadcast_to(np.asarray(getattr(scales, name))[rows], doubles[name].shape)
    return picked


def _forward_size(scales: Scales, answer: FloatArray, rows: list[int], tau: FloatArray) -> FloatArray:
    """Return S of forward dynamics, which is defined for a whole batch and depends on the answer."""
    shape = (len(scales), answer.shape[1])
    answers, forces = np.zeros(shape), np.zeros(shape)
    answers[rows], forces[rows] = answer, tau
    size: FloatArray = scales.forward_dynamics(answers, forces)[rows]
    return size


def recursive(question: Question, names: Sequence[str]) -> dict[str, Any]:
    """Return the reference engine's answers in balls at the current precision."""
    exact = exact_mechanism(question.robot, base=question.base, gravity=question.gravity)
    inputs = tuple(balls(array) for array in question.inputs)
    try:
        found = evaluate_many(exact, names, *inputs)
    except ZeroDivisionError:  # a pivot's ball holds zero: the next precision decides, or nothing is proven
        rest = [name for name in names if name != "forward_dynamics"]
        found = evaluate_many(exact, rest, *inputs)
    return {name: as_balls(value) for name, value in found.items()}


def from_energies(question: Question, names: Sequence[str]) -> dict[str, Any]:
    """Return the second derivation's answers in balls at the current precision, one state at a time."""
    found = [
        energies(question.robot, base=question.base, gravity=question.gravity, q=q, v=v, a=a, tau=tau)
        for q, v, a, tau in zip(*(balls(array) for array in question.inputs), strict=True)
    ]
    common = [name for name in names if all(name in state for state in found)]
    return {name: np.stack([state[name] for state in found]) for name in common}
