"""Documents for the tests of writers: all blocks of a page are kept, or all but some."""

from collections.abc import Iterator
from itertools import islice

from hypothesis import strategies as st

from bonmun.model.document import Document
from bonmun.model.metadata import Metadata
from bonmun.model.page import Page
from bonmun.model.verdict import Reason, Verdicts
from bonmun.read.formulas import with_formulas
from bonmun.read.parse import parse
from bonmun.read.segment import segment
from tests.corpora import pages

URL = "https://example.org/a/page.html"


def document(
    html: str, *, drop: tuple[str, ...] = (), url: str | None = URL, metadata: Metadata | None = None
) -> Document:
    """Return a document that keeps all blocks except those with one of the dropped texts."""
    nodes = parse(html)
    nodes = with_formulas(nodes) or nodes
    page = Page(nodes, segment(nodes), url)
    keep = bytearray(text not in drop for text in page.blocks.text)
    verdicts = Verdicts(
        keep=keep,
        score=[0.123456] * len(keep),
        reasons=[(Reason("kept-by-test", "all < of it"), Reason("no-detail"))] * len(keep),
        confidence=2 / 3,
        notes=() if any(keep) else (Reason("no-text"),),
    )
    return Document(page, verdicts, "everything", metadata or Metadata())


def real_documents(name: str, start: int = 0, stop: int | None = None, step: int = 1) -> Iterator[Document]:
    """Yield documents of real pages without the blocks that are mostly links, similar to a method's result."""
    for page in islice(pages(name), start, stop, step):
        doc = document(page["html"], url=page["url"] or None)
        keep, blocks = doc.verdicts.keep, doc.page.blocks
        assert isinstance(keep, bytearray)
        keep[:] = bytearray(2 * links <= len(text) for links, text in zip(blocks.link_chars, blocks.text, strict=True))
        yield doc


_SPECIALS = "\\`*_{}[]()#+-.!|<>&~=:;\"'$%^@/?, \t\n0123abc한국語。、“”（）—😀é\u00a0\u200b"
_WORDS = (
    "1. 1) 10. 123456789. - * + # ## > --- *** ___ === ~~~ ``` <b> </b> <!-- --> &amp; &#35; &copy; [a](b) ![a](b) [a]:"
    " [x] <http://a.b> https://a.b/_c_ www.a.b __init__ snake_case **bold** 10~20 |a|b| \\| \\\\ ]( javascript:x C# #1"
).split()
texts = st.lists(st.one_of(st.sampled_from([*_WORDS, " "]), st.text(_SPECIALS, max_size=6)), max_size=6).map("".join)
"""Text with the markup characters of all formats."""

_INLINE = "b i em strong code s sub mark span a q".split()
_BLOCKS = (
    "p div h1 h2 h6 ul ol li blockquote pre table tr td th caption dl dt dd figcaption br section details"
    " summary hr aside"
).split()


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _element(tag_and_children: tuple[str, list[str]]) -> str:
    tag, children = tag_and_children
    attributes = {
        "a": " href='/x(y)?q=1&amp;copy;=|'",
        "ol": " start=3",
        "td": " colspan=2",
        "aside": " class=callout",
    }.get(tag, "")
    return f"<{tag}{attributes}>{''.join(children)}</{tag}>"


_PICTURE = st.just("<img src='p(1).png' alt='a ] b'>")
_PHRASES = st.recursive(
    st.one_of(texts.map(_escaped), _PICTURE),
    lambda inner: st.tuples(st.sampled_from(_INLINE), st.lists(inner, max_size=4)).map(_element),
    max_leaves=8,
)
markup = st.recursive(
    st.one_of(_PHRASES, st.lists(_PHRASES, max_size=3).map(lambda parts: f"<p>{''.join(parts)}")),
    lambda inner: st.tuples(st.sampled_from(_BLOCKS), st.lists(inner, max_size=4)).map(_element),
    max_leaves=12,
)
"""Pages of arbitrarily nested elements."""
