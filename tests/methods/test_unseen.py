"""Labels for screen readers, names of icons and permalinks are left out of kept blocks, in every output."""

import time

import pytest

import bonmun
from tests.without_core import needs_depth

PROSE = "The rail was cast in the town's own foundry, which had closed before the last ferry left the quay."


def page(inside: str) -> str:
    return f"<article><h1>Harbour</h1><p>{PROSE}</p>{inside}<p>{PROSE.replace('rail', 'bell')}</p></article>"


@pytest.mark.parametrize(
    "label",
    [
        '<span class="sr-only">unseen</span>',
        '<span class="Visually-Hidden">unseen</span>',
        '<span class="visuallyhidden"><b>un</b>seen</span>',
        '<span class="screen-reader-text">unseen</span>',
        '<span class="u-hiddenVisually">unseen</span>',
        '<span class="assistive-text">unseen</span>',
        '<span class="usa-sr-only">unseen</span>',
        '<span class="sr-only-focusable">unseen</span>',
        '<i class="material-icons">unseen</i>',
        '<span class="material-symbols-outlined">unseen</span>',
    ],
)
def test_text_that_is_not_seen(label: str) -> None:
    document = bonmun.extract(page(f"<p>The wall {label} is old, and it was repaired with stones from the quarry."))
    for output in (document.text, document.markdown, document.html, document.to_xml()):
        assert "seen" not in output
        assert "The wall is old" in output


@pytest.mark.parametrize(
    "element",
    [
        '<span class="not-sr-only">is seen</span>',
        '<span class="sm:sr-only">is seen</span>',
        '<span class="sr-only md:not-sr-only">is seen</span>',
        '<span class="sr-only-wrapper">is seen</span>',
        '<span class="material-icons">is seen</span>',
        f'<span class="sr-only">is seen {PROSE * 6}</span>',
        '<span aria-hidden="true">is seen</span>',
    ],
)
def test_text_that_is_seen(element: str) -> None:
    assert "is seen" in bonmun.extract(page(f"<p>The wall {element} and {PROSE}</p>")).text


def test_a_colon_for_screen_readers_is_text() -> None:
    document = bonmun.extract(page(f'<p><b>Harbour</b><span class="sr-only">:</span> {PROSE}</p>'))
    assert f"Harbour: {PROSE}" in document.text


def test_a_block_of_labels_alone_is_dropped_with_a_reason() -> None:
    document = bonmun.extract(page(f'<h2 class="sr-only">Things to read</h2><p>{PROSE.replace("rail", "lamp")}</p>'))
    (block,) = [block for block in document.all_blocks if block.text == "Things to read"]
    assert not block.keep
    assert block.reasons[0].name == "unseen"


@pytest.mark.cpu_timed
@needs_depth
@pytest.mark.parametrize(
    "inside",
    [
        "<h2>Tea" + '<a href="#x">¶</a>' * 20_000 + "</h2>",
        "<h2>Tea" + '<span>[<a href="#x">edit</a>' * 2_000 + "</h2>",
        '<p class="sr-only">' * 20_000,
        '<span class="sr-only"><b>.</b>' * 2_000,
    ],
)
def test_many_of_them_take_linear_time(inside: str) -> None:
    start = time.process_time()
    assert bonmun.extract(page(inside)).markdown
    assert time.process_time() - start < 5
