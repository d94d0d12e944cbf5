"""The data flow of ``robodyn-check flex``: an elastic robot, its frequencies, its checks, its libraries."""

from __future__ import annotations

import dataclasses
import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check import tolerance
from robodyn_check.checks.flexible_frequencies import error_scale
from robodyn_check.checks.registry import load
from robodyn_check.flexible.frequency_response import response
from robodyn_check.flexible.linear import (
    OUTPUTS,
    linearise,
    locked_frequencies,
    natural_modes,
    poles,
    relative_degree,
)
from robodyn_check.quantities import EPSILON
from robodyn_check.report.flexible_results import CurveRecord, DriveRecord, FlexibleReport, PoseRecord
from robodyn_check.run.assemble import REFERENCE, make_report
from robodyn_check.run.budget import budget
from robodyn_check.run.elastic_subjects import ELASTIC_QUANTITIES, elastic_states, reference_answer
from robodyn_check.run.flexible_judgement import (
    judge_rigid_limit,
    judge_same_motion,
    judge_simulation,
    judge_turned_base,
)
from robodyn_check.run.flexible_libraries import FEW, examine
from robodyn_check.run.flexible_model import read_flexible
from robodyn_check.run.flexible_simulation import plan, rigid_limit, simulate
from robodyn_check.run.gathered import Gathered
from robodyn_check.run.judgement import judge_agreement, judge_properties
from robodyn_check.run.outcomes import judge_obstacle, library_record, reference_record
from robodyn_check.run.questions import question
from robodyn_check.run.subjects import Declared, Setting, Subject
from robodyn_check.run.truth import REFERENCE_COST, REFERENCE_FEW, true_scales
from robodyn_check.states.mix import subset
from robodyn_check.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from robodyn_check.report.results import Result
    from robodyn_check.run.elastic_subjects import ElasticRobot
    from robodyn_check.run.flexible_libraries import Examined
    from robodyn_check.run.flexible_model import FlexibleModel
    from robodyn_check.run.judgement import Standings
    from robodyn_check.settings import Settings

    FloatArray = npt.NDArray[np.float64]
    Say = Callable[[str], None]

#: Who is asked when nobody is named: MuJoCo with its own springs first, then rigid doubles.
FLEXIBLE_LIBRARIES = ("mujoco:elastic", "mujoco", "pinocchio", "drake")
#: Poses of the simulations; each adds four trajectories to the one batch.
_SIMULATED = 2
#: Factors of K in the rigid limit.
_STIFFER = (1.0, 4.0, 16.0, 64.0)
#: Poles slower than this share of the lowest elastic frequency belong to gravity, or are zero up to rounding.
_ELASTIC_SHARE = 0.3


def run_flexible(
    settings: Settings, joint_file: Path | None, *, poses: int = 3, progress: Say | None = None
) -> FlexibleReport:
    """Examine an elastic robot.

    Args:
        settings: The model is the first of ``models``; ``lib`` None asks `FLEXIBLE_LIBRARIES`.
        joint_file: Joint data; None: beside the model.
        poses: How many poses to show; the first is q = 0 within the limits.
        progress: Called with a line of text at every step.

    Raises:
        ModelError: The model or the joint data cannot be read.
        UsageError: The robot or the settings cannot be used.
    """
    say = progress or (lambda _text: None)
    path = settings.models[0]
    say(f"reading {path}")
    model = read_flexible(Path(path), joint_file, gravity=settings.gravity, timeout=settings.timeout)
    elastic = model.elastic
    states = elastic_states(elastic, count=settings.samples, seed=settings.seed)
    shown = shown_poses(elastic, states.q[:, : elastic.springs.n], states.kinds, poses)
    gathered = Gathered(path=path, settings=settings)
    gathered.robot, gathered.mechanism, gathered.states = model.double, elastic.double, states
    _judge_all(model, gathered, [q for _, q in shown], settings, say)
    say("frequencies")
    gathered.results = [_with_command(result, settings, joint_file) for result in gathered.results]
    report = make_report([gathered.model_report()], settings)
    report = dataclasses.replace(report, command=_command(settings, joint_file, ()))
    return FlexibleReport(
        model=path,
        drives=drive_records(elastic),
        poses=tuple(pose_record(elastic, name, q) for name, q in shown),
        curves=curve_records(elastic, *shown[0]),
        notes=model.notes,
        report=report,
    )


def _judge_all(
    model: FlexibleModel, gathered: Gathered, shown: Sequence[FloatArray], settings: Settings, say: Say
) -> None:
    """Ask and judge the reference and every library; what is found goes into ``gathered``."""
    elastic, states = model.elastic, gathered.states
    assert states is not None, "drawn before"
    x, y, z = elastic.double.gravity.tolist()
    setting = Setting(
        mechanism=elastic.double,
        gravity=(x, y, z),
        states=states,
        seed=settings.seed,
        subset=subset,
        scales=partial(true_scales, elastic.double, matrix=True),
    )
    checks, results = load(["RD8"]), gathered.results
    truth = partial(reference_answer, elastic)
    reference = Subject(
        declared=Declared(name=REFERENCE, quantities=frozenset(ELASTIC_QUANTITIES), springs=elastic.springs),
        answer=truth,
        budget=dataclasses.replace(
            budget(elastic.double, samples=len(states), cost=REFERENCE_COST), few=min(REFERENCE_FEW, len(states))
        ),
    )
    planned = plan(elastic, np.array(shown[:_SIMULATED]))
    unnamed = not settings.libraries_named and not settings.adapter
    wanted = dataclasses.replace(settings, lib=FLEXIBLE_LIBRARIES) if unnamed else settings
    examined = examine(model, wanted, setting, checks, planned, say)
    say("judging the reference")
    broken = question(setting, reference, checks)
    results.extend(judge_properties(setting, reference, checks, broken=broken, without={}))
    simulated = simulate(elastic, planned, truth)
    results.extend(judge_simulation(REFERENCE, simulated))
    results.append(judge_rigid_limit(_STIFFER, rigid_limit(elastic, np.array(shown[:_SIMULATED]), _STIFFER)))
    gathered.records.append(reference_record(setting, reference, __version__))
    standings: Standings = {}
    peers: list[Subject] = []
    for one in examined:
        asked = one.asked
        obstacle = None
        if asked.subject is None:
            obstacle = judge_obstacle(asked, named=settings.libraries_named, lint_faults=[])
            results.append(obstacle)
        else:
            say(f"judging {asked.name}")
            results.extend(judge_properties(setting, asked.subject, checks, broken=asked.broken or {}, without={}))
            results.extend(
                judge_agreement(setting, asked.subject, reference, peers, checks, standings=standings, without={})
            )
            results.extend(judge_simulation(asked.name, one.simulated))
            results.append(judge_same_motion(elastic, planned, asked.name, one.simulated, simulated))
            results.append(_judge_turned(elastic, setting, one))
            peers.append(asked.subject)
        gathered.records.append(library_record(asked, setting, obstacle))


def _judge_turned(elastic: ElasticRobot, setting: Setting, one: Examined) -> Result:
    """Judge the second load; its bound is that of two frequencies from accelerations."""
    bound = np.ones((1, 1))
    if one.accelerations is not None and one.asked.subject is not None:
        size = error_scale(elastic.springs, setting.scales_of(FEW), one.accelerations)
        factor = 4.0 * tolerance.factor("forward_dynamics", dofs=elastic.double.nv)
        bound = factor * EPSILON[one.asked.subject.declared.precision] * size
    return judge_turned_base(one.asked.name, one.squared, one.turned, bound)


def shown_poses(elastic: ElasticRobot, q: FloatArray, kinds: Sequence[str], count: int) -> list[tuple[str, FloatArray]]:
    """Return poses with names: zero moved into the limits, then states of the run inside them."""
    joints = elastic.joints.mechanism.joints
    lower, upper = (
        np.array([bound[0] for bound in side]) for side in zip(*((j.lower, j.upper) for j in joints), strict=True)
    )
    zero = np.clip(np.zeros(len(joints)), lower, upper)
    inside = [number for number, kind in enumerate(kinds) if kind == "inside"]
    chosen = [("zero" if not zero.any() else "nearest to zero", zero)]
    chosen += [(f"state {number}", q[number]) for number in inside[: max(0, count - 1)]]
    return chosen


def drive_records(elastic: ElasticRobot) -> tuple[DriveRecord, ...]:
    """Return the joints with what drives them."""
    joints = elastic.joints
    linear = linearise(joints, np.zeros(joints.mechanism.nq), gravity=False)
    return tuple(
        DriveRecord(
            joint=name,
            stiffness=float(joints.stiffness[k]),
            damping=float(joints.damping[k]),
            motor_inertia=float(joints.motor_inertia[k]),
            relative_degree_link=relative_degree(linear, k, "link"),
            relative_degree_motor=relative_degree(linear, k, "motor"),
        )
        for k, name in enumerate(joints.mechanism.dof_names)
    )


def pose_record(elastic: ElasticRobot, name: str, q: FloatArray) -> PoseRecord:
    """Return the frequencies at one pose."""
    heavy, light = (linearise(elastic.joints, q, gravity=gravity) for gravity in (True, False))
    modes, n = natural_modes(heavy), elastic.springs.n
    floor = _ELASTIC_SHARE * modes.elastic[0]
    turning = [pole for pole in poles(heavy).tolist() if pole.imag > 0 and abs(pole) > floor]
    locked = [None if np.isnan(value) else float(value) for value in locked_frequencies(heavy)]
    return PoseRecord(
        name=name,
        q=tuple(q.tolist()),
        elastic=tuple(natural_modes(light).elastic.tolist()),
        elastic_with_gravity=tuple(modes.elastic.tolist()),
        locked=tuple(locked),
        damping_ratios=tuple(-pole.real / abs(pole) for pole in turning),
        slow=tuple(modes.squared[:n].tolist()),
    )


def curve_records(elastic: ElasticRobot, name: str, q: FloatArray) -> tuple[CurveRecord, ...]:
    """Return the frequency responses of every joint's motor and link to its own torque, in gravity."""
    linear = linearise(elastic.joints, q)
    curves = []
    for k, joint in enumerate(elastic.joints.mechanism.dof_names):
        for output in OUTPUTS:
            found = response(linear, k, output)
            curves.append(
                CurveRecord(
                    pose=name,
                    joint=joint,
                    output=found.output,
                    frequency=tuple(found.frequency.tolist()),
                    magnitude=tuple(found.magnitude.tolist()),
                    phase=tuple(found.phase.tolist()),
                )
            )
    return tuple(curves)


def _with_command(result: Result, settings: Settings, joint_file: Path | None) -> Result:
    """Give fails and errors the command that shows them again."""
    if result.verdict not in {"fail", "error"}:
        return result
    libraries = [name for name in (result.subject, result.against) if name and name != REFERENCE]
    return dataclasses.replace(result, again=_command(settings, joint_file, libraries))


def _command(settings: Settings, joint_file: Path | None, libraries: Sequence[str]) -> str:
    words = ["robodyn-check", "flex", settings.models[0]]
    words += ["--joints", str(joint_file)] if joint_file is not None else []
    for spec in libraries or settings.lib or ():
        words += ["--lib", spec]
    return shlex.join([*words, "--samples", str(settings.samples), "--seed", str(settings.seed)])
