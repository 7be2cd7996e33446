"""Writers need time in proportion to the page, whatever its shape, and obey the time limit."""

from time import process_time

import pytest

import bonmun
from bonmun.deadline import within
from bonmun.model.document import Document
from bonmun.model.verdict import Reason, Verdicts
from tests.without_core import needs_depth

WRITERS = ("text", "markdown", "html", "json", "xml", "tei", "explain")
SMALL, TIMES = 300, 8


def marks(count: int) -> str:
    return "".join(f"x<sup><a href=#n{number}>{number}</a></sup> " for number in range(count))


SHAPES = {
    "texts below 500 marks": lambda count: "<p>" + "<b>" * 500 + "a<i>b</i>" * count,
    "marks never closed": lambda count: "<p>" + "<b>a<i>b" * count,
    "lines below 500 spans": lambda count: "<span>" * 500 + "a line<br>" * count,
    "texts below 500 divs": lambda count: "<div>" * 500 + "<p>a few words</p>" * count,
    "blocks of two depths below 400 marks": lambda count: "<div>" + "<b>" * 400 + "<p>x</p>y" * count,
    "paragraphs in one deep link": lambda count: "<a href=/x>" + "<span>" * 400 + "<p>x</p>" * count,
    "texts without marks": lambda count: "<p>" + "<span>a few words </span>" * 20 * count,
    "marks that Markdown has not": lambda count: "<p>" + "<mark>x</mark>y" * 10 * count,
    "a text at each depth": lambda count: "<div>x" * 10 * count,
    "a list with stray texts": lambda count: "<ol reversed>" + "<li>a</li>x" * count,
    "notes in a table": lambda count: (
        f"<p>{marks(count)}</p><table>"
        + "".join(f"<tr><td id=n{number}>{number}</td><td>note</td></tr>" for number in range(count))
    ),
    "notes and rules": lambda count: (
        "<hr>" * count + f"<p>{marks(count)}" + "".join(f"<p id=n{number}>a note</p>" for number in range(count))
    ),
    "pictures in an element of many names": lambda count: (
        f"<div class='{'a-' * 10 * count}'>" + "<img src=/a.png><p>x</p>" * count
    ),
    "headings": lambda count: "<h2>Tea</h2><p>x</p>" * count,
}


def keep_all(source: str) -> Document:
    page = bonmun.read_page(source)
    count = len(page.blocks)
    return Document(page, Verdicts([1] * count, [1.0] * count, [(Reason("all"),)] * count, 1.0), "all")


def seconds(source: str, writer: str) -> float:
    document = keep_all(source)
    started = process_time()
    document.write(writer)
    return process_time() - started


@pytest.mark.cpu_timed
@needs_depth
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_page_not_faster(shape: str, writer: str) -> None:
    # 8 times the page takes 64 times as long where a writer is quadratic; the margin is for a busy machine.
    small = min(seconds(SHAPES[shape](SMALL), writer) for _ in range(2))
    large = seconds(SHAPES[shape](SMALL * TIMES), writer)
    assert large < 3 * TIMES * small + 0.5


@pytest.mark.parametrize("writer", WRITERS)
def test_a_writer_stops_at_the_time_limit(writer: str) -> None:
    document = keep_all("<ul>" + "<li>word" * 100)
    with within(0.0), pytest.raises(bonmun.LimitExceeded):
        document.write(writer)


def test_xpaths_of_deep_texts_are_short() -> None:
    document = keep_all("<div>" * 400 + "<p>one</p><p>two</p>")
    path = document.blocks[1].xpath
    assert path.endswith("/descendant::p[2]")
    assert path.count("/") == 34


def test_thousands_of_like_blocks_are_explained_once() -> None:
    explained = keep_all("<p>Tea</p><ul>" + "<li>a word</li>" * 2500).explain()
    assert "… 2,300 more of these" in explained
    assert explained.count("a word") < 500
    assert "Only 201 blocks are listed" in explained


def test_hundreds_of_like_blocks_are_all_explained() -> None:
    explained = keep_all("<ul>" + "<li>a word</li>" * 500).explain()
    assert "more of these" not in explained
    assert explained.count("<li>") == 500


def test_runs_without_links_are_joined_in_linear_time() -> None:
    document = keep_all("<p>" + "<a href=/x>tea </a>" * 20_000)
    assert len(document.with_output(bonmun.Output(links=False)).blocks[0].runs) == 1
