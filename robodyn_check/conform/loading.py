"""Claims about load and readback."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from robodyn_check.conform.claim import Claim, NotApplicable, Violation
from robodyn_check.errors import AdapterUnsupported
from robodyn_check.sdk.protocol import ERROR_CODES, ProtocolError
from robodyn_check.sdk.readback import Readback
from robodyn_check.sdk.records import MalformedRecord, from_json

if TYPE_CHECKING:
    from robodyn_check.conform.bench import Bench, Held

#: Quantities in which gravity shows.
OF_GRAVITY = ("gravity_vector", "bias_force", "inverse_dynamics", "forward_dynamics", "potential_energy")


def loads(bench: Bench) -> None:
    """The layout names the robot's joints and gives each coordinate one place."""
    layout = bench.held.layout
    for name, size in (("q", layout.nq), ("v", layout.nv)):
        places = sorted(place for joint in layout.joints for place in getattr(joint, name))
        if places != list(range(size)):
            raise Violation(
                f"layout: the joints' {name} have the places {places}, expected each of 0 to {size - 1} once"
            )


def ignores_unknown_fields_of_load(bench: Bench) -> None:
    """A field of a later version in ``load`` changes nothing."""
    with bench.fresh() as other:
        held = other.held
        try:
            again = other.load(held.trial, held.source, more={"of_a_later_version": [{}, "é"]})
        except ProtocolError as error:
            if error.kind == "unsupported":
                raise NotApplicable(f"it holds one model only: {error}") from error
            raise Violation(f"load with a field of a later version was refused: {error}") from error
        if again.layout != held.layout:
            raise Violation("load with a field of a later version gave another layout")


def holds_two_models(bench: Bench) -> None:
    """A second load is a further model under its own gravity; the first one stays as it is."""
    held = bench.held
    quantities = [name for name in OF_GRAVITY if name in bench.offered()]
    before = {name: bench.values(held, name, slice(0, 3)) for name in bench.offered()}
    x, y, z = held.source.gravity
    try:
        second = bench.load(held.trial, replace(held.source, gravity=(x, y, 2 * z)))
    except (ProtocolError, AdapterUnsupported) as error:
        if isinstance(error, AdapterUnsupported) or error.code == ERROR_CODES["unsupported"]:
            raise NotApplicable(f"it holds one model only: {error}") from error
        raise Violation(
            f"a second load was answered with error {error.code} ({error}), expected a model or error 2"
        ) from error
    if second.model == held.model:
        raise Violation(f"two loads got the same model number, {held.model}")
    for name, value in before.items():
        if not np.array_equal(bench.values(held, name, slice(0, 3)), value, equal_nan=True):
            raise Violation(f"{name} of model {held.model} changed when model {second.model} was loaded")
    if quantities and all(_same(bench, held, second, name) for name in quantities):
        raise Violation(f"twice the gravity in a second load changes nothing in {', '.join(quantities)}")


def shows_what_it_holds(bench: Bench) -> None:
    """Readback is null or a robot in the documented form."""
    answer = bench.call("readback", {"model": bench.held.model})
    if answer is None:
        return
    try:
        from_json(Readback, answer, "readback")
    except MalformedRecord as error:
        raise Violation(f"{error}; a library that does not show what it holds answers null") from error


def _same(bench: Bench, first: Held, second: Held, quantity: str) -> bool:
    rows = slice(0, 3)
    return np.array_equal(bench.values(first, quantity, rows), bench.values(second, quantity, rows), equal_nan=True)


CLAIMS = (
    Claim(slug="loads", title="the layout names the joints and gives each coordinate one place", examine=loads),
    Claim(
        slug="ignores-unknown-fields-of-load",
        title="fields of a later version in load change nothing",
        examine=ignores_unknown_fields_of_load,
    ),
    Claim(
        slug="holds-two-models",
        title="a second load is a further model with its own gravity",
        examine=holds_two_models,
    ),
    Claim(
        slug="shows-what-it-holds",
        title="readback is null or in the documented form",
        examine=shows_what_it_holds,
    ),
)
