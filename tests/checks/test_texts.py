"""The texts of the checks: complete, unique, and readable without loading numpy or any library."""

from __future__ import annotations

import subprocess
import sys

import pytest

from robodyn_check.checks.registry import Check, load
from robodyn_check.checks.texts import SECTIONS, CheckText, check_texts, chosen, explain, texts
from robodyn_check.errors import UsageError
from robodyn_check.quantities import QUANTITIES


def _code(text: CheckText) -> str:
    return text.code


def test_codes_and_slugs_are_unique():
    codes = [text.code for text in texts()]
    slugs = [text.slug for text in texts()]
    assert len(set(codes)) == len(codes)
    assert len(set(slugs)) == len(slugs)


@pytest.mark.parametrize("text", check_texts(), ids=_code)
def test_a_check_has_all_that_its_users_read(text: CheckText):
    assert text.title.endswith(".")
    assert [name for name, _ in text.sections] == list(SECTIONS)
    assert all(paragraph for _, paragraph in text.sections)
    assert text.formula
    assert text.bound
    assert text.reference
    assert set(text.quantities) <= set(QUANTITIES)


@pytest.mark.parametrize("check", load(), ids=lambda check: check.code)
def test_the_text_read_from_the_source_is_the_class_s_own(check: Check):
    assert explain(check.code) == check.text


def test_texts_are_read_without_numpy():
    program = (
        "import sys; from robodyn_check.checks.registry import explain; explain('RD204');"
        "print(sorted(name for name in sys.modules if name.partition('.')[0] == 'numpy'))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_family_is_chosen_by_its_prefix():
    assert {text.code[:3] for text in chosen(["RD2"])} == {"RD2"}


def test_a_check_is_chosen_by_slug_and_taken_away_by_code():
    assert [text.code for text in chosen(["mass-matrix-symmetric"])] == ["RD201"]
    assert "RD201" not in {text.code for text in chosen(["RD2"], ["RD201"])}


def test_a_check_is_explained_in_any_case():
    assert explain("rd201").slug == "mass-matrix-symmetric"


def test_an_unknown_check_names_the_nearest_ones():
    with pytest.raises(UsageError, match=r"There is no check 'coriolis-skw'\. Nearest: coriolis-skew"):
        explain("coriolis-skw")


def test_an_unknown_selection_is_refused():
    with pytest.raises(UsageError, match="There is no check 'RD299'"):
        load(["RD299"])
