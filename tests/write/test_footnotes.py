"""Footnotes: marks and bodies in all formats."""

import json
from pathlib import Path

import jsonschema
import pytest
from lxml import etree  # type: ignore[import-untyped]

import bonmun
from tests.golden_cases import GOLDEN, document_of
from tests.write.documents import document
from tests.write.round_trip import differences

WRITE = Path(bonmun.__file__).parent / "write"
NOTE = '<p id="fn1"><a href="#ref1">[1]</a> A note.'
MARK = '<sup><a id="ref1" href="#fn1">1</a></sup>'


@pytest.mark.parametrize("case", sorted((GOLDEN / "footnotes").iterdir()), ids=lambda case: case.name)
def test_all_formats_are_valid_and_markdown_reads_back(case: Path) -> None:
    doc = document_of(case)
    jsonschema.validate(json.loads(doc.to_json()), json.loads((WRITE / "document.schema.json").read_text()))
    etree.XMLSchema(etree.parse(WRITE / "document.xsd")).assertValid(etree.fromstring(doc.to_xml()))
    etree.fromstring(doc.write("tei"))
    assert not list(differences(doc))


def test_text_after_a_mark_does_not_turn_it_into_a_link_or_a_definition() -> None:
    assert document(f"<p>Tea{MARK}(hot) is good.{NOTE}").markdown == "Tea[^1]\\(hot) is good.\n\n[^1]: A note."
    assert document(f"<p>{MARK}: a mark.{NOTE}").markdown == "[^1]\\: a mark.\n\n[^1]: A note."


def test_text_like_a_mark_is_escaped() -> None:
    assert document("<p>A class [^1] of characters.").markdown == "A class \\[^1] of characters."


def test_marks_leave_emphasis_and_terms() -> None:
    assert document(f"<p>It is <b>good{MARK}</b> tea.{NOTE}").markdown.startswith("It is **good**[^1] tea.")
    assert document(f"<dl><dt>Tea{MARK}<dd>A drink.</dl>{NOTE}").markdown.startswith("**Tea**[^1]\n\nA drink.")


def test_a_note_that_begins_with_a_list_or_code_starts_on_the_next_line() -> None:
    doc = document(f'<p>Tea{MARK}.<div id="fn1"><pre>a = 1</pre></div>')
    assert doc.markdown == "Tea[^1].\n\n[^1]:\n\n    ```\n    a = 1\n    ```"
    assert not list(differences(doc))


def test_notes_stand_at_their_place_or_else_at_the_end() -> None:
    second = '<sup><a href="#fn2">2</a></sup>'
    assert document(f"<p>Tea{MARK}.{NOTE}<p>After.").markdown == "Tea[^1].\n\n[^1]: A note.\n\nAfter."
    apart = document(f'<p>Tea{MARK}{second}.{NOTE}<p>After.<p id="fn2">Another.').markdown
    assert apart == "Tea[^1][^2].\n\nAfter.\n\n[^1]: A note.\n\n[^2]: Another."


def test_html_has_an_id_for_every_mark_and_reads_back() -> None:
    doc = document(f'<p>Tea{MARK} and water<sup><a href="#fn1">1</a></sup>.{NOTE}')
    assert 'id="fnref-1"' in doc.html and 'id="fnref-1-2"' in doc.html
    assert document(doc.html).markdown == doc.markdown


def test_lists_of_notes_keep_the_numbers_of_the_page() -> None:
    html = '<p>Tea<sup><a href="#fn4">4</a></sup>.<ol start=4><li id="fn4">A note.</ol>'
    assert '<ol><li id="fn-4" value="4">A note.</li></ol>' in document(html).html


def test_tei_links_marks_with_their_notes() -> None:
    tei = document(f"<p>Tea{MARK}.{NOTE}").write("tei")
    assert '<ref type="noteref" target="#fn-1">1</ref>' in tei
    assert '<note xml:id="fn-1" n="1">A note.</note>' in tei


def test_marks_without_a_kept_note_are_written_as_before() -> None:
    doc = document_of(GOLDEN / "footnotes" / "citations")
    assert "[^" not in doc.markdown and "Saturday,[1] eleven" in doc.text


def test_a_dropped_note_is_kept_for_its_mark() -> None:
    doc = document_of(GOLDEN / "footnotes" / "dropped-note")
    [note] = [block for block in doc.blocks if "moved the date" in block.text]
    assert [reason.name for reason in note.reasons] == ["footnote"]
