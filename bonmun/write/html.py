"""HTML that is safe to show: built from the blocks, with a handful of tags and attributes; no markup is copied."""

import re
from collections.abc import Iterable
from html import escape

from bonmun.model.block import Kind
from bonmun.model.document import Document
from bonmun.model.inline import Run
from bonmun.model.nodes import Nodes
from bonmun.write.grid import Cell, grid
from bonmun.write.outline import Child, Group, Leaf, Role, outline
from bonmun.write.spans import LINK, Span, spans

_TAG_OF_MARK = {mark: mark for mark in ("strong", "em", "code", "sub", "sup", "mark")} | {"strike": "s"}
_TAG_OF_ROLE = {Role.QUOTE: "blockquote", Role.DEFINITIONS: "dl", Role.TERM: "dt", Role.DEFINITION: "dd"}
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")


def write(document: Document) -> str:
    """The document as one `<article>`, a fragment to put into a page of one's own.

    Links carry ``rel="nofollow noopener noreferrer"``: what a page links to is not vouched for by whoever shows it.
    """
    language = document.language or ""
    opening = f'<article lang="{language}">' if _LANGUAGE.fullmatch(language) else "<article>"
    parts = _Writing(document.page.nodes).parts(outline(document.blocks))
    return "\n".join([opening, *parts, "</article>"])


class _Writing:
    """The groups of one page on their way to HTML."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes

    def parts(self, children: Iterable[Child], bare: bool = False) -> list[str]:
        """One string for each child with anything in it; `bare` leaves out the tags of paragraphs."""
        out: list[str] = []
        for child in children:
            if isinstance(child, Leaf):
                _add_leaf(child, out, bare)
            elif child.role is Role.LIST:
                out += self._list(child)
            elif child.role is Role.TABLE:
                out += self._table(child)
            else:
                tag = _TAG_OF_ROLE[child.role]
                simple = len(child.children) == 1 and tag in ("dt", "dd")
                inside = self.parts(child.children, bare=simple)
                out += [f"<{tag}>{''.join(inside)}</{tag}>"] if inside else []
        return out

    def _list(self, group: Group) -> list[str]:
        items = []
        for item in group.parts(Role.ITEM):
            one_text = sum(isinstance(child, Leaf) for child in item.children) == 1
            inside = self.parts(item.children, bare=one_text)
            items += [f"<li>{''.join(inside)}</li>"] if inside else []
        start = f' start="{group.start}"' if group.start not in (None, 1) else ""
        tag = "ul" if group.start is None else "ol"
        return [f"<{tag}{start}>{''.join(items)}</{tag}>"] if items else []

    def _table(self, group: Group) -> list[str]:
        table = grid(group, self.nodes)
        above = "".join(self.parts(table.above, bare=len(table.above) == 1))
        rows = "".join(f"<tr>{''.join(self._cell(cell) for cell in line if cell)}</tr>" for line in table.lines)
        caption = f"<caption>{above}</caption>" if above else ""
        return [f"<table>{caption}{rows}</table>", *self.parts(table.below)]

    def _cell(self, cell: Cell) -> str:
        tag = "th" if cell.header else "td"
        reach = (("colspan", cell.columns), ("rowspan", cell.rows))
        attributes = "".join(f' {name}="{count}"' for name, count in reach if count > 1)
        return f"<{tag}{attributes}>{''.join(self.parts(cell.children, bare=len(cell.children) == 1))}</{tag}>"


def _add_leaf(leaf: Leaf, out: list[str], bare: bool) -> None:
    block, kind = leaf.blocks[0], leaf.kind
    if kind is Kind.CODE:
        out.append(f"<pre><code>{escape(block.text, quote=False)}</code></pre>")
        out += [f"<figure>{_inline([run])}</figure>" for run in block.runs if run.src is not None]
        return
    lines = "<br>".join(line for block in leaf.blocks if (line := _inline(spans(block.runs))))
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


def _inline(children: Iterable[Span | Run]) -> str:
    out = []
    for child in children:
        if isinstance(child, Span):
            inside = _inline(child.children)
            if child.mark == LINK:
                href = escape(child.href or "")
                out.append(f'<a href="{href}" rel="nofollow noopener noreferrer">{inside}</a>')
            else:
                tag = _TAG_OF_MARK[child.mark]
                out.append(f"<{tag}>{inside}</{tag}>")
        elif child.src is not None:
            out.append(f'<img src="{escape(child.src)}" alt="{escape(child.text)}" loading="lazy">')
        else:
            out.append(escape(child.text, quote=False))
    return "".join(out)
