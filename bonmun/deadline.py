"""The time limit of an extraction or of one output, checked inside loops."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic

from bonmun.errors import LimitExceeded

_deadline = ContextVar[tuple[float, float] | None]("deadline", default=None)
"""The end and the limit in seconds of the work in progress."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Limit the time of a block of code; inside another limit, the earlier end holds.

    >>> with within(0.0):
    ...     check()
    Traceback (most recent call last):
    bonmun.errors.LimitExceeded: the page takes more than 0 seconds (Limits.seconds)
    """
    outer, own = _deadline.get(), (monotonic() + seconds, seconds)
    token = _deadline.set(own if outer is None else min(outer, own))
    try:
        yield
    finally:
        _deadline.reset(token)


def check() -> None:
    """Raise `LimitExceeded` if the time is over. A tenth of a microsecond: cheap enough for every block of a page."""
    deadline = _deadline.get()
    if deadline is not None and monotonic() >= deadline[0]:
        raise LimitExceeded("seconds", deadline[1], deadline[1])
