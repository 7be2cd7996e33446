"""Captions and media in the outputs: with their pictures, and only between kept texts."""

from dataclasses import replace
from random import Random
from time import process_time

import pytest

from bonmun.errors import LimitExceeded
from bonmun.model.block import Kind
from bonmun.model.document import Document
from bonmun.model.metadata import Metadata
from bonmun.model.output import Output
from bonmun.model.page import Page
from bonmun.model.verdict import Verdicts
from bonmun.write import shown_blocks
from bonmun.write.html import write as write_html
from bonmun.write.json import write as write_json
from bonmun.write.markdown import write as write_markdown
from bonmun.write.tei import write as write_tei
from bonmun.write.text import write as write_text
from bonmun.write.xml import write as write_xml
from tests.without_core import without_core
from tests.write.documents import document

CAPTION = "Under it."
FIGURE = f"<p>a<figure><img src=/i.png alt=x><figcaption>{CAPTION}</figcaption></figure><p>b"
FILM = "<iframe src=//vimeo.com/1 title='A film'></iframe>"


def shown(html: str, *drop: str) -> list[tuple[str, str]]:
    """Kind and text of each shown block; blocks with the texts of `drop` are dropped."""
    doc = document(html, drop=drop)
    return [(block.kind.value, "".join(run.text for run in block.runs)) for block in shown_blocks(doc)]


def test_a_dropped_caption_stays_with_its_picture_outside_of_the_text() -> None:
    doc = document(FIGURE, drop=(CAPTION,))
    assert write_text(doc) == "a\n\nb"
    assert "![x](https://example.org/i.png)\n\n*Under it.*\n\nb" in write_markdown(doc)
    assert "<figcaption>Under it.</figcaption></figure>" in write_html(doc)
    assert '"text": "Under it."' in write_json(doc) and '"aside": true' in write_json(doc)
    assert "<caption" in write_xml(doc) and '<p rend="caption">Under it.</p>' in write_tei(doc)


def test_the_caption_of_a_dropped_picture_is_dropped() -> None:
    doc = document(FIGURE, drop=("", CAPTION))
    assert [block.text for block in shown_blocks(doc)] == ["a", "b"]


def test_captions_and_media_can_be_left_out() -> None:
    doc = document(FIGURE + FILM + "<p>c", drop=(CAPTION,))
    without = doc.with_output(Output(captions=False, links=False))
    kinds = [block.kind for block in shown_blocks(without)]
    assert kinds == [Kind.PARAGRAPH, Kind.IMAGE, Kind.PARAGRAPH, Kind.PARAGRAPH]
    assert {block.kind for block in shown_blocks(doc.with_output(Output(images=False)))} == {Kind.PARAGRAPH}


@pytest.mark.parametrize(
    "html",
    [
        "<div class=wp-caption><img src=i.png alt=x><p class=wp-caption-text>Under it.</div>",
        "<div><img src=i.png alt=x></div><div class=photo_caption>Under it.</div>",
        "<table class=image><tr><td><img src=i.png alt=x><tr><td>Under it.</table>",
        "<figure><figcaption>Under it.</figcaption><img src=i.png alt=x></figure>",
        "<figure><img src=i.png alt=x><div>Under it.</div></figure>",
        "<figure><noscript><img src=i.png alt=x></noscript><figcaption>Under it.</figcaption></figure>",
        "<figure><amp-img src=i.png alt=x></amp-img><figcaption>Under it.</figcaption></figure>",
    ],
)
def test_a_caption_follows_its_picture(html: str) -> None:
    assert shown(f"<p>a</p>{html}<p>b", CAPTION) == [
        ("paragraph", "a"),
        ("image", "x"),
        ("caption", CAPTION),
        ("paragraph", "b"),
    ]


@pytest.mark.parametrize(
    "html",
    [
        "<img src=i.png alt=x><p>Under it.",
        "<div class=caption><img src=i.png alt=x><p>Under it.</div>",
        "<figure><blockquote>Quote</blockquote></figure><p>Under it.",
        "<img src=i.png alt=x><table><caption>Under it.<tr><th>a<th>b</table>",
    ],
)
def test_other_text_beside_a_picture_is_no_caption(html: str) -> None:
    assert ("caption", CAPTION) not in shown(f"<p>a</p>{html}<p>b", CAPTION)


def test_each_figure_of_a_gallery_has_its_own_caption() -> None:
    figures = "".join(f"<figure><img src={n}.png alt={n}><figcaption>of {n}</figcaption></figure>" for n in "123")
    gallery = f"<p>a<figure>{figures}<figcaption>of all</figcaption></figure><p>b"
    kinds = shown(gallery, "of 1", "of 2", "of 3", "of all")
    assert kinds[1:7] == [("image", "1"), ("caption", "of 1"), ("image", "2"), ("caption", "of 2"), ("image", "3"),
                          ("caption", "of 3")]  # fmt: skip


def test_media_are_links_between_kept_texts_only() -> None:
    assert shown(f"<p>a</p>{FILM}<p>b")[1] == ("media", "A film")
    assert shown(f"<p>a</p>{FILM}<p>b", "b") == [("paragraph", "a")]
    assert shown(f"{FILM}<p>a") == [("paragraph", "a")]
    doc = document(f"<p>a</p>{FILM}<p>b")
    assert write_text(doc) == "a\n\nb"
    assert "<iframe" not in write_html(doc) and '<a href="https://vimeo.com/1"' in write_html(doc)
    assert write_markdown(doc) == "a\n\n[A film](https://vimeo.com/1)\n\nb"
    assert 'block="m5"' in write_xml(doc)


def test_media_in_an_item_are_in_its_list() -> None:
    doc = document(f"<p>a<ul><li>one {FILM}<li>two</ul>")
    assert write_markdown(doc) == "a\n\n- one\n\n  [A film](https://vimeo.com/1)\n\n- two"


def test_a_caption_that_is_the_title_is_not_repeated() -> None:
    html = "<p>a<figure><video src=v.mp4></video><figcaption>Under it.</figcaption></figure><p>b"
    assert shown(html, CAPTION) == [("paragraph", "a"), ("media", CAPTION), ("paragraph", "b")]


def test_a_picture_with_its_credit_in_one_block_is_shown_with_both() -> None:
    html = "<p>a<figure><img src=i.png alt=x><span>EPA</span><figcaption>Under it.</figcaption></figure><p>b"
    parts = [("paragraph", "a"), ("image", "x"), ("caption", "EPA"), ("caption", CAPTION), ("paragraph", "b")]
    assert shown(html, "EPA", CAPTION) == parts


def test_a_medium_with_a_kept_caption_has_another_title() -> None:
    html = "<p>a<figure><video src=//v.example/v.mp4></video><figcaption>Under it.</figcaption></figure><p>b"
    assert shown(html)[1:3] == [("media", "v.example"), ("caption", CAPTION)]


def test_kept_prose_in_a_figure_stays_a_paragraph() -> None:
    html = "<p>a<figure><img src=i.png alt=x><p>Prose.</p></figure><p>b"
    assert ("paragraph", "Prose.") in shown(html)
    assert ("caption", "Prose.") in shown(html, "Prose.")


def test_a_picture_of_a_dropped_text_does_not_come_back() -> None:
    html = "<p>a</p><p>ad <img src='data:x' data-echo=i.png></p><p>b"
    assert shown(html, "ad") == [("paragraph", "a"), ("paragraph", "b")]


_PARTS = (
    *("<p>Tea</p>", "<p>Cups and pots</p>", "<p><img src=/p.png> Photo: Ann</p>", "<img src=/a.png>", FILM),
    *("<figure><img src=/i.png><p>{}</p></figure>", "<figure><img src=/i.png><figcaption>{}</figcaption></figure>"),
    *(
        "<div class=wp-Caption><img src=/d.png><p>{}</p></div>",
        "<table class=photo><tr><td><img src=t.png><td>{}</table>",
    ),
    *("<img src='data:x' data-echo=/l.png>", "<img src='data:x'><noscript><img src=/n.png></noscript>", "<hr>"),
    *("<noscript><iframe src=//vimeo.com/2 title=b></iframe></noscript>", "<amp-img src=/m.png></amp-img>"),
    *("<picture><source srcset='/s.png 1x'><img></picture>", "<div hidden><video src=/v.mp4 title=c></video></div>"),
    *(
        "<img src=/t.png width=1>",
        '<img src="data:," srcset=", /e.png" data-echo=/f.png>',
        "<div role=table>{}</div>",
        "<p class=credit>{}</p>",
        "<img data-src=blank.gif>",
    ),
    *("<audio><source src=/a.ogg></audio>", "<p>a<div class=photo-credit><img src=/c.png>{}</div>"),
)


def test_blocks_are_shown_alike_without_the_core() -> None:
    random, seen = Random(5), set[str]()
    for number in range(400):
        parts = (random.choice(_PARTS).format(f"{at} {random.choice('abc')}") for at in range(random.randint(1, 9)))
        doc = document("".join(parts), url=random.choice([None, "https://example.org/"]))
        keep = bytearray(random.random() < 0.7 for _ in doc.verdicts.keep)
        verdicts, output = replace(doc.verdicts, keep=keep), Output(links=number % 9 > 0, captions=number % 7 > 0)

        def blocks(verdicts: Verdicts = verdicts, output: Output = output, page: Page = doc.page) -> list[object]:
            shown = shown_blocks(Document(page, verdicts, "some", Metadata(), output))
            return [(block.index, block.kind, block.keep, block.runs, block.xpath) for block in shown]

        written = blocks()
        seen.update(type(block).__name__ for block in shown_blocks(Document(doc.page, verdicts, "some")))
        with without_core():
            assert blocks() == written
    assert seen == {"Block", "Caption", "MediaBlock"}


@pytest.mark.cpu_timed
@pytest.mark.parametrize(
    "unit",
    [
        "<figure><img src=i.png>",
        "<figure><img src=i.png><figcaption>c</figcaption>",
        "<img src=i.png><p class=caption>c</p>",
        "<noscript><img src=i.png></noscript>",
        "<img src='data:x'><noscript><img src=i.png></noscript>",
        "<iframe src=//vimeo.com/1>x</iframe>",
        "<video><source src=a.mp4>",
        "<picture><source srcset='a.png 1x'><img></picture>",
        "<div class=caption><img src=i.png>",
        f"<div class='{'x ' * 1_000}'><img src=i.png><p>c</div>",
    ],
)
def test_hostile_figures_take_linear_time(unit: str) -> None:
    try:
        doc = document("<p>a</p>" + unit * 20_000 + "<p>b")
    except LimitExceeded:
        pytest.skip("the reference reader refuses deep pages")
    start = process_time()
    shown_blocks(doc)
    assert process_time() - start < 5
