"""Python's garbage collector, paused while an output of a large page is written."""

import gc
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Final

_MANY: Final = 20_000
"""The least nodes of a page that is worth the pause. None of 354 pages of the development sets has as many."""


def paused(nodes: int) -> AbstractContextManager[None]:
    """Pause the cyclic garbage collector for a page with many nodes, if it is enabled.

    A writer makes a dozen objects for each block and no cycles. The collector looks at all of them again and again, and
    finds nothing: a third of the time on a page of 100,000 blocks. Threads may enter at the same time: the first to
    leave enables the collector again.

    >>> with paused(1_000_000):
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    return _paused() if nodes >= _MANY and gc.isenabled() else nullcontext()


@contextmanager
def _paused() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
