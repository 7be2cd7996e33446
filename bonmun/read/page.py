"""Reading a page: bytes → UTF-8 → nodes → blocks, with rules for plain text and for pages that show next to nothing."""

import re
from html import escape
from io import BytesIO
from typing import NamedTuple

from bonmun.core import Answer, OneCall
from bonmun.errors import NotAPage
from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.model.block import Blocks
from bonmun.model.lazy import filled
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page, TextSource
from bonmun.model.valid_text import has_forbidden as has_forbidden_characters
from bonmun.model.valid_text import valid_text
from bonmun.read.code_lines import with_code_lines
from bonmun.read.compiled import STEPS, may_change
from bonmun.read.decode import decode
from bonmun.read.drawings import drawn_markup
from bonmun.read.formulas import with_formulas
from bonmun.read.line_numbers import without_line_numbers
from bonmun.read.noscript import with_noscript
from bonmun.read.ordinary import POOR, POOR_BYTES, Begun, begin, begin_utf8, ordinary
from bonmun.read.parse import parse
from bonmun.read.quotations import with_quotation_marks
from bonmun.read.segment import segment
from bonmun.read.sentence_buttons import with_button_gaps
from bonmun.read.sniff import binary_kind, is_json
from bonmun.read.streamed import has_places, with_parts_in_place
from bonmun.read.valid_nodes import with_valid_text

_MARKUP = re.compile(rb"<[a-zA-Z/!?]")
_MOVED = (
    "parts that were sent late are read in their places: xpaths and spans are those of the page as a browser shows it"
)
_ESCAPED_AT_ONCE = 1 << 16
"""Characters: escaped, a text can be five times as long."""
_EMPTY_LINES = re.compile(r"\n\s*\n")


def read_page(
    html: bytes | str, *, url: str | None = None, charset: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> Page:
    """Read a page without judging it: nodes, blocks, warnings.

    >>> page = read_page("<h1>Tea</h1><p>Tea is made of leaves.</p>", url="https://example.org/tea")
    >>> page.blocks.text
    ('Tea', 'Tea is made of leaves.')
    """
    url = None if url is None else valid_text(url)
    return page_of(begin(html, charset, limits), url, charset, limits)[0]


def page_of(begun: Begun, url: str | None, charset: str | None, limits: Limits) -> tuple[Page, str | Answer | None]:
    """A page from where one call of the core has left it, with the verdicts if there are any; `url` is valid text."""
    read, encoding, has_forbidden = _read(begun, charset, limits)
    length, judged = len(read.source), read.judged
    if judged is None and len(read.blocks.text_buffer) <= POOR_BYTES and sum(read.blocks.chars) <= POOR:
        read = _with_unseen_text(read, has_forbidden, limits)
    warnings = read.warnings + read.nodes.warnings
    page = filled(
        Page,
        nodes=read.nodes,
        blocks=read.blocks,
        url=url,
        encoding=encoding,
        warnings=tuple(map(valid_text, warnings)) if warnings else (),
        text_source=read.text_source,
        source=read.source,
        added=len(read.source) - length,
        layout=None,
    )
    return page, None if judged is None else _known(page, judged)


def _known(page: Page, judged: OneCall) -> str | Answer:
    """The verdicts on a page, which keeps what the core has found out on its way to them: it has no footnotes."""
    held, writer_page, answer, _ = judged
    vars(page.nodes)["held"] = held
    vars(page).update(writer_page=writer_page, footnotes=())
    return answer


class _Read(NamedTuple):
    """Markup with its nodes and blocks."""

    source: bytes
    nodes: Nodes
    blocks: Blocks
    warnings: tuple[str, ...] = ()
    text_source: TextSource = "markup"
    judged: OneCall | None = None


def _read(begun: Begun, charset: str | None, limits: Limits) -> tuple[_Read, str | None, bool]:
    """The page as it was sent, its encoding (`None`: a `str`), and whether it has characters that XML forbids."""
    source, encoding, _ = begun
    if (read := ordinary(begun, limits)) is not None:
        nodes, blocks, judged = read
        if blocks is not None:
            return _Read(source, nodes, blocks, judged=judged), encoding, False
        return _shown(source, nodes, (), False, limits), encoding, False
    warnings: tuple[str, ...] = ()
    if encoding is None:
        has_forbidden = has_forbidden_characters(source)
    else:
        source, encoding, warnings, has_forbidden = _decoded(source, charset)
    source = _markup(source, charset)
    nodes, blocks = _parsed(source, has_forbidden, limits)
    if blocks is not None:
        return _Read(source, nodes, blocks, warnings), encoding, has_forbidden
    return _shown(source, nodes, warnings, has_forbidden, limits), encoding, has_forbidden


def _shown(source: bytes, nodes: Nodes, warnings: tuple[str, ...], has_forbidden: bool, limits: Limits) -> _Read:
    """The page as a reader sees it, late parts in their places."""
    nodes = _as_shown(nodes, None if has_forbidden else source)
    if may_change(nodes, STEPS["PLACES"]) and has_places(nodes):
        whole = with_parts_in_place(source)
        if whole is not source:
            del nodes  # before others are made beside them
            source, warnings = whole, (*warnings, _MOVED)
            nodes, blocks = _reparsed(whole, has_forbidden, limits)
            return _Read(source, nodes, blocks, warnings)
    return _Read(source, nodes, segment(nodes, limits.blocks), warnings)


def _reparsed(utf8: bytes, has_forbidden: bool, limits: Limits) -> tuple[Nodes, Blocks]:
    """The nodes, as a reader sees them, and blocks of markup that was made here."""
    nodes, blocks = _parsed(utf8, has_forbidden, limits)
    if blocks is None:
        nodes = _as_shown(nodes, None if has_forbidden else utf8)
        blocks = segment(nodes, limits.blocks)
    return nodes, blocks


def _parsed(utf8: bytes, has_forbidden: bool, limits: Limits) -> tuple[Nodes, Blocks | None]:
    """The nodes of markup in UTF-8; with its blocks if nothing needs a step in between."""
    read = None if has_forbidden else ordinary(begin_utf8(utf8, limits), limits)
    return read[:2] if read else (parse(utf8, limits), None)


def _as_shown(nodes: Nodes, checked: bytes | None) -> Nodes:
    """Nodes with the texts that a reader sees; `checked`: bytes without characters that XML forbids."""
    if may_change(nodes, STEPS["VALID"]):
        nodes = with_valid_text(nodes, checked)
    if may_change(nodes, STEPS["CODE"]):
        nodes = with_code_lines(without_line_numbers(nodes))
    if may_change(nodes, STEPS["QUOTATIONS"]):
        nodes = with_quotation_marks(nodes)
    if may_change(nodes, STEPS["BUTTONS"]):
        nodes = with_button_gaps(nodes)
    return (may_change(nodes, STEPS["FORMULAS"]) and with_formulas(nodes)) or nodes


def _decoded(html: bytes, charset: str | None) -> tuple[bytes, str | None, tuple[str, ...], bool]:
    """The page in UTF-8, its encoding, warnings, and whether it has characters that XML forbids."""
    kind = binary_kind(html)
    if kind is not None:
        raise NotAPage(f"not a web page: {kind}")
    decoded = decode(html, charset)
    return decoded.utf8, decoded.encoding, decoded.warnings, decoded.has_forbidden


def _markup(utf8: bytes, charset: str | None) -> bytes:
    """The page, made markup if it is plain text."""
    if is_json(utf8, charset):
        raise NotAPage("not a web page: JSON")
    return utf8 if _MARKUP.search(utf8) else _paragraphs(utf8.decode())


def _with_unseen_text(read: _Read, has_forbidden: bool, limits: Limits) -> _Read:
    """A page that shows next to nothing, with its text from `<noscript>`, from the data of its scripts or drawings."""
    nodes, blocks = read.nodes, read.blocks
    without_scripts = with_noscript(nodes, blocks)
    if without_scripts:
        without_scripts = with_formulas(without_scripts) or without_scripts  # whose copies are unrendered again
        warning = "nearly all text stands in <noscript>: read as a browser without scripts shows it"
        return _Read(
            read.source, without_scripts, segment(without_scripts, limits.blocks), (*read.warnings, warning), "noscript"
        )
    from bonmun.read.embedded import Embedded, embedded_markup  # a late import: few pages need it

    embedded = embedded_markup(nodes, blocks)
    if not embedded and (drawn := drawn_markup(nodes, blocks)):
        embedded = Embedded("drawings", "drawings", drawn)
    if embedded:
        source = read.source + f"<article>{valid_text(embedded.markup)}</article>".encode()
        nodes, blocks = _reparsed(source, has_forbidden, limits)
        place = embedded.source
        warning = f"nearly all text stands in {place}: read from there, its xpaths and spans are not the page's own"
        return _Read(source, nodes, blocks, (*read.warnings, warning), embedded.kind)
    return read


def _paragraphs(text: str) -> bytes:
    """Plain text as markup in UTF-8; an empty line separates paragraphs."""
    markup = BytesIO()
    for part in _EMPTY_LINES.split(text):
        if part.strip():
            markup.write(b"<p>")
            for at in range(0, len(part), _ESCAPED_AT_ONCE):
                markup.write(escape(part[at : at + _ESCAPED_AT_ONCE]).encode())
            markup.write(b"</p>")
    return markup.getvalue()
