"""The same calls, answered by readability-lxml and by us."""

import inspect
import re
from typing import Any

import pytest
from lxml import html as lxml_html

from bonmun.compat.readability import Document, Unparseable
from tests.compat.comparison import BOILERPLATE, MAIN, PAGES, URL, unlike_parameters

theirs = pytest.importorskip("readability", reason="readability-lxml is not installed")
pytestmark = pytest.mark.filterwarnings("ignore:Truth-testing of elements:FutureWarning")

METHODS = ["title", "short_title", "author", "summary", "content", "get_clean_html"]


@pytest.mark.parametrize("name", sorted(PAGES))
def test_every_call_gives_a_string(name: str) -> None:
    page = PAGES[name].decode()
    for method in METHODS:
        mine, other = (getattr(made(page, url=URL), method)() for made in (Document, theirs.Document))
        assert type(mine) is type(other) is str, method


@pytest.mark.parametrize("name", sorted(PAGES))
def test_titles_and_authors_are_the_same(name: str) -> None:
    mine, other = (made(PAGES[name].decode(), url=URL) for made in (Document, theirs.Document))
    assert mine.title() == other.title()
    # 이바람 of 이바람 기자; theirs does not read JSON-LD
    assert mine.author() in other.author() or other.author() == "[no-author]"
    assert mine.short_title() in other.title()


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_summary_is_the_main_text_in_the_same_elements(name: str, partial: bool) -> None:
    trees = []
    for made in (Document, theirs.Document):
        summary = made(PAGES[name].decode(), url=URL).summary(html_partial=partial)
        assert MAIN[name] in re.sub(r"\s+", " ", summary)
        assert summary.startswith("<div>" if partial else "<html><body><div>")
        trees.append(lxml_html.fromstring(summary))
    assert not [part for part in BOILERPLATE if part in trees[0].text_content()]
    assert trees[0].tag == trees[1].tag == ("div" if partial else "html")


def test_links_and_pictures_are_absolute_as_theirs() -> None:
    page = PAGES["en-harbour"].decode()
    found = [
        [(link, kind) for _, kind, link, _ in lxml_html.fromstring(made(page, url=URL).summary()).iterlinks()]
        for made in (Document, theirs.Document)
    ]
    assert found[0] == found[1]
    assert len(found[0]) == 2


@pytest.mark.parametrize("page", ["", " \n", b"", None, 5], ids=["empty", "blank", "no bytes", "none", "number"])
def test_what_is_no_page_is_unparseable(page: Any) -> None:
    from readability.readability import Unparseable as Other

    with pytest.raises(Other):
        theirs.Document(page).summary()
    with pytest.raises(Unparseable):
        Document(page).summary()
    assert issubclass(Unparseable, ValueError) and issubclass(Other, ValueError)


def test_a_page_without_title_and_author_has_the_same_words_for_them() -> None:
    page = "<html><body><p>Tea is made of leaves, and of water that has just boiled.</p></body></html>"
    for method in ("title", "short_title", "author"):
        assert getattr(Document(page), method)() == getattr(theirs.Document(page), method)()


@pytest.mark.parametrize("name", ["__init__", *METHODS])
def test_every_parameter_of_theirs_is_one_of_ours_in_the_same_place(name: str) -> None:
    assert unlike_parameters(getattr(theirs.Document, name), getattr(Document, name)) == []


def test_bytes_are_decoded_by_both() -> None:
    page = PAGES["ko-harbour"].decode().replace("utf-8", "euc-kr").encode("cp949")
    for made in (Document, theirs.Document):
        assert MAIN["ko-harbour"] in made(page).summary()


def test_both_take_a_tree_of_lxml() -> None:
    for made in (Document, theirs.Document):
        assert MAIN["en-harbour"] in re.sub(r"\s+", " ", made(lxml_html.fromstring(PAGES["en-harbour"])).summary())


def test_the_documented_methods_are_all_there() -> None:
    documented = set(re.findall(r"^\s*\.(\w+)\(\)", inspect.getdoc(theirs.Document.__init__) or "", re.MULTILINE))
    assert documented == {"title", "short_title", "content", "summary"} <= {*dir(Document)}
