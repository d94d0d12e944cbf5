from __future__ import annotations

from robodyn_check.diagnosis.causes import CAUSES
from robodyn_check.diagnosis.upstream import _reports, upstream


def test_a_report_is_found_for_the_versions_that_it_names() -> None:
    cause = "inertial-origin-rpy-ignored"
    assert str(upstream("mujoco", cause, "3.12.0")).endswith("/issues/3559")
    assert upstream("mujoco:default", cause, "3.13.0") is not None
    assert upstream("mujoco", cause, "4.0.0") is None
    assert upstream("mujoco", cause, None) is None
    assert upstream("drake", cause, "1.0") is None


def test_every_report_is_about_a_cause_that_exists_and_has_an_address() -> None:
    notes = {"root-link-merged-into-world", "mimic-joint-ignored"}
    assert all(report["cause"] in CAUSES.keys() | notes for report in _reports())
    assert all(report["link"].startswith("https://") for report in _reports())
