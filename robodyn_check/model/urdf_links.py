"""One ``<link>`` of a URDF: its inertial and its shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from robodyn_check.model.quote import quoted
from robodyn_check.model.robot import Inertial, Link, Shape

if TYPE_CHECKING:
    from robodyn_check.model.robot import Number
    from robodyn_check.model.urdf_values import UrdfReader
    from robodyn_check.model.xml import XmlElement

INERTIA_NAMES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
#: Sizes of each primitive: attribute and how many numbers it has. A mesh and shapes of dialects have none here.
_SIZES: dict[str, tuple[tuple[str, int], ...]] = {
    "box": (("size", 3),),
    "sphere": (("radius", 1),),
    "cylinder": (("radius", 1), ("length", 1)),
    "capsule": (("radius", 1), ("length", 1)),
}


def read_link(element: XmlElement, reader: UrdfReader) -> Link:
    """Read one link; what is wrong goes to ``reader.faults``."""
    name = reader.name(element, "a unique name of the link")
    owner = f"link {quoted(name)}"
    reader.keep_unknown_attributes(element, ("name",), name)
    reader.keep_unknown_children(element, ("inertial", "visual", "collision"), name)
    inertial = reader.only(element, "inertial", owner)
    shapes = [_read_shape(child, "visual", name, reader) for child in element.all("visual")]
    shapes += [_read_shape(child, "collision", name, reader) for child in element.all("collision")]
    return Link(
        name=name,
        line=element.line,
        inertial=None if inertial is None else _read_inertial(inertial, name, reader),
        shapes=tuple(shape for shape in shapes if shape is not None),
    )


def _read_inertial(element: XmlElement, name: str, reader: UrdfReader) -> Inertial | None:
    owner = f"link {quoted(name)}"
    reader.keep_unknown_attributes(element, (), name)
    reader.keep_unknown_children(element, ("origin", "mass", "inertia"), name)
    origin = reader.pose(element, f"the inertial of {owner}")
    mass = reader.only(element, "mass", f"the inertial of {owner}")
    inertia = reader.only(element, "inertia", f"the inertial of {owner}")
    for part, found in (("mass", mass), ("inertia", inertia)):
        if found is None:
            reader.faults.add(
                element.line,
                f"the inertial of {owner} has no <{part}>; write it, or remove <inertial> if the link is massless",
                cause="missing-element",
            )
    if mass is None or inertia is None:
        return None
    reader.keep_unknown_attributes(mass, ("value",), name)
    reader.keep_unknown_attributes(inertia, INERTIA_NAMES, name)
    kilograms = reader.required(mass, "value", f"mass of {owner}")
    entries = [reader.required(inertia, entry, f"{entry} of {owner}") for entry in INERTIA_NAMES]
    xx, xy, xz, yy, yz, zz = entries
    return Inertial(
        origin=origin,
        mass=kilograms,
        inertia=(xx, xy, xz, yy, yz, zz),
        line=element.line,
    )


def _read_shape(
    element: XmlElement, role: Literal["collision", "visual"], name: str, reader: UrdfReader
) -> Shape | None:
    owner = f"a {role} of link {quoted(name)}"
    origin = reader.pose(element, owner)
    geometry = reader.only(element, "geometry", owner)
    if geometry is None or not geometry.children:
        return None
    primitive = geometry.children[0]
    sizes = _read_sizes(primitive, owner, reader)
    filename = primitive.get("filename")
    if filename is not None:
        reader.unexpanded(primitive, "filename")
    kind: Literal["box", "sphere", "cylinder", "capsule", "mesh", "other"] = "other"
    for known in ("box", "sphere", "cylinder", "capsule", "mesh"):
        if primitive.tag == known:
            kind = known
    return Shape(kind=kind, role=role, origin=origin, sizes=sizes, filename=filename, line=primitive.line)


def _read_sizes(primitive: XmlElement, owner: str, reader: UrdfReader) -> tuple[Number, ...]:
    sizes: list[Number] = []
    for attribute, count in _SIZES.get(primitive.tag, ()):
        what = f"{primitive.tag} {attribute} of {owner}"
        if count == 3 and primitive.get(attribute) is not None:
            sizes.extend(reader.vector(primitive, attribute, what) or ())
        else:
            sizes.append(reader.required(primitive, attribute, what))
    return tuple(sizes)
