"""The fallbacks without the compiled core, for tests that compare the two."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bonmun.core import core


@contextmanager
def without_core() -> Iterator[None]:
    """Run without the compiled core, as after an installation without a compiler."""
    try:
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("BONMUN_READER", "reference")
            core.cache_clear()
            yield
    finally:
        core.cache_clear()


needs_depth = pytest.mark.skipif(core() is None, reason="the reference reader refuses pages this deep")
