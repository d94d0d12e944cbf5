"""``eval``: what one subject computes at states that the user wrote down, as plain JSON-ready values.

    {"schema_version": 1, "subject": {"name": …, "version": …}, "joints": […], "links": […], "nq": …, "nv": …,
     "states": [{"mass_matrix": [[…]], "bias_force": […], …}, …], "failures": {quantity: why}}

Coordinates are canonical, whoever answers; joints are in file order, a floating base first. A number that is not finite
is null. ``failures`` is there only where a quantity that was asked for is missing somewhere, and says why.
"""

from __future__ import annotations

import json
import math
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robodyn_check.errors import UsageError
from robodyn_check.harness.canonical import canonical_of
from robodyn_check.harness.discovery import find_adapter, find_adapters, named_file
from robodyn_check.harness.mjcf_compiler import run_compiler
from robodyn_check.harness.session import LibrarySession
from robodyn_check.harness.spec import LibrarySpec, parse_spec
from robodyn_check.model.build import build_mechanism
from robodyn_check.model.read import read_model
from robodyn_check.quantities import QUANTITIES
from robodyn_check.requests import Answer, Failure, Request
from robodyn_check.run.assemble import REFERENCE
from robodyn_check.run.sources import source_for
from robodyn_check.run.truth import answer as reference_answer
from robodyn_check.settings import nearest
from robodyn_check.states.file import options_from_json, states_from_json
from robodyn_check.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel

    Answered = Mapping[str, Answer | Failure]

SCHEMA_VERSION = 1


def evaluate_file(
    model: Path,
    states_file: Path,
    *,
    library: str = REFERENCE,
    adapter: Path | None = None,
    quantities: Sequence[str] = (),
) -> dict[str, Any]:
    """Return what one subject computes at the states of a file.

    Args:
        model: The robot.
        states_file: JSON: ``base``, ``gravity``, ``states`` (`states.file`).
        library: "reference", or a library spec.
        adapter: An adapter file or program; with it, ``library`` may stay "reference" and is not used.
        quantities: Names of quantities; empty is everything that the subject offers.

    Raises:
        UsageError: A quantity or library that does not exist, or a states file that cannot be used.
        ModelError: The model cannot be read.
        AdapterError: The library is missing, refuses the model, or dies.
    """
    for name in quantities:
        if name not in QUANTITIES:
            raise UsageError(
                f"there is no quantity {name!r}.{nearest(name, tuple(QUANTITIES))} Known: {', '.join(QUANTITIES)}."
            )
    document = _read_json(states_file)
    options = options_from_json(document, source=str(states_file))
    by_reference = library == REFERENCE and adapter is None
    robot = read_model(model, compile_mjcf=run_compiler, any_suffix=by_reference)
    mechanism = build_mechanism(robot, base=options.base or "fixed", gravity=options.gravity)
    states = states_from_json(document, mechanism, source=str(states_file))
    requests = [
        Request(quantity=name, **{letter: getattr(states, letter) for letter in {"q", *QUANTITIES[name].inputs}})
        for name in quantities or QUANTITIES
    ]
    if by_reference:
        subject = {"name": REFERENCE, "version": __version__}
        answers: Answered = reference_answer(mechanism, requests)
    else:
        subject, answers = _ask_library(library, adapter, robot, mechanism, requests)
    return {
        "schema_version": SCHEMA_VERSION,
        "subject": subject,
        "joints": list(mechanism.joint_names),
        "links": list(mechanism.links),
        "nq": mechanism.nq,
        "nv": mechanism.nv,
        **_values(requests, answers, len(states), everything=not quantities),
    }


def _ask_library(
    library: str, adapter: Path | None, robot: RobotModel, mechanism: Mechanism, requests: Sequence[Request]
) -> tuple[dict[str, str], Answered]:
    spec = LibrarySpec(name=named_file(adapter).name, adapter=adapter) if adapter is not None else parse_spec(library)
    file = find_adapter(spec, find_adapters())
    with tempfile.TemporaryDirectory(prefix="robodyn-check-") as folder, LibrarySession.start(spec) as session:
        source, _ = source_for(robot, mechanism, file, Path(folder))
        loaded = session.load(source, canonical_of(mechanism))
        return {"name": str(spec), "version": loaded.info.version}, session.ask(requests)


def _values(requests: Sequence[Request], answers: Answered, count: int, *, everything: bool) -> dict[str, object]:
    states: list[dict[str, object]] = [{} for _ in range(count)]
    failures: dict[str, str] = {}
    for request in requests:
        answer = answers[request.key]
        if isinstance(answer, Failure):
            # what a subject does not offer is missing from an unspecific question without a word
            if not (everything and answer.kind == "not_offered"):
                failures[request.quantity] = answer.message
            continue
        if answer.failures:
            failures[request.quantity] = answer.failures[0].message
        for state, value in zip(states, answer.values.tolist(), strict=True):
            state[request.quantity] = _finite(value)
    return {"states": states, **({"failures": failures} if failures else {})}


def _finite(value: Any) -> Any:
    """Return nested numbers with null in place of what JSON cannot say."""
    if isinstance(value, list):
        return [_finite(entry) for entry in value]
    return value if math.isfinite(value) else None


def _read_json(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"), parse_constant=partial(_refuse, str(path)))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: this is not valid JSON: {error}") from error


def _refuse(path: str, word: str) -> float:
    raise UsageError(f"{path}: {word} is not a number that a state can have")
