"""What overrules the scores: each rule on a page where the shipped model's scores say otherwise."""

import pytest

import bonmun
from bonmun.methods.learned.candidates import text_ends
from bonmun.methods.learned.plain_pages import loses_prose
from bonmun.methods.learned.rules import behind_the_text, cited_sources, intruders
from bonmun.methods.learned.tables import TableBlocks, evened, incomplete, tables
from bonmun.methods.trimming import repeated_runs
from bonmun.model.judged_block import Block
from bonmun.model.page import Page
from bonmun.model.verdict import Reason
from bonmun.read.page import read_page
from tests.methods.learned.test_method import _STORY, PAGE


def copies(page: Page) -> dict[int, Reason]:
    return repeated_runs(page, range(len(page.blocks)))


def overruled(html: str, name: str) -> list[Block]:
    return [block for block in bonmun.extract(html).all_blocks if block.reasons[0].name == name]


@pytest.mark.parametrize(
    "notice",
    [
        "The views expressed here are those of the author, who lives on the island and has sailed on it for years.",
        "This report may not be published, broadcast or rewritten without permission of those who told it to us.",
    ],
)
def test_a_closing_notice_that_reads_like_the_text_is_dropped(notice: str) -> None:
    (block,) = overruled(PAGE.replace("</article>", f"<p>{notice}</p></article>"), "closing-notice")
    assert (block.text, block.keep) == (notice, False)


def test_the_title_a_text_had_elsewhere_is_dropped() -> None:
    line = "（原标题：渡轮在风暴中返航，乘客抱怨不断，公司承诺退还所有船票的费用）"
    (block,) = overruled(PAGE.replace("</h1>", f"</h1><p>{line}</p>"), "title")
    assert (block.text, block.keep) == (line, False)


def test_a_long_copy_that_reads_like_the_text_is_dropped() -> None:
    lines = [f"{line} It was told of the {n}th voyage of that year." for n in range(3) for line in _STORY]
    story = "".join(f"<p>{line}</p>" for line in lines)
    copies = overruled(PAGE.replace("</h1>", f"</h1>{story}{story}"), "copy")
    assert copies
    assert all(block.text in lines and not block.keep for block in copies)


def test_what_is_missing_in_the_middle_of_the_text_is_put_back() -> None:
    code, picture = overruled(PAGE.replace("<img src=/ferry.jpg", "<pre>x</pre><img src=/ferry.jpg"), "inside")
    assert (code.text, code.keep) == ("x", True)
    assert picture.kind == "image"


_CELLS = """<table><tr><th>Boat<th>Seats<th>Crew
<tr><td><a href=/anna>Anna</a><td>120<td><ul><li><a href=/bo>Bo</a><li><a href=/li>Li</a></ul>
<tr><td><a href=/berta>Berta</a><td><td>1<br>2</table>"""


def test_a_table_is_kept_or_dropped_as_a_whole() -> None:
    for place, kept in (("<img src=/ferry.jpg", True), ("</nav>", False)):
        doc = bonmun.extract(PAGE.replace(place, f"{_CELLS}{place}"))
        (table,) = doc.page.blocks.tables
        cells = [doc.all_blocks[index] for index in doc.page.blocks_in(table)]
        assert len(cells) == 10
        assert {block.keep for block in cells} == {kept}, place


def test_hidden_blocks_and_buttons_do_not_belong_to_a_table() -> None:
    page = read_page("<table><tr><th>a<th>b<tr><td>c<td>d<button>sort</button><span hidden>e</span></table>")
    (unit,) = tables(page)
    assert [page.blocks.text_at(index) for index in unit.shown] == ["a", "b", "c", "d"]
    assert [page.blocks.text_at(index) for index in unit.others] == ["sort", "e"]


def test_a_button_that_is_all_of_a_header_cell_is_its_label() -> None:
    header = "<tr><th>a<button>sort</button><th><button>b</button>"
    page = read_page(f"<table>{header}<tr><td>c<td><button>buy</button><td>d</table>")
    (unit,) = tables(page)
    assert [page.blocks.text_at(index) for index in unit.shown] == ["a", "b", "c", "d"]


def test_the_mean_of_a_table_decides_and_anything_kept_completes_it() -> None:
    even = evened([0.9, 0.1, 0.5, 0.8], [3, 1, 9, 1], [TableBlocks([0, 1], [3])])
    assert even == pytest.approx([0.7, 0.7, 0.5, 0.7])
    assert incomplete([0, 1, 0, 0, 1], [TableBlocks([0, 1], []), TableBlocks([2, 3], [4])]) == [0]


_SENTENCE = "The harbour master counts the boats that come in with the tide, and writes them down in his book."


@pytest.mark.parametrize("times", [5, 50])
def test_a_page_of_one_sentence_many_times_is_kept_whole(times: int) -> None:
    doc = bonmun.extract("<article>" + f"<p>{_SENTENCE}</p>" * times + "</article>")
    assert doc.text.count(_SENTENCE) == times
    assert {block.reasons[0].name for block in doc.all_blocks} == {"plain-page"}
    assert doc.confidence <= 0.5


@pytest.mark.parametrize(
    "boilerplate",
    [
        "<ul><li><a href=/a>News</a><li><a href=/b>Sport</a></ul>",
        "<form><button>Search</button></form>",
        "<p>a<p>b" * 40,
    ],
)
def test_a_page_with_menus_forms_or_short_lines_is_not_plain(boilerplate: str) -> None:
    page = read_page(f"<p>{_SENTENCE}</p>" * 5 + boilerplate)
    sizes = [len(text.split()) for text in page.blocks.text]
    assert not loses_prose(page, bytes(len(sizes)), sizes)
    assert loses_prose(read_page(f"<p>{_SENTENCE}</p>" * 5), bytes(5), sizes[:5])


def test_refrains_and_columns_of_values_are_no_copies() -> None:
    refrain = "".join(f"<p>{line}</p>" for line in ("O blow the wind, the wind and rain,", "And bring my love to me."))
    verses = [f"<p>The {n}th ship has left the bay</p><p>And number {n} will sail today</p>" for n in range(40)]
    assert not copies(read_page("".join(f"{verse}<p>and so it was again</p>{refrain}" for verse in verses)))
    assert not copies(read_page("<p>allowed in this week</p><p>not allowed</p>" * 60))


@pytest.mark.parametrize(("paragraphs", "dropped"), [(5, 2), (0, 0)])
def test_comments_are_dropped_where_a_text_is_left_without_them(paragraphs: int, dropped: int) -> None:
    story = "".join(f"<p>{line}</p>" for line in _STORY)
    comments = "".join(f"<p>{line} So it was, and I have seen it.</p>" for line in _STORY[:2])
    page = read_page(f"<article>{story}</article><div class=comments>{comments}</div>")
    keep = bytearray(at >= len(_STORY) or at < paragraphs for at in range(len(page.blocks)))
    assert len(intruders(page, keep, (), True, text_ends(page, keep))) == dropped
    assert not intruders(page, keep, (), False, text_ends(page, keep))


def test_kept_blocks_behind_the_element_of_an_article_are_dropped() -> None:
    teaser = "The old lighthouse was sold last week, and nobody on the island knows who bought it, or why."
    page = PAGE.replace("</article>", f"</article><div><p>{teaser}</p></div>")
    read = read_page(page)
    keep = bytearray(b"\1" * len(read.blocks))
    scores = [1.0 if text in _STORY else 0.5 if text == teaser else 0.0 for text in read.blocks.text]
    behind = behind_the_text(read, keep, scores)
    assert teaser in [read.blocks.text[index] for index in behind]
    assert not any(read.blocks.text[index] in _STORY for index in behind)


def test_a_paragraph_beside_one_with_most_of_the_text_is_not_behind_it() -> None:
    page = read_page(f"<article><p>{' '.join(_STORY * 3)}</p><p>{_STORY[0]}</p></article>")
    assert behind_the_text(page, bytearray(b"\1\1"), [1.0, 1.0]) == []


def test_a_text_spread_over_the_page_has_nothing_behind_it() -> None:
    page = read_page("".join(f"<div><p>{line}</p></div>" for line in _STORY))
    count = len(page.blocks)
    assert behind_the_text(page, bytearray(b"\1" * count), [1.0] * count) == []


def test_entries_of_a_list_of_sources_are_dropped() -> None:
    sources = "".join(
        f"<li id=cite_note-{n}>^ Report {n} of the harbour office, which says it all.</li>" for n in (1, 2)
    )
    marked = PAGE.replace("</p>", "<sup><a href=#cite_note-1>[1]</a></sup></p>", 1)
    page = read_page(marked.replace("</article>", f"<ol class=references>{sources}</ol></article>"))
    entries = [index for index, text in enumerate(page.blocks.text) if "harbour office" in text]
    assert len(entries) == 2
    assert cited_sources(page, bytes([1] * len(page.blocks))) == entries[:1]
    assert not cited_sources(page, bytes(len(page.blocks)))
