"""CommonMark with tables, strikethrough and footnotes of GFM, escaped so that readers show the blocks' exact text."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from bonmun.deadline import check
from bonmun.model.block import Kind
from bonmun.model.comment import Comment
from bonmun.model.document import Document
from bonmun.model.inline import Run
from bonmun.model.judged_block import Block
from bonmun.model.tags import TAG_ID
from bonmun.write.bylines import shown_date
from bonmun.write.compiled_markup import compiled_markdown
from bonmun.write.figures import shown_blocks
from bonmun.write.front_matter import yaml_front_matter
from bonmun.write.headline import headline
from bonmun.write.html import table
from bonmun.write.markdown_inline import inline
from bonmun.write.markdown_line import compiled_line, line_of
from bonmun.write.markdown_math import displayed_formula, is_displayed, reads_as_formula, split_at_displayed
from bonmun.write.nesting import outline, outlined
from bonmun.write.structure import (
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
    Table,
    Term,
    leaves,
    nodes_inside,
)

NESTING: Final = 16  # markdown-it in its CommonMark mode reads 20 levels and drops deeper content
_MAX_PADDED: Final = 100_000  # cells; readers fill up the rows of a larger table themselves

_IMAGE: Final = TAG_ID["img"]
_LINE_BREAK = "\\\n"
_ALERT = r"\[!(?i:note|tip|important|warning|caution)\]$"
_STARTS_BLOCK = re.compile(r"#{1,6}(?= |$)|[-+*](?= |$)|>|-[- ]*$|\[[ xX]\](?= )|" + _ALERT)
_UNDERLINES = re.compile(r"=+$|[-:|][-:| ]*$")
_STARTS_ITEM = re.compile(r"([0-9]{1,9})(?=[.)](?: |$))")
_STARTS_DEFINITION = re.compile(r"\[(?:[^\\\[\]]|\\.)*\]:", re.DOTALL)
_CLOSING_HASHES = re.compile(r"(?<![^ ])(?=#+$)")
_TICKS = re.compile(r"`{3,}")
_BACKSLASH = r"\\"


_RULE = "---"


class _Chunk(NamedTuple):
    """Lines between two empty lines."""

    text: str
    marker: str = ""
    """The marker of a list's items: two adjacent lists need two markers to stay two."""
    plain: bool = False
    """A paragraph or heading, which a list may follow without an empty line."""
    close: bool = False
    """A list that may follow a paragraph or heading without an empty line."""


def write(document: Document) -> str:
    """Return the document as Markdown.

    Terms and summaries are bold, captions in italics, callouts the alerts of GitHub; a table's first row is its header,
    and `<br>` separates the lines of a cell. Other HTML is written only for emphasis and tables that Markdown cannot
    express. The title is a heading of level 1; comments are quotes below a thematic break.
    """
    text = compiled_markdown(document, NESTING, answers)
    return write_by_reference(document) if text is None else _completed(document, [text] if text else [])


def write_by_reference(document: Document) -> str:
    """The same in Python, where the compiled twin could not be built, and for what it leaves to Python."""
    return composed(document, written(outlined(shown_blocks(document), NESTING)))


def answers(requests: Iterable[tuple[Leaf, str | None, bool]]) -> Iterator[str]:
    """Yield the text of each leaf and cell that the compiled twin leaves to Python.

    A request is a leaf with the blocks, the mark around them, and whether they are a cell. Chunks of a leaf have ``p``
    in front, a paragraph or heading, or ``-``, and a NUL between two.
    """
    for leaf, extra, is_cell in requests:
        check()
        if is_cell:
            yield _cell(Cell(children=[leaf]))
        else:
            yield "\0".join(f"{'p' if chunk.plain else '-'}{chunk.text}" for chunk in _leaf(leaf, extra))


def composed(document: Document, nodes: Iterable[tuple[OutlineNode, list[str]]]) -> str:
    """Return the document, given its nodes as `written`."""
    parts = [text for _, texts in nodes for text in texts]
    if parts and parts[-1] == _RULE:
        parts.pop()
    return _completed(document, parts)


def _completed(document: Document, parts: list[str]) -> str:
    """The text with title, comments and front matter around it."""
    if title := headline(document):
        parts.insert(0, _heading(inline([Run(title)], dollars=bool(document.page.nodes.formulas)), 1))
    if document.output.comments and document.comments:
        comments: list[_Chunk] = []
        _add_comments(document.comments, comments)
        parts += [_RULE, *(chunk.text for chunk in comments)]
    if document.output.front_matter and (metadata := yaml_front_matter(document)):
        parts.insert(0, metadata)
    return "\n\n".join(parts)


def outline_of(document: Document) -> list[OutlineNode]:
    """Return the nodes that are written."""
    return outline(shown_blocks(document), NESTING)


def written(nodes: Iterable[OutlineNode]) -> Iterator[tuple[OutlineNode, list[str]]]:
    """Yield each node with its texts; in a document, an empty line separates them."""
    chunks: list[_Chunk] = []  # of the latest node, behind the last one before
    for node in nodes:
        del chunks[:-1]
        before = len(chunks)
        _add([node], chunks)
        yield node, [chunk.text for chunk in chunks[before:]]


def _add_comments(comments: Iterable[Comment], out: list[_Chunk]) -> None:
    """Append comments as quotes with their replies as quotes inside."""
    for comment in comments:
        author = [Run(comment.author, ("strong",))] if comment.author else []
        date = shown_date(comment.date)
        runs = [*author, *([Run(f" · {date}" if author else date)] if date else [])]
        chunks = [_Chunk(_paragraph([inline(runs)]))] if runs else []
        chunks += _chunks(outline(comment.blocks, NESTING, root=comment.row))
        _add_comments(comment.replies, chunks)
        out.append(_Chunk(_prefixed("\n\n".join(chunk.text for chunk in chunks), "> ", "> ")))


def _add(nodes: Iterable[OutlineNode], out: list[_Chunk], extra: str | None = None) -> None:
    """Append the nodes as chunks; `extra` is a mark around the text of leaves."""
    for node in nodes:
        check()
        match node:
            case Leaf():
                out += _leaf(node, extra)
            case List():
                _add_list(node, out)
            case Quote():
                _add_quote(node, out)
            case Callout():
                _add_callout(node, out)
            case Details():
                _add(node.summary, out, "strong")
                _add(node.children, out)
            case Rule():
                if out and out[-1].text != _RULE:
                    out.append(_Chunk(_RULE))
            case Definitions():
                for entry in node.entries:
                    _add(entry.children, out, "strong" if isinstance(entry, Term) else None)
            case Table():
                _add_table(node, out)
            case Notes():
                for note in node.entries:
                    _add_note(note, out)


def _chunks(nodes: Iterable[OutlineNode]) -> list[_Chunk]:
    """All chunks of a document, quote or item; no rule is the last one."""
    chunks: list[_Chunk] = []
    _add(nodes, chunks)
    return chunks[:-1] if chunks and chunks[-1].text == _RULE else chunks


def _add_quote(quote: Quote, out: list[_Chunk]) -> None:
    chunks = _chunks(quote.children)
    if chunks:
        out.append(_Chunk(_prefixed("\n\n".join(chunk.text for chunk in chunks), "> ", "> ")))


def _add_callout(node: Callout, out: list[_Chunk]) -> None:
    """Append a callout as an alert of GitHub: a quote whose first line is its kind."""
    chunks: list[_Chunk] = []
    if node.label:
        _add(node.title, chunks, "strong")
    chunks += _chunks(node.children)
    if not chunks:
        return
    body = "\n\n".join(chunk.text for chunk in chunks)
    between = "\n" if chunks[0].plain and not _UNDERLINES.match(body) else "\n\n"
    out.append(_Chunk(_prefixed(f"[!{node.kind.upper()}]{between}{body}", "> ", "> ")))


def _add_note(note: Note, out: list[_Chunk]) -> None:
    if chunks := _chunks(note.children):
        text = "\n\n".join(chunk.text for chunk in chunks)
        first = f"[^{note.label}]: " if chunks[0].plain else f"[^{note.label}]:\n\n    "
        out.append(_Chunk(_prefixed(text, first, "    ")))


def _add_list(node: List, out: list[_Chunk]) -> None:
    """Append a list; several lists if its numbers do not count up by one: Markdown has the first number only."""
    items: list[list[_Chunk]] = []
    numbers: list[int] = []
    for item, (number, checked) in zip(node.items, node.marks(), strict=True):
        chunks = _chunks(item)
        if chunks:
            if checked is not None and chunks[0].plain:
                chunks[0] = _Chunk(f"[{'x' if checked else ' '}] {chunks[0].text}", plain=True)
            items.append(chunks)
            numbers.append(number if number is not None and node.numbers else len(numbers) + (node.start or 0))
    first = 0
    for stop in range(1, len(items) + 1):
        if stop == len(items) or numbers[stop] != numbers[stop - 1] + 1:
            _add_items(items[first:stop], None if node.start is None else numbers[first], out)
            first = stop


def _add_items(items: list[list[_Chunk]], start: int | None, out: list[_Chunk]) -> None:
    markers = "-*" if start is None else ".)"
    marker = markers[bool(out) and out[-1].marker == markers[0]]
    tight = all(len(item) == 1 or (item[0].plain and all(chunk.close for chunk in item[1:])) for item in items)
    between = "\n" if tight else "\n\n"
    lines = []
    for number, chunks in enumerate(items, start or 0):
        first = f"{marker} " if start is None else f"{number}{marker} "
        lines.append(_prefixed(between.join(chunk.text for chunk in chunks), first, " " * len(first)))
    out.append(_Chunk(between.join(lines), marker, close=tight and start in (None, 1)))


def _add_table(node: Table, out: list[_Chunk]) -> None:
    _add(node.above, out)
    if any(_needs_html(cell) for line in node.lines for cell in line if cell):
        # A blank line would end the HTML block.
        out.append(_Chunk(table(Table([], node.lines, [])).replace("\n", "&#10;")))
    elif rows := _rows(node):
        out.append(_Chunk("\n".join(f"| {' | '.join(cells)} |" for cells in rows)))
    _add(node.below, out)


def _needs_html(cell: Cell) -> bool:
    """Whether a cell holds content that a GFM table cannot: lines of code or another table."""
    if len(cell.children) == 1 and isinstance(only := cell.children[0], Leaf) and only.kind is not Kind.CODE:
        return False  # most cells
    return any(
        isinstance(node, Table) or (isinstance(node, Leaf) and node.kind is Kind.CODE and "\n" in node.blocks[0].text)
        for node in nodes_inside(cell.children)
    )


def _rows(node: Table) -> list[list[str]]:
    """The rows of a GFM table, all of the same length, with the delimiter row."""
    columns = node.columns()
    rows = []
    for line in node.lines:
        cells = [_cell(line[column]) for column in columns[: bisect_left(columns, len(line))]]
        if any(cells):
            rows.append(cells)
    for cells in rows if len(rows) * len(columns) <= _MAX_PADDED else rows[:1]:
        cells += [""] * (len(columns) - len(cells))
    return [rows[0], ["---"] * len(columns), *rows[1:]] if rows else []


def _cell(cell: Cell | None) -> str:
    if cell is None or not cell.children:
        return ""
    only = cell.children[0] if len(cell.children) == 1 else None
    blocks = only.blocks if isinstance(only, Leaf) else [b for leaf in leaves(cell.children) for b in leaf.blocks]
    # `inline` counts the tildes of a single block itself.
    tildes = sum(block.text.count("~") for block in blocks) if len(blocks) > 1 else 0
    dollars = _escapes_dollars(blocks, in_cell=True)
    texts = (_line_in_cell(block, tildes, dollars) for block in blocks)
    return "<br>".join(text for text in texts if text)


def _line_in_cell(block: Block, tildes: int, dollars: bool) -> str:
    if block.kind is not Kind.CODE:
        return line_of(block, None, True, tildes, dollars)
    return inline([Run(" ".join(block.text.split()), ("code",))], None, True, tildes, dollars)


def _leaf(leaf: Leaf, extra: str | None) -> list[_Chunk]:
    block = leaf.blocks[0]
    kind = block.kind
    if kind is Kind.CODE:
        runs = block.runs if _may_have_images(block) else ()
        images = inline((run for run in runs if run.src is not None), dollars=_has_formulas(block))
        return [_Chunk(_fenced(block.text, block.code_language or ""))] + (
            [_Chunk(images, plain=True)] if images else []
        )
    if kind is Kind.HEADING:
        return [_Chunk(_heading(line_of(block, dollars=_has_formulas(block)), block.level), plain=True)]
    return _lines(leaf.blocks, "em" if kind is Kind.CAPTION else extra)


def _lines(blocks: Sequence[Block], extra: str | None) -> list[_Chunk]:
    """A paragraph, or several around displayed formulas."""
    if len(blocks) == 1 and (only := compiled_line(blocks[0], extra)) is not None:  # most are
        only = only.strip()
        return [_Chunk(_paragraph([only]), plain=True)] if only else []
    # `inline` counts the tildes of a single block itself.
    tildes = sum(block.text.count("~") for block in blocks) if len(blocks) > 1 else 0
    dollars = _escapes_dollars(blocks)
    out: list[_Chunk] = []
    lines: list[str] = []
    for block in blocks:
        known = compiled_line(block, extra, tildes) if len(blocks) > 1 else None
        if known is not None:
            lines += filter(None, [known.strip()])
            continue
        for runs in [block.runs] if extra else split_at_displayed(block.runs):
            if not extra and is_displayed(runs):
                out += [_Chunk(_paragraph(lines), plain=True)] if lines else []
                out.append(_Chunk(displayed_formula(runs[0].text)))
                lines = []
            elif line := inline(runs, extra, tildes=tildes, dollars=dollars).strip():
                lines.append(line)
    return [*out, _Chunk(_paragraph(lines), plain=True)] if lines else out


def _may_have_images(block: Block) -> bool:
    """Whether an image is among the rows of a block: runs of highlighted code are dear."""
    blocks = block.page.blocks
    return _IMAGE in block.page.nodes.tag[blocks.first[block.index] : blocks.stop[block.index]].tolist()


def _has_formulas(block: Block) -> bool:
    """Whether the page has formulas, so that a Markdown reader will look for dollar signs."""
    return bool(block.page.nodes.formulas)


def _escapes_dollars(blocks: Sequence[Block], *, in_cell: bool = False) -> bool:
    """Whether a reader would see formulas in some lines; `inline` looks at a single one."""
    if len(blocks) > 1 and reads_as_formula("\0".join(block.text for block in blocks), in_cell):
        return True
    return bool(blocks) and _has_formulas(blocks[0])


def _heading(line: str, level: int) -> str:
    return f"{'#' * level} {_CLOSING_HASHES.sub(_BACKSLASH, line) if line.endswith('#') else line}"


def _paragraph(lines: list[str]) -> str:
    """Join lines of text, escaped so that none starts a list, a heading, a table or another block."""
    safe = []
    for number, line in enumerate(lines):
        if line[:1].isalpha():  # spares most lines the search
            safe.append(line)
            continue
        if _STARTS_BLOCK.match(line) or (number and _UNDERLINES.match(line)):
            line = "\\" + line
        safe.append(_STARTS_ITEM.sub(r"\1\\", line, count=1) if _STARTS_ITEM.match(line) else line)
    text = _LINE_BREAK.join(safe)
    return "\\" + text if _STARTS_DEFINITION.match(text) else text


def _fenced(code: str, language: str) -> str:
    fence = "`" * max(3, 1 + max((len(ticks) for ticks in _TICKS.findall(code)), default=0))
    lines = code.replace("\r\n", "\n").replace("\r", "\n")
    return f"{fence}{language}\n{lines}\n{fence}"


def _prefixed(text: str, first: str, rest: str) -> str:
    """Indent lines behind a marker; empty ones get no trailing white space."""
    lines = text.split("\n")
    bare = rest.rstrip()
    return "\n".join([first + lines[0], *(rest + line if line else bare for line in lines[1:])])
