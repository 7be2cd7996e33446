"""A document's outline and its Markdown as read by markdown-it-py, both as lines that can be compared."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from bonmun.model.block import Kind
from bonmun.model.document import Document
from bonmun.model.inline import Run
from bonmun.model.judged_block import Block
from bonmun.write import (
    LINK,
    Callout,
    Cell,
    Definitions,
    Details,
    Leaf,
    List,
    Note,
    Notes,
    OutlineNode,
    Quote,
    Rule,
    Span,
    Table,
    leaves,
    outline,
    shown_blocks,
    spans,
)

READER = (
    MarkdownIt("commonmark")
    .enable(["table", "strikethrough"])
    .use(footnote_plugin)
    .use(dollarmath_plugin, allow_space=False, allow_digits=False)  # as in pandoc: `$5 and $6` is no formula
)
NESTING = 16  # of the Markdown writer
ALERT = re.compile(r"\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]")
_TEX = re.compile(r"\\[A-Za-z]|^[A-Za-z]$|^\w[-+=^,]\w$")  # `$5 or ($` is no formula
_PIPE = re.compile(r"(?<!\\)(?:\\\\)*\|")


def differences(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the lines that differ: of the outline, and of the Markdown read back."""
    nodes = outline(shown_blocks(document), NESTING)
    expected = chain(outline_lines(nodes), _note_lines(nodes, document.footnotes.labels))
    raw = not document.page.nodes.formulas
    for line, read in zip_longest(expected, markdown_lines(document.markdown, raw_formulas=raw), fillvalue=""):
        if line != read:
            yield line, read


def folded(text: str) -> str:
    return unicodedata.normalize("NFKC", " ".join(text.split()))  # Markdown writes superscripts in Unicode


def outline_lines(nodes: Iterable[OutlineNode], indent: str = "") -> Iterator[str]:
    """Yield a line per heading, paragraph, link, image, list, item, quote, code line and table row."""
    for node in nodes:
        match node:
            case Leaf():
                yield from _leaf_lines(node, indent)
            case List():
                yield from _list_lines(node, indent)
            case Quote():
                lines = [*outline_lines(node.children, indent + "  ")]
                yield from [f"{indent}quote", *lines] if lines else []
            case Callout():
                title = node.title if node.label else []
                lines = [*outline_lines([*title, *node.children], indent + "  ")]
                yield from [f"{indent}callout {node.kind}", *lines] if lines else []
            case Details():
                yield from outline_lines([*node.summary, *node.children], indent)
            case Rule():
                yield f"{indent}hr"
            case Definitions():
                for entry in node.entries:
                    yield from outline_lines(entry.children, indent)
            case Table():
                yield from outline_lines(node.above, indent)
                yield from _table_lines(node, indent)
                yield from outline_lines(node.below, indent)


def _list_lines(node: List, indent: str) -> Iterator[str]:
    latest = None
    for item, (number, checked) in zip(node.items, node.marks(), strict=True):
        lines = [*outline_lines(item, indent + "    ")]
        if not lines:
            continue
        if latest is None or (node.numbers and number != latest + 1):
            yield indent + ("ul" if number is None else f"ol {number if node.numbers else node.start}")
        latest = number or 0
        yield f"{indent}  li"
        if checked is not None and lines[0].startswith(f"{indent}    p "):
            lines[0] = lines[0].replace("p ", f"p [{'x' if checked else ' '}] ", 1)
        yield from lines


def _note_lines(nodes: Iterable[OutlineNode], labels: Iterable[str]) -> Iterator[str]:
    """Yield the footnotes in the order of their marks, as a Markdown reader shows them."""
    notes: dict[str, Note] = {note.label: note for node in nodes if isinstance(node, Notes) for note in node.entries}
    for label in labels:
        yield f"footnote {label}"
        yield from outline_lines(notes[label].children, "  ")


def _leaf_lines(leaf: Leaf, indent: str) -> Iterator[str]:
    block = leaf.blocks[0]
    if leaf.kind is Kind.CODE:
        yield f"{indent}code {block.code_language or ''}"
        yield from (indent + line for line in block.text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
        images = [run for run in block.runs if run.src is not None]
        yield from [f"{indent}p ", *_inline_lines(spans(images), indent)] if images else []
        return
    name = f"h{block.level}" if leaf.kind is Kind.HEADING else "p"
    inside = [line for block in leaf.blocks for line in _inline_lines(spans(block.runs), indent)]
    text = _text(leaf.blocks)
    if text or inside or name != "p":
        yield f"{indent}{name} {text}"
        yield from inside


def _text(blocks: Iterable[Block]) -> str:
    return folded("\n".join("".join(_shown(run) for run in block.runs if run.src is None) for block in blocks))


def _shown(run: Run) -> str:
    return f"[^{run.note.label}]" if run.note else run.text


def _inline_lines(children: Sequence[Span | Run], indent: str) -> Iterator[str]:
    """Yield the addresses of links and images in order."""
    for child in children:
        if isinstance(child, Run):
            if child.src is not None:
                yield f"{indent}  image {READER.normalizeLink(child.src)}"
        else:
            if child.mark == LINK and _shows(child):
                yield f"{indent}  link {READER.normalizeLink(child.href or '')}"
            yield from _inline_lines(child.children, indent)


def _shows(child: Span | Run) -> bool:
    if isinstance(child, Run):
        return child.src is not None or not child.text.isspace()
    return any(map(_shows, child.children))


def _table_lines(table: Table, indent: str) -> Iterator[str]:
    columns = table.columns()
    rows = [[line[column] if column < len(line) else None for column in columns] for line in table.lines]
    rows = [row for row in rows if any(cell and cell.children for cell in row)]
    if rows:
        yield f"{indent}table {len(columns)}"
    for row in rows:
        blocks = [_cell_blocks(cell) for cell in row]
        yield f"{indent}  row {' | '.join(map(_text, blocks))}"
        for block in (block for cell in blocks for block in cell):
            yield from _inline_lines(spans(block.runs), indent + "  ")


def _cell_blocks(cell: Cell | None) -> list[Block]:
    return [block for leaf in leaves(cell.children if cell else ()) for block in leaf.blocks]


def markdown_lines(markdown: str, *, raw_formulas: bool = False) -> Iterator[str]:
    """Yield the same lines from Markdown; raw formulas are those of a page that has TeX with dollar signs as text."""
    source = markdown.split("\n")
    indent, row, inside = "", list[str](), list[str]()
    name = "p"
    for token in with_alerts(READER.parse(markdown)):
        kind = token.type.removesuffix("_open").removesuffix("_close")
        opens = token.nesting > 0
        if kind in ("bullet_list", "ordered_list", "list_item", "blockquote"):
            if opens:
                yield indent + _container(kind, token)
            indent = indent + "  " if opens else indent[:-2]
        elif kind == "footnote":
            if opens:
                yield f"{indent}footnote {token.meta['label']}"
            indent = indent + "  " if opens else indent[:-2]
        elif kind == "heading":
            name = token.tag if opens else "p"
        elif kind == "table":
            yield from [f"{indent}table {_width(source, token)}"] if opens else []
        elif kind == "tr":
            if opens:
                row, inside = [], []
            elif any(row) or inside:
                yield f"{indent}  row {' | '.join(row)}"
                yield from inside
        elif kind in ("td", "th"):
            name = "cell" if opens else "p"
        elif token.type in ("fence", "code_block"):
            yield f"{indent}code {token.info}"
            yield from (indent + line for line in token.content.removesuffix("\n").split("\n"))
        elif token.type == "inline" and name == "cell":
            row.append(_read_text(token, raw_formulas))
            inside += _read_addresses(token, indent + "  ")
        elif token.type == "inline":
            yield f"{indent}{name} {_read_text(token, raw_formulas)}"
            yield from _read_addresses(token, indent)
        elif kind not in ("paragraph", "thead", "tbody", "footnote_block", "footnote_anchor"):
            yield f"{indent}{kind} {folded(token.content)}".rstrip()


def with_alerts(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens of a reader that knows the alerts of GitHub: a quote with the kind in its first line."""
    for number, token in enumerate(tokens):
        inline = tokens[number + 2] if token.type == "blockquote_open" and number + 2 < len(tokens) else None
        children = inline.children or [] if inline else []
        if inline and children and tokens[number + 1].type == "paragraph_open" and ALERT.fullmatch(children[0].content):
            token.meta["kind"] = children[0].content[2:-1].lower()
            del children[:2]
            inline.hidden = not children
        if not token.hidden or token.type != "inline":
            yield token


def _container(kind: str, token: Token) -> str:
    start = token.attrs.get("start", 1)
    if "kind" in token.meta:
        return f"callout {token.meta['kind']}"
    return {"bullet_list": "ul", "ordered_list": f"ol {start}", "list_item": "li", "blockquote": "quote"}[kind]


def _width(source: list[str], table: Token) -> str:
    """The number of columns; all numbers if lines differ, which a reader would hide by padding."""
    first, stop = table.map or (0, 0)
    widths = {len(_PIPE.findall(line)) - 1 for line in source[first:stop]}
    return "/".join(map(str, sorted(widths)))


def _read_text(token: Token, raw_formulas: bool) -> str:
    shown = []
    for child in token.children or []:
        if child.type in ("softbreak", "hardbreak") or (child.type, child.content) == ("html_inline", "<br>"):
            shown.append("\n")
        elif child.type == "footnote_ref":
            shown.append(f"[^{child.meta['label']}]")
        elif child.type == "math_inline" and raw_formulas and _TEX.search(child.content):
            shown.append(f"${child.content}$")
        elif child.type not in ("html_inline", "image"):
            shown.append(child.content)
    return folded("".join(shown))


def _read_addresses(token: Token, indent: str) -> Iterator[str]:
    for child in token.children or []:
        if child.type == "link_open":
            yield f"{indent}  link {child.attrs['href']}"
        elif child.type == "image":
            yield f"{indent}  image {child.attrs['src']}"
