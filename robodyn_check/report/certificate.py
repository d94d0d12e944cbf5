"""How far the truth is proven, in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.report.words import plural, short

if TYPE_CHECKING:
    from robodyn_check.report.results import CertificateRecord


def certificate_sentence(certificate: CertificateRecord | None) -> str:
    """Say how far the reference is proven; None: this run did not try."""
    if certificate is None:
        return "Truth: the reference of robodyn-check, not certified in this run."
    worst = max(certificate.errors.values(), default=0.0)
    if not certificate.agreed:
        return (
            f"Truth: NOT proven: the reference left its proven bounds on {plural(certificate.states, 'state')} "
            f"(largest error {short(worst)} eps·S); treat every verdict below with care."
        )
    return (
        f"Truth: the reference is proven by ball arithmetic ({certificate.digits} digits) on "
        f"{plural(certificate.states, 'state')}; its largest error is {short(worst)} eps·S "
        "(eps·S: one rounding of the largest term)."
    )
