"""Results of what ``flex`` simulates or loads twice: the codes of `checks.flexible_texts`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robodyn_check import tolerance
from robodyn_check.checks.texts import explain
from robodyn_check.report.results import Result
from robodyn_check.run.truth import true_scales
from robodyn_check.states.batch import StateBatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from robodyn_check.run.elastic_subjects import ElasticRobot
    from robodyn_check.run.flexible_simulation import Plan, Simulated

    FloatArray = npt.NDArray[np.float64]

#: An error of fourth order falls by 16 when the step is halved, one of the model not at all. Half of 16 is asked for,
#: because the fastest mode is only just resolved.
LEAST_RATIO = 8.0
#: How constant K · difference must be in the rigid limit.
LIMIT_SPREAD = 1e-3
_EPS = 2.0**-52


def judge_simulation(subject: str, simulated: Simulated | str) -> list[Result]:
    """Judge one subject's own simulations."""
    if isinstance(simulated, str):
        return [_skipped(code, subject, simulated) for code in ("RD810", "RD811")]
    return [
        _order("RD810", subject, "link error of the feedforward", simulated.tracking, simulated.tracking_rounding),
        _order("RD811", subject, "energy astray", simulated.energy, simulated.energy_rounding),
    ]


def _order(code: str, subject: str, what: str, errors: tuple[float, float], rounding: float) -> Result:
    """Judge that an error is one of integration: halving the step divides it, or it is rounding."""
    coarse, fine = errors
    bound = max(coarse / LEAST_RATIO, rounding)
    failed = not fine <= bound
    message = (
        f"{what}: {coarse:.3g} with step h and {fine:.3g} with h/2, a ratio of {coarse / fine:.3g} where the error of "
        f"the integration falls by 16 (at least {LEAST_RATIO:g}): the model is off, not the steps."
        if failed
        else None
    )
    return Result(
        code=code,
        slug=explain(code).slug,
        verdict="fail" if failed else "pass",
        subject=subject,
        message=message,
        error=fine,
        bound=bound,
        margin=fine / bound,
    )


def judge_same_motion(
    robot: ElasticRobot, planned: Plan, subject: str, mine: Simulated | str, truth: Simulated | str
) -> Result:
    """Judge that a subject ends where the reference does after the same steps (RD860)."""
    code = "RD860"
    if isinstance(mine, str) or isinstance(truth, str):
        text = next(side for side in (mine, truth) if isinstance(side, str))
        return _skipped(code, subject, text, against="reference")
    nothing = np.zeros_like(truth.end)
    ends = StateBatch(q=truth.end, v=truth.speed, a=nothing, tau=nothing)
    sizes = true_scales(robot.double, ends, matrix=True)
    pushed = robot.springs.size(truth.end, truth.speed) + np.abs(planned.torque).max()
    rounding = sizes.forward_dynamics(nothing, pushed) * planned.duration**2 + np.abs(truth.end) * len(planned.wanted)
    bound = 2.0 * tolerance.factor("forward_dynamics", dofs=robot.double.nv) * _EPS * rounding
    error = np.abs(mine.end - truth.end)
    worst = np.unravel_index(int(np.argmax(error / bound)), error.shape)
    name = robot.double.dof_names[int(worst[1])]
    margin = float(error[worst] / bound[worst])
    failed = not margin <= 1.0
    return Result(
        code=code,
        slug=explain(code).slug,
        verdict="fail" if failed else "pass",
        subject=subject,
        against="reference",
        message=f"'{name}' ends {error[worst]:.3g} away from the reference after {planned.duration:.3g} s of equal "
        f"steps, {margin:.2g} times what rounding explains."
        if failed
        else None,
        error=float(error[worst]),
        bound=float(bound[worst]),
        margin=margin,
    )


def judge_turned_base(subject: str, squared: FloatArray | str, turned: FloatArray | str, bound: FloatArray) -> Result:
    """Judge ω² of two loads of one robot (RD812).

    Args:
        subject: Who.
        squared: ω² as loaded first, (N, n) rad²/s²; a text says why there is none.
        turned: The same on the turned base.
        bound: Of their difference, (N, 1).
    """
    code = "RD812"
    for side in (squared, turned):
        if isinstance(side, str):
            return _skipped(code, subject, side)
    assert not isinstance(squared, str), "returned above"
    assert not isinstance(turned, str), "returned above"
    error = np.abs(squared - turned)
    worst = np.unravel_index(int(np.argmax(error / bound)), error.shape)
    limit = float(np.broadcast_to(bound, error.shape)[worst])
    failed = not error[worst] <= limit
    mine, other = np.sqrt(np.abs([squared[worst], turned[worst]]))
    return Result(
        code=code,
        slug=explain(code).slug,
        verdict="fail" if failed else "pass",
        subject=subject,
        message=f"mode {int(worst[1]) + 1} has {mine:.9g} rad/s, and {other:.9g} rad/s on a base that is turned, "
        f"without gravity; ω² differs by {error[worst]:.3g}, {error[worst] / limit:.2g} times its bound."
        if failed
        else None,
        error=float(error[worst]),
        bound=limit,
        margin=float(error[worst] / limit),
    )


def judge_rigid_limit(stiffer: Sequence[float], differences: Sequence[float]) -> Result:
    """Judge that the elastic torque tends to the rigid one like 1/K (RD813)."""
    products = np.array(stiffer) * np.array(differences)
    spread = float(products.max() / products.min() - 1.0)
    failed = not spread <= LIMIT_SPREAD
    listed = ", ".join(f"{value:.4g}" for value in differences)
    return Result(
        code="RD813",
        slug=explain("RD813").slug,
        verdict="fail" if failed else "pass",
        subject="reference",
        message=f"The torque differs from the rigid one by {listed} N m (RMS) for K times "
        f"{', '.join(f'{factor:g}' for factor in stiffer)}: not like 1/K."
        if failed
        else None,
        error=spread,
        bound=LIMIT_SPREAD,
        margin=spread / LIMIT_SPREAD,
    )


def _skipped(code: str, subject: str, reason: str, *, against: str | None = None) -> Result:
    return Result(code=code, slug=explain(code).slug, verdict="skip", subject=subject, against=against, message=reason)
