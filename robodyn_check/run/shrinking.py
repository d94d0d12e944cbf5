"""Reduce a fail to the smallest robot and the roundest state that still fail, asking the library at every step."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_check.errors import AdapterError, EvaluationError, RobodynCheckError, TranslationError, UsageError
from robodyn_check.harness.canonical import canonical_of
from robodyn_check.harness.discovery import find_adapter, find_adapters, named_file
from robodyn_check.harness.session import LibrarySession
from robodyn_check.harness.spec import parse_spec
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.write_mjcf import write_mjcf
from robodyn_check.model.write_urdf import write_urdf
from robodyn_check.quantities import FLOATING_BASE, QUANTITIES
from robodyn_check.reference.engine import evaluate
from robodyn_check.requests import Answer, Request
from robodyn_check.run.shrink_steps import cost, length, round_states, rounder, smaller
from robodyn_check.run.sources import source_for
from robodyn_check.states import StateBatch
from robodyn_check.tolerance import bound, scales

if TYPE_CHECKING:
    from typing import Literal, Self

    import numpy.typing as npt

    from robodyn_check.harness.metadata import AdapterFile
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.run.shrink_steps import State

    FloatArray = npt.NDArray[np.float64]

#: Robots and states that are tried in all; each is one load of the library.
MOST = 400
#: How far beyond its bound a fail must stay: nobody reports rounding.
CLEAR = 100.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """One robot at one state that fails: what the library says and what is right, both of one state's shape."""

    robot: RobotModel
    mechanism: Mechanism
    text: str
    state: State
    got: FloatArray
    expected: FloatArray
    margin: float


class Shrinker:
    """One library's process, one quantity; use with ``with``, then `shrink`."""

    def __init__(
        self,
        library: str,
        quantity: str,
        *,
        base: Literal["fixed", "floating"],
        gravity: tuple[float, float, float],
        adapter: Path | None = None,
    ) -> None:
        """Start the library; ``adapter`` is an adapter file or program of the user's own."""
        self._spec = replace(parse_spec(library), adapter=None if adapter is None else named_file(adapter).path)
        self._adapter: AdapterFile = find_adapter(self._spec, find_adapters())
        self._session = LibrarySession.start(self._spec)
        self._folder = tempfile.TemporaryDirectory(prefix="robodyn-check-")
        self._quantity, self._base, self._gravity = quantity, base, gravity
        self.tried = 0

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_exception: object) -> None:
        """End the library."""
        self._session.close()
        self._folder.cleanup()

    @property
    def version(self) -> str:
        """The library's version."""
        return self._session.info.version

    def shrink(self, robot: RobotModel, state: State) -> Case:
        """Return the smallest case that was found.

        Raises:
            UsageError: The fail does not come back.
        """
        case = self.case(robot, state)
        if case is None:
            raise UsageError(
                f"{self._spec}: {self._quantity} does not fail at this state of {robot.path} in a fresh process; the "
                "fail depends on what was asked before, or is too close to rounding to be reduced"
            )
        while self.tried < MOST:
            start = case
            for robots in (smaller, rounder):
                case = self._better(case, robots)
            case = self._rounder_state(case)
            if case is start:
                break
        return case

    def case(self, robot: RobotModel, state: State) -> Case | None:
        """Return the case if the library fails there; None where it is right, refuses, or nothing is defined."""
        self.tried += 1
        try:
            placed, mechanism, text = self._written(robot)
            source, _ = source_for(placed, mechanism, self._adapter, Path(self._folder.name))
            self._session.load(source, canonical_of(mechanism))
            batch = StateBatch(q=state["q"][None], v=state["v"][None], a=state["a"][None], tau=state["tau"][None])
            inputs = {name: getattr(batch, name) for name in QUANTITIES[self._quantity].inputs}
            request = Request(quantity=self._quantity, **inputs)
            expected = evaluate(mechanism, self._quantity, **inputs)
            answer = self._session.ask([request])[request.key]
        except (AdapterError, EvaluationError, TranslationError):
            return None
        except (RobodynCheckError, ValueError, KeyError, IndexError, np.linalg.LinAlgError):
            return None
        if not isinstance(answer, Answer) or answer.values.shape != expected.shape:
            return None
        margin = _margin(mechanism, self._quantity, batch, answer.values, expected)
        if not CLEAR < margin < np.inf:
            return None
        return Case(
            robot=placed,
            mechanism=mechanism,
            text=text,
            state=state,
            got=answer.values[0],
            expected=expected[0],
            margin=margin,
        )

    def _written(self, robot: RobotModel) -> tuple[RobotModel, Mechanism, str]:
        """Write a robot where the library can load it."""
        mechanism = build_mechanism(robot, base=self._base, gravity=self._gravity)
        if robot.format == "urdf":
            text, suffix = write_urdf(robot).text, "urdf"
        else:
            text, suffix = write_mjcf(robot, base=mechanism.base).text, "xml"
        path = Path(self._folder.name) / f"small{self.tried}.{suffix}"
        path.write_text(text, encoding="utf-8")
        digest = hashlib.sha256(text.encode()).hexdigest()
        return replace(robot, path=str(path), sha256=digest), mechanism, text

    def _better(self, case: Case, steps: Any) -> Case:
        """Take every step that still fails, from the start again after each cut."""
        taken = True
        while taken and self.tried < MOST:
            taken = False
            for robot in steps(case.robot):
                if self.tried >= MOST or cost(robot) >= cost(case.robot):
                    continue
                found = self.case(robot, _carried(case, robot))
                if found is not None:
                    case, taken = found, steps is smaller
                    if taken:
                        break
        return case

    def _rounder_state(self, case: Case) -> Case:
        """Take every shorter number that still fails, until none is left."""
        improved = True
        while improved:
            improved = False
            for state in round_states(case.state):
                if self.tried >= MOST:
                    return case
                if length(state) < length(case.state) and (found := self.case(case.robot, state)) is not None:
                    case, improved = found, True
                    break
        return case


def _margin(mechanism: Mechanism, quantity: str, batch: StateBatch, got: FloatArray, expected: FloatArray) -> float:
    mass = evaluate(mechanism, "mass_matrix", batch.q) if quantity == "forward_dynamics" else None
    extra = {"answer": expected, "tau": batch.tau} if mass is not None else {}
    eps = 2.0**-52
    allowed = bound(quantity, scales(mechanism, batch, mass), eps, eps, **extra)
    there = np.isfinite(got)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(got == expected, 0.0, np.abs(got - expected) / allowed)
    finite = ratio[there & np.isfinite(ratio)]
    # a bound of zero is no bound that anybody could report
    return float(finite.max(initial=0.0))


def _carried(case: Case, robot: RobotModel) -> State:
    """Return the state with the coordinates of joints that are still there."""
    kept = {joint.name for joint in robot.joints if joint.kind != "fixed"}
    joints = [joint for joint in case.mechanism.joints if joint.name in kept or joint.name == FLOATING_BASE]
    q = [k for joint in joints for k in range(joint.q.start, joint.q.stop)]
    v = [k for joint in joints for k in range(joint.v.start, joint.v.stop)]
    return {name: values[q if name == "q" else v] for name, values in case.state.items()}
