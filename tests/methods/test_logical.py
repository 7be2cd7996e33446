"""M3 as published: the cleaning lists, the lists of the paper's tables, the region, every edge of the definition."""

from collections import Counter

import pytest

import bonmun
from bonmun.methods.keyword_weights import weight
from bonmun.methods.logical import LogicalAnalysis
from bonmun.methods.logical_cleaning import leaf_blocks
from bonmun.model.document import Document
from bonmun.read.parse import parse

SENTENCE = "The harbour was quiet that morning, and the boats lay still beside the old harbour wall."


def extract(html: str) -> tuple[Document, LogicalAnalysis]:
    doc = bonmun.extract(html, method="logical")
    assert isinstance(doc.analysis, LogicalAnalysis)
    return doc, doc.analysis


def test_the_papers_block_weighs_36() -> None:
    # Seed 002, table 2: ten nouns, each once in block 10, with these frequencies in the page.
    nouns = "특별법 배 보상 피해자 피해지역 지원 추모사업 일 본회의 처리".split()
    frequency = Counter(dict(zip(nouns, [4, 4, 4, 5, 2, 6, 2, 5, 2, 2], strict=True)))
    assert weight(Counter(nouns), frequency) == 36


def test_the_papers_block_weighs_36_on_a_page() -> None:
    nouns = "특별법 선박 보상 피해자 피해지역 지원 추모사업 노동 본회의 처리".split()
    counts = [4, 4, 4, 5, 2, 6, 2, 5, 2, 2]
    others = "".join(f"<p>{noun}, {noun}.</p>" * ((count - 1) // 2) + f"<p>{noun}.</p>" * ((count - 1) % 2)
                     for noun, count in zip(nouns, counts, strict=True))  # fmt: skip
    _, analysis = extract(f"<div><p>{', '.join(nouns)}.</p>{others}</div>")
    assert analysis.keywords.analyser.startswith("kiwipiepy")
    assert dict(analysis.keywords.frequency) == dict(zip(nouns, counts, strict=True))
    assert analysis.weights[0] == 36


def test_compound_nouns_count_as_one_and_a_latin_word_as_a_noun() -> None:
    _, analysis = extract("<div><p>피해지역의 COVID-19 대책</p><p>피해지역에는 COVID-19가 없다</p></div>")
    assert analysis.keywords.frequency == Counter({"피해지역": 2, "covid-19": 2})


@pytest.mark.parametrize(
    "removed",
    "<ul><li>x</ul>|<ol><li>x</ol>|<dl><dt>x<dd>x</dl>|<a href=#>x</a>|<h2>x</h2>|<strong>x</strong>|<em>x</em>"
    "|<font>x</font>|<textarea>x</textarea>|<form>x</form>|<button>x</button>|<label>x</label>|<address>x</address>"
    "|<select><option>x</select>|<fieldset>x</fieldset>|<object>x</object>|<iframe>x</iframe>|<script>x</script>"
    "|<style>x</style>|<noscript>x</noscript>|<xmp>x</xmp>".split("|"),
)
def test_the_papers_lists_are_removed_with_their_content(removed: str) -> None:
    assert [block.text for block in leaf_blocks(parse(f"<div>one {removed} two</div>"))] == ["one two"]


def test_br_and_hr_and_img_leave_the_text_around_them() -> None:
    assert [block.text for block in leaf_blocks(parse("<div>one<br>two<img src=a.png>three<hr>four</div>"))] == [
        "one two three four"
    ]


def test_p_and_span_count_as_div_and_other_elements_are_no_blocks() -> None:
    html = "<p>p</p><span>span</span><div>div</div><article>article</article><table><tr><td>cell</table>"
    assert [block.text for block in leaf_blocks(parse(html))] == ["p", "span", "div"]


def test_a_div_whose_child_carries_text_is_no_leaf() -> None:
    # The paper's own condition; inline markup that it does not remove, such as <b>, hides a paragraph.
    html = "<div>around <p>inner</p></div><p>a <b>bold</b> word</p><div>own <i> </i> text</div>"
    assert [block.text for block in leaf_blocks(parse(html))] == ["inner", "own text"]


def test_blocks_are_numbered_in_document_order_and_empty_ones_are_not() -> None:
    blocks = leaf_blocks(parse("<div> </div><div>one</div><div><ul><li>list</ul></div><div>two</div>"))
    assert [(block.id, block.text) for block in blocks] == [(0, "one"), (1, "two")]


def test_nouns_that_occur_once_are_dropped() -> None:
    _, analysis = extract("<div><p>harbour boat</p><p>harbour wall</p></div>")
    assert analysis.keywords.frequency == Counter(harbour=2)
    assert analysis.keywords.nouns[0] == Counter(harbour=1, boat=1)
    assert analysis.weights == (2, 2)


def page_of(lengths: list[int]) -> str:
    """A page whose blocks have these numbers of the same word, and so lengths and weights in that order."""
    return "<div>" + "".join(f"<p>{' '.join(['harbour'] * times)}</p>" for times in lengths) + "</div>"


def test_candidates_are_in_the_top_ten_of_both_lists() -> None:
    light = "".join(f"<p>{name * 30}</p>" for name in "abcdefghijkl")  # long words without a second occurrence
    doc, analysis = extract(f"<div>{light}</div>{page_of([9, 8, 7])}")
    assert analysis.by_weight == (12, 13, 14)
    assert analysis.by_length[:3] == (12, 13, 14)
    assert analysis.candidates == (12, 13, 14)
    assert doc.text.count("harbour") == 24


def test_equal_lengths_and_weights_stand_in_document_order() -> None:
    _, analysis = extract(page_of([3] * 14))
    assert analysis.by_length == tuple(range(14))
    assert analysis.by_weight == tuple(range(14))
    assert analysis.candidates == tuple(range(10))


def test_a_page_with_fewer_than_ten_blocks_has_as_many_candidates() -> None:
    _, analysis = extract(page_of([2, 3]))
    assert analysis.candidates == (0, 1)


def test_a_page_with_one_block_is_that_block() -> None:
    doc, analysis = extract("<div><p>The harbour, the harbour!</p></div>")
    assert (analysis.candidates, doc.text) == ((0,), "The harbour, the harbour!")


@pytest.mark.parametrize("text", ["1 2 3, 4 5 6.", "Only once."])
def test_without_a_noun_that_recurs_the_longest_block_is_taken_and_said(text: str) -> None:
    doc, analysis = extract(f"<section><div><p>{text}</p></div></section><nav><span>x</span></nav>")
    assert doc.text == text
    assert [reason.name for reason in doc.reasons] == ["no-keywords"]
    assert doc.confidence == 0
    assert analysis.by_weight == ()


def test_without_a_common_block_the_heaviest_is_taken_and_said() -> None:
    long = "".join(f"<p>{letter * 90}</p>" for letter in "abcdefghij")
    doc, _ = extract(f"<article>{long}</article><main><section><div><p>boat boat</p></div></section></main>")
    assert [reason.name for reason in doc.reasons] == ["no-common-block"]
    assert doc.text == "boat boat"


def test_a_page_without_blocks_is_empty_with_a_reason() -> None:
    doc, analysis = extract("<ul><li>Home</ul>")
    assert (doc.status, doc.reasons[0].name, analysis.region) == ("empty", "no-text", None)
    assert analysis.tables()[2].rows == ()


def test_lists_links_and_emphasis_of_the_region_come_back() -> None:
    inner = f"<p>{SENTENCE}</p><ul><li>an item</ul><p>{SENTENCE} <a href=#>a link</a></p><h2>A heading</h2>"
    doc, analysis = extract(f"<div id=body>{inner}</div>")
    assert analysis.region == "/html/body/div[1]"
    assert [block.text for block in doc.blocks] == [SENTENCE, "an item", f"{SENTENCE} a link", "A heading"]


def test_clusters_with_a_common_ancestor_two_levels_up_are_one_region() -> None:
    section = f"<section><div><p>{SENTENCE}</p></div></section>"
    _, analysis = extract(f"<main>{section}{section}</main>")
    assert len(analysis.clusters) == 2
    assert analysis.region == "/html/body/main[1]"


def test_clusters_further_apart_stay_apart_and_the_heavier_wins() -> None:
    far = "<section><section><section><div>{}</div></section></section></section>"
    doc, analysis = extract(far.format(f"<p>{SENTENCE}</p>") + far.format(f"<p>{SENTENCE}</p><p>{SENTENCE} More.</p>"))
    assert len(analysis.regions) == 2
    assert analysis.region == "/html/body/section[2]/section[1]/section[1]/div[1]"
    assert 0.5 < doc.confidence < 1


def test_of_regions_of_equal_weight_the_earlier_wins() -> None:
    far = "<section><section><section><div>{}</div></section></section></section>"
    _, analysis = extract(far.format("<p>tea cup</p>") + far.format("<p>cup tea</p>"))
    assert analysis.region is not None
    assert analysis.region.startswith("/html/body/section[1]/")


def test_a_block_of_one_syllable_is_dropped_with_its_reason() -> None:
    doc, _ = extract(f"<div><p>{SENTENCE}</p><p>홍</p><p>{SENTENCE}</p></div>")
    dropped = [block for block in doc.all_blocks if not block.keep]
    assert [(block.text, block.reasons[0].name) for block in dropped] == [("홍", "one-syllable")]


def test_an_inline_region_keeps_a_part_of_a_paragraph() -> None:
    doc, analysis = extract("<p>before <b><span>tea and tea</span></b> after</p>")
    assert analysis.region == "/html/body/p[1]/b[1]"
    assert doc.text == "tea and tea"


def test_every_block_has_a_score_by_weight_and_a_reason() -> None:
    doc, _ = extract(f"<div><p>{SENTENCE}</p></div><section><ul><li>Home</ul></section>")
    body, home = doc.all_blocks
    assert [reason.name for reason in body.reasons] == ["in-region", "candidate"]
    assert home.reasons[0].name == "outside-region"
    assert 0 <= home.score < 0.5 <= body.score <= 1


def test_the_papers_tables_can_be_printed_for_any_page() -> None:
    _, analysis = extract("<div><p>harbour boat</p><p>harbour</p></div>")
    one, two, three = analysis.tables()
    assert (one.columns, one.rows) == (("ID", "Keyword", "Text", "Frequency"), ((1, "harbour", "O", 2),))
    assert two.rows == ((0, "harbour boat", "harbour (1), boat (1)", 2), (1, "harbour", "harbour (1)", 2))
    assert three.rows == ((0, 12, 0, 2), (1, 7, 1, 2))


def test_the_analysis_is_plain_data_on_request() -> None:
    _, analysis = extract("<div><p>harbour boat</p><p>harbour</p></div>")
    data = analysis.to_dict()
    assert data["language"] in ("en", "und")
    assert data["keywords"] == {"harbour": 2}
    assert (data["by_length"], data["by_weight"], data["candidates"]) == ([0, 1], [0, 1], [0, 1])
    assert data["clusters"] == {"/html/body/div[1]": [0, 1]}
    assert data["regions"] == {"/html/body/div[1]": 4}
    assert data["region"] == "/html/body/div[1]"
    assert data["blocks"][0]["nouns"] == {"harbour": 1, "boat": 1}  # type: ignore[index]


def test_a_page_too_long_to_analyse_is_cut_with_a_warning() -> None:
    doc, analysis = extract(f"<div><p>{'harbour ' * 26_000}</p></div>")
    assert [warning.name for warning in analysis.warnings] == ["cut"]
    assert any(warning.startswith("cut") for warning in doc.warnings)
