"""Recompute one disputed number by both derivations at two precisions: who is right?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import flint

from robodyn_check.certify.certificate import from_energies, recursive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from robodyn_check.certify.certificate import Question

#: Bits of the two recomputations.
BITS = (256, 512)
#: Decimal digits shown of each.
DIGITS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Recomputation:
    """One entry by one derivation at one precision: midpoint and radius as text, and whether it contains a double."""

    derivation: str
    bits: int
    value: str
    radius: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """What both derivations say about one entry, and how far the two parties are from it.

    ``agree``: all balls overlap. ``error_of``: party -> |its value - truth|, as far as the party has one.
    """

    recomputed: tuple[Recomputation, ...]
    agree: bool
    truth: float
    error_of: dict[str, float]


def settle(question: Question, quantity: str, index: Sequence[int], claims: dict[str, float]) -> Dispute:
    """Recompute one entry of one quantity at the question's only state.

    Args:
        question: One robot at one state.
        quantity: Which quantity.
        index: Entry of one state's value; empty for a scalar.
        claims: Party -> the double that it computed.
    """
    found: list[tuple[str, int, Any]] = []
    for bits in BITS:
        with flint.ctx.workprec(bits):
            for name, derive in (("recursive", recursive), ("energies", from_energies)):
                values = derive(question, (quantity,))
                if quantity in values:
                    found.append((name, bits, values[quantity][(0, *index)]))
    with flint.ctx.workprec(BITS[-1]):
        balls = [ball for _, _, ball in found]
        agree = bool(balls) and all(a.overlaps(b) for a in balls for b in balls)
        truth = min(balls, key=lambda ball: float(ball.rad()), default=flint.arb(0))
        return Dispute(
            recomputed=tuple(
                Recomputation(
                    derivation=name, bits=bits, value=ball.str(DIGITS, radius=False), radius=f"{float(ball.rad()):.1e}"
                )
                for name, bits, ball in found
            ),
            agree=agree,
            truth=float(truth.mid()),
            error_of={party: abs(float((flint.arb(value) - truth).mid())) for party, value in claims.items()},
        )
