"""Texts of what a run itself can report, besides numbers: a library that is missing, refuses, dies; a fault of ours.

Plain data; these findings come from the pipeline, so no class judges them.
"""

from __future__ import annotations

from robodyn_check.checks.texts import CheckText

_CHECKS, _MATTERS, _CAUSES = "What it checks", "Why it matters", "Usual causes"


def _text(code: str, slug: str, title: str, checks: str, matters: str, causes: str) -> CheckText:
    return CheckText(
        code=code,
        slug=slug,
        title=title,
        quantities=(),
        formula="",
        bound="",
        reference="",
        sections=((_CHECKS, checks), (_MATTERS, matters), (_CAUSES, causes)),
    )


RUN_TEXTS: tuple[CheckText, ...] = (
    _text(
        "RD151",
        "body-as-in-file",
        "The library holds the masses and inertias of the file.",
        "Mass, centre of mass and inertia of every body that the library shows after loading, link by link, or "
        "together where links were merged.",
        "It says which number was misread, before any dynamics are computed; a wrong answer is a fail of its own.",
        "A rotation of an inertial ignored; an inertia replaced as not physical; links lost, merged wrongly or given a "
        "default mass.",
    ),
    _text(
        "RD152",
        "joint-as-in-file",
        "The library holds the joints of the file.",
        "Axis and placement of every joint that the library shows after loading.",
        "A wrong joint makes everything behind it wrong.",
        "An axis that is not along a coordinate axis; order of roll, pitch, yaw; a placement in another frame.",
    ),
    _text(
        "RD153",
        "armature-as-in-file",
        "The library holds the armature of the file.",
        "Armature of every joint that the library shows after loading.",
        "Armature is the commonest difference between two libraries.",
        "A format whose armature the library does not read; a default of its own; rotor inertia of an extension tag.",
    ),
    _text(
        "RD154",
        "gravity-as-in-file",
        "The library takes gravity from the file.",
        "The field that the library holds after loading, where the file states one; a difference is a fail, because "
        "all other checks hand gravity over after loading and would not see it.",
        "A robot for the moon is simulated on earth.",
        "<option gravity> is not read.",
    ),
    _text(
        "RD155",
        "damping-as-in-file",
        "The library holds damping and dry friction of the file.",
        "Both, of every joint that the library shows after loading.",
        "They are outside the rigid-body part that all other checks compare, so nothing else would show it.",
        "The element is not read, or kept in another place.",
    ),
    _text(
        "RD157",
        "extension-read",
        "A library reads nothing beyond the standard format.",
        "Extension elements that its adapter declares and the file has: each joint whose armature they change is a "
        "warning. The library is judged by its own reading, the others by the standard format.",
        "Two libraries that agree with each other on every standard file move this robot differently.",
        "<drake:rotor_inertia> and <drake:gear_ratio>, which add N² J to the armature.",
    ),
    _text(
        "RD940",
        "known-failure-is-stale",
        "Every known failure still fails.",
        "An entry of known-failures.toml applies to this library, version and model, yet what it excuses passes.",
        "A stale entry hides the next fault of the same kind.",
        "The library was mended; or the entry is wider than the fault it was written for.",
    ),
    _text(
        "RD941",
        "library-is-there",
        "A library that was asked for is installed and starts.",
        "The adapter is found and its library imports in the environment that the library spec names. A library of the "
        "default set that is missing is a skip; one that was named is an error.",
        "A library that silently drops out of a run looks like one that passed.",
        "The extra is not installed; the interpreter after @ lacks the library; no wheel exists for this Python.",
    ),
    _text(
        "RD942",
        "library-loads-the-model",
        "The library loads the robot.",
        "The library's own loader accepts the file. A limit that the adapter documents is a skip, and so is a refusal "
        "of an element that the model's lint calls a fault; refusing a legal model is a fail.",
        "A robot that one library cannot load cannot be moved to it.",
        "Links without inertia, point masses, joints without limits, extensions of another simulator.",
    ),
    _text(
        "RD943",
        "library-process-survives",
        "The library's process answers and lives to the end.",
        "No crash, no time-out, no garbage on the wire, no memory beyond --memory while loading.",
        "A crash in a check is a crash in a controller.",
        "Out of memory, a missing shared library, a file that the loader cannot stand, a time-out that is too short.",
    ),
    _text(
        "RD944",
        "check-runs",
        "robodyn-check itself works.",
        "A check of ours raised an exception; every other result of the run is kept.",
        "The claim of that check was not tested.",
        "A fault of robodyn-check: please report it with the model and the command.",
    ),
    _text(
        "RD945",
        "answers-as-in-the-baseline",
        "The library answers what it answered in the baseline.",
        "With --baseline: the answers at the run's states are compared with those of the baseline, entry by entry. The "
        "same doubles, or others within the bound of two right answers, pass; anything further apart, or no longer "
        "answered, is a warning. What is wrong by itself is a finding of its own.",
        "A change that nobody asked for is worth a look even where the truth does not contradict it.",
        "Another version of the library, another factorisation of C, another build or machine.",
    ),
    _text(
        "RD990",
        "reference-is-certified",
        "The reference is proven at states of this run.",
        "A few states are computed again by two independent derivations in ball arithmetic: they must overlap, and the "
        "double reference must lie within its bound of both.",
        "Whoever calls a library wrong must be able to prove the right number.",
        "A fault of robodyn-check, of its linear algebra library or of the machine: please report it.",
    ),
)
