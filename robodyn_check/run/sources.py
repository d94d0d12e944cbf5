"""What a library gets to load: the original file, or an exact translation where its loader does not know the format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from robodyn_check.errors import AdapterUnsupported, TranslationError
from robodyn_check.harness.describe import describe
from robodyn_check.sdk.adapter import Source

if TYPE_CHECKING:
    from typing import Literal

    from robodyn_check.harness.metadata import AdapterFile
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.model.translation import Translation


def _written(robot: RobotModel, kind: str, base: Literal["fixed", "floating"]) -> Translation:
    """Write the robot in the other format; most runs read the file as it is and never load the writers."""
    if kind == "urdf":
        from robodyn_check.model.write_urdf import write_urdf  # noqa: PLC0415

        return write_urdf(robot)
    from robodyn_check.model.write_mjcf import write_mjcf  # noqa: PLC0415

    return write_mjcf(robot, base=base)


def source_for(
    robot: RobotModel, mechanism: Mechanism, adapter: AdapterFile, folder: Path
) -> tuple[Source, tuple[str, ...]]:
    """Return the source for one adapter, and notes where it is a translation, which is written into ``folder``.

    Raises:
        AdapterUnsupported: The adapter does not read this format and the robot cannot be translated exactly.
    """
    path, kind = Path(robot.path).absolute(), robot.format
    notes: tuple[str, ...] = ()
    base: Literal["fixed", "floating"] = mechanism.base
    translated = kind not in adapter.formats
    if translated:
        kind = "urdf" if robot.format == "mjcf" else "mjcf"
        try:
            translation = _written(robot, kind, base)
        except TranslationError as error:
            text = f"{adapter.name} reads {' and '.join(adapter.formats)} only, and the model cannot be translated"
            raise AdapterUnsupported(f"{text}: {error}") from error
        base = translation.base
        path = folder / f"{path.stem}.{'urdf' if kind == 'urdf' else 'xml'}"
        path.write_text(translation.text, encoding="utf-8")
        notes = (f"translated from {robot.format.upper()} to {kind.upper()}", *translation.notes)
    x, y, z = (float(component) for component in mechanism.gravity)
    roots = robot.root_links()
    source = Source(
        path=path,
        format=kind,
        base=base,
        gravity=(x, y, z),
        joints=mechanism.joint_names,
        links=mechanism.links,
        root_link=roots[0] if roots else None,
        translated=translated,
        mechanism=describe(robot, mechanism) if adapter.needs_mechanism else None,
        free_joints=tuple(joint.name for joint in mechanism.joints if joint.kind == "floating"),
    )
    return source, notes
