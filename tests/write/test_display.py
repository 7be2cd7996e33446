"""Documents in a notebook: safe, self-contained, and of limited size."""

import lxml.html

import bonmun

PARAGRAPH = "The text of this paragraph is long enough to be kept, whatever stands before and after it. "
HOSTILE = f"""<title>Bad</title><body><article>
<h1>Bad &lt;script&gt;alert(1)&lt;/script&gt; news</h1>
<p onclick="alert(2)" style="position:fixed">{PARAGRAPH}<a href="javascript:alert(3)">here</a></p>
<p><img src="https://tracker.example/pixel.gif" alt="a picture" onerror="alert(4)"></p>
<p>{PARAGRAPH}</p><iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe><video src="a.mp4"></video>
<p>{PARAGRAPH}<a href="https://example.org/?a=1&amp;b=2">there</a></p></article>"""
ATTRIBUTES = {"style", "href", "rel", "lang"}


def test_a_document_is_shown_with_its_title_its_facts_and_its_content_folded() -> None:
    html = (
        '<html lang="en"><title>Tea</title><meta name="author" content="Ada Leaf">'
        f'<meta property="article:published_time" content="2026-03-14"><article><p>{PARAGRAPH}</p></article>'
    )
    shown = lxml.html.fromstring(bonmun.extract(html, url="https://example.org/tea")._repr_html_())
    lines = [line.text_content() for line in shown.findall("div")]
    assert lines[0] == "Tea"
    assert lines[1].startswith("Ada Leaf · 2026-03-14 · example.org · en")
    assert lines[2].startswith("ok · confidence 0.")
    (details,) = shown.findall("details")
    assert "open" not in details.attrib
    assert details.find("summary").text == PARAGRAPH.strip()
    assert details.find(".//article/p").text == PARAGRAPH.strip()


def test_a_hostile_page_brings_neither_scripts_nor_anything_to_load() -> None:
    shown = lxml.html.fromstring(bonmun.extract(HOSTILE)._repr_html_())
    elements = list(shown.iter())
    tags = {element.tag for element in elements}
    assert {"article", "h1", "p", "a"} <= tags
    assert not tags & {"script", "style", "img", "iframe", "video", "audio", "link", "object", "form", "source"}
    assert {name for element in elements for name in element.attrib} <= ATTRIBUTES
    assert not any("position" in element.get("style", "") for element in elements)
    assert [element.get("href") for element in elements if element.get("href")] == ["https://example.org/?a=1&b=2"]
    assert "Bad <script>alert(1)</script> news" in shown.text_content()


def test_an_empty_page_says_why_and_has_nothing_to_unfold() -> None:
    shown = bonmun.extract("<frameset></frameset>", url="https://example.org/")._repr_html_()
    assert "https://example.org/" in shown
    assert "empty · confidence 0.00 · 0 of 0 blocks by auto · no-text: the page has no text" in shown
    assert "<details" not in shown


def test_a_page_too_long_for_a_notebook_shows_its_beginning_only() -> None:
    long = f"<article>{''.join(f'<p>{number} {PARAGRAPH}</p>' for number in range(3000))}</article>"
    shown = bonmun.extract(long)._repr_html_()
    assert len(shown) < 2_000
    assert "too long to show here" in shown
    assert "0 The text of this paragraph" in shown
