"""Hypothesis runs derandomized, so that a failure comes from a change and not from new examples.

`pytest --hypothesis-profile=default` searches for new examples.

A test marked `timed` or `cpu_timed` is tried three times: another process can slow one try down, but a path that takes
quadratic time is slow in all of them. `make test` runs those marked `timed` alone, after all others: they measure time
by the clock. What was loaded before is frozen, since every collection would visit it: some 0.3 s each.

A shell starts background jobs with SIGINT ignored, and all their children inherit that: tests that interrupt something
would wait in vain.
"""

import gc
import signal

import pytest
from hypothesis import settings

settings.register_profile("deterministic", derandomize=True, database=None)
settings.load_profile("deterministic")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_TRIES = 3


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Leave binary data out of the names of tests: gzip holds the time, and two processes must agree on the names."""
    return argname if isinstance(val, bytes) and not all(32 <= byte < 127 for byte in val) else None


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not any(pyfuncitem.iter_markers("timed")) and not any(pyfuncitem.iter_markers("cpu_timed")):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    gc.collect()
    gc.freeze()
    for left in reversed(range(_TRIES)):
        try:
            pyfuncitem.obj(**arguments)
            break
        except AssertionError:
            if not left:
                raise
    return True
