"""The method visual-centre: from the text nearest to the document's centre to the ancestor where the text jumps."""

import json
import pickle

import pytest

import bonmun
from bonmun.methods.visual_centre import VisualCentre
from bonmun.model.page import Page
from tests.methods.drawing import drawn

TEA = "Tea is made of leaves, and of water that has just boiled."
MENU = '<div data-box="0 0 200 2000"><ul>' + "<li><a href=/>Kettles, cups and pots</a></li>" * 9 + "</ul></div>"
ARTICLE = (
    f'<div id="text" data-box="250 100 950 1800"><p data-box="250 900 950 1000">{TEA}</p><p>Serve hot. {TEA}</p></div>'
)
FOOTER = '<div data-box="0 1900 1000 2000"><p>All rights reserved by the house of tea, in all countries.</p></div>'


def texts(page: Page) -> list[str]:
    verdicts = VisualCentre().judge(page)
    return [text for text, kept in zip(page.blocks.text, verdicts.keep, strict=True) if kept]


def test_the_text_around_the_centre_is_kept_and_nothing_else() -> None:
    assert texts(drawn(MENU + ARTICLE + FOOTER)) == [TEA, f"Serve hot. {TEA}"]


def test_the_climb_ends_where_the_text_outside_links_jumps_most() -> None:
    page = drawn(MENU + ARTICLE + FOOTER)
    verdicts = VisualCentre().judge(page)
    assert verdicts.analysis is not None
    climb = verdicts.analysis.to_dict()
    assert climb["start"] == "/html/body/div[2]/p[1]/text()[1]"
    assert climb["chosen"] == "/html/body/div[2]"
    assert json.loads(json.dumps(climb)) == climb


def test_text_without_a_box_is_dropped_even_inside_the_region() -> None:
    hidden = '<p data-box="">Sign up for our letter about tea.</p>'
    page = drawn(MENU + ARTICLE.replace("</div>", f"{hidden}</div>") + FOOTER)
    verdicts = VisualCentre().judge(page)
    index = page.blocks.text.index("Sign up for our letter about tea.")
    assert not verdicts.keep[index]
    assert [str(reason) for reason in verdicts.reasons[index]] == ["not-visible: the browser gave it no box"]


def test_every_block_has_a_reason() -> None:
    page = drawn(MENU + ARTICLE + FOOTER)
    verdicts = VisualCentre().judge(page)
    names = {(bool(kept), reasons[0].name) for kept, reasons in zip(verdicts.keep, verdicts.reasons, strict=True)}
    assert names == {(True, "in-region"), (False, "outside-region")}
    assert 0 < verdicts.confidence < 1


def test_a_page_without_styles_where_all_boxes_start_at_the_left() -> None:
    paragraphs = "".join(f'<p data-box="8 {at} 992 {at + 100}">{at}. {TEA}</p>' for at in range(300, 1700, 100))
    page = drawn(f'<a data-box="8 0 60 20" href=/>Home</a><div data-box="8 300 992 1700">{paragraphs}</div>')
    assert len(texts(page)) == 14


def test_a_document_without_size_keeps_the_text_around_the_first_one() -> None:
    page = drawn(f"<div><p>{TEA}</p></div>", document=(0, 0))
    assert texts(page) == [TEA]


def test_a_page_of_nothing_but_links_and_short_texts() -> None:
    assert texts(drawn("<p>Tea</p>")) == ["Tea"]
    assert texts(drawn("<p><a href=/>Tea and milk and sugar</a></p>")) == ["Tea and milk and sugar"]


def test_a_page_whose_text_was_not_drawn_is_judged_by_all_its_text() -> None:
    verdicts = VisualCentre().judge(page := drawn(f'<div data-box=""><p>{TEA}</p></div><p>Loading'))
    assert [text for text, kept in zip(page.blocks.text, verdicts.keep, strict=True) if kept] == [TEA]
    assert verdicts.warnings == ("the browser drew less than 30 % of the text: hidden text was judged too",)


@pytest.mark.parametrize("html", ["", "<button>Buy</button>", "<script>tea()</script>"])
def test_a_page_without_text_has_a_note(html: str) -> None:
    verdicts = VisualCentre().judge(drawn(html))
    assert not any(verdicts.keep)
    assert [reason.name for reason in verdicts.notes] == ["no-text"]


def test_a_page_that_was_not_rendered_is_refused() -> None:
    with pytest.raises(bonmun.NotRendered, match=r"bonmun\.render"):
        VisualCentre().judge(bonmun.read_page(f"<p>{TEA}"))


def test_verdicts_can_be_pickled() -> None:
    verdicts = VisualCentre().judge(drawn(MENU + ARTICLE))
    assert pickle.loads(pickle.dumps(verdicts)) == verdicts  # noqa: S301


def test_it_favours_neither_precision_nor_recall() -> None:
    with pytest.raises(bonmun.UnsupportedPreference):
        bonmun.extract(drawn(ARTICLE), method="visual-centre", prefer="recall")
