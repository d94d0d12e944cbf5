"""Hypotheses about how answers come back: sign, order, axes, triangles, precision, the state before."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.diagnosis.candidate import ANSWER, EVERYTHING, Candidate, answers_change, subject_changes
from robodyn_check.faults.fault import tampered, values_of
from robodyn_check.requests import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from robodyn_check.diagnosis.evidence import Evidence
    from robodyn_check.faults.fault import Answerer, FloatArray, Scene
    from robodyn_check.requests import Failure, Request

#: Parameters of one link in the order of a regressor's columns.
PARAMETERS = ("m", "mx", "my", "mz", "xx", "xy", "xz", "yy", "yz", "zz")


def signs(_evidence: Evidence) -> Iterable[Candidate]:
    """Gravity or potential energy with the other sign."""
    for cause, quantity in (("gravity-sign-convention", "gravity_vector"), ("potential-sign", "potential_energy")):
        yield Candidate(
            cause=cause,
            touches=frozenset({quantity}),
            apply=answers_change({quantity: lambda _, values: -values}),
        )


def bias_without_gravity(_evidence: Evidence) -> Iterable[Candidate]:
    """The bias force holds no gravity."""

    def wrong(scene: Scene) -> Answerer:
        def less(request: Request, values: FloatArray) -> FloatArray:
            return values - values_of(scene.answer, request, quantity="gravity_vector")

        return tampered(scene.answer, {"bias_force": less})

    yield Candidate(
        cause="bias-without-gravity", touches=frozenset({"bias_force"}), apply=subject_changes(wrong), level=ANSWER
    )


def triangles(_evidence: Evidence) -> Iterable[Candidate]:
    """Only one triangle of M is filled."""
    for cause, part in (("upper-triangle-only", np.triu), ("lower-triangle-only", np.tril)):
        yield Candidate(
            cause=cause,
            touches=frozenset({"mass_matrix"}),
            apply=answers_change({"mass_matrix": _each(part)}),
        )


def _each(part: Callable[[FloatArray], FloatArray]) -> Callable[[Request, FloatArray], FloatArray]:
    return lambda _, values: part(values)


def stale(evidence: Evidence) -> Iterable[Candidate]:
    """Some quantities are those of the state asked before."""

    def before(_: Request, values: FloatArray) -> FloatArray:
        return np.concatenate([values[:1], values[:-1]])

    wrong = sorted(evidence.wrong)
    yield Candidate(
        cause="stale-cache",
        touches=frozenset(wrong),
        apply=answers_change(dict.fromkeys(wrong, before)),
        evidence=(f"each answer to {', '.join(wrong)} is the right one for the state asked before",),
    )


def jacobians(_evidence: Evidence) -> Iterable[Candidate]:
    """Jacobians with their halves exchanged, or in the link's axes."""
    touches = frozenset({"link_jacobians"})
    yield Candidate(
        cause="jacobian-rows",
        touches=touches,
        apply=answers_change({"link_jacobians": lambda _, values: np.roll(values, 3, axis=2)}),
    )

    def wrong(scene: Scene) -> Answerer:
        def turned(request: Request, values: FloatArray) -> FloatArray:
            turn = values_of(scene.answer, request, quantity="link_poses")[..., :3]
            halves = [np.einsum("nlji,nljk->nlik", turn, values[:, :, part]) for part in (slice(3), slice(3, 6))]
            return np.concatenate(halves, axis=2)

        return tampered(scene.answer, {"link_jacobians": turned})

    yield Candidate(cause="jacobian-frame", touches=touches, apply=subject_changes(wrong))


def stretched_rotations(evidence: Evidence) -> Iterable[Candidate]:
    """All rotations are stretched by one factor, as with an axis that is not normalised."""
    sample = evidence.sample("link_poses")
    if sample is None or "link_poses" not in evidence.wrong:
        return
    there = np.isfinite(sample.got[..., :3])
    right = np.where(there, sample.true[..., :3], 0.0)
    factor = float((np.where(there, sample.got[..., :3], 0.0) * right).sum() / (right * right).sum())

    def stretch(_: Request, values: FloatArray) -> FloatArray:
        values[..., :3] *= factor
        return values

    yield Candidate(
        cause="joint-axis-not-unit",
        touches=frozenset({"link_poses"}),
        apply=answers_change({"link_poses": stretch}),
        evidence=(f"every rotation matrix is {factor:.12g} times a rotation",),
    )


def regressor_columns(evidence: Evidence) -> Iterable[Candidate]:
    """The columns of each link come in another order."""
    sample = evidence.sample("joint_torque_regressor")
    if sample is None or "joint_torque_regressor" not in evidence.wrong:
        return
    blocks = [one.reshape(*one.shape[:2], -1, 10) for one in (sample.got, sample.true)]
    columns = [block.transpose(3, 0, 1, 2).reshape(10, -1) for block in blocks]
    size = np.abs(columns[1]).max(axis=1) + np.finfo(float).tiny
    with np.errstate(over="ignore"):  # a right column of zeros is infinitely far from any other
        off = np.abs(columns[0][:, None] - columns[1][None]).max(axis=2) / size
    order = _matching(off)
    if order is None or order == list(range(10)):
        return

    def mixed(_: Request, values: FloatArray) -> FloatArray:
        parts = values.reshape(*values.shape[:2], -1, 10)
        return parts[..., order].reshape(values.shape)

    yield Candidate(
        cause="regressor-order",
        touches=frozenset({"joint_torque_regressor"}),
        apply=answers_change({"joint_torque_regressor": mixed}),
        evidence=(f"the ten columns of each link are {' '.join(PARAMETERS[k] for k in order)}",),
    )


def _matching(off: FloatArray) -> list[int] | None:
    """Return for each column the one that it equals; if several fit (columns of zeros) it stays where it can."""
    close = off < 1e-9
    order = [int(np.argmax(row)) if row.sum() == 1 else -1 for row in close]
    for k in range(10):
        if order[k] < 0 and close[k, k] and k not in order:
            order[k] = k
    left = [k for k in range(10) if k not in order]
    for gap in (k for k in range(10) if order[k] < 0):
        fit = next((k for k in left if close[gap, k]), None)
        if fit is None:
            return None
        order[gap] = fit
        left.remove(fit)
    return order if sorted(order) == list(range(10)) else None


def single_precision(evidence: Evidence) -> Iterable[Candidate]:
    """Inputs and answers are single precision: every number that came back is one."""
    if any(not _is_single(sample.got) for sample in evidence.failing):
        return

    def wrong(scene: Scene) -> Answerer:
        def answer(request: Request) -> Answer | Failure:
            heard = replace(
                request,
                q=_single(request.q),
                v=None if request.v is None else _single(request.v),
                a=None if request.a is None else _single(request.a),
                tau=None if request.tau is None else _single(request.tau),
            )
            found = scene.answer(heard)
            return replace(found, values=_single(found.values)) if isinstance(found, Answer) else found

        return answer

    yield Candidate(
        cause="single-precision",
        touches=EVERYTHING,
        apply=subject_changes(wrong),
        widen=2.0**29,
        evidence=("every number that came back is a single-precision one", "held against the bound of single"),
    )


def _single(array: FloatArray) -> FloatArray:
    return array.astype(np.float32).astype(np.float64)


def _is_single(values: FloatArray) -> bool:
    finite = values[np.isfinite(values)]
    return bool((_single(finite) == finite).all())


HYPOTHESES = (
    signs,
    bias_without_gravity,
    triangles,
    jacobians,
    stretched_rotations,
    regressor_columns,
    single_precision,
    stale,
)
