"""M3 made sturdier: each change for itself, and all of them together."""

from dataclasses import fields

import pytest

import bonmun
from bonmun.methods.logical_robust import ALL, NONE, Changes, LogicalRobust, RobustAnalysis
from bonmun.model.document import Document
from tests.corpora import pages

SENTENCE = "The harbour was quiet that morning, and the boats lay still beside the old harbour wall. "
OTHER = "Nobody in the harbour knew whose boats they were, nor who had painted the wall. "


def extract(body: str, changes: Changes = ALL, head: str = "") -> Document:
    return bonmun.extract(f"<html lang=en><head>{head}</head><body>{body}</body>", method=LogicalRobust(changes))


def reason_for(doc: Document, text: str) -> str:
    return next(block.reasons[0].name for block in doc.all_blocks if text in block.text)


def article(*extra: str) -> str:
    return f"<div><p>{SENTENCE}</p>{''.join(extra)}<p>{OTHER}</p></div>"


def test_inline_markup_does_not_hide_a_paragraph() -> None:
    html = f"<div><p>{SENTENCE}<b>Bold</b></p><p>{OTHER}<i>more</i></p></div><section><div>menu menu</div></section>"
    assert "quiet that morning" not in extract(html, NONE).text
    assert extract(html).text.count("harbour") == 3


def test_a_text_right_inside_an_article_or_cell_competes() -> None:
    doc = extract(f"<article>{SENTENCE}<br>{OTHER}</article><div>menu</div>")
    assert "quiet that morning" in doc.text


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("<nav><p>{}</p></nav>", "page-furniture"),
        ("<footer><p>{}</p></footer>", "page-furniture"),
        ("<div id=cookieConsent><p>{}</p></div>", "page-furniture"),
        ("<div hidden><p>{}</p></div>", "hidden"),
        ("<select><option>{}</option></select>", "form-control"),
        ("<p><a href=#>{}</a></p>", "mere-links"),
    ],
)
def test_what_is_no_body_is_dropped_with_its_reason(markup: str, reason: str) -> None:
    doc = extract(article(markup.format("Something else, of some length.")))
    assert reason_for(doc, "Something else") == reason
    assert len(doc.blocks) == 2


def test_the_recurring_words_of_a_list_do_not_outweigh_the_article() -> None:
    entries = "".join(f"<p>likes {n} views {n} date 2018.06.{n:02}</p>" for n in range(30))
    html = article() + f"<section><div>{entries}</div></section>"
    assert "quiet that morning" in extract(html).text
    assert "likes 7" not in extract(html).text


def test_a_comment_list_that_outweighs_the_article_is_recognised_by_its_name() -> None:
    comments = "".join(f"<p>{SENTENCE * 3}({n})</p>" for n in range(9))
    html = article(f"<p>{SENTENCE}</p>") + f"<div class=reader-comments>{comments}</div>"
    doc = extract(html)
    assert reason_for(doc, "(5)") == "comments"
    assert "quiet that morning" in doc.text
    assert "(5)" in extract(html, NONE).text


def test_a_comment_list_without_a_name_is_recognised_by_its_reply_buttons() -> None:
    comments = "".join(f"<div><p>{SENTENCE * 3}({n})</p><span>답글</span></div>" for n in range(5))
    doc = extract(article(f"<p>{SENTENCE}</p>") + f"<div>{comments}</div>")
    assert reason_for(doc, "(3)") == "comments"
    assert len(doc.blocks) == 3


def test_on_a_forum_comments_are_the_content() -> None:
    posts = "".join(f"<div class=comment><p>{SENTENCE * 2}({n})</p></div>" for n in range(4))
    doc = extract(f"<h1>Boats</h1><div class=comments>{posts}</div>")
    assert "(3)" in doc.text


@pytest.mark.parametrize("title", ["<h1>A quiet harbour</h1>", "<h2>A quiet harbour</h2>", "<p>A quiet harbour</p>"])
def test_the_title_is_not_swallowed(title: str) -> None:
    html = f"<div>{title}<p>2024-05-06 09:30</p><p>{SENTENCE}</p><p>{OTHER}</p></div>"
    doc = extract(html, head="<title>A quiet harbour - The Daily</title>")
    assert reason_for(doc, "A quiet harbour") == "title"
    assert reason_for(doc, "2024") == "dateline"
    assert len(doc.blocks) == 2


def test_a_heading_later_in_the_text_stays_even_if_it_repeats_the_title() -> None:
    html = f"<div><p>{SENTENCE}</p><h2>A quiet harbour</h2><p>{OTHER}</p></div>"
    doc = extract(html, head="<title>A quiet harbour</title>")
    assert reason_for(doc, "A quiet harbour") == "in-region"


@pytest.mark.parametrize("label", ["광고", "[AD]", "Advertisement", "広告", "广告", "이미지 확대", "▼ 관련 기사"])
def test_labels_of_adverts_inside_the_body_are_dropped(label: str) -> None:
    assert reason_for(extract(article(f"<div>{label}</div>")), label) == "advert-label"


def test_a_sentence_about_adverts_is_no_label() -> None:
    assert reason_for(extract(article("<p>광고가 늘었다고 한다.</p>")), "광고가") == "in-region"


def test_a_heading_above_dropped_links_goes_with_them() -> None:
    links = "<h3>Read on</h3><ul><li><a href=#>Another story of the day</a></ul>"
    doc = extract(f"<div><p>{SENTENCE}</p><p>{OTHER}</p>{links}</div>")
    assert reason_for(doc, "Read on") == "heading-of-nothing"


def test_closing_notices_are_dropped() -> None:
    doc = extract(f"<div><p>{SENTENCE}</p><p>{OTHER}</p><p>저작권자 ⓒ 한빛일보 무단전재 및 재배포 금지</p></div>")
    assert reason_for(doc, "저작권자") == "closing-notice"


def test_a_region_is_entered_through_a_list_that_lays_the_page_out() -> None:
    aside = "<li><p>Copyright, terms and the like, in a sentence that is long enough.</p></li>"
    doc = extract(f"<ul><li><div><p>{SENTENCE}</p><p>{OTHER}</p></div></li>{aside}</ul>")
    assert reason_for(doc, "Copyright") == "outside-region"


def test_a_list_inside_the_text_is_not_taken_for_the_whole() -> None:
    items = "".join(f"<li>{SENTENCE}{OTHER}({n})</li>" for n in range(5))
    doc = extract(f"<div><p>{OTHER}</p><ul>{items}</ul><p>{SENTENCE}</p></div>")
    assert len(doc.blocks) == 7


def test_one_heavy_paragraph_does_not_stand_for_the_text() -> None:
    far = "<div><div><div><p>{}</p></div></div></div>"
    html = f"<main>{''.join(far.format(text) for text in (SENTENCE * 9, OTHER, SENTENCE))}</main>"
    assert len(extract(html).blocks) == 3
    assert len(extract(html, Changes(descent=False)).blocks) == 1


def test_a_page_without_text_is_empty_with_a_reason() -> None:
    doc = extract("<nav><a href=/>Home</a></nav>")
    assert (doc.status, doc.reasons[0].name) == ("empty", "no-text")


def test_a_page_whose_only_text_is_a_notice_is_empty_with_a_reason() -> None:
    doc = extract("<div><p>© 2024 Harbour News. All rights reserved.</p></div>")
    assert (doc.status, doc.reasons[-1].name) == ("empty", "nothing-left")


def test_scores_and_confidence_are_shares() -> None:
    doc = extract(article("<div>광고</div>") + f"<section><p>{OTHER}</p></section>")
    assert 0 < doc.confidence < 1
    assert all(0.5 <= block.score <= 1 if block.keep else 0 <= block.score < 0.5 for block in doc.all_blocks)


def test_the_analysis_is_plain_data_on_request() -> None:
    analysis = extract(article()).analysis
    assert isinstance(analysis, RobustAnalysis)
    data = analysis.to_dict()
    assert data["region"] == "/html/body/div[1]"
    assert data["keywords"] == {"harbour": 3, "boat": 2, "wall": 2}
    assert [candidate["weight"] for candidate in data["candidates"]] == [10, 7]  # type: ignore[attr-defined]


def test_with_every_change_off_it_is_the_published_method() -> None:
    assert not any(getattr(NONE, field.name) for field in fields(Changes))
    for page in [page for page in pages("cjk_dev") if page["lang"] != "ko"][::4]:
        published = bonmun.extract(page["html"], method="logical")
        # Blocks that an inline region holds in part are rounded up to whole ones.
        expected = [block.text for block in published.blocks if block.part is None]
        ours = bonmun.extract(page["html"], method=LogicalRobust(NONE))
        assert [block.text for block in ours.blocks if block.index not in published.verdicts.parts] == expected


def test_korean_pages_are_read_nearly_whole() -> None:
    missed, asked = 0, 0
    for page in [page for page in pages("cjk_dev") if page["group"] == "ndsoft_cms"]:
        text = "".join(bonmun.extract(page["html"], method="logical-robust").text.split())
        lines = ["".join(line.split()) for line in page["gold_text"].splitlines() if len(line) > 30]
        missed, asked = missed + sum(line not in text for line in lines), asked + len(lines)
    assert asked > 100
    assert missed <= 6
