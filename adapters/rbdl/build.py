"""Builds the program that answers for RBDL: ``python adapters/rbdl/build.py [--if-possible]``, or ``make rbdl``.

RBDL has no package on the index, but the source distribution of pyrbdl holds its C++ sources with its URDF reader and
Eigen. pip downloads it by name; it is unpacked and compiled in the cache folder of robodyn-check, and nothing of it is
kept in the project. With ``--if-possible``, what is missing (compiler, CMake, network) is said and is no failure.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from robodyn_check.harness.staging import cache_folder

PACKAGE, VERSION = "pyrbdl", "0.0.2"  # RBDL 2.6.0
SHA256 = "33800dc093118b813f0f716ff441577d56612e7c7cbe0f3f4adc546ea651e05f"
PROGRAM = "robodyn-check-rbdl"
TOOLS = ("cmake", "c++")


class BuildError(Exception):
    """What went wrong, and what to do."""


def main(arguments: list[str]) -> int:
    """Build, and say where the program is."""
    folder = cache_folder() / "rbdl"
    program, stamp, wanted = folder / PROGRAM, folder / "built-from", fingerprint()
    if not (program.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == wanted):
        try:
            program = build(folder)
        except BuildError as error:
            sys.stderr.write(f"rbdl: {error}\n")
            return 0 if "--if-possible" in arguments else 1
        stamp.write_text(wanted, encoding="utf-8")
    sys.stdout.write(f"rbdl: {program}\n")
    return 0


def fingerprint() -> str:
    """Say what a program is built from: our sources and the archive; the same is not compiled again."""
    digest = hashlib.sha256(SHA256.encode())
    for source in sorted(Path(__file__).parent.glob("*")):
        if source.is_file():
            digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()


def build(folder: Path) -> Path:
    """Download, compile and put the program into a folder.

    Raises:
        BuildError: A tool is missing, or a step failed.
    """
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise BuildError(f"{' and '.join(missing)} not found; install CMake and a C++ compiler, then: make rbdl")
    with tempfile.TemporaryDirectory(prefix="robodyn-check-rbdl-") as name:
        scratch = Path(name)
        sources, made = unpack(download(scratch), scratch), scratch / "build"
        run(["cmake", "-S", str(Path(__file__).parent), "-B", str(made), f"-DRBDL_SOURCES={sources}"])
        run(["cmake", "--build", str(made), "--parallel", "2"])
        folder.mkdir(parents=True, exist_ok=True)
        aside = folder / f"{PROGRAM}.new"
        shutil.copy2(made / PROGRAM, aside)
        return aside.replace(folder / PROGRAM)  # at once: another run may be using the old one


def download(folder: Path) -> Path:
    """Download the source distribution by name and check that it is the known one.

    Raises:
        BuildError: pip cannot get it, or it is another file.
    """
    what = ["--no-deps", "--no-binary", PACKAGE, "--dest", str(folder), f"{PACKAGE}=={VERSION}"]
    run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", *what])
    archive = folder / f"{PACKAGE}-{VERSION}.tar.gz"
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != SHA256:
        raise BuildError(
            f"{archive.name} has sha256 {found}, expected {SHA256}: it is not the file this was written for"
        )
    return archive


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack the sources and return their folder."""
    with tarfile.open(archive) as content:
        content.extractall(folder, filter="data")
    return folder / f"{PACKAGE}-{VERSION}"


def run(command: list[str]) -> None:
    """Run one step quietly.

    Raises:
        BuildError: It failed; with the end of what it said.
    """
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - the steps above
    if done.returncode:
        words = "\n".join((done.stdout + done.stderr).strip().splitlines()[-12:])
        raise BuildError(f"{' '.join(command[:4])} ... failed ({done.returncode}):\n{words}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
