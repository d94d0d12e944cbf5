"""The exception tree of robodyn-check.

RobodynCheckError            anything that we raise on purpose; its text is shown to the user, never a traceback
├── UsageError               the command line, an argument of the API: exit 2
├── SettingsError            a configuration file: exit 2
├── ModelError               a model file that cannot be read; carries one Fault per fault: exit 2
├── TranslationError         what the target format cannot say; names the element
├── EvaluationError          a quantity that is not defined for this model (singular M, too many dofs)
└── AdapterError             a library's process: becomes a verdict, never an exit
├── AdapterMissing       library or adapter not there: skip, or error when the user named it
├── AdapterUnsupported   a limit that the adapter documents: skip
├── AdapterRefused       the library refused the model
├── AdapterCrashed       process died, closed its pipe, garbage on the wire
└── AdapterTimeout       no answer in time
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault of a model file: where, what was found, what was expected, what to do.

    ``str(fault)`` is the line that users see: ``model.urdf:42: message``. ``cause`` is the short name of the kind of
    fault (``duplicate-name``), which reports and tests can rely on.
    """

    file: str
    line: int | None
    message: str
    code: str = "RD100"
    cause: str = "unreadable-model"

    def __str__(self) -> str:
        """Render as ``file:line: message``."""
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}"


class RobodynCheckError(Exception):
    """Base of everything that robodyn-check raises on purpose."""

    exit_code = 2


class UsageError(RobodynCheckError):
    """A command line or an API argument that cannot be used."""


class SettingsError(RobodynCheckError):
    """A configuration file that cannot be used."""


class ModelError(RobodynCheckError):
    """A model file that cannot be read; all its faults at once."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        """Keep the faults; the text is one line per fault."""
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


class TranslationError(RobodynCheckError):
    """A model that the target format cannot express; the message names the element."""


class EvaluationError(RobodynCheckError):
    """A quantity that is not defined for this model or state."""


class AdapterError(RobodynCheckError):
    """Something about one library's process; it becomes a verdict and never ends the run."""


class AdapterMissing(AdapterError):
    """The adapter, its library or its environment is not there; the message says how to install it."""


class AdapterUnsupported(AdapterError):
    """A documented limit of the adapter (serial chains only, no MJCF)."""


class AdapterRefused(AdapterError):
    """The library refused to load the model, with its own words."""


class AdapterCrashed(AdapterError):
    """The process died, closed its pipe or wrote garbage; the message has its last words."""


class AdapterTimeout(AdapterError):
    """The process did not answer in time and was killed."""
