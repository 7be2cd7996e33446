"""HTML that is safe to show, built from the blocks with a handful of tags and attributes; no markup is copied."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from bonmun.model.block import Kind
from bonmun.model.comment import Comment
from bonmun.model.document import Document
from bonmun.model.inline import Run
from bonmun.model.nodes import Nodes
from bonmun.write.bylines import iso_date, shown_date
from bonmun.write.headline import headline
from bonmun.write.marks import LINK, Span, spans
from bonmun.write.mathml import html_formula
from bonmun.write.nesting import outline
from bonmun.write.structure import Cell, Definition, Definitions, Leaf, List, OutlineNode, Quote, Table, Term

_TAG_OF_MARK = {mark: mark for mark in ("strong", "em", "code", "sub", "sup", "mark")} | {"strike": "s"}
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")


def write(document: Document) -> str:
    """Return the document as one `<article>`, a fragment for a page of your own.

    Links carry ``rel="nofollow noopener noreferrer"``: whoever shows the text does not vouch for them.
    """
    language = document.language or ""
    opening = f'<article lang="{language}">' if _LANGUAGE.fullmatch(language) else "<article>"
    title = [f"<h1>{escape(title, quote=False)}</h1>"] if (title := headline(document)) else []
    comments = _comments(document.comments) if document.output.comments and document.comments else []
    return "\n".join([opening, *title, *_parts(outline(document.blocks)), *comments, "</article>"])


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
        match node:
            case Leaf():
                _add_leaf(node, out, bare)
            case List():
                out += _list(node)
            case Quote():
                out += _element("blockquote", _parts(node.children))
            case Definitions():
                out += _element("dl", [part for entry in node.entries for part in _entry(entry)])
            case Table():
                out += [table(node), *_parts(node.below)]
    return out


def _element(tag: str, parts: list[str]) -> list[str]:
    """An element around the parts; nothing if there are none."""
    return [f"<{tag}>{''.join(parts)}</{tag}>"] if parts else []


def _list(node: List) -> list[str]:
    items: list[str] = []
    for item in node.items:
        one_text = sum(isinstance(child, Leaf) for child in item) == 1
        items += _element("li", _parts(item, bare=one_text))
    start = f' start="{node.start}"' if node.start not in (None, 1) else ""
    tag = "ul" if node.start is None else "ol"
    return [f"<{tag}{start}>{''.join(items)}</{tag}>"] if items else []


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
    block, kind = leaf.blocks[0], leaf.kind
    if kind is Kind.CODE:
        name = f' class="language-{escape(block.code_language)}"' if block.code_language else ""
        out.append(f"<pre><code{name}>{escape(block.text, quote=False)}</code></pre>")
        out += [f"<figure>{_inline([run], block.page.nodes)}</figure>" for run in block.runs if run.src is not None]
        return
    lines = "<br>".join(line for block in leaf.blocks if (line := _inline(spans(block.runs), block.page.nodes)))
    if not lines:
        return
    if kind is Kind.HEADING:
        out.append(f"<h{block.level}>{lines}</h{block.level}>")
    elif bare:
        out.append(lines)
    elif kind is Kind.CAPTION and out and out[-1].startswith("<figure>") and "<figcaption>" not in out[-1]:
        out[-1] = f"{out[-1].removesuffix('</figure>')}<figcaption>{lines}</figcaption></figure>"
    elif kind is Kind.CAPTION:
        out.append(f"<figure><figcaption>{lines}</figcaption></figure>")
    elif all(block.kind is Kind.IMAGE for block in leaf.blocks):
        out.append(f"<figure>{lines}</figure>")
    else:
        out.append(f"<p>{lines}</p>")


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
        elif child.formula is not None:
            out.append(html_formula(nodes, child))
        else:
            out.append(escape(child.text, quote=False))
    return "".join(out)
