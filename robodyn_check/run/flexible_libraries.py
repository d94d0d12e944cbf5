"""The libraries of one run of ``flex``: each loads the rigid double, answers the checks, simulates, loads it turned."""

from __future__ import annotations

import contextlib
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.checks.flexible_frequencies import deflected, squared_frequencies
from robodyn_check.errors import AdapterError
from robodyn_check.harness.session import Budget as Limits
from robodyn_check.harness.session import LibrarySession
from robodyn_check.requests import Answer
from robodyn_check.run.budget import budget
from robodyn_check.run.elastic_subjects import ELASTIC_QUANTITIES, with_springs
from robodyn_check.run.flexible_model import NATIVE_PROFILE, double_source
from robodyn_check.run.flexible_simulation import simulate
from robodyn_check.run.libraries import MEBIBYTE, Asked, adapters_of
from robodyn_check.run.plain_answers import plain_answers
from robodyn_check.run.questions import question
from robodyn_check.run.subjects import Declared, Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt

    from robodyn_check.checks.registry import Check
    from robodyn_check.harness.metadata import AdapterFile
    from robodyn_check.harness.spec import LibrarySpec
    from robodyn_check.requests import Failure, Request
    from robodyn_check.run.elastic_subjects import ElasticRobot
    from robodyn_check.run.flexible_model import FlexibleModel
    from robodyn_check.run.flexible_simulation import Plan, Simulated
    from robodyn_check.run.subjects import Answering, Setting
    from robodyn_check.settings import Settings

    FloatArray = npt.NDArray[np.float64]
    Say = Callable[[str], None]

#: A library that declares more microseconds than this for one quantity is not simulated.
SLOWEST = 1000.0
#: States at which frequencies are compared between the two loads.
FEW = 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Examined:
    """One library after its examination.

    ``squared`` and ``turned`` are ω² at the few states, as loaded and on the turned base; ``accelerations`` what the
    former came from. A text in place of numbers says why there are none.
    """

    asked: Asked
    simulated: Simulated | str = ""
    squared: FloatArray | str = ""
    turned: FloatArray | str = ""
    accelerations: FloatArray | None = None


def examine(
    model: FlexibleModel,
    settings: Settings,
    setting: Setting,
    checks: Sequence[Check],
    planned: Plan,
    say: Say,
) -> list[Examined]:
    """Examine every library of the settings, all at once, each in a thread and a process of its own.

    Raises:
        UsageError: A library spec that cannot be used.
    """
    specs = adapters_of(settings)
    limits = Limits(timeout=settings.timeout, memory=settings.memory * MEBIBYTE)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="robodyn-check-")))
        threads = stack.enter_context(ThreadPoolExecutor(max_workers=max(1, len(specs))))
        jobs = []
        for number, (spec, adapter) in enumerate(specs.items()):
            own = folder / str(number)
            own.mkdir()
            try:
                session = LibrarySession.start(spec, budget=limits)
            except AdapterError as error:
                jobs.append(threads.submit(_missing, spec, adapter, error))
                continue
            stack.callback(session.close)
            stack.callback(session.abandon)
            run = _Examination(model=model, setting=setting, checks=checks, planned=planned, folder=own, say=say)
            jobs.append(threads.submit(run.of, session))
        return [job.result() for job in jobs]


def _missing(spec: LibrarySpec, adapter: AdapterFile, error: AdapterError) -> Examined:
    return Examined(asked=Asked(spec=spec, adapter=adapter, error=error))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Examination:
    """What every library is put through."""

    model: FlexibleModel
    setting: Setting
    checks: Sequence[Check]
    planned: Plan
    folder: Path
    say: Say

    def of(self, session: LibrarySession) -> Examined:
        spec, elastic, name = session.spec, self.model.elastic, str(session.spec)
        try:
            self.say(f"{name}: loading")
            source, canonical, notes = double_source(self.model, session.adapter, self.folder, profile=spec.profile)
            loaded = session.load(source, canonical)
        except AdapterError as error:
            return Examined(asked=Asked(spec=spec, adapter=session.adapter, session=session, error=error))
        info = loaded.info
        answer = self.answering(session)
        subject = Subject(
            declared=Declared(
                name=name,
                quantities=frozenset(info.quantities) & frozenset(ELASTIC_QUANTITIES),
                precision=info.precision,
                coriolis=info.coriolis,
                symmetric_by_construction=info.symmetric_by_construction,
                springs=elastic.springs,
            ),
            answer=answer,
            budget=budget(elastic.double, samples=len(self.setting.states), cost=info.cost),
        )
        broken = question(self.setting, subject, self.checks, progress=self.say)
        asked = Asked(
            spec=spec,
            adapter=session.adapter,
            session=session,
            notes=notes,
            loaded=loaded,
            subject=subject,
            broken=broken,
        )
        self.say(f"{name}: simulating")
        wanted = {"forward_dynamics", "kinetic_energy", "potential_energy"}
        lacking = sorted(wanted - subject.declared.quantities)
        if lacking:
            simulated: Simulated | str = f"not simulated: {name} does not offer {', '.join(lacking)}"
        elif info.cost > SLOWEST:
            simulated = f"not simulated: {name} declares {info.cost:g} µs a quantity, above {SLOWEST:g}"
        else:
            simulated = simulate(elastic, self.planned, answer)
        accelerations = self.deflected(answer)
        squared = accelerations if isinstance(accelerations, str) else self.frequencies(accelerations)
        return Examined(
            asked=asked,
            simulated=simulated,
            squared=squared,
            turned=self.turned(session),
            accelerations=None if isinstance(accelerations, str) else accelerations,
        )

    def answering(self, session: LibrarySession) -> Answering:
        """Return how the loaded double is asked: with the springs added, unless it carries them itself."""
        plain = partial(_plain, session, self.model.elastic)
        native = session.spec.profile == NATIVE_PROFILE
        return plain if native else with_springs(self.model.elastic.springs, plain)

    def deflected(self, answer: Answering) -> FloatArray | str:
        """Return the accelerations from which frequencies come, or why there are none."""
        request = deflected(self.setting.batch(FEW), self.model.elastic.springs.n)
        found = answer((request,))[request.key]
        if isinstance(found, Answer) and np.isfinite(found.values).all():
            return found.values
        return f"no frequencies: {getattr(found, 'message', 'an acceleration is not finite')}"

    def frequencies(self, accelerations: FloatArray) -> FloatArray:
        return squared_frequencies(self.model.elastic.springs, accelerations)

    def turned(self, session: LibrarySession) -> FloatArray | str:
        """Load the double on a turned base and return its ω², or why there are none."""
        folder = self.folder / "turned"
        folder.mkdir()
        try:
            source, canonical, _ = double_source(
                self.model, session.adapter, folder, profile=session.spec.profile, turned=True
            )
            session.load(source, canonical)
        except AdapterError as error:
            return f"no second load: {error}"
        found = self.deflected(self.answering(session))
        return found if isinstance(found, str) else self.frequencies(found)


def _plain(
    session: LibrarySession, elastic: ElasticRobot, requests: Sequence[Request]
) -> Mapping[str, Answer | Failure]:
    return plain_answers(session.ask(requests), library=str(session.spec), links=elastic.double.links)
