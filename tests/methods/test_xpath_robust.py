import pytest

import bonmun
from bonmun.model.document import Document

SENTENCE = "The harbour was quiet that morning, and the boats lay still beside the old stone wall. "


def extract(body: str) -> Document:
    return bonmun.extract(f"<body>{body}</body>", method="xpath-robust")


def reason_for(doc: Document, text: str) -> str:
    return next(block.reasons[0].name for block in doc.all_blocks if text in block.text)


def article(*paragraphs: str) -> str:
    return "<div>" + "".join(f"<p>{text}</p>" for text in paragraphs or (SENTENCE, SENTENCE)) + "</div>"


def test_inline_markup_does_not_break_a_group() -> None:
    doc = extract(article("One <b>bold</b> " + SENTENCE, SENTENCE + "<a href=#>link</a> end"))
    assert len(doc.blocks) == 2
    assert all(block.part is None for block in doc.blocks)


def test_headings_lists_quotes_and_tables_of_the_region_stay() -> None:
    table = "<table><tr><th>Boat<th>Length<tr><td>Alma<td>9 m</table>"
    html = f"<p>{SENTENCE}</p><h2>Part</h2><ul><li>item one</ul><blockquote>quoted</blockquote>{table}<p>{SENTENCE}</p>"
    doc = extract(f"<div>{html}</div>")
    assert {str(block.kind) for block in doc.blocks} == {"paragraph", "heading", "item", "quote", "cell"}


def test_a_longer_comment_list_does_not_win() -> None:
    comments = "".join(f"<li>{SENTENCE}</li>" for _ in range(9))
    doc = extract(article(SENTENCE * 5, SENTENCE * 4) + f"<section class='comments'><ul>{comments}</ul></section>")
    assert reason_for(doc, "morning") == "in-region"
    assert len(doc.blocks) == 2


def test_an_advert_in_the_middle_does_not_halve_the_article() -> None:
    advert = "<div class=advert><p>Buy a boat today!</p></div>"
    doc = extract(f"<div><p>{SENTENCE}</p>{advert}<p>{SENTENCE}</p></div>")
    assert len(doc.blocks) == 2
    assert reason_for(doc, "Buy") == "page-furniture"


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("<nav><p>{}</p></nav>", "page-furniture"),
        ("<footer><p>{}</p></footer>", "page-furniture"),
        ("<div role=navigation><p>{}</p></div>", "page-furniture"),
        ("<div id=cookieConsent><p>{}</p></div>", "page-furniture"),
        ("<div hidden><p>{}</p></div>", "hidden"),
        ("<select><option>{}</option></select>", "form-control"),
        ("<p><a href=#>{}</a></p>", "mere-links"),
    ],
)
def test_what_does_not_compete_is_dropped_with_its_reason(markup: str, reason: str) -> None:
    doc = extract(
        f"<div><p>{SENTENCE * 3}</p>{markup.format('Something else, of some length.')}<p>{SENTENCE}</p></div>"
    )
    assert reason_for(doc, "Something else") == reason
    assert len(doc.blocks) == 2


def test_a_name_alone_does_not_kill_an_article() -> None:
    doc = extract(f"<div class='related share comments'>{article()}</div><nav>Home</nav>")
    assert len(doc.blocks) == 2


def test_a_header_inside_the_article_is_no_page_header() -> None:
    doc = extract(
        f"<header><p>Site name</p></header><article><header><p>Deck of the story.</p></header>{article()}</article>"
    )
    assert reason_for(doc, "Site name") == "page-furniture"
    assert reason_for(doc, "Deck") != "page-furniture"


def test_a_link_among_plain_items_stays() -> None:
    doc = extract(
        f"<div><p>{SENTENCE}</p><ul><li>plain item<li>another one<li><a href=#>linked</a></ul><p>{SENTENCE}</p></div>"
    )
    assert reason_for(doc, "linked") == "in-region"


def test_on_a_listing_links_are_the_content() -> None:
    items = "".join(f"<li><a href=/{n}>{SENTENCE}</a> new</li>" for n in range(9))
    doc = extract(f"<div><ul>{items}</ul></div>")
    assert len(doc.blocks) == 9


@pytest.mark.parametrize(
    ("notice", "kind"),
    [
        ("저작권자 ⓒ 한빛일보 무단전재 및 재배포 금지", "copyright line"),
        ("무단 전재 및 AI 학습 이용 금지", "legal notice"),
        ("김하나 기자 hana@example.kr", "reporter's e-mail address"),
        ("责任编辑：李明", "editor's line"),
        ("未经授权，不得转载", "legal notice"),
        ("版权所有 本报社", "copyright line"),
        ("本サイトの記事の無断転載を禁じます", "legal notice"),
        ("© 2024 Harbour News. All rights reserved.", "copyright line"),
        ("This material may not be published, broadcast or rewritten.", "legal notice"),
        ("特别声明：以上内容为用户上传并发布。", "disclaimer"),
        ("本文仅代表作者个人观点。", "disclaimer"),
        ("Opinions in this column are those of its author.", "disclaimer"),
    ],
)
def test_closing_notices_are_dropped_with_a_reason(notice: str, kind: str) -> None:
    doc = extract(article(SENTENCE, SENTENCE, notice))
    dropped = [block for block in doc.all_blocks if not block.keep]
    assert [(block.text, block.reasons[0].name, block.reasons[0].detail) for block in dropped] == [
        (notice, "closing-notice", kind)
    ]


def test_a_sentence_about_copyright_early_in_the_article_stays() -> None:
    doc = extract(article("Copyright was the word of the day.", *[SENTENCE] * 9))
    assert len(doc.blocks) == 10


def test_a_heading_with_nothing_kept_below_is_dropped() -> None:
    links = "<h3>Read more</h3><ul><li><a href=#>Another story of the day</a></ul>"
    doc = extract(f"<div><h2>Part</h2><p>{SENTENCE}</p><p>{SENTENCE}</p>{links}</div>")
    assert reason_for(doc, "Read more") == "heading-of-nothing"
    assert reason_for(doc, "Part") == "in-region"


def test_a_heading_above_a_subheading_with_text_stays() -> None:
    doc = extract(f"<div><h2>Part</h2><h3>Sub</h3><p>{SENTENCE}</p><p>{SENTENCE}</p></div>")
    assert [block.text for block in doc.blocks][:2] == ["Part", "Sub"]


def test_an_image_follows_the_text_beside_it() -> None:
    doc = extract(f"<div><p>{SENTENCE}</p><p><img src=a.png></p><p>{SENTENCE}</p></div><div><img src=b.png></div>")
    assert [str(block.kind) for block in doc.blocks] == ["paragraph", "image", "paragraph"]


def test_the_analysis_tells_what_each_path_weighed() -> None:
    analysis = extract(article() + "<nav>Home</nav><section><p>Small print.</p></section>").analysis
    assert analysis is not None
    data = analysis.to_dict()
    assert data["region"] == "/html/body/div[1]"
    assert list(data["weights"]) == ["html/body/div", "html/body/section"]  # type: ignore[call-overload]


def test_nothing_but_links_and_furniture_is_empty_with_a_reason() -> None:
    doc = extract("<nav><a href=/>Home</a></nav>")
    assert doc.status == "empty"
    assert doc.reasons[0].name == "no-text"
    assert doc.text == ""


def test_a_page_whose_only_text_is_a_notice_is_empty_with_a_reason() -> None:
    doc = extract("<div><p>© 2024 Harbour News. All rights reserved.</p></div>")
    assert doc.status == "empty"
    assert doc.reasons[0].name == "nothing-left"
