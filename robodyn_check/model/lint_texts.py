"""The texts of family 1, as data: `explain RD104` prints them without importing a rule.

Fields and headings are those of every check's text (`checks.texts`).
"""

from __future__ import annotations

from dataclasses import dataclass

#: The code of every fault that makes a file unreadable; it ends the run with exit 2 and never is a result.
UNREADABLE = "RD100"

_URDF = "URDF specification (ROS wiki: urdf/XML)"
_WENSING = "Wensing, Kim, Slotine (2018), Linear matrix inequalities for physically consistent inertial parameters"
_FEATHERSTONE = "Featherstone (2008), Rigid Body Dynamics Algorithms"


@dataclass(frozen=True, slots=True, kw_only=True)
class LintText:
    """What a rule of the lint claims and what its users read. ``sections`` pairs a heading with its paragraph."""

    code: str
    slug: str
    title: str
    formula: str
    bound: str
    reference: str
    sections: tuple[tuple[str, str], ...]


def _text(
    code: str,
    slug: str,
    title: str,
    *,
    what: str,
    why: str,
    causes: str,
    formula: str = "",
    bound: str = "exact",
    reference: str = _URDF,
) -> LintText:
    sections = (
        ("What it checks", what),
        ("Why it matters", why),
        ("Usual causes", causes),
        ("References", reference + "."),
    )
    return LintText(
        code=code, slug=slug, title=title, formula=formula, bound=bound, reference=reference, sections=sections
    )


LINT_TEXTS: tuple[LintText, ...] = (
    _text(
        UNREADABLE,
        "unreadable-model",
        "The model file can be read.",
        what="XML that is well-formed, without a document type, in the encoding it declares; numbers that are finite "
        "decimals; every required element and attribute; unique names; links and joints that exist; one root; no loop; "
        "no zero axis; no leftovers of xacro. All faults of a file are listed at once; the run ends with exit code 2.",
        why="Where a file contradicts the format, loaders go different ways without a word: one reads 0, one stops, "
        "one drops the link.",
        causes="A xacro that was not expanded, an exporter that printed nan, a part renamed or cut out by hand.",
    ),
    _text(
        "RD101",
        "mass-negative",
        "No mass is negative.",
        what="The mass of every link.",
        why="A negative mass falls upwards and makes the mass matrix indefinite.",
        causes="A sign slip; a mass subtracted to correct another link.",
        formula="m ≥ 0",
    ),
    _text(
        "RD102",
        "inertia-not-positive-definite",
        "No principal moment of inertia is negative.",
        what="The eigenvalues of each link's inertia about its centre of mass. A negative value as small as the "
        "rounding of the written digits can make it is a warning.",
        why="Kinetic energy would be negative. Libraries refuse the link, replace its inertia, or compute with it.",
        causes="A sign slip, entries in another order (xx yy zz xy xz yz), an inertia about another point.",
        formula="λ₁ ≥ 0",
        bound="8 eps λ₃",
        reference=_WENSING,
    ),
    _text(
        "RD103",
        "inertia-semidefinite",
        "A note: an inertia is singular.",
        what="Principal moments that are 0 on a link with mass.",
        why="Point masses and thin rods are legal, but some loaders refuse them on a moving link.",
        causes="Textbook models; a made-up inertia whose six entries are alike.",
        formula="λ₁ > 0",
        bound="8 eps λ₃",
    ),
    _text(
        "RD104",
        "inertia-triangle-inequality",
        "The principal moments satisfy the triangle inequality.",
        what="λ₃ ≤ λ₁ + λ₂ for each link. A violation that the rounding of the written digits, or single precision, "
        "can make is a warning.",
        why="No distribution of mass breaks it. Libraries refuse the link, replace its inertia, or compute with it.",
        causes="An inertia about another point than the centre of mass, a parallel-axis term taken off twice, a guess.",
        formula="λ₃ ≤ λ₁ + λ₂",
        bound="16 eps λ₃",
        reference=_WENSING,
    ),
    _text(
        "RD105",
        "inertia-without-mass",
        "A link with inertia has mass.",
        what="Links of mass 0 whose inertia is not 0. It is a fail where the whole moving body weighs nothing.",
        why="Loaders drop such an inertia, refuse it, or keep it.",
        causes="A mass that was rounded to 0; an exporter's default inertia on a frame.",
    ),
    _text(
        "RD106",
        "singular-mass-matrix-zero-inertia-link",
        "Every joint moves something.",
        what="That what is behind each joint has mass or inertia for its motion (armature counts).",
        why="Otherwise a row of the mass matrix is 0 in every state: forward dynamics and simulation are not defined.",
        causes="A last link without <inertial>; zeros from a data sheet; a centre of mass on the last axis.",
        formula="M_jj > 0",
        bound="64 eps of the terms",
        reference=_FEATHERSTONE + ", chapter 6",
    ),
    _text(
        "RD107",
        "inertia-row-major-slip",
        "The inertia was not written row by row.",
        what="An impossible inertia in which iyy repeats ixy and izz is small.",
        why="The matrix was walked row by row into the places of the upper triangle; the file has lost izz.",
        causes="A loop over a 3×3 matrix in an exporter.",
    ),
    _text(
        "RD108",
        "inertia-extra-attributes",
        "The inertia has no second, different triangle.",
        what="Attributes iyx, izx, izy that contradict ixy, ixz, iyz.",
        why="Everyone reads the upper triangle; the other value is lost, and one of the two is wrong.",
        causes="An exporter that writes all nine entries; a correction made in one place.",
    ),
    _text(
        "RD109",
        "inertia-unit-suspect",
        "Mass and inertia fit each other and the size of the link.",
        what="A radius of gyration beyond twice the size of the robot, or one so small that the link would be denser "
        "than osmium (22 590 kg/m³).",
        why="A wrong unit is off by powers of ten, and no comparison of libraries can show it: they agree.",
        causes="kg mm², g mm² or g written as kg m² or kg; an invented inertia.",
        formula="1.2 m r² ≤ tr I, r³ = 3m/(4πρ); √(λ₃/m) ≤ 2 size",
    ),
    _text(
        "RD110",
        "placeholder-inertia",
        "Inertias are no placeholders.",
        what="The same power of ten times the identity on links of different mass, or mass 1 with the unit inertia.",
        why="The mass matrix is made up, though every library agrees on it.",
        causes="An editor's or exporter's default that nobody filled in.",
    ),
    _text(
        "RD111",
        "inertia-truncated",
        "No moment of inertia lost its digits.",
        what="Diagonal entries printed as 0.00 on a link with mass.",
        why="The link turns without effort about that axis; the mass matrix may become singular.",
        causes="A fixed number of decimals where significant digits were needed.",
    ),
    _text(
        "RD112",
        "missing-inertial",
        "A note: a moving link has no inertial.",
        what="Moving links without <inertial> that have something heavy further out.",
        why="It is legal and common between two joints, but some loaders refuse it or assume 1 kg.",
        causes="A joint with several degrees of freedom written as a chain of empty links.",
    ),
    _text(
        "RD113",
        "mirrored-links-differ",
        "Left and right weigh the same.",
        what="Mass and largest principal moment of links whose names differ by left and right, to 5 %.",
        why="The two sides usually are mirror images.",
        causes="A correction made on one side only; a copy with a wrong number.",
        bound="5 %",
    ),
    _text(
        "RD114",
        "center-of-mass-outside-shape",
        "The centre of mass lies within the link.",
        what="The distance of the centre of mass from the box around the link's collision shapes (else visual ones).",
        why="Gravity torques grow with that distance.",
        causes="An inertial's origin in another frame or in mm.",
        bound="a tenth of the diagonal",
    ),
    _text(
        "RD115",
        "inertia-axes-suspect",
        "The inertia is smallest about the long axis of the shape.",
        what="A link with one long or flat primitive, whose inertia is smallest about another axis.",
        why="The tensor is in other axes than the file says, and torques about them are exchanged.",
        causes="An exporter that moved the centre of mass into the link's frame but did not rotate the tensor.",
        bound="a factor of 2",
    ),
    _text(
        "RD116",
        "products-of-inertia-sign",
        "Products of inertia have the sign that URDF means.",
        what="An impossible inertia that becomes possible when ixy, ixz and iyz change sign.",
        why="M and the Coriolis terms change, gravity does not, so a static test does not show it.",
        causes="CAD programs that write +∫xy dm.",
        formula="ixy = -∫xy dm",
    ),
    _text(
        "RD117",
        "root-link-inertia",
        "A note: the root link has an inertial.",
        what="An inertial on the link that no joint moves.",
        why="With a floating base it belongs to the dynamics, and parsers that allow none on a root lose it.",
        causes="A mobile robot whose base is the first link.",
    ),
    _text(
        "RD118",
        "length-unit-suspect",
        "Distances fit each other.",
        what="A joint or centre of mass a hundred times as far as the robot's others, or a robot of tens of metres.",
        why="A value in mm is a thousand times too far; inertia grows with the square.",
        causes="mm written as m in one place, or in the whole file.",
    ),
    _text(
        "RD119",
        "density-suspect",
        "Mass and shapes fit each other.",
        what="The mass of a link over the volume of its primitive shapes: between air and ten times osmium.",
        why="Both are used together wherever contacts are simulated, and one of them has a wrong unit.",
        causes="A mass in g; shapes in mm.",
        formula="1 ≤ m/V ≤ 225 900 kg/m³",
    ),
    _text(
        "RD121",
        "joint-axis-not-unit",
        "Joint axes have length 1.",
        what="The length of each axis, to the rounding of its written digits.",
        why="It is normalised here. A loader that does not scales M by the square of the length.",
        causes="An axis scaled with the mesh; 1 1 0 written for a diagonal.",
        formula="|axis| = 1",
        bound="one unit in the last written place, at most 1e-3",
    ),
    _text(
        "RD122",
        "joint-limits-swapped",
        "The lower limit is not above the upper one.",
        what="lower ≤ upper of revolute and prismatic joints (missing ones are 0).",
        why="No position is allowed; samplers, planners and simulators fail or clamp to nonsense.",
        causes="Limits copied to the mirrored side with the signs turned.",
        formula="lower ≤ upper",
    ),
    _text(
        "RD123",
        "joint-limits-degrees",
        "Limits are in rad.",
        what="Limits of revolute joints between two turns and 720 that are multiples of 5.",
        why="What samples or plans inside the limits goes round many times.",
        causes="Degrees from a data sheet.",
    ),
    _text(
        "RD124",
        "joint-limit-missing",
        "Limits are complete.",
        what="Revolute and prismatic joints have a <limit>, and every <limit> has effort and velocity.",
        why="The dynamics are defined without, but loaders that follow the specification refuse the file.",
        causes="A joint type changed from continuous; an exporter that leaves out what it does not know.",
    ),
    _text(
        "RD125",
        "joint-drive-limit-zero",
        "Effort and velocity limits are above 0.",
        what="The effort and velocity limits of joints that move: 0 is a warning, less is a fail.",
        why="Some take 0 as 'no limit', others as 'no force'.",
        causes="A default that nobody filled in.",
    ),
    _text(
        "RD126",
        "joint-damping-negative",
        "Damping, friction and armature are not negative.",
        what="The passive parameters of each joint.",
        why="They would make energy from nothing; every simulation with them blows up.",
        causes="A sign slip.",
        formula="d ≥ 0",
    ),
    _text(
        "RD127",
        "joint-range-empty",
        "A joint that moves has a range.",
        what="Revolute and prismatic joints whose lower and upper limits are equal.",
        why="The joint cannot move, yet it has a row in every matrix.",
        causes="Limits left out (URDF then takes 0); a joint that was frozen by its limits.",
    ),
    _text(
        "RD131",
        "mesh-not-found",
        "Mesh files exist.",
        what="Files that shapes name, beside the model or in a package folder above it.",
        why="The dynamics do not need them, but libraries that load shapes refuse the model.",
        causes="A model taken out of its package.",
    ),
    _text(
        "RD132",
        "unknown-name",
        "No element or attribute is misspelt.",
        what="Names that URDF does not know and that resemble one it knows.",
        why="Every loader ignores them, so their values have no effect.",
        causes="A typing slip.",
    ),
)
