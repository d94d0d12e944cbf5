"""``pytest --robodyn-adapter PATH``: one test per check and model, beside the project's own tests.

Without the option nothing happens, and nothing heavy is imported. A finding that is known is an expected failure, what
the adapter does not offer is a skip. A model is run once, when the first of its tests is.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.checks.texts import CheckText
    from robodyn_check.report.results import ModelReport, Result
    from robodyn_check.settings import Settings

#: Families about a library's numbers: all but the model file and elastic robots, which have verbs of their own.
FAMILIES = "2345679"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("robodyn-check")
    group.addoption(
        "--robodyn-adapter",
        action="append",
        default=[],
        metavar="ADAPTER",
        help="adapter file, program or library to check with robodyn-check; repeatable",
    )
    group.addoption(
        "--robodyn-model",
        action="append",
        default=[],
        metavar="MODEL",
        help="URDF or MJCF file to check it on; repeatable [default: those that come with robodyn-check]",
    )
    group.addoption("--robodyn-samples", type=int, default=None, metavar="N", help="states of each model [default: 50]")


@pytest.hookimpl(tryfirst=True)  # before -k and -m take tests away
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the tests of every adapter and model."""
    for adapter in config.getoption("--robodyn-adapter"):
        items += _tests(session, config, adapter)


def _tests(session: pytest.Session, config: pytest.Config, adapter: str) -> Iterator[pytest.Item]:
    from robodyn_check.checks.texts import texts  # noqa: PLC0415 - a project's other runs must not pay for it
    from robodyn_check.conform.run import settings_for  # noqa: PLC0415 - the same
    from robodyn_check.conform.trials import model_title  # noqa: PLC0415 - the same
    from robodyn_check.errors import RobodynCheckError  # noqa: PLC0415 - the same
    from robodyn_check.run.libraries import adapters_of  # noqa: PLC0415 - the same

    given = {"samples": config.getoption("--robodyn-samples")}
    models = [Path(name) for name in config.getoption("--robodyn-model")]
    try:
        settings = settings_for(adapter, models, **{key: value for key, value in given.items() if value is not None})
        adapters_of(settings)  # is it there?
    except RobodynCheckError as error:
        raise pytest.UsageError(str(error)) from error
    checks = [text for text in texts() if text.code[2] in FAMILIES]
    for path in settings.models:
        title = f"robodyn-check/{Path(adapter).name}/{model_title(path)}"
        robot: Robot = Robot.from_parent(session, name=title, nodeid=title, settings=settings, model=path)
        for text in checks:
            yield CheckItem.from_parent(robot, name=f"{text.code}-{text.slug}", text=text)


class Robot(pytest.Collector):
    """One adapter and one model; it is asked once."""

    def __init__(self, *, settings: Settings, model: str, **rest: Any) -> None:
        """Keep what is to be run."""
        super().__init__(**rest)
        self.path = Path(model)
        self._settings = settings
        self._model = model
        self._report: ModelReport | None = None

    def collect(self) -> list[pytest.Item]:
        """Return nothing: its tests are added by the plug-in."""
        return []

    def results(self, code: str) -> list[Result]:
        """Return what a check found about the adapter, or about the reference where the adapter was never asked."""
        if self._report is None:
            import dataclasses  # noqa: PLC0415 - a project's other runs must not pay for it

            from robodyn_check.pipeline import run  # noqa: PLC0415 - the same

            self._report = run(dataclasses.replace(self._settings, models=(self._model,))).models[0]
        libraries = {record.name for record in self._report.subjects} - {"reference", "model"}
        return [result for result in self._report.results if result.code == code and result.subject in libraries]

    def obstacle(self) -> str:
        """Say why the adapter was not asked at all; empty where it was."""
        records = [] if self._report is None else self._report.subjects
        return next((record.reason or record.status for record in records if record.status != "ok"), "")


class Wrong(Exception):
    """A check failed; the text is all that is shown."""


class CheckItem(pytest.Item):
    """One check on one model."""

    def __init__(self, *, text: CheckText, **rest: Any) -> None:
        """Keep the check."""
        super().__init__(**rest)
        self._text = text

    def runtest(self) -> None:
        """Fail, skip or pass, as the results are."""
        robot = self.parent
        assert isinstance(robot, Robot), "made by _tests"
        results = robot.results(self._text.code)
        wrong = [result for result in results if result.verdict in {"fail", "error"}]
        open_ones = [result for result in wrong if result.known is None]
        if open_ones:
            raise Wrong("\n".join(line for result in open_ones for line in _lines(result)))
        if wrong:
            pytest.xfail("; ".join(dict.fromkeys(result.known.reason for result in wrong if result.known is not None)))
        if all(result.verdict == "skip" for result in results):
            reasons = dict.fromkeys(result.message or "skipped" for result in results)
            pytest.skip("; ".join(reasons) or robot.obstacle() or "says nothing about this robot")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the finding alone, without our frames."""
        if isinstance(excinfo.value, Wrong):
            return f"{self._text.code} {self._text.title}\n{excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Name the model's file and the check."""
        return self.path, None, f"{self._text.code}-{self._text.slug}"


def _lines(result: Result) -> list[str]:
    lines = [f"{result.verdict}: {result.message or result.slug}"]
    if result.cause is not None:
        lines.append(f"cause: {result.cause.text}")
    if result.again:
        lines.append(f"again: {result.again}")
    return lines
