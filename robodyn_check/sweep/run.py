"""A sweep: collect models, plan tasks, leave out what the dataset answers, work off the rest, keep every outcome."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from robodyn_check.sweep.collect import collect
from robodyn_check.sweep.tasks import groups, make_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from robodyn_check.settings import Settings
    from robodyn_check.sweep.dataset import Dataset
    from robodyn_check.sweep.outcome import Outcome
    from robodyn_check.sweep.tasks import Plan, Task

#: Stored verdicts that --retry-failed asks again.
RETRIED = frozenset({"fail", "error"})


class Executor(Protocol):
    """Who works off groups of tasks; `processes` and `cluster` are the two there are."""

    @property
    def label(self) -> str:
        """What is at work, in words."""

    def version_of(self, spec: str, adapter_file: str | None) -> str:
        """Return the version that a library spec means where the tasks will run."""

    def run(self, groups: Iterable[tuple[Task, ...]]) -> Iterator[Outcome]:
        """Yield outcomes as they come, in any order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """What a sweep did. ``verdicts`` has every task of the plan that is in the dataset now, by key."""

    plan: Plan
    verdicts: dict[str, str]
    worked: int
    answered: int
    complete: bool

    def table(self) -> dict[str, Counter[str]]:
        """Return how many tasks of each library spec ended with which verdict."""
        counted: dict[str, Counter[str]] = {}
        for task in self.plan.tasks:
            counted.setdefault(task.spec, Counter())[self.verdicts.get(task.key, "missing")] += 1
        return counted

    @property
    def exit_code(self) -> int:
        """0 as expected, 1 a fail or error that is not known, 5 nothing checked, 130 interrupted."""
        if not self.complete:
            return 130
        found = {self.verdicts.get(task.key) for task in self.plan.tasks}
        if found & RETRIED:
            return 1
        return 5 if found <= {"skip"} else 0


def run_sweep(
    settings: Settings,
    dataset: Dataset,
    executor: Executor,
    *,
    retry_failed: bool = False,
    say: Callable[[str], None] = lambda _text: None,
) -> Sweep:
    """Run a sweep over the models of the settings; an interrupt ends it early with what is done.

    Args:
        settings: ``models`` are files, folders or globs.
        dataset: Open.
        executor: Ready.
        retry_failed: Ask tasks again that failed or ended with an error.
        say: Told at every finished task.

    Raises:
        UsageError: No model, no library, or workers that do not fit together.
    """
    say("looking for models")
    plan = make_plan(collect(settings.models), dataclasses.replace(settings, models=()), executor.version_of)
    before = dataset.verdicts()
    verdicts = {task.key: before[task.key] for task in plan.tasks if task.key in before}
    answered = {key for key, verdict in verdicts.items() if not (retry_failed and verdict in RETRIED)}
    todo = [task for task in plan.tasks if task.key not in answered]
    worked = 0
    complete = True
    say(f"0 of {len(todo)} tasks, {executor.label}")
    try:
        for outcome in executor.run(groups(todo)):
            dataset.add(outcome)
            verdicts[outcome.key] = outcome.verdict
            worked += 1
            say(f"{worked} of {len(todo)} tasks, {executor.label}: {outcome.verdict} {outcome.task['model']}")
    except KeyboardInterrupt:
        complete = False
    return Sweep(plan=plan, verdicts=verdicts, worked=worked, answered=len(answered), complete=complete)
