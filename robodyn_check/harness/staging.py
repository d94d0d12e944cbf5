"""The SDK as a folder of its own, for interpreters that must see nothing else of ours.

A foreign environment gets numpy from its own packages and from us only ``robodyn_check/__init__.py``, ``quantities.py``
and ``sdk/``. Our site-packages on its path would put our numpy, and our libraries, before its own.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from robodyn_check.resources import PACKAGE


def cache_folder() -> Path:
    """Return the folder of robodyn-check under the XDG cache."""
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "robodyn-check"


def staged_sdk() -> Path:
    """Return the folder to put on PYTHONPATH, made on first use; its name carries a hash of the content."""
    alone = (PACKAGE / f"{name}.py" for name in ("__init__", "version", "quantities", "motion"))
    files = [*alone, *sorted((PACKAGE / "sdk").glob("*.py"))]
    digest = hashlib.blake2b(digest_size=8)
    for file in files:
        digest.update(file.name.encode() + file.read_bytes())
    folder = cache_folder() / "sdk" / digest.hexdigest()
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Written aside and renamed: another run may be making the same folder now.
    aside = Path(tempfile.mkdtemp(dir=folder.parent))
    for file in files:
        target = aside / "robodyn_check" / file.relative_to(PACKAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    try:
        aside.rename(folder)
    except OSError:  # the other run was first
        shutil.rmtree(aside)
    return folder
