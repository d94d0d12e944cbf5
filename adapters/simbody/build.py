"""Builds the program that answers for Simbody: ``python adapters/simbody/build.py``, or ``make simbody``.

It is compiled against an installed Simbody (Debian and Ubuntu: libsimbody-dev) into the cache folder of robodyn-check.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from robodyn_check.harness.staging import cache_folder

PROGRAM = "robodyn-check-simbody"
TOOLS = ("cmake", "c++")


def main() -> int:
    """Build, and say where the program is, or what is missing."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        sys.stderr.write(f"simbody: {' and '.join(missing)} not found; install CMake and a C++ compiler\n")
        return 1
    target = cache_folder() / "simbody" / PROGRAM
    with tempfile.TemporaryDirectory(prefix="robodyn-check-simbody-") as made:
        for command in (["cmake", "-S", str(Path(__file__).parent), "-B", made], ["cmake", "--build", made]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - these two
            if done.returncode:
                words = "\n".join((done.stdout + done.stderr).strip().splitlines()[-12:])
                hint = "is Simbody there? Debian and Ubuntu: apt install libsimbody-dev"
                sys.stderr.write(f"simbody: {' '.join(command[:3])} ... failed; {hint}\n{words}\n")
                return 1
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = target.with_suffix(".new")
        shutil.copy2(Path(made) / PROGRAM, aside)
        aside.replace(target)  # at once: another run may be using the old one
    sys.stdout.write(f"simbody: {target}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
