"""What one model's run has found so far; a report can be made of it at any moment, also when a run is interrupted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from robodyn_check.harness.describe import describe
from robodyn_check.report.results import ModelRecord, ModelReport, StatesRecord
from robodyn_check.run.linting import model_record
from robodyn_check.sdk.records import to_json

if TYPE_CHECKING:
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.report.results import CertificateRecord, Opposition, Result, SubjectRecord
    from robodyn_check.run.libraries import Asked
    from robodyn_check.run.subjects import Setting, Subject
    from robodyn_check.settings import Settings
    from robodyn_check.states import StateBatch


@dataclass(slots=True, kw_only=True, eq=False)
class Gathered:
    """The findings of one model; grows during the run.

    ``setting``, ``reference`` and ``asked`` hold every answer, for whoever compares answers themselves.
    """

    path: str
    settings: Settings
    robot: RobotModel | None = None
    mechanism: Mechanism | None = None
    states: StateBatch | None = None
    certificate: CertificateRecord | None = None
    setting: Setting | None = None
    reference: Subject | None = None
    asked: list[Asked] = field(default_factory=list)
    records: list[SubjectRecord] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    oppositions: tuple[Opposition, ...] = ()

    def model_report(self) -> ModelReport:
        """Return what is known by now."""
        assert self.robot is not None, "a report needs a model that was read"
        return ModelReport(
            model=_model(self.robot, self.mechanism),
            mechanism={} if self.mechanism is None else mechanism_record(self.robot, self.mechanism),
            states=None if self.mechanism is None or self.states is None else self._states(self.mechanism),
            subjects=tuple(self.records),
            results=tuple(self.results),
            certificate=self.certificate,
            oppositions=self.oppositions,
        )

    def _states(self, mechanism: Mechanism) -> StatesRecord:
        x, y, z = (float(component) for component in mechanism.gravity)
        return StatesRecord(
            seed=self.settings.seed, count=len(self.states or ()), base=mechanism.base, gravity=(x, y, z)
        )


def mechanism_record(robot: RobotModel, mechanism: Mechanism) -> dict[str, object]:
    """Return the mechanism's record: bodies and joints in the shape of a readback, and what stays outside."""
    return {
        **to_json(describe(robot, mechanism)),
        "base": mechanism.base,
        "compiler": robot.compiler,
        "outside": [{"tag": element.tag, "line": element.line, "owner": element.owner} for element in robot.outside],
    }


def _model(robot: RobotModel, mechanism: Mechanism | None) -> ModelRecord:
    if mechanism is None:
        return model_record(robot)
    return ModelRecord(
        path=robot.path,
        sha256=robot.sha256,
        format=robot.format,
        nq=mechanism.nq,
        nv=mechanism.nv,
        joints=mechanism.joint_names,
        links=mechanism.links,
    )
