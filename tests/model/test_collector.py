"""The garbage collector is paused for large pages only, and always enabled again."""

import gc

import pytest

import bonmun
from bonmun import registry
from bonmun.limits import DEFAULT_LIMITS
from bonmun.model.metadata import Metadata

SMALL = "<p>Tea is made of leaves, and of water.</p>"
LARGE = SMALL + "<wbr>" * 20_000


def document(html: str, limits: bonmun.Limits = DEFAULT_LIMITS) -> bonmun.Document:
    """A document of all blocks, without the time that a method takes."""
    page = bonmun.read_page(html)
    count = len(page.blocks)
    return bonmun.Document(page, bonmun.Verdicts([1] * count, [1.0] * count, [()] * count, 1.0), "all", limits=limits)


def collector(_: bonmun.Document) -> str:
    """A writer of another package."""
    return str(gc.isenabled())


@pytest.fixture(autouse=True)
def _format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.FORMATS, "collector", f"{__name__}:collector")


def test_the_collector_is_paused_while_a_large_page_is_written() -> None:
    assert document(LARGE).write("collector") == "False"
    assert document(SMALL).write("collector") == "True"
    assert gc.isenabled()


def test_a_disabled_collector_stays_disabled() -> None:
    gc.disable()
    try:
        document(LARGE).write("collector")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_an_error_enables_it_again() -> None:
    hurried = document(LARGE, bonmun.Limits(seconds=0))
    hurried.metadata = Metadata()
    with pytest.raises(bonmun.LimitExceeded):
        hurried.write("json")
    assert gc.isenabled()
