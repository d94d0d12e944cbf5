"""Random robots by seed: the population on which the bounds are measured and the exam is held.

Plain Python, one generator, decimals of at most six significant digits, so that a seed gives the same text everywhere
and every value is exact in the file, in the readers and in ball arithmetic. Oblique axes are exact unit vectors, so
no library has to normalise one. The groups repeat those of the calibration (facts/calibration.md): small fixed
trees in six groups and deep ones.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from robodyn_check.model.mechanism import JOINT_SIZES
from robodyn_check.model.robot import Inertial, Joint, Limits, Link, Mimic, Number, Pose, RobotModel, Rotation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.model.mechanism import MovingKind

#: Unit vectors whose written decimals have length exactly 1; axes are signed permutations of these.
_AXES = ((0.0, 0.0, 1.0), (0.0, 0.6, 0.8), (0.36, 0.48, 0.8), (0.48, 0.6, 0.64))
_NO_MOTION = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What a population of random robots looks like.

    ``dofs``: smallest and largest number. ``mass``, ``length``: decades (log10 kg, log10 m). ``speed``: the largest
    |v| worth asking (rad/s). The rest are probabilities per joint: prismatic, branching off an earlier link, an extra
    fixed link with mass in between, a massless leaf frame, coaxial with the joint before it.
    """

    dofs: tuple[int, int]
    mass: tuple[float, float]
    length: tuple[float, float]
    prismatic: float = 0.25
    branching: float = 0.2
    fixed: float = 0.2
    leaf: float = 0.2
    coaxial: float = 0.0
    speed: float = 2.0


#: The populations, by name.
GROUPS: dict[str, Group] = {
    "plain": Group(dofs=(2, 8), mass=(-1.0, 1.0), length=(-1.3, 0.0)),
    "scaled": Group(dofs=(2, 8), mass=(-4.0, 2.0), length=(-3.0, 0.7)),
    "prismatic": Group(dofs=(2, 8), mass=(-2.0, 1.0), length=(-1.3, 0.3), prismatic=0.7),
    "branched": Group(dofs=(3, 8), mass=(-1.0, 1.0), length=(-1.3, 0.0), branching=0.7, fixed=0.5, leaf=0.5),
    "ill": Group(dofs=(2, 8), mass=(-4.0, 2.0), length=(-3.0, 0.0), prismatic=0.1, branching=0.1, coaxial=0.5),
    "fast": Group(dofs=(2, 8), mass=(-1.0, 1.0), length=(-1.3, 0.0), speed=30.0),
    "singular": Group(dofs=(2, 8), mass=(-7.0, 2.0), length=(-3.5, 0.0), prismatic=0.1, branching=0.1, coaxial=0.7),
    "deep": Group(dofs=(15, 30), mass=(-2.0, 1.0), length=(-1.3, 0.0), branching=0.15),
}
#: The six groups of small robots, in which the calibration was done.
SMALL_GROUPS = ("plain", "scaled", "prismatic", "branched", "ill", "fast")


def random_robot(
    seed: int,
    *,
    group: str = "small",
    dofs: int | None = None,
    kinds: Sequence[MovingKind] = (),
    mimic: bool = False,
    armature: bool = False,
    floating: bool = False,
    source_format: Literal["urdf", "mjcf"] = "urdf",
) -> RobotModel:
    """Draw one robot; the same arguments give the same decimals on every machine.

    Each of ``kinds`` (planar, ball, floating, ...) is given to one joint, at a random place; the other joints are
    revolute and prismatic until ``dofs`` is reached (None: drawn from the group). URDF itself knows no ball joint and
    no armature: such robots are for the reference and for MJCF, where the root link has a fixed joint to the world.

    Args:
        seed: Any integer.
        group: A key of `GROUPS`, or "small": one of `SMALL_GROUPS` by turns.
        dofs: Number of velocity coordinates.
        kinds: Kinds that must occur.
        mimic: Let the last one-dof joint follow the first one (needs two).
        armature: Give every moving joint an armature.
        floating: The robot is meant for a floating base, so its root link has inertia: without, the root's turning
            about its only joint would have none.
        source_format: What the model says it was read from.

    Returns:
        The robot, with no lines, no file and therefore an empty hash.
    """
    if group == "small":
        group = SMALL_GROUPS[seed % len(SMALL_GROUPS)]
    draw = _Draw(random.Random(f"{group}:{seed}"), GROUPS[group])  # noqa: S311 - robots, not secrets
    moving = draw.kinds(dofs, kinds)
    root = draw.inertial()
    links: list[Link] = [Link(name="base", line=None, inertial=root if draw.chance(0.5) or floating else None)]
    joints: list[Joint] = []
    carriers = ["base"]
    for number, kind in enumerate(moving):
        parent = draw.pick(carriers) if draw.chance(draw.group.branching) else carriers[-1]
        if draw.chance(draw.group.fixed):
            links.append(Link(name=f"mount{number}", line=None, inertial=draw.inertial()))
            joints.append(draw.joint(f"weld{number}", "fixed", parent, f"mount{number}"))
            parent = f"mount{number}"
        links.append(Link(name=f"link{number}", line=None, inertial=draw.inertial()))
        joints.append(draw.joint(f"joint{number}", kind, parent, f"link{number}", armature=armature))
        carriers.append(f"link{number}")
        if draw.chance(draw.group.leaf):
            links.append(Link(name=f"frame{number}", line=None))
            joints.append(draw.joint(f"tip{number}", "fixed", f"link{number}", f"frame{number}"))
    if mimic:
        joints = _with_mimic(draw, joints)
    if source_format == "mjcf":
        joints.insert(0, draw.joint("world_weld", "fixed", None, "base"))
    return RobotModel(
        name=f"{group}_{seed}",
        format=source_format,
        path=f"{group}_{seed}.{'urdf' if source_format == 'urdf' else 'xml'}",
        sha256="",
        links=tuple(links),
        joints=tuple(joints),
    )


def written(value: float) -> Number:
    """Return ``value`` as a file would write it, rounded to six significant digits."""
    text = f"{value:.6g}"
    return Number(text=text, value=float(text))


class _Draw:
    """One stream of random parts of a robot."""

    def __init__(self, stream: random.Random, group: Group) -> None:
        """Keep the stream and the group."""
        self.stream = stream
        self.group = group
        self.axis = _AXES[0]

    def chance(self, probability: float) -> bool:
        """Return True with this probability."""
        return self.stream.random() < probability

    def pick(self, options: Sequence[str]) -> str:
        """Return one of the options."""
        return options[int(self.stream.random() * len(options))]

    def decade(self, low: float, high: float) -> float:
        """Return a number whose logarithm is uniform between two decades."""
        return float(10.0 ** self.stream.uniform(low, high))

    def kinds(self, dofs: int | None, wanted: Sequence[MovingKind]) -> list[MovingKind]:
        """Draw the kinds of the moving joints, the wanted ones among them."""
        total = dofs if dofs is not None else self.stream.randint(*self.group.dofs)
        kinds = list(wanted)
        while sum(JOINT_SIZES[kind][1] for kind in kinds) < total:
            if self.chance(self.group.prismatic):
                kinds.append("prismatic")
            else:
                kinds.append("continuous" if self.chance(0.15) else "revolute")
        self.stream.shuffle(kinds)
        return kinds

    def unit(self) -> tuple[float, float, float]:
        """Draw an exact unit axis: half of them along a coordinate axis."""
        entries = list(_AXES[0] if self.chance(0.5) else _AXES[1 + int(self.stream.random() * 3)])
        self.stream.shuffle(entries)
        x, y, z = (-entry if entry and self.chance(0.5) else entry for entry in entries)
        return x, y, z

    def vector(self, length: float) -> tuple[Number, Number, Number]:
        """Draw a vector of about this length."""
        x, y, z = (written(self.stream.uniform(-length, length)) for _ in range(3))
        return x, y, z

    def rpy(self) -> Rotation | None:
        """Draw a rotation: none, a quarter turn as files round it, or any."""
        if self.chance(0.3):
            return None
        if self.chance(0.3):
            quarter = written(1.5708)
            return Rotation(kind="rpy", numbers=(written(0.0), quarter, written(0.0)))
        return Rotation(kind="rpy", numbers=self.vector(math.pi))

    def inertial(self) -> Inertial:
        """Draw the inertia of a solid body: positive second moments about principal axes, turned at random."""
        mass = self.decade(*self.group.mass)
        size = 0.3 * self.decade(*self.group.length)
        second = [mass * (size * self.stream.uniform(0.2, 1.0)) ** 2 for _ in range(3)]
        turn = self.rotation()
        # Σ = turn diag(second) turnᵀ, I = tr(Σ) 1 - Σ: physical whatever the draw.
        sigma = [[sum(turn[i][k] * second[k] * turn[j][k] for k in range(3)) for j in range(3)] for i in range(3)]
        xx, yy, zz = (sum(second) - sigma[i][i] for i in range(3))
        off = (-sigma[0][1], -sigma[0][2], -sigma[1][2])
        entries = (xx, off[0], off[1], yy, off[2], zz)
        a, b, c, d, e, f = (written(entry) for entry in entries)
        return Inertial(
            origin=Pose(xyz=self.vector(self.decade(*self.group.length)), rotation=self.rpy()),
            mass=written(mass),
            inertia=(a, b, c, d, e, f),
        )

    def rotation(self) -> list[list[float]]:
        """Draw a uniform rotation from a quaternion in the unit ball; square roots only, so equal everywhere."""
        while True:
            w, x, y, z = (self.stream.uniform(-1.0, 1.0) for _ in range(4))
            if 0.1 < (square := w * w + x * x + y * y + z * z) <= 1.0:
                break
        s = 2.0 / square
        return [
            [1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
            [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
            [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)],
        ]

    def joint(
        self, name: str, kind: MovingKind | Literal["fixed"], parent: str | None, child: str, *, armature: bool = False
    ) -> Joint:
        """Draw a joint between two links."""
        coaxial = self.chance(self.group.coaxial)
        length = 0.0 if coaxial else self.decade(*self.group.length)
        rotation = None if coaxial else self.rpy()
        if not coaxial:
            self.axis = self.unit()
        x, y, z = (written(entry) for entry in self.axis)
        return Joint(
            name=name,
            kind=kind,
            line=None,
            parent=parent,
            child=child,
            placements=(Pose(xyz=self.vector(length), rotation=rotation),),
            axis=(x, y, z) if kind in {"revolute", "continuous", "prismatic", "planar"} else None,
            limits=self.limits() if kind in {"revolute", "prismatic"} else None,
            armature=written(self.decade(*self.group.mass) * 0.01) if armature and kind != "fixed" else None,
        )

    def limits(self) -> Limits:
        """Draw joint limits around zero."""
        return Limits(
            lower=written(self.stream.uniform(-3.0, -0.5)),
            upper=written(self.stream.uniform(0.5, 3.0)),
            effort=written(100.0),
            velocity=written(10.0),
        )


def _with_mimic(draw: _Draw, joints: list[Joint]) -> list[Joint]:
    """Let the last one-dof joint follow the first one."""
    single = [number for number, joint in enumerate(joints) if joint.kind in {"revolute", "continuous", "prismatic"}]
    if len(single) < 2:
        return joints
    master, follower = joints[single[0]], joints[single[-1]]
    relation = Mimic(
        joint=master.name,
        multiplier=written(draw.stream.uniform(-1.5, 1.5)),
        offset=written(draw.stream.uniform(-0.5, 0.5)),
    )
    joints[single[-1]] = Joint(
        name=follower.name,
        kind=follower.kind,
        line=None,
        parent=follower.parent,
        child=follower.child,
        placements=follower.placements,
        axis=follower.axis,
        limits=follower.limits,
        armature=follower.armature,
        mimic=relation,
    )
    return joints
