"""Most libraries against the reference, said plainly: the votes, the proof, the state, the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.report.words import listing, one_line, plural, short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.report.results import CertificateRecord, ModelReport, Opposition


def opposition_blocks(model: ModelReport) -> tuple[tuple[str, ...], ...]:
    """Return the statements, one for all quantities with the same votes; the first line of each is its headline."""
    alike: dict[tuple[tuple[str, ...], tuple[str, ...], bool | None], list[Opposition]] = {}
    for opposition in model.oppositions:
        alike.setdefault((opposition.wrong, opposition.right, opposition.agreed), []).append(opposition)
    return tuple(_block(model, together) for together in alike.values())


def opposition_clause(model: ModelReport) -> str | None:
    """Return the clause for the verdict in a sentence; None where the reference stands with most libraries."""
    if not model.oppositions:
        return None
    return f"most libraries oppose the reference on {listing([one.quantity for one in model.oppositions], most=3)}"


def _block(model: ModelReport, together: Sequence[Opposition]) -> tuple[str, ...]:
    first, record = together[0], model.model
    who = f"{listing(first.wrong)} against {listing(first.right) or 'none'}"
    quantities = [one.quantity for one in together]
    lines = [f"most libraries oppose the reference on {listing(quantities, most=len(quantities))}: {who}"]
    if first.agreed is not None:
        lines.append(
            "votes: those against it agree with each other, which a fault that they share would explain too"
            if first.agreed
            else "votes: those against it do not agree with each other either"
        )
    lines.append(f"certificate: {_proof(model.certificate, quantities)}")
    if first.state is not None:
        values = "; ".join(f"{name} = ({_numbers(values)})" for name, values in first.inputs.items())
        lines.append(f"roundest state at which {first.quantity} shows it: state {first.state}, {values}")
    lines.append(
        f"model: {record.path}, SHA-256 {record.sha256[:12]}; the smallest model and state that still show it: "
        f"robodyn-check shrink REPORT {first.finding}"
    )
    lines.append(
        f"who is right: robodyn-check dispute REPORT {first.finding} computes the number twice in ball arithmetic; "
        "--format json=REPORT writes REPORT"
    )
    return tuple(one_line(line) for line in lines)


def _proof(certificate: CertificateRecord | None, quantities: Sequence[str]) -> str:
    proven = (
        {}
        if certificate is None
        else {name: certificate.errors[name] for name in quantities if name in certificate.errors}
    )
    if certificate is None or not proven:
        return "none in this run; --certify N proves the reference at N states"
    states = plural(certificate.states, "state")
    if not certificate.agreed:
        return f"NOT valid at {states}: the reference left its own bounds, so these verdicts are not to be trusted"
    errors = ", ".join(f"{name} {short(error)}" for name, error in proven.items())
    return (
        f"the reference is proven at {states} by two derivations in ball arithmetic of {certificate.digits} digits; "
        f"largest error in eps·S: {errors}"
    )


def _numbers(values: tuple[float, ...]) -> str:
    return ", ".join(f"{value:.12g}" for value in values)
