"""The garbage collector is paused for large pages only, and always enabled again."""

import gc

import pytest

import bonmun
from bonmun import registry

LARGE = "<p>Tea is made of leaves, and of water.</p>" * 11_000
SMALL = "<p>Tea is made of leaves, and of water.</p>"


def collector(_: bonmun.Document) -> str:
    """A writer of another package."""
    return str(gc.isenabled())


@pytest.fixture(autouse=True)
def _format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.FORMATS, "collector", f"{__name__}:collector")


def test_the_collector_is_paused_while_a_large_page_is_written() -> None:
    assert bonmun.extract(LARGE).write("collector") == "False"
    assert bonmun.extract(SMALL).write("collector") == "True"
    assert gc.isenabled()


def test_a_disabled_collector_stays_disabled() -> None:
    gc.disable()
    try:
        bonmun.extract(LARGE).write("collector")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_an_error_enables_it_again() -> None:
    document = bonmun.extract(LARGE)
    document.limits = bonmun.Limits(seconds=0)
    with pytest.raises(bonmun.LimitExceeded):
        document.write("markdown")
    assert gc.isenabled()
