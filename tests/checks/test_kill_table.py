"""The kill table: every check finds a fault, every fault is found, and a right subject passes everything."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from robodyn_check.checks.registry import Check, load
from robodyn_check.faults import in_answers
from robodyn_check.faults.fault import reference_answerer
from robodyn_check.faults.library import LIBRARY_FAULTS
from robodyn_check.model.build import build_mechanism
from robodyn_check.requests import Answer, Failure, Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from robodyn_check.faults.fault import LibraryFault, Planted
    from tests.checks.conftest import Bench

#: What speaks about the model is killed by a model, not by a library: see the singular model below.
MODEL_CHECKS = ("RD203",)
#: Elastic joints have a kill table of their own, in test_flexible.py.
ELASTIC_CHECKS = ("RD8",)
FOUND = {"fail", "error"}
#: Motions take hundreds of evaluations; test_free_motion.py kills these checks on small robots.
MOTION_CHECKS = tuple(check.code for check in load() if check.text.integrates)


@cache
def planted(bench: Bench, fault: LibraryFault) -> Planted | None:
    """Plant a fault into a bench, once."""
    return fault.plant(bench.scene)


def kills(bench: Bench, check: Check, fault: LibraryFault) -> bool:
    """Say whether one check finds one fault on one robot."""
    wrong = planted(bench, fault)
    return wrong is not None and any(
        result.code == check.code and result.verdict in FOUND for result in bench.judge(wrong.answer, checks=(check,))
    )


def _unlikely(check: Check, fault: LibraryFault) -> bool:
    """Say whether to try a fault later: hygiene checks are for faults in answers, others for their quantities."""
    if not check.text.quantities:
        return fault not in in_answers.FAULTS
    return not set(fault.shows_on) & set(check.text.quantities)


def test_the_reference_passes_every_check(any_bench: Bench):
    results = any_bench.judge(any_bench.scene.answer, name="reference")
    assert [result for result in results if result.verdict in {"fail", "error", "warn"}] == []
    assert len([result for result in results if result.verdict == "pass"]) > 80


@pytest.mark.parametrize("check", load(ignore=(*MODEL_CHECKS, *ELASTIC_CHECKS)), ids=lambda check: check.code)
def test_every_check_finds_a_fault(check: Check, benches: dict[str, Bench]):
    likely = sorted(LIBRARY_FAULTS, key=lambda fault: _unlikely(check, fault))
    assert any(kills(bench, check, fault) for fault in likely for bench in benches.values())


@pytest.mark.parametrize("fault", LIBRARY_FAULTS, ids=lambda fault: fault.name)
def test_every_fault_is_found_on_a_quantity_it_shows_on(fault: LibraryFault, benches: dict[str, Bench]):
    wanted = set(fault.shows_on)
    checks = tuple(
        check
        for check in load(ignore=MOTION_CHECKS)
        if wanted & set(check.text.quantities) or not check.text.quantities
    )
    for bench in benches.values():
        wrong = planted(bench, fault)
        if wrong is None:
            continue
        results = bench.judge(wrong.answer, checks=checks)
        if any(result.verdict in FOUND and result.quantity in wanted for result in results):
            return
    pytest.fail(f"{fault.name} is found on no robot")


def test_a_singular_model_is_a_fail_of_the_model_that_names_the_joint(build_bench: Callable[..., Bench]):
    bench = build_bench("vertical_root")
    robot = bench.scene.robot
    last = [joint for joint in robot.joints if joint.kind != "fixed"][-1]
    below = {last.child}
    for joint in robot.joints:
        if joint.parent in below:
            below.add(joint.child)
    links = tuple(replace(link, inertial=None) if link.name in below else link for link in robot.links)
    joints = tuple(replace(joint, armature=None) if joint is last else joint for joint in robot.joints)
    light = build_mechanism(replace(robot, links=links, joints=joints))
    singular = bench.with_mechanism(light)

    results = singular.judge(reference_answerer(light), name="reference", checks=load(["RD203"]))
    assert [result.verdict for result in results] == ["fail"]
    assert f"'{last.name}' moves most" in (results[0].message or "")

    library = singular.judge(reference_answerer(light), checks=load(["RD2", "RD7"]))
    verdicts = {result.code: result.verdict for result in library}
    assert "RD203" not in verdicts
    assert {verdicts[code] for code in ("RD202", "RD701", "RD702", "RD703", "RD750")} == {"skip"}


def test_a_crash_at_some_states_is_one_error_and_the_rest_is_judged(build_bench: Callable[..., Bench]):
    bench = build_bench("vertical_root")
    fault = next(fault for fault in LIBRARY_FAULTS if fault.name == "crash-at-some-states")
    wrong = planted(bench, fault)
    assert wrong is not None
    results = bench.judge(wrong.answer, checks=load(["RD2", "RD9"]))
    errors = [result for result in results if result.verdict == "error" and result.code == "RD901"]
    assert ["killed by signal 11" in (result.message or "") for result in errors] == [True]
    symmetric = next(result for result in results if result.code == "RD201")
    assert symmetric.verdict == "pass"
    assert symmetric.errors[0] is None
    assert symmetric.errors[-1] == pytest.approx(0.0)


def test_a_declared_skew_matrix_is_not_compared_entry_by_entry(build_bench: Callable[..., Bench]):
    bench = build_bench("deep")
    fault = next(fault for fault in LIBRARY_FAULTS if fault.name == "coriolis-another-skew")
    wrong = planted(bench, fault)
    assert wrong is not None
    honest = bench.judge(wrong.answer, coriolis="skew", checks=load(["RD4"]))
    boasting = bench.judge(wrong.answer, coriolis="christoffel", checks=load(["RD4"]))
    assert [result.code for result in honest if result.verdict == "fail"] == []
    assert [result.code for result in boasting if result.verdict == "fail"] == ["RD402", "RD421", "RD425", "RD450"]


def test_a_matrix_that_is_no_skew_factorisation_fails_only_where_more_is_declared(build_bench: Callable[..., Bench]):
    bench = build_bench("vertical_root")
    fault = next(fault for fault in LIBRARY_FAULTS if fault.name == "coriolis-not-skew")
    wrong = planted(bench, fault)
    assert wrong is not None
    free = bench.judge(wrong.answer, coriolis="any", checks=load(["RD4"]))
    declared = bench.judge(wrong.answer, coriolis="skew", checks=load(["RD4"]))
    assert [result.code for result in free if result.verdict == "fail"] == []
    assert [result.code for result in declared if result.verdict == "fail"] == ["RD401", "RD421", "RD423"]


def test_noise_of_one_part_in_1e9_is_seen(build_bench: Callable[..., Bench]):
    bench = build_bench("floating")

    def noisy(request: Request) -> Answer | Failure:
        answer = bench.scene.answer(request)
        assert isinstance(answer, Answer)
        return replace(answer, values=answer.values * (1 + 1e-9 * np.cos(answer.values)))

    failed = {
        result.code for result in bench.judge(noisy, checks=load(ignore=MOTION_CHECKS)) if result.verdict == "fail"
    }
    assert {"RD250", "RD350", "RD454", "RD650", "RD750"} <= failed
