"""From a model file and its joint data to an elastic robot, and to the files that libraries load."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.errors import AdapterUnsupported, TranslationError, UsageError
from robodyn_check.flexible.double import drives_of, elastic_joints, native_mjcf, rigid_double, turned_base
from robodyn_check.flexible.from_mjcf import stated_drives
from robodyn_check.flexible.joints import ElasticJoints
from robodyn_check.harness.canonical import canonical_of
from robodyn_check.harness.mjcf_compiler import run_compiler
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.elastic import Springs
from robodyn_check.model.joint_data import SUFFIX, Drive, JointData, beside, with_model_springs, with_payload
from robodyn_check.model.joint_data_reader import read_joint_data
from robodyn_check.model.read import read_model
from robodyn_check.model.write_mjcf import write_mjcf
from robodyn_check.model.write_urdf import write_urdf
from robodyn_check.run.elastic_subjects import ElasticRobot
from robodyn_check.run.sources import source_for
from robodyn_check.sdk.canonical import Canonical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.harness.metadata import AdapterFile
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.sdk.adapter import Source

#: The profile whose subject carries the springs itself.
NATIVE_PROFILE = "elastic"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlexibleModel:
    """An elastic robot, the model that it came from (without motors), its rigid double, and remarks for the report.

    ``original``: the model's file states motors and springs in these very coordinates, and no other spring or damper,
    so MuJoCo can load the file itself.
    """

    robot: RobotModel
    double: RobotModel
    elastic: ElasticRobot
    notes: tuple[str, ...]
    original: bool = False


def read_flexible(
    path: Path,
    joint_file: Path | None,
    *,
    gravity: tuple[float, float, float] | None = None,
    timeout: float = 60.0,
) -> FlexibleModel:
    """Read a robot and its joint data.

    Args:
        path: URDF or MJCF.
        joint_file: Joint data; None: what an MJCF states itself, else ``NAME.joints.toml`` beside the model.
        gravity: Instead of the format's, m/s².
        timeout: For MuJoCo's compiler, s.

    Raises:
        ModelError: The model or the joint data cannot be read.
        UsageError: There is no joint data (an MJCF may state it itself, see `flexible.from_mjcf`), or a joint lacks
            stiffness or motor inertia, or is not of one dof.
    """
    robot = read_model(path, compile_mjcf=partial(run_compiler, timeout=timeout))
    stated = stated_drives(robot) if robot.format == "mjcf" and joint_file is None else None
    file = joint_file or (None if stated else beside(path))
    if stated is not None:
        robot = stated.robot
        data = JointData(path=str(path), drives={**_no_drives(robot), **stated.drives})
    elif file is None:
        raise UsageError(
            f"{path}: there is no {path.stem}{SUFFIX} beside the model, and no --joints FILE. It says stiffness, "
            "damping and rotors: [default] stiffness = 1e4, damping = 1, gear_ratio = 100, rotor_inertia = 2e-5"
        )
    else:
        data = read_joint_data(file, robot)
    data, sprung = with_model_springs(data, robot)
    stiffness, damping, inertia = (np.array(values) for values in drives_of(robot, data))
    loaded = with_payload(robot, data.payload)
    springs = Springs(stiffness=stiffness, damping=damping, motor_inertia=inertia)
    double = rigid_double(loaded, inertia.tolist(), motors=None if stated is None else stated.motors)
    free = dataclasses.replace(loaded, joints=tuple(dataclasses.replace(j, mimic=None) for j in loaded.joints))
    elastic = ElasticRobot(
        joints=ElasticJoints(
            mechanism=build_mechanism(free, gravity=gravity),
            stiffness=stiffness,
            damping=damping,
            motor_inertia=inertia,
        ),
        double=build_mechanism(double, gravity=gravity),
        springs=springs,
    )
    return FlexibleModel(
        robot=loaded,
        double=double,
        elastic=elastic,
        original=stated is not None and set(stated.ratios) == {1.0} and not _passive(robot),
        notes=tuple(_notes(robot, data, elastic, sprung)),
    )


def double_source(
    model: FlexibleModel, adapter: AdapterFile, folder: Path, *, profile: str, turned: bool = False
) -> tuple[Source, Canonical, tuple[str, ...]]:
    """Write the double for one library into a folder; return what it loads, what its answers become, and notes.

    Args:
        model: The robot.
        adapter: The library's adapter.
        folder: Of this library alone.
        profile: `NATIVE_PROFILE` gets the springs as tendons of an MJCF.
        turned: On a base that is turned, see `flexible.double.turned_base`.

    Raises:
        AdapterUnsupported: The robot cannot be written in a format that the adapter reads.
    """
    double = turned_base(model.double) if turned else model.double
    path = Path(model.robot.path)
    itself = profile == NATIVE_PROFILE and model.original and not turned
    if not itself:
        native = profile == NATIVE_PROFILE
        kind, text = ("mjcf", native_mjcf(double, model.elastic.springs)) if native else _rigid_text(double, adapter)
        path = folder / f"{path.stem}.{'urdf' if kind == 'urdf' else 'xml'}"
        path.write_text(text, encoding="utf-8")
    written = read_model(path, compile_mjcf=run_compiler)
    gravity: Sequence[float] = model.elastic.double.gravity.tolist()
    mechanism = build_mechanism(written, gravity=(gravity[0], gravity[1], gravity[2]))
    source, notes = source_for(written, mechanism, adapter, folder)
    how = "springs as tendons" if profile == NATIVE_PROFILE else "springs applied from outside"
    if itself:
        how = "springs and motors as the file states them"
    own = canonical_of(model.elastic.double)
    canonical = Canonical(joints=own.joints, links=canonical_of(mechanism).links)
    return source, canonical, (f"{model.elastic.springs.n} motors as bodies of their own, {how}", *notes)


def _passive(robot: RobotModel) -> bool:
    """Tell whether joints have springs or dampers of their own, or anything else acts beside the rigid bodies."""
    parts = [part for joint in robot.joints for part in (joint.damping, joint.stiffness) if part is not None]
    return bool(robot.outside) or any(part.value for part in parts)


def _no_drives(robot: RobotModel) -> dict[str, Drive]:
    return {name: Drive() for name in elastic_joints(robot)}


def _rigid_text(double: RobotModel, adapter: AdapterFile) -> tuple[str, str]:
    """Return format and text of a double: URDF where both sides can, since some read one root body of an MJCF only."""
    problems = []
    for kind, write in (("urdf", write_urdf), ("mjcf", write_mjcf)):
        if kind in adapter.formats:
            try:
                return kind, write(double).text
            except TranslationError as error:
                problems.append(str(error))
    reads = " and ".join(adapter.formats)
    text = f"{adapter.name} reads {reads} only, and the robot with its motors cannot be written so"
    raise AdapterUnsupported(f"{text}: {'; '.join(problems)}")


def _notes(robot: RobotModel, data: JointData, elastic: ElasticRobot, sprung: Sequence[str]) -> list[str]:
    """Say what the reader of a report must know."""
    notes = [f"joint data from {data.path}"]
    armature: Mechanism = elastic.joints.mechanism
    both = [name for name, value in zip(armature.dof_names, armature.armature.tolist(), strict=True) if value]
    if both:
        notes.append(
            f"armature of {', '.join(both)} stays on the links' side, beside the motors of the joint data: "
            "set it to 0 if it stands for the same rotors"
        )
    if sprung:
        notes.append(f"springs of {', '.join(sprung)} are the model's own joint stiffness, here between motor and link")
    left = [
        joint.name
        for joint in robot.joints
        if joint.stiffness is not None and joint.stiffness.value and joint.name not in sprung
    ]
    if left:
        notes.append(f"springs to the world of {', '.join(left)} in the model are left out: the joint data has its own")
    if any(joint.mimic is not None for joint in robot.joints):
        notes.append("mimic joints have springs and motors of their own here")
    if data.payload is not None:
        notes.append(f"payload of {data.payload.mass:g} kg on {data.payload.link}")
    return notes
