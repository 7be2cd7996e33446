"""Reading a page: bytes → UTF-8 → nodes → blocks, with rules for plain text and for pages that show next to nothing."""

import re
from dataclasses import dataclass
from html import escape

from bonmun.errors import LimitExceeded, NotAPage
from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.model.block import Blocks
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page, TextSource
from bonmun.model.valid_text import has_forbidden, valid_text, without_surrogates
from bonmun.read.code_lines import with_code_lines
from bonmun.read.decode import decode
from bonmun.read.drawings import drawn_markup
from bonmun.read.formulas import with_formulas
from bonmun.read.line_numbers import without_line_numbers
from bonmun.read.noscript import with_noscript
from bonmun.read.parse import parse
from bonmun.read.quotations import with_quotation_marks
from bonmun.read.segment import segment
from bonmun.read.sentence_buttons import with_button_gaps
from bonmun.read.sniff import binary_kind, is_json
from bonmun.read.streamed import has_places, with_parts_in_place
from bonmun.read.valid_nodes import with_valid_text

POOR = 1000
"""Characters; a page that shows at most this many is searched for text in `<noscript>` and in its scripts."""
_POOR_BYTES = 4 * POOR
"""The most bytes that so many characters have."""
_MARKUP = re.compile(rb"<[a-zA-Z/!?]")
_MOVED = (
    "parts that were sent late are read in their places: xpaths and spans are those of the page as a browser shows it"
)
_EMPTY_LINES = re.compile(r"\n\s*\n")


def read_page(
    html: bytes | str, *, url: str | None = None, charset: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> Page:
    """Read a page without judging it: nodes, blocks, warnings.

    >>> page = read_page("<h1>Tea</h1><p>Tea is made of leaves.</p>", url="https://example.org/tea")
    >>> page.blocks.text
    ('Tea', 'Tea is made of leaves.')
    """
    utf8, encoding, warnings, has_forbidden = _utf8(html, charset, limits)
    if is_json(utf8, charset):
        raise NotAPage("not a web page: JSON")
    if not _MARKUP.search(utf8):
        utf8 = _paragraphs(utf8.decode()).encode()
    nodes = _parsed(utf8, has_forbidden, limits)
    if has_places(nodes) and (whole := with_parts_in_place(utf8)) is not utf8:
        del nodes  # before others are made beside them
        utf8, nodes = whole, _parsed(whole, has_forbidden, limits)
        warnings = (*warnings, _MOVED)
    read = _Read(utf8, nodes, segment(nodes, limits.blocks))
    if len(read.blocks.text_buffer) <= _POOR_BYTES and sum(read.blocks.chars) <= POOR:
        read = _with_unseen_text(read, has_forbidden, limits)
    return Page(
        read.nodes,
        read.blocks,
        None if url is None else valid_text(url),
        encoding,
        tuple(map(valid_text, warnings + read.warnings + read.nodes.warnings)),
        read.text_source,
        read.source,
        len(read.source) - len(utf8),
    )


@dataclass(frozen=True, slots=True)
class _Read:
    """Markup with its nodes and blocks."""

    source: bytes
    nodes: Nodes
    blocks: Blocks
    warnings: tuple[str, ...] = ()
    text_source: TextSource = "markup"


def _parsed(utf8: bytes, has_forbidden: bool, limits: Limits) -> Nodes:
    nodes = with_valid_text(parse(utf8, limits), None if has_forbidden else utf8)
    nodes = with_code_lines(without_line_numbers(nodes))
    nodes = with_button_gaps(with_quotation_marks(nodes))
    return with_formulas(nodes) or nodes


def _utf8(html: bytes | str, charset: str | None, limits: Limits) -> tuple[bytes, str | None, tuple[str, ...], bool]:
    """The page in UTF-8, its encoding (`None`: a `str`), warnings, and whether it has characters that XML forbids."""
    if len(html) > limits.bytes:  # a lower bound for a `str`, which spares encoding a huge one
        raise LimitExceeded("bytes", len(html), limits.bytes)
    if isinstance(html, str):
        utf8 = _encoded(html)
        if len(utf8) > limits.bytes:
            raise LimitExceeded("bytes", len(utf8), limits.bytes)
        return utf8, None, (), has_forbidden(utf8)
    kind = binary_kind(html)
    if kind is not None:
        raise NotAPage(f"not a web page: {kind}")
    decoded = decode(html, charset)
    return decoded.utf8, decoded.encoding, decoded.warnings, decoded.has_forbidden


def _encoded(html: str) -> bytes:
    try:
        return html.encode()
    except UnicodeEncodeError:  # surrogates
        return without_surrogates(html).encode()


def _with_unseen_text(read: _Read, has_forbidden: bool, limits: Limits) -> _Read:
    """A page that shows next to nothing, with its text from `<noscript>`, from the data of its scripts or drawings."""
    nodes, blocks = read.nodes, read.blocks
    without_scripts = with_noscript(nodes, blocks)
    if without_scripts:
        without_scripts = with_formulas(without_scripts) or without_scripts  # whose copies are unrendered again
        warning = "nearly all text stands in <noscript>: read as a browser without scripts shows it"
        return _Read(read.source, without_scripts, segment(without_scripts, limits.blocks), (warning,), "noscript")
    from bonmun.read.embedded import Embedded, embedded_markup  # a late import: few pages need it

    embedded = embedded_markup(nodes, blocks)
    if not embedded and (drawn := drawn_markup(nodes, blocks)):
        embedded = Embedded("drawings", "drawings", drawn)
    if embedded:
        source = read.source + f"<article>{valid_text(embedded.markup)}</article>".encode()
        nodes = _parsed(source, has_forbidden, limits)
        place = embedded.source
        warning = f"nearly all text stands in {place}: read from there, its xpaths and spans are not the page's own"
        return _Read(source, nodes, segment(nodes, limits.blocks), (warning,), embedded.kind)
    return read


def _paragraphs(text: str) -> str:
    """Plain text as markup; an empty line separates paragraphs."""
    return "".join(f"<p>{escape(part)}</p>" for part in _EMPTY_LINES.split(text) if part.strip())
