"""A fault planted in a right subject, as the evidence that a diagnosis gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.checks.gravity import rotated
from robodyn_check.checks.probing import ask
from robodyn_check.diagnosis.evidence import Evidence, gather
from robodyn_check.quantities import QUANTITIES
from robodyn_check.requests import Answers

if TYPE_CHECKING:
    from robodyn_check.faults.fault import Answerer
    from tests.checks.conftest import Bench


def evidence_of(
    bench: Bench, answer: Answerer, *, quantities: tuple[str, ...] = tuple(QUANTITIES), coriolis: str = "christoffel"
) -> Evidence:
    """Ask a subject at the states of a bench."""
    requests = [ask(quantity, bench.states) for quantity in quantities]
    requests.append(ask("gravity_vector", bench.few, gravity=rotated(bench.gravity)))
    return gather(
        bench.scene,
        Answers({request.key: answer(request) for request in requests if request.quantity in quantities}),
        quantities=quantities,
        batch_of=lambda _: bench.states,
        few=bench.few,
        eps=2.0**-52,
        coriolis=coriolis,
        known_scales=[(bench.scales, bench.states), (bench.few_scales, bench.few)],
    )
