"""The base class of every adapter: one subclass, one file, one library.

An adapter wraps a library and does no mathematics but documented re-ordering. It imports its library inside `load`.
A quantity is offered by defining its method; a missing method is "not offered". Methods take one state in the
**library's own** coordinates and return the library's own arrays; `Layout` says how these are ordered, and the harness
converts (``conventions``). Offer only what the library itself computes.

    link_poses(q) -> (links, 3, 4)           inverse_dynamics(q, v, a) -> (nv,)
    link_jacobians(q) -> (links, 6, nv)      forward_dynamics(q, v, tau) -> (nv,)
    mass_matrix(q) -> (nv, nv)               joint_torque_regressor(q, v, a) -> (nv, 10 k)
    coriolis_matrix(q, v) -> (nv, nv)        gravity_vector(q) -> (nv,)
    coriolis_force(q, v) -> (nv,)            kinetic_energy(q, v) -> float
    bias_force(q, v) -> (nv,)                potential_energy(q) -> float
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path  # noqa: TC003 - adapters read annotations at run time
from typing import Any, ClassVar, Literal

from robodyn_check.sdk.layout import Layout  # noqa: TC001 - resolved at run time when messages are decoded
from robodyn_check.sdk.readback import Readback  # noqa: TC001 - the same


class Unsupported(Exception):
    """A limit that the adapter documents in ``limits``: becomes a skip. ``feature`` is a key of ``limits``.

    `load` raises it for a robot, the method of a quantity for that quantity.
    """

    def __init__(self, feature: str, reason: str) -> None:
        """Keep the feature; the text is the reason."""
        super().__init__(reason)
        self.feature = feature


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What an adapter gets to load.

    ``path`` is the file to load (the original, or a translation when ``translated``). ``base``: "fixed" welds the root
    link to the world, "floating" gives it a free joint named ``floating_base`` (URDF only; in MJCF the file decides,
    and ``floating_base`` is the name of the free joint that the file gives it).
    ``joints`` and ``links`` are the names of the moving joints and of all links in file order. ``mechanism`` is filled
    for adapters with ``needs_mechanism``. ``original_folder`` is where relative files of the model stand.
    """

    path: Path
    format: Literal["urdf", "mjcf"]
    base: Literal["fixed", "floating"]
    gravity: tuple[float, float, float]
    joints: tuple[str, ...]
    links: tuple[str, ...]
    root_link: str | None = None
    profile: str = ""
    translated: bool = False
    mechanism: Readback | None = None
    free_joints: tuple[str, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)


class Adapter:
    """Base class; subclass it, fill the class attributes, define `load`, `version` and the quantities on offer."""

    #: name on the command line, e.g. "pinocchio"
    name: ClassVar[str]
    #: distribution on the package index, e.g. "pin"; empty where there is none
    library: ClassVar[str] = ""
    homepage: ClassVar[str] = ""
    #: formats that the library's own loader reads
    formats: ClassVar[tuple[str, ...]] = ("urdf",)
    precision: ClassVar[Literal["double", "single"]] = "double"
    #: what its Coriolis matrix claims to be
    coriolis: ClassVar[Literal["christoffel", "skew", "any"]] = "skew"
    #: rough cost of one quantity at one state of a 7-dof arm, in microseconds: sets the number of states
    cost: ClassVar[float] = 10.0
    #: states per call: a crash or time-out costs one chunk
    chunk: ClassVar[int] = 500
    #: profile name -> one line on what it does; "" is the faithful recipe
    profiles: ClassVar[dict[str, str]] = {}
    #: True: `Source.mechanism` is filled, because the library has no loader of its own
    needs_mechanism: ClassVar[bool] = False
    #: documented limits: feature -> reason ("branching": "serial chains only")
    limits: ClassVar[dict[str, str]] = {}
    #: the adapter mirrors one triangle of M
    symmetric_by_construction: ClassVar[bool] = False
    #: extension tags it reads ("drake:rotor_inertia")
    reads_extensions: ClassVar[tuple[str, ...]] = ()

    def version(self) -> str:
        """Return the version of the library in use."""
        raise NotImplementedError

    def load(self, source: Source) -> Layout:
        """Load the robot with the library's own loader and return its layout.

        Raises:
            Unsupported: A limit documented in ``limits``. Any other exception counts as the library's refusal.
        """
        raise NotImplementedError

    def readback(self) -> Readback | None:
        """Return the model as the library holds it, or None where it does not show it."""
        return None
