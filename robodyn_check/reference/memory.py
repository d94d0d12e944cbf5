"""How the working memory of a chunk is held: two settings of what is below, each worth a good part of the time."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Size of the array that makes the C library keep freed memory: 31 MB, below glibc's 32 MB.
_KEPT = 31 << 17
#: Numbers in NumPy's buffers, fewer than the states of a chunk of a usual robot (the default is 8192).
_BUFFER = 256


def keep_memory() -> None:
    """Make the C library keep freed arrays for the next ones.

    glibc gives arrays of more than 128 kB back to the system as soon as they are freed, until it has seen a larger one
    come back; every chunk would then pay for having its pages mapped anew, which costs as much as the arithmetic. The
    array is never written, so it takes no memory.
    """
    np.empty(_KEPT)


@contextmanager
def small_buffers() -> Iterator[None]:
    """Make NumPy compute where the numbers are.

    An operand that is repeated along an axis, such as a vector per state beside a matrix per state, is first copied out
    into NumPy's buffer as often as it fits there, and the others with it; the copies cost more than the arithmetic. In
    a buffer shorter than the axis of states nothing can be repeated. No number depends on it.
    """
    before = np.setbufsize(_BUFFER)
    try:
        yield
    finally:
        np.setbufsize(before)
