"""Links that may be marks of footnotes: the compiled core finds all that are marks."""

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.core import core
from bonmun.model.footnotes import _fragment_links, _is_mark, _mark_rows, mark_rows_by_reference
from bonmun.model.page import Page
from bonmun.read.page import read_page
from tests.core.tag_soup import tag_soup
from tests.corpora import pages

pytestmark = pytest.mark.skipif(core() is None, reason="the compiled core is missing or disabled")

URL = "https://tea.example/a"
HREFS = (
    "#fn1",
    " \t#fn1 ",
    "\u3000#n2",
    "#",
    "",
    "/a#fn1",
    f"{URL}#fn1",
    f" {URL}#fn1",
    f"{URL} #fn1",
    f"{URL}/b#id1",
    "#x#n",
)
LABELS = (
    *(
        "1",
        "[1]",
        "note 1",
        "Footnote\n12",
        "NB",
        "xiv",
        "XIV",
        "ab",
        "abc",
        "Top",
        "Next",
        "fn*",
        "주1",
        "ｎｏｔｅ",
        "①",
    ),
    *(
        "<b>1</b>",
        "<i>n</i><i>o</i><i>t</i><i>e</i>",
        "<math><mi>x</mi></math>",
        "<s hidden>1</s>",
        "",
        "more text than a mark",
    ),
)


def check(page: Page) -> None:
    found, listed = list(_mark_rows(page)), list(mark_rows_by_reference(page.nodes))
    assert set(found) <= set(listed) and found == sorted(found)
    marks = [row for row, fragment in _fragment_links(page, listed) if _is_mark(page.nodes, row, fragment)]
    assert set(marks) <= set(found)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(HREFS), st.sampled_from(LABELS)), max_size=12), st.booleans(), st.booleans())
def test_no_mark_is_missed(links: list[tuple[str, str]], superscripts: bool, has_url: bool) -> None:
    html = "<p>Tea".join(f'<a href="{href}">{label}</a>' for href, label in links)
    check(read_page(("<sup>2</sup>" if superscripts else "") + html, url=f"{URL}#top" if has_url else None))


@settings(max_examples=60, deadline=None)
@given(tag_soup())
def test_no_mark_is_missed_in_tag_soup(soup: str) -> None:
    check(read_page(soup))


def test_no_mark_is_missed_on_real_pages() -> None:
    for record in islice(pages("wcxb_dev"), 0, None, 40):
        check(read_page(record["html"], url=record["url"]))


def test_a_menu_has_no_candidates() -> None:
    page = read_page(
        '<a href="#top">Top</a> <a href="/n">1</a> <a href="#a">To the text, please</a> <a href="#b">About</a>'
    )
    assert not list(_mark_rows(page))


def test_targets_without_an_end_are_found_nowhere() -> None:
    compiled, nodes = core(), read_page("<a href=#fn1>1</a>").nodes
    assert compiled
    href = nodes.attr_number("href")
    assert compiled.mark_rows(nodes.held, href, b"", b"#fn\0")
    assert not compiled.mark_rows(nodes.held, href, b"", b"#fn")
