"""What `analyze` found about one robot: frozen, plain numbers in SI units, ready for JSON. No array, no clock."""

from __future__ import annotations

from dataclasses import dataclass

SCHEMA_VERSION = "1.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class JointInertia:
    """One degree of freedom. Inertias in kg m² (kg for a translation), torques in N m (N).

    least, most: M_ii over the poses, links and armature. felt: median of 1/(M⁻¹)_ii, what the joint feels while all
    others move freely. coupling: median of 1 - felt/M_ii, 0 for a joint that moves alone, near 1 for one that cannot.
    rotor: N² J or armature, None where nothing states it. rotor_share: rotor / (rotor + median of the links' M_ii).
    gravity: the largest |g_i|, 0 where it is rounding, limit: the torque limit stated by joint data or by the model,
    None unknown.
    """

    name: str
    least: float
    most: float
    felt: float
    coupling: float
    rotor: float | None
    rotor_share: float | None
    gravity: float
    limit: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditioning:
    """The eigenvalues of M over the poses.

    largest, smallest: of all eigenvalues; smallest_pose: where (q). upper_bound: m̄ over all poses, None without one.
    condition: the largest cond(M); scaled: the same after scaling to unit diagonal. joint: moves most in the direction
    of the smallest eigenvalue there. scaling_explains: the condition is that of units and sizes, not of the pose.
    reflected: the same largest condition with the rotors of the joint data, None without any; lower_bound: min N² J.
    """

    largest: float
    smallest: float
    smallest_pose: tuple[float, ...]
    upper_bound: float | None
    condition: float
    scaled: float
    joint: str
    scaling_explains: bool
    reflected: float | None
    lower_bound: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turntable:
    """The robot on one more joint, about the vertical through its base.

    least, most: what that joint carries, kg m². changed: by how much the other joints' block of M differs from the M
    of the robot without it, in eps · S: rounding, because it stays.
    """

    least: float
    most: float
    changed: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Gravity:
    """The largest gravity torque over the poses, its joint and pose, and ḡ over all poses (None without a bound)."""

    joint: str
    torque: float
    pose: tuple[float, ...]
    norm: float
    upper_bound: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Velocity:
    """‖C(q, v)‖ / ‖v‖ over the states, spectral norm: the constant that robust controllers ask for."""

    median: float
    most: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ellipsoid:
    """A symmetric 3 × 3 matrix in world axes, row by row, and the square roots of its eigenvalues, largest first."""

    matrix: tuple[tuple[float, ...], ...]
    axes: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tip:
    """One tip at one pose.

    least_mass, most_mass: effective mass over all directions, kg, None where the tip cannot give way in some direction.
    static_estimate: half of the moving mass plus the load, used beside ISO/TS 15066. mobility: J M⁻¹ Jᵀ of the links,
    reflected: with rotors. reach: J Jᵀ. push: accelerations that the torque limits reach, J M⁻¹ T T M⁻¹ Jᵀ.
    """

    link: str
    least_mass: float | None
    most_mass: float | None
    least_mass_with_rotors: float | None
    most_mass_with_rotors: float | None
    static_estimate: float
    mobility: Ellipsoid
    reflected: Ellipsoid | None
    reach: Ellipsoid
    push: Ellipsoid | None
    push_with_rotors: Ellipsoid | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """Largest energy error of free motions of 0.2 s, as a share of the energies' size, by method and step (ms)."""

    method: str
    steps: tuple[float, ...]
    errors: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseParameters:
    """Parameters that torques can tell apart: their number, those without effect, and what each one absorbs."""

    rank: int
    columns: int
    without_effect: tuple[str, ...]
    absorbed: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]
    condition: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """One robot. ``pose``: where tips are shown (q). ``notes``: what was left out and why."""

    model: str
    sha256: str
    joint_data: str | None
    base: str
    gravity_field: tuple[float, ...]
    mass: float
    states: int
    seed: int
    dofs: tuple[str, ...]
    pose: tuple[float, ...]
    joints: tuple[JointInertia, ...]
    conditioning: Conditioning | None
    gravity: Gravity | None
    velocity: Velocity | None
    tips: tuple[Tip, ...]
    drift: tuple[Drift, ...]
    parameters: BaseParameters | None
    turntable: Turntable | None = None
    notes: tuple[str, ...] = ()
    schema_version: str = SCHEMA_VERSION
