"""Every fault that is recorded of an installed library shows on its small model, is known, and is nothing else."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

import robodyn_check
from robodyn_check.faults.in_models import MODEL_FAULTS, SMALL_MODELS, ModelFault
from robodyn_check.harness.discovery import find_adapters, installed_version
from robodyn_check.harness.spec import parse_spec

if TYPE_CHECKING:
    from robodyn_check.report.results import ModelReport, Result

PATHS = {small.name: small.path for small in SMALL_MODELS}
#: Recipes that must be right about every small model, but for what they document as a limit.
RIGHT = ("modern-robotics", "biorbd", "rbdl:canonical")
#: (recipe, model): limits.
LIMITS = (
    {(recipe, model) for recipe in RIGHT for model in ("armature_arm",)}
    | {
        (recipe, model)
        for recipe in ("modern-robotics", "biorbd")
        for model in ("planar_joint", "planar_joint_about_y")
    }
    | {("modern-robotics", "floating_joint"), ("modern-robotics", "mimic_pair")}
)


def need(library: str) -> None:
    adapters, name = find_adapters(), parse_spec(library).name
    if installed_version(adapters[name]) is None:
        pytest.skip(f"{name} is not installed")


@cache
def reports(library: str, base: str, models: tuple[str, ...]) -> dict[str, ModelReport]:
    """Check models in one run, so that the library is imported once."""
    paths = [PATHS[model] for model in models]
    # what the integrations add costs more than all the rest
    left_out = ("RD505", "RD506", "RD507", "RD508")
    report = robodyn_check.check(paths, libraries=[library], samples=4, certify=0, base=base, ignore=left_out)
    return dict(zip(models, report.models, strict=True))


def findings(model: ModelReport, library: str) -> list[Result]:
    return [one for one in model.results if one.subject == library and one.verdict in {"fail", "error"}]


@pytest.mark.parametrize("fault", MODEL_FAULTS, ids=lambda fault: f"{fault.library}-{fault.model}")
def test_a_fault_of_a_library_shows_and_is_known(fault: ModelFault):
    need(fault.library)
    same = tuple(one.model for one in MODEL_FAULTS if (one.library, one.base) == (fault.library, fault.base))
    model = reports(fault.library, fault.base, same)[fault.model]
    found = findings(model, fault.library)
    assert set(fault.shows_on) <= {one.code for one in found}
    unknown = [one.message for one in found if one.known is None]
    assert bool(unknown) is not fault.known, unknown
    assert [one.message for one in model.results if one.code == "RD940"] == []


@pytest.mark.parametrize("library", RIGHT)
def test_the_recipes_that_build_the_robot_are_right_about_every_other_small_model(library: str):
    need(library)
    wrong = {fault.model for fault in MODEL_FAULTS if fault.library == library}
    names = tuple(small.name for small in SMALL_MODELS if small.name not in wrong)
    for name, model in reports(library, "fixed", names).items():
        assert [(name, one.code, one.message) for one in findings(model, library)] == []
        (record,) = (one for one in model.subjects if one.name == library)
        assert record.status == ("skip" if (library, name) in LIMITS else "ok"), name
