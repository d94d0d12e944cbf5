"""Library specs as users write them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robodyn_check.errors import UsageError
from robodyn_check.harness.spec import LibrarySpec, parse_spec


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("pinocchio", LibrarySpec(name="pinocchio")),
        ("mujoco:default", LibrarySpec(name="mujoco", profile="default")),
        ("modern-robotics", LibrarySpec(name="modern-robotics")),
        ("drake==1.40.0", LibrarySpec(name="drake", version="1.40.0")),
        ("pinocchio==4.0.0rc1", LibrarySpec(name="pinocchio", version="4.0.0rc1")),
        ("mujoco:default==3.9.0", LibrarySpec(name="mujoco", profile="default", version="3.9.0")),
        ("drake@/opt/my env/bin/python", LibrarySpec(name="drake", python=Path("/opt/my env/bin/python"))),
        ("drake:default@./py", LibrarySpec(name="drake", profile="default", python=Path("py"))),
    ],
)
def test_a_spec_has_name_profile_version_or_interpreter(text: str, spec: LibrarySpec):
    assert parse_spec(text) == spec
    assert parse_spec(str(spec)) == spec


@pytest.mark.parametrize("text", ["", ":default", "==1.0", "a==", "a@", "a b", "a:b:c", "a==1.0@python", "a:"])
def test_a_spec_that_cannot_be_read_shows_the_form(text: str):
    with pytest.raises(UsageError) as caught:
        parse_spec(text)
    assert "expected NAME[:PROFILE][==VERSION | @PATH/TO/python], for example pinocchio" in str(caught.value)
    assert repr(text) in str(caught.value)


@given(text=st.text(max_size=12))
def test_any_text_is_a_spec_or_a_usage_error(text: str):
    try:
        assert parse_spec(str(parse_spec(text))).name
    except UsageError:
        return
