"""What `bonmun.compat.readability` does whether readability-lxml is installed or not."""

import re

import pytest

import bonmun
from bonmun.compat.arguments import IgnoredArgument
from bonmun.compat.readability import Document, Unparseable
from tests.compat.comparison import PAGES, URL


def test_a_summary_is_our_html_in_a_div() -> None:
    content = bonmun.extract(PAGES["ja-bakery"], url=URL).html
    inside = content[content.index(">") + 1 : content.rindex("</article>")].strip()
    assert Document(PAGES["ja-bakery"], url=URL).summary() == f"<html><body><div>{inside}</div></body></html>"


def test_content_has_the_boilerplate_too_and_no_scripts() -> None:
    document = Document(PAGES["en-harbour"], url=URL)
    for html in (document.content(), document.get_clean_html()):
        assert "Night buses to run until three" in html and "dataLayer" not in html and "class=" not in html
    assert document.content().startswith("<body>") and document.content().endswith("</body>")
    assert document.get_clean_html().startswith("<html><head><title>Old ferry harbour reopens as a swimming bath | The")


def test_a_page_without_text_has_an_empty_summary() -> None:
    assert Document("<html><body></body></html>").summary(html_partial=True) == "<div></div>"


@pytest.mark.parametrize("call", ["title", "short_title", "author", "content", "summary", "get_clean_html"])
def test_a_pdf_and_an_empty_page_are_unparseable(call: str) -> None:
    for page in (b"%PDF-1.7", ""):
        with pytest.raises(Unparseable) as caught:
            getattr(Document(page), call)()
        assert isinstance(caught.value, bonmun.BonmunError)


@pytest.mark.parametrize("name", ["positive_keywords", "negative_keywords", "min_text_length", "retry_length", "xpath"])
def test_an_argument_without_effect_warns(name: str) -> None:
    with pytest.warns(IgnoredArgument, match=f"{name}=1 has no effect") as caught:
        Document("<p>Tea</p>", **{name: 1})  # type: ignore[arg-type]
    assert [re.split(r"[/\\]", warning.filename)[-1] for warning in caught] == ["test_readability.py"]
    with pytest.warns(IgnoredArgument, match="keep_all_images"):
        Document("<p>Tea</p>").summary(keep_all_images=True)


def test_the_title_of_a_drawing_is_not_the_title_of_the_page() -> None:
    drawing = "<svg><title>An arrow</title><path d='M0 0'/></svg>"
    page = f"<html><body>{drawing}<p>Tea is made of leaves, and of water that has just boiled.</p></body></html>"
    assert Document(page).title() == "[no-title]"
    assert Document(f"<title>Tea &amp; milk</title>{page}").title() == "Tea & milk"
    assert "<title>Tea &amp; milk</title>" in Document(f"<title>Tea &amp; milk</title>{page}").get_clean_html()
