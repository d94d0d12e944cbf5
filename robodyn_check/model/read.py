"""Open a model file safely, see what it is, and read it. Plain Python: no numpy, no library.

The root element decides the format: ``<robot>`` is URDF, ``<mujoco>`` is MJCF.
"""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robodyn_check.errors import Fault, ModelError
from robodyn_check.model.quote import quoted
from robodyn_check.model.urdf import read_urdf
from robodyn_check.model.xml import parse_xml

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.model.robot import RobotModel
    from robodyn_check.model.xml import XmlElement

#: Larger files are refused unread. The largest real robot descriptions have a few MB.
MAX_BYTES = 64 * 1024 * 1024

#: Root elements of other formats: what they are, and the way to one that is read.
_OTHER_ROOTS = {
    "sdf": "SDF (Gazebo); convert it to URDF or MJCF",
    "world": "a Gazebo world; give the robot's own URDF or MJCF",
    "model": "SDF or an Open Dynamics model; convert it to URDF or MJCF",
    "html": "a web page, perhaps of a download that failed; fetch the raw file",
    "COLLADA": "a mesh; give the robot that uses it",
    "svg": "a picture",
    "skel": "a DART skeleton; convert it to URDF or MJCF",
    "OpenSimDocument": "an OpenSim model; convert it to MJCF",
    "osim": "an OpenSim model; convert it to MJCF",
    "Robot": "OpenRAVE; convert it to URDF (and URDF's root is written <robot>)",
    "mujocoinclude": "a part of an MJCF that other files include; give the file whose root is <mujoco>",
}
#: First bytes of files that are no XML.
_SIGNATURES = (
    (b"{", "JSON"),
    (b"[", "JSON"),
    (b"#usda", "USD"),
    (b"PXR-USDC", "USD"),
    (b"PK\x03\x04", "a zip archive (or USDZ); unpack it"),
    (b"\x1f\x8b", "compressed with gzip; unpack it"),
    (b"solid ", "an STL mesh; give the robot that uses it"),
    (b"glTF", "a glTF mesh; give the robot that uses it"),
    (b"%YAML", "YAML"),
    (b"---", "YAML"),
    (b"%PDF", "a PDF"),
    (b"version https://git-lfs", "a pointer of Git LFS, not the file itself; run: git lfs pull"),
)


def read_model(
    path: str | Path,
    *,
    compile_mjcf: Callable[[Path], dict[str, Any]] | None = None,
    any_suffix: bool = False,
) -> RobotModel:
    """Read a robot from a URDF or MJCF file.

    Args:
        path: The file.
        compile_mjcf: Gives what only MuJoCo's compiler can say about an MJCF (plain data), or raises.
        any_suffix: Let the content alone decide; otherwise a name that promises the other format is a fault, because
            the libraries that load the file go by its name.

    Raises:
        ModelError: The file cannot be opened or has faults; all its faults at once.
    """
    file = Path(path)
    data = _read_bytes(file)
    shown = str(path)
    _refuse_other_files(data, shown)
    root = parse_xml(data, shown)
    if root.tag == "robot":
        if not any_suffix:
            _check_suffix(file, root, {".mjcf"}, "URDF (its root is <robot>)", ".urdf")
        return read_urdf(shown, data, root)
    if root.tag == "mujoco":
        if not any_suffix:
            _check_suffix(file, root, {".urdf"}, "MJCF (its root is <mujoco>)", ".xml")
        from robodyn_check.model.mjcf import read_mjcf  # noqa: PLC0415 - a URDF needs none of it

        return read_mjcf(file, data, compile_mjcf=compile_mjcf)
    raise _refused(shown, root.line, _about_root(root), "wrong-format")


def _read_bytes(file: Path) -> bytes:
    """Return the content of a regular file of a bearable size."""
    shown = str(file)
    try:
        status = file.stat()
        if stat.S_ISDIR(status.st_mode):
            raise _refused(shown, None, _about_directory(file), "not-a-file")
        if not stat.S_ISREG(status.st_mode):
            raise _refused(shown, None, "is not a regular file, expected a URDF or MJCF file", "not-a-file")
        if status.st_size > MAX_BYTES:
            size = f"{status.st_size / 1024**2:.0f} MB"
            limit = f"{MAX_BYTES // 1024**2} MB"
            raise _refused(
                shown,
                None,
                f"has {size}, more than the {limit} that are read: this is no robot description",
                "file-too-large",
            )
        data = file.read_bytes()
    except FileNotFoundError:
        raise _refused(shown, None, _about_missing(file), "file-not-found") from None
    except PermissionError:
        raise _refused(shown, None, "cannot be read: permission denied", "file-not-readable") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _refused(shown, None, f"cannot be read: {reason}", "file-not-readable") from None
    if not data.strip():
        raise _refused(shown, 1, "the file is empty, expected a URDF (<robot>) or MJCF (<mujoco>)", "empty-file")
    return data


def _about_missing(file: Path) -> str:
    from robodyn_check.model.suggest import nearest  # noqa: PLC0415 - only for this message

    try:
        beside = [entry.name for entry in file.parent.iterdir()]
    except OSError:
        return f"does not exist, nor does its folder {quoted(str(file.parent))}"
    near = nearest(file.name, beside)
    return "does not exist" + (f". Did you mean {quoted(near)}?" if near else "")


def _about_directory(file: Path) -> str:
    models = sorted(entry.name for entry in file.iterdir() if entry.suffix.lower() in {".urdf", ".xml", ".mjcf"})
    hint = f"; it has {', '.join(quoted(name) for name in models[:5])}" if models else ""
    return f"is a directory, expected a URDF or MJCF file{hint}"


def _refuse_other_files(data: bytes, shown: str) -> None:
    head = data[:64].lstrip()
    for signature, what in _SIGNATURES:
        if head.startswith(signature):
            raise _refused(shown, 1, f"looks like {what}; expected a URDF (<robot>) or MJCF (<mujoco>)", "wrong-format")
    if head[:14].lower().startswith((b"<!doctype html", b"<html")):
        raise _refused(shown, 1, f"looks like {_OTHER_ROOTS['html']}", "wrong-format")


def _check_suffix(file: Path, root: XmlElement, wrong: set[str], what: str, right: str) -> None:
    """Refuse a file whose name promises the other format: loaders that go by the name would refuse it too."""
    if file.suffix.lower() in wrong:
        message = f"the file is {what} but its name ends in {file.suffix}; rename it to end in {right}"
        raise _refused(str(file), root.line, message, "wrong-format")


def _about_root(root: XmlElement) -> str:
    tag = root.tag.rpartition(":")[2]
    what = _OTHER_ROOTS.get(tag) or _OTHER_ROOTS.get(tag.lower())
    looks = f"looks like {what}; " if what else ""
    return f"the root element is <{root.tag}>: {looks}expected <robot> (URDF) or <mujoco> (MJCF)"


def _refused(file: str, line: int | None, message: str, cause: str) -> ModelError:
    return ModelError((Fault(file=file, line=line, message=message, cause=cause),))
