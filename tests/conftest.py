"""Hypothesis runs derandomized, so that a failure comes from a change and not from new examples.

`pytest --hypothesis-profile=default` searches for new examples.

A test marked `timed` or `cpu_timed` is tried three times: another process can slow one try down, but a path that takes
quadratic time is slow in all of them. Objects of earlier tests are frozen meanwhile, since every collection would visit
them. `make test` runs those marked `timed` alone, after all others: they measure time by the clock.
"""

import gc

import pytest
from hypothesis import settings

settings.register_profile("deterministic", derandomize=True, database=None)
settings.load_profile("deterministic")

_TRIES = 3


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not any(pyfuncitem.iter_markers("timed")) and not any(pyfuncitem.iter_markers("cpu_timed")):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    gc.collect()
    gc.freeze()
    try:
        for left in reversed(range(_TRIES)):
            try:
                pyfuncitem.obj(**arguments)
                break
            except AssertionError:
                if not left:
                    raise
    finally:
        gc.unfreeze()
    return True
