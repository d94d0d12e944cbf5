"""Every claim about the protocol, put to one adapter, and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.conform import answers, ending, greeting, loading, malformed
from robodyn_check.conform.claim import Claim, Finding, NotApplicable, Violation
from robodyn_check.errors import AdapterError
from robodyn_check.sdk.protocol import ProtocolError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from robodyn_check.conform.bench import Bench

#: In the order in which a conversation goes: who cannot greet is asked nothing else.
CLAIMS: tuple[Claim, ...] = (
    *greeting.CLAIMS,
    *malformed.CLAIMS,
    *loading.CLAIMS,
    *answers.CLAIMS,
    *ending.CLAIMS,
)


def rehearse(
    bench: Bench, say: Callable[[str], None] = lambda _text: None, *, claims: Sequence[Claim] = CLAIMS
) -> tuple[Finding, ...]:
    """Put claims to the adapter, in order; a broken peer is replaced before the next one.

    After a first claim that does not hold, as a rule that it greets, nothing else is asked.
    """
    findings: list[Finding] = []
    try:
        for claim in claims:
            if findings and findings[0].verdict == "fail":
                findings.append(
                    Finding(slug=claim.slug, title=claim.title, verdict="skip", message="it does not greet")
                )
                continue
            say(f"protocol: {claim.title}")
            findings.append(_put(claim, bench))
    finally:
        bench.drop()
    return tuple(findings)


def _put(claim: Claim, bench: Bench) -> Finding:
    try:
        claim.examine(bench)
    except NotApplicable as reason:
        return Finding(slug=claim.slug, title=claim.title, verdict="skip", message=str(reason))
    except ProtocolError as error:
        bench.drop()
        text = f"answered with error {error.code}: {error}"
        return Finding(slug=claim.slug, title=claim.title, verdict="fail", message=text)
    except (Violation, AdapterError) as error:
        bench.drop()  # what it still says belongs to the failed claim
        return Finding(slug=claim.slug, title=claim.title, verdict="fail", message=str(error))
    return Finding(slug=claim.slug, title=claim.title, verdict="pass")
