"""The pipeline: bytes → text → nodes → blocks → verdicts → document."""

import re
from html import escape

from bonmun import registry
from bonmun.errors import LimitExceeded, NotAPage
from bonmun.limits import Limits
from bonmun.model.block import Blocks
from bonmun.model.document import Document
from bonmun.model.metadata import Metadata
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.read.decode import decode
from bonmun.read.embedded import embedded_markup
from bonmun.read.noscript import with_noscript
from bonmun.read.parse import parse
from bonmun.read.segment import segment
from bonmun.read.sniff import binary_kind

POOR = 1000
"""Characters; a page that shows more is taken as it is."""
_MARKUP = re.compile(rb"<[a-zA-Z/!?]")
_DEFAULT_LIMITS = Limits()


def extract(
    html: bytes | str,
    *,
    url: str | None = None,
    method: str | registry.Method = "auto",
    charset: str | None = None,
    limits: Limits = _DEFAULT_LIMITS,
    sites: registry.Sites | None = None,
    prefer: str = "balance",
    abstain_below: float = 0.0,
) -> Document:
    """Return what a reader came for on a page.

    `html` is the page as bytes or text; `url` is where it came from, to make links absolute; `charset` is what the
    transport said (an HTTP header's charset), if it said anything. Where `sites` knows the page's site, its template
    decides instead of `auto`. `prefer` asks a method that can for `"precision"` or `"recall"`; `abstain_below` is the
    least confidence with which you want an answer.

    >>> extract(b"<h1>Tea</h1><p>Tea is made of leaves, and of water that has just boiled.</p>").text
    'Tea\\n\\nTea is made of leaves, and of water that has just boiled.'
    """
    chosen = registry.method(method) if isinstance(method, str) else method
    if prefer != "balance":
        chosen = registry.preferring(chosen, prefer)
    page = read_page(html, url=url, charset=charset, limits=limits)
    if sites is not None and method in ("auto", "template"):
        known = sites.extract(page, abstain_below=abstain_below)
        if known is not None:
            return known
    return Document(page, chosen.judge(page).unless_below(abstain_below), chosen.name, _read_metadata)


def _read_metadata(page: Page) -> Metadata:
    from bonmun.read.metadata import read_metadata  # here: whoever wants text alone need not load it

    return read_metadata(page)


def read_page(
    html: bytes | str, *, url: str | None = None, charset: str | None = None, limits: Limits = _DEFAULT_LIMITS
) -> Page:
    """Read a page without judging it: nodes, blocks, warnings."""
    if len(html) > limits.bytes:
        raise LimitExceeded("bytes", len(html), limits.bytes)
    encoding: str | None = None
    warnings: tuple[str, ...] = ()
    if isinstance(html, str):
        utf8 = html.encode("utf-8", "replace")  # lone surrogates may stand in a str, never in UTF-8
    else:
        kind = binary_kind(html)
        if kind is not None:
            raise NotAPage(f"not a web page: {kind}")
        decoded = decode(html, charset)
        utf8, encoding, warnings = decoded.utf8, decoded.encoding, decoded.warnings
    if not _MARKUP.search(utf8):
        utf8 = _paragraphs(utf8.decode()).encode()
    nodes = parse(utf8, limits)
    blocks = segment(nodes)
    if sum(blocks.chars) <= POOR:
        nodes, blocks, warning = _looked_further(utf8, nodes, blocks, limits)
        warnings += warning
    return Page(nodes, blocks, url, encoding, warnings + nodes.warnings)


def _looked_further(utf8: bytes, nodes: Nodes, blocks: Blocks, limits: Limits) -> tuple[Nodes, Blocks, tuple[str, ...]]:
    """A page that shows next to nothing, with the text that it has for browsers without scripts or for its scripts."""
    without_scripts = with_noscript(nodes, blocks)
    if without_scripts:
        warning = "nearly all text stands in <noscript>: read as a browser without scripts shows it"
        return without_scripts, segment(without_scripts), (warning,)
    embedded = embedded_markup(nodes, blocks)
    if embedded:
        source, markup = embedded
        nodes = parse(utf8 + f"<article>{markup}</article>".encode("utf-8", "replace"), limits)
        warning = f"nearly all text stands in {source}: read from there, its xpaths and spans are not the page's own"
        return nodes, segment(nodes), (warning,)
    return nodes, blocks, ()


def _paragraphs(text: str) -> str:
    """Plain text as markup: paragraphs part at empty lines."""
    return "".join(f"<p>{escape(part)}</p>" for part in re.split(r"\n\s*\n", text) if part.strip())
