"""TEI P5: the metadata as `teiHeader`, the blocks as the body, in elements of the core, figures and linking modules.

A heading opens a division that ends before the next heading of its level or above, because TEI has a `head` only at the
beginning of a `div`. Inside lists, quotes, notes and cells, a heading is a paragraph with ``rend="heading"``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bonmun.deadline import check
from bonmun.model.block import Kind
from bonmun.model.comment import Comment
from bonmun.model.document import Document
from bonmun.model.inline import Run
from bonmun.model.judged_block import Block
from bonmun.write.bylines import byline
from bonmun.write.figures import shown_blocks
from bonmun.write.marks import LINK, Span, spans
from bonmun.write.nesting import outline
from bonmun.write.structure import (
    Callout,
    Cell,
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
    leaves,
)

NAMESPACE: Final = "http://www.tei-c.org/ns/1.0"

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_REND = {"strong": "bold", "em": "italic", "sub": "sub", "sup": "sup", "mark": "mark"}
_LINE = "<lb/>"


def write(document: Document) -> str:
    """Return the document as TEI P5 XML.

    >>> import bonmun
    >>> tei = write(bonmun.extract("<title>Tea</title><h2>Leaves</h2><p>Tea is made of <b>leaves</b>, and of water."))
    >>> print(tei[tei.index("<body>"):tei.index("\\n</text>")])
    <body>
    <div><head>Leaves</head>
    <p>Tea is made of <hi rend="bold">leaves</hi>, and of water.</p></div>
    </body>
    """
    body = _divisions(list(outline(shown_blocks(document)))) or [_element("p")]
    if document.output.comments and document.comments:
        body.append(f'<div type="comments">{_lines(map(_comment, document.comments))}</div>')
    return (
        f'<?xml version="1.0"?>\n<TEI xmlns="{NAMESPACE}">\n{_header(document)}\n'
        f"<text>\n<body>\n{_lines(body)}\n</body>\n</text>\n</TEI>"
    )


def _comment(comment: Comment) -> str:
    head = _known("head", byline(comment))
    parts = _parts(outline(comment.blocks, root=comment.row)) or [_element("p")]
    return f'<div type="comment">{_lines([*head, *parts, *map(_comment, comment.replies)])}</div>'


def _header(document: Document) -> str:
    metadata = document.metadata
    title, author = _element("title", metadata.title or ""), _known("author", metadata.author)
    published = metadata.date.isoformat() if metadata.date else None
    facts = [
        title,
        *author,
        *_known("publisher", metadata.site),
        *([_element("date", published, when=published)] if published else []),
        *(_element("ptr", target=_address(url)) for url in [document.url or metadata.canonical_url] if url),
    ]
    description = [
        f"<titleStmt>{_lines([title, *author])}</titleStmt>",
        f"<publicationStmt>{_element('p', 'Extracted from a web page by Bonmun.')}</publicationStmt>",
        f"<sourceDesc><bibl>{_lines(facts)}</bibl></sourceDesc>",
    ]
    language = _element("language", ident=metadata.language) if metadata.language else ""
    profile = f"\n<profileDesc><langUsage>{language}</langUsage></profileDesc>" if language else ""
    return f"<teiHeader>\n<fileDesc>\n{_lines(description)}\n</fileDesc>{profile}\n</teiHeader>"


def _known(name: str, value: str | None) -> list[str]:
    return [_element(name, value)] if value else []


def _divisions(nodes: Sequence[OutlineNode]) -> list[str]:
    """Return the parts before the first heading, then a division for each heading with everything below it."""
    first = next((index for index, node in enumerate(nodes) if _level(node)), len(nodes))
    parts = _parts(nodes[:first])
    while first < len(nodes):
        level = _level(nodes[first])
        stop = next((at for at in range(first + 1, len(nodes)) if 0 < _level(nodes[at]) <= level), len(nodes))
        head = f"<head>{_inline_of([nodes[first]])}</head>"
        parts.append(f"<div>{_lines([head, *_divisions(nodes[first + 1 : stop])])}</div>")
        first = stop
    return parts


def _level(node: OutlineNode) -> int:
    """Return the level of a heading; 0 for anything else."""
    return node.blocks[0].level if isinstance(node, Leaf) and node.kind is Kind.HEADING else 0


def _parts(nodes: Iterable[OutlineNode]) -> list[str]:
    # One frame for each level, or two: pages nest hundreds of levels deep.
    parts: list[str] = []
    for node in nodes:
        check()
        match node:
            case Leaf():
                parts.append(_leaf(node))
            case List():
                items = []
                for item, (number, checked) in zip(node.items, node.marks(), strict=True):
                    place = "" if number is None else f' n="{number}"'
                    box = "" if checked is None else f' rend="{"checked" if checked else "unchecked"}"'
                    items.append(f"<item{place}{box}>{_content(item)}</item>")
                rend = "bulleted" if node.start is None else "numbered"
                parts.append(f'<list rend="{rend}">{_lines(items)}</list>')
            case Quote():
                parts.append(f"<quote>{_lines(_parts(node.children))}</quote>")
            case Callout():
                title = [f'<p rend="title">{_inline_of(node.title)}</p>'] if node.title else []
                inside = _lines([*title, *_parts(node.children)])
                parts.append(f'<note type="callout" subtype="{node.kind}">{inside}</note>')
            case Details():
                parts += [f'<p rend="summary">{_inline_of(node.summary)}</p>'] if node.summary else []
                parts += _parts(node.children)
            case Rule():
                parts.append('<milestone unit="section" rend="rule"/>')
            case Definitions():
                parts.append(f'<list type="gloss">{_lines(_glosses(node))}</list>')
            case Table():
                parts += _parts(node.above)
                rows = [f"<row>{''.join([_cell(cell) for cell in line if cell])}</row>" for line in node.lines]
                parts.append(f"<table>{_lines(rows)}</table>")
                parts += _parts(node.below)
            case Notes():
                parts += [
                    f'<note xml:id="fn-{note.label}" n="{note.label}">{_content(note.children)}</note>'
                    for note in node.entries
                ]
    return parts


def _leaf(leaf: Leaf) -> str:
    block = leaf.blocks[0]
    if leaf.kind is Kind.CODE:
        language = f' lang="{_attribute(block.code_language)}"' if block.code_language else ""
        return (
            f'<p><code xml:space="preserve"{language}>{_text(chr(10).join(one.text for one in leaf.blocks))}</code></p>'
        )
    if leaf.kind is Kind.IMAGE:
        return f"<figure>{_inline_of([leaf])}</figure>"
    rend = {Kind.HEADING: ' rend="heading"', Kind.CAPTION: ' rend="caption"'}.get(leaf.kind, "")
    return f"<p{rend}>{_inline_of([leaf])}</p>"


def _glosses(node: Definitions) -> Iterator[str]:
    """Yield label and item in turn, as TEI requires; an empty one stands between two terms or two definitions."""
    after_term = False
    for entry in node.entries:
        if isinstance(entry, Term):
            if after_term:
                yield "<item/>"
            yield f"<label>{_inline_of(entry.children)}</label>"
        else:
            if not after_term:
                yield "<label/>"
            yield f"<item>{_content(entry.children)}</item>"
        after_term = isinstance(entry, Term)
    if after_term:
        yield "<item/>"


def _cell(cell: Cell) -> str:
    role = ' role="label"' if cell.header else ""
    spans_ = "".join(f' {name}="{count}"' for name, count in (("cols", cell.columns), ("rows", cell.rows)) if count > 1)
    return f"<cell{role}{spans_}>{_content(cell.children)}</cell>"


def _content(nodes: Sequence[OutlineNode]) -> str:
    """Return the content of an item or cell: the text alone if it is one paragraph."""
    alone = len(nodes) == 1 and isinstance(nodes[0], Leaf) and nodes[0].kind not in (Kind.CODE, Kind.IMAGE)
    return _inline_of(nodes) if alone else _lines(_parts(nodes))


def _inline_of(nodes: Iterable[OutlineNode]) -> str:
    """Return all text of some nodes as inline content, a line break between blocks."""
    return _LINE.join([_line(block) for leaf in leaves(nodes) for block in leaf.blocks])


def _line(block: Block) -> str:
    text = block.plain_text
    return _inline(spans(block.runs)) if text is None else _text(text)


def _inline(children: Iterable[Span | Run]) -> str:
    return "".join(_span(child) if isinstance(child, Span) else _run(child) for child in children)


def _span(span: Span) -> str:
    content = _inline(span.children)
    if span.mark == LINK:
        return f'<ref target="{_attribute(_address(span.href or ""))}">{content}</ref>'
    if span.mark == "code":
        return f"<code>{content}</code>"
    if span.mark == "strike":
        return f'<del rend="strikethrough">{content}</del>'
    return f'<hi rend="{_REND.get(span.mark, span.mark)}">{content}</hi>'


def _run(run: Run) -> str:
    if run.note is not None:
        return f'<ref type="noteref" target="#fn-{run.note.label}">{run.note.label}</ref>'
    if run.src is None:
        return _text(run.text)
    description = _element("desc", run.text) if run.text else ""
    return f'<graphic url="{_attribute(_address(run.src))}">{description}</graphic>'


def _element(name: str, content: str = "", **attributes: str) -> str:
    pairs = "".join(f' {key}="{_attribute(value)}"' for key, value in attributes.items())
    return f"<{name}{pairs}>{_text(content)}</{name}>" if content else f"<{name}{pairs}/>"


def _address(url: str) -> str:
    return re.sub(r"\s", lambda match: f"%{ord(match[0]):02X}", url)


def _text(text: str) -> str:
    return _NOT_XML.sub("", text).translate(_ESCAPES).replace("\r", "&#13;")


def _attribute(value: str) -> str:
    return _text(value).replace("\n", "&#10;").replace("\t", "&#9;")


def _lines(parts: Iterable[str]) -> str:
    return "\n".join(parts)
