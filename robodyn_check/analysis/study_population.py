"""The robots of the rounding study: which populations there are, and in which order their robots come.

The first three repeat the calibration of the bounds: small fixed trees in six groups, the same on a floating base, and
deep trees. The others are what it left out. Every robot is drawn by a seed, so a case is a name and a number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from robodyn_check.faults.random_models import random_robot, written

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robodyn_check.model.mechanism import MovingKind
    from robodyn_check.model.robot import RobotModel

Gravity = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """What the robots of one population have in common; the rest is drawn by the seed.

    ``group`` is one of `random_models.GROUPS` ("small": the six small ones by turns). ``gravities``, m/s², come by
    turns; empty: the format's own. ``turntable``: the first moving joint turns about the vertical at the base.
    ``at_origin``: the root body of an MJCF stands at the world's origin.
    """

    text: str
    group: str = "small"
    base: Literal["fixed", "floating"] = "fixed"
    kinds: tuple[MovingKind, ...] = ()
    mimic: bool = False
    armature: bool = False
    turntable: bool = False
    at_origin: bool = False
    source_format: Literal["urdf", "mjcf"] = "urdf"
    gravities: tuple[Gravity, ...] = ()


#: Every population by its name.
POPULATIONS: Mapping[str, Population] = MappingProxyType(
    {
        "fixed": Population(text="2 to 8 joints, revolute and prismatic, six groups by turns"),
        "floating": Population(text="the same on a floating base", base="floating"),
        "deep": Population(text="15 to 30 joints", group="deep"),
        "singular": Population(
            text="mass matrices close to singular: grams beside tons, coaxial joints", group="singular"
        ),
        "armature": Population(
            text="MJCF with armature at every joint", armature=True, source_format="mjcf", at_origin=True
        ),
        "mimic": Population(text="one joint follows another", mimic=True),
        "ball": Population(text="MJCF with a ball joint", kinds=("ball",), source_format="mjcf", at_origin=True),
        "planar": Population(text="a planar joint", kinds=("planar",)),
        "mjcf": Population(text="MJCF whose root body stands anywhere", source_format="mjcf"),
        "gravity": Population(
            text="gravity oblique and doubled, the Moon's, none",
            gravities=((1.0, -20.0, 3.0), (0.0, 0.0, -1.62), (0.0, 0.0, 0.0)),
        ),
        "turntable": Population(text="the first joint is vertical, so its momentum is kept", turntable=True),
    }
)
#: The order in which populations come; "special" is the next one of those that the calibration left out.
_PATTERN = (*["fixed", "fixed", "special", "fixed", "floating"] * 5, *["fixed"] * 3, "floating", "deep")
_CALIBRATED = ("fixed", "floating", "deep")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One robot of the study; the same on every machine."""

    population: str
    seed: int

    def __str__(self) -> str:
        """Name the case so that it can be drawn again."""
        return f"{self.population}:{self.seed}"

    @property
    def base(self) -> Literal["fixed", "floating"]:
        """How its root link is attached."""
        return POPULATIONS[self.population].base

    @property
    def gravity(self) -> Gravity | None:
        """Its gravity, m/s²; None: the format's own."""
        gravities = POPULATIONS[self.population].gravities
        return gravities[self.seed % len(gravities)] if gravities else None

    def robot(self) -> RobotModel:
        """Draw the robot."""
        what = POPULATIONS[self.population]
        robot = random_robot(
            self.seed,
            group=what.group,
            kinds=what.kinds,
            mimic=what.mimic,
            armature=what.armature,
            floating=what.base == "floating",
            source_format=what.source_format,
        )
        if what.at_origin:
            robot = replace(robot, joints=(replace(robot.joints[0], placements=()), *robot.joints[1:]))
        return _on_turntable(robot) if what.turntable else robot


def case_of(name: str) -> Case:
    """Return the case of a name such as ``mimic:12``."""
    population, _, seed = name.partition(":")
    return Case(population=population, seed=int(seed))


def population(robots: int, *, seed: int = 0) -> tuple[Case, ...]:
    """Return the study's robots, ``robots`` in all; any prefix is mixed as well.

    A library that is too slow for all of them so sees all populations. Of 30 robots 18 are fixed, 6 floating, 1 is deep
    and 5 are of what the calibration left out.
    """
    special = [name for name in POPULATIONS if name not in _CALIBRATED]
    drawn = dict.fromkeys(POPULATIONS, seed)
    cases: list[Case] = []
    turn = 0
    for number in range(robots):
        name = _PATTERN[number % len(_PATTERN)]
        if name == "special":
            name = special[turn % len(special)]
            turn += 1
        cases.append(Case(population=name, seed=drawn[name]))
        drawn[name] += 1
    return tuple(cases)


def _on_turntable(robot: RobotModel) -> RobotModel:
    """Let the first moving joint turn about the vertical, on the root link and without a rotation before it."""
    joints = list(robot.joints)
    number = next(number for number, joint in enumerate(joints) if joint.kind != "fixed")
    joints[number] = replace(
        joints[number],
        kind="continuous" if joints[number].limits is None else "revolute",
        parent=robot.links[0].name,
        placements=(replace(joints[number].placements[0], rotation=None),),
        axis=(written(0.0), written(0.0), written(1.0)),
    )
    return replace(robot, joints=tuple(joints))
