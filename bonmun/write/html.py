"""HTML that is safe to show, built from the blocks with a handful of tags and attributes; no markup is copied."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from bonmun.deadline import check
from bonmun.model.block import Kind
from bonmun.model.comment import Comment
from bonmun.model.document import Document
from bonmun.model.inline import NoteMark, Run
from bonmun.model.judged_block import Block
from bonmun.model.nodes import Nodes
from bonmun.write.bylines import iso_date, shown_date
from bonmun.write.compiled_markup import Request, compiled_html
from bonmun.write.figures import Caption, shown_blocks
from bonmun.write.headline import headline
from bonmun.write.marks import LINK, Span, spans
from bonmun.write.mathml import html_formula
from bonmun.write.nesting import NESTING, outline
from bonmun.write.structure import (
    Callout,
    Cell,
    Definition,
    Definitions,
    Details,
    Leaf,
    List,
    Notes,
    OutlineNode,
    Quote,
    Rule,
    Table,
    Term,
)

_TAG_OF_MARK = {mark: mark for mark in ("strong", "em", "code", "sub", "sup", "mark")} | {"strike": "s"}
_FIGURES = (Kind.IMAGE, Kind.MEDIA)
_CAPTION_END = "</figcaption></figure>"
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")


def write(document: Document) -> str:
    """Return the document as one `<article>`, a fragment for a page of your own.

    Links carry ``rel="nofollow noopener noreferrer"``: whoever shows the text does not vouch for them.
    """
    text = compiled_html(document, NESTING, _answers)
    return write_by_reference(document) if text is None else _article(document, [text] if text else [])


def write_by_reference(document: Document) -> str:
    """The same in Python, where the compiled twin could not be built, and for what it leaves to Python."""
    return _article(document, _parts(outline(shown_blocks(document))))


def _answers(requests: Iterable[Request]) -> Iterator[str]:
    """Yield the content of each leaf that the compiled twin leaves to Python.

    Parts of code have ``f`` in front, a figure, or ``-``, and a NUL between two.
    """
    for leaf, _, _ in requests:
        check()
        if leaf.kind is Kind.CODE:
            parts = _parts([leaf])
            yield "\0".join(f"{'f' if part.startswith('<figure>') else '-'}{part}" for part in parts)
        else:
            yield "<br>".join(filter(None, (_marked(block) for block in leaf.blocks)))  # plain ones are the twin's


def _article(document: Document, parts: list[str]) -> str:
    language = document.language or ""
    opening = f'<article lang="{language}">' if _LANGUAGE.fullmatch(language) else "<article>"
    title = [f"<h1>{escape(title, quote=False)}</h1>"] if (title := headline(document)) else []
    comments = _comments(document.comments) if document.output.comments and document.comments else []
    return "\n".join([opening, *title, *parts, *comments, "</article>"])


def _comments(comments: Sequence[Comment]) -> list[str]:
    return ['<section class="comments">', *_thread(comments), "</section>"]


def _thread(comments: Sequence[Comment]) -> list[str]:
    """Comments as a list, with the lists of their replies inside."""
    lines = ["<ol>"]
    for comment in comments:
        author = f"<cite>{escape(comment.author, quote=False)}</cite>" if comment.author else ""
        moment, shown = iso_date(comment.date), shown_date(comment.date)
        date = f'<time datetime="{moment}">{shown}</time>' if moment else ""
        byline = [f"<p>{' · '.join(filter(None, (author, date)))}</p>"] if author or date else []
        replies = _thread(comment.replies) if comment.replies else []
        lines += ["<li>", *byline, *_parts(outline(comment.blocks, root=comment.row)), *replies, "</li>"]
    return [*lines, "</ol>"]


def _parts(nodes: Iterable[OutlineNode], bare: bool = False) -> list[str]:
    """One string per node with content; `bare` leaves out the tags of paragraphs."""
    out: list[str] = []
    for node in nodes:
        check()
        match node:
            case Leaf():
                _add_leaf(node, out, bare)
            case List():
                out += _list(node)
            case Quote():
                out += _element("blockquote", _parts(node.children))
            case Callout():
                out += _callout(node)
            case Details():
                summary = _element("summary", _parts(node.summary, bare=len(node.summary) == 1))
                out += _element("details", [*summary, *_parts(node.children)])
            case Rule():
                out.append("<hr>")
            case Definitions():
                out += _element("dl", [part for entry in node.entries for part in _entry(entry)])
            case Table():
                out += [table(node), *_parts(node.below)]
            case Notes():
                out += _notes(node)
    return out


def _element(tag: str, parts: list[str]) -> list[str]:
    """An element around the parts; nothing if there are none."""
    return [f"<{tag}>{''.join(parts)}</{tag}>"] if parts else []


def _callout(node: Callout) -> list[str]:
    title = "".join(_parts(node.title, bare=len(node.title) == 1))
    label = [f'<div class="callout-title">{title}</div>'] if title else []
    parts = "".join([*label, *_parts(node.children)])
    return [f'<aside role="note" class="callout {node.kind}">{parts}</aside>'] if parts else []


def _list(node: List) -> list[str]:
    items: list[str] = []
    expected, step = node.start, -1 if node.reversed else 1
    for item, (number, checked) in zip(node.items, node.marks(), strict=True):
        one_text = sum(isinstance(child, Leaf) for child in item) == 1
        if parts := _parts(item, bare=one_text):
            value = f' value="{number}"' if node.numbers and number != expected else ""
            box = "" if checked is None else f'<input type="checkbox" disabled{" checked" if checked else ""}> '
            items.append(f"<li{value}>{box}{''.join(parts)}</li>")
            expected = number + step if number is not None else None
    start = f' start="{node.start}"' if node.start not in (None, 1) else ""
    style = f' type="{node.style}"' if node.style else ""
    down = " reversed" if node.reversed else ""
    tag = "ul" if node.start is None else "ol"
    return [f"<{tag}{start}{style}{down}>{''.join(items)}</{tag}>"] if items else []


def _notes(notes: Notes) -> list[str]:
    """The footnotes as an ordered list; notes with letters for labels begin with their label."""
    items = []
    for number, note in enumerate(notes.entries, 1):
        value = f' value="{note.label}"' if note.label.isdigit() and note.label != str(number) else ""
        label = "" if note.label.isdigit() else f"<sup>{note.label}</sup> "
        one_text = sum(isinstance(child, Leaf) for child in note.children) == 1
        parts = "".join(_parts(note.children, bare=one_text))
        items.append(f'<li id="fn-{note.label}"{value}>{label}{parts}</li>')
    tag = "ol" if all(note.label.isdigit() for note in notes.entries) else "ul"
    return [f'<section role="doc-endnotes"><{tag}>{"".join(items)}</{tag}></section>']


def _entry(entry: Term | Definition) -> list[str]:
    return _element("dt" if isinstance(entry, Term) else "dd", _parts(entry.children, bare=len(entry.children) == 1))


def table(node: Table) -> str:
    """A table with its caption, without the content below it."""
    above = "".join(_parts(node.above, bare=len(node.above) == 1))
    rows = "".join(f"<tr>{''.join(_cell(cell) for cell in line if cell)}</tr>" for line in node.lines)
    caption = f"<caption>{above}</caption>" if above else ""
    return f"<table>{caption}{rows}</table>"


def _cell(cell: Cell) -> str:
    tag = "th" if cell.header else "td"
    reach = (("colspan", cell.columns), ("rowspan", cell.rows))
    attributes = "".join(f' {name}="{count}"' for name, count in reach if count > 1)
    return f"<{tag}{attributes}>{''.join(_parts(cell.children, bare=len(cell.children) == 1))}</{tag}>"


def _add_leaf(leaf: Leaf, out: list[str], bare: bool) -> None:
    block = leaf.blocks[0]
    kind = block.kind
    if kind is Kind.CODE:
        name = f' class="language-{escape(block.code_language)}"' if block.code_language else ""
        out.append(f"<pre><code{name}>{escape(block.text, quote=False)}</code></pre>")
        out += [f"<figure>{_inline([run], block.page.nodes)}</figure>" for run in block.runs if run.src is not None]
        return
    lines = _lines(leaf)
    if not lines:
        return
    if kind is Kind.HEADING:
        out.append(f"<h{block.level}>{lines}</h{block.level}>")
    elif bare:
        out.append(lines)
    elif kind is Kind.CAPTION:
        _add_caption(block, lines, out)
    elif kind in _FIGURES and all(block.kind in _FIGURES for block in leaf.blocks):
        out.append(f"<figure>{lines}</figure>")
    else:
        out.append(f"<p>{lines}</p>")


def _lines(leaf: Leaf) -> str:
    if len(leaf.blocks) == 1:
        return _line(leaf.blocks[0])
    return "<br>".join([line for block in leaf.blocks if (line := _line(block))])


def _line(block: Block) -> str:
    """The content of a block."""
    text = block.plain_text
    return _marked(block) if text is None else escape(text, quote=False)


def _marked(block: Block) -> str:
    """The same for any block, by its runs."""
    return _inline(spans(block.runs), block.page.nodes)


def _add_caption(block: Block, lines: str, out: list[str]) -> None:
    """Put a caption into the figure before it, which may be several pictures or have a caption already."""
    if out and out[-1].startswith("<figure>") and out[-1].endswith(_CAPTION_END) and isinstance(block, Caption):
        out[-1] = f"{out[-1].removesuffix(_CAPTION_END)}<br>{lines}{_CAPTION_END}"
    elif not out or not _is_open_figure(out[-1]):
        out.append(f"<figure><figcaption>{lines}{_CAPTION_END}")
    else:
        first = len(out) - 1
        wanted = block.pictures if isinstance(block, Caption) else 1
        while first and len(out) - first < wanted and _is_open_figure(out[first - 1]):
            first -= 1
        inside = "".join(part.removeprefix("<figure>").removesuffix("</figure>") for part in out[first:])
        out[first:] = [f"<figure>{inside}<figcaption>{lines}{_CAPTION_END}"]


def _is_open_figure(part: str) -> bool:
    return part.startswith("<figure>") and not part.endswith(_CAPTION_END)


def _inline(children: Iterable[Span | Run], nodes: Nodes) -> str:
    out = []
    for child in children:
        if isinstance(child, Span):
            inside = _inline(child.children, nodes)
            if child.mark == LINK:
                href = escape(child.href or "")
                out.append(f'<a href="{href}" rel="nofollow noopener noreferrer">{inside}</a>')
            else:
                tag = _TAG_OF_MARK[child.mark]
                out.append(f"<{tag}>{inside}</{tag}>")
        elif child.src is not None:
            out.append(f'<img src="{escape(child.src)}" alt="{escape(child.text)}" loading="lazy">')
        elif child.note is not None:
            out.append(_mark(child.note))
        elif child.formula is not None:
            out.append(html_formula(nodes, child))
        else:
            out.append(escape(child.text, quote=False))
    return "".join(out)


def _mark(note: NoteMark) -> str:
    again = f"-{note.number}" if note.number > 1 else ""
    return f'<sup><a href="#fn-{note.label}" id="fnref-{note.label}{again}">{note.label}</a></sup>'
