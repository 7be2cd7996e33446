"""The structural items in the markup of a document's kept region."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import accumulate
from urllib.parse import unquote

from fidelity_items import DEFINITION_KEY, Items, address_key, code_key, key, tex_key

import bonmun
from bonmun.model.block import Kind
from bonmun.model.figures import is_caption
from bonmun.model.links import absolute
from bonmun.model.nodes import Nodes
from bonmun.model.tags import BLOCK_LEVEL, CELLS, CONTROL, HIDDEN, LINK, TAG_ID, TEXT, UNRENDERED
from bonmun.write import shown_blocks

_NOTE_LINK = re.compile(r"#(?:.*[-_:])?(?:fn|ftn|footnote|cite_note|endnote|sdfootnote|note)", re.IGNORECASE)
_BACK_LINK = re.compile(r"#(?:.*[-_:])?(?:fnref|ftnref|cite_ref|footnote-?ref|ref)", re.IGNORECASE)
_LINE_NUMBERS = frozenset(
    "lineno linenos linenumber line-number line-numbers gutter lnt rouge-gutter hljs-ln-numbers".split()
)
_CODE_LINES = frozenset("line code-line token-line view-line hljs-ln-line cl".split())
_LAZY = (
    *"src data-src data-original data-lazy-src data-lazy data-url data-hi-res-src data-full-url data-orig-file".split(),
    *"data-image data-echo nitro-lazy-src".split(),
)
_SRCSETS = ("srcset", "data-srcset", "data-lazy-srcset", "nitro-lazy-srcset")
_CANDIDATE = re.compile(r"(\S*[^\s,])(?:\s+[\d.]+[wx])?\s*(?:,\s*|$)")
_BROKEN, _PICTURE, _LIST_TAGS = TAG_ID["br"], TAG_ID["picture"], frozenset({TAG_ID["ul"], TAG_ID["ol"], TAG_ID["menu"]})
_PLACEHOLDER = re.compile(
    r"(?:^|/)(?:blank|spacer|pixel|placeholder|transparent|1x1|lazy|grey|gray)[^/]*\.(?:gif|png|svg)"
)


class KeptMarkup:
    """The markup of a document's kept region."""

    def __init__(self, document: bonmun.Document) -> None:
        self.document, self.nodes, self.base = document, document.page.nodes, document.page.base_url
        self.kept = bytearray(len(self.nodes))
        for block in document.blocks:
            for row in block.rows:
                self.kept[row] = self.nodes.tag[row] == TEXT
        self.before = [0, *accumulate(self.kept)]
        self.texts = [(self.page_first(at), bool(keep)) for at, keep in enumerate(document.verdicts.keep)
                      if document.page.blocks.kind[at] is not Kind.IMAGE and (keep or not is_caption(document.page, at))
                      ]  # fmt: skip
        self.firsts = [first for first, _ in self.texts]

    def page_first(self, block: int) -> int:
        return self.document.page.blocks.first[block]

    def has_kept(self, row: int) -> bool:
        return self.before[self.nodes.end[row]] > self.before[row]

    def kept_text(self, row: int, skip: Callable[[int], bool] = lambda _: False) -> str:
        return "".join(_texts(self.nodes, row, lambda at: bool(self.kept[at]), skip))

    def shown_text(self, row: int) -> str:
        """The text that a reader sees, kept or not; of buttons only if there is no other."""
        flags, invisible = self.nodes.flags, UNRENDERED | HIDDEN
        for skipped in (invisible | CONTROL, invisible):
            wanted = lambda at, skipped=skipped: bool(self.kept[at]) or not flags[at] & skipped  # noqa: E731
            if (text := "".join(_texts(self.nodes, row, wanted))).strip():
                return text
        return ""

    def within(self, row: int) -> bool:
        """Whether a row without text of its own is in the region: the text blocks before and after it are kept."""
        after = bisect_right(self.firsts, row)
        before = after - 1
        if before < 0 or not self.texts[before][1]:
            return False
        index = bisect_right(self.document.page.blocks.first, row) - 1
        if row < self.document.page.blocks.stop[index] and self.document.verdicts.keep[index]:
            return True
        return after < len(self.texts) and self.texts[after][1]

    @cached_property
    def data_tables(self) -> list[int]:
        return sorted(row for row in self.document.page.blocks.tables if self.has_kept(row))

    def cells(self, table: int) -> Iterator[int]:
        """The cells of a table without those of tables inside it."""
        for row in range(table + 1, self.nodes.end[table]):
            if self.nodes.tag[row] in CELLS and _nearest(self.nodes, row, TAG_ID["table"]) == table:
                yield row


def _texts(
    nodes: Nodes, row: int, wanted: Callable[[int], bool], skip: Callable[[int], bool] = lambda _: False
) -> Iterator[str]:
    at, stop = row + 1, nodes.end[row]
    while at < stop:
        if nodes.tag[at] != TEXT and skip(at):
            at = nodes.end[at]
            continue
        if nodes.tag[at] == TEXT and wanted(at):
            yield nodes.text(at)
        at += 1


def _nearest(nodes: Nodes, row: int, tag: int) -> int:
    return next((above for above in nodes.ancestors(row) if nodes.tag[above] == tag), -1)


def in_markup(document: bonmun.Document) -> Items:
    """The items in the kept region's own markup."""
    markup, items = KeptMarkup(document), Items()
    nodes = markup.nodes
    items.text = key("".join(nodes.text(row) for row, kept in enumerate(markup.kept) if kept))
    for table in markup.data_tables:
        for cell in markup.cells(table):
            if text := key(markup.shown_text(cell)):
                items.add("cell", text, text=text)
    in_table = bytearray(len(nodes))
    for table in markup.data_tables:
        in_table[table : nodes.end[table]] = b"\1" * (nodes.end[table] - table)
    notes = _add_footnotes(markup, items)
    for row in range(len(nodes)):
        if nodes.tag[row] != TEXT and not nodes.flags[row] & UNRENDERED:
            _add_element(markup, items, row, bool(in_table[row]))
        elif nodes.name(row) == "img" and markup.within(row):  # of a noscript
            items.add("image", *(address_key(one, markup.base) for one in image_sources(nodes, row)), optional=True)
    _add_links(markup, items, notes)
    _add_formulas(markup, items)
    return items


def _add_element(markup: KeptMarkup, items: Items, row: int, in_table: bool) -> None:
    nodes = markup.nodes
    name = nodes.name(row)
    if name == "img":
        sources = image_sources(nodes, row)
        figure = _nearest(nodes, row, TAG_ID["figure"])
        if sources and (markup.within(row) or (figure >= 0 and markup.has_kept(figure))):
            hidden = bool(nodes.flags[row] & HIDDEN)
            items.add("image", *(address_key(source, markup.base) for source in sources), optional=hidden)
    elif not markup.has_kept(row):
        return
    elif name in ("h1", "h2", "h3", "h4", "h5", "h6") or nodes.attr(row, "role") == "heading":
        text = key(markup.kept_text(row))
        items.add("heading", text, text=text, optional=in_table)
    elif name in ("pre", "listing", "xmp", "plaintext"):
        code = code_text(nodes, row)
        items.add("code", code_key(code), text=key(code), optional=in_table)
    elif name == "li":
        text = key(markup.kept_text(row, lambda at: nodes.tag[at] in _LIST_TAGS))
        items.add("item", text, text=text, optional=in_table)
    elif name == "blockquote":
        text = key(markup.kept_text(row))
        items.add("quote", text, text=text, optional=in_table)


def _add_links(markup: KeptMarkup, items: Items, notes: frozenset[int]) -> None:
    """Add the links block by block: one around several blocks is one for each, neighbours with one address are one.

    Those of captions and the media that a page embeds are optional.
    """
    nodes, tag = markup.nodes, TAG_ID["a"]
    for block in shown_blocks(markup.document):
        if block.kind is Kind.MEDIA:
            run = block.runs[0]
            items.add("link", f"{address_key(run.href or '', None)} {key(run.text)}", text=key(run.text), optional=True)
        if block.kind is Kind.CODE:
            continue
        link, href, texts = -1, "", list[str]()
        for row in (*block.rows, -1):
            around = -1
            if row >= 0 and nodes.flags[row] & LINK:
                linked = (
                    at for at in nodes.ancestors(row) if nodes.tag[at] == tag and nodes.attr(at, "href") is not None
                )
                around = next(linked, -1)
            address = absolute(nodes.attr(around, "href") or "", markup.base) or "" if around >= 0 else ""
            if address != href or row < 0:
                if href and (text := key("".join(texts))):
                    items.add(
                        "link", f"{address_key(href, None)} {text}", text=text, optional=link in notes or not block.keep
                    )
                texts = []
            link, href = around, address
            texts.append(nodes.text(row) if row >= 0 else "")


def image_sources(nodes: Nodes, row: int) -> list[str]:
    """All addresses that an `img` can be loaded from; none for tracking pixels and placeholders."""
    if any((nodes.attr(row, side) or "").strip().removesuffix("px") in ("0", "1") for side in ("width", "height")):
        return []
    rows = [row]
    if nodes.tag[nodes.parent[row]] == _PICTURE:
        rows += [at for at in nodes.children(nodes.parent[row]) if nodes.name(at) == "source"]
    found = [nodes.attr(at, name) or "" for at in rows for name in _LAZY]
    for at in rows:
        for name in _SRCSETS:
            found += _CANDIDATE.findall(nodes.attr(at, name) or "")
    return [one.strip() for one in dict.fromkeys(found) if one.strip() and not one.strip().startswith("data:")
            and not _PLACEHOLDER.search(one.lower())]  # fmt: skip


def code_text(nodes: Nodes, row: int) -> str:
    """The lines of a code block, without line numbers."""
    pieces: list[str] = []
    skipped = UNRENDERED | HIDDEN & ~nodes.flags[row]

    def walk(parent: int) -> None:
        for at in nodes.children(parent):
            if nodes.tag[at] == TEXT:
                pieces.append(nodes.text(at))
                continue
            classes = set((nodes.attr(at, "class") or "").split())
            if classes & _LINE_NUMBERS or nodes.flags[at] & skipped:
                continue
            lines = nodes.tag[at] in BLOCK_LEVEL or bool(classes & _CODE_LINES)
            if nodes.tag[at] == _BROKEN:
                pieces.append("\n")
            if lines and pieces and not "".join(pieces[-3:]).endswith("\n"):
                pieces.append("\n")
            walk(at)

    walk(row)
    return "".join(pieces).replace("\xad", "").replace("\r\n", "\n").replace("\r", "\n")


def _add_footnotes(markup: KeptMarkup, items: Items) -> frozenset[int]:
    """Add the references with a definition on the page; return the rows of their links."""
    nodes, links = markup.nodes, []
    ids = {nodes.attr(row, name): row for row in range(len(nodes)) if nodes.tag[row] != TEXT
           for name in ("name", "id") if nodes.attr(row, name)}  # fmt: skip
    for row in nodes.rows_of("a"):
        href = nodes.attr(row, "href") or ""
        if not href.startswith("#") or not _is_reference(nodes, row, href):
            continue
        target = ids.get(unquote(href[1:]), ids.get(href[1:]))
        if target is None or not markup.has_kept(row):
            continue
        while nodes.end[target] - target < 3 and nodes.name(nodes.parent[target]) not in ("ol", "ul", "div", "body"):
            target = nodes.parent[target]
        text = _definition(nodes, target)
        if text:
            links.append(row)
            items.add("footnote", text[:DEFINITION_KEY], text=text[:DEFINITION_KEY])
    return frozenset(links)


def _is_reference(nodes: Nodes, row: int, href: str) -> bool:
    if _BACK_LINK.match(href) and "cite_note" not in href:
        return False
    classes = (nodes.attr(row, "class") or "").split()
    if "footnote-ref" in classes or nodes.attr(row, "role") == "doc-noteref":
        return True
    above = [nodes.name(at) for at, _ in zip(nodes.ancestors(row), range(2), strict=False)]
    return bool(_NOTE_LINK.match(href)) and ("sup" in above or "sup" in map(nodes.name, nodes.children(row)))


def _definition(nodes: Nodes, row: int) -> str:
    def back(at: int) -> bool:
        href = nodes.attr(at, "href") or ""
        return nodes.attr(at, "role") == "doc-backlink" or bool(href and _BACK_LINK.match(href))

    text = "".join(_texts(nodes, row, lambda at: not nodes.flags[at] & UNRENDERED, back))
    return key(re.sub(r"^[\s\d.\[\]()^↑*:]+|[↩︎⤴\s]+$", "", text))


def _add_formulas(markup: KeptMarkup, items: Items) -> None:
    nodes, row = markup.nodes, 0
    while row < len(nodes):
        if nodes.tag[row] != TEXT and (found := _formula(nodes, row)) is not None:
            if markup.has_kept(row) or markup.within(row):
                items.add("formula", tex_key(found) or "?", text=tex_key(found))
            row = nodes.end[row]
        else:
            row += 1


def _formula(nodes: Nodes, row: int) -> str | None:
    """The TeX of a formula's outermost element, empty where it does not give it; `None` for other elements."""
    name, classes = nodes.name(row), (nodes.attr(row, "class") or "").split()
    if name == "script":
        kind = (nodes.attr(row, "type") or "").lower()
        return nodes.content(row) or nodes.text(row + 1) if kind.startswith("math/tex") else None
    if name == "img":
        return nodes.attr(row, "alt") if {"latex", "tex", "mwe-math-fallback-image-inline"} & set(classes) else None
    given = nodes.attr(row, "data-latex") or nodes.attr(row, "data-tex")
    if given:
        return given
    if name != "math" and not {"katex", "mwe-math-element"} & set(classes) and name != "mjx-container":
        return None
    for at in range(row, nodes.end[row]):
        if "tex" in (nodes.attr(at, "encoding") or "").lower():
            return nodes.content(at)
        if alttext := nodes.attr(at, "alttext"):
            return alttext
    return ""
