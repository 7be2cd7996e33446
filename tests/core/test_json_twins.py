"""The blocks of JSON that the core writes are those of Python, byte for byte."""

from itertools import islice
from json.encoder import encode_basestring
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis.strategies import text

from bonmun.core import core
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


def compared(doc: Document) -> None:
    """Compare the JSON of a document, with all blocks kept."""
    count = len(doc.page.blocks)
    scores = [(at * 0.03125 + at / 7919) % 1 for at in range(count)]
    verdicts = Verdicts(bytearray(b"\1" * count), scores, doc.verdicts.reasons, 1.0)
    for output in (Output(), Output(reasons=True), Output(links=False)):
        written = Document(doc.page, verdicts, "all", Metadata(), output).to_json()
        with without_core():
            assert Document(doc.page, verdicts, "all", Metadata(), output).to_json() == written


def test_the_twins_agree_on_marks_and_links() -> None:
    random = Random(3)
    parts = [shape.format(*(marked_up(random) for _ in range(3))) for shape in _SHAPES * 40]
    compared(document("".join(parts)))


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
    compiled, doc = core(), document("<p>Tea <a href=x>leaves</a>")
    assert compiled is not None
    nodes, blocks = (memoryview(b""),) * 12, (memoryview(b""),) * 11
    with pytest.raises(ValueError, match="columns of different lengths"):
        compiled.json_links(
            nodes, blocks, (doc.page.nodes.buffer, b"", b"", b"\0\0\0\0"), 0, doc.page.writer_page, None
        )
