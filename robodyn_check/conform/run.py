"""The whole of ``conform``: the protocol, then every check over the models, as one frozen record."""

from __future__ import annotations

import dataclasses
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.conform.bench import Bench
from robodyn_check.conform.peer import ProcessPeer
from robodyn_check.conform.rehearsal import rehearse
from robodyn_check.conform.trials import bundled_models, trials
from robodyn_check.errors import AdapterMissing
from robodyn_check.harness.environments import launch_for
from robodyn_check.harness.session import Budget
from robodyn_check.pipeline import run
from robodyn_check.run.libraries import MEBIBYTE, adapters_of
from robodyn_check.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from robodyn_check.conform.claim import Finding
    from robodyn_check.conform.peer import Peer
    from robodyn_check.harness.metadata import AdapterFile
    from robodyn_check.harness.spec import LibrarySpec
    from robodyn_check.report.results import Report
    from robodyn_check.settings import Settings

#: States of a robot: what is wrong shows at few, and all bundled models are asked about.
DEFAULT_SAMPLES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Conformance:
    """What was found about one adapter. ``report`` None: its numbers were not looked at."""

    subject: str
    protocol: tuple[Finding, ...]
    report: Report | None = None

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The claims about the protocol that do not hold."""
        return tuple(finding for finding in self.protocol if finding.verdict == "fail")

    @property
    def speaks(self) -> bool:
        """True when it at least greets, so that it can be asked about robots."""
        return bool(self.protocol) and self.protocol[0].verdict == "pass"

    @property
    def exit_code(self) -> int:
        """1 for a broken protocol, otherwise what the report says."""
        if self.broken:
            return 1
        return 0 if self.report is None else self.report.exit_code


def settings_for(adapter: str, models: Sequence[Path], **given: object) -> Settings:
    """Return the settings of a run that asks one adapter: a file, a program, or the name of one that comes along.

    Raises:
        UsageError: A setting that cannot be used.
        SettingsError: A configuration file that cannot be used.
    """
    path = Path(adapter).expanduser()
    is_file = path.exists() or adapter.startswith((".", "/", "~")) or path.suffix == ".py"
    named: dict[str, object] = {"adapter": [str(path)]} if is_file else {"lib": [adapter], "adapter": []}
    named["models"] = [str(model) for model in models or bundled_models()]
    settings = load_settings({"samples": DEFAULT_SAMPLES, **named, **given})
    # one adapter is on trial: libraries that a configuration file names stay out
    return settings if "lib" in named else dataclasses.replace(settings, lib=None)


def conform(
    settings: Settings, *, protocol_only: bool = False, progress: Callable[[str], None] | None = None
) -> Conformance:
    """Examine the one adapter of the settings.

    Raises:
        UsageError: There is no such adapter.
        AdapterMissing: It cannot be started.
        ModelError: A model that cannot be read.
    """
    say = progress or (lambda _text: None)
    ((spec, adapter),) = adapters_of(settings).items()
    findings = _rehearsed(spec, adapter, settings, say)
    conformance = Conformance(subject=str(spec), protocol=findings)
    if protocol_only or not conformance.speaks:
        return conformance
    return Conformance(subject=str(spec), protocol=findings, report=run(settings, progress=progress))


def _rehearsed(
    spec: LibrarySpec, adapter: AdapterFile, settings: Settings, say: Callable[[str], None]
) -> tuple[Finding, ...]:
    launch = launch_for(spec, adapter)
    budget = Budget(timeout=settings.timeout, memory=settings.memory * MEBIBYTE)

    def connect() -> Peer:
        try:
            return ProcessPeer(launch, budget)
        except OSError as error:
            text = f"{launch.command[0]} cannot be started: {error.strerror or error}"
            raise AdapterMissing(text) from error

    with tempfile.TemporaryDirectory(prefix="robodyn-check-") as folder:
        robots = trials([Path(path) for path in settings.models], adapter, Path(folder), seed=settings.seed)
        return rehearse(Bench(connect, robots, profile=spec.profile), say)
