from __future__ import annotations

from robodyn_check.report.certificate import certificate_sentence
from robodyn_check.report.results import CertificateRecord


def test_a_proven_truth_tells_digits_states_and_its_largest_error():
    record = CertificateRecord(states=20, digits=50, errors={"mass_matrix": 2.0, "bias_force": 7.4}, agreed=True)
    sentence = certificate_sentence(record)
    assert "ball arithmetic (50 digits) on 20 states; its largest error is 7.4 eps·S" in sentence


def test_a_truth_outside_its_proof_is_called_not_proven():
    record = CertificateRecord(states=20, digits=50, errors={"mass_matrix": 2e5}, agreed=False)
    assert certificate_sentence(record).startswith("Truth: NOT proven: the reference left its proven bounds")


def test_a_truth_that_nobody_certified_is_not_called_proven():
    assert certificate_sentence(None) == "Truth: the reference of robodyn-check, not certified in this run."
