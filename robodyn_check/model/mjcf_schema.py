"""Which attributes and children the elements of MJCF have that say something about the smooth dynamics, as data.

Source: the schema that MuJoCo 4.0 prints (``mj_printSchema``), and elements of earlier releases that only its compiler
can expand (``composite``). A misspelt attribute would otherwise be skipped in silence; MuJoCo refuses it too.
"""

from __future__ import annotations

ROTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SECTIONS = _words(
    "compiler option size statistic visual default extension asset worldbody deformable contact "
    "tendon equality actuator sensor custom keyframe"
)

#: What may stand inside a body, the worldbody or a frame.
BODY_CHILDREN = _words(
    "body frame inertial joint freejoint geom site camera light plugin composite flexcomp replicate attach"
)
#: Children of a body that only MuJoCo's compiler can expand.
EXPANDED_BY_COMPILER = frozenset(("composite", "flexcomp", "replicate", "attach"))

_JOINT = _words(
    "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis damping frictionloss group "
    "limited margin pos range ref solimpfriction solimplimit solreffriction solreflimit "
    "springdamper springref springyield stiffness type user"
)
#: Attributes of the elements that are read; a ``frame`` may carry any, as in MuJoCo.
ATTRIBUTES: dict[str, frozenset[str]] = {
    "compiler": _words(
        "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict convexhull "
        "coordinate discardvisual eulerseq exactmeshinertia fitaabb fusestatic inertiafromgeom "
        "inertiagrouprange meshdir passthrough savecanonical savecompiled saveinertial settotalmass "
        "strippath texturedir usethread"
    ),
    "option": _words(
        "actuatorgroupdisable apirate ccd_iterations ccd_tolerance collision cone density gravity "
        "impratio integrator iterations jacobian ls_iterations ls_tolerance magnetic mpr_iterations "
        "mpr_tolerance noslip_iterations noslip_tolerance o_friction o_margin o_solimp o_solref "
        "sdf_initpoints sdf_iterations sleep_tolerance solver timestep tolerance viscosity wind"
    ),
    "body": frozenset(
        ("childclass", "fuse", "gravcomp", "mocap", "name", "pos", "simple", "sleep", "user", *ROTATIONS)
    ),
    "inertial": frozenset(("diaginertia", "fullinertia", "mass", "pos", *ROTATIONS)),
    "joint": _JOINT | {"class", "name"},
    "freejoint": frozenset(("align", "group", "name")),
    "default joint": _JOINT,
    "worldbody": frozenset(),
}

#: Types of joint: MJCF's word, ours, how many turns and how many degrees of freedom it adds to its body.
JOINT_TYPES: dict[str, tuple[str, int, int]] = {
    "hinge": ("revolute", 1, 1),
    "slide": ("prismatic", 0, 1),
    "ball": ("ball", 3, 3),
    "free": ("floating", 3, 6),
}

#: Elements inside ``<actuator>`` that have a ``joint`` transmission share one set of defaults; this is all of them.
ACTUATORS = _words(
    "general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion dcmotor plugin"
)
