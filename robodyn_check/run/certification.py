"""The certificate of one run: proven while the libraries work, then a record and, if it must be, a finding.

It runs in a thread of its own while the main thread waits for the libraries' answers.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

from robodyn_check.checks.probing import ask
from robodyn_check.report.results import CertificateRecord, Result
from robodyn_check.requests import Answer
from robodyn_check.run.assemble import REFERENCE

if TYPE_CHECKING:
    from robodyn_check.certify.certificate import Certificate
    from robodyn_check.model.mechanism import Mechanism
    from robodyn_check.model.robot import RobotModel
    from robodyn_check.run.subjects import Setting, Subject

CODE, SLUG = "RD990", "reference-is-certified"


def start_certificate(
    robot: RobotModel, mechanism: Mechanism, setting: Setting, *, asked: int | None
) -> Future[Certificate] | None:
    """Start to certify; None where the robot does not move or no state is wanted.

    Args:
        robot: As written.
        mechanism: In doubles.
        setting: The run's states and scales.
        asked: Number of states; None: by the robot's size.
    """
    if asked == 0 or mechanism.nv == 0:
        return None
    # Ball arithmetic takes 0.1 s to import, which a run without a certificate saves.
    from robodyn_check.certify.certificate import certify, spread, states_to_certify  # noqa: PLC0415

    count = states_to_certify(mechanism.nv, len(setting.states), asked, links=mechanism.nl)
    if count == 0:
        return None
    pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="certificate")
    rows = spread(len(setting.states), count)
    scales = setting.scales_of(len(setting.states))
    future = pool.submit(certify, robot, mechanism, setting.states, scales, rows, gravity=setting.gravity)
    pool.shutdown(wait=False)
    return future


def apply_certificate(
    proof: Future[Certificate] | None, setting: Setting, reference: Subject
) -> tuple[CertificateRecord | None, list[Result]]:
    """Wait for the certificate, let it stand behind the reference, and return its record and results.

    Where the double reference leaves its own bound, the certified values take its place at the certified states.
    """
    if proof is None:
        return None, []
    try:
        certificate = proof.result()
    except Exception as error:  # noqa: BLE001 - a fault of ours must not cost the libraries' answers
        text = f"the certificate failed, {type(error).__name__}: {error}. This is a fault of robodyn-check; report it."
        return None, [Result(code=CODE, slug=SLUG, verdict="error", subject=REFERENCE, message=text)]
    reference.declared = replace(reference.declared, certified=certificate.valid)
    for quantity in certificate.outside:
        _correct(setting, reference, certificate, quantity)
    return certificate_record(certificate), certificate_results(certificate)


def _correct(setting: Setting, reference: Subject, certificate: Certificate, quantity: str) -> None:
    """Put the certified values of one quantity in place of the reference's own."""
    request = ask(quantity, setting.states)
    answer = reference.answers.get(request)
    if isinstance(answer, Answer):
        values = answer.values.copy()
        values[list(certificate.rows)] = certificate.values[quantity]
        reference.answers = reference.answers.merged({request.key: replace(answer, values=values)})


def certificate_record(certificate: Certificate) -> CertificateRecord:
    """Return the report's record of a certificate."""
    return CertificateRecord(
        states=len(certificate.rows),
        digits=int(certificate.bits * 0.30103),
        errors=dict(certificate.errors),
        agreed=certificate.valid,
        seconds=certificate.seconds,
    )


def certificate_results(certificate: Certificate) -> list[Result]:
    """Return one result per certified quantity: a pass with its error, or the finding that the reference is wrong."""
    results = []
    for quantity, error in certificate.errors.items():
        message = None
        if quantity in certificate.disjoint:
            message = (
                f"the two derivations of {quantity} in ball arithmetic contradict each other in "
                f"{certificate.disjoint[quantity]} entries: one of them is wrong, so no verdict on {quantity} can be "
                "trusted. This is a fault of robodyn-check; please report it with the model."
            )
        elif quantity in certificate.outside:
            message = (
                f"the reference's {quantity} is {error:.3g} eps·S from its certified value, outside its own bound: "
                "verdicts near the bound are not to be trusted. This is a fault of robodyn-check; please report it."
            )
        results.append(
            Result(
                code=CODE,
                slug=SLUG,
                verdict="pass" if message is None else "error",
                subject=REFERENCE,
                quantity=quantity,
                message=message,
                error=error,
            )
        )
    return results
