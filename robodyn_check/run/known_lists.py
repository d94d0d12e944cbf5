"""Which lists of known failures a run uses: the shipped ones and the user's, with --strict leaving out the former."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.errors import SettingsError
from robodyn_check.known import SHIPPED, USER_FILE, KnownFailure, load_known
from robodyn_check.resources import resource_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from robodyn_check.settings import Settings


def known_lists(settings: Settings, libraries: Iterable[str]) -> tuple[KnownFailure, ...]:
    """Return all entries that may speak of these libraries, the user's first.

    The user's list is ``known_failures`` of the settings, else `USER_FILE` beside the configuration file or in the
    working directory, where there is one.

    Args:
        settings: Of the run.
        libraries: Names, without profiles and versions; of the shipped lists only theirs are read.

    Raises:
        SettingsError: A list that is named but missing, or that is broken.
    """
    users: tuple[KnownFailure, ...] = ()
    beside = Path(settings.source).parent if settings.source else Path()
    if settings.known_failures is not None:
        path = beside / settings.known_failures
        if not path.is_file():
            raise SettingsError(f"{path}: the list of known failures does not exist")
        users = load_known(path)
    elif (beside / USER_FILE).is_file():
        users = load_known(beside / USER_FILE)
    if settings.strict:
        return users
    return (*users, *(entry for library in sorted(set(libraries)) for entry in shipped(library)))


@cache
def shipped(library: str) -> tuple[KnownFailure, ...]:
    """Return the entries of the list that comes with a library's adapter, none where it has no list."""
    path = resource_folder("adapters") / "known" / f"{library}.toml"
    return load_known(path, source=SHIPPED) if path.is_file() else ()
