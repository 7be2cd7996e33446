"""The switches of `Output`: which blocks and runs of a document its writers get."""

import pickle
from dataclasses import fields, replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bonmun
from bonmun import registry
from bonmun.model.inline import Run
from bonmun.model.selection import selected_runs
from tests.write.documents import document, markup

STORY = (
    "<p>The harbour opened again on Saturday, and <a href='https://example.org/'>most people</a> stayed until noon.</p>"
)
NOTES = "<li>M. Holt, Report on the water at the quay, 2025.</li><li>Minutes of the meeting in May 2025.</li>"
NAMES = [field.name for field in fields(bonmun.Output)]


def addresses(document: bonmun.Document) -> str:
    """A writer of another package."""
    return str([run.href for block in document.blocks for run in block.runs])


def texts(html: str, **switches: bool) -> list[str]:
    return [block.text for block in document(html).with_output(bonmun.Output(**switches)).blocks]


@pytest.mark.parametrize(
    "notes",
    [
        f"<ol class='references small'>{NOTES}</ol>",
        f"<section class=footnotes role=doc-endnotes><hr><ol>{NOTES}</ol></section>",
        f"<aside role=doc-footnote><ul>{NOTES}</ul></aside>",
        f"<div class='reflist columns'><div><ol>{NOTES}</ol></div></div>",
        f"<h2>References</h2><ul>{NOTES}</ul>",
        f"<h2>7. References:</h2><ul>{NOTES}</ul>",
        f"<h3>참고 문헌</h3><ol>{NOTES}</ol>",
        f"<h2>参考文献</h2><ol>{NOTES}</ol>",
        "<h2>Notes</h2><p>[1] M. Holt, Report, 2025.</p><p>[2] Minutes, May 2025.</p>",
    ],
)
def test_reference_lists_can_be_left_out(notes: str) -> None:
    html = f"{STORY}{notes}<h2>The opening</h2>{STORY}"
    assert len(texts(html)) > 4
    assert [text[:11] for text in texts(html, references=False)] == ["The harbour", "The opening", "The harbour"]


@pytest.mark.parametrize("prose", [f"<h2>Notes</h2>{STORY}", f"<h2>References in films</h2><ul>{NOTES}</ul>"])
def test_a_section_that_may_be_prose_is_no_reference_list(prose: str) -> None:
    html = f"{STORY}{prose}"
    assert texts(html, references=False) == texts(html)


def test_only_data_tables_are_left_out() -> None:
    data = "<table><caption>Days</caption><tr><th>Year</th><th>Days</th></tr><tr><td>2024</td><td>112</td></tr></table>"
    layout = f"<table><tr><td>{STORY}{STORY}</td></tr></table>"
    assert len(texts(layout + data + STORY, tables=False)) == 3


def test_a_dropped_picture_leaves_one_space() -> None:
    runs = [Run("new steps "), Run("stone", src="https://example.org/a.png"), Run(" and a rail")]
    assert selected_runs(runs, bonmun.Output(images=False)) == (Run("new steps and a rail"),)


def test_a_link_keeps_its_text_and_marks() -> None:
    runs = [Run("see "), Run("this", ("em",), "https://example.org/"), Run(" page")]
    assert selected_runs(runs, bonmun.Output(links=False)) == (Run("see "), Run("this", ("em",)), Run(" page"))


def test_switches_do_not_change_the_document_they_are_applied_to() -> None:
    doc = bonmun.extract(STORY * 2)
    plain = doc.markdown
    assert "https" not in doc.to_markdown(bonmun.Output(links=False))
    assert "https" not in doc.to_html(bonmun.Output(links=False))
    assert "href" not in doc.to_json(bonmun.Output(links=False))
    assert doc.markdown == plain == doc.to_markdown()
    assert doc.status == doc.with_output(bonmun.Output(tables=False, links=False)).status


def test_switches_belong_to_the_identity_of_a_document_and_survive_pickling() -> None:
    doc = bonmun.extract(STORY)
    shown = doc.with_output(bonmun.Output(links=False))
    copy = pickle.loads(pickle.dumps(shown))  # noqa: S301
    assert copy == shown != doc
    assert copy.markdown == shown.markdown
    assert doc.with_output(bonmun.Output()) == doc


def test_a_writer_without_options_follows_the_switches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.FORMATS, "addresses", f"{__name__}:addresses")
    doc = bonmun.extract(STORY)
    assert doc.write("addresses") == "[None, 'https://example.org/', None]"
    assert doc.write("addresses", bonmun.Output(links=False)) == "[None]"


def test_extract_many_applies_the_switches() -> None:
    output = bonmun.Output(links=False)
    for jobs in (1, 2):
        (doc,) = bonmun.extract_many([STORY], jobs=jobs, output=output)
        assert isinstance(doc, bonmun.Document)
        assert (doc.output, "https" in doc.markdown) == (output, False)


def test_the_title_comes_first_unless_the_text_begins_with_it() -> None:
    titled = bonmun.Output(title=True)
    doc = bonmun.extract(f"<title>Open again</title>{STORY}")
    assert doc.to_text(titled).startswith("Open again\n\nThe harbour")
    assert doc.to_html(titled).startswith("<article>\n<h1>Open again</h1>\n<p>The")
    assert doc.to_json(titled) == doc.to_json()
    doc = bonmun.extract(f"<title>Open again</title><h1>Open again</h1>{STORY}")
    assert doc.to_text(titled) == doc.text


@settings(max_examples=60, deadline=None)
@given(markup, st.sets(st.sampled_from(NAMES)))
def test_any_switches_on_any_page_drop_blocks_and_invent_none(html: str, names: set[str]) -> None:
    switches = {name: not getattr(bonmun.Output(), name) for name in names}
    doc = document(html)
    shown = doc.with_output(bonmun.Output(**switches))
    assert [block.index for block in shown.blocks] == sorted({*shown.kept} & {*doc.kept})
    for format in ("text", "markdown", "html", "json", "xml", "tei"):
        assert isinstance(shown.write(format), str)
    if "links" in names:
        assert not any(run.href for block in shown.blocks for run in block.runs)
    if "images" in names:
        assert not any(run.src for block in shown.blocks for run in block.runs)


def test_the_short_arguments_of_to_markdown_are_the_switches() -> None:
    doc = bonmun.extract(f"<title>Open again</title>{STORY}")
    for front_matter, title in product((False, True), repeat=2):
        output = replace(bonmun.Output(links=False), front_matter=front_matter, title=title)
        short = doc.to_markdown(bonmun.Output(links=False), front_matter=front_matter, title=title)
        assert short == doc.to_markdown(output)
