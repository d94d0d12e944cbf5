"""The options that verbs share; names are what others script against, so each is spelled once, here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from robodyn_check.cli.declare import Argument, Option

Model = Annotated[Path, Argument(help="A URDF or MJCF file.", metavar="MODEL")]
Models = Annotated[
    list[Path] | None,
    Argument(help="URDF or MJCF files; default: `models` of the configuration.", metavar="MODEL"),
]
Lib = Annotated[
    list[str] | None,
    Option(
        "--lib",
        help="A library to ask, NAME[:PROFILE][==VERSION | @PATH/TO/python]; repeatable. "
        "Default: pinocchio, mujoco, drake.",
        metavar="SPEC",
    ),
]
AdapterFile = Annotated[
    list[str] | None,
    Option("--adapter", help="An adapter of your own (file or program); repeatable.", metavar="PATH"),
]
Isolated = Annotated[
    bool,
    Option("--isolated", help="Run every library in an environment of its own, made with uv and kept."),
]
Samples = Annotated[int | None, Option("--samples", help="Number of states. [default: 200]", metavar="N")]
Seed = Annotated[int | None, Option("--seed", help="Seed of the states. [default: 0]", metavar="N")]
Base = Annotated[
    str | None,
    Option("--base", help="Base of a URDF robot: fixed or floating. [default: fixed]", metavar="KIND"),
]
Gravity = Annotated[
    str | None,
    Option("--gravity", help="Gravity in m/s², world axes. [default: the format's]", metavar="X,Y,Z"),
]
Timeout = Annotated[
    float | None,
    Option("--timeout", help="Seconds that one call to a library may take. [default: 60]", metavar="S"),
]
Memory = Annotated[
    int | None,
    Option("--memory", help="Memory of one library's process in MiB. [default: 4096]", metavar="MIB"),
]
Jobs = Annotated[
    int | None,
    Option("--jobs", help="Libraries that work at a time. [default: one per core]", metavar="N"),
]
Certify = Annotated[
    str | None,
    Option("--certify", help="States to certify, or all; 0: none. [default: by the robot's size]", metavar="N"),
]
Select = Annotated[
    list[str] | None,
    Option("--select", help="Only these checks: codes, their beginnings, or slugs.", metavar="CODES"),
]
Ignore = Annotated[list[str] | None, Option("--ignore", help="Not these checks.", metavar="CODES")]
Format = Annotated[
    list[str] | None,
    Option(
        "--format",
        help="Output format, to stdout or to a file; repeatable. [default: terminal]",
        metavar="NAME[=FILE]",
    ),
]
FailOn = Annotated[
    str | None,
    Option("--fail-on", help="fail, or warn to make warnings count as well. [default: fail]", metavar="WHAT"),
]
Strict = Annotated[bool, Option("--strict", help="Do not excuse faults that are known to be the library's.")]
ExitZero = Annotated[bool, Option("--exit-zero", help="Exit with 0 whatever was found.")]
