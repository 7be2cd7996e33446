"""Footnotes: which links are marks, which elements are notes, and what belongs to a note."""

from time import process_time

import pytest

import bonmun
from tests.write.documents import document

MARK = '<p>Tea<sup><a id="ref1" href="#fn1">1</a></sup> is made of leaves.'


def bodies(html: str) -> list[list[str]]:
    doc = document(html)
    labels = doc.footnotes.bodies
    found: dict[str, list[str]] = {}
    for block in doc.blocks:
        if block.index in labels and block.text:
            found.setdefault(labels[block.index], []).append(block.text)
    return list(found.values())


@pytest.mark.parametrize(
    "note",
    [
        '<p id="fn1">A note.',
        '<ol><li id="fn1">A note. <a href="#ref1">↩</a></ol>',
        '<ol><li id="fn1"><p>A note. <a href="#ref1" role="doc-backlink">Back to text</a></ol>',
        '<div id="fn1"><sup>1</sup> A note.</div>',
        '<p><a name="fn1" href="#ref1">[1]</a> A note.',
        '<p><a href="#ref1">^</a> <span id="fn1">A note.</span>',
        '<dl><dt id="fn1">[1]</dt><dd>A note.</dd></dl>',
        '<table><tr><td id="fn1">1</td><td>A note.</td></tr></table>',
        '<aside role="doc-footnote" id="fn1"><p>1. A note.</aside>',
        '<p id="fn1">1 A note.',
        '<p id="fn1">[1]: A note.',
        '<p id="fn1">（1）A note.',
    ],
)
def test_a_note_is_its_text_without_number_and_links_back(note: str) -> None:
    assert bodies(MARK + note) == [["A note."]]


@pytest.mark.parametrize(
    "html",
    [
        '<p>Tea<sup><a href="#fn1">1</a></sup> is hot.',
        '<p>See <sup><a href="#note-x">1</a></sup> first.<div id="note-x"><h2>Notes on tea</h2><p>Tea is hot.</div>',
        '<p>Go to <a href="#leaves">2</a>.<p id="leaves">Leaves are green.',
        '<h2 id="fn1">Tea <a href="#fn1">#</a></h2><p>Tea is hot.',
        '<p id="fn1">Tea is hot.<p>More<sup><a href="#fn1">1</a></sup> tea.',
        '<p>Tea<sup><a href="/other#fn1">1</a></sup> is hot.<p id="fn1">A note.',
        f'<p>Tea<sup><a href="#fn1">1</a></sup> is hot.<p id="fn1">{"A long section. " * 300}',
        '<p>Tea <a href="#fn1">and all that belongs to it</a> is hot.<p id="fn1">A note.',
        '<p>Tea<sup><a href="#fn1">1</a></sup>, milk<sup><a href="#fn2">2</a></sup>.'
        '<p><a id="fn1"></a>Hot. <a id="fn2"></a>Cold.',
    ],
)
def test_other_links_are_no_marks(html: str) -> None:
    doc = document(html)
    assert not doc.footnotes.labels
    assert [block.text for block in doc.blocks] == list(doc.page.blocks.text)


def test_all_blocks_of_a_note_belong_to_it() -> None:
    assert bodies(MARK + '<ol><li id="fn1"><p>One.<p>Two. <a href="#ref1">↩</a></ol><p>After.') == [["One.", "Two."]]
    assert bodies(MARK + '<div id="fn_1"><p><a name="fn1"></a>One.<p>Two.</div><p>After.') == [["One.", "Two."]]


def test_notes_on_the_lines_of_one_paragraph_are_separate() -> None:
    marks = '<p>Tea<sup><a href="#fn1">1</a></sup>, milk<sup><a href="#fn2">2</a></sup>.'
    assert bodies(marks + '<p><a id="fn1"></a>Hot.<br><a id="fn2"></a>Cold.') == [["Hot."], ["Cold."]]


@pytest.mark.parametrize(
    ("marks", "labels"),
    [("12", ("1", "2")), ("ab", ("a", "b")), ("*†", ("1", "2")), ("aA", ("1", "2")), ("③④", ("3", "4"))],
)
def test_labels_are_those_of_the_page_if_they_are_unique_words(marks: str, labels: tuple[str, ...]) -> None:
    first, second = marks
    html = f'<p>Tea<sup><a href="#fn1">{first}</a></sup>, milk<sup><a href="#fn2">{second}</a></sup>.'
    assert document(html + '<p id="fn1">Hot.<p id="fn2">Cold.').footnotes.labels == labels


@pytest.mark.parametrize("mark", ["[1]", "(1)", "주1)", "注1", "［1］", "[note 1]", "①", "1."])
def test_marks_are_written_in_many_ways(mark: str) -> None:
    doc = document(f'<p>Tea<sup><a href="#fn1">{mark}</a></sup> is hot.<p id="fn1">A note.')
    assert doc.blocks[0].text == "Tea[1] is hot."


def test_brackets_around_a_link_belong_to_the_mark() -> None:
    assert document('<p>Tea [<a href="#fn1">1</a>] is hot.<p id="fn1">A note.').blocks[0].text == "Tea [1] is hot."


def test_a_note_needs_its_mark_and_a_mark_its_note() -> None:
    html = MARK + '<p id="fn1">A note.'
    assert not document(html, drop=("A note.",)).footnotes.labels
    doc = document(html, drop=("Tea¹ is made of leaves.",))
    assert not doc.footnotes.labels and doc.blocks[0].text == "A note."


def test_a_sidenote_is_a_note() -> None:
    html = '<p>Tea<label for="sn-a"></label><input id="sn-a"><span class="sidenote">A <b>note</b>.</span> is hot.'
    doc = document(html)
    assert doc.text == "Tea[1] is hot.\n\n[1] A note."
    assert doc.markdown == "Tea[^1] is hot.\n\n[^1]: A **note**."


def test_superscripts_beside_marks_keep_their_form() -> None:
    html = '<p>It covers 10<sup>6</sup> km<sup>2</sup><sup><a href="#fn1">1</a></sup> of land.<p id="fn1">A note.'
    assert document(html).blocks[0].text == "It covers 10⁶ km²[1] of land."


@pytest.mark.cpu_timed
@pytest.mark.parametrize(
    "html",
    [
        "".join(f'<p>Tea<sup><a href="#fn{n}">1</a></sup>.' for n in range(5_000))
        + "".join(f'<p id="fn{n}">A note.' for n in range(5_000)),
        "<p>" + '<sup><a id="r" href="#fn1">1</a></sup>' * 20_000 + '<p id="fn1">A note.',
        MARK + '<p id="fn1">A note. <a href="#ref1">1</a>' * 10_000,
        "<p>" + '<sup><a href="#fn1">1</a></sup>' * 5_000 + "<div><span>" * 60 + '<i id="fn1">A note.',
        "<p>" + 'Tea<label for="sn-1"></label><span class="sidenote">A note.</span>' * 5_000,
    ],
    ids=["many notes", "many marks", "one id repeated", "deep note", "many sidenotes"],
)
def test_hostile_pages_take_linear_time(html: str) -> None:
    page = bonmun.read_page(html)
    started = process_time()
    doc = document(html)
    doc.markdown, doc.text, doc.html  # noqa: B018
    assert len(page.blocks) and process_time() - started < 20
