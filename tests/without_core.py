"""The Python twins, in tests that hold them against the compiled parts."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bonmun.core import core


@contextmanager
def without_core() -> Iterator[None]:
    """As on a machine where nothing could be compiled."""
    try:
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("BONMUN_READER", "reference")
            core.cache_clear()
            yield
    finally:
        core.cache_clear()
