"""Texts of what ``flex`` judges by simulation, by a second load, or about a beam: no class can, since these integrate.

Plain data, in the form of `checks.run_texts`.
"""

from __future__ import annotations

from robodyn_check.checks.texts import SECTIONS, CheckText


def _text(
    code: str,
    slug: str,
    title: str,
    *,
    formula: str,
    bound: str,
    reference: str,
    checks: str,
    matters: str,
    causes: str,
) -> CheckText:
    return CheckText(
        code=code,
        slug=slug,
        title=title,
        quantities=(),
        formula=formula,
        bound=bound,
        reference=reference,
        sections=tuple(zip(SECTIONS, (checks, matters, causes), strict=False)),
    )


_SPONG = "Spong, Modeling and Control of Elastic Joint Robots (1987)"
FLEXIBLE_TEXTS: tuple[CheckText, ...] = (
    _text(
        "RD810",
        "elastic-feedforward-tracks",
        "The torque of the elastic inverse dynamics makes the links follow the motion.",
        formula="|q - q_d| with step h over that with step h/2 >= 8",
        bound="the error of the integration, RK4",
        reference="De Luca and Book, Springer Handbook of Robotics (2016), section 11.1",
        checks="A swing is integrated with the subject's accelerations under the motors' torque that the reference's "
        "inverse dynamics gives, with steps h and h/2. What remains must be the integration's own error, "
        "which falls by 16.",
        matters="Feedforward through elastic joints needs the link's fourth derivative; a model that is off by little "
        "is off in every move.",
        causes="Another stiffness, damping or motor inertia than stated; accelerations of low precision.",
    ),
    _text(
        "RD811",
        "elastic-energy-in-simulation",
        "A free oscillation keeps its energy, but for what the dampers take.",
        formula="|T + V - (T + V)(0) + ∫(q̇ - θ̇)ᵀD(q̇ - θ̇)dt| with step h over that with h/2 >= 8",
        bound="the error of the integration, RK4",
        reference=_SPONG,
        checks="All springs are deflected and let go; the subject's own energies at the end, and the dissipated work "
        "that is integrated along, must balance up to the integration's own error, which falls by at least "
        "8.",
        matters="A vibration that dies out or grows by itself hides or invents instability.",
        causes="Damping of the joints left on; springs left out of the energy; an energy without rotors.",
    ),
    _text(
        "RD812",
        "elastic-frequencies-base",
        "Without gravity the frequencies do not depend on how the base is turned.",
        formula="ω² on the turned base = ω²",
        bound="64 eps ‖K^½ S_1b K^-½‖",
        reference=_SPONG,
        checks="The robot is loaded a second time on a base that is turned about all three axes, and its elastic "
        "frequencies are computed again from the subject's accelerations.",
        matters="Mass matrices do not know where up is.",
        causes="Gravity that was not switched off; a rotation of the root that is applied to some links only.",
    ),
    _text(
        "RD813",
        "rigid-limit",
        "The torque of the elastic robot tends to the rigid one like 1/K.",
        formula="RMS(tau_K - tau_rigid) K = constant",
        bound="1 in 1e3 for K times 1, 4, 16, 64",
        reference="Spong, Modeling and Control of Elastic Joint Robots (1987)",
        checks="The reference's torque for one swing with K, 4 K, 16 K and 64 K is compared with that of the rigid "
        "robot whose rotors are stuck to their links.",
        matters="It ties the elastic model to the rigid one that everything else was checked against.",
        causes="A fault of robodyn-check: please report it with the model.",
    ),
    _text(
        "RD814",
        "beam-frequencies-from-above",
        "Assumed modes bound the frequencies of a beam from above and fall with their number.",
        formula="ω_k(N) >= ω_k(N + 1) >= ω_k exact",
        bound="64 N eps ω_k, N = 14",
        reference="Meirovitch, Fundamentals of Vibrations (2001), chapter 8 (from memory)",
        checks="Rayleigh-Ritz frequencies for 3 to 14 shape functions against each other and against the roots of "
        "the exact frequency equation.",
        matters="It is the sign that mass and stiffness integrals belong to the same shapes.",
        causes="A fault of robodyn-check: please report it with the beam.",
    ),
    _text(
        "RD815",
        "beam-chain-converges",
        "A chain of rigid segments with springs has the beam's frequency in the limit.",
        formula="(ω(n) - ω)/(ω(2n) - ω) -> 4",
        bound="3.5 to 4.5",
        reference="the exact frequency equation of the beam",
        checks="Libraries load the beam as chains of 8, 16 and 32 rigid segments; the first frequency from their own "
        "mass matrix and the springs must come nearer to the beam's like 1/n².",
        matters="It holds libraries that know rigid bodies only to the physics of an elastic link.",
        causes="Inertia of thin segments changed in loading; segments merged.",
    ),
    _text(
        "RD860",
        "elastic-simulation-agreement",
        "Two subjects end at the same place when the same steps are taken.",
        formula="x(T) of one = x(T) of the other",
        bound="32 eps (S_1b T² + |x| steps)",
        reference="the elastic reference",
        checks="The same Runge-Kutta steps of feedforward and free oscillation with each side's accelerations; only "
        "rounding may differ.",
        matters="It is what a user sees of two simulators: the same curve, or another one.",
        causes="Whatever RD850 finds, summed over a motion.",
    ),
)
