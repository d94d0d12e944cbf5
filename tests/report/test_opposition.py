from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from robodyn_check.report.json_format import read_report, to_json
from robodyn_check.report.opposition import opposition_blocks, opposition_clause
from robodyn_check.report.render import render
from robodyn_check.report.results import ModelReport, Opposition
from robodyn_check.report.summary import model_sentence
from tests.report import fixtures


def opposed(*quantities: str, **fields: Any) -> ModelReport:
    given: dict[str, Any] = {
        "code": "RD260",
        "wrong": ("drake", "mujoco"),
        "right": ("pinocchio",),
        "agreed": True,
        "state": 3,
        "inputs": {"q": (0.0, 1.5)},
        "finding": "RD260:drake:mass_matrix",
    }
    found = tuple(Opposition(quantity=quantity, **{**given, **fields}) for quantity in quantities)
    return replace(fixtures.mixed().models[0], oppositions=found)


def test_votes_proof_state_and_commands_are_named():
    (block,) = opposition_blocks(opposed("mass_matrix"))
    assert block == (
        "most libraries oppose the reference on mass_matrix: drake and mujoco against pinocchio",
        "votes: those against it agree with each other, which a fault that they share would explain too",
        (
            "certificate: the reference is proven at 5 states by two derivations in ball arithmetic of 50 digits; "
            "largest error in eps·S: mass_matrix 2.5"
        ),
        "roundest state at which mass_matrix shows it: state 3, q = (0, 1.5)",
        (
            "model: arm.urdf, SHA-256 000000000000; the smallest model and state that still show it: robodyn-check "
            "shrink REPORT RD260:drake:mass_matrix"
        ),
        (
            "who is right: robodyn-check dispute REPORT RD260:drake:mass_matrix computes the number twice in ball "
            "arithmetic; --format json=REPORT writes REPORT"
        ),
    )


def test_quantities_with_the_same_votes_share_one_statement():
    (block,) = opposition_blocks(opposed("mass_matrix", "gravity_vector"))
    assert "oppose the reference on mass_matrix and gravity_vector: " in block[0]
    assert any("mass_matrix 2.5, gravity_vector 3.1" in line for line in block)


@pytest.mark.parametrize(
    ("certificate", "words"),
    [
        (None, "certificate: none in this run; --certify N proves the reference at N states"),
        ({"agreed": False}, "certificate: NOT valid at 5 states"),
        ({"errors": {}}, "certificate: none in this run"),
    ],
)
def test_a_certificate_that_is_none_is_not_claimed(certificate: dict[str, Any] | None, words: str):
    model = opposed("mass_matrix")
    assert model.certificate is not None
    changed = None if certificate is None else replace(model.certificate, **certificate)
    (block,) = opposition_blocks(replace(model, certificate=changed))
    assert any(line.startswith(words) for line in block)


def test_votes_that_were_not_compared_or_disagree_are_not_called_agreement():
    assert not any("agree with" in line for line in opposition_blocks(opposed("mass_matrix", agreed=None))[0])
    assert "do not agree" in opposition_blocks(opposed("mass_matrix", agreed=False))[0][1]


def test_the_sentence_says_it_and_says_nothing_without_it():
    model = opposed("mass_matrix")
    assert "most libraries oppose the reference on mass_matrix" in model_sentence(model)
    assert opposition_clause(replace(model, oppositions=())) is None


@pytest.mark.parametrize("form", ["terminal", "markdown", "html"])
def test_reports_for_people_say_it(form: str):
    text = render(fixtures.report(opposed("mass_matrix")), form).replace("\\", "")
    assert "drake and mujoco against pinocchio" in " ".join(text.split())


def test_it_survives_json():
    report = fixtures.report(opposed("mass_matrix"))
    assert read_report(to_json(report)) == report
