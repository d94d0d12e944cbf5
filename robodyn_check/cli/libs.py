"""``robodyn-check libs``: which libraries can be asked, and how to get those that are missing."""

from __future__ import annotations

import textwrap

import typer

from robodyn_check.harness.discovery import find_adapters, install_hint, installed_version
from robodyn_check.quantities import QUANTITIES
from robodyn_check.settings import DEFAULT_LIBRARIES


def command() -> None:
    """List the libraries that can be asked, their profiles and limits."""
    from robodyn_check.harness.environments import list_environments

    adapters = find_adapters()
    isolated = {record.adapter for record in list_environments()}
    ordered = [name for name in DEFAULT_LIBRARIES if name in adapters]
    ordered += [name for name in adapters if name not in ordered]
    for name in ordered:
        adapter = adapters[name]
        version = installed_version(adapter)
        state = (
            f"installed, {adapter.library or adapter.name} {version}"
            if version
            else "in an environment of its own: --isolated"
            if name in isolated
            else f"not installed: {install_hint(adapter)}"
        )
        default = " (asked by default)" if name in DEFAULT_LIBRARIES else ""
        typer.echo(f"{name}{default}: {state}")
        facts = [
            f"reads {' and '.join(adapter.formats)}; {len(adapter.quantities)} of {len(QUANTITIES)} quantities",
            f"{adapter.precision} precision; Coriolis matrix: {adapter.coriolis}",
            *(f"profile {name}:{profile}: {text}" for profile, text in adapter.profiles.items() if profile),
            *(f"limit: {feature}: {reason}" for feature, reason in adapter.limits.items()),
        ]
        for fact in facts:
            typer.echo(textwrap.fill(fact, 80, initial_indent="  ", subsequent_indent="    "))
