"""The analysis as text: at most 80 columns, the same without colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.analysis.words import number, pose, span
from robodyn_check.report.layout import to_ascii

if TYPE_CHECKING:
    from collections.abc import Iterator

    from robodyn_check.analysis.results import Analysis, Conditioning, Tip, Turntable

#: Width of a bar, and of a joint's name.
_BAR, _NAME = 20, 20
#: Parameters whose combination is written out.
_SHOWN = 12


def terminal(found: Analysis, *, ascii_only: bool = False) -> str:
    """Return the page that a terminal shows."""
    lines = [
        f"{found.model}: {len(found.dofs)} degrees of freedom, {number(found.mass)} kg, {found.base} base",
        f"{found.states} poses inside the limits, seed {found.seed}; joint data: {found.joint_data or 'none'}",
    ]
    if found.conditioning is not None:
        lines += ["", "Inertia each joint carries, kg m² (kg)", *_inertias(found)]
        lines += ["", "Conditioning of the mass matrix", *_conditioning(found.conditioning)]
    if found.turntable is not None:
        lines += ["", "On a turntable under the base", *_turntable(found.turntable)]
    if found.gravity is not None:
        lines += ["", "Gravity torque, N m (N)", *_gravity(found)]
    if found.velocity is not None:
        lines += ["", f"‖C‖ / ‖v‖: median {number(found.velocity.median)}, at most {number(found.velocity.most)}"]
    for tip in found.tips:
        lines += ["", f"Tip {tip.link} at q = {pose(found.pose)}", *_tip(tip)]
    if found.drift:
        lines += ["", "Energy error of free motions of 0.2 s, share of the energies' size", *_drift(found)]
    if found.parameters is not None:
        lines += ["", *_parameters(found)]
    lines += ["", *(f"Left out: {note}" for note in found.notes)] if found.notes else []
    text = "\n".join(lines) + "\n"
    return to_ascii(text.translate(_PLAIN)) if ascii_only else text


#: What only this page draws; the letters of equations are spelled by the report's layout.
_PLAIN = str.maketrans({"█": "#", "░": ".", "‖": "|", "σ": "s"})


def _inertias(found: Analysis) -> Iterator[str]:
    yield f"  {'':{_NAME}} {'least':>9} {'most':>9} {'felt':>9} {'coupled':>8} {'rotor':>9}"
    for row in found.joints:
        rotor = "" if row.rotor is None else f"{number(row.rotor)}"
        yield (
            f"  {_cut(row.name):{_NAME}} {number(row.least):>9} {number(row.most):>9} {number(row.felt):>9}"
            f" {row.coupling:>7.0%} {rotor:>9}"
        )
    yield "  felt: while all other joints move freely; coupled: what that takes away"


def _conditioning(found: Conditioning) -> Iterator[str]:
    yield f"  eigenvalues {number(found.smallest)} to {number(found.largest)}"
    bound = "none, a joint slides without limits" if found.upper_bound is None else number(found.upper_bound)
    yield f"  bound in every pose {bound}"
    why = "sizes and units explain it" if found.scaling_explains else "scaling alone does not explain it"
    yield f"  condition {number(found.condition)}, {number(found.scaled)} after scaling: {why}"
    yield f"  weakest direction: {found.joint} moves most"
    if found.reflected is not None:
        least = "" if found.lower_bound is None else f", smallest eigenvalue at least {number(found.lower_bound)}"
        yield f"  with rotors: condition {number(found.reflected)}{least}"


def _turntable(found: Turntable) -> Iterator[str]:
    yield f"  it would turn {span(found.least, found.most)} kg m² about the vertical"
    yield f"  the joints' own block of M stays, to {number(found.changed)} rounding units"


def _gravity(found: Analysis) -> Iterator[str]:
    assert found.gravity is not None, "asked only where there is gravity"
    largest = max(row.gravity for row in found.joints) or 1.0
    for row in found.joints:
        share = row.gravity / (row.limit or largest)
        of_limit = f"{share:.0%} of {number(row.limit)}" if row.limit is not None else ""
        yield f"  {_cut(row.name):{_NAME}} {number(row.gravity):>9} {_bar(share)} {of_limit}"
    bound = "none" if found.gravity.upper_bound is None else number(found.gravity.upper_bound)
    yield f"  largest {number(abs(found.gravity.torque))} at {found.gravity.joint}, pose {pose(found.gravity.pose)}"
    yield f"  length of the vector: {number(found.gravity.norm)}; bound in every pose {bound}"


def _tip(tip: Tip) -> Iterator[str]:
    yield f"  effective mass {span(tip.least_mass, tip.most_mass)} kg over directions"
    if tip.reflected is not None:
        yield f"  with rotors    {span(tip.least_mass_with_rotors, tip.most_mass_with_rotors)} kg"
    yield f"  half of the moving mass plus load {number(tip.static_estimate)} kg: an estimate used beside"
    yield "    ISO/TS 15066, no statement of conformity"
    yield f"  speed per joint speed σ(J)        {_axes(tip.reach.axes)}"
    if tip.push is not None:
        yield f"  acceleration at the torque limits {_axes(tip.push.axes)} m/s²"
    if tip.push_with_rotors is not None:
        yield f"  with rotors                       {_axes(tip.push_with_rotors.axes)} m/s²"


def _drift(found: Analysis) -> Iterator[str]:
    steps = "".join(f"{f'{step:g} ms':>10}" for step in found.drift[0].steps)
    yield f"  {'':{_NAME}}{steps}"
    for row in found.drift:
        yield f"  {row.method:{_NAME}}" + "".join(f"{number(error):>10}" for error in row.errors)


def _parameters(found: Analysis) -> Iterator[str]:
    study = found.parameters
    assert study is not None, "asked only where there are some"
    yield f"Base parameters: {study.rank} of {study.columns}; {len(study.without_effect)} have no effect on any torque"
    for name, others in study.absorbed[:_SHOWN]:
        terms = "".join(f" {'-' if value < 0 else '+'} {number(abs(value))} {other}" for other, value in others[:3])
        more = f" + {len(others) - 3} more" if len(others) > 3 else ""
        yield f"  {_cut(name + terms, 68)}{more}"
    if len(study.absorbed) > _SHOWN:
        yield f"  and {len(study.absorbed) - _SHOWN} more; --format json has them all"


def _axes(axes: tuple[float, ...]) -> str:
    return ", ".join(number(axis) for axis in axes)


def _bar(share: float) -> str:
    filled = round(_BAR * min(1.0, max(0.0, share)))
    return "█" * filled + "░" * (_BAR - filled)


def _cut(text: str, width: int = _NAME) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
