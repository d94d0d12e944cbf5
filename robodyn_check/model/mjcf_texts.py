"""The text of the check that compares two readings of an MJCF, as data; see `model.mjcf_compare`."""

from __future__ import annotations

from robodyn_check.model.lint_texts import LintText

TWO_READINGS = LintText(
    code="RD150",
    slug="two-readings-agree",
    title="MuJoCo's compiler holds the numbers that the MJCF states.",
    formula="|stated - held| ≤ 64 eps · size",
    bound="64 eps times the size of the terms",
    reference="MuJoCo documentation, XML reference and Modeling (kinematic tree, default settings, frame orientations)",
    sections=(
        (
            "What it checks",
            (
                "Placements, masses, centres of mass, inertias as tensors, axes, anchors, armature (with the rotors of "
                "actuators), damping, friction, ref, ranges and gravity: what our own reading of the file says against "
                "what the installed MuJoCo compiles. Values that only the compiler defines are left out."
            ),
        ),
        (
            "Why it matters",
            (
                "Every library is measured against the file. Were one of the two readers wrong about default classes, "
                "units or frames, the blame would fall on the wrong library."
            ),
        ),
        (
            "Usual causes",
            (
                "A fault of this tool's reader, or a release of MuJoCo that reads an element differently. The file is "
                "taken as the truth; the message has both values."
            ),
        ),
        ("References", "MuJoCo documentation, XML reference and Modeling."),
    ),
)
MJCF_TEXTS: tuple[LintText, ...] = (TWO_READINGS,)
