"""Where the package, adapters and models stand: at the root of a checkout, or as data inside an installed package."""

from __future__ import annotations

from pathlib import Path

from robodyn_check.errors import RobodynCheckError

#: The folder of this package itself.
PACKAGE = Path(__file__).parent


def resource_folder(name: str) -> Path:
    """Return the folder ``adapters`` or ``models``.

    Raises:
        RobodynCheckError: The installation is incomplete.
    """
    for folder in (PACKAGE / "_data" / name, PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise RobodynCheckError(f"the folder {name!r} is missing from this installation of robodyn-check; install it again")
