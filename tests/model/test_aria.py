"""ARIA roles give elements the meaning of headings, lists and tables."""

from time import process_time

import pytest

from bonmun.model.block import Kind
from tests.without_core import needs_depth
from tests.write.documents import document


def kinds(html: str) -> list[tuple[Kind, int]]:
    return [(block.kind, block.level) for block in document(html).blocks]


@pytest.mark.parametrize(
    ("html", "level"),
    [
        ("<div role=heading aria-level=3>a</div>", 3),
        ("<div role=Heading>a</div>", 2),
        ("<p role=heading aria-level=9>a</p>", 2),
        ("<div><span role=heading aria-level=1>a</span></div>", 1),
        ("<div role=heading aria-level=4><div>a</div></div>", 4),
    ],
)
def test_a_heading_has_its_aria_level(html: str, level: int) -> None:
    assert kinds(html) == [(Kind.HEADING, level)]


def test_a_span_of_a_longer_line_makes_no_heading_of_it() -> None:
    assert kinds("<p><span role=heading>a</span> b</p>") == [(Kind.PARAGRAPH, 0)]


def test_a_line_after_a_heading_is_no_part_of_it() -> None:
    assert document("<div><span role=heading>a</span><br>b</div>").markdown == "## a\n\nb"


def test_elements_with_a_meaning_keep_it() -> None:
    assert kinds("<h2 role=heading aria-level=5>a</h2><pre role=heading>b</pre><ul><li role=heading>c</ul>") == [
        (Kind.HEADING, 2),
        (Kind.CODE, 0),
        (Kind.ITEM, 1),
    ]


def test_items_know_their_nesting() -> None:
    html = "<div role=list><div role=listitem>a<div role=list><p role=listitem>b</p></div></div></div>"
    assert kinds(html) == [(Kind.ITEM, 1), (Kind.ITEM, 2)]
    assert document(html).markdown == "- a\n  - b"


def test_methods_see_the_tags_of_the_page() -> None:
    page = document("<div role=heading>a</div>").page
    assert page.blocks.kind == (Kind.PARAGRAPH,)
    assert page.shown_blocks.kind == (Kind.HEADING,)


def test_a_page_without_roles_has_its_own_blocks() -> None:
    page = document("<div role=main><p>a").page
    assert page.shown_blocks is page.blocks


def test_a_table_of_roles_is_a_data_table() -> None:
    row = "<div role=row><span role=cell>c</span><span role=cell>d</span></div>"
    doc = document(f"<div role=table><div role=row><b role=x></b><div role=columnheader>a</div></div>{row}</div>")
    assert doc.markdown == "| a | |\n| --- | --- |\n| c | d |".replace("| |", "|  |")


@pytest.mark.cpu_timed
@needs_depth
@pytest.mark.parametrize(
    "html",
    [
        "<div role=list>" + "<div role=listitem>a</div>" * 50_000,
        "<div role=list><div role=listitem>a" * 20_000,
        "<span role=heading>" * 20_000 + "a</span>b" * 20_000,
    ],
    ids=["items", "nested", "spans"],
)
def test_many_roles_take_linear_time(html: str) -> None:
    page = document(html).page
    started = process_time()
    assert len(page.shown_blocks)
    assert process_time() - started < 10
