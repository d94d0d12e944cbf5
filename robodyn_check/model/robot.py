"""The robot as its file states it: plain values, each with its text and its line.

Nothing is computed here and nothing is normalised: a non-unit axis stays non-unit, degrees stay degrees, a quaternion
keeps its length. `model.mechanism` turns a RobotModel into numbers, in doubles or in any other number type (it is
handed the function that reads a Number), so that certification starts from the very decimals of the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

JointKind = Literal["revolute", "continuous", "prismatic", "fixed", "planar", "floating", "ball"]
RotationKind = Literal["rpy", "quaternion", "axis_angle", "euler", "xyaxes", "zaxis"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """One number of a model file.

    ``text`` is the decimal as written (or ``repr`` of a double that a compiler produced), ``value`` its nearest
    double **as written** (degrees are not converted), ``line`` where it stands (None: a default of the format).
    """

    text: str
    value: float
    line: int | None = None
    degrees: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotation:
    """A rotation as written. ``child axes in the parent``: v_parent = R v_child.

    kind        numbers                     meaning
    rpy         roll, pitch, yaw            R = Rz(yaw) Ry(pitch) Rx(roll) (URDF, fixed axes)
    quaternion  w, x, y, z                  normalised when read as a rotation (MJCF)
    axis_angle  x, y, z, angle              the axis is normalised (MJCF axisangle)
    euler       e1, e2, e3                  ``sequence`` as in MJCF eulerseq: lower case moving, upper case fixed axes
    xyaxes      x1 x2 x3 y1 y2 y3           Gram-Schmidt: x first (MJCF)
    zaxis       z1 z2 z3                    smallest rotation that takes (0, 0, 1) to the axis (MJCF)
    """

    kind: RotationKind
    numbers: tuple[Number, ...]
    sequence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose:
    """A placement as written: translation (m) and rotation; ``rotation`` None is the identity."""

    xyz: tuple[Number, Number, Number]
    rotation: Rotation | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inertial:
    """Mass (kg), placement of the centre of mass, and the inertia about it in the axes of ``origin`` (kg m²).

    ``inertia`` is xx, xy, xz, yy, yz, zz. ``source`` says whether the file states it or a compiler derived it.
    """

    origin: Pose
    mass: Number
    inertia: tuple[Number, Number, Number, Number, Number, Number]
    line: int | None = None
    source: Literal["file", "compiler"] = "file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A collision or visual primitive, kept for lint only (is the centre of mass inside? what would a loader derive?).

    ``sizes``: box x y z (full lengths) · sphere radius · cylinder radius length · capsule radius length · mesh none.
    """

    kind: Literal["box", "sphere", "cylinder", "capsule", "mesh", "other"]
    role: Literal["collision", "visual"]
    origin: Pose
    sizes: tuple[Number, ...] = ()
    filename: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link (URDF) or body (MJCF), without the MJCF worldbody. ``inertial`` None: the file states none (massless)."""

    name: str
    line: int | None
    inertial: Inertial | None = None
    shapes: tuple[Shape, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Joint limits as written; any of them may be absent."""

    lower: Number | None = None
    upper: Number | None = None
    effort: Number | None = None
    velocity: Number | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mimic:
    """q = multiplier · q(joint) + offset."""

    joint: str
    multiplier: Number
    offset: Number
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """A joint as written.

    ``placements``: the product of these poses takes the parent link's frame to the joint frame before motion (MJCF
    bodies inside <frame> elements and joint anchors give more than one; URDF gives one).
    ``child_placement``: joint frame after motion to the child link's frame (an MJCF joint away from the body origin);
    None is the identity. ``parent`` None is the world (MJCF worldbody). ``axis`` None where the kind has none.
    ``reference`` is MJCF's ``ref``: the motion is q - reference. ``origin_is_absolute``: an MJCF free joint, whose q is
    the pose in the world and whose ``placements`` only give the initial q.
    Several joints on one MJCF body: all name that body as ``child``; the second and later ones also name it as
    ``parent``, which means "after the previous joint of this body".
    """

    name: str
    kind: JointKind
    line: int | None
    parent: str | None
    child: str
    placements: tuple[Pose, ...] = ()
    child_placement: Pose | None = None
    axis: tuple[Number, Number, Number] | None = None
    limits: Limits | None = None
    damping: Number | None = None
    friction: Number | None = None
    stiffness: Number | None = None
    armature: Number | None = None
    mimic: Mimic | None = None
    reference: Number | None = None
    origin_is_absolute: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """An element kept aside: an extension tag (``drake:rotor_inertia``), or one outside the smooth rigid-body model.

    ``owner`` is the link or joint it belongs to, where it belongs to one.
    """

    tag: str
    line: int | None
    text: str
    owner: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotModel:
    """One robot as its file states it. Links and joints in file order (MJCF: depth first, as the file lists them).

    ``gravity`` is None where the format leaves it to its default. ``outside`` lists what is outside the smooth
    rigid-body model (equalities, tendons, gravity compensation, springs). ``compiler`` names the program and version
    that supplied values the file does not state (MJCF), else None. ``geoms`` counts the <geom> elements of an MJCF,
    those of its worldbody too; what they look like is not read.
    """

    name: str
    format: Literal["urdf", "mjcf"]
    path: str
    sha256: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    gravity: tuple[Number, Number, Number] | None = None
    extensions: tuple[Element, ...] = ()
    outside: tuple[Element, ...] = ()
    compiler: str | None = None
    geoms: int = 0

    def root_links(self) -> tuple[str, ...]:
        """Names of the links that no joint of the file moves or fixes (one in a URDF, none in an MJCF)."""
        children = {joint.child for joint in self.joints}
        return tuple(link.name for link in self.links if link.name not in children)
