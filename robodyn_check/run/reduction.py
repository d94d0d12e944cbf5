"""Libraries that eliminate mimic joints, compared with what elimination makes of the truth: Gᵀ M G, Gᵀ h, J G.

G maps the velocities of the joints that stay to those of all joints, v = G v_kept (constant: q_m = k q + o). Both sides
are written in the canonical coordinates again, with zeros in the rows and columns of eliminated joints, so that shapes,
names and bounds are those of every other comparison. Accelerations are not a projection and are left to the inverse
dynamics, which determine them.

Source: Udwadia and Kalaba, Analytical Dynamics (1996), section 3.1, for constraints that are linear in the velocities.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.quantities import QUANTITIES
from robodyn_check.requests import Answer, Answers, Failure
from robodyn_check.run.judgement import judge_agreement
from robodyn_check.run.subjects import Subject
from robodyn_check.states.mimic import follow_rates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from robodyn_check.checks.registry import Check
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.report.results import Result
    from robodyn_check.requests import Request
    from robodyn_check.run.subjects import Setting
    from robodyn_check.tolerance import Scales

    FloatArray = npt.NDArray[np.float64]

#: Axes of one state's value that count joints, by quantity; a quantity without one is the same for everybody.
_JOINT_AXES: dict[str, tuple[int, ...]] = {
    name: tuple(number for number, axis in enumerate(quantity.shape) if axis == "nv")
    for name, quantity in QUANTITIES.items()
}
NOT_PROJECTED = "forward_dynamics"


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Reduction:
    """Which mimic joints one library eliminated."""

    mechanism: Mechanism
    names: tuple[str, ...]

    @cached_property
    def kept(self) -> npt.NDArray[np.intp]:
        """The dofs that stay."""
        left = (joint.v for joint in self.mechanism.joints if joint.name not in self.names)
        return np.array([k for part in left for k in range(part.start, part.stop)], dtype=np.intp)

    @cached_property
    def map(self) -> FloatArray:
        """G with zero columns for eliminated joints, (nv, nv)."""
        identity = np.zeros((self.mechanism.nv, self.mechanism.nv))
        identity[self.kept, self.kept] = 1.0
        others = [joint.name for joint in self.mechanism.joints if joint.name not in self.names]
        return follow_rates(self.mechanism, identity, given=others).T

    def embedded(self, quantity: str, values: FloatArray) -> FloatArray:
        """Return a library's values without eliminated joints, (N, …), in canonical shape with zeros for them."""
        for axis in _JOINT_AXES[quantity]:
            shape = list(values.shape)
            shape[axis + 1] = self.mechanism.nv
            wide = np.zeros(shape)
            np.moveaxis(wide, axis + 1, 0)[self.kept] = np.moveaxis(values, axis + 1, 0)
            values = wide
        return values

    def projected(self, quantity: str, values: FloatArray, matrix: FloatArray | None = None) -> FloatArray:
        """Return what elimination makes of values in canonical shape; ``matrix`` instead of G, for sizes |G|."""
        G = self.map if matrix is None else matrix  # noqa: N806
        for axis in _JOINT_AXES[quantity]:
            values = np.moveaxis(np.tensordot(values, G, axes=(axis + 1, 0)), -1, axis + 1)
        return values

    def library(self, subject: Subject) -> Subject:
        """Return the library as a subject in canonical shape."""

        def answer(requests: Sequence[Request]) -> dict[str, Answer | Failure]:
            raw = subject.answer(requests)
            return {one.key: self._embedded_answer(one, raw[one.key]) for one in requests}

        return self._like(subject, answer)

    def _embedded_answer(self, request: Request, answer: Answer | Failure) -> Answer | Failure:
        if isinstance(answer, Failure):
            return answer
        return dataclasses.replace(answer, values=self.embedded(request.quantity, answer.values), reduced=())

    def truth(self, reference: Subject) -> Subject:
        """Return the reference after elimination."""

        def answer(requests: Sequence[Request]) -> dict[str, Answer | Failure]:
            reference.ask(requests)
            told = {one.key: reference.answers.by_key(one.key) for one in requests}
            return {one.key: self._projected_answer(one, told[one.key]) for one in requests}

        return self._like(reference, answer)

    def _projected_answer(self, request: Request, answer: Answer | Failure | None) -> Answer | Failure:
        assert answer is not None, "the reference answers what it is asked"
        if isinstance(answer, Failure):
            return answer
        return dataclasses.replace(answer, values=self.projected(request.quantity, answer.values))

    @staticmethod
    def _like(subject: Subject, answer: object) -> Subject:
        declared = dataclasses.replace(
            subject.declared, quantities=subject.declared.quantities - {NOT_PROJECTED, "joint_torque_regressor"}
        )
        return Subject(declared=declared, answer=answer, budget=subject.budget, answers=Answers())  # type: ignore[arg-type]

    def setting(self, setting: Setting) -> Setting:
        """Return the run's setting with the sizes of what elimination leaves."""
        return dataclasses.replace(
            setting,
            scales=lambda states: _ReducedScales(setting.scales(states), self),  # type: ignore[arg-type, return-value]
            known_scales={},
        )


class _ReducedScales:
    """Sizes of terms after elimination: |G|ᵀ S |G|; whatever counts no joints is as it was."""

    def __init__(self, scales: Scales, reduction: Reduction) -> None:
        self._scales, self._reduction = scales, reduction

    def __len__(self) -> int:
        return len(self._scales)

    def __getattr__(self, name: str) -> object:
        value = getattr(self._scales, name)
        if not _JOINT_AXES.get(name):
            return value
        return self._reduction.projected(name, value, np.abs(self._reduction.map))


def judge_reduced(
    setting: Setting,
    subject: Subject,
    reference: Subject,
    names: tuple[str, ...],
    checks: Sequence[Check],
    *,
    without: Mapping[str, str],
) -> list[Result]:
    """Judge the agreement of a library that eliminated mimic joints with the truth after the same elimination.

    Args:
        setting: Robot, states, scales.
        subject: The library, whose answers lack the joints in ``names``.
        reference: The truth.
        names: The eliminated joints.
        checks: All checks of the run; those that compare a projected quantity are judged.
        without: Quantities that are not judged in this run, each with the reason.
    """
    reduction = Reduction(mechanism=setting.mechanism, names=names)
    return judge_agreement(
        reduction.setting(setting),
        reduction.library(subject),
        reduction.truth(reference),
        (),
        checks,
        standings={},
        without=without,
    )
