"""robodyn-check tells people whether their robot dynamics are right.

The package is light to import: nothing here loads numpy or any dynamics library.
``check`` is resolved on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.version import __version__

if TYPE_CHECKING:
    from robodyn_check.pipeline import check as check
    from robodyn_check.report.results import Report as Report

__all__ = ["Report", "__version__", "check"]


def __getattr__(name: str) -> object:
    """Import the Python API on first use, so that ``--help`` stays fast."""
    if name == "check":
        from robodyn_check.pipeline import check  # noqa: PLC0415 - lazy on purpose: numpy and the engine load here

        return check
    if name == "Report":
        from robodyn_check.report.results import Report  # noqa: PLC0415 - lazy on purpose

        return Report
    message = f"module 'robodyn_check' has no attribute {name!r}"
    raise AttributeError(message)
