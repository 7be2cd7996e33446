"""The blocks of JSON that the core writes are those of Python, byte for byte."""

from array import array
from itertools import islice
from json.encoder import encode_basestring
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis.strategies import text

from bonmun.core import core
from bonmun.model.block import KINDS, Kind
from bonmun.model.document import Document
from bonmun.model.metadata import Metadata
from bonmun.model.output import Output
from bonmun.model.verdict import Verdicts
from tests.core.test_inline_twins import marked_up
from tests.corpora import pages
from tests.without_core import without_core
from tests.write.documents import document, markup

pytestmark = pytest.mark.skipif(core() is None, reason="the compiled core is not built")
_SHAPES = (
    "<p>{}</p>",
    "<h2>{}<span style='display: block'>{}</span></h2>",
    "<h1><div>{}</div>{}</h1>",
    "<ul><li>{}<li>{}<ol><li>{}</ol></ul>",
    "<table><tr><th>{}<td>{}</table>",
    "<pre class=language-c>{}</pre>",
    "<p>x<sub>{}</sub> <sup>{}</sup> <mark>{}</mark></p>",
    "<p>{}<img src=/a.png alt='a &quot;b'>{}</p>",
    "<a href='/all'><p>{}</p><p>{}</p></a>",
    "<figure><a href='b/c?d=\\'><img src=//example.org/a.png alt=' a  \t b\u3000\\'></a></figure><p>{}</p>",
    "<div><img src=spacer.gif data-src=/b.png><img src=/c.png width=1px><img src='d.png#\\'></div><p>{}</p>",
    "<blockquote>{}</blockquote><hr>",
    "<details><summary>{}</summary><p>{}<ol type=a start=3 reversed><li>{}<li value=9>x</ol></details>",
    "<div class='admonition warning'><p class=admonition-title>{}</p><p>{}</div><div class=admonition><b>{}</b></div>",
    "<ul><li><input type=checkbox disabled checked>{}<li><input type=checkbox disabled>{}</ul><dl><dt>{}<dd>x</dl>",
    "<table><caption>{}</caption><tr><th rowspan=2>{}<td colspan=2>a<tr><td>{}<td>b</table><hr><p>x<br><br>y</p>",
    "<x-y>{}</x-y><svg><desc>{}</desc></svg>",
    "<p>{}\\ &quot; \x01 \x7f &#9; {}</p>",
)


def compared(doc: Document, dropped: tuple[Kind, ...] = ()) -> None:
    """Compare the JSON of a document, with all blocks kept but those of some kinds."""
    kinds = doc.page.blocks.kind_code
    scores = [(at * 0.03125 + at / 7919) % 1 for at in range(len(kinds))]
    verdicts = Verdicts(bytearray(KINDS[kind] not in dropped for kind in kinds), scores, doc.verdicts.reasons, 1.0)
    for output in (Output(), Output(reasons=True), Output(links=False)):
        written = Document(doc.page, verdicts, "all", Metadata(), output).to_json()
        with without_core():
            assert Document(doc.page, verdicts, "all", Metadata(), output).to_json() == written


def test_the_twins_agree_on_marks_and_links() -> None:
    random = Random(3)
    parts = [shape.format(*(marked_up(random) for _ in range(3))) for shape in _SHAPES * 40]
    compared(document("".join(parts)))


def test_the_twins_agree_on_captions() -> None:
    random, figure = Random(7), "<p>{{}}</p><figure><img src=/a.png><figcaption>{}</figcaption></figure><p>{{}}</p>"
    shapes = [figure.format("{}"), figure.format("{}<img src=/b.png alt=b>{}")]
    parts = [shape.format(*(marked_up(random) for _ in range(4))) for shape in shapes * 20]
    for dropped in ((), (Kind.CAPTION,), (Kind.CAPTION, Kind.PARAGRAPH)):
        compared(document("".join(parts)), dropped)


def test_the_twins_agree_on_a_deep_page() -> None:
    compared(document("<div><b>" * 120 + "Tea <a href=x>leaves</a>" + "</b></div>" * 20 + "<p>Tea"))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(markup)
def test_the_twins_agree_on_generated_pages(html: str) -> None:
    compared(document(html))


@pytest.mark.parametrize("corpus", ["wcxb_dev", "cjk_dev"])
def test_the_twins_agree_on_real_pages(corpus: str) -> None:
    for page in islice(pages(corpus), 0, None, 97):
        compared(document(page["html"]))


@given(text())
def test_the_twins_agree_on_strings(value: str) -> None:
    compiled = core()
    assert compiled is not None
    for each in (value, value * 9, f'{value}\n"\\\x1f\x7f{value}'):
        assert compiled.json_string(each) == encode_basestring(each)


def test_malformed_columns_are_refused() -> None:
    compiled, page = core(), document("<p>Tea <a href=x>leaves</a>").page
    assert compiled is not None
    paths = page.nodes.depth, page.nodes.tag, page.nodes.xpaths.kinds, page.nodes.xpaths.step_names
    good = [array("i", [0]), array("d", [1.0]), (b"\0", b"", bytes(8)), None, (array("i"), array("i", [0]), b"")]
    assert compiled.json_blocks(page.writer_page, None, paths, *good)
    malformed = {
        0: (array("i", [1]), array("i", [-2])),
        1: (array("d"),),
        2: ((b"", b"", bytes(8)), (b"\0", b"", b"\1" * 8), (b"\0", b"", b"")),
        3: ((), ("", "")),
        4: ((array("i", [0]), array("i", [0]), b""),),
    }
    for place, values in malformed.items():
        for value in values:
            with pytest.raises(ValueError, match="must"):
                compiled.json_blocks(page.writer_page, None, paths, *good[:place], value, *good[place + 1 :])
    with pytest.raises(ValueError, match="must"):
        compiled.json_blocks(page.writer_page, None, (paths[0], paths[1][1:], *paths[2:]), *good)


def test_links_that_need_a_url_parser_are_found_in_python() -> None:
    links = " ".join(
        f"<a href='{href}'>a</a>" for href in ("b?q=\u00e4", "/x y", "?", "nope:1", "c", "HTTP://EXAMPLE.ORG/%7e")
    )
    compared(document(f"<p>Tea {links}<p>b <a href='/x y'>c</a><a href='/x%20y'>d</a>", url="https://example.org/a/"))
