"""Jets: truncated Taylor series in time that run through the reference engine in place of numbers.

A jet holds x(t) = Σ_k c_k t^k up to an order, for many instants at once: each coefficient is an array over the batch.
Object arrays of jets go through code that names no number type, so time derivatives of M q̈ + C q̇ + g come out without
any difference quotient: the k-th derivative is k! c_k.

Source: A. Griewank, A. Walther, Evaluating Derivatives, 2nd edition (2008), table 13.2 (from memory; each rule is the
product rule written out).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]


class Jet:
    """One scalar's series; ``c``: (order + 1, *batch)."""

    __slots__ = ("c",)
    #: NumPy scalars on the left leave the operation to the jet instead of taking it apart
    __array_ufunc__ = None

    def __init__(self, c: FloatArray) -> None:
        """Keep the coefficients."""
        self.c = c

    def __add__(self, other: Any) -> Jet:
        """Return the sum with a jet or a number."""
        if isinstance(other, Jet):
            return Jet(self.c + other.c)
        c = self.c.copy()
        c[0] += other
        return Jet(c)

    __radd__ = __add__

    def __neg__(self) -> Jet:
        """Return the negative."""
        return Jet(-self.c)

    def __sub__(self, other: Any) -> Jet:
        """Return the difference."""
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> Jet:
        """Return the difference with a number in front."""
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Jet:
        """Return the product: the Cauchy product of two series."""
        if not isinstance(other, Jet):
            return Jet(self.c * other)
        a, b = self.c, other.c
        return Jet(np.array([sum(a[i] * b[k - i] for i in range(k + 1)) for k in range(len(a))]))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Jet:
        """Return the quotient."""
        return self.__mul__(other.reciprocal()) if isinstance(other, Jet) else Jet(self.c / other)

    def __rtruediv__(self, other: Any) -> Jet:
        """Return a number divided by this jet."""
        return self.reciprocal().__mul__(other)

    def reciprocal(self) -> Jet:
        """Return one over the jet: solve x y = 1 order by order."""
        x = self.c
        y = [1.0 / x[0]]
        for k in range(1, len(x)):
            y.append(-y[0] * sum(x[i] * y[k - i] for i in range(1, k + 1)))
        return Jet(np.array(y))

    def sin(self) -> Jet:
        """Return the sine."""
        return self._sine_and_cosine()[0]

    def cos(self) -> Jet:
        """Return the cosine."""
        return self._sine_and_cosine()[1]

    def _sine_and_cosine(self) -> tuple[Jet, Jet]:
        """From s' = c x', c' = -s x'."""
        x = self.c
        s, c = [np.sin(x[0])], [np.cos(x[0])]
        for k in range(1, len(x)):
            s.append(sum(i * x[i] * c[k - i] for i in range(1, k + 1)) / k)
            c.append(-sum(i * x[i] * s[k - i] for i in range(1, k + 1)) / k)
        return Jet(np.array(s)), Jet(np.array(c))

    def sqrt(self) -> Jet:
        """Return the square root, from y y = x."""
        x = self.c
        y = [np.sqrt(x[0])]
        for k in range(1, len(x)):
            y.append((x[k] - sum(y[i] * y[k - i] for i in range(1, k))) / (2.0 * y[0]))
        return Jet(np.array(y))


def jets(derivatives: Sequence[FloatArray]) -> npt.NDArray[Any]:
    """Return an object array of jets, (1, n), from derivatives.

    Args:
        derivatives: x, x', x'', ... at B instants, each (B, n).

    Returns:
        (1, n) jets of batch (B,): one row, as `evaluate` takes it.
    """
    scaled = np.array([derivative / math.factorial(k) for k, derivative in enumerate(derivatives)])  # (order+1, B, n)
    out = np.empty((1, scaled.shape[2]), dtype=object)
    for i in range(scaled.shape[2]):
        out[0, i] = Jet(np.ascontiguousarray(scaled[:, :, i]))
    return out


def derivatives(values: npt.NDArray[Any], order: int, count: int) -> FloatArray:
    """Return derivatives 0 .. order from an object array of jets of any shape: (order + 1, count, *shape).

    Args:
        values: Jets; entries that no jet reached (structural zeros) are numbers.
        order: Of the jets.
        count: B, their batch.
    """
    out = np.zeros((order + 1, count, *values.shape))
    for index, value in np.ndenumerate(values):
        if isinstance(value, Jet):
            for k in range(order + 1):
                out[(k, slice(None), *index)] = math.factorial(k) * value.c[k]
        else:
            out[(0, slice(None), *index)] = value
    return out
